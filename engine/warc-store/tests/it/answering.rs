//! Archives that answer as their servers did.

use std::future::Future;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use groma_fetch::Fetcher;
use groma_model::outcome::Cut;
use groma_model::url::{Canonizer, RuleBook};
use groma_model::{Failure, Limits, Outcome, Request, Response};
use groma_url::Url;
use groma_warc_store::Archive;

use crate::{Scratch, exchange, long, page, record, warc_store};

/// Answers come at once: no runtime is needed to wait for them.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("an archive waits for nobody"),
    }
}

pub(crate) fn open(files: &[PathBuf]) -> Archive {
    let limits = Limits::default();
    let canonizer = Canonizer::new(RuleBook::default(), &limits);
    Archive::open(files, canonizer, &limits, &mut |_| ControlFlow::Continue(())).unwrap()
}

pub(crate) fn ask(archive: &Archive, url: &str) -> Result<Response, Failure> {
    match now(archive.fetch(Request::get(Url::parse(url).unwrap()))) {
        Outcome::Answer(answer) => Ok(*answer),
        Outcome::Failed(failure) => Err(failure),
    }
}

#[test]
fn the_latest_answer_of_an_address_is_given() {
    let scratch = Scratch::new();
    let first = warc_store(&scratch.0);
    record(&first, &page("http://a.test/", 100, &long("old")));
    record(&first, &page("http://a.test/b", 100, &long("same")));
    record(&first, &page("http://a.test/c", 101, &long("same")));
    record(&first, &exchange("http://a.test/gone", 102, 404, &[], b"no"));
    record(&first, &exchange("http://a.test/old", 102, 301, &[("Location", "/b")], b""));
    record(&first, &exchange("http://a.test/x.zip", 103, 200, &[("Content-Type", "application/zip")], b"PK\x03\x04"));
    first.finish().unwrap();
    let second = warc_store(&scratch.0);
    record(&second, &page("http://a.test/", 200, &long("new")));
    record(&second, &exchange("http://a.test/b", 200, 304, &[], b""));
    second.finish().unwrap();
    let archive = open(&scratch.files());
    let body = |url: &str| String::from_utf8(ask(&archive, url).unwrap().body).unwrap();
    assert_eq!(body("http://a.test/"), long("new"));
    assert_eq!(body("http://a.test/b"), long("same"));
    assert_eq!(body("http://a.test/c"), long("same"));
    assert_eq!(ask(&archive, "http://a.test/b").unwrap().status, 200);
    assert_eq!(ask(&archive, "http://a.test/gone").unwrap().status, 404);
    assert_eq!(ask(&archive, "http://a.test/old").unwrap().location().as_deref(), Some("/b"));
    let zip = ask(&archive, "http://a.test/x.zip").unwrap();
    assert_eq!((zip.cut, zip.body.len()), (Some(Cut::HeaderOnly), 0), "as a live fetch would have it");
    assert_eq!(ask(&archive, "http://a.test/never").unwrap_err(), Failure::NotArchived);
    let robots = Request::get(Url::parse("http://a.test/robots.txt").unwrap());
    let Outcome::Answer(robots) = now(archive.fetch_whole(robots, 1000)) else { panic!("an answer") };
    assert_eq!(robots.status, 404);
    let told = archive.told();
    assert_eq!((told.files, told.answers, told.wrong.len()), (2, 8, 0));
    assert_eq!(told.starts, ["http://a.test/"]);
    let mut pages = Vec::new();
    archive.pages(&mut |url| pages.push(url.to_string()));
    pages.sort();
    assert_eq!(pages, ["http://a.test/", "http://a.test/b", "http://a.test/c"]);
}
