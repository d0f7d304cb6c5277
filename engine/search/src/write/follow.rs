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
use groma_store::gathers::Gathers;

use super::desk::Desk;
use super::document::Composer;
use super::gathered::{Gathered, gathers_of};
use super::pages::Pages;
use super::records::{Records, to_look_at};
use super::survey::{Mark, Standing};
use crate::databases::Databases;
use crate::index_folder::IndexFolder;
use crate::key::Key;
use crate::places::Places;
use crate::text::Tally;
use crate::vocabulary::Vocabulary;
use crate::{Followed, IndexProgress, SearchError, engine};

/// See [`crate::Index::follow`].
pub(crate) fn follow(
    folder: &Path,
    store: &mut dyn Snapshot,
    rebuild: bool,
    stop: &AtomicBool,
    step: &mut dyn FnMut(IndexProgress),
) -> Result<Followed, SearchError> {
    let index_folder = IndexFolder::for_survey(folder);
    let _lock = index_folder.lock()?;
    if !rebuild && let Ok(Some(current)) = index_folder.current() {
        match update(folder, &current, store, stop, step) {
            // Damaged, of another version or of another survey: made anew while it goes on answering.
            Err(SearchError::Unusable(_)) => {}
            other => return other,
        }
    }
    let mut next = index_folder.next(rebuild)?;
    let followed = match update(folder, &next, store, stop, step) {
        Err(SearchError::Unusable(_)) => {
            next = index_folder.next(true)?;
            update(folder, &next, store, stop, step)?
        }
        other => other?,
    };
    if !followed.interrupted {
        index_folder.take_over(&next)?;
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

/// What the index holds, and what it is held against.
struct Comparison {
    index: tantivy::Index,
    tally: Arc<Tally>,
    /// The mark of the last commit.
    old: Option<Mark>,
    standing: Standing,
    gathers: Option<Gathers>,
    gathered: Gathered,
    /// Digests of the documents in the index.
    pages: HashMap<u32, u64>,
    records: HashMap<Key, u64>,
    known: Databases,
}

impl Comparison {
    fn read(folder: &Path, generation: &Path, store: &mut dyn Snapshot) -> Result<Comparison, SearchError> {
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
        let gathered = Gathered::read(gathers.as_mut(), store)?;
        let (mut pages, mut records) = (HashMap::new(), HashMap::new());
        engine::each_document(&index, &mut |key, digest| {
            match key {
                Key::Page(page) => pages.insert(page, digest),
                key => records.insert(key, digest),
            };
        })?;
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
        Ok(Comparison { index, tally, old, standing, gathers, gathered, pages, records, known })
    }

    fn has_same_pages(&self) -> bool {
        self.old.as_ref().is_some_and(|old| old.has_pages_of(&self.standing.mark))
    }

    fn has_same_records(&self, before: &Mark) -> bool {
        // Records of a gathering that the mark does not name were left by a kill.
        let named = |key: &Key| key.gather().is_none_or(|gather| before.seal(gather).is_some());
        let beside = before.databases.iter().all(|seal| self.known.by_gather(seal.gather).is_some());
        beside && before.databases == self.gathered.seals() && self.records.keys().all(named)
    }
}

fn update(
    folder: &Path,
    generation: &Path,
    store: &mut dyn Snapshot,
    stop: &AtomicBool,
    step: &mut dyn FnMut(IndexProgress),
) -> Result<Followed, SearchError> {
    let compared = Comparison::read(folder, generation, store)?;
    let before = compared.old.clone().unwrap_or(Mark { survey: compared.standing.mark.survey, ..Mark::default() });
    let followed = Followed {
        pages: compared.pages.len() as u64,
        records: compared.records.len() as u64,
        left_out: compared.known.left_out(),
        watermark: before.watermark,
        ..Followed::default()
    };
    let same_pages = compared.has_same_pages();
    if same_pages && compared.has_same_records(&before) {
        return Ok(followed);
    }
    let Comparison { index, tally, standing, mut gathers, mut gathered, pages, mut records, known, .. } = compared;
    let survey = if same_pages {
        None
    } else {
        let has = |page: u32| pages.contains_key(&page);
        match standing.survey(store, &has, stop, &mut |done, of| step(IndexProgress { done: done / 8, of }))? {
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
    close(desk, &index, generation, &standing, &gathered)
}

/// Makes what was written lasting, under the new mark if it was not interrupted.
fn close(
    mut desk: Desk<'_>,
    index: &tantivy::Index,
    generation: &Path,
    standing: &Standing,
    gathered: &Gathered,
) -> Result<Followed, SearchError> {
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
    engine::each_document(index, &mut |key, _| match key {
        Key::Page(_) => followed.pages += 1,
        _ => followed.records += 1,
    })?;
    Ok(followed)
}
