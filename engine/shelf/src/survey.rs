//! What is in these archives? One pass over all records: where the answer of each address is, what cannot be read, where to start.
//!
//! Memory: 72 bytes a record that can be replayed, up to `limits.archive_records`; bodies stay where they are. Records are
//! used in whatever order they stand; of several answers of one address the latest counts.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use groma_archive::{Bounds, Fields, Reader, Record, http};
use groma_model::url::Canonizer;
use groma_model::{Fp, Limits};
use url::Url;

use crate::source::Source;
use crate::{ShelfError, repair::media_type};

/// Something that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// In which file.
    pub file: String,
    /// Where.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
}

/// What the archives hold.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Files of records.
    pub files: u64,
    /// Records of all kinds.
    pub records: u64,
    /// Records by their type.
    pub kinds: BTreeMap<String, u64>,
    /// Answers that can be replayed.
    pub answers: u64,
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
/// What is kept of a block while looking through: the head of an answer.
const LOOKED_AT: u64 = 64 << 10;

/// Where the answer of an address is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    /// Its address in canonical form.
    pub(crate) canon: Fp,
    /// Its address as it was asked for.
    pub(crate) exact: Fp,
    pub(crate) at: i64,
    pub(crate) source: u32,
    pub(crate) revisit: bool,
    pub(crate) offset: u64,
    pub(crate) inner: u64,
}

/// All of it.
pub(crate) struct Survey {
    pub(crate) sources: Vec<Source>,
    /// By canonical address, then by moment.
    pub(crate) captures: Vec<Capture>,
    pub(crate) told: Told,
}

impl Told {
    fn wrong(&mut self, file: &str, offset: u64, what: &str) {
        if self.wrong.len() < WRONG_TOLD {
            self.wrong.push(Wrong { file: file.to_owned(), offset, what: what.to_owned() });
        }
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }
}

impl Survey {
    /// Looks through archives.
    pub(crate) fn of(
        paths: &[PathBuf],
        canonizer: &Canonizer,
        limits: &Limits,
        progress: &mut dyn FnMut(&Told) -> ControlFlow<()>,
    ) -> Result<Survey, ShelfError> {
        let mut survey = Survey { sources: Vec::new(), captures: Vec::new(), told: Told::default() };
        let mut named = Vec::new();
        for path in paths {
            let opened = Source::open(path).map_err(ShelfError::of(path))?;
            for (name, why) in opened.left {
                survey.told.wrong(&format!("{} ({name})", path.display()), 0, &why);
            }
            if opened.sources.is_empty() {
                survey.told.wrong(&path.display().to_string(), 0, "holds no WARC file");
            }
            named.extend(opened.starts);
            survey.sources.extend(opened.sources);
        }
        let (mut seeds, mut first) = (Vec::new(), None);
        for number in 0..survey.sources.len() {
            survey.told.files += 1;
            let source = survey.sources[number].clone();
            let looked = survey.look_through(number, &source, canonizer, limits, (&mut seeds, &mut first), progress);
            if let Err(error) = looked {
                survey.told.wrong(&source.shown(), 0, &error.to_string());
            }
        }
        survey.captures.sort_by_key(|c| (c.canon.to_bytes(), c.at, c.source, c.offset, c.inner));
        let found = if seeds.is_empty() { named } else { seeds };
        survey.told.starts = if found.is_empty() { first.into_iter().collect() } else { found };
        Ok(survey)
    }

    fn look_through(
        &mut self,
        number: usize,
        source: &Source,
        canonizer: &Canonizer,
        limits: &Limits,
        (seeds, first): (&mut Vec<String>, &mut Option<String>),
        progress: &mut dyn FnMut(&Told) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let bounds = Bounds { head: limits.header_bytes, block: limits.archive_record_bytes, keep: LOOKED_AT };
        let shown = source.shown();
        let (told, captures) = (&mut self.told, &mut self.captures);
        Reader::new(source.read()?, bounds).each(&mut |found| {
            let record = match found {
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

/// Where the answer in a record is, if it has one; why it cannot be used, if it should have.
fn capture(record: &Record, source: usize, canonizer: &Canonizer) -> Result<Option<Capture>, &'static str> {
    let revisit = match record.kind() {
        "response" | "resource" => false,
        "revisit" => true,
        _ => return Ok(None),
    };
    let Some(url) = record.url() else { return Err("a record of an answer does not say of what") };
    // Answers of name servers and files of the writer's own are kept as records too.
    let Ok(url) = Url::parse(url) else { return Err("the address of a record cannot be read") };
    if !matches!(url.scheme(), "http" | "https") {
        return Ok(None);
    }
    let at = record.at().ok_or("a record does not say when it was made")?;
    let canon = canonizer.canon(&url).address.fp;
    let source = u32::try_from(source).map_err(|_| "too many files")?;
    let exact = exact(&url);
    Ok(Some(Capture { canon, exact, at, source, revisit, offset: record.offset, inner: record.inner }))
}

/// An address as it was asked for.
pub(crate) fn exact(url: &Url) -> Fp {
    Fp::of(url.as_str().split('#').next().unwrap_or_default().as_bytes())
}

/// Could a survey start here?
fn is_page(record: &Record) -> bool {
    let answer = match record.kind() {
        "response" => http::answer(&record.block),
        _ => return media_type(record.fields.get("Content-Type").unwrap_or_default()) == "text/html",
    };
    answer.status == 200 && media_type(answer.header("content-type").unwrap_or_default()) == "text/html"
}
