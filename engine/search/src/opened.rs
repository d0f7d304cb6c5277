//! An index as it is read: one generation at one commit, with what lies beside it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use groma_store::Snapshot;
use tantivy::{ReloadPolicy, Searcher};

use crate::ask::Phrasing;
use crate::places::Places;
use crate::schema::{Fields, language_code, language_name, schema};
use crate::text::{Language, Tally, fold};
use crate::vocabulary::Vocabulary;
use crate::write::mark;
use crate::{SearchError, engine};

/// Languages whose words are tried, those of most pages.
const LANGUAGES: usize = 6;

/// What tells one state of the files from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    generation: PathBuf,
    /// When the engine's list of files, the places and the words were written.
    written: [Option<SystemTime>; 3],
}

impl Stamp {
    pub(crate) fn of(generation: &Path) -> Stamp {
        let written = |name: &str| generation.join(name).metadata().and_then(|meta| meta.modified()).ok();
        Stamp { generation: generation.to_owned(), written: ["text/meta.json", "places", "words"].map(written) }
    }
}

/// Open for questions.
pub(crate) struct Opened {
    pub(crate) stamp: Stamp,
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    pub(crate) places: Arc<Places>,
    pub(crate) vocabulary: Vocabulary,
    /// Titles, and the same in lower case without accents.
    pub(crate) titles: Vec<(String, String)>,
    pub(crate) phrasing: Phrasing,
    pub(crate) watermark: u64,
    hosts: OnceLock<HashMap<u64, String>>,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("stamp", &self.stamp).field("watermark", &self.watermark).finish_non_exhaustive()
    }
}

impl Opened {
    /// Opens a generation as it stands.
    pub(crate) fn open(generation: &Path) -> Result<Opened, SearchError> {
        // Taken first: what is written meanwhile is seen next time.
        let stamp = Stamp::of(generation);
        let index = engine::open(generation, &Arc::new(Tally::default()), false)?;
        let watermark = mark(&index)?.map_or(0, |mark| mark.watermark);
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        let phrasing = languages(&searcher)?;
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
            watermark,
            hosts: OnceLock::new(),
        })
    }

    /// The hosts by their numbers; read once.
    pub(crate) fn hosts(&self, store: &mut dyn Snapshot) -> Result<&HashMap<u64, String>, SearchError> {
        if let Some(hosts) = self.hosts.get() {
            return Ok(hosts);
        }
        let hosts = store.hosts()?.into_iter().map(|host| (u64::from(host.id.0), host.origin)).collect();
        Ok(self.hosts.get_or_init(|| hosts))
    }
}

/// The languages of the pages, most pages first.
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
        *families.entry(Language::of(&language_name(code)).family()).or_default() += count;
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
