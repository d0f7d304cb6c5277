//! Do index and store agree? For `groma verify`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_model::PageId;
use groma_store::Snapshot;

use super::follow::mark;
use super::survey::{Mark, Standing};
use crate::shelf::Shelf;
use crate::text::Tally;
use crate::{SearchError, engine};

/// Pages named one by one; of more only the number is told.
const NAMED: usize = 20;

/// See [`crate::Index::complaints`].
pub(crate) fn complaints(folder: &Path, store: &mut dyn Snapshot) -> Result<Vec<String>, SearchError> {
    let generation = match Shelf::of(folder).current() {
        Ok(Some(generation)) => generation,
        Ok(None) => return Ok(Vec::new()),
        Err(SearchError::Unusable(why)) => return Ok(vec![format!("the index cannot be used: {why}")]),
        Err(error) => return Err(error),
    };
    let index = match engine::open(&generation, &Arc::new(Tally::default()), false) {
        Err(SearchError::Unusable(why)) => return Ok(vec![format!("the index cannot be used: {why}")]),
        other => other?,
    };
    let broken = match index.validate_checksum().map_err(SearchError::from) {
        // The damage is where a file says what it is.
        Err(SearchError::Unusable(why)) => return Ok(vec![format!("the index is damaged: {why}")]),
        other => other?,
    };
    let name = |path: PathBuf| format!("the index is damaged: {} has the wrong checksum", path.display());
    let mut list: Vec<String> = broken.into_iter().map(name).collect();
    let mut held: HashMap<u32, u64> = HashMap::new();
    let mut twice = HashSet::new();
    let read = engine::each_page(&index, &mut |page, digest| {
        if held.insert(page, digest).is_some() {
            twice.insert(page);
        }
    });
    match read {
        Err(SearchError::Unusable(why)) => {
            list.push(format!("the index cannot be used: {why}"));
            return Ok(list);
        }
        other => other?,
    }
    list.extend(named("is in the index more than once", twice, store)?);
    let old: Mark = mark(&index)?.unwrap_or_default();
    let standing = Standing::read(store, old.watermark)?;
    if old.survey != standing.mark.survey {
        list.push("the index is that of another survey".into());
    } else if old == standing.mark {
        // The index says that it has followed the store to its end: then every document must be what the store says.
        let survey = standing.survey(store, &|_| true, &AtomicBool::new(false), &mut |_, _| {})?;
        let wanted = survey.map(|survey| survey.wanted).unwrap_or_default().into_iter();
        let wanted: HashMap<u32, u64> = wanted.filter_map(|(page, digest)| Some((page, digest?))).collect();
        let missing = wanted.keys().copied().filter(|page| !held.contains_key(page));
        list.extend(named("is missing in the index", missing, store)?);
        let other = wanted.iter().filter(|(page, digest)| held.get(page).is_some_and(|of| of != *digest));
        list.extend(named("has another text in the index", other.map(|(page, _)| *page), store)?);
        let stray = held.keys().copied().filter(|page| !wanted.contains_key(page));
        list.extend(named("does not belong into the index", stray, store)?);
    } else {
        // The store has gone on since: only what can never have been right is wrong.
        let mut unknown = Vec::new();
        for &page in held.keys() {
            if store.address(PageId(page))?.is_none() {
                unknown.push(page);
            }
        }
        list.extend(named("is in the index and not in the store", unknown, store)?);
    }
    Ok(list)
}

fn named(
    what: &str,
    pages: impl IntoIterator<Item = u32>,
    store: &mut dyn Snapshot,
) -> Result<Vec<String>, SearchError> {
    let mut pages: Vec<u32> = pages.into_iter().collect();
    pages.sort_unstable();
    let mut lines = Vec::new();
    for &page in pages.iter().take(NAMED) {
        let url = store.address(PageId(page))?.map_or_else(|| format!("page {page}"), |address| address.url);
        lines.push(format!("{url} {what}"));
    }
    if pages.len() > NAMED {
        lines.push(format!("and {} more: each {what}", pages.len() - NAMED));
    }
    Ok(lines)
}
