//! Where documents are written, taken out and made lasting, whatever they stand for.

use std::path::Path;
use std::sync::Arc;

use tantivy::{IndexWriter, Term};

use super::leaf::{Leaf, Room};
use super::survey::Mark;
use crate::key::Key;
use crate::schema::{Fields, schema};
use crate::text::Tally;
use crate::vocabulary::Vocabulary;
use crate::{Followed, SearchError};

/// Memory of the engine's writing threads together.
const HEAP: usize = 160_000_000;
/// Threads of the engine's writer.
const THREADS: usize = 2;
/// Documents after which what is done is made lasting.
const COMMIT: u64 = 250_000;

/// The engine's writer with what belongs to it.
pub(super) struct Desk<'a> {
    writer: IndexWriter<Leaf>,
    pub(super) fields: Fields,
    pub(super) room: Arc<Room>,
    /// The mark of what was there before: commits on the way carry it.
    pub(super) before: Mark,
    generation: &'a Path,
    tally: Arc<Tally>,
    pub(super) followed: Followed,
}

impl<'a> Desk<'a> {
    pub(super) fn open(
        index: &tantivy::Index,
        generation: &'a Path,
        tally: Arc<Tally>,
        before: Mark,
        followed: Followed,
    ) -> Result<Desk<'a>, SearchError> {
        let writer = index.writer_with_num_threads(THREADS, HEAP)?;
        let fields = schema().1;
        Ok(Desk { writer, fields, room: Arc::default(), before, generation, tally, followed })
    }

    /// Writes a document. `replaces`: the index may have an older one; what it never had need not be looked for.
    pub(super) fn put(&mut self, key: Key, leaf: Leaf, replaces: bool) -> Result<(), SearchError> {
        if replaces {
            self.writer.delete_term(self.term(key));
        }
        if let Err(error) = self.writer.add_document(leaf) {
            // A writing thread has ended; waiting for it tells why.
            return Err(self.writer.prepare_commit().err().unwrap_or(error).into());
        }
        self.followed.written += 1;
        if self.followed.written.is_multiple_of(COMMIT) {
            let before = self.before.clone();
            self.commit(&before)?;
        }
        Ok(())
    }

    /// Takes a document out.
    pub(super) fn remove(&mut self, key: Key) {
        self.writer.delete_term(self.term(key));
        self.followed.removed += 1;
    }

    fn term(&self, key: Key) -> Term {
        Term::from_field_u64(self.fields.page, key.number())
    }

    /// Makes everything lasting, with this mark.
    pub(super) fn commit(&mut self, mark: &Mark) -> Result<(), SearchError> {
        let payload = serde_json::to_string(mark).map_err(std::io::Error::from)?;
        let mut commit = self.writer.prepare_commit()?;
        // The writing threads have ended, and with that they have told what they counted.
        Vocabulary::add(self.generation, self.tally.take())?;
        commit.set_payload(&payload);
        commit.commit()?;
        Ok(())
    }

    /// Waits until the engine has tidied up.
    pub(super) fn close(self) -> Result<Followed, SearchError> {
        self.writer.wait_merging_threads()?;
        Ok(self.followed)
    }
}
