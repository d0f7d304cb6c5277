//! Brings the index up to date: exactly the documents whose digest differs are written again, and what no longer belongs goes.
//!
//! A commit of the engine is atomic and carries the mark of how far it follows the store: there is no moment at which the mark is
//! ahead of the documents. Commits on the way carry the old mark; whoever goes on after a kill finds their documents right.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::PageId;
use groma_store::Snapshot;
use tantivy::{IndexWriter, TantivyDocument, Term};

use super::document::compose;
use super::survey::{Mark, Standing, Survey, blocks};
use crate::places::Places;
use crate::schema::{Fields, schema};
use crate::shelf::Shelf;
use crate::text::Tally;
use crate::vocabulary::Vocabulary;
use crate::{Followed, SearchError, Step, engine};

/// Memory of the engine's writing threads together.
const HEAP: usize = 120_000_000;
/// Writing threads.
const THREADS: usize = 2;
/// Documents after which what is done is made lasting.
const COMMIT: u64 = 50_000;

/// See [`crate::Index::follow`].
pub(crate) fn follow(
    folder: &Path,
    store: &mut dyn Snapshot,
    rebuild: bool,
    stop: &AtomicBool,
    step: &mut dyn FnMut(Step),
) -> Result<Followed, SearchError> {
    let shelf = Shelf::of(folder);
    let _lock = shelf.lock()?;
    if !rebuild && let Ok(Some(current)) = shelf.current() {
        match update(&current, store, stop, step) {
            // Damaged, of another version or of another survey: made anew while it goes on answering.
            Err(SearchError::Unusable(_)) => {}
            other => return other,
        }
    }
    let mut next = shelf.next(rebuild)?;
    let followed = match update(&next, store, stop, step) {
        Err(SearchError::Unusable(_)) => {
            next = shelf.next(true)?;
            update(&next, store, stop, step)?
        }
        other => other?,
    };
    if !followed.interrupted {
        shelf.take_over(&next)?;
    }
    Ok(followed)
}

/// The mark of the last commit; nothing if there is none yet.
pub(crate) fn mark(index: &tantivy::Index) -> Result<Option<Mark>, SearchError> {
    let payload = index.load_metas()?.payload;
    let read =
        |text: String| serde_json::from_str(&text).map_err(|_| SearchError::Unusable("its mark is damaged".into()));
    payload.map(read).transpose()
}

fn update(
    generation: &Path,
    store: &mut dyn Snapshot,
    stop: &AtomicBool,
    step: &mut dyn FnMut(Step),
) -> Result<Followed, SearchError> {
    let tally = Arc::new(Tally::default());
    let index = engine::open(generation, &tally, true)?;
    let old = mark(&index)?;
    let standing = Standing::read(store, old.as_ref().map_or(0, |mark| mark.watermark))?;
    if let Some(old) = &old
        && (old.survey != standing.mark.survey || old.watermark > standing.mark.watermark)
    {
        return Err(SearchError::Unusable("it is the index of another survey".into()));
    }
    let mut held = HashMap::new();
    engine::each_page(&index, &mut |page, digest| {
        held.insert(page, digest);
    })?;
    let mut followed = Followed { pages: held.len() as u64, ..Followed::default() };
    let watermark = |mark: &Option<Mark>| mark.as_ref().map_or(0, |mark| mark.watermark);
    if old.as_ref() == Some(&standing.mark) {
        return Ok(Followed { watermark: watermark(&old), ..followed });
    }
    let Some(survey) = standing.survey(store, stop, &mut |done, of| step(Step { done: done / 8, of }))? else {
        return Ok(Followed { watermark: watermark(&old), interrupted: true, ..followed });
    };
    let before = old.clone().unwrap_or(Mark { survey: standing.mark.survey, ..Mark::default() });
    let mut desk = Desk { writer: index.writer_with_num_threads(THREADS, HEAP)?, fields: schema().1, before };
    desk.write(store, &survey, &mut held, stop, step, &mut followed)?;
    if !followed.interrupted {
        followed.removed = desk.remove(&survey, &held);
    }
    let end = if followed.interrupted { desk.before.clone() } else { standing.mark.clone() };
    followed.watermark = end.watermark;
    desk.commit(&end)?;
    desk.writer.wait_merging_threads()?;
    let mut pages = 0;
    engine::each_page(&index, &mut |_, _| pages += 1)?;
    followed.pages = pages;
    Vocabulary::add(generation, tally.take())?;
    Places::renew(generation, store, &|page| standing.belongs(page))?;
    Ok(followed)
}

/// Where documents are written.
struct Desk {
    writer: IndexWriter<TantivyDocument>,
    fields: Fields,
    /// The mark of what was there before.
    before: Mark,
}

impl Desk {
    fn commit(&mut self, mark: &Mark) -> Result<(), SearchError> {
        let payload = serde_json::to_string(mark).map_err(std::io::Error::from)?;
        let mut commit = self.writer.prepare_commit()?;
        commit.set_payload(&payload);
        commit.commit()?;
        Ok(())
    }

    /// Writes the documents that are missing or other than they should be.
    fn write(
        &mut self,
        store: &mut dyn Snapshot,
        survey: &Survey,
        held: &mut HashMap<u32, u64>,
        stop: &AtomicBool,
        step: &mut dyn FnMut(Step),
        followed: &mut Followed,
    ) -> Result<(), SearchError> {
        let stale: Vec<(u32, u64)> =
            survey.wanted.iter().copied().filter(|(page, digest)| held.get(page) != Some(digest)).collect();
        let of = survey.wanted.len() as u64;
        let done = of - stale.len() as u64;
        for (at, (number, digest)) in stale.into_iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                followed.interrupted = true;
                return Ok(());
            }
            if at % 64 == 0 {
                step(Step { done: done + at as u64, of });
            }
            let id = PageId(number);
            let (Some(address), Some(page)) = (store.address(id)?, store.page(id)?) else { continue };
            let texts = blocks(store, number)?;
            let anchors = survey.anchors.of(number);
            let document = compose(&self.fields, &address, &page, &texts, &anchors, digest);
            if held.insert(number, digest).is_some() {
                self.writer.delete_term(Term::from_field_u64(self.fields.page, u64::from(number)));
            }
            self.writer.add_document(document)?;
            followed.written += 1;
            if followed.written.is_multiple_of(COMMIT) {
                let before = self.before.clone();
                self.commit(&before)?;
            }
        }
        step(Step { done: of, of });
        Ok(())
    }

    /// Takes out what no longer belongs.
    fn remove(&mut self, survey: &Survey, held: &HashMap<u32, u64>) -> u64 {
        let wanted = |page: &u32| survey.wanted.binary_search_by_key(page, |(page, _)| *page).is_ok();
        let mut removed = 0;
        for &page in held.keys().filter(|page| !wanted(page)) {
            self.writer.delete_term(Term::from_field_u64(self.fields.page, u64::from(page)));
            removed += 1;
        }
        removed
    }
}
