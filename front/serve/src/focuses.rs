//! Focused crawls over the web: asking for one, going on with one, forgetting one; for pages and programs alike.
//!
//! A focused crawl is a job, so nobody waits for it at a request. What may be asked is what any order over the web may be: web
//! addresses only (never a file of the server), none inside the house unless whoever runs the server named the host, and what
//! others name is guarded while it is fetched.

use std::collections::BTreeMap;

use url::Url;

use groma_desk::focus::Request;
use groma_desk::order::Order;
use groma_desk::settings::saved::Saved;
use groma_store::focuses::{FocusId, FocusRow, Focuses};
use groma_store::jobs::{JobKind, JobRow};
use groma_store::{OpenFocuses, StoreError};

use crate::app::App;
use crate::error::Problem;
use crate::orders::{self, Wanted};
use crate::sites::Site;
use crate::{underway, words};

/// Letters of a topic, of a name, of an address.
pub(crate) const LONGEST: usize = 2_000;
/// Letters of a text that is the topic.
pub(crate) const LONGEST_TEXT: usize = 60_000;
/// Start pages, and example pages, at most.
pub(crate) const MOST_ADDRESSES: usize = 50;
/// What may be said over the web about a focused crawl.
const KEYS: [&str; 10] =
    ["topic", "text", "name", "like", "seeds", "strategy", "pages", "any-type", "threshold", "batch"];
/// Somebody sits before the screen.
const PRIORITY: i32 = 10;

/// Asks for a focused crawl, or goes on with the one that was asked for in the same words. What is empty is as usual.
pub(crate) fn ask(
    app: &App,
    site: &Site,
    mut said: BTreeMap<String, String>,
    settings: BTreeMap<String, String>,
) -> Result<u64, Problem> {
    said.retain(|_, text| !text.trim().is_empty());
    check_words(&said)?;
    if !site.exists() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    let saved = Saved::load(&mut *site.read()?)?.unwrap_or_default();
    let (mut typed, mut starts) = (Vec::new(), Vec::new());
    for key in ["like", "seeds"] {
        let Some(text) = said.get(key) else { continue };
        let urls = addresses(app, key, text, &saved.seeds)?;
        said.insert(key.to_owned(), urls.iter().map(Url::as_str).collect::<Vec<_>>().join("\n"));
        typed.extend(urls.iter().filter(|url| key == "like" || !is_start(url, &saved.seeds)).cloned());
        if key == "seeds" {
            starts = urls;
        }
    }
    // As it will be understood: what makes no sense is said now, and not by a job that failed.
    Request::of(&said)?;
    if starts.is_empty() {
        starts = saved.seeds.iter().filter_map(|text| text.parse().ok()).collect();
    }
    if starts.is_empty() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    let guarded = typed.iter().any(|url| !orders::is_own(url, &app.options));
    if guarded && starts.iter().chain(&typed).any(orders::is_inside) {
        return Err(Problem::refused(words::OWN_AND_OTHERS, words::OWN_AND_OTHERS_HINT));
    }
    let wanted = Wanted { settings, focus: said, guarded, priority: PRIORITY, ..Wanted::default() };
    let order = orders::order(&wanted)?;
    orders::check(app, &order, &starts, Some(&saved))?;
    let args = order.only_for(JobKind::Focus).to_text();
    if let Some(job) = underway::waiting(site, JobKind::Focus, &args)? {
        return Ok(job);
    }
    let ids = orders::again(app, site, &[JobKind::Focus], &wanted)?;
    Ok(ids.first().map_or(0, |id| id.0))
}

/// Goes on with a crawl, up to so many pages.
pub(crate) fn go_on(app: &App, site: &Site, id: u64, pages: &str) -> Result<u64, Problem> {
    let row = one(site, id)?;
    let mut said = asked(&row);
    said.insert("pages".to_owned(), pages.trim().chars().take(20).collect());
    let wanted = Request::of(&said)?.pages;
    if wanted <= row.steps && !row.end.is_empty() {
        return Err(Problem::refused(words::no_more_pages(row.steps), words::NO_MORE_PAGES_HINT));
    }
    ask(app, site, said, BTreeMap::new())
}

/// Forgets a crawl. One that is under way cannot be forgotten.
pub(crate) fn forget(site: &Site, id: u64) -> Result<(), Problem> {
    let row = one(site, id)?;
    if open_jobs(site)?.iter().any(|job| is_of(&job.args, &row)) {
        return Err(Problem::conflict(words::FOCUS_AT_WORK, words::FOCUS_AT_WORK_HINT));
    }
    if site.folder.focuses()?.forget(FocusId(id))? { Ok(()) } else { Err(no_such()) }
}

/// The crawls of a survey, the one that was last at work first.
pub(crate) fn all(site: &Site) -> Result<Vec<FocusRow>, Problem> {
    match keeper(site)? {
        Some(mut focuses) => Ok(focuses.focuses()?),
        None => Ok(Vec::new()),
    }
}

/// The crawl of this number.
pub(crate) fn one(site: &Site, id: u64) -> Result<FocusRow, Problem> {
    let mut focuses = keeper(site)?.ok_or_else(no_such)?;
    focuses.focus(FocusId(id))?.ok_or_else(no_such)
}

/// What keeps the crawls; nothing if there never was one.
pub(crate) fn keeper(site: &Site) -> Result<Option<OpenFocuses>, StoreError> {
    site.folder.focuses_if_any()
}

/// There is no such crawl.
pub(crate) fn no_such() -> Problem {
    Problem::new(axum::http::StatusCode::NOT_FOUND, words::no_such("focused crawl"), words::NO_SUCH_FOCUS_HINT)
}

/// What was asked for, as words.
pub(crate) fn asked(row: &FocusRow) -> BTreeMap<String, String> {
    serde_json::from_str(&row.asked).unwrap_or_default()
}

/// The jobs that are under way or wait, those at work first.
pub(crate) fn open_jobs(site: &Site) -> Result<Vec<JobRow>, Problem> {
    underway::open(site, JobKind::Focus)
}

/// Does this job work on this crawl? They are the same if they were asked for in the same words, however many pages; start pages
/// that nobody named are those of the survey.
pub(crate) fn is_of(args: &str, row: &FocusRow) -> bool {
    let said = serde_json::from_str::<Order>(args).unwrap_or_default().focus;
    let Ok(request) = Request::of(&said) else { return false };
    let (mut job, mut crawl) = (request.words(), asked(row));
    for words in [&mut job, &mut crawl] {
        words.remove("pages");
    }
    if request.seeds.is_empty() {
        crawl.remove("seeds");
    }
    job == crawl
}

fn check_words(said: &BTreeMap<String, String>) -> Result<(), Problem> {
    if let Some(key) = said.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(Problem::refused(words::not_over_web(key), words::one_of(&KEYS)));
    }
    for (key, text) in said {
        let most = if matches!(key.as_str(), "text" | "like" | "seeds") { LONGEST_TEXT } else { LONGEST };
        if text.chars().count() > most {
            return Err(Problem::refused(words::too_long(key, most), words::LONG_BODY_HINT));
        }
    }
    match ["topic", "text", "like"].iter().filter(|key| said.contains_key(**key)).count() {
        0 => Err(Problem::refused(words::NO_TOPIC, words::NO_TOPIC_HINT)),
        1 => Ok(()),
        _ => Err(Problem::refused(words::SEVERAL_TOPICS, words::SEVERAL_TOPICS_HINT)),
    }
}

/// Addresses as somebody typed them, one a line or with spaces between them. Start pages that the survey has already may be anywhere.
fn addresses(app: &App, key: &str, text: &str, known: &[String]) -> Result<Vec<Url>, Problem> {
    let mut urls: Vec<Url> = Vec::new();
    for typed in text.split_whitespace() {
        let url = orders::outside(app, typed, |url| key == "seeds" && is_start(url, known))?;
        if !urls.contains(&url) {
            urls.push(url);
        }
        if urls.len() > MOST_ADDRESSES {
            return Err(Problem::refused(words::too_many_addresses(key, MOST_ADDRESSES), words::LONG_BODY_HINT));
        }
    }
    Ok(urls)
}

fn is_start(url: &Url, known: &[String]) -> bool {
    known.iter().any(|start| start == url.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn one_topic_is_needed_and_no_more() {
        assert!(check_words(&said(&[("topic", "plumb lines")])).is_ok());
        for bad in [
            &[("pages", "5")][..],
            &[("topic", "a"), ("like", "http://a.example/")],
            &[("topic", "a"), ("depth", "9")],
            &[("topic", &*"x".repeat(LONGEST + 1))],
        ] {
            assert_eq!(check_words(&said(bad)).unwrap_err().status.as_u16(), 422, "{bad:?}");
        }
    }

    #[test]
    fn a_job_knows_its_crawl_by_the_words() {
        let order = |pairs: &[(&str, &str)]| Order { focus: said(pairs), ..Order::default() }.to_text();
        let asked = Request::of(&said(&[("topic", "rods"), ("seeds", "http://a.example/"), ("pages", "9")])).unwrap();
        let row = FocusRow {
            id: FocusId(1),
            key: String::new(),
            topic: "rods".into(),
            strategy: "arms".into(),
            asked: serde_json::to_string(&asked.words()).unwrap(),
            begun: 0,
            last: 0,
            steps: 0,
            relevant: 0,
            end: String::new(),
        };
        assert!(is_of(&order(&[("topic", "rods"), ("pages", "500")]), &row), "the start pages are the survey's");
        assert!(is_of(&order(&[("topic", "rods"), ("seeds", "http://a.example/")]), &row));
        assert!(!is_of(&order(&[("topic", "rods"), ("seeds", "http://b.example/")]), &row));
        assert!(!is_of(&order(&[("topic", "rods"), ("strategy", "bfs")]), &row));
        assert!(!is_of("nonsense", &row));
    }
}
