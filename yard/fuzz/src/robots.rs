//! Does robots.txt always get an answer, the same one however its lines end, and one that can be explained?
//!
//! Input: a line with a path and query, then the file.

use groma_model::Limits;
use groma_page::robots::Robots;
use groma_url::Url;

const AGENT: &str = "groma";

pub fn robots(data: &[u8]) {
    let (path, file) = crate::first_line(data);
    let limits = Limits::default();
    let text = format!("http://h.test/{}", String::from_utf8_lossy(path).trim_start_matches('/'));
    let Ok(url) = Url::parse(&text) else { return };
    let robots = Robots::parse(file, AGENT, &limits);
    agreement(&robots, &url);
    assert!(robots.crawl_delay().is_none_or(|delay| delay.as_secs() <= limits.crawl_delay_s), "the delay is bounded");
    assert!(robots.sitemaps().iter().all(|address| !address.is_empty() && address.trim_ascii() == address));
    let door = Url::parse("http://h.test/robots.txt").expect("a URL");
    assert!(robots.allows(&door), "robots.txt itself may always be asked for");
    if file.len() < 100_000 {
        the_same_in_other_words(&robots, &url, file, &limits);
        cut_short(&url, file, &limits);
    }
}

/// The line that decided says the same as the decision.
fn agreement(robots: &Robots, url: &Url) {
    let allowed = robots.allows(url);
    assert_eq!(robots.allows(url), allowed, "asked twice");
    match robots.explain(url) {
        None => assert!(allowed, "nothing is forbidden without a line that says so: {url}"),
        Some(line) => {
            let word = line.trim_start().get(..5).unwrap_or_default().to_ascii_lowercase();
            assert_eq!(word == "allow", allowed, "{line} about {url}");
            assert!(line.contains("(line "), "{line}");
        }
    }
}

/// Ends of lines, a comment in front and a fragment on the URL mean nothing.
fn the_same_in_other_words(robots: &Robots, url: &Url, file: &[u8], limits: &Limits) {
    let allowed = robots.allows(url);
    let carriage: Vec<u8> = file.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
    if !file.contains(&b'\r') {
        assert_eq!(Robots::parse(&carriage, AGENT, limits).allows(url), allowed, "CR ends a line as LF does");
    }
    if !file.starts_with(b"\xef\xbb\xbf") {
        let commented = Robots::parse(&[b"# about us: Disallow: /\n", file].concat(), AGENT, limits);
        assert_eq!(commented.allows(url), allowed, "a comment means nothing");
        assert_eq!(commented.sitemaps(), robots.sitemaps());
        assert_eq!(commented.crawl_delay(), robots.crawl_delay());
    }
    let mut marked = url.clone();
    marked.set_fragment(Some("part"));
    assert_eq!(robots.allows(&marked), allowed, "a fragment is never sent");
}

/// A file beyond the limit is read as if it ended with the last line before it.
fn cut_short(url: &Url, file: &[u8], limits: &Limits) {
    let half = file.len() / 2;
    let narrow = Limits { robots_bytes: half as u64, ..limits.clone() };
    let lines = match file.get(half) {
        None | Some(b'\n' | b'\r') => &file[..half],
        _ => &file[..file[..half].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(0)],
    };
    let (cut, whole) = (Robots::parse(file, AGENT, &narrow), Robots::parse(lines, AGENT, limits));
    assert_eq!(
        (cut.allows(url), cut.sitemaps()),
        (whole.allows(url), whole.sitemaps()),
        "half of a line does not count"
    );
}
