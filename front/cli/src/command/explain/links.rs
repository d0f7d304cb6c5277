//! The links that lead to a page and those that leave it.
//!
//! Links are kept with the page they stand on, so links *in* are found by looking at the targets of every page: O(links), a
//! second or so for a million.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use groma_model::{PageId, State};
use groma_store::{AddressRow, Snapshot, codec};

use crate::output::Out;
use groma_desk::Fault;
use groma_desk::words::counted;
use groma_model::wording::{grouped, plain};

/// Links shown of each direction.
const SHOWN: usize = 20;
/// Addresses read at a time.
const STEP: usize = 10_000;

/// Links in and out.
#[derive(Serialize)]
pub(super) struct Links {
    /// Pages that link here, under any of its names.
    pages_in: u64,
    r#in: Vec<LinkRow>,
    /// Links on the page.
    links_out: u64,
    kinds_out: BTreeMap<&'static str, u64>,
    out: Vec<LinkRow>,
}

#[derive(Serialize)]
struct LinkRow {
    url: String,
    kind: Option<&'static str>,
    text: String,
    rel: String,
}

/// Gathers the links of an address (of a page under all its names).
pub(super) fn gather(store: &mut dyn Snapshot, row: &AddressRow) -> Result<Links, Fault> {
    let (names, pages) = names_and_pages(store, row.id)?;
    let mut links = Links { pages_in: 0, r#in: Vec::new(), links_out: 0, kinds_out: BTreeMap::new(), out: Vec::new() };
    for page in pages {
        let targets = store.targets(page)?;
        let Some(place) = targets.iter().position(|target| names.contains(target)) else { continue };
        links.pages_in += 1;
        if links.r#in.len() < SHOWN {
            let details = details(store, page)?;
            links.r#in.push(link(store, page, details.as_ref().and_then(|d| d.links.get(place)))?);
        }
    }
    let targets = store.targets(row.id)?;
    let details = details(store, row.id)?;
    links.links_out = targets.len() as u64;
    for kept in details.iter().flat_map(|details| &details.links) {
        *links.kinds_out.entry(kept.kind.name()).or_default() += 1;
    }
    for (place, target) in targets.into_iter().take(SHOWN).enumerate() {
        links.out.push(link(store, target, details.as_ref().and_then(|d| d.links.get(place)))?);
    }
    Ok(links)
}

/// All names of a page, and all pages that may have links.
fn names_and_pages(store: &mut dyn Snapshot, id: PageId) -> Result<(HashSet<PageId>, Vec<PageId>), Fault> {
    let (mut aliases, mut pages, mut after) = (Vec::new(), Vec::new(), None);
    loop {
        let rows = store.addresses(after, STEP)?;
        let Some(last) = rows.last() else { break };
        after = Some(last.id);
        for row in rows {
            match row.alias_of {
                Some(of) => aliases.push((row.id, of)),
                // A page that could not be had this time keeps its links.
                None if !matches!(row.state(), State::Ignored | State::Pending) => pages.push(row.id),
                None => {}
            }
        }
    }
    let mut names = HashSet::from([id]);
    loop {
        let before = names.len();
        names.extend(aliases.iter().filter(|(_, of)| names.contains(of)).map(|(id, _)| *id).collect::<Vec<_>>());
        // A chain of aliases is at most as long as a chain of redirects may be.
        if names.len() == before {
            return Ok((names, pages));
        }
    }
}

fn details(store: &mut dyn Snapshot, id: PageId) -> Result<Option<codec::Details>, Fault> {
    Ok(store.details(id)?.and_then(|packed| codec::unpack_details(&packed)))
}

fn link(store: &mut dyn Snapshot, page: PageId, kept: Option<&codec::KeptLink>) -> Result<LinkRow, Fault> {
    let url = store.address(page)?.map(|row| row.url).unwrap_or_default();
    Ok(LinkRow {
        url,
        kind: kept.map(|kept| kept.kind.name()),
        text: kept.map(|kept| kept.text.clone()).unwrap_or_default(),
        rel: kept.map(|kept| kept.rel.words().collect::<Vec<_>>().join(" ")).unwrap_or_default(),
    })
}

impl Links {
    pub(super) fn print(&self, out: &mut Out) -> std::io::Result<()> {
        out.line(&out.paint.heading(&format!("linked from {}", counted(self.pages_in, "page", "pages"))))?;
        print_rows(out, &self.r#in, self.pages_in)?;
        let kinds: Vec<String> = self.kinds_out.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n))).collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        out.line(&out.paint.heading(&format!("links to {}{kinds}", counted(self.links_out, "address", "addresses"))))?;
        print_rows(out, &self.out, self.links_out)
    }
}

fn print_rows(out: &mut Out, rows: &[LinkRow], all: u64) -> std::io::Result<()> {
    for row in rows {
        let text = if row.text.is_empty() { String::new() } else { format!("  \"{}\"", row.text) };
        let rel = if row.rel.is_empty() { String::new() } else { format!("  rel={}", row.rel) };
        out.line(&format!("  {:9} {}{}", row.kind.unwrap_or("link"), plain(&row.url), plain(&format!("{text}{rel}"))))?;
    }
    let more = all.saturating_sub(rows.len() as u64);
    if more > 0 { out.line(&format!("  and {} more", grouped(more))) } else { Ok(()) }
}
