//! `/sites/{site}/page?url=...`: everything about one URL, as `groma explain` says it, and its place among the others.

mod about;
pub(crate) mod makeup;
mod parts;
mod scheme;
mod structured;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use groma_model::Fp;
use groma_model::wording::{grouped, plain};
use groma_store::Snapshot;
use groma_store::codec::{Details, unpack_details};
use groma_tasks::changes::{self, Changed};
use groma_tasks::explain::{Explanation, LinkRow, Window, explain};
use groma_tasks::map as drawing;
use groma_tasks::rules::InForce;
use serde::Deserialize;

use self::about::{FEW, FindingView};
use self::makeup::Makeup;
use self::parts::PartsChart;
use self::structured::DataView;
use super::databases::{DatabaseMention, mentions};
use super::layout::{Frame, Tab, outward, query, short, show};
use super::pager::{Pager, pager, part_number};
use super::screenshot;
use super::shown::{Shown, counted};
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::sites::{Drawn, Site};

/// Links of each direction on a page.
const LINKS: usize = 50;
/// Text blocks shown, and letters of each.
const BLOCKS: usize = 200;
const LETTERS: usize = 600;
/// Pages of the way here that are shown.
const WAY: usize = 12;

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
    head: PageHead,
    state: StateView,
    fetched: Vec<(&'static str, String)>,
    place: Option<PlaceView>,
    parts: Option<PartsChart>,
    makeup: Option<Makeup>,
    links: LinksView,
    text: TextView,
    findings: FindingsView,
    history: Vec<Changed>,
    /// What was gathered from its forms.
    databases: Vec<DatabaseMention>,
    copy: Option<String>,
    screenshot: Option<String>,
}

/// Which page this is, and the way to it.
struct PageHead {
    name: String,
    address: String,
    out: Option<String>,
    way: Vec<Shown>,
    way_cut: bool,
}

/// What the survey says of the URL, known or not.
struct StateView {
    known: bool,
    name: &'static str,
    reason: &'static str,
    says: String,
    hint: String,
    facts: Vec<(&'static str, String)>,
    redirects: Vec<Shown>,
    steps: Vec<(String, String)>,
    learned: Vec<String>,
}

#[derive(Default)]
struct LinksView {
    pages_in: String,
    rows_in: Vec<LinkView>,
    pager_in: Pager,
    links_out: String,
    kinds_out: Vec<(String, &'static str)>,
    rows_out: Vec<LinkView>,
    pager_out: Pager,
}

struct TextView {
    blocks: Vec<(&'static str, String)>,
    more: usize,
    /// What it says to programs.
    data: Option<DataView>,
}

struct FindingsView {
    twins: Vec<(Shown, &'static str)>,
    list: Vec<FindingView>,
    more: usize,
    href: String,
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
            "no URL is given",
            "choose a page on the map, or write page?url=https://www.example.org/",
        ));
    }
    let mut store = site.read()?;
    let in_force = InForce::read(Some(&mut *store), &[], app.options.config.as_deref())?;
    let shown = LinkParts::read(asked)?;
    let told = explain(&mut *store, &in_force.settings, &in_force.saved, asked.url.trim(), shown.window())?
        .with_outside(&site.folder)?;
    let row = told.id.map(|id| store.page(id)).transpose()?.flatten();
    let drawn = site.drawn().ok();
    let node = told.id.zip(drawn.as_deref()).map(|(id, drawn)| drawn.graph.standings.page_of(id.0));
    let parts = match (node, &drawn) {
        (Some(node), Some(drawn)) if row.is_some() => PartsChart::read(&mut *store, drawn, node)?,
        _ => None,
    };
    let place = node.zip(drawn.as_deref()).map(|(node, drawn)| place(&site.name, drawn, node));
    let details = match told.id {
        Some(id) => store.details(id)?.and_then(|packed| unpack_details(&packed)).unwrap_or_default(),
        None => Default::default(),
    };
    let history = told.id.map(|id| changes::of_page(&mut *store, id)).transpose()?.unwrap_or_default();
    let has_copy = told.id.map(|id| groma_tasks::archive::copy(&mut *store, id)).transpose()?.flatten().is_some();
    let screenshot = told.id.map(|id| screenshot::href(site, &mut *store, id, &told.canonical)).transpose()?.flatten();
    let title = row.as_ref().map(|row| row.facts.title.as_str()).unwrap_or_default();
    Ok(PageView {
        frame,
        head: PageHead::read(&mut *store, &site.name, &told, title)?,
        state: StateView::new(&site.name, &told),
        fetched: about::fetched(&told, row.as_ref()),
        place,
        parts,
        makeup: Makeup::read(&site.name, &told.canonical, &details, has_copy),
        links: shown.view(&site.name, &told, asked),
        text: TextView::new(&told, &details),
        findings: FindingsView::new(site, &told.canonical),
        history,
        databases: mentions(site, &told.canonical, FEW)?,
        screenshot,
        copy: has_copy.then(|| format!("/sites/{}/copy{}", site.name, query(&[("url", &told.canonical)]))),
        site: site.name.clone(),
    })
}

impl PageHead {
    fn read(store: &mut dyn Snapshot, site: &str, told: &Explanation, title: &str) -> Result<PageHead, Problem> {
        let mut way = Vec::new();
        for address in told.chain.iter().skip(told.chain.len().saturating_sub(WAY)) {
            let found = store.find(Fp::hash_bytes(address.as_bytes()))?;
            let page = found.map(|found| store.page(found.id)).transpose()?.flatten();
            way.push(Shown::titled(site, address, page.as_ref().map_or("", |page| &page.facts.title)));
        }
        Ok(PageHead {
            name: Shown::titled(site, &told.canonical, title).name,
            address: short(&told.canonical, 2_000),
            out: outward(&told.canonical).map(str::to_owned),
            way_cut: told.chain.len() > WAY,
            way,
        })
    }
}

impl StateView {
    fn new(site: &str, told: &Explanation) -> StateView {
        StateView {
            known: told.known,
            name: told.state.unwrap_or("unknown"),
            reason: told.reason.unwrap_or_default(),
            says: plain(&told.says),
            hint: plain(&told.hint),
            facts: about::standing(told),
            redirects: told.redirects.iter().take(WAY).map(|address| Shown::address(site, address)).collect(),
            steps: told.steps.iter().map(|step| (plain(&step.what), short(&step.url_after, 400))).collect(),
            learned: told.learned.iter().map(|rule| short(&rule.says(), 400)).collect(),
        }
    }
}

/// Which part of the links in, and of the links out, is shown.
struct LinkParts {
    part_in: usize,
    part_out: usize,
}

impl LinkParts {
    fn read(asked: &Asked) -> Result<LinkParts, Problem> {
        Ok(LinkParts { part_in: part_number(&asked.links_in, "in")?, part_out: part_number(&asked.out, "out")? })
    }

    fn window(&self) -> Window {
        let before = |part: usize| (part - 1).saturating_mul(LINKS);
        Window { skip_in: before(self.part_in), skip_out: before(self.part_out), most: LINKS }
    }

    fn view(&self, site: &str, told: &Explanation, asked: &Asked) -> LinksView {
        let here = |links_in: &str, out: &str| {
            format!("/sites/{site}/page{}", query(&[("url", &told.canonical), ("in", links_in), ("out", out)]))
        };
        let links = told.links.as_ref();
        let (pages_in, links_out) = links.map_or((0, 0), |links| (links.pages_in, links.links_out));
        let mut view = LinksView {
            pages_in: counted(pages_in, "page", "pages"),
            pager_in: pager(self.part_in, LINKS, pages_in as usize, &|part| here(part, &asked.out) + "#in"),
            links_out: counted(links_out, "URL", "URLs"),
            pager_out: pager(self.part_out, LINKS, links_out as usize, &|part| here(&asked.links_in, part) + "#out"),
            ..LinksView::default()
        };
        if let Some(links) = links {
            view.rows_in = links.r#in.iter().map(|row| link(site, row)).collect();
            view.kinds_out = links.kinds_out.iter().map(|(kind, count)| (grouped(*count), *kind)).collect();
            view.rows_out = links.out.iter().map(|row| link(site, row)).collect();
        }
        view
    }
}

impl TextView {
    fn new(told: &Explanation, details: &Details) -> TextView {
        let shown = details.blocks.iter().take(BLOCKS);
        TextView {
            blocks: shown.map(|block| (block.kind.name(), short(&block.text, LETTERS))).collect(),
            more: details.blocks.len().saturating_sub(BLOCKS),
            data: told.structured.as_ref().map(DataView::new),
        }
    }
}

impl FindingsView {
    /// Of a survey that cannot be checked now, none are shown.
    fn new(site: &Arc<Site>, address: &str) -> FindingsView {
        let (twins, mut list) = match &site.findings().ok() {
            Some(findings) => {
                (about::twins(&site.name, findings, address), about::findings(&site.name, findings, address))
            }
            None => Default::default(),
        };
        let more = list.len().saturating_sub(FEW);
        list.truncate(FEW);
        let href = format!("/sites/{}/findings{}", site.name, query(&[("q", address), ("list", "1")]));
        FindingsView { twins, list, more, href }
    }
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
    let why = drawing::why(&drawn.graph, &drawn.tree, node);
    // Among the pages of the site that were read, as the overview counts them.
    let read = || drawn.graph.by_rank().filter(|other| drawn.is_read(*other));
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
