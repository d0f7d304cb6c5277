//! Structured data as JSON Lines: an object for each item of each page, and one for each fault.

use std::io::Write;

use groma_model::cards::with_cards;
use groma_settings::Fault;
use groma_store::Snapshot;
use serde::Serialize;

use super::{Exported, PagesWanted, walk};

/// An item or a fault, with the page it stands on.
#[derive(Serialize)]
struct Line<'a, T> {
    url: &'a str,
    #[serde(flatten)]
    said: &'a T,
}

/// Writes the items of each page, those of its cards behind the others, then its faults. Pages without any are not counted.
pub(super) fn write(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, to: &mut dyn Write) -> Result<Exported, Fault> {
    let mut pages = 0;
    let done = walk(store, wanted, &mut |store, leaf| {
        let Some(details) = leaf.details(store)? else { return Ok(()) };
        let data = with_cards(details.structured.unwrap_or_default(), &details.metas);
        pages += u64::from(!data.is_empty());
        let url = leaf.address.url.as_str();
        data.items.iter().try_for_each(|item| line(&Line { url, said: item }, to))?;
        data.faults.iter().try_for_each(|fault| line(&Line { url, said: fault }, to))
    })?;
    Ok(Exported { pages, ..done })
}

fn line(line: &impl Serialize, to: &mut dyn Write) -> Result<(), Fault> {
    serde_json::to_writer(&mut *to, line).map_err(std::io::Error::from)?;
    Ok(to.write_all(b"\n")?)
}
