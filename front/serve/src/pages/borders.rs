//! `/sites/{site}/borders`: where does the logical site end? What was found and how sure that is, the list of its parts with a
//! button for each, the clusters around it, the family it is from, and what people decided.

mod act;
mod family;
mod graph;
mod layout;
mod list;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use groma_desk::bounds::{self, Header, LogRow};
use groma_model::wording::grouped;
use groma_store::jobs::JobState;

use self::family::Family;
use self::graph::Graph;
use self::list::{Group, groups};
use super::jobs::view::JobView;
use super::layout::{Frame, Tab, query, short, show, show_as};
use super::map::number;
use super::shown::counted;
use super::wording::Moment;
use crate::app::{App, now};
use crate::borders;
use crate::door::{Path, Query, TaskForm};
use crate::error::Problem;
use crate::sites::Site;

/// Rows of the log shown.
const LOG: usize = 60;
/// Letters of an address.
const ADDRESS: usize = 300;

/// The page and what its forms do.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}/borders", get(page))
        .route("/sites/{site}/borders/state", get(state))
        .route("/sites/{site}/borders/find", post(act::find))
        .route("/sites/{site}/borders/decide", post(act::decide))
        .route("/sites/{site}/borders/price", post(act::price))
        .route("/sites/{site}/borders/undo", post(act::undo))
        .route("/sites/{site}/borders.surt", get(act::surt))
}

/// What was asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    /// Which of the sites that were found.
    start: String,
    /// Which member of the family is looked at.
    step: String,
    /// With anything in it, the whole list is shown.
    all: String,
}

#[derive(Template)]
#[template(path = "borders.html")]
struct BordersPage {
    frame: Frame,
    site: String,
    begun: bool,
    found: Option<Found>,
    others: Vec<Other>,
    job: Option<JobView>,
    typed: TaskForm,
    methods: &'static [(&'static str, &'static str)],
    problem: Option<Problem>,
}

#[derive(Template)]
#[template(path = "part/border_job.html")]
struct JobPart<'a> {
    site: &'a str,
    job: &'a JobView,
}

/// Another site that was found in the survey.
struct Other {
    name: String,
    href: String,
    here: bool,
}

/// A site that was found.
struct Found {
    /// As it is kept.
    start: String,
    name: String,
    says: String,
    sure: u32,
    stats: Vec<(&'static str, String)>,
    method: &'static str,
    price: String,
    why: String,
    warnings: Vec<String>,
    notes: Vec<String>,
    keywords: Vec<String>,
    at: Option<Moment>,
    stale: bool,
    /// The price was given and not chosen.
    given: bool,
    groups: Vec<Group>,
    /// Another member of the family than the one that was taken is looked at.
    preview: bool,
    all_href: String,
    cut: bool,
    family: Option<Family>,
    graph: Option<Graph>,
    log: Vec<LogView>,
    log_more: usize,
    can_undo: bool,
    surt: String,
    here: String,
}

/// A row of the log.
struct LogView {
    id: u64,
    kind: &'static str,
    subject: String,
    who: String,
    at: Option<Moment>,
    holds: bool,
    undoes: Option<u64>,
}

/// How the usual one is marked where one chooses.
const USUAL: &str = " (usual)";
/// What can be chosen; the first is the usual one.
const METHODS: &[(&str, &str)] = &[
    ("mcl+flow", "clusters, then the cheapest cut around them (usual)"),
    ("flow", "the cheapest cut around the start alone"),
    ("mcl", "clusters alone"),
];

async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    shown(&app, frame, &site, asked, TaskForm::default(), None).await
}

/// The page; after a mistake with what was typed and what is wrong with it.
async fn shown(
    app: &Arc<App>,
    frame: Frame,
    site: &Arc<Site>,
    asked: Asked,
    typed: TaskForm,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    let frame = frame.on(site, Tab::Borders);
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let of = Arc::clone(site);
    let page = app.work(move |_| read(frame, &of, &asked, typed, problem)).await?;
    Ok(show_as(status, &page))
}

fn read(
    mut frame: Frame,
    site: &Arc<Site>,
    asked: &Asked,
    typed: TaskForm,
    problem: Option<Problem>,
) -> Result<BordersPage, Problem> {
    let wanted = number(&asked.step, "step")?;
    let job = borders::search(site)?;
    let begun = site.exists();
    let starts = if begun { site.starts()? } else { Vec::new() };
    let start = Some(asked.start.trim()).filter(|start| !start.is_empty());
    let known = start.is_none_or(|start| starts.iter().any(|one| one == start));
    let found = if known { site.bounds(start)? } else { None };
    let found = found.map(|found| tell(site, &found, asked, wanted)).transpose()?;
    let here = found.as_ref().map_or("", |found| found.start.as_str());
    let other = |start: &String| Other {
        name: called(start),
        href: format!("/sites/{}/borders{}", site.name, query(&[("start", start)])),
        here: start == here,
    };
    let others = if starts.len() > 1 || !known { starts.iter().map(other).collect() } else { Vec::new() };
    let job = job.map(|row| JobView::of(&site.name, &row, now()));
    frame.refresh = job.as_ref().filter(|job| !job.is_over()).map(|_| 5);
    Ok(BordersPage { site: site.name.clone(), begun, found, others, job, typed, methods: METHODS, problem, frame })
}

fn tell(site: &Arc<Site>, found: &bounds::Site, asked: &Asked, wanted: Option<u32>) -> Result<Found, Problem> {
    let header = &found.header;
    let family = Family::of(header, wanted);
    let other = family.as_ref().filter(|family| family.step != family.chosen).map(|family| family.step);
    let lines = match other {
        Some(step) => found.at(&*site.ground()?, step),
        None => found.prefixes.clone(),
    };
    let step = other.map(|step| step.to_string()).unwrap_or_default();
    let link = |all: &str| {
        let pairs = [("start", header.start.as_str()), ("step", &step), ("all", all)];
        format!("/sites/{}/borders{}#list", site.name, query(&pairs))
    };
    let (groups, cut) = groups(&site.name, &lines, !asked.all.is_empty());
    let mut log = bounds::decisions(&site.folder, Some(&header.start))?;
    let can_undo = log.iter().any(|row| row.holds);
    let log_more = log.len().saturating_sub(LOG);
    log.reverse();
    log.truncate(LOG);
    Ok(Found {
        name: called(&header.start),
        says: says(header),
        sure: percent(header.confidence),
        stats: stats(header),
        method: METHODS
            .iter()
            .find(|method| method.0 == header.method)
            .map_or("", |method| method.1.trim_end_matches(USUAL)),
        price: price(header.epsilon),
        why: short(&header.why, ADDRESS),
        warnings: header.warnings.iter().map(|text| short(text, ADDRESS)).collect(),
        notes: header.notes.iter().map(|text| short(text, ADDRESS)).collect(),
        keywords: header.keywords.iter().map(|keyword| short(&keyword.word, 60)).collect(),
        at: Moment::of(header.at),
        stale: found.stale,
        given: found.request.settings.epsilon.is_some(),
        preview: other.is_some(),
        all_href: link("1"),
        groups,
        cut,
        graph: found.nearby.as_ref().and_then(|nearby| Graph::of(&site.name, nearby)),
        log: log.iter().map(log_view).collect(),
        log_more,
        can_undo,
        surt: format!("/sites/{}/borders.surt{}", site.name, query(&[("start", &header.start)])),
        here: format!("/sites/{}/borders{}", site.name, query(&[("start", &header.start)])),
        start: header.start.clone(),
        family,
    })
}

fn says(header: &Header) -> String {
    let counts = &header.counts;
    let verb = if counts.r#in == 1 { "belongs" } else { "belong" };
    let undecided = match counts.undecided {
        0 => "none is undecided".to_owned(),
        1 => "1 is undecided".to_owned(),
        many => format!("{} are undecided", grouped(many.into())),
    };
    format!("{} {verb} to it, {undecided}, of {}.", counted_pages(counts.r#in), counted_pages(counts.pages))
}

fn stats(header: &Header) -> Vec<(&'static str, String)> {
    let counts = &header.counts;
    let number = |number: u32| grouped(number.into());
    vec![
        ("in", number(counts.r#in)),
        ("undecided", number(counts.undecided)),
        ("out", number(counts.out)),
        (if counts.hosts == 1 { "host" } else { "hosts" }, number(counts.hosts)),
        (if header.seeds == 1 { "start page" } else { "start pages" }, number(header.seeds)),
    ]
}

fn log_view(row: &LogRow) -> LogView {
    LogView {
        id: row.id,
        kind: match row.kind {
            "accept" => "belongs to it",
            "reject" => "does not",
            "merge" => "is the same site",
            _ => "taken back",
        },
        subject: short(&row.subject, ADDRESS),
        who: short(&row.who, 64),
        at: Moment::of(row.at),
        holds: row.holds,
        undoes: row.undoes,
    }
}

/// What a site is called by, fit for a heading.
fn called(start: &str) -> String {
    match start.strip_prefix("keyword:") {
        Some(word) => format!("the keyword “{}”", short(word, 80)),
        None => short(start, 160),
    }
}

/// A price, as people can compare it: three digits.
fn price(epsilon: f64) -> String {
    match epsilon {
        _ if !epsilon.is_finite() || epsilon <= 0.0 => "nothing".to_owned(),
        _ => groma_desk::words::plain_price(epsilon),
    }
}

/// A share of 100.
fn percent(confidence: f32) -> u32 {
    (confidence.clamp(0.0, 1.0) * 100.0).round() as u32
}

fn counted_pages(count: u32) -> String {
    counted(count.into(), "page", "pages")
}

/// A number that is written already, with its word.
fn pages(count: &str) -> String {
    if count == "1" { "1 page".to_owned() } else { format!("{count} pages") }
}

/// The search alone, for a page that stays open; when it is over, the whole page is to be loaded anew.
async fn state(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    match app.work(move |_| borders::search(&of)).await? {
        Some(row) if row.state != JobState::Failed => {
            Ok(show(&JobPart { site: &site.name, job: &JobView::of(&site.name, &row, now()) }))
        }
        _ => Ok(StatusCode::RESET_CONTENT.into_response()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_said_with_three_digits() {
        let said: Vec<String> =
            [0.123_456, 0.001_234_5, 12.34, 123.4, 0.000_044, 1e12, 0.0, f64::NAN].map(price).into();
        assert_eq!(said, ["0.123", "0.00123", "12.3", "123", "0.000044", "1000000000000", "nothing", "nothing"]);
    }
}
