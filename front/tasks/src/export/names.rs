//! What is the URL of this number, and where does it stand? Neighbours were found on the same few pages: some thousand are remembered.

use groma_model::{PageId, Reason};
use groma_settings::Fault;
use groma_store::Snapshot;

const REMEMBERED: usize = 4096;

/// A URL, and why it is in its state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The URL; empty if there is none of the number.
    pub url: String,
    /// Why it is in its state.
    pub reason: Option<Reason>,
}

/// Remembers URLs looked up lately.
pub struct Names {
    slots: Vec<Option<(PageId, Named)>>,
}

impl Default for Names {
    fn default() -> Self {
        Names { slots: vec![None; REMEMBERED] }
    }
}

impl Names {
    /// The URL of a number.
    pub fn url(&mut self, store: &mut dyn Snapshot, id: PageId) -> Result<String, Fault> {
        Ok(self.named(store, id)?.url.clone())
    }

    /// The same with where it stands.
    pub fn named(&mut self, store: &mut dyn Snapshot, id: PageId) -> Result<&Named, Fault> {
        let slot = &mut self.slots[id.0 as usize % REMEMBERED];
        if slot.as_ref().is_none_or(|(known, _)| *known != id) {
            let found = store.address(id)?;
            let named = found.map(|row| Named { reason: Some(row.reason), url: row.url }).unwrap_or_default();
            *slot = Some((id, named));
        }
        Ok(slot.as_ref().map_or(&NOBODY, |(_, named)| named))
    }
}

static NOBODY: Named = Named { url: String::new(), reason: None };
