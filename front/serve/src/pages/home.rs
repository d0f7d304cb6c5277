//! Which sites are there, and how do they stand? And one box to begin a new survey.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use groma_settings::Raw;
use groma_store::Snapshot;
use groma_store::jobs::{Filter, JobKind, JobRow, JobState};
use groma_tasks::task::Crawl;
use serde::Deserialize;

use super::layout::{self, Frame, short, show, show_as};
use super::picture::{BalanceBar, Spark};
use super::wording::Moment;
use super::words;
use crate::app::App;
use crate::door::Form;
use crate::error::Problem;
use crate::orders;
use crate::sites::Site;

/// `/`, and where its form leads.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/", get(home)).route("/cards", get(cards)).route("/sites", post(begin).get(to_home))
}

/// A site on the first page.
pub(super) struct Card {
    name: String,
    state: Badge,
    trouble: Option<String>,
    bar: Option<BalanceBar>,
    pages: u64,
    broken: u64,
    waiting: u64,
    last: Option<Moment>,
    outcome: String,
    next: Option<Moment>,
    spark: Option<Spark>,
}

/// A state in a word, and its look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Badge {
    pub(super) says: &'static str,
    pub(super) class: &'static str,
}

/// What was typed into the box.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Typed {
    pub(super) url: String,
    pub(super) depth: String,
    pub(super) limit: String,
    pub(super) scope: String,
    pub(super) exclude: String,
}

impl Typed {
    /// Some option is not the usual one.
    fn is_detailed(&self) -> bool {
        [&self.depth, &self.limit, &self.scope, &self.exclude].iter().any(|field| !field.trim().is_empty())
    }
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    frame: &'a Frame,
    cards: Vec<Card>,
    typed: &'a Typed,
    scopes: &'static [(&'static str, &'static str)],
    problem: Option<&'a Problem>,
}

#[derive(Template)]
#[template(path = "part/cards.html")]
struct Cards {
    cards: Vec<Card>,
}

async fn home(State(app): State<Arc<App>>, frame: Frame) -> Result<Response, Problem> {
    let cards = app.work(|app| Ok(all(app))).await?;
    let typed = Typed::default();
    Ok(show(&Home { frame: &frame, cards, typed: &typed, scopes: words::SCOPES, problem: None }))
}

/// The cards alone: what is shown anew while the page stays open.
async fn cards(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    Ok(show(&Cards { cards: app.work(|app| Ok(all(app))).await? }))
}

async fn to_home() -> axum::response::Redirect {
    axum::response::Redirect::to("/")
}

fn all(app: &App) -> Vec<Card> {
    app.sites.all().iter().map(card).collect()
}

/// A site that cannot be read is told as such: the others are shown all the same.
fn card(site: &Arc<Site>) -> Card {
    let mut card = Card {
        name: site.name.clone(),
        state: Badge { says: "new", class: "" },
        trouble: None,
        bar: None,
        pages: 0,
        broken: 0,
        waiting: 0,
        last: None,
        outcome: String::new(),
        next: None,
        spark: None,
    };
    if let Err(problem) = fill(&mut card, site) {
        card.state = Badge { says: "problem", class: "bad" };
        card.trouble = Some(problem.detail);
    }
    card
}

fn fill(card: &mut Card, site: &Arc<Site>) -> Result<(), Problem> {
    let mut running = false;
    if site.exists() {
        let mut store = site.read()?;
        let standing = site.standing()?;
        card.bar = Some(BalanceBar::draw(&standing, false));
        (card.pages, card.broken, card.waiting) = (standing.fetched, standing.broken, standing.queued);
        if let Some(run) = store.runs()?.last() {
            card.outcome = short(&run.outcome, 60);
            card.last = Moment::at(run.ended.unwrap_or(run.started));
        }
        running = site.folder.is_busy();
        card.state = if running { CRAWLING } else { IDLE };
    }
    let mut queue = site.queue()?;
    let writing = Filter { kinds: vec![JobKind::Crawl, JobKind::Update], ..Filter::default() };
    let jobs = queue.jobs(&writing, None, 5)?;
    if let Some(state) = state_of(&jobs) {
        card.state = if running { CRAWLING } else { state };
    }
    if let Some(last) = jobs.first() {
        card.spark = Spark::draw(&queue.curve_of(last.id)?);
    }
    let next = queue.schedules()?.iter().filter(|one| one.enabled).map(|one| one.next_at).min();
    card.next = next.and_then(Moment::at);
    Ok(())
}

const CRAWLING: Badge = Badge { says: "crawling", class: "live" };
const IDLE: Badge = Badge { says: "idle", class: "" };

/// What the last jobs that write to the survey say of it.
fn state_of(jobs: &[JobRow]) -> Option<Badge> {
    let is = |state| jobs.iter().any(|job| job.state == state);
    if is(JobState::Running) {
        Some(CRAWLING)
    } else if is(JobState::Waiting) {
        Some(Badge { says: "waiting", class: "warn" })
    } else if is(JobState::Paused) {
        Some(Badge { says: "paused", class: "warn" })
    } else if jobs.first().is_some_and(|job| job.state == JobState::Failed) {
        Some(Badge { says: "failed", class: "bad" })
    } else {
        None
    }
}

/// Begins a survey, and shows it; a mistake is shown beside what was typed.
async fn begin(State(app): State<Arc<App>>, frame: Frame, Form(typed): Form<Typed>) -> Result<Response, Problem> {
    let asked = typed.clone();
    let begun = app.work(move |app| orders::begin(app, asked.url.trim(), crawl(&asked)?, 0)).await;
    let problem = match begun {
        Ok(begun) => {
            let code = if begun.jobs.is_empty() { "survey-known" } else { "survey-begun" };
            return Ok(layout::done(&format!("/sites/{}/", begun.site.name), code, 0));
        }
        Err(problem) => problem,
    };
    let cards = app.work(|app| Ok(all(app))).await?;
    let page = Home { frame: &frame, cards, typed: &typed, scopes: words::SCOPES, problem: Some(&problem) };
    Ok(show_as(problem.status, &page))
}

/// What was typed, as a task; what is empty is as usual.
fn crawl(typed: &Typed) -> Result<Crawl, Problem> {
    let mut crawl = Crawl {
        also_exclude: typed.exclude.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect(),
        ..Crawl::default()
    };
    for (key, value) in [("depth", &typed.depth), ("limit", &typed.limit), ("scope", &typed.scope)] {
        if !value.trim().is_empty() {
            crawl.settings.set(key, key, Raw::One(value.trim().to_owned()))?;
        }
    }
    Ok(crawl)
}
