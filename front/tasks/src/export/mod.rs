//! How are the pages of a survey handed to other programs? A kind of export a file: each reads the survey once, page by page, and
//! writes what it has read, so memory does not grow with the survey. What each writes is described in docs/exports.md.

pub(crate) mod job;
mod jsonl;
mod links;
mod markdown;
mod names;
mod paths;
mod plain;
mod run;
mod soif;
mod sorting;
mod structured;
mod surt;
mod table;
pub(crate) mod task;
pub mod wording;

use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::State;
use groma_store::codec::{Details, unpack_details};
use groma_store::{AddressRow, PageRow, Snapshot};

use groma_settings::Fault;

use crate::outcome::Outcome;

pub use names::{Named, Names};
pub use run::{Exporting, run};
pub use table::{COLUMNS, PageLine, write as write_pages_table};
pub use task::Form;

/// URLs read at a time.
const STEP: usize = 10_000;

/// What is to be exported.
pub struct PagesWanted<'a> {
    /// Only these states; all of them if there are none.
    pub states: Vec<State>,
    /// By number: does it belong to the site that is looked at?
    pub inside: Option<Vec<bool>>,
    /// With the texts of pages.
    pub text: bool,
    /// Set when it is to stop.
    pub stop: &'a AtomicBool,
}

impl PagesWanted<'_> {
    fn takes(&self, address: &AddressRow) -> bool {
        (self.states.is_empty() || self.states.contains(&address.state()))
            && self.inside.as_ref().is_none_or(|inside| inside.get(address.id.0 as usize).copied().unwrap_or(false))
    }
}

/// What came of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// URLs written.
    pub pages: u64,
    /// Links written, where they are counted.
    pub links: u64,
    /// It was stopped before its end.
    pub stopped: bool,
}

impl From<Exported> for Outcome {
    fn from(exported: Exported) -> Outcome {
        Outcome::Exported { pages: exported.pages, links: exported.links }
    }
}

/// A page as it is read.
struct Leaf {
    address: AddressRow,
    page: Option<PageRow>,
}

impl Leaf {
    /// Its links and texts, if it has any.
    fn details(&self, store: &mut dyn Snapshot) -> Result<Option<Details>, Fault> {
        let Some(page) = &self.page else { return Ok(None) };
        Ok(store.details(page.id)?.and_then(|packed| unpack_details(&packed)))
    }
}

/// Reads the survey, page by page, until its end or until somebody says stop.
fn walk(
    store: &mut dyn Snapshot,
    wanted: &PagesWanted<'_>,
    call: &mut dyn FnMut(&mut dyn Snapshot, Leaf) -> Result<(), Fault>,
) -> Result<Exported, Fault> {
    let (mut done, mut after) = (Exported::default(), None);
    loop {
        let rows = store.addresses(after, STEP)?;
        let Some(last) = rows.last() else { return Ok(done) };
        after = Some(last.id);
        for address in rows.into_iter().filter(|row| wanted.takes(row)) {
            if wanted.stop.load(Ordering::Relaxed) {
                return Ok(Exported { stopped: true, ..done });
            }
            let page = store.page(address.id)?;
            call(store, Leaf { address, page })?;
            done.pages += 1;
        }
    }
}

/// The text of a page, a line for each block: what `--with-text` means everywhere.
fn text_of(details: &Details) -> String {
    let texts: Vec<&str> = details.blocks.iter().map(|block| block.text.as_str()).collect();
    texts.join("\n")
}

/// A text, unless there is none.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
