//! Writes the documents of pages: those that are missing or other than they should be, and takes out those that no longer belong.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::PageId;
use groma_store::{Packed, Sheet, Snapshot};

use super::desk::Desk;
use super::document::Composer;
use super::survey::{Standing, Survey, damage};
use crate::key::Key;
use crate::{IndexProgress, SearchError};

/// If one page in so many is to be written, all are read in a row; else each by its number.
const ROW: usize = 8;

/// What the index should hold of the survey, and what it holds.
pub(super) struct Pages<'a> {
    pub(super) standing: &'a Standing,
    pub(super) survey: &'a Survey,
    /// Numbers and digests of the pages in the index.
    pub(super) held: &'a HashMap<u32, u64>,
    pub(super) composer: Composer,
    /// Documents to be looked at afterwards, for those who watch.
    pub(super) after: u64,
}

impl Pages<'_> {
    /// Brings the pages up to date, unless it is stopped.
    pub(super) fn write(
        mut self,
        desk: &mut Desk<'_>,
        store: &mut dyn Snapshot,
        stop: &AtomicBool,
        step: &mut dyn FnMut(IndexProgress),
    ) -> Result<(), SearchError> {
        let wanted = &self.survey.wanted;
        let is_stale =
            |(page, digest): &&(u32, Option<u64>)| digest.is_none() || self.held.get(page) != digest.as_ref();
        let stale: Vec<u32> = wanted.iter().filter(is_stale).map(|(page, _)| *page).collect();
        let pages = wanted.len() as u64;
        let (done, of) = (pages - stale.len() as u64, pages + self.after);
        // Is it time to stop before the page at this place?
        let mut goes_on = |at: usize, desk: &mut Desk<'_>| {
            if at.is_multiple_of(64) {
                step(IndexProgress { done: done + at as u64, of });
            }
            desk.followed.interrupted = stop.load(Ordering::Relaxed);
            !desk.followed.interrupted
        };
        if stale.len() * ROW < wanted.len() {
            for (at, number) in stale.iter().enumerate() {
                if !goes_on(at, desk) {
                    return Ok(());
                }
                let id = PageId(*number);
                let (Some(address), Some(page)) = (store.address(id)?, store.page(id)?) else { continue };
                let details = store.details(id)?;
                let packed = details.as_deref().map(|details| Packed { targets: &[], details });
                self.put(desk, &Sheet::from_rows(&address, &page, packed))?;
            }
        } else {
            let mut failed = None;
            let mut rest = stale.iter().enumerate().peekable();
            store.each_sheet(true, &mut |sheet| {
                while rest.next_if(|(_, number)| **number < sheet.id.0).is_some() {}
                let Some((at, _)) = rest.next_if(|(_, number)| **number == sheet.id.0) else {
                    return rest.peek().is_some();
                };
                if !goes_on(at, desk) {
                    return false;
                }
                failed = self.put(desk, sheet).err();
                failed.is_none()
            })?;
            if let Some(error) = failed {
                return Err(error);
            }
        }
        if !desk.followed.interrupted {
            for &page in self.held.keys().filter(|page| !self.standing.belongs(**page)) {
                desk.remove(Key::Page(page));
            }
            step(IndexProgress { done: pages, of });
        }
        Ok(())
    }

    /// Writes the document of a page.
    fn put(&mut self, desk: &mut Desk<'_>, sheet: &Sheet<'_>) -> Result<(), SearchError> {
        let number = sheet.id.0;
        let Some(place) = self.standing.place(number) else { return Ok(()) };
        let composed = self.composer.compose(sheet, self.standing.facts(place), &self.survey.anchors, place);
        let leaf = composed.ok_or_else(|| damage(number))?;
        desk.put(Key::Page(number), leaf, self.held.contains_key(&number))
    }
}
