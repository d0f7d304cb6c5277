//! Which part of the site does `in:` mean? A URL is a branch of the map; a path is a folder, or else the branch of the page
//! there; words are those of the title of a branch's page.

use groma_model::{Fp, PageId};
use groma_store::Snapshot;
use tantivy::{Searcher, Term};

use crate::SearchError;
use crate::places::Places;
use crate::schema::Fields;
use crate::text::fold;

/// Branches whose titles are compared: children and grandchildren of the root.
const BRANCHES: usize = 5_000;

/// A part of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Everything below this page of the map.
    Branch(u32),
    /// Everything in this folder.
    Folder(String),
}

/// Finds the place; nothing if there is no such section.
pub(crate) fn resolve(
    wanted: &str,
    searcher: &Searcher,
    fields: &Fields,
    places: &Places,
    store: &mut dyn Snapshot,
) -> Result<Option<Place>, SearchError> {
    let wanted = wanted.trim();
    let is_folder = |address: &str| -> Result<bool, SearchError> {
        Ok(searcher.doc_freq(&Term::from_field_text(fields.under, address))? > 0)
    };
    let branch = |store: &mut dyn Snapshot, address: &str| -> Result<Option<Place>, SearchError> {
        let Some(found) = store.find(Fp::hash_bytes(address.as_bytes()))? else { return Ok(None) };
        let page = match store.address(found.id)?.and_then(|row| row.alias_of) {
            Some(PageId(page)) => page,
            None => found.id.0,
        };
        Ok(places.span(page).map(|_| Place::Branch(page)))
    };
    let slashed = |address: &str| if address.ends_with('/') { address.to_owned() } else { format!("{address}/") };
    if wanted.contains("://") {
        for address in [wanted.to_owned(), slashed(wanted)] {
            if let Some(place) = branch(store, &address)? {
                return Ok(Some(place));
            }
        }
        let folder = slashed(wanted);
        return Ok(is_folder(&folder)?.then_some(Place::Folder(folder)));
    }
    if wanted.contains('/') {
        let path = if wanted.starts_with('/') { wanted.to_owned() } else { format!("/{wanted}") };
        let origins: Vec<String> = store.hosts()?.into_iter().map(|host| host.origin).collect();
        for origin in &origins {
            let folder = slashed(&format!("{origin}{path}"));
            if is_folder(&folder)? {
                return Ok(Some(Place::Folder(folder)));
            }
        }
        for origin in &origins {
            for address in [format!("{origin}{path}"), slashed(&format!("{origin}{path}"))] {
                if let Some(place) = branch(store, &address)? {
                    return Ok(Some(place));
                }
            }
        }
        return Ok(None);
    }
    titled(wanted, places, store)
}

/// The largest branch near the root whose page has these words in its title.
fn titled(wanted: &str, places: &Places, store: &mut dyn Snapshot) -> Result<Option<Place>, SearchError> {
    let plain = |text: &str| {
        let mut out = String::new();
        fold(&text.to_lowercase(), &mut out);
        out
    };
    let words: Vec<String> = plain(wanted).split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return Ok(None);
    }
    let top = places.sections().to_vec();
    let deeper: Vec<u32> = top.iter().flat_map(|page| places.children(*page)).take(BRANCHES).collect();
    for layer in [top, deeper] {
        let mut layer: Vec<u32> = layer.into_iter().take(BRANCHES).collect();
        layer.sort_by_key(|page| std::cmp::Reverse(places.below(*page)));
        for page in layer {
            let title = store.page(PageId(page))?.map(|row| plain(&row.facts.title)).unwrap_or_default();
            if !title.is_empty() && words.iter().all(|word| title.contains(word.as_str())) {
                return Ok(Some(Place::Branch(page)));
            }
        }
    }
    Ok(None)
}
