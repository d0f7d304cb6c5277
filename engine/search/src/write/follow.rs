//! Brings the index up to date: exactly the documents whose digest differs are written again, and what no longer belongs goes.
//!
//! A commit of the engine is atomic and carries the mark of how far it follows the store: there is no moment at which the mark is
//! ahead of the documents. Commits on the way carry the old mark; whoever goes on after a kill finds their documents right.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::PageId;
use groma_store::{Packed, Sheet, Snapshot};
use tantivy::{IndexWriter, Term};

use super::document::Composer;
use super::leaf::Leaf;
use super::survey::{Mark, Standing, Survey, damage};
use crate::places::Places;
use crate::schema::{Fields, schema};
use crate::shelf::Shelf;
use crate::text::Tally;
use crate::vocabulary::Vocabulary;
use crate::{Followed, SearchError, Step, engine};

/// Memory of the engine's writing threads together.
const HEAP: usize = 160_000_000;
/// Writing threads.
const THREADS: usize = 2;
/// Documents after which what is done is made lasting.
const COMMIT: u64 = 250_000;
/// If one page in so many is to be written, all are read in a row; else each by its number.
const ROW: usize = 8;

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
    let has = |page: u32| held.contains_key(&page);
    let Some(survey) = standing.survey(store, &has, stop, &mut |done, of| step(Step { done: done / 8, of }))? else {
        return Ok(Followed { watermark: watermark(&old), interrupted: true, ..followed });
    };
    let before = old.clone().unwrap_or(Mark { survey: standing.mark.survey, ..Mark::default() });
    let mut desk = Desk {
        writer: index.writer_with_num_threads(THREADS, HEAP)?,
        fields: schema().1,
        composer: Composer::new(schema().1),
        standing: &standing,
        survey: &survey,
        before,
        generation,
        tally,
    };
    desk.write(store, &mut held, stop, step, &mut followed)?;
    if !followed.interrupted {
        followed.removed = desk.remove(&held);
    }
    // Before the mark: an index that says it has followed to the end has its places.
    Places::renew(generation, store, &|page| standing.belongs(page))?;
    let end = if followed.interrupted { desk.before.clone() } else { standing.mark.clone() };
    followed.watermark = end.watermark;
    desk.commit(&end)?;
    desk.writer.wait_merging_threads()?;
    let mut pages = 0;
    engine::each_page(&index, &mut |_, _| pages += 1)?;
    followed.pages = pages;
    Ok(followed)
}

/// Where documents are written.
struct Desk<'a> {
    writer: IndexWriter<Leaf>,
    fields: Fields,
    composer: Composer,
    standing: &'a Standing,
    survey: &'a Survey,
    /// The mark of what was there before.
    before: Mark,
    generation: &'a Path,
    tally: Arc<Tally>,
}

impl Desk<'_> {
    fn commit(&mut self, mark: &Mark) -> Result<(), SearchError> {
        let payload = serde_json::to_string(mark).map_err(std::io::Error::from)?;
        let mut commit = self.writer.prepare_commit()?;
        // The writing threads have ended, and with that they have told what they counted.
        Vocabulary::add(self.generation, self.tally.take())?;
        commit.set_payload(&payload);
        commit.commit()?;
        Ok(())
    }

    /// Writes the documents that are missing or other than they should be.
    fn write(
        &mut self,
        store: &mut dyn Snapshot,
        held: &mut HashMap<u32, u64>,
        stop: &AtomicBool,
        step: &mut dyn FnMut(Step),
        followed: &mut Followed,
    ) -> Result<(), SearchError> {
        let wanted = &self.survey.wanted;
        let is_stale = |(page, digest): &&(u32, Option<u64>)| digest.is_none() || held.get(page) != digest.as_ref();
        let stale: Vec<u32> = wanted.iter().filter(is_stale).map(|(page, _)| *page).collect();
        let of = wanted.len() as u64;
        let done = of - stale.len() as u64;
        // Is it time to stop before the page at this place?
        let mut goes_on = |at: usize, followed: &mut Followed| {
            if at.is_multiple_of(64) {
                step(Step { done: done + at as u64, of });
            }
            followed.interrupted = stop.load(Ordering::Relaxed);
            !followed.interrupted
        };
        if stale.len() * ROW < wanted.len() {
            for (at, number) in stale.iter().enumerate() {
                if !goes_on(at, followed) {
                    return Ok(());
                }
                let id = PageId(*number);
                let (Some(address), Some(page)) = (store.address(id)?, store.page(id)?) else { continue };
                let details = store.details(id)?;
                let packed = details.as_deref().map(|details| Packed { targets: &[], details });
                self.put(&Sheet::of(&address, &page, packed), held, followed)?;
            }
        } else {
            let mut failed = None;
            let mut rest = stale.iter().enumerate().peekable();
            store.each_sheet(true, &mut |sheet| {
                while rest.next_if(|(_, number)| **number < sheet.id.0).is_some() {}
                let Some((at, _)) = rest.next_if(|(_, number)| **number == sheet.id.0) else {
                    return rest.peek().is_some();
                };
                if !goes_on(at, followed) {
                    return false;
                }
                failed = self.put(sheet, held, followed).err();
                failed.is_none()
            })?;
            if let Some(error) = failed {
                return Err(error);
            }
        }
        if !followed.interrupted {
            step(Step { done: of, of });
        }
        Ok(())
    }

    /// Writes the document of a page.
    fn put(
        &mut self,
        sheet: &Sheet<'_>,
        held: &mut HashMap<u32, u64>,
        followed: &mut Followed,
    ) -> Result<(), SearchError> {
        let number = sheet.id.0;
        let Some(place) = self.standing.place(number) else { return Ok(()) };
        let composed = self.composer.compose(sheet, self.standing.facts(place), &self.survey.anchors, place);
        let (leaf, digest) = composed.ok_or_else(|| damage(number))?;
        // What the index never had need not be looked for.
        if held.insert(number, digest).is_some() {
            self.writer.delete_term(Term::from_field_u64(self.fields.page, u64::from(number)));
        }
        if let Err(error) = self.writer.add_document(leaf) {
            // A writing thread has ended; waiting for it tells why.
            return Err(self.writer.prepare_commit().err().unwrap_or(error).into());
        }
        followed.written += 1;
        if followed.written.is_multiple_of(COMMIT) {
            let before = self.before.clone();
            self.commit(&before)?;
        }
        Ok(())
    }

    /// Takes out what no longer belongs.
    fn remove(&mut self, held: &HashMap<u32, u64>) -> u64 {
        let mut removed = 0;
        for &page in held.keys().filter(|page| !self.standing.belongs(**page)) {
            self.writer.delete_term(Term::from_field_u64(self.fields.page, u64::from(page)));
            removed += 1;
        }
        removed
    }
}
