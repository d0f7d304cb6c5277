//! `/sites/{site}/changes`: what the runs changed, as a timeline and one by one; two kept runs compared in links, findings and
//! structure too.

mod compared;
mod timeline;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use groma_model::wording::{grouped, write_row};
use groma_store::{ChangeKind, RunRow, Snapshot};
use groma_tasks::changes::{self, Changed, runs_pages_only};
use serde::Deserialize;

use self::compared::Compared;
use self::timeline::{Timeline, class};
use super::layout::{Frame, Tab, query, short, show};
use super::pager::{Pager, pager, part_number, query_number};
use super::shown::{Shown, minute};
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::sites::Site;
use crate::spool::{Sent, Spool};

/// Changes on a page.
const ROWS: usize = 100;

/// The page and its file.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/changes", get(show_changes)).route("/sites/{site}/changes.csv", get(save))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    /// The run; the last one if nothing is said.
    run: String,
    /// An earlier run to compare with.
    from: String,
    kind: String,
    q: String,
    page: String,
}

#[derive(Template)]
#[template(path = "changes.html")]
struct ChangesPage {
    frame: Frame,
    site: String,
    asked: Asked,
    runs: Vec<RunView>,
    timeline: Option<Timeline>,
    chosen: Option<RunView>,
    /// All pages of the first crawl are new.
    first: bool,
    kinds: Vec<KindView>,
    rows: Vec<RowView>,
    pager: Pager,
    csv: String,
    /// Earlier runs it can be compared with in links, findings and structure.
    earlier: Vec<u32>,
    compared: Option<Compared>,
    note: Option<&'static str>,
}

#[derive(Clone)]
struct RunView {
    id: u32,
    kind: String,
    started: String,
    outcome: String,
    href: String,
    on: bool,
}

struct KindView {
    name: &'static str,
    class: &'static str,
    count: String,
    href: String,
    on: bool,
}

struct RowView {
    change: &'static str,
    class: &'static str,
    page: Shown,
    to: Option<Shown>,
    amount: String,
    percent: Option<u8>,
    at: String,
}

async fn show_changes(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&site)?;
    let frame = frame.on(&site, Tab::Changes);
    let page = app.work(move |_| look(frame, &site, &asked)).await?;
    Ok(show(&page))
}

/// The changes of the run that is meant.
fn read(store: &mut dyn Snapshot, asked: &Asked) -> Result<Option<(RunRow, Vec<Changed>)>, Problem> {
    let runs = store.runs()?;
    let wanted = query_number(&asked.run, "run")?;
    // While the first crawl runs, there is nothing to compare yet, and that is no mistake.
    if wanted.is_none() && !runs.iter().any(|run| run.ended.is_some()) {
        return Ok(None);
    }
    let run = changes::chosen(&runs, wanted)?;
    let first = query_number(&asked.from, "from")?.map_or(run.id, |from| from.saturating_add(1));
    let changed = changes::of_runs(store, &(first.min(run.id)..=run.id))?;
    Ok(Some((run, changed)))
}

/// What was asked for of the changes.
fn narrowed<'a>(changed: &'a [Changed], asked: &Asked) -> Result<Vec<&'a Changed>, Problem> {
    let kind = match asked.kind.as_str() {
        "" => None,
        name => Some(ChangeKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.name()).collect();
            Problem::bad(
                format!("there is no change called {:?}", short(name, 40)),
                format!("one of: {}", names.join(", ")),
            )
        })?),
    };
    let words = asked.q.trim().as_bytes();
    let has = |text: &str| text.as_bytes().windows(words.len().max(1)).any(|part| part.eq_ignore_ascii_case(words));
    let meant = |row: &&Changed| {
        kind.is_none_or(|kind| row.kind == kind)
            && (words.is_empty() || has(&row.url) || row.to.as_deref().is_some_and(has))
    };
    Ok(changed.iter().filter(meant).collect())
}

fn look(frame: Frame, site: &Arc<Site>, asked: &Asked) -> Result<ChangesPage, Problem> {
    let mut store = site.read()?;
    let runs = store.runs()?;
    let counts = changes::counts(&mut *store)?;
    let found = read(&mut *store, asked)?;
    let href = |changes: &[(&str, &str)]| {
        let pairs = [("run", asked.run.as_str()), ("from", &asked.from), ("kind", &asked.kind), ("q", &asked.q)];
        let mut pairs = pairs
            .map(|(name, value)| (name, changes.iter().find(|(n, _)| *n == name).map_or(value, |(_, v)| v)))
            .to_vec();
        pairs.extend(changes.iter().filter(|(name, _)| *name == "page"));
        format!("/sites/{}/changes{}", site.name, query(&pairs))
    };
    let on = found.as_ref().map(|(run, _)| run.id);
    let view = |run: &RunRow| RunView {
        id: run.id,
        kind: run.kind.clone(),
        started: minute(run.started),
        outcome: if run.ended.is_some() { short(&run.outcome, 60) } else { "not ended".to_owned() },
        href: format!("/sites/{}/changes{}", site.name, query(&[("run", &run.id.to_string())])),
        on: Some(run.id) == on,
    };
    let mut page = ChangesPage {
        site: site.name.clone(),
        timeline: Timeline::draw(&runs, &counts, on, &|run| {
            format!("/sites/{}/changes{}", site.name, query(&[("run", &run.to_string())]))
        }),
        runs: runs.iter().rev().map(view).collect(),
        chosen: None,
        first: false,
        kinds: Vec::new(),
        rows: Vec::new(),
        pager: Pager::default(),
        csv: format!(
            "/sites/{}/changes.csv{}",
            site.name,
            query(&[("run", &asked.run), ("from", &asked.from), ("kind", &asked.kind), ("q", &asked.q)])
        ),
        earlier: Vec::new(),
        compared: None,
        note: None,
        asked: asked.clone(),
        frame,
    };
    let Some((run, changed)) = found else { return Ok(page) };
    let meant = narrowed(&changed, asked)?;
    let number = part_number(&asked.page, "page")?;
    let count = |kind: ChangeKind| changed.iter().filter(|row| row.kind == kind).count();
    page.first = run.id == 1 && asked.from.is_empty();
    page.chosen = Some(view(&run));
    page.kinds = ChangeKind::ALL
        .iter()
        .map(|kind| KindView {
            name: kind.name(),
            class: class(*kind),
            count: grouped(count(*kind) as u64),
            href: href(&[("kind", if asked.kind == kind.name() { "" } else { kind.name() })]),
            on: asked.kind == kind.name(),
        })
        .collect();
    page.rows =
        meant.iter().skip((number - 1).saturating_mul(ROWS)).take(ROWS).map(|row| row_view(&site.name, row)).collect();
    page.pager = pager(number, ROWS, meant.len(), &|page| href(&[("page", page)]));
    let newest = runs.last().is_some_and(|last| last.id == run.id);
    let kept = |id: u32| site.folder.read_kept(id).is_ok_and(|kept| kept.is_some());
    if newest || kept(run.id) {
        page.earlier = runs.iter().map(|earlier| earlier.id).filter(|id| *id < run.id && kept(*id)).collect();
    }
    if let Some(from) = query_number(&asked.from, "from")? {
        if page.earlier.contains(&from) {
            page.compared = Some(compared::read(site, from, run.id, newest)?);
        } else {
            page.note = Some(runs_pages_only());
        }
    }
    Ok(page)
}

fn row_view(site: &str, row: &Changed) -> RowView {
    let amount = match (row.percent, row.reason) {
        (Some(0), _) => "links only".to_owned(),
        (Some(percent), _) => format!("{percent} % of the text"),
        (None, Some(reason)) => reason.to_owned(),
        (None, None) => String::new(),
    };
    RowView {
        change: row.change,
        class: class(row.kind),
        page: Shown::address(site, &row.url),
        to: row.to.as_deref().map(|to| Shown::address(site, to)),
        amount,
        percent: row.percent,
        at: row.at.chars().take(16).collect::<String>().replace('T', " "),
    }
}

async fn save(
    State(app): State<Arc<App>>,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let sent = app.work(move |app| write(&*app.site(&site)?, &asked)).await?;
    Ok(sent.into_response())
}

fn write(site: &Site, asked: &Asked) -> Result<Sent, Problem> {
    let mut store = site.read()?;
    let changed = read(&mut *store, asked)?.map(|(_, changed)| changed).unwrap_or_default();
    let mut spool = Spool::begin()?;
    write_row(&mut spool, &["change", "url", "percent", "to", "at", "run", "reason"])?;
    for row in narrowed(&changed, asked)? {
        let percent = row.percent.map_or(String::new(), |percent| percent.to_string());
        let (to, reason) = (row.to.as_deref().unwrap_or_default(), row.reason.unwrap_or_default());
        write_row(&mut spool, &[row.change, &row.url, &percent, to, &row.at, &row.run.to_string(), reason])?;
    }
    Ok(spool.finish(format!("{}-changes.csv", site.name), "text/csv; charset=utf-8")?)
}
