//! Brings the index up to date: exactly the documents whose digest differs are written again, and what no longer belongs goes.
//!
//! A commit of the engine is atomic and carries the mark of how far it follows the store and the gatherings: there is no moment at
//! which the mark is ahead of the documents. Commits on the way carry the old mark; whoever goes on after a kill finds their
//! documents right.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_store::Snapshot;

use super::desk::Desk;
use super::document::Composer;
use super::gathered::{Gathered, gathers_of};
use super::pages::Pages;
use super::records::{Records, to_look_at};
use super::survey::{Mark, Standing};
use crate::databases::Databases;
use crate::key::Key;
use crate::places::Places;
use crate::shelf::Shelf;
use crate::text::Tally;
use crate::vocabulary::Vocabulary;
use crate::{Followed, SearchError, Step, engine};

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
        match update(folder, &current, store, stop, step) {
            // Damaged, of another version or of another survey: made anew while it goes on answering.
            Err(SearchError::Unusable(_)) => {}
            other => return other,
        }
    }
    let mut next = shelf.next(rebuild)?;
    let followed = match update(folder, &next, store, stop, step) {
        Err(SearchError::Unusable(_)) => {
            next = shelf.next(true)?;
            update(folder, &next, store, stop, step)?
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
    folder: &Path,
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
    let mut gathers = gathers_of(folder)?;
    let mut gathered = Gathered::read(gathers.as_mut(), store)?;
    let (mut pages, mut records) = (HashMap::new(), HashMap::new());
    engine::each_document(&index, &mut |key, digest| {
        match key {
            Key::Page(page) => pages.insert(page, digest),
            key => records.insert(key, digest),
        };
    })?;
    let before = old.clone().unwrap_or(Mark { survey: standing.mark.survey, ..Mark::default() });
    // The others are only made with the documents: without them it is made anew.
    Places::load(generation)?;
    Places::titles(generation)?;
    Vocabulary::load(generation)?;
    if old.is_some() && Vocabulary::is_missing(generation) {
        return Err(SearchError::Unusable("its words are missing".into()));
    }
    let known = match Databases::load(generation) {
        Err(SearchError::Unusable(_)) => Databases::default(),
        other => other?,
    };
    let followed = Followed {
        pages: pages.len() as u64,
        records: records.len() as u64,
        left_out: known.left_out(),
        watermark: before.watermark,
        ..Followed::default()
    };
    let same_pages = old.as_ref().is_some_and(|old| old.has_pages_of(&standing.mark));
    // Records of a gathering that the mark does not name were left by a kill.
    let named = |key: &Key| key.gather().is_none_or(|gather| before.seal(gather).is_some());
    let beside = before.databases.iter().all(|seal| known.of(seal.gather).is_some());
    if same_pages && beside && before.databases == gathered.seals() && records.keys().all(named) {
        return Ok(followed);
    }
    let survey = if same_pages {
        None
    } else {
        let has = |page: u32| pages.contains_key(&page);
        match standing.survey(store, &has, stop, &mut |done, of| step(Step { done: done / 8, of }))? {
            None => return Ok(Followed { interrupted: true, ..followed }),
            some => some,
        }
    };
    let mut desk = Desk::open(&index, generation, tally, before, followed)?;
    let mut done = 0;
    if let Some(survey) = &survey {
        let composer = Composer::new(desk.fields, desk.room.clone());
        let after = to_look_at(&gathered, &desk.before);
        done = survey.wanted.len() as u64;
        let all = Pages { standing: &standing, survey, held: &pages, composer, after };
        all.write(&mut desk, store, stop, step)?;
    }
    if !desk.followed.interrupted {
        match gathers.as_mut() {
            Some(gathers) => {
                let all = Records { gathers, gathered: &mut gathered, held: &mut records, before: known, done };
                all.write(&mut desk, stop, step)?;
            }
            // The gatherings were removed with their file.
            None => records.keys().for_each(|key| desk.remove(*key)),
        }
    }
    // Before the mark: an index that says it has followed to the end has what lies beside it.
    if survey.is_some() {
        Places::renew(generation, store, &|page| standing.belongs(page))?;
    }
    let databases = gathered.databases();
    if !desk.followed.interrupted {
        databases.write(generation)?;
    }
    let end = match desk.followed.interrupted {
        true => desk.before.clone(),
        false => Mark { databases: gathered.seals(), ..standing.mark.clone() },
    };
    desk.commit(&end)?;
    let mut followed = Followed { pages: 0, records: 0, ..desk.close()? };
    (followed.watermark, followed.left_out) = (end.watermark, databases.left_out());
    engine::each_document(&index, &mut |key, _| match key {
        Key::Page(_) => followed.pages += 1,
        _ => followed.records += 1,
    })?;
    Ok(followed)
}
