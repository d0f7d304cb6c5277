//! What stands at the door of a host: robots.txt and sitemaps.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use groma_fetch::{BoxFuture, Fetcher, Lane, NoSitemap, SitemapAnswer, SitemapFile, robots, sitemap};
use groma_model::outcome::Cut;
use groma_model::{Failure, Limits, Outcome, Request, Response};
use groma_page::robots::Access;
use groma_url::Url;

use crate::server::{Server, page};
use crate::{config, fetcher, url};

/// "<urlset/>" as a gzip file.
const PACKED: [u8; 29] =
    [31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 179, 41, 45, 202, 41, 78, 45, 209, 183, 3, 0, 219, 206, 114, 252, 9, 0, 0, 0];

/// Plays back outcomes in order and notes what was asked.
struct Script {
    outcomes: Mutex<VecDeque<Outcome>>,
    asked: Mutex<Vec<String>>,
}

impl Script {
    fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Script {
        Script { outcomes: Mutex::new(outcomes.into_iter().collect()), asked: Mutex::default() }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Fetcher for Script {
    fn fetch(&self, request: Request) -> BoxFuture<'_, Outcome> {
        self.asked.lock().unwrap().push(request.url.to_string());
        let outcome = self.outcomes.lock().unwrap().pop_front().expect("the script goes on");
        Box::pin(async { outcome })
    }

    fn lane<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Lane> {
        Box::pin(async { Lane::Host(url.host_str().unwrap_or_default().into()) })
    }
}

fn says(status: u16, fields: &[(&str, &str)], body: &[u8]) -> Outcome {
    Outcome::Answer(Box::new(Response {
        status,
        headers: fields.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(),
        body: body.to_vec(),
        cut: None,
        remote: None,
        version: "HTTP/1.1",
        elapsed: Duration::ZERO,
    }))
}

fn limits() -> Limits {
    config().limits
}

#[tokio::test]
async fn robots_are_followed_across_hosts() {
    let script = Script::new([
        says(301, &[("location", "https://www.b.test/robots.txt")], b""),
        says(302, &[("location", "/r")], b""),
        says(200, &[], b"User-agent: *\nDisallow: /x"),
    ]);
    let answer = robots(&script, &url("http://a.test/deep/page?x"), Duration::ZERO, &limits()).await;
    assert_eq!((answer.access, answer.status), (Access::Rules, Some(200)));
    assert_eq!(answer.body, b"User-agent: *\nDisallow: /x");
    assert_eq!(script.asked(), ["http://a.test/robots.txt", "https://www.b.test/robots.txt", "https://www.b.test/r"]);
}

#[tokio::test]
async fn five_redirects_are_enough() {
    let script = Script::new((0..9).map(|n| says(302, &[("location", &format!("/{n}"))], b"")));
    let answer = robots(&script, &url("http://a.test/"), Duration::ZERO, &limits()).await;
    assert_eq!((answer.access, answer.status), (Access::Open, Some(302)));
    assert_eq!(script.asked().len(), 6);
    let astray = Script::new([says(302, &[("location", "ftp://a.test/robots.txt")], b"")]);
    assert_eq!(robots(&astray, &url("http://a.test/"), Duration::ZERO, &limits()).await.access, Access::Open);
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let mut half = says(200, &[], b"User-agent: *");
    if let Outcome::Answer(answer) = &mut half {
        answer.cut = Some(Cut::Broken);
    }
    let script = Script::new([Outcome::Failed(Failure::Refused), half, says(500, &[], b""), says(404, &[], b"")]);
    let answer = robots(&script, &url("http://a.test/"), Duration::ZERO, &limits()).await;
    assert_eq!((answer.access, script.asked().len()), (Access::Open, 4));

    let dead = Script::new((0..9).map(|_| Outcome::Failed(Failure::TimeOut("idle"))));
    let answer = robots(&dead, &url("http://a.test/"), Duration::ZERO, &limits()).await;
    assert_eq!((answer.access, answer.failure), (Access::Closed, Some(Failure::TimeOut("idle"))));
    assert_eq!(dead.asked().len(), 4);

    let gone = Script::new([Outcome::Failed(Failure::NoSuchHost)]);
    assert_eq!(
        robots(&gone, &url("http://a.test/"), Duration::ZERO, &limits()).await.failure,
        Some(Failure::NoSuchHost)
    );
}

#[tokio::test]
async fn a_redirect_of_robots_to_somewhere_private_is_to_blame_itself() {
    for failure in [Failure::PrivateAddress([127, 0, 0, 1].into()), Failure::NoSuchHost, Failure::Tls("no".into())] {
        let script = Script::new([
            says(302, &[("location", "http://127.0.0.1:22/robots.txt")], b""),
            Outcome::Failed(failure.clone()),
        ]);
        let answer = robots(&script, &url("http://a.test/"), Duration::ZERO, &limits()).await;
        assert_eq!(answer.access, Access::Closed);
        let Some(Failure::BadAnswer(why)) = answer.failure else { panic!("the host is blamed for {failure:?}") };
        assert!(
            why.contains("redirects to http://127.0.0.1:22/robots.txt: ") && why.contains(&failure.to_string()),
            "{why}"
        );
    }
}

#[tokio::test]
async fn a_server_that_says_when_to_come_back_is_not_pressed() {
    for status in [500, 503, 429] {
        let script = Script::new([says(status, &[("retry-after", "90")], b"")]);
        let answer = robots(&script, &url("http://a.test/"), Duration::ZERO, &limits()).await;
        assert_eq!((answer.access, answer.retry_after), (Access::Later, Some(Duration::from_secs(90))));
        assert!(answer.asked.is_some());
    }
}

#[tokio::test]
async fn when_to_come_back_that_nobody_understands_is_not_said() {
    let script =
        Script::new([says(503, &[("retry-after", "soon")], b""), says(200, &[], b"User-agent: *\nDisallow: /")]);
    let answer = robots(&script, &url("http://a.test/"), Duration::ZERO, &limits()).await;
    assert_eq!((answer.access, script.asked().len()), (Access::Rules, 2));
}

#[tokio::test]
async fn robots_that_cannot_be_unpacked_are_half_an_answer() {
    let rules = b"User-agent: *\nDisallow: /a\n";
    for coding in ["gzip", "br", "zstd", "deflate", "rot13", "utf-8"] {
        // Some servers say that a file is compressed, and send it as it is.
        let script = Script::new([says(200, &[("content-encoding", coding)], rules)]);
        let answer = robots(&script, &url("http://a.test/"), Duration::ZERO, &limits()).await;
        assert_eq!((answer.access, &answer.body[..]), (Access::Rules, &rules[..]), "{coding}");
        let torn = Script::new((0..9).map(|_| says(200, &[("content-encoding", coding)], &PACKED[..20])));
        let answer = robots(&torn, &url("http://a.test/"), Duration::ZERO, &limits()).await;
        assert_eq!((answer.access, torn.asked().len()), (Access::Closed, 4), "{coding}");
        let why = answer.failure.unwrap().to_string();
        assert!(why.contains(&format!("cannot be unpacked (Content-Encoding: {coding})")), "{why}");
    }
}

#[tokio::test]
async fn robots_of_one_server_are_asked_for_a_pause_apart() {
    let pause = Duration::from_millis(150);
    let script = Script::new([
        says(302, &[("location", "/r")], b""),
        says(503, &[], b""),
        says(302, &[("location", "http://b.test/r")], b""),
        says(200, &[], b""),
    ]);
    let begun = std::time::Instant::now();
    robots(&script, &url("http://a.test/"), pause, &limits()).await;
    let took = begun.elapsed();
    assert!(took >= 2 * pause, "{took:?}: one after a redirect, one before a second try");
}

#[tokio::test]
async fn robots_over_a_real_socket_are_cut_to_the_limit_whatever_their_type() {
    let body = "#".repeat(600_000);
    let server = Server::always(page(&body).replace("text/html", "application/octet-stream")).await;
    let answer = robots(&fetcher(config()), &url(server.at("/")), Duration::ZERO, &limits()).await;
    assert_eq!((answer.access, answer.body.len(), answer.cut), (Access::Rules, 512_000, true));
}

#[tokio::test]
async fn a_sitemap_is_unpacked_and_its_redirects_are_left_to_whoever_asks() {
    let place = url("http://a.test/sitemap.xml");
    let whole = Ok(SitemapAnswer::File(SitemapFile { bytes: b"<urlset/>".to_vec(), ..SitemapFile::default() }));
    let packed = Script::new([says(200, &[("content-type", "application/gzip")], &PACKED)]);
    assert_eq!(sitemap(&packed, &place, &limits()).await, whole);
    let coded = || Script::new([says(200, &[("content-encoding", "gzip")], &PACKED)]);
    assert_eq!(sitemap(&coded(), &place, &limits()).await, whole);
    let half = Script::new([says(200, &[("content-encoding", "gzip")], &PACKED[..PACKED.len() - 9])]);
    let Ok(SitemapAnswer::File(half)) = sitemap(&half, &place, &limits()).await else { panic!("no file") };
    assert!(half.broken);
    let short = Limits { sitemap_bytes: 4, ..limits() };
    let Ok(SitemapAnswer::File(cut)) = sitemap(&coded(), &place, &short).await else { panic!("no file") };
    assert_eq!((cut.cut, cut.broken, cut.bytes.as_slice()), (true, false, &b"<url"[..]));
    let missing = Script::new([says(404, &[], b"no")]);
    assert_eq!(sitemap(&missing, &place, &limits()).await, Err(NoSitemap::Status(404)));
    let moved = Script::new([says(302, &[("location", "http://b.test/s")], b"")]);
    assert_eq!(sitemap(&moved, &place, &limits()).await, Ok(SitemapAnswer::Moved(url("http://b.test/s"))));
    assert_eq!(moved.asked().len(), 1);
}
