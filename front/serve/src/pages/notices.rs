//! What have people been told, and did it reach them? And the same as a feed.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, extract};
use groma_store::jobs::NoticeRow;
use groma_tasks::notify::delivery::{self, Record, State};
use groma_tasks::notify::{self, Body};
use serde::Deserialize;

use super::layout::{Frame, Tab, query, short, show};
use super::wording::Moment;
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;

/// Notices on a page.
const MOST: usize = 30;

/// `/sites/{site}/notices` and the feed.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/notices", get(notices)).route("/sites/{site}/feed.atom", get(feed))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    before: Option<u64>,
}

#[derive(Template)]
#[template(path = "notices.html")]
struct NoticesPage<'a> {
    frame: &'a Frame,
    site: &'a str,
    notices: Vec<Told>,
    older: Option<String>,
}

struct Told {
    id: u64,
    title: String,
    at: Option<Moment>,
    run: u32,
    fixed: u64,
    counts: Vec<(String, u64)>,
    changes: Vec<(String, u64)>,
    ways: Vec<Way>,
}

/// How it went by one way.
struct Way {
    name: String,
    state: &'static str,
    class: &'static str,
    detail: String,
    at: Option<Moment>,
}

async fn notices(
    extract::State(app): extract::State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let frame = frame.on(&site, Tab::Notices);
    let of = Arc::clone(&site);
    let rows = app.work(move |_| Ok(of.queue()?.notices(asked.before, MOST)?)).await?;
    let oldest = rows.last().filter(|_| rows.len() == MOST).map(|row| row.id.to_string());
    let older = oldest.map(|before| format!("/sites/{}/notices{}", site.name, query(&[("before", &before)])));
    Ok(show(&NoticesPage { frame: &frame, site: &site.name, notices: rows.iter().map(told).collect(), older }))
}

fn told(row: &NoticeRow) -> Told {
    let body = Body::from_row(row);
    let counts = |of: BTreeMap<String, u64>| of.into_iter().filter(|(_, n)| *n > 0).collect();
    Told {
        id: row.id,
        title: short(&row.title, 200),
        at: Moment::at(row.at),
        run: row.run,
        fixed: body.fixed,
        counts: counts(body.counts),
        changes: counts(body.changes),
        ways: delivery::records(row).iter().map(|(name, record)| way(name, record)).collect(),
    }
}

fn way(name: &str, record: &Record) -> Way {
    let (state, class) = match record.state {
        State::Waiting => ("waiting", "warn"),
        State::Delivered => ("delivered", "good"),
        State::Gone => ("the receiver wants no more", "bad"),
        State::Withdrawn => ("no longer configured", ""),
        State::GivenUp => ("given up", "bad"),
    };
    let mut detail = short(&record.error, 200);
    if record.tries > 1 {
        detail.push_str(&format!(" ({} tries)", record.tries));
    }
    Way { name: short(name, 80), state, class, detail, at: Moment::at(record.at) }
}

async fn feed(extract::State(app): extract::State<Arc<App>>, Path(name): Path<String>) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let here = match &app.options.public_url {
        Some(url) => url.to_string(),
        None => format!("http://{}/", app.options.listen),
    };
    let text = app.work(move |_| Ok(notify::feed(&site.folder, &mut *site.queue()?, &here)?)).await?;
    Ok(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], text).into_response())
}
