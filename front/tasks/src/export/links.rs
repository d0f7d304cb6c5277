//! CSV of links: a row for each, with the URLs of both ends.

use std::io::Write;

use groma_model::wording::write_row;
use groma_settings::Fault;
use groma_store::Snapshot;

use super::{Exported, Names, PagesWanted, walk};

const COLUMNS: [&str; 8] = ["from", "to", "kind", "anchor", "block", "rel", "state", "reason"];

/// Writes the links of the pages that are wanted.
pub(super) fn write(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, to: &mut dyn Write) -> Result<Exported, Fault> {
    let mut names = Names::default();
    let mut links = 0;
    write_row(to, &COLUMNS)?;
    let done = walk(store, wanted, &mut |store, leaf| {
        let details = leaf.details(store)?.unwrap_or_default();
        for (at, (target, mark)) in store.links(leaf.address.id)?.into_iter().enumerate() {
            let kept = details.links.get(at);
            let named = names.named(store, target)?;
            let rel = kept.map(|link| link.rel.words().collect::<Vec<_>>().join(" ")).unwrap_or_default();
            let cells = [
                leaf.address.url.as_str(),
                &named.url,
                mark.kind().name(),
                kept.map_or("", |link| &link.text),
                kept.map_or("", |link| link.block.name()),
                &rel,
                named.reason.map_or("", |reason| reason.state().name()),
                named.reason.map_or("", |reason| reason.name()),
            ];
            write_row(to, &cells)?;
            links += 1;
        }
        Ok(())
    })?;
    Ok(Exported { links, ..done })
}
