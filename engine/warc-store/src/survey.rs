//! What is in these archives? One pass over all records: where the answer of each URL is, what cannot be read, where to start.
//!
//! Memory: 72 bytes a record that can be replayed (and 120 more a revisit record while looking through), up to `limits.archive_records`; bodies stay where they are. Records are
//! used in whatever order they stand; of several answers of one URL the latest counts.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use groma_archive::{Bounds, Fields, Reader, Record, http, moment_of};
use groma_model::url::Canonizer;
use groma_model::{Fp, Limits};
use groma_url::Url;

use crate::source::Source;
use crate::warc_file::OPEN;
use crate::{WarcStoreError, is_warc, names, repair::media_type};

/// Something that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Name of the file.
    pub file: String,
    /// Where the record begins, in bytes.
    pub offset: u64,
    /// The error, for people.
    pub what: String,
}

/// What the archives hold.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// WARC files.
    pub files: u64,
    /// Records of all kinds.
    pub records: u64,
    /// Records by their type.
    pub kinds: BTreeMap<String, u64>,
    /// Answers that can be replayed.
    pub answers: u64,
    /// Revisit records among them whose original is not there: they have no page.
    pub lost_revisits: u64,
    /// What cannot be used: the first of them, with their places.
    pub wrong: Vec<Wrong>,
    /// How often, by what is wrong.
    pub counts: BTreeMap<String, u64>,
    /// Start pages, as those who wrote the archives named them; else the first page in them.
    pub starts: Vec<String>,
}

/// Findings told with their place; the others are counted.
const WRONG_TOLD: usize = 100;
/// Kinds of records told apart.
const KINDS: usize = 20;
/// Things that are wrong, told apart: whoever makes up versions gets no more.
const VERSIONS: usize = 50;
/// What is kept of a block while looking through: the head of an answer.
const LOOKED_AT: u64 = 64 << 10;

/// Where the answer of a URL is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    /// Its URL in canonical form.
    pub(crate) canon: Fp,
    /// Its URL as it was asked for.
    pub(crate) exact: Fp,
    pub(crate) at: i64,
    pub(crate) source: u32,
    pub(crate) revisit: bool,
    pub(crate) offset: u64,
    pub(crate) inner: u64,
}

/// What is gathered on the way.
#[derive(Default)]
struct Gathered {
    /// Start pages that are named.
    seeds: Vec<String>,
    /// The first page met, in case no start page is named.
    first: Option<String>,
    revisits: Vec<Refers>,
}

pub(crate) struct Survey {
    pub(crate) sources: Vec<Source>,
    /// By canonical URL, then by moment.
    pub(crate) captures: Vec<Capture>,
    pub(crate) told: Told,
}

impl Told {
    /// Is a record of a version that cannot be read? Those that differ little are read as the one that is known. Both are told.
    fn is_of_another_version(&mut self, record: &Record, shown: &str) -> bool {
        let Some(version) = &record.other_version else { return false };
        let near = version.starts_with("1.") || version.starts_with("0.");
        let what = match version.strip_prefix("ARC ") {
            Some(version) => format!("is of ARC version {version}, read as far as it is like version 1"),
            None if near => format!("a record is of WARC version {version}, read as version 1.1"),
            None => format!("a record is of WARC version {version}, which is not read"),
        };
        let what = if self.counts.len() < VERSIONS || self.counts.contains_key(&what) {
            what
        } else {
            "a record is of an unknown version".to_owned()
        };
        self.wrong(shown, record.offset, &what);
        !near && !version.starts_with("ARC ")
    }

    fn wrong(&mut self, file: &str, offset: u64, what: &str) {
        if self.wrong.len() < WRONG_TOLD {
            self.wrong.push(Wrong { file: file.to_owned(), offset, what: what.to_owned() });
        }
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }
}

impl Survey {
    pub(crate) fn scan(
        paths: &[PathBuf],
        canonizer: &Canonizer,
        limits: &Limits,
        progress: &mut dyn FnMut(&Told) -> ControlFlow<()>,
    ) -> Result<Survey, WarcStoreError> {
        let mut survey = Survey { sources: Vec::new(), captures: Vec::new(), told: Told::default() };
        let mut named = Vec::new();
        let paths = each_file(paths)?;
        for path in &paths {
            let opened = Source::open(path).map_err(WarcStoreError::at_path(path))?;
            for (name, why) in opened.left {
                survey.told.wrong(&format!("{} ({name})", path.display()), 0, &why);
            }
            if opened.sources.is_empty() {
                survey.told.wrong(&path.display().to_string(), 0, "holds no file of records");
            }
            named.extend(opened.starts);
            survey.sources.extend(opened.sources);
        }
        let mut gathered = Gathered::default();
        for number in 0..survey.sources.len() {
            survey.told.files += 1;
            let source = survey.sources[number].clone();
            let looked = survey.look_through(number, &source, canonizer, limits, &mut gathered, progress);
            if let Err(error) = looked {
                survey.told.wrong(&source.shown(), 0, &error.to_string());
            }
        }
        survey.captures.sort_by_key(|c| (c.canon.to_bytes(), c.at, c.source, c.offset, c.inner));
        survey.look_for_originals(gathered.revisits, limits);
        let found = if gathered.seeds.is_empty() { named } else { gathered.seeds };
        survey.told.starts = if found.is_empty() { gathered.first.into_iter().collect() } else { found };
        Ok(survey)
    }

    fn look_through(
        &mut self,
        number: usize,
        source: &Source,
        canonizer: &Canonizer,
        limits: &Limits,
        gathered: &mut Gathered,
        progress: &mut dyn FnMut(&Told) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let bounds = Bounds { head: limits.header_bytes, block: limits.archive_record_bytes, keep: LOOKED_AT };
        let shown = source.shown();
        let (told, captures) = (&mut self.told, &mut self.captures);
        let Gathered { seeds, first, revisits } = gathered;
        Reader::new(source.read()?, bounds).each(&mut |found| {
            let record = match found {
                Ok(record) if told.is_of_another_version(&record, &shown) => {
                    told.records += 1;
                    return ControlFlow::Continue(());
                }
                Ok(record) => record,
                Err(finding) => {
                    told.wrong(&shown, finding.offset, finding.what);
                    return ControlFlow::Continue(());
                }
            };
            told.records += 1;
            let kind = record.kind().to_owned();
            if told.kinds.len() < KINDS || told.kinds.contains_key(&kind) {
                *told.kinds.entry(kind).or_default() += 1;
            }
            if record.short {
                told.wrong(&shown, record.offset, "a record is shorter than it says");
            }
            if record.wrong_digest {
                told.wrong(&shown, record.offset, "a record is not what its digest says");
            }
            if record.kind() == "warcinfo" {
                let fields = Fields::read(&record.block);
                let more = fields.0.into_iter().filter(|(name, _)| name == "seed").map(|(_, value)| value);
                seeds.extend(
                    more.collect::<Vec<_>>().into_iter().filter(|seed| !seeds.contains(seed)).collect::<Vec<_>>(),
                );
            }
            match capture(&record, number, canonizer) {
                Ok(Some(_)) if captures.len() as u64 >= limits.archive_records => {
                    told.wrong(
                        &shown,
                        record.offset,
                        "more records than the limit archive_records; the rest is left out",
                    );
                    return ControlFlow::Break(());
                }
                Ok(Some(capture)) => {
                    if capture.revisit {
                        revisits.extend(Refers::from_record(&record, &capture, canonizer));
                    }
                    captures.push(capture);
                    told.answers += 1;
                    if first.is_none() && is_page(&record) {
                        *first = record.url().map(str::to_owned);
                    }
                }
                Ok(None) => {}
                Err(what) => told.wrong(&shown, record.offset, what),
            }
            if told.records.is_multiple_of(1000) { progress(told) } else { ControlFlow::Continue(()) }
        })
    }
}

impl Survey {
    /// All answers of a URL in canonical form.
    pub(crate) fn same(&self, canon: Fp) -> &[Capture] {
        let canon = canon.to_bytes();
        let from = self.captures.partition_point(|capture| capture.canon.to_bytes() < canon);
        let count = self.captures[from..].partition_point(|capture| capture.canon.to_bytes() == canon);
        &self.captures[from..from + count]
    }

    /// The answer that a revisit record refers to.
    pub(crate) fn original(&self, refers: &Refers) -> Option<&Capture> {
        let Refers { canon, exact, said, revisit } = refers;
        let mut whole = self.same(*canon).iter().rev().filter(|one| !one.revisit && one.exact == *exact);
        match said {
            Some(at) => whole.clone().find(|one| one.at == *at).or_else(|| whole.find(|one| one.at <= revisit.at)),
            None => whole.find(|one| one.at <= revisit.at),
        }
    }

    /// Reads a record again, and keeps so much of its block.
    pub(crate) fn read(&self, capture: &Capture, limits: &Limits, keep: u64) -> Option<Record> {
        let bounds = Bounds { head: limits.header_bytes, block: limits.archive_record_bytes, keep };
        let source = self.sources.get(capture.source as usize)?;
        Reader::new(source.read().ok()?, bounds).at(capture.offset, capture.inner).ok()?
    }

    /// A revisit record whose original is in none of these archives has no page: that is told, with its URL.
    fn look_for_originals(&mut self, revisits: Vec<Refers>, limits: &Limits) {
        let lost: Vec<Capture> = revisits
            .into_iter()
            .filter(|refers| self.original(refers).is_none())
            .map(|refers| refers.revisit)
            .collect();
        self.told.lost_revisits = lost.len() as u64;
        for (number, capture) in lost.iter().enumerate() {
            let mut place = self.sources.get(capture.source as usize).map(Source::shown).unwrap_or_default();
            if number < WRONG_TOLD {
                let url = self.read(capture, limits, 0).and_then(|record| record.url().map(str::to_owned));
                place = format!("{place}: {}", url.unwrap_or_default());
            }
            let what = "a revisit record refers to an answer that is in none of these archives";
            self.told.wrong(&place, capture.offset, what);
        }
    }
}

/// What a revisit record refers to.
pub(crate) struct Refers {
    canon: Fp,
    exact: Fp,
    /// When that was made, if it says so.
    said: Option<i64>,
    revisit: Capture,
}

impl Refers {
    pub(crate) fn from_record(record: &Record, revisit: &Capture, canonizer: &Canonizer) -> Option<Refers> {
        let named = record.fields.get("WARC-Refers-To-Target-URI").and_then(|url| Url::parse(url).ok());
        let url = named.or_else(|| Url::parse(record.url()?).ok())?;
        let said = record.fields.get("WARC-Refers-To-Date").and_then(moment_of);
        Some(Refers { canon: canonizer.canon(&url).address.fp, exact: exact(&url), said, revisit: *revisit })
    }
}

/// Where the answer in a record is, if it has one; why it cannot be used, if it should have.
fn capture(record: &Record, source: usize, canonizer: &Canonizer) -> Result<Option<Capture>, &'static str> {
    let revisit = match record.kind() {
        "response" | "resource" => false,
        "revisit" => true,
        _ => return Ok(None),
    };
    let Some(url) = record.url() else { return Err("a record of an answer does not say of what") };
    // Answers of name servers and files of the writer's own are kept as records too.
    let Ok(url) = Url::parse(url) else { return Err("the URL of a record cannot be read") };
    if !matches!(url.scheme(), "http" | "https") {
        return Ok(None);
    }
    let at = record.at().ok_or("a record does not say when it was made")?;
    let canon = canonizer.canon(&url).address.fp;
    let source = u32::try_from(source).map_err(|_| "too many files")?;
    let exact = exact(&url);
    Ok(Some(Capture { canon, exact, at, source, revisit, offset: record.offset, inner: record.inner }))
}

/// The files that are named; of a folder, all files of records in it, those that are not finished too.
fn each_file(named: &[PathBuf]) -> Result<Vec<PathBuf>, WarcStoreError> {
    let is_archive = |name: &str| {
        let name = name.strip_suffix(OPEN).unwrap_or(name).to_ascii_lowercase();
        is_warc(&name) || [".arc", ".arc.gz", ".wacz"].iter().any(|ending| name.ends_with(ending))
    };
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let found = names(path, is_archive).map_err(WarcStoreError::at_path(path))?;
            files.extend(found.into_iter().map(|name| path.join(name)));
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// A URL as it was asked for.
pub(crate) fn exact(url: &Url) -> Fp {
    Fp::hash_bytes(url.as_str().split('#').next().unwrap_or_default().as_bytes())
}

/// Could a survey start here?
fn is_page(record: &Record) -> bool {
    let answer = match record.kind() {
        "response" => http::answer(&record.block),
        _ => return media_type(record.fields.get("Content-Type").unwrap_or_default()) == "text/html",
    };
    answer.status == 200 && media_type(answer.header("content-type").unwrap_or_default()) == "text/html"
}
