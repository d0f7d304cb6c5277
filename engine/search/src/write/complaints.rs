//! Do index and store agree? For `groma verify`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_model::PageId;
use groma_store::Snapshot;
use groma_store::gathers::Gathers;

use super::follow::mark;
use super::gathered::{DatabaseToIndex, Gathered, Twins, digest_of_record, gathers_of};
use super::records::each_record;
use super::survey::{Mark, Standing};
use super::whole::{Recorded, Whole};
use crate::databases::Databases;
use crate::index_folder::IndexFolder;
use crate::key::Key;
use crate::places::Places;
use crate::text::Tally;
use crate::vocabulary::Vocabulary;
use crate::{SearchError, engine};

/// Pages named one by one; of more only the number is told.
const NAMED: usize = 20;

/// See [`crate::Index::complaints`].
pub(crate) fn complaints(folder: &Path, store: &mut dyn Snapshot) -> Result<Vec<String>, SearchError> {
    let generation = match IndexFolder::for_survey(folder).current() {
        Ok(Some(generation)) => generation,
        Ok(None) => return Ok(Vec::new()),
        Err(SearchError::Unusable(why)) => return Ok(vec![format!("the index cannot be used: {why}")]),
        Err(error) => return Err(error),
    };
    let index = engine::open(&generation, &Arc::new(Tally::default()), false)?;
    let mut list: Vec<String> = Vec::new();
    for read in [Places::load(&generation).map(drop), Places::titles(&generation).map(drop), words(&generation)] {
        match read {
            Err(SearchError::Unusable(why)) => list.push(format!("the index is damaged: {why}")),
            other => other?,
        }
    }
    let broken = engine::broken(&index)?;
    list.extend(broken.iter().map(|name| format!("the index is damaged: {name} has the wrong checksum")));
    // What is damaged is not read.
    if !broken.is_empty() {
        return Ok(list);
    }
    let held = match Held::read(&index) {
        Err(SearchError::Unusable(why)) => {
            list.push(format!("the index cannot be used: {why}"));
            return Ok(list);
        }
        other => other?,
    };
    list.extend(named("is in the index more than once", held.pages_twice.iter().copied(), store)?);
    let old: Mark = mark(&index)?.unwrap_or_default();
    if Vocabulary::is_missing(&generation) {
        list.push("the index is damaged: its file `words` is missing".into());
    }
    list.extend(of_pages(&generation, &old, &held.pages, store)?);
    let known = match Databases::load(&generation) {
        Err(SearchError::Unusable(_)) => Databases::default(),
        other => other?,
    };
    list.extend(of_records(folder, (&old, &known), &held.records, &held.records_twice, store)?);
    Ok(list)
}

/// The digests of all documents in the index, and which it has more than once.
#[derive(Default)]
struct Held {
    pages: HashMap<u32, u64>,
    pages_twice: HashSet<u32>,
    records: HashMap<Key, u64>,
    records_twice: BTreeSet<Key>,
}

impl Held {
    fn read(index: &tantivy::Index) -> Result<Held, SearchError> {
        let mut held = Held::default();
        engine::each_document(index, &mut |key, digest| match key {
            Key::Page(page) if held.pages.insert(page, digest).is_some() => drop(held.pages_twice.insert(page)),
            Key::Page(_) => {}
            key if held.records.insert(key, digest).is_some() => drop(held.records_twice.insert(key)),
            _ => {}
        })?;
        Ok(held)
    }
}

/// Where the pages in the index and the store disagree.
fn of_pages(
    generation: &Path,
    old: &Mark,
    held: &HashMap<u32, u64>,
    store: &mut dyn Snapshot,
) -> Result<Vec<String>, SearchError> {
    let standing = Standing::read(store, old.watermark)?;
    let mut list = Vec::new();
    if old.watermark > standing.mark.watermark && old.survey == standing.mark.survey {
        list.push(
            "the index knows changes that the survey does not: an older copy of the survey has taken its place".into(),
        );
    } else if old.survey != standing.mark.survey {
        list.push("the index is that of another survey".into());
    } else if old.has_pages_of(&standing.mark) {
        for name in Places::missing(generation, store)? {
            list.push(format!("the index is damaged: its file `{name}` is missing"));
        }
        // The index says that it has followed the store to its end: then every document must be what the store says.
        let survey = standing.survey(store, &|_| true, &AtomicBool::new(false), &mut |_, _| {})?;
        let wanted = survey.map(|survey| survey.wanted).unwrap_or_default().into_iter();
        let wanted: HashMap<u32, u64> = wanted.filter_map(|(page, digest)| Some((page, digest?))).collect();
        let missing = wanted.keys().copied().filter(|page| !held.contains_key(page));
        list.extend(named("is missing in the index", missing, store)?);
        let other = wanted.iter().filter(|(page, digest)| held.get(page).is_some_and(|of| of != *digest));
        list.extend(named("has another text in the index", other.map(|(page, _)| *page), store)?);
        let stray = held.keys().copied().filter(|page| !wanted.contains_key(page));
        list.extend(named("does not belong into the index", stray, store)?);
    } else {
        // The store has gone on since: only what can never have been right is wrong.
        let mut unknown = Vec::new();
        for &page in held.keys() {
            if store.address(PageId(page))?.is_none() {
                unknown.push(page);
            }
        }
        list.extend(named("is in the index and not in the store", unknown, store)?);
    }
    Ok(list)
}

fn words(generation: &Path) -> Result<(), SearchError> {
    Vocabulary::load(generation).map(drop)
}

/// Where the records in the index and the gatherings disagree. Those that went on since the last commit are passed over.
fn of_records(
    folder: &Path,
    (mark, known): (&Mark, &Databases),
    held: &HashMap<Key, u64>,
    twice: &BTreeSet<Key>,
    store: &mut dyn Snapshot,
) -> Result<Vec<String>, SearchError> {
    let mut wrong: BTreeMap<&str, BTreeSet<Key>> = BTreeMap::new();
    wrong.insert("is in the index more than once", twice.clone());
    let mut gathers = gathers_of(folder)?;
    let gathered = Gathered::read(gathers.as_mut(), store)?;
    let mut twins = Twins::from_gathered(&gathered);
    let mut moved: HashSet<&str> = HashSet::new();
    for wanted in &gathered.list {
        twins.settle();
        let gather = wanted.database.gather;
        // Which of several gatherings of a form has a record hangs on the older ones.
        let stands = mark.seal(gather) == Some(&wanted.seal) && !moved.contains(wanted.database.form.as_str());
        let Some(gathers) = gathers.as_mut().filter(|_| stands) else {
            moved.insert(&wanted.database.form);
            continue;
        };
        let expected = expected(gathers, wanted, &mut twins)?;
        for (key, digest) in &expected {
            match held.get(key) {
                None => wrong.entry("is missing in the index").or_default().insert(*key),
                Some(other) if other != digest => {
                    wrong.entry("has another text in the index").or_default().insert(*key)
                }
                Some(_) => false,
            };
        }
        let stray = held.keys().filter(|key| key.gather() == Some(gather) && !expected.contains_key(*key));
        wrong.entry("does not belong into the index").or_default().extend(stray);
    }
    // What neither the mark nor the gatherings know was never right.
    let named: HashSet<u32> = mark.databases.iter().map(|seal| seal.gather).collect();
    let here: HashSet<u32> = gathered.list.iter().map(|wanted| wanted.database.gather).collect();
    let stray = held.keys().filter(|key| key.gather().is_some_and(|of| !named.contains(&of) && !here.contains(&of)));
    wrong.entry("is of no gathering").or_default().extend(stray);
    let mut lines = Vec::new();
    if mark.databases == gathered.seals() && named.iter().any(|gather| known.by_gather(*gather).is_none()) {
        lines.push("the index is damaged: what it knows of the databases is missing or damaged".to_owned());
    }
    for (what, keys) in wrong {
        lines.extend(keys.iter().take(NAMED).map(|key| format!("{} {what}", spoken(*key, &gathered))));
        if keys.len() > NAMED {
            lines.push(format!("and {} more records: each {what}", keys.len() - NAMED));
        }
    }
    Ok(lines)
}

/// The documents a database should have, with their digests.
fn expected(
    gathers: &mut Gathers,
    wanted: &DatabaseToIndex,
    twins: &mut Twins,
) -> Result<HashMap<Key, u64>, SearchError> {
    let database = &wanted.database;
    let mut recorded = Recorded::default();
    let mut all = HashMap::new();
    each_record(gathers, wanted, &mut |row| {
        recorded.add(row);
        if !twins.is_known(&database.form, row) {
            all.insert(Key::Record(database.gather, row.place), digest_of_record(database, row));
        }
    })?;
    let whole = Whole::read(gathers, wanted, &recorded, twins)?;
    all.extend(whole.map(|whole| (Key::Whole(database.gather), whole.digest)));
    Ok(all)
}

fn spoken(key: Key, gathered: &Gathered) -> String {
    let of = |gather: u32| {
        let known = gathered.list.iter().find(|wanted| wanted.database.gather == gather);
        known.map_or_else(|| format!("gathering {gather}"), |wanted| wanted.database.form.clone())
    };
    match key {
        Key::Page(page) => format!("page {page}"),
        Key::Record(gather, place) => format!("record {place} of {}", of(gather)),
        Key::Whole(gather) => format!("the database of {}", of(gather)),
    }
}

fn named(
    what: &str,
    pages: impl IntoIterator<Item = u32>,
    store: &mut dyn Snapshot,
) -> Result<Vec<String>, SearchError> {
    let mut pages: Vec<u32> = pages.into_iter().collect();
    pages.sort_unstable();
    let mut lines = Vec::new();
    for &page in pages.iter().take(NAMED) {
        let url = store.address(PageId(page))?.map_or_else(|| format!("page {page}"), |address| address.url);
        lines.push(format!("{url} {what}"));
    }
    if pages.len() > NAMED {
        lines.push(format!("and {} more: each {what}", pages.len() - NAMED));
    }
    Ok(lines)
}
