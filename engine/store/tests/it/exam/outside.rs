//! What every keeper of outside links must hold to, whatever database it is on.

use groma_model::Reason;
use groma_store::StoreError;
use groma_store::outside::{Outside, OutsideAnswer, OutsideRobots};

/// A case: it is given an empty keeper.
pub(crate) type Case = fn(&mut Outside) -> Result<(), StoreError>;

/// All cases with their names.
pub(crate) const CASES: [(&str, Case); 3] = [
    ("a URL has one answer, its last", a_url_has_one_answer_its_last),
    ("since when counts from when the reason changed", since_when_counts_from_when_the_reason_changed),
    ("robots.txt is kept by host", robots_txt_is_kept_by_host),
];

pub(crate) fn answer(url: &str, reason: Reason, at: i64) -> OutsideAnswer {
    OutsideAnswer {
        url: url.to_owned(),
        at,
        since: at,
        reason,
        status: if reason == Reason::NotFound { 404 } else { 200 },
        leads_to: String::new(),
        by_get: reason == Reason::NotFound,
        etag: "\"1\"".to_owned(),
        last_modified: String::new(),
        elapsed_ms: 12,
    }
}

fn all(outside: &mut Outside) -> Result<Vec<OutsideAnswer>, StoreError> {
    let mut found = Vec::new();
    outside.each(&mut |answer| found.push(answer))?;
    found.sort_by(|a, b| a.url.cmp(&b.url));
    Ok(found)
}

fn a_url_has_one_answer_its_last(outside: &mut Outside) -> Result<(), StoreError> {
    let long = format!("http://a.test/{}\u{e9}", "x".repeat(20_000));
    let moved = OutsideAnswer {
        status: 301,
        leads_to: "http://b.test/".to_owned(),
        ..answer("http://a.test/1", Reason::Redirected, 10)
    };
    outside.keep(&[moved.clone(), answer(&long, Reason::Fetched, 10)])?;
    assert_eq!(outside.answer("http://a.test/1")?, Some(moved));
    assert_eq!(outside.answer("http://a.test/")?, None);
    outside.keep(&[answer("http://a.test/1", Reason::NotFound, 20)])?;
    outside.keep(&[])?;
    assert_eq!(all(outside)?, [answer("http://a.test/1", Reason::NotFound, 20), answer(&long, Reason::Fetched, 10)]);
    assert_eq!(outside.complaints()?, Vec::<String>::new());
    Ok(())
}

fn since_when_counts_from_when_the_reason_changed(outside: &mut Outside) -> Result<(), StoreError> {
    let since = |outside: &mut Outside, reason, at| {
        outside.keep(&[answer("http://a.test/", reason, at)])?;
        Ok::<_, StoreError>(outside.answer("http://a.test/")?.map(|answer| (answer.since, answer.at)))
    };
    assert_eq!(since(outside, Reason::NotFound, 10)?, Some((10, 10)));
    assert_eq!(since(outside, Reason::NotFound, 20)?, Some((10, 20)));
    assert_eq!(since(outside, Reason::TimeOut, 30)?, Some((30, 30)));
    assert_eq!(since(outside, Reason::NotFound, 40)?, Some((40, 40)));
    Ok(())
}

fn robots_txt_is_kept_by_host(outside: &mut Outside) -> Result<(), StoreError> {
    let said = |at, body: &[u8]| OutsideRobots { at, status: 200, body: body.to_vec() };
    assert_eq!(outside.robots("http://a.test")?, None);
    outside.keep_robots(&[
        ("http://a.test".to_owned(), said(1, b"Disallow: /\0\xff")),
        ("http://b.test".to_owned(), said(1, b"")),
    ])?;
    outside.keep_robots(&[("http://b.test".to_owned(), said(2, b"x"))])?;
    assert_eq!(outside.robots("http://a.test")?, Some(said(1, b"Disallow: /\0\xff")));
    assert_eq!(outside.robots("http://b.test")?, Some(said(2, b"x")));
    Ok(())
}
