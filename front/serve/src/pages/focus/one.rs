//! `/sites/{site}/focus/{id}`: one focused crawl: its numbers and curves, the pages it found, and what can be done about it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use groma_desk::focus::{Form, Line};
use groma_desk::task::{Focus, PAGES};
use groma_model::wording::grouped;
use groma_store::Snapshot;
use groma_store::focuses::{FocusRow, Focuses, StepRow};

use super::compare::POINTS;
use super::{harvest, topic};
use crate::app::{App, now};
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::focuses;
use crate::pages::jobs::view::JobView;
use crate::pages::layout::{Frame, Tab, query, short, show, show_as};
use crate::pages::map::number;
use crate::pages::picture::{Harvest, Reaped, Richness, stretch_of};
use crate::pages::problems::{Pager, pager};
use crate::pages::shown::{Shown, counted};
use crate::pages::wording::Moment;
use crate::pages::words;
use crate::sites::Site;

/// Pages of a list at a time.
const LISTED: usize = 25;

/// Which part of which list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    /// `all`: all pages in the order in which they were fetched; otherwise the relevant ones, the best first.
    list: String,
    page: String,
}

#[derive(Template)]
#[template(path = "focus_one.html")]
struct OnePage {
    frame: Frame,
    site: String,
    id: u64,
    topic: String,
    numbers: Numbers,
    asked: Vec<(&'static str, String)>,
    all: bool,
    rows: Vec<PageRow>,
    pager: Pager,
    files: Vec<(String, &'static str)>,
    /// Pages that are proposed for going on.
    more: u32,
    problem: Option<Problem>,
}

/// The numbers of a crawl: the part of the page that follows it while it is at work.
pub(super) struct Numbers {
    job: Option<JobView>,
    stats: Vec<(&'static str, String)>,
    end: &'static str,
    begun: Option<Moment>,
    last: Option<Moment>,
    picture: Option<Harvest>,
    richness: Option<Richness>,
    stretch: String,
}

#[derive(Template)]
#[template(path = "part/focus_numbers.html")]
struct NumbersPart<'a> {
    site: &'a str,
    numbers: &'a Numbers,
}

/// A page of the list.
struct PageRow {
    n: String,
    page: Shown,
    why_href: String,
    r: String,
    /// R of 100.
    width: f64,
    kind: String,
    sure: String,
    cosines: Vec<Cosine>,
    parent: Option<Shown>,
    why: String,
    relevant: bool,
}

/// How near a part of a page is to the topic.
pub(super) struct Cosine {
    pub(super) name: String,
    pub(super) says: String,
    /// Of 100.
    pub(super) width: f64,
}

impl Cosine {
    /// All of a page, the nearest first.
    pub(super) fn all(line: &Line) -> Vec<Cosine> {
        let mut all: Vec<(&String, f64)> = line.cosines.iter().map(|(name, cosine)| (name, *cosine)).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.into_iter()
            .map(|(name, cosine)| Cosine { name: short(name, 40), says: two(cosine), width: of_100(cosine) })
            .collect()
    }
}

/// A number with two digits; what is less than nothing by a hair is nothing.
pub(super) fn two(number: f64) -> String {
    let number = if number.abs() < 0.005 { 0.0 } else { number };
    format!("{number:.2}")
}

/// A share of 100, with one digit.
pub(super) fn of_100(share: f64) -> f64 {
    if share.is_finite() { (share.clamp(0.0, 1.0) * 1000.0).round() / 10.0 } else { 0.0 }
}

/// The page.
pub(super) async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    shown(&app, frame, &site, id, asked, None).await
}

/// The page; after a mistake with what is wrong.
pub(super) async fn shown(
    app: &Arc<App>,
    frame: Frame,
    site: &Arc<Site>,
    id: u32,
    asked: Asked,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    let frame = frame.on(site, Tab::Focus);
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let of = Arc::clone(site);
    let page = app.work(move |_| read(frame, &of, id, &asked, problem)).await?;
    Ok(show_as(status, &page))
}

fn read(mut frame: Frame, site: &Site, id: u32, asked: &Asked, problem: Option<Problem>) -> Result<OnePage, Problem> {
    let part = number(&asked.page, "page")?.unwrap_or(1).max(1) as usize;
    let row = focuses::one(site, id.into())?;
    let mut kept = focuses::keeper(site)?.ok_or_else(focuses::no_such)?;
    let all = asked.list == "all";
    let skip = (part - 1).saturating_mul(LISTED);
    let steps = if all {
        kept.steps(row.id, u32::try_from(skip).unwrap_or(u32::MAX), LISTED, false)?
    } else {
        kept.best(row.id, skip, LISTED)?
    };
    let mut store = site.read()?;
    let mut rows = Vec::new();
    for step in &steps {
        rows.push(page_row(site, id, &mut *store, step)?);
    }
    let numbers = numbers(site, &row, &mut kept)?;
    frame.refresh = numbers.job.as_ref().map(|_| 5);
    let count = if all { row.steps } else { row.relevant };
    let list = if all { "all" } else { "" };
    let href =
        |part: &str| format!("/sites/{}/focus/{id}{}#pages", site.name, query(&[("list", list), ("page", part)]));
    let file = |form: Form| (format!("/sites/{}/focus/{id}/pages.{}", site.name, form.ending()), file_says(form));
    Ok(OnePage {
        site: site.name.clone(),
        id: row.id.0,
        topic: topic(&row),
        asked: what_was_asked(&row),
        all,
        rows,
        pager: pager(part, LISTED, count as usize, &href),
        files: Form::ALL.map(file).into(),
        more: row.steps.saturating_mul(2).max(PAGES),
        numbers,
        problem,
        frame,
    })
}

fn file_says(form: Form) -> &'static str {
    match form {
        Form::Csv => "CSV",
        Form::Json => "JSON Lines",
        Form::Warc => "WARC, the pages themselves",
    }
}

fn numbers(site: &Site, row: &FocusRow, kept: &mut Focuses) -> Result<Numbers, Problem> {
    let job = focuses::open_jobs(site)?.into_iter().find(|job| focuses::is_of(&job.args, row));
    let points = kept.curve(row.id, POINTS)?;
    let stretch = stretch_of(&points);
    let before = points.iter().rev().find(|point| point.0 + stretch <= row.steps).copied().unwrap_or((0, 0));
    let last = (row.steps.saturating_sub(before.0), row.relevant.saturating_sub(before.1));
    let reaped = [Reaped { id: row.id.0, strategy: row.strategy.clone(), points: points.clone() }];
    Ok(Numbers {
        job: job.map(|job| JobView::of(&site.name, &job, now())),
        stats: vec![
            ("pages fetched", grouped(row.steps.into())),
            ("relevant", grouped(row.relevant.into())),
            ("harvest", harvest(row.relevant, row.steps)),
            ("harvest of the last stretch", harvest(last.1, last.0)),
        ],
        end: words::focus_end(&row.end),
        begun: Moment::of(row.begun),
        last: Moment::of(row.last),
        picture: Harvest::of(&reaped),
        richness: Richness::of(&points),
        stretch: counted(stretch.into(), "page", "pages"),
    })
}

/// What was asked for, in words of ours; what is as usual is left out.
fn what_was_asked(row: &FocusRow) -> Vec<(&'static str, String)> {
    let task = Focus::read_stored(&row.asked).unwrap_or_default();
    let number = |number: Option<String>| number.unwrap_or_default();
    let names = [
        ("Text", task.text.as_deref().unwrap_or_default().to_owned()),
        ("Pages like", task.like.join(" ")),
        ("Start pages", task.seeds.join(" ")),
        ("Pages at most", task.pages().to_string()),
        ("Pages of any type", if task.any_type { words::YES } else { "" }.to_owned()),
        ("Relevant from R", number(task.threshold.map(|number| number.to_string()))),
        ("At a time", number(task.batch.map(|number| number.to_string()))),
    ];
    let strategy = words::STRATEGIES.iter().find(|one| one.0 == row.strategy);
    let strategy = strategy.map_or_else(|| short(&row.strategy, 40), |one| format!("{}: {}", one.0, one.2));
    let others = names.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, short(&text, 400)));
    std::iter::once(("Strategy", strategy)).chain(others).collect()
}

fn page_row(site: &Site, id: u32, store: &mut dyn Snapshot, step: &StepRow) -> Result<PageRow, Problem> {
    let line: Line = serde_json::from_str(&step.said).unwrap_or_default();
    let title = store.page(step.page)?.map(|page| page.facts.title).unwrap_or_default();
    Ok(PageRow {
        n: grouped(u64::from(step.order) + 1),
        page: Shown::of(&site.name, &step.address, &title),
        why_href: why_href(&site.name, id, &step.address),
        r: two(step.score),
        width: of_100(step.score),
        kind: short(&line.r#type, 40),
        sure: if line.r#type.is_empty() { String::new() } else { format!("{:.0} %", line.confidence * 100.0) },
        cosines: Cosine::all(&line),
        parent: line.parent.as_deref().map(|parent| Shown::of(&site.name, parent, "")),
        why: short(&line.why, 200),
        relevant: step.relevant,
    })
}

/// Where it is told why a crawl went to a page.
pub(super) fn why_href(site: &str, id: u32, address: &str) -> String {
    format!("/sites/{site}/focus/{id}/page{}", query(&[("address", address)]))
}

/// The numbers alone, for a page that stays open; when the job is over, the whole page is to be loaded anew.
pub(super) async fn state(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u32)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    let numbers = app
        .work(move |_| {
            let row = focuses::one(&of, id.into())?;
            let mut kept = focuses::keeper(&of)?.ok_or_else(focuses::no_such)?;
            numbers(&of, &row, &mut kept)
        })
        .await?;
    if numbers.job.is_none() {
        return Ok(StatusCode::RESET_CONTENT.into_response());
    }
    Ok(show(&NumbersPart { site: &site.name, numbers: &numbers }))
}
