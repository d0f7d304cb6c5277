//! What a survey came to, on one screen: the largest branches of its map, its first pages by rank, the worst broken links, its findings
//! by kind.

use groma_check::{Causes, Count, Kind, Severity, Summary, check};
use groma_model::wording::{counted, grouped, plain};
use groma_model::{PageId, State};
use groma_settings::Fault;
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{Reading, SurveyGraph, SurveyGraphError};
use serde::Serialize;

use crate::output::Out;

/// Branches and pages shown.
const SHOWN: usize = 5;
/// Broken links that are named.
const BROKEN: usize = 3;
/// Kinds of findings that are named.
const KINDS: usize = 10;
/// Letters of a URL that is named.
const ADDRESS: usize = 72;
/// Letters of a name.
const NAME: usize = 46;

/// The results. The words of the command line for programs: `results` in the summary.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    map: Map,
    top: Vec<Ranked>,
    check: Summary,
    /// The broken links on most pages.
    broken: Vec<BrokenLink>,
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
struct BrokenLink {
    url: String,
    pages: u64,
    reason: &'static str,
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
        let mut causes = Causes::new(BROKEN, 1);
        let options = groma_tasks::check::usual_options(store, None)?;
        let mut evidence = groma_tasks::outside::evidence(folder, store)?;
        let check = check(&mut evidence, &options, &mut |finding| {
            if is_broken(finding.kind) {
                causes.take(finding);
            }
            Ok(())
        })?;
        Ok(Some(Results { map, top, check, broken: worst(causes) }))
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
        let (named, others) = by_weight(&self.check);
        for (kind, count) in named {
            let number = format!("{:>9}", grouped(count.all));
            let number = if kind.severity() == Severity::Error { paint.bad(&number) } else { number };
            out.line(&format!("  {number}  {:19}  {}", kind.name(), paint.faint(kind.says())))?;
        }
        if let Some(others) = others {
            out.line(&format!("  {}", paint.faint(&others)))?;
        }
        if let Some(unasked) = self.check.unasked.says_with_hint() {
            out.line(&format!("  {unasked}"))?;
        }
        if !self.broken.is_empty() {
            out.line(&paint.heading("broken links on most pages"))?;
        }
        for link in &self.broken {
            let url = cut(&plain(&link.url), ADDRESS);
            let pages = paint.faint(if link.pages == 1 { "page" } else { "pages" });
            out.line(&format!("  {:>9} {pages:5}  {url}  {}", grouped(link.pages), paint.faint(link.reason)))?;
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
    cut(&plain(name), NAME)
}

fn cut(text: &str, letters: usize) -> String {
    let fits = text.chars().count() <= letters;
    if fits { text.to_owned() } else { text.chars().take(letters - 1).chain(['…']).collect() }
}

fn is_broken(kind: Kind) -> bool {
    matches!(kind, Kind::InvalidLink | Kind::OutsideBroken)
}

/// The broken links on most pages.
fn worst(causes: Causes) -> Vec<BrokenLink> {
    let groups = causes.finish().into_iter().flat_map(|kind| kind.groups);
    let link = |group: groma_check::CauseGroup| BrokenLink {
        url: group.name().to_owned(),
        pages: group.size.pages,
        reason: group.reason.map_or("", |reason| reason.name()),
    };
    let mut links: Vec<BrokenLink> = groups.map(link).collect();
    links.sort_by_key(|link| std::cmp::Reverse(link.pages));
    links.truncate(BROKEN);
    links
}

/// Kinds that are named, the worst first, and what is said about the others.
fn by_weight(summary: &Summary) -> (Vec<(Kind, Count)>, Option<String>) {
    let mut found: Vec<(Kind, Count)> = summary.found().collect();
    found.sort_by_key(|(kind, count)| (kind.severity(), std::cmp::Reverse(count.all)));
    // One line would be spent on counting a single kind as well.
    if found.len() <= KINDS + 1 {
        return (found, None);
    }
    let rest = found.split_off(KINDS);
    let of = |severity: Severity| -> u64 {
        rest.iter().filter(|(kind, _)| kind.severity() == severity).map(|(_, count)| count.all).sum()
    };
    let counts = Severity::ALL.map(|severity| (severity.name(), of(severity)));
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|(name, count)| counted(*count, name, &format!("{name}s"))).collect();
    let kinds = counted(rest.len() as u64, "more kind", "more kinds");
    (found, Some(format!("and {} of {kinds}: `groma check` tells all", counts.join(", "))))
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
