//! The links that lead to a page and those that leave it, as many of them as are wanted.
//!
//! Links are kept with the page they stand on, so links *in* are found by looking at the targets of every page: O(links), a
//! second or so for ten million.

use std::collections::{BTreeMap, HashSet};

use groma_model::{PageId, State};
use groma_settings::Fault;
use groma_store::codec::{self, Details, KeptLink, unpack_links};
use groma_store::{AddressRow, Snapshot, StoreError};
use serde::Serialize;

/// Which of the links are read with their texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Pages that link here, passed over.
    pub skip_in: usize,
    /// Links on the page, passed over.
    pub skip_out: usize,
    /// Links of each direction.
    pub most: usize,
}

impl Default for Window {
    fn default() -> Window {
        Window { skip_in: 0, skip_out: 0, most: 20 }
    }
}

/// Links in and out.
#[derive(Debug, Serialize)]
pub struct Links {
    /// Pages that link here, under any of its names.
    pub pages_in: u64,
    /// Those within the window.
    pub r#in: Vec<LinkRow>,
    /// Links on the page.
    pub links_out: u64,
    /// How many of each kind.
    pub kinds_out: BTreeMap<&'static str, u64>,
    /// Those within the window.
    pub out: Vec<LinkRow>,
}

/// A link, seen from the page that is explained.
#[derive(Debug, Serialize)]
pub struct LinkRow {
    /// URL at the other end.
    pub url: String,
    /// The state of the other end.
    pub state: Option<&'static str>,
    /// What kind of link it is.
    pub kind: Option<&'static str>,
    pub text: String,
    /// Words of the `rel` attribute.
    pub rel: String,
    /// The block it stands in.
    pub block: Option<&'static str>,
}

/// Gathers the links of a URL (of a page under all its names).
pub(super) fn gather(store: &mut dyn Snapshot, row: &AddressRow, window: Window) -> Result<Links, Fault> {
    let names = names(store, row.id)?;
    let from = pages_linking(store, &names)?;
    let mut links = Links {
        pages_in: from.len() as u64,
        r#in: Vec::new(),
        links_out: 0,
        kinds_out: BTreeMap::new(),
        out: Vec::new(),
    };
    for &(page, place) in from.iter().skip(window.skip_in).take(window.most) {
        let details = details(store, page)?;
        links.r#in.push(link(store, page, details.as_ref().and_then(|d| d.links.get(place as usize)))?);
    }
    let targets = store.targets(row.id)?;
    let details = details(store, row.id)?;
    links.links_out = targets.len() as u64;
    for kept in details.iter().flat_map(|details| &details.links) {
        *links.kinds_out.entry(kept.kind.name()).or_default() += 1;
    }
    for (place, target) in targets.into_iter().enumerate().skip(window.skip_out).take(window.most) {
        links.out.push(link(store, target, details.as_ref().and_then(|d| d.links.get(place)))?);
    }
    Ok(links)
}

/// All names of a page, its own among them.
fn names(store: &mut dyn Snapshot, id: PageId) -> Result<HashSet<PageId>, Fault> {
    let (mut names, mut open) = (HashSet::from([id]), vec![id]);
    while let Some(name) = open.pop() {
        open.extend(store.aliases(name)?.into_iter().map(|row| row.id).filter(|alias| names.insert(*alias)));
    }
    Ok(names)
}

/// The pages that link to one of these URLs, and at which place among their links the first such link stands. A page
/// that could not be had this time keeps its links; one that is ignored or waits has none that count.
fn pages_linking(store: &mut dyn Snapshot, names: &HashSet<PageId>) -> Result<Vec<(PageId, u32)>, Fault> {
    let mut has_none = Vec::new();
    store.each_standing(&mut |standing| {
        has_none.resize(standing.id.0 as usize, true);
        has_none.push(matches!(standing.reason.state(), State::Excluded | State::Queued | State::Alias));
    })?;
    let (mut from, mut links, mut damaged) = (Vec::new(), Vec::new(), None);
    store.each_targets(&mut |id, packed| {
        if has_none.get(id.0 as usize).copied().unwrap_or(true) {
            return;
        }
        if unpack_links(packed, &mut links).is_none() {
            damaged = Some(id);
        } else if let Some(place) = links.iter().position(|(target, _)| names.contains(&PageId(*target))) {
            from.push((id, place as u32));
        }
    })?;
    match damaged {
        Some(id) => Err(StoreError::Damaged(format!("the links of page {}", id.0)).into()),
        None => Ok(from),
    }
}

fn details(store: &mut dyn Snapshot, id: PageId) -> Result<Option<Details>, Fault> {
    Ok(store.details(id)?.and_then(|packed| codec::unpack_details(&packed)))
}

fn link(store: &mut dyn Snapshot, page: PageId, kept: Option<&KeptLink>) -> Result<LinkRow, Fault> {
    let address = store.address(page)?;
    Ok(LinkRow {
        state: address.as_ref().map(|row| row.state().name()),
        url: address.map(|row| row.url).unwrap_or_default(),
        kind: kept.map(|kept| kept.kind.name()),
        text: kept.map(|kept| kept.text.clone()).unwrap_or_default(),
        rel: kept.map(|kept| kept.rel.words().collect::<Vec<_>>().join(" ")).unwrap_or_default(),
        block: kept.map(|kept| kept.block.name()),
    })
}
