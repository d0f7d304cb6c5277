//! `/sites/{site}/focus/{id}/page?url=...`: why did a focused crawl go to a page, and what did it think of it?

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use groma_model::wording::grouped;
use groma_store::Snapshot;
use groma_store::codec::unpack_details;
use groma_store::focuses::{FocusRow, Focuses};
use groma_tasks::focus::Line;
use groma_tasks::lookup;
use serde::Deserialize;

use super::naming::topic;
use super::one::{Cosine, of_100, two, why_href};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::pages::layout::{Frame, Tab, outward, short, show};
use crate::pages::page::makeup::Makeup;
use crate::pages::shown::{Shown, about, tail};
use crate::results::focus::FocusedCrawls;
use crate::sites::Site;
use crate::{results, words};

/// Pages of the way that are shown.
const WAY: usize = 30;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct WhyQuestion {
    #[serde(alias = "address")]
    url: String,
}

#[derive(Template)]
#[template(path = "focus_page.html")]
struct WhyPage {
    frame: Frame,
    site: String,
    id: u64,
    topic: String,
    name: String,
    address: String,
    out: Option<String>,
    page_href: String,
    relevant: bool,
    facts: Vec<(&'static str, String)>,
    /// R, and of what it is made: name, value, share of 100.
    sums: Vec<Cosine>,
    cosines: Vec<Cosine>,
    /// From a start page down to the page before this one: name, where it is explained, URL.
    way: Vec<Shown>,
    makeup: Option<Makeup>,
}

pub(super) async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path((name, id)): Path<(String, u32)>,
    Query(asked): Query<WhyQuestion>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let frame = frame.on(&site, Tab::Focus);
    let page = app.work(move |_| read(frame, &site, id, asked.url.trim())).await?;
    Ok(show(&page))
}

fn read(frame: Frame, site: &Site, id: u32, address: &str) -> Result<WhyPage, Problem> {
    let (mut kept, row) = results::open::<FocusedCrawls>(site, id.into())?;
    let mut store = site.read()?;
    let missing = || {
        Problem::new(
            axum::http::StatusCode::NOT_FOUND,
            "the focused crawl did not go to this page",
            words::NOT_VISITED_HINT,
        )
    };
    let number = lookup::page(&mut *store, address).map_err(|_| missing())?;
    let step = kept.step_of(row.id, number)?.ok_or_else(missing)?;
    let line: Line = serde_json::from_str(&step.said).unwrap_or_default();
    let title = store.page(number)?.map(|page| page.facts.title).unwrap_or_default();
    let details = store.details(number)?.and_then(|packed| unpack_details(&packed)).unwrap_or_default();
    let has_copy = groma_tasks::archive::copy(&mut *store, number)?.is_some();
    let way = way(site, &row, &mut kept, &mut *store, line.parent.as_deref())?;
    let shown = Shown::titled(&site.name, &step.address, &title);
    Ok(WhyPage {
        site: site.name.clone(),
        id: row.id.0,
        topic: topic(&row),
        name: shown.name,
        address: short(&step.address, 2_000),
        out: outward(&step.address).map(str::to_owned),
        page_href: about(&site.name, &step.address),
        relevant: step.relevant,
        facts: facts(&line, step.order),
        sums: sums(&line),
        cosines: Cosine::all(&line),
        way,
        makeup: Makeup::read(&site.name, &step.address, &details, has_copy),
        frame,
    })
}

fn facts(line: &Line, order: u32) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Fetched as", format!("number {}", grouped(u64::from(order) + 1))),
        ("Because", short(&line.why, 300)),
        ("Weight then", format!("{:.4}", line.weight)),
    ];
    facts.extend(line.arm.as_deref().map(|arm| ("Kind of link", short(arm, 300))));
    if !line.r#type.is_empty() {
        facts.push(("Type", format!("{}, {:.0} % sure", short(&line.r#type, 40), line.confidence * 100.0)));
    }
    if line.cover > 0.0 {
        facts.push(("Words of the topic", format!("{:.0} % are what it is about", line.cover * 100.0)));
    }
    if !line.state.is_empty() {
        facts.push(("State", short(&line.state, 60)));
    }
    facts
}

/// R and its two sums.
fn sums(line: &Line) -> Vec<Cosine> {
    let sum = |name: &str, value: f64| Cosine { name: name.to_owned(), says: two(value), width: of_100(value) };
    vec![
        sum("R, how near it is to the topic", line.r),
        sum("its content parts", line.content),
        sum("its link parts", line.links),
    ]
}

/// The way from a start page: from each page to the one whose link spoke for it most.
fn way(
    site: &Site,
    row: &FocusRow,
    kept: &mut Focuses,
    store: &mut dyn Snapshot,
    parent: Option<&str>,
) -> Result<Vec<Shown>, Problem> {
    let mut way: Vec<Shown> = Vec::new();
    let mut next = parent.map(str::to_owned);
    while let Some(address) = next.take().filter(|_| way.len() < WAY) {
        let Ok(number) = lookup::page(store, &address) else { break };
        let title = store.page(number)?.map(|page| page.facts.title).unwrap_or_default();
        let shown = Shown::titled(&site.name, &address, if title.is_empty() { tail(&address) } else { &title });
        way.push(Shown { href: why_href(&site.name, row.id.0, &address), ..shown });
        let said = kept.step_of(row.id, number)?.map(|step| step.said).unwrap_or_default();
        next = serde_json::from_str::<Line>(&said).unwrap_or_default().parent;
    }
    way.reverse();
    Ok(way)
}
