//! Gatherings over the web: asking for one, going on with one, forgetting one; for pages and programs alike.
//!
//! A gathering is a job, so nobody waits for it at a request. What may be asked is what any order over the web may be: web addresses
//! only, none inside the house unless whoever runs the server named the host or the survey was begun there, and what others name is
//! guarded while it is fetched.

mod told;

use std::collections::BTreeMap;

use url::Url;

use groma_desk::gather::Request;
use groma_desk::order::Order;
use groma_desk::settings::saved::Saved;
use groma_store::gathers::{GatherId, GatherRow, Gathers};
use groma_store::jobs::{JobKind, JobRow};
use groma_store::{OpenGathers, StoreError};

use crate::app::App;
use crate::error::Problem;
use crate::orders::{self, Wanted};
use crate::sites::Site;
use crate::{underway, words};

pub(crate) use told::{Plan, PlanField, Report, Statement};

/// Letters of an address, and of the name of a form.
pub(crate) const LONGEST: usize = 2_000;
/// Letters of a description.
pub(crate) const LONGEST_DESCRIPTION: usize = 60_000;
/// What may be said over the web about a gathering.
const KEYS: [&str; 7] = ["address", "description", "form", "how", "post", "budget", "plan"];
/// What does not make it another gathering: how far it goes.
const HOW_FAR: [&str; 2] = ["budget", "plan"];
/// Somebody sits before the screen.
const PRIORITY: i32 = 10;

/// Asks for a gathering, or goes on with the one that was asked for in the same words. What is empty is as usual.
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
    let starts: Vec<Url> = saved.seeds.iter().filter_map(|text| text.parse().ok()).collect();
    let is_known = |url: &Url| starts.iter().any(|start| start.origin() == url.origin());
    let typed = said.get("address").map(String::as_str).unwrap_or_default();
    let url = orders::outside(app, typed.trim(), is_known)?;
    said.insert("address".to_owned(), url.to_string());
    // As it will be understood: what makes no sense is said now, and not by a job that failed.
    Request::of(&said)?;
    let guarded = !is_known(&url) && !orders::is_own(&url, &app.options);
    let wanted = Wanted { settings, gather: said, guarded, priority: PRIORITY, ..Wanted::default() };
    let order = orders::order(&wanted)?;
    orders::check(app, &order, &[url], Some(&saved))?;
    let args = order.only_for(JobKind::Gather).to_text();
    if let Some(job) = underway::waiting(site, JobKind::Gather, &args)? {
        return Ok(job);
    }
    let ids = orders::again(app, site, &[JobKind::Gather], &wanted)?;
    Ok(ids.first().map_or(0, |id| id.0))
}

/// Goes on with a gathering that has not ended, up to so many requests in all (empty: as many as it takes); gathers again one that has.
pub(crate) fn go_on(app: &App, site: &Site, id: u64, budget: &str) -> Result<u64, Problem> {
    let row = one(site, id)?;
    let mut said = asked(&row);
    said.retain(|key, _| !HOW_FAR.contains(&key.as_str()));
    said.insert("budget".to_owned(), budget.trim().chars().take(20).collect());
    said.retain(|_, text| !text.is_empty());
    let wanted = Request::of(&said)?.budget;
    if row.end.is_empty() && wanted.is_some_and(|most| most <= u64::from(row.requests)) {
        return Err(Problem::refused(words::no_more_requests(row.requests), words::NO_MORE_REQUESTS_HINT));
    }
    ask(app, site, said, BTreeMap::new())
}

/// Gathers the same with another description.
pub(crate) fn describe(app: &App, site: &Site, id: u64, description: &str) -> Result<u64, Problem> {
    let mut said = asked(&one(site, id)?);
    said.remove("plan");
    // The lines say which form is meant, where they do.
    if description.lines().any(|line| line.trim_start().to_ascii_lowercase().starts_with("db.form")) {
        said.remove("form");
    }
    said.insert("description".to_owned(), description.to_owned());
    ask(app, site, said, BTreeMap::new())
}

/// Forgets a gathering. One that is under way cannot be forgotten.
pub(crate) fn forget(site: &Site, id: u64) -> Result<(), Problem> {
    let row = one(site, id)?;
    if open_jobs(site)?.iter().any(|job| is_of(&job.args, &row)) {
        return Err(Problem::conflict(words::GATHERING_AT_WORK, words::GATHERING_AT_WORK_HINT));
    }
    if site.folder.gathers()?.forget(GatherId(id))? { Ok(()) } else { Err(no_such()) }
}

/// The gatherings of a survey, the one that was last at work first.
pub(crate) fn all(site: &Site) -> Result<Vec<GatherRow>, Problem> {
    match keeper(site)? {
        Some(mut gathers) => Ok(gathers.gathers()?),
        None => Ok(Vec::new()),
    }
}

/// The gathering of this number.
pub(crate) fn one(site: &Site, id: u64) -> Result<GatherRow, Problem> {
    open(site, id).map(|(_, row)| row)
}

/// The gathering of this number, and what keeps it.
pub(crate) fn open(site: &Site, id: u64) -> Result<(OpenGathers, GatherRow), Problem> {
    let mut gathers = keeper(site)?.ok_or_else(no_such)?;
    let row = gathers.gather(GatherId(id))?.ok_or_else(no_such)?;
    Ok((gathers, row))
}

/// The gatherings whose form or document is at this address, the one that was last at work first.
pub(crate) fn at(site: &Site, address: &str) -> Result<Vec<GatherRow>, Problem> {
    let mut rows = all(site)?;
    rows.retain(|row| row.address == address || row.form == address);
    Ok(rows)
}

/// What keeps the gatherings; nothing if there never was one.
pub(crate) fn keeper(site: &Site) -> Result<Option<OpenGathers>, StoreError> {
    site.folder.gathers_if_any()
}

/// There is no such gathering.
pub(crate) fn no_such() -> Problem {
    Problem::new(axum::http::StatusCode::NOT_FOUND, words::no_such("gathering"), words::NO_SUCH_GATHERING_HINT)
}

/// What was asked for, as words.
pub(crate) fn asked(row: &GatherRow) -> BTreeMap<String, String> {
    serde_json::from_str(&row.asked).unwrap_or_default()
}

/// The jobs that are under way or wait, those at work first.
pub(crate) fn open_jobs(site: &Site) -> Result<Vec<JobRow>, Problem> {
    underway::open(site, JobKind::Gather)
}

/// Does this job work on this gathering? They are the same if they were asked for in the same words, however far they go.
pub(crate) fn is_of(args: &str, row: &GatherRow) -> bool {
    let said = serde_json::from_str::<Order>(args).unwrap_or_default().gather;
    let Ok(request) = Request::of(&said) else { return false };
    let (mut job, mut gathering) = (request.words(), asked(row));
    for words in [&mut job, &mut gathering] {
        words.retain(|key, _| !HOW_FAR.contains(&key.as_str()));
    }
    job == gathering
}

fn check_words(said: &BTreeMap<String, String>) -> Result<(), Problem> {
    if let Some(key) = said.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(Problem::refused(words::not_over_web(key), words::one_of(&KEYS)));
    }
    for (key, text) in said {
        let most = if key == "description" { LONGEST_DESCRIPTION } else { LONGEST };
        if text.chars().count() > most {
            return Err(Problem::refused(words::too_long(key, most), words::LONG_BODY_HINT));
        }
    }
    if said.contains_key("address") {
        return Ok(());
    }
    Err(Problem::refused(words::NO_DATABASE, words::GATHER_HAS_ITS_PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn an_address_is_needed_and_nothing_else_can_be_said() {
        assert!(check_words(&said(&[("address", "http://a.example/"), ("budget", "5")])).is_ok());
        for bad in [
            &[("budget", "5")][..],
            &[("address", "http://a.example/"), ("proxy", "http://evil/")],
            &[("address", &*"x".repeat(LONGEST + 1))],
            &[("address", "http://a.example/"), ("description", &*"x".repeat(LONGEST_DESCRIPTION + 1))],
        ] {
            assert_eq!(check_words(&said(bad)).unwrap_err().status.as_u16(), 422, "{bad:?}");
        }
    }

    #[test]
    fn a_job_knows_its_gathering_by_the_words() {
        let order = |pairs: &[(&str, &str)]| Order { gather: said(pairs), ..Order::default() }.to_text();
        let asked = Request::of(&said(&[("address", "http://a.example/"), ("budget", "9")])).unwrap();
        let row = GatherRow {
            id: GatherId(1),
            key: String::new(),
            address: "http://a.example/".into(),
            form: String::new(),
            title: String::new(),
            asked: serde_json::to_string(&asked.words()).unwrap(),
            begun: 0,
            last: 0,
            generation: 0,
            shown: 0,
            requests: 0,
            records: 0,
            end: String::new(),
            statement: String::new(),
            report: String::new(),
        };
        assert!(is_of(&order(&[("address", "http://a.example/"), ("plan", "yes")]), &row));
        assert!(!is_of(&order(&[("address", "http://b.example/")]), &row));
        assert!(!is_of(&order(&[("address", "http://a.example/"), ("form", "2")]), &row));
        assert!(!is_of("nonsense", &row));
    }
}
