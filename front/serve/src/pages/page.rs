//! `/sites/{site}/page?url=...`: everything about one address, as `groma explain` says it, and its place among the others.

mod about;
pub(crate) mod makeup;
mod parts;
mod scheme;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use groma_check::{Finding, Kind};
use groma_desk::changes::{self, Changed};
use groma_desk::explain::{Explanation, LinkRow, Window, explain};
use groma_desk::map::{self as drawing};
use groma_desk::rules::InForce;
use groma_model::Fp;
use groma_model::wording::{grouped, plain};
use groma_store::codec::unpack_details;
use groma_store::{PageRow, Snapshot};

use self::makeup::Makeup;
use self::parts::PartsChart;
use super::databases::Row as DatabaseRow;
use super::layout::{Frame, Tab, outward, query, short, show};
use super::problems::{Pager, pager};
use super::screenshot;
use super::shown::{Shown, counted};
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::gatherings;
use crate::sites::{Drawn, Findings, Site};

/// Links of each direction on a page.
const LINKS: usize = 50;
/// Text blocks shown, and letters of each.
const BLOCKS: usize = 200;
const LETTERS: usize = 600;
/// Findings, twins and candidates shown.
const FEW: usize = 25;
/// Pages of the way here that are shown.
const WAY: usize = 12;

/// The page.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/page", get(page))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    url: String,
    /// Which part of the links in, and of the links out.
    #[serde(rename = "in")]
    links_in: String,
    out: String,
}

#[derive(Template)]
#[template(path = "page.html")]
struct PageView {
    frame: Frame,
    site: String,
    name: String,
    address: String,
    out: Option<String>,
    known: bool,
    state: &'static str,
    reason: &'static str,
    says: String,
    hint: String,
    facts: Vec<(&'static str, String)>,
    way: Vec<Shown>,
    way_cut: bool,
    redirects: Vec<Shown>,
    steps: Vec<(String, String)>,
    learned: Vec<String>,
    fetched: Vec<(&'static str, String)>,
    place: Option<PlaceView>,
    parts: Option<PartsChart>,
    makeup: Option<Makeup>,
    pages_in: String,
    links_in: Vec<LinkView>,
    pager_in: Pager,
    links_out: String,
    kinds_out: Vec<(String, &'static str)>,
    out_rows: Vec<LinkView>,
    pager_out: Pager,
    blocks: Vec<(&'static str, String)>,
    blocks_more: usize,
    twins: Vec<(Shown, &'static str)>,
    findings: Vec<FindingView>,
    findings_more: usize,
    problems_href: String,
    history: Vec<Changed>,
    /// What was gathered from its forms.
    databases: Vec<DatabaseRow>,
    copy: Option<String>,
    screenshot: Option<String>,
}

struct PlaceView {
    says: String,
    on_map: bool,
    href: String,
    rank: String,
    standing: String,
    candidates: Vec<(Shown, String)>,
    more: usize,
}

struct LinkView {
    page: Shown,
    kind: &'static str,
    text: String,
    rel: String,
    block: &'static str,
    state: &'static str,
}

struct FindingView {
    kind: Kind,
    says: String,
    other: Option<Shown>,
    here: bool,
}

async fn page(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&site)?;
    let frame = frame.on(&site, Tab::Map);
    let page = app.work(move |app| read(frame, app, &site, &asked)).await?;
    Ok(show(&page))
}

fn read(frame: Frame, app: &App, site: &Arc<Site>, asked: &Asked) -> Result<PageView, Problem> {
    if asked.url.trim().is_empty() {
        return Err(Problem::bad(
            "no address is given",
            "choose a page on the map, or write page?url=https://www.example.org/",
        ));
    }
    let mut store = site.read()?;
    let in_force = InForce::read(Some(&mut *store), &[], app.options.config.as_deref())?;
    let part = |text: &str, name: &str| Ok::<_, Problem>(super::map::number(text, name)?.unwrap_or(1).max(1) as usize);
    let (part_in, part_out) = (part(&asked.links_in, "in")?, part(&asked.out, "out")?);
    let window = Window {
        skip_in: (part_in - 1).saturating_mul(LINKS),
        skip_out: (part_out - 1).saturating_mul(LINKS),
        most: LINKS,
    };
    let told = explain(&mut *store, &in_force.settings, &in_force.saved, asked.url.trim(), window)?;
    let row = told.id.map(|id| store.page(id)).transpose()?.flatten();
    let drawn = site.drawn().ok();
    let node = told.id.zip(drawn.as_deref()).map(|(id, drawn)| drawn.atlas.standings.page_of(id.0));
    let parts = match (node, &drawn) {
        (Some(node), Some(drawn)) if row.is_some() => PartsChart::read(&mut *store, drawn, node)?,
        _ => None,
    };
    let place = node.zip(drawn.as_deref()).map(|(node, drawn)| place(&site.name, drawn, node));
    let details = match told.id {
        Some(id) => store.details(id)?.and_then(|packed| unpack_details(&packed)).unwrap_or_default(),
        None => Default::default(),
    };
    let blocks = details.blocks.iter().take(BLOCKS).map(|block| (block.kind.name(), short(&block.text, LETTERS)));
    let findings = site.findings().ok();
    let (twins, found) = match &findings {
        Some(findings) => (
            about::twins(&site.name, findings, &told.canonical),
            about::findings(&site.name, findings, &told.canonical),
        ),
        None => Default::default(),
    };
    let history = told.id.map(|id| changes::of_page(&mut *store, id)).transpose()?.unwrap_or_default();
    let mut way = Vec::new();
    for address in told.chain.iter().skip(told.chain.len().saturating_sub(WAY)) {
        let page = store.find(Fp::of(address.as_bytes()))?.map(|found| store.page(found.id)).transpose()?.flatten();
        way.push(Shown::of(&site.name, address, page.as_ref().map_or("", |page| &page.facts.title)));
    }
    let databases = gatherings::at(site, &told.canonical)?;
    let databases = databases.iter().take(FEW).map(|row| DatabaseRow::of(&site.name, row, false)).collect();
    let has_copy = told.id.map(|id| groma_desk::archive::copy(&mut *store, id)).transpose()?.flatten().is_some();
    let screenshot = told.id.map(|id| screenshot::href(site, &mut *store, id, &told.canonical)).transpose()?.flatten();
    let title = row.as_ref().map(|row| row.facts.title.as_str()).unwrap_or_default();
    let shown = Shown::of(&site.name, &told.canonical, title);
    let here = |name: &str, value: &str| {
        let (links_in, out) = if name == "in" { (value, asked.out.as_str()) } else { (asked.links_in.as_str(), value) };
        format!("/sites/{}/page{}", site.name, query(&[("url", &told.canonical), ("in", links_in), ("out", out)]))
    };
    let links = told.links.as_ref();
    let (pages_in, links_out) = links.map_or((0, 0), |links| (links.pages_in, links.links_out));
    Ok(PageView {
        frame,
        name: shown.name,
        address: short(&told.canonical, 2_000),
        out: outward(&told.canonical).map(str::to_owned),
        known: told.known,
        state: told.state.unwrap_or("unknown"),
        reason: told.reason.unwrap_or_default(),
        says: plain(&told.says),
        hint: plain(&told.hint),
        facts: about::standing(&told),
        way_cut: told.chain.len() > WAY,
        way,
        redirects: told.redirects.iter().take(WAY).map(|address| Shown::address(&site.name, address)).collect(),
        steps: told.steps.iter().map(|step| (plain(&step.what), short(&step.url_after, 400))).collect(),
        learned: told.learned.iter().map(|rule| short(&rule.says(), 400)).collect(),
        fetched: about::fetched(&told, row.as_ref()),
        place,
        parts,
        makeup: Makeup::of(&site.name, &told.canonical, &details, has_copy),
        pages_in: counted(pages_in, "page", "pages"),
        links_in: links.map(|links| links.r#in.iter().map(|row| link(&site.name, row)).collect()).unwrap_or_default(),
        pager_in: pager(part_in, LINKS, pages_in as usize, &|part| here("in", part) + "#in"),
        links_out: counted(links_out, "address", "addresses"),
        kinds_out: links
            .map(|links| links.kinds_out.iter().map(|(kind, count)| (grouped(*count), *kind)).collect())
            .unwrap_or_default(),
        out_rows: links.map(|links| links.out.iter().map(|row| link(&site.name, row)).collect()).unwrap_or_default(),
        pager_out: pager(part_out, LINKS, links_out as usize, &|part| here("out", part) + "#out"),
        blocks: blocks.collect(),
        blocks_more: details.blocks.len().saturating_sub(BLOCKS),
        twins,
        findings_more: found.len().saturating_sub(FEW),
        findings: found.into_iter().take(FEW).collect(),
        problems_href: format!("/sites/{}/problems{}", site.name, query(&[("q", &told.canonical), ("list", "1")])),
        history,
        databases,
        screenshot,
        copy: has_copy.then(|| format!("/sites/{}/copy{}", site.name, query(&[("url", &told.canonical)]))),
        site: site.name.clone(),
    })
}

fn link(site: &str, row: &LinkRow) -> LinkView {
    LinkView {
        page: Shown::address(site, &row.url),
        kind: row.kind.unwrap_or("link"),
        text: short(&row.text, 120),
        rel: row.rel.clone(),
        block: row.block.unwrap_or_default(),
        state: row.state.unwrap_or_default(),
    }
}

fn place(site: &str, drawn: &Drawn, node: u32) -> PlaceView {
    let why = drawing::why(&drawn.atlas, &drawn.tree, node);
    // Among the pages of the site that were read, as the overview counts them.
    let read = || drawn.atlas.by_rank().filter(|other| drawn.is_read(*other));
    let before = read().position(|other| other == node);
    let all = read().count() as u64;
    let standing = before.map(|before| format!("{} of {}", grouped(before as u64 + 1), counted(all, "page", "pages")));
    let candidate = |page: &drawing::Candidate<'_>| (Shown::address(site, page.url), format!("{:.4}", page.rank));
    PlaceView {
        says: why.says.clone(),
        on_map: why.on_map,
        href: format!("/sites/{site}/map{}", query(&[("root", why.url)])),
        rank: why.rank.map(|rank| format!("{rank:.4}")).unwrap_or_default(),
        standing: standing.unwrap_or_default(),
        candidates: why.candidates.iter().take(FEW).map(candidate).collect(),
        more: why.candidates.len().saturating_sub(FEW),
    }
}
