//! Which records of the gathered databases should the index hold? At most [`RECORDS`] of a survey, the older gatherings first; a
//! record that several gatherings of one form brought out ([`Twins`]) once.
//!
//! A gathering that has not moved since the last time is known by its *seal*, a sum over everything its documents hang on: then
//! none of its records is read. The seals are part of the mark that goes with every commit.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use groma_model::Fp;
use groma_store::gathers::{GatherRow, Gathers, RecordRow};
use groma_store::{Folder, Snapshot, StoreError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::databases::{Database, Databases};
use crate::key;
use crate::record::Said;
use crate::schema::FORMAT;

/// Records of a survey that are taken up; those beyond are counted.
const RECORDS: u64 = 1_000_000;

/// A gathering as the index has followed it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal {
    /// Number of the gathering.
    pub(crate) gather: u32,
    /// The generation that was shown.
    pub(crate) shown: u32,
    /// The records it had.
    pub(crate) records: u32,
    /// The sum over all that counts; 0 if it moved while it was read.
    pub(crate) sum: u64,
}

/// A database that belongs into the index.
#[derive(Debug)]
pub(crate) struct DatabaseToIndex {
    pub(crate) database: Database,
    pub(crate) seal: Seal,
    /// Records to be taken up, from the first on. None: it is known by its values only.
    pub(crate) take: u32,
    /// The sum over the older gatherings of the same form: what they have is not taken up again.
    older: u64,
}

/// All of them, in the order of their gatherings.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) list: Vec<DatabaseToIndex>,
}

/// The gatherings of the survey in this folder, for reading; nothing if there never was one.
pub(crate) fn gathers_of(folder: &Path) -> Result<Option<Gathers>, StoreError> {
    Folder::new(folder).gathers_if_any()
}

impl Gathered {
    /// What is there now.
    pub(crate) fn read(gathers: Option<&mut Gathers>, store: &mut dyn Snapshot) -> Result<Gathered, StoreError> {
        let mut rows = gathers.map(|gathers| gathers.gathers()).transpose()?.unwrap_or_default();
        rows.sort_unstable_by_key(|row| row.id);
        let mut left = RECORDS;
        let mut list = Vec::new();
        for row in rows {
            let Some(gather) = key::short(row.id) else { continue };
            let take = u64::from(row.records).min(left);
            left -= take;
            let older = older(&list, form_of(&row));
            list.push(wanted(gather, &row, take as u32, older, store)?);
        }
        Ok(Gathered { list })
    }

    /// The seals, for the mark.
    pub(crate) fn seals(&self) -> Vec<Seal> {
        self.list.iter().map(|wanted| wanted.seal.clone()).collect()
    }

    /// What lies beside the index.
    pub(crate) fn databases(&self) -> Databases {
        Databases { list: self.list.iter().map(|wanted| wanted.database.clone()).collect() }
    }
}

/// The sum over the gatherings of this form; 0 if there is none.
fn older(list: &[DatabaseToIndex], form: &str) -> u64 {
    let same = list.iter().filter(|wanted| wanted.database.form == form);
    same.fold(0, |sum, wanted| {
        let mut both = Xxh3::new();
        both.update(&sum.to_le_bytes());
        both.update(&wanted.seal.sum.to_le_bytes());
        both.digest().max(1)
    })
}

fn wanted(
    gather: u32,
    row: &GatherRow,
    take: u32,
    older: u64,
    store: &mut dyn Snapshot,
) -> Result<DatabaseToIndex, StoreError> {
    let form = form_of(row);
    let (page, language) = standing(form, store)?;
    let left_out = u64::from(row.records.saturating_sub(take));
    let (form, title, about) = (form.clone(), row.title.clone(), about(row));
    let database = Database { gather, form, title, about, shown: row.shown, page, language, left_out };
    let seal = Seal { gather, shown: row.shown, records: row.records, sum: sum(row, take, older, &database) };
    Ok(DatabaseToIndex { database, seal, take, older })
}

/// What a gathering's report says of the database.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Report {
    about: About,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct About {
    description: String,
    keywords: String,
}

/// Description and keywords of the database, a line each.
fn about(row: &GatherRow) -> String {
    let report: Report = serde_json::from_str(&row.report).unwrap_or_default();
    let both = [report.about.description, report.about.keywords];
    both.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The page people use, or else where the gathering began.
fn form_of(row: &GatherRow) -> &String {
    if row.form.is_empty() { &row.address } else { &row.form }
}

/// The number and the language of the form's page, if it is in the survey.
fn standing(form: &str, store: &mut dyn Snapshot) -> Result<(Option<u32>, String), StoreError> {
    let address = form.split('#').next().unwrap_or_default();
    let Some(found) = store.find(Fp::hash_bytes(address.as_bytes()))? else { return Ok((None, String::new())) };
    let id = store.address(found.id)?.and_then(|row| row.alias_of).unwrap_or(found.id);
    let language = store.page(id)?.map(|page| page.facts.language).unwrap_or_default();
    Ok((Some(id.0), language))
}

/// Never 0: that is what a seal has that is none. What is shown of a generation that has ended stays as it is; only the first one
/// is shown while it is at work.
fn sum(row: &GatherRow, take: u32, older: u64, database: &Database) -> u64 {
    let mut sum = Xxh3::new();
    let moves = row.generation == row.shown && row.end.is_empty();
    for number in [u64::from(row.shown), u64::from(row.records), u64::from(take), u64::from(moves), older] {
        sum.update(&number.to_le_bytes());
    }
    sum.update(&row.begun.to_le_bytes());
    sum.update(&(if moves { row.last } else { 0 }).to_le_bytes());
    sum.update(&database.page.map_or(u64::MAX, u64::from).to_le_bytes());
    sum.update(&FORMAT.to_le_bytes());
    for text in [&row.key, &database.form, &database.title, &database.about, &database.language] {
        sum.update(&(text.len() as u64).to_le_bytes());
        sum.update(text.as_bytes());
    }
    sum.digest().max(1)
}

impl DatabaseToIndex {
    /// Has the gathering stayed as it was when this was read?
    pub(crate) fn stands(&self, gathers: &mut Gathers) -> Result<bool, StoreError> {
        let row = gathers.gather(key::long(self.database.gather))?;
        Ok(row.is_some_and(|row| {
            let same_names = row.title == self.database.title
                && *form_of(&row) == self.database.form
                && about(&row) == self.database.about;
            same_names && sum(&row, self.take, self.older, &self.database) == self.seal.sum
        }))
    }
}

/// The beginning of a digest of a document of this database.
fn digest(database: &Database) -> Xxh3 {
    let mut sum = Xxh3::new();
    sum.update(&FORMAT.to_le_bytes());
    for text in [&database.language, &database.form] {
        sum.update(&(text.len() as u64).to_le_bytes());
        sum.update(text.as_bytes());
    }
    sum
}

/// A digest of everything the document of a record is made of.
pub(crate) fn digest_of_record(database: &Database, record: &RecordRow) -> u64 {
    let mut sum = digest(database);
    sum.update(record.values.as_bytes());
    sum.digest()
}

/// The beginning of a digest of what stands for a database as a whole, with or without what its provider says of it.
pub(crate) fn digest_of_whole(database: &Database, has_about: bool) -> Xxh3 {
    let mut sum = digest(database);
    sum.update(&[0xff]);
    sum.update(database.title.as_bytes());
    // As a database without it ever had it.
    if has_about {
        add_value(&mut sum, "", &database.about);
    }
    sum
}

/// Goes on with it.
pub(crate) fn add_value(sum: &mut Xxh3, attribute: &str, value: &str) {
    for text in [attribute, value] {
        sum.update(&(text.len() as u64).to_le_bytes());
        sum.update(text.as_bytes());
    }
}

/// Records that several gatherings of one form brought out: the oldest gathering keeps them. They are the same if they say the same
/// under the same names, in whatever order and writing of the names.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// What older gatherings have, of forms with several.
    seen: HashMap<String, HashSet<u64>>,
    /// What the gathering at hand has.
    fresh: Vec<(String, u64)>,
}

impl Twins {
    pub(crate) fn from_gathered(gathered: &Gathered) -> Twins {
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for wanted in &gathered.list {
            *counts.entry(&wanted.database.form).or_default() += 1;
        }
        let several = counts.into_iter().filter(|(_, count)| *count > 1);
        let seen = several.map(|(form, _)| (form.to_owned(), HashSet::new())).collect();
        Twins { seen, fresh: Vec::new() }
    }

    /// Has this form several gatherings?
    pub(crate) fn has(&self, form: &str) -> bool {
        self.seen.contains_key(form)
    }

    /// Is it one that an older gathering of the form has? Otherwise it is remembered.
    pub(crate) fn is_known(&mut self, form: &str, record: &RecordRow) -> bool {
        if !self.has(form) {
            return false;
        }
        let said = Said::read(&record.values);
        let mut pairs: Vec<(String, &str)> =
            said.pairs.iter().map(|(name, value)| (plain(name), value.trim())).collect();
        pairs.sort_unstable();
        let mut sum = Xxh3::new();
        pairs.iter().for_each(|(name, value)| add_value(&mut sum, name, value));
        self.is_known_digest(form, sum.digest())
    }

    /// The same of a value that stands in no record.
    pub(crate) fn is_known_value(&mut self, form: &str, attribute: &str, value: &str) -> bool {
        if !self.has(form) {
            return false;
        }
        // A record that says this alone is something else.
        let mut sum = Xxh3::new();
        sum.update(b"value");
        add_value(&mut sum, &plain(attribute), value.trim());
        self.is_known_digest(form, sum.digest())
    }

    /// The same of what is said of a database.
    pub(crate) fn is_known_digest(&mut self, form: &str, digest: u64) -> bool {
        let Some(seen) = self.seen.get(form) else { return false };
        let known = seen.contains(&digest);
        if !known {
            self.fresh.push((form.to_owned(), digest));
        }
        known
    }

    /// The gathering at hand is one of the older ones from now on.
    pub(crate) fn settle(&mut self) {
        for (form, digest) in self.fresh.drain(..) {
            self.seen.entry(form).or_default().insert(digest);
        }
    }
}

/// A name as it counts for the question whether two say the same.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
