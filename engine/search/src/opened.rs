//! An index as it is read: one generation at one commit, with what lies beside it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use groma_store::Snapshot;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, ReloadPolicy, Searcher, TERMINATED, Term};
use xxhash_rust::xxh3::xxh3_64;

use crate::ask::{Home, Phrasing};
use crate::databases::{Databases, origin};
use crate::key::Key;
use crate::places::Places;
use crate::schema::{Fields, language_code, language_name, schema};
use crate::text::{Language, Tally, fold};
use crate::vocabulary::Vocabulary;
use crate::write::{Mark, mark};
use crate::{SearchError, engine};

/// Languages whose words are tried, those of most pages.
const LANGUAGES: usize = 6;
/// Numbers of hosts from here on are none of the survey's.
const STRANGERS: u64 = 1 << 32;

/// What tells one state of the files from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    generation: PathBuf,
    /// When the engine's list of files, the places and the words were written.
    written: [Option<SystemTime>; 3],
}

impl Stamp {
    pub(crate) fn read(generation: &Path) -> Stamp {
        let written = |name: &str| generation.join(name).metadata().and_then(|meta| meta.modified()).ok();
        Stamp { generation: generation.to_owned(), written: ["text/meta.json", "places", "words"].map(written) }
    }
}

/// An index opened for queries, at one commit.
pub(crate) struct Opened {
    pub(crate) stamp: Stamp,
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    pub(crate) places: Arc<Places>,
    pub(crate) vocabulary: Vocabulary,
    /// Titles, and the same in lower case without accents.
    pub(crate) titles: Vec<(String, String)>,
    pub(crate) phrasing: Phrasing,
    /// How far it has followed.
    pub(crate) mark: Mark,
    /// A number for that.
    pub(crate) state: u64,
    /// The databases whose records are in it.
    pub(crate) databases: Databases,
    /// How many records there are.
    pub(crate) records: u64,
    hosts: OnceLock<Hosts>,
}

/// The hosts of a survey.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// Their origins, by their numbers; those that only forms of databases are on have numbers that no host of the survey has.
    pub(crate) origins: HashMap<u64, String>,
    /// Where the records of each gathering stand.
    pub(crate) homes: Arc<HashMap<u32, Home>>,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("stamp", &self.stamp).field("mark", &self.mark).finish_non_exhaustive()
    }
}

impl Opened {
    /// Opens a generation as it stands.
    pub(crate) fn open(generation: &Path) -> Result<Opened, SearchError> {
        // Taken first: what is written meanwhile is seen next time.
        let stamp = Stamp::read(generation);
        let index = engine::open(generation, &Arc::new(Tally::default()), false)?;
        let mark = mark(&index)?.unwrap_or_default();
        let payload = index.load_metas()?.payload.unwrap_or_default();
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        let phrasing = languages(&searcher)?;
        let databases = Databases::load(generation)?;
        let records = if databases.list.is_empty() { 0 } else { records(&searcher)? };
        let plain = |title: String| {
            let mut out = String::new();
            fold(&title.to_lowercase(), &mut out);
            (title, out)
        };
        Ok(Opened {
            stamp,
            searcher,
            fields: schema().1,
            places: Arc::new(Places::load(generation)?),
            vocabulary: Vocabulary::load(generation)?,
            titles: Places::titles(generation)?.into_iter().map(plain).collect(),
            phrasing,
            mark,
            state: xxh3_64(payload.as_bytes()),
            databases,
            records,
            hosts: OnceLock::new(),
        })
    }

    /// The hosts; read once.
    pub(crate) fn hosts(&self, store: &mut dyn Snapshot) -> Result<&Hosts, SearchError> {
        if let Some(hosts) = self.hosts.get() {
            return Ok(hosts);
        }
        let all = store.hosts()?.into_iter().map(|host| (u64::from(host.id.0), host.origin));
        let mut origins: HashMap<u64, String> = all.collect();
        let mut homes = HashMap::new();
        if !self.databases.list.is_empty() {
            let mut numbers: HashMap<String, u64> = origins.iter().map(|(host, name)| (name.clone(), *host)).collect();
            for database in &self.databases.list {
                let name = origin(&database.form);
                let next = STRANGERS + numbers.len() as u64;
                let host = *numbers.entry(name.to_owned()).or_insert(next);
                origins.entry(host).or_insert_with(|| name.to_owned());
                homes.insert(database.gather, Home { page: database.page, host });
            }
        }
        Ok(self.hosts.get_or_init(|| Hosts { origins, homes: Arc::new(homes) }))
    }

    /// The digest of a document; nothing if there is none of this key.
    pub(crate) fn digest(&self, key: Key) -> Result<Option<u64>, SearchError> {
        let term = Term::from_field_u64(self.fields.page, key.number());
        for segment in self.searcher.segment_readers() {
            let postings = segment.inverted_index(self.fields.page)?.read_postings(&term, IndexRecordOption::Basic)?;
            let Some(mut postings) = postings else { continue };
            let digests = segment.fast_fields().u64("digest")?;
            while postings.doc() != TERMINATED {
                if !segment.is_deleted(postings.doc()) {
                    return Ok(digests.first(postings.doc()));
                }
                postings.advance();
            }
        }
        Ok(None)
    }
}

/// How many documents are records.
fn records(searcher: &Searcher) -> Result<u64, SearchError> {
    let mut count = 0;
    for segment in searcher.segment_readers() {
        let keys = segment.fast_fields().u64("page")?;
        let is_record = |document: &u32| Key::from_number(keys.first(*document).unwrap_or(0)).gather().is_some();
        count += segment.doc_ids_alive().filter(is_record).count() as u64;
    }
    Ok(count)
}

/// The languages of the pages and of the forms of records, those of most documents first.
fn languages(searcher: &Searcher) -> Result<Phrasing, SearchError> {
    let mut counts: HashMap<u64, u64> = HashMap::new();
    for segment in searcher.segment_readers() {
        let column = segment.fast_fields().u64("language")?;
        for document in segment.doc_ids_alive() {
            *counts.entry(column.first(document).unwrap_or(0)).or_default() += 1;
        }
    }
    let japanese = counts.get(&language_code("ja")).unwrap_or(&0) > counts.get(&language_code("zh")).unwrap_or(&0);
    let mut families: HashMap<Language, u64> = HashMap::new();
    for (code, count) in counts {
        *families.entry(Language::from_code(&language_name(code)).family()).or_default() += count;
    }
    let mut list: Vec<(Language, u64)> = families.into_iter().collect();
    list.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut languages: Vec<Language> = list.into_iter().map(|(language, _)| language).take(LANGUAGES).collect();
    if languages.is_empty() {
        languages.push(Language::UNKNOWN);
    }
    debug_assert_eq!(languages.iter().collect::<HashSet<_>>().len(), languages.len());
    Ok(Phrasing { languages, japanese })
}
