//! Answers out of archives: a fetcher without sockets. The ordinary engine crawls it, so a survey made from an archive is what a crawl
//! of the same pages would have made.
//!
//! | asked for | answered |
//! |---|---|
//! | a URL that was archived | its latest answer; a revisit record leads to the body it refers to |
//! | another spelling of it | the same, if the rules of the survey say that both are one page |
//! | a robots.txt that was not archived | 404: nothing is known to be forbidden |
//! | anything else | [`Failure::NotArchived`]: registered, never broken |

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use groma_archive::{Record, http};
use groma_fetch::{BoxFuture, Fetcher, Lane, as_asked};
use groma_model::outcome::Cut;
use groma_model::url::Canonizer;
use groma_model::{Failure, Limits, Outcome, Request, Response};
use groma_url::Url;

use crate::WarcStoreError;
use crate::survey::{Capture, Refers, Survey, Told, exact};

/// Bytes of a body that are read where only its head counts.
const LOOKED_AT: u64 = 4096;

/// Archives from which a crawl is answered, instead of the web.
pub struct Archive {
    inside: Arc<Inside>,
}

struct Inside {
    survey: Survey,
    canonizer: Canonizer,
    limits: Limits,
}

impl Archive {
    /// Looks through archives: WARC and ARC files, plain, gzip or zstd, and WACZ.
    pub fn open(
        paths: &[PathBuf],
        canonizer: Canonizer,
        limits: &Limits,
        progress: &mut dyn FnMut(&Told) -> ControlFlow<()>,
    ) -> Result<Archive, WarcStoreError> {
        let survey = Survey::scan(paths, &canonizer, limits, progress)?;
        Ok(Archive { inside: Arc::new(Inside { survey, canonizer, limits: limits.clone() }) })
    }

    /// What the archives hold.
    pub fn told(&self) -> &Told {
        &self.inside.survey.told
    }

    /// Shows the URL of every page in them that was there, each once. Reads the records again.
    pub fn pages(&self, show: &mut dyn FnMut(Url)) {
        let captures = &self.inside.survey.captures;
        let mut at = 0;
        while let Some(first) = captures.get(at) {
            let same = captures[at..].iter().take_while(|c| c.canon == first.canon).count();
            let last = &captures[at + same - 1];
            at += same;
            let Some(record) = self.inside.read(last, LOOKED_AT) else { continue };
            let Some(url) = record.url().and_then(|url| Url::parse(url).ok()) else { continue };
            let Some(answer) = self.inside.answer(last, record, LOOKED_AT) else { continue };
            let page = matches!(answer.media_type().as_str(), "text/html" | "application/xhtml+xml");
            if answer.status == 200 && page {
                show(url);
            }
        }
    }
}

impl Inside {
    /// The latest answer of a URL; of its very spelling, if there is one.
    fn find(&self, url: &Url) -> Option<&Capture> {
        let same = self.same(url);
        let exact = exact(url);
        same.iter().rev().find(|capture| capture.exact == exact).or(same.last())
    }

    /// All answers of a URL, whatever its spelling.
    fn same(&self, url: &Url) -> &[Capture] {
        self.survey.same(self.canonizer.canon(url).address.fp)
    }

    /// Reads a record, up to so many bytes of its body.
    fn read(&self, capture: &Capture, most: u64) -> Option<Record> {
        let limits = &self.limits;
        self.survey.read(capture, limits, limits.header_bytes.saturating_add(most))
    }

    /// The answer in a record, or in the one it refers to.
    fn answer(&self, capture: &Capture, record: Record, most: u64) -> Option<Response> {
        if !capture.revisit {
            return Some(response(record));
        }
        let original = self.survey.original(&Refers::from_record(&record, capture, &self.canonizer)?)?;
        let original = response(self.read(original, most)?);
        // A server that says "as before" says nothing else; one that sent the same body again may have said something new about it.
        let own = http::answer(&record.block);
        if own.status == 304 || own.headers.is_empty() {
            return Some(original);
        }
        Some(Response { status: own.status, headers: own.headers, ..original })
    }

    fn ask(&self, request: &Request, most: u64, page: bool) -> Outcome {
        let answer = self.find(&request.url).and_then(|capture| self.answer(capture, self.read(capture, most)?, most));
        match answer {
            Some(answer) if page => Outcome::Answer(Box::new(as_asked(answer, &self.limits))),
            Some(answer) => Outcome::Answer(Box::new(answer)),
            None if request.url.path() == "/robots.txt" && !page => {
                Outcome::Answer(Box::new(Response { status: 404, ..empty() }))
            }
            None => Outcome::Failed(Failure::NotArchived),
        }
    }
}

/// A record as the answer it once was.
fn response(record: Record) -> Response {
    let truncated = record.fields.get("WARC-Truncated").map(|why| match why {
        "length" => Cut::TooLarge,
        "time" => Cut::Late,
        _ => Cut::Broken,
    });
    let kept_whole = record.block.len() as u64 == record.block_length;
    let mut cut = truncated.or((!kept_whole && !record.short).then_some(Cut::TooLarge));
    if record.short {
        cut = Some(Cut::Broken);
    }
    if record.kind() == "resource" {
        let media_type = record.fields.get("Content-Type").unwrap_or_default().to_owned();
        let headers = vec![("content-type".to_owned(), media_type)];
        return Response { headers, body: record.block, cut, ..empty() };
    }
    let answer = http::answer_of(record.block);
    if answer.broken {
        cut = cut.or(Some(Cut::Broken));
    }
    Response { status: answer.status, headers: answer.headers, body: answer.body, cut, ..empty() }
}

fn empty() -> Response {
    Response {
        status: 200,
        headers: Vec::new(),
        body: Vec::new(),
        cut: None,
        remote: None,
        version: "HTTP/1.1",
        elapsed: Duration::ZERO,
    }
}

impl Fetcher for Archive {
    fn fetch(&self, request: Request) -> BoxFuture<'_, Outcome> {
        // Of what type it is shows only when it is read.
        let limits = &self.inside.limits;
        Box::pin(async move { self.inside.ask(&request, limits.wire_bytes.max(limits.document_bytes), true) })
    }

    fn fetch_whole(&self, request: Request, most: u64) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let mut outcome = self.inside.ask(&request, most, false);
            if let Outcome::Answer(answer) = &mut outcome
                && answer.body.len() as u64 > most
            {
                answer.body.truncate(usize::try_from(most).unwrap_or(usize::MAX));
                answer.cut = Some(Cut::TooLarge);
            }
            outcome
        })
    }

    fn as_of(&self, url: &Url) -> Option<i64> {
        self.inside.find(url).map(|capture| capture.at)
    }

    fn lane<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Lane> {
        // Files are nobody's server: hosts need not wait for each other, nor for anything else.
        Box::pin(async { Lane::Host(url.host_str().unwrap_or_default().to_owned()) })
    }
}
