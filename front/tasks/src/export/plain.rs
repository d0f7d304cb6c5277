//! A database that any tool can read: the plain tables of [`groma_store::PlainCopy`], in a new file.

use std::path::Path;

use groma_settings::Fault;
use groma_store::{PlainCopy, PlainLink, PlainPage, Snapshot};

use super::{Exported, PagesWanted, text_of, walk};
use crate::export::wording::{EXPORT_THERE_HINT, is_there};

/// Writes the survey into a file that is not there yet. It appears when it is whole.
pub(super) fn write(store: &mut dyn Snapshot, wanted: &PagesWanted<'_>, file: &Path) -> Result<Exported, Fault> {
    let shown = file.display().to_string();
    // What takes bytes as they come (a FIFO, a device) holds none that could be replaced.
    if file.is_file() || file.is_dir() {
        return Err(Fault::new(is_there(&shown), EXPORT_THERE_HINT));
    }
    let mut copy = PlainCopy::begin(file)?;
    let mut links = 0;
    let done = walk(store, wanted, &mut |store, leaf| {
        let details = leaf.details(store)?;
        let text = details.as_ref().filter(|_| wanted.text).map(text_of);
        copy.page(&PlainPage { address: &leaf.address, page: leaf.page.as_ref(), text: text.as_deref() })?;
        let of_page = store.links(leaf.address.id)?;
        for (position, (target, mark)) in of_page.into_iter().enumerate() {
            let kept = details.as_ref().and_then(|details| details.links.get(position));
            copy.link(&PlainLink { source: leaf.address.id, target, position: position as u64, mark, kept })?;
            links += 1;
        }
        Ok(())
    })?;
    // What was stopped leaves nothing.
    if !done.stopped {
        copy.finish()?;
    }
    Ok(Exported { links, ..done })
}
