//! What a survey came to, on half a screen: the largest branches of its map, its first pages by rank, its findings by kind.

use groma_check::{Severity, Summary, check};
use groma_model::wording::{counted, grouped, plain};
use groma_model::{PageId, State};
use groma_settings::Fault;
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{Reading, SurveyGraph, SurveyGraphError};
use serde::Serialize;

use crate::output::Out;

/// Branches and pages shown.
const SHOWN: usize = 5;
/// Letters of a name.
const NAME: usize = 46;

/// The results. The words of the command line for programs: `results` in the summary.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    map: Map,
    top: Vec<Ranked>,
    check: Summary,
}

#[derive(Debug, Serialize)]
struct Map {
    root: String,
    pages: u32,
    /// Those of them that were read.
    read: u32,
    layers: u32,
    unreached: u64,
    branches: Vec<Branch>,
}

#[derive(Debug, Serialize)]
struct Branch {
    url: String,
    title: String,
    pages: u32,
}

#[derive(Debug, Serialize)]
struct Ranked {
    url: String,
    title: String,
    rank: f64,
}

impl Results {
    /// Reads them; nothing if there is no map yet.
    pub(crate) fn read(folder: &Folder, store: &mut dyn Snapshot) -> Result<Option<Results>, Fault> {
        let graph = match SurveyGraph::read(store, &Reading::default()) {
            Err(SurveyGraphError::NoLayer) => return Ok(None),
            other => other?,
        };
        let Ok(root) = graph.root(None) else { return Ok(None) };
        let tree = graph.tree(root);
        let sizes = tree.sizes();
        let address = |node: u32| graph.standings.names.url(node).to_owned();
        let mut largest: Vec<u32> = tree.children(0).collect();
        largest.sort_by_key(|place| std::cmp::Reverse(sizes[*place as usize]));
        let mut branches = Vec::new();
        for place in largest.into_iter().take(SHOWN) {
            let node = tree.node(place);
            branches.push(Branch { url: address(node), title: title(store, node)?, pages: sizes[place as usize] });
        }
        let mut top = Vec::new();
        for node in graph.by_rank().filter(|node| graph.is_in_scope(*node)).take(SHOWN) {
            let rank = graph.ranks.values[node as usize];
            top.push(Ranked { url: address(node), title: title(store, node)?, rank });
        }
        let unreached = graph.unreached(&tree);
        let is_read = |place: &u32| graph.standings.state(tree.node(*place)) == Some(State::Fetched);
        let read = (0..tree.len()).filter(is_read).count() as u32;
        let map = Map { root: address(root), pages: tree.len(), read, layers: tree.layer_count(), unreached, branches };
        let options = groma_tasks::check::usual_options(store, None)?;
        let check = check(&mut groma_tasks::outside::evidence(folder, store)?, &options, &mut |_| Ok(()))?;
        Ok(Some(Results { map, top, check }))
    }

    /// Prints the results as text for people.
    pub(crate) fn print(&self, out: &mut Out) -> std::io::Result<()> {
        out.line("")?;
        let paint = out.paint;
        out.line(&paint.heading(&map_of(self.map.pages, self.map.read, self.map.layers, self.map.unreached)))?;
        for branch in &self.map.branches {
            let name = name(&branch.title, &branch.url);
            out.line(&format!(
                "  {:>9}  {name:NAME$}  {}",
                grouped(branch.pages.into()),
                paint.faint(&plain(&branch.url))
            ))?;
        }
        out.line(&paint.heading("first by rank"))?;
        for page in &self.top {
            let name = name(&page.title, &page.url);
            out.line(&format!("  {:>9.2}  {name:NAME$}  {}", page.rank, paint.faint(&plain(&page.url))))?;
        }
        out.line(&paint.heading(&checked(self.check.pages, self.check.links, self.check.total())))?;
        for (kind, count) in self.check.found() {
            let number = format!("{:>9}", grouped(count.all));
            let number = if kind.severity() == Severity::Error { paint.bad(&number) } else { number };
            out.line(&format!("  {number}  {:19}  {}", kind.name(), paint.faint(kind.says())))?;
        }
        if let Some(unasked) = self.check.unasked.says_with_hint() {
            out.line(&format!("  {unasked}"))?;
        }
        Ok(())
    }
}

fn title(store: &mut dyn Snapshot, node: u32) -> Result<String, Fault> {
    Ok(store.page(PageId(node))?.map(|page| page.facts.title).unwrap_or_default())
}

/// The title, or what the URL has instead of one.
fn name(title: &str, address: &str) -> String {
    let name = if title.trim().is_empty() { address } else { title.trim() };
    let name = plain(name);
    if name.chars().count() <= NAME { name } else { name.chars().take(NAME - 1).chain(['…']).collect() }
}

fn map_of(pages: u32, read: u32, layers: u32, unreached: u64) -> String {
    let mut text = format!("map: {} to depth {}", counted(pages.into(), "page", "pages"), layers.saturating_sub(1));
    if read < pages {
        text.push_str(&format!(", {} of them known but not read", grouped((pages - read).into())));
    }
    if unreached > 0 {
        text.push_str(&format!(", {} not reached by links", grouped(unreached)));
    }
    text + "; largest branches"
}

fn checked(pages: u64, links: u64, findings: u64) -> String {
    format!(
        "check: {}, {}: {}",
        counted(pages, "page", "pages"),
        counted(links, "link", "links"),
        counted(findings, "finding", "findings")
    )
}
