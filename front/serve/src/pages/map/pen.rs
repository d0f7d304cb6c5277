//! What is written of a branch: rows of the list, cells of the treemap, the way to it.

use std::collections::HashMap;

use groma_chart::{Label, Labels};
use groma_graph::Tree;
use groma_model::wording::{grouped, size};
use groma_store::Snapshot;
use groma_survey_graph::{StoreLabels, SurveyGraph};

use super::asked::Asked;
use super::color::{Colors, Scheme};
use super::tree;
use super::treemap::{self, Area, CellContent};
use crate::app::now;
use crate::error::Problem;
use crate::pages::layout::{query, short};
use crate::pages::shown::{Shown, about, counted};

/// A row of the list, or what follows its children.
pub(super) enum TreeMark {
    Enter(Box<TreeRow>),
    Leave { folds: bool, more: Option<(String, String)> },
}

pub(super) struct TreeRow {
    pub(super) node: u32,
    pub(super) page: Shown,
    pub(super) colors: Colors,
    pub(super) pages: String,
    pub(super) bar: String,
    /// There are pages below it.
    pub(super) below: bool,
    pub(super) folds: bool,
    pub(super) open: bool,
    pub(super) zoom: String,
    pub(super) why: String,
    pub(super) broken: u32,
    pub(super) unread: bool,
    /// The database behind it that was gathered: its number, and how much was found.
    pub(super) database: Option<(u64, String)>,
}

pub(super) struct CellView {
    pub(super) node: u32,
    pub(super) href: String,
    pub(super) tip: String,
    pub(super) colors: Colors,
    pub(super) kind: &'static str,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) w: String,
    pub(super) h: String,
    pub(super) text: Option<(String, String, String)>,
}

/// Where one comes from.
pub(super) struct Crumb {
    pub(super) name: String,
    pub(super) href: String,
}

/// The tree that is shown and the place it is shown from.
pub(super) struct View<'a> {
    pub(super) graph: &'a SurveyGraph,
    pub(super) tree: &'a Tree,
    pub(super) sizes: &'a [u32],
    pub(super) top: u32,
    pub(super) grown: bool,
    /// What was gathered, by the URLs of forms.
    pub(super) databases: &'a HashMap<String, (u64, String)>,
}

/// Writes down what is shown; labels are read once each.
pub(super) struct Pen<'a> {
    site: &'a str,
    view: &'a View<'a>,
    labels: StoreLabels<'a>,
    read: HashMap<u32, Label>,
    highest: f64,
    /// A place, and the pages of the largest branch below it.
    largest: (u32, u32),
    now: i64,
    depth: &'a str,
    color: &'a str,
    scope: &'a str,
}

impl<'a> Pen<'a> {
    pub(super) fn new(
        site: &'a str,
        view: &'a View<'a>,
        asked: &'a Asked,
        store: &'a mut dyn Snapshot,
    ) -> Result<Pen<'a>, Problem> {
        let highest = view.graph.ranks.values.iter().copied().fold(0.0, f64::max);
        let labels = StoreLabels::new(store, view.graph, false)?;
        let scheme = Scheme::named(&asked.color);
        let color = if asked.color.is_empty() { "" } else { scheme.name() };
        let depth = asked.depth.trim();
        let scope = if asked.scope == "site" { "site" } else { "" };
        Ok(Pen {
            site,
            view,
            labels,
            read: HashMap::new(),
            highest,
            largest: (u32::MAX, 0),
            now: now(),
            depth,
            color,
            scope,
        })
    }

    pub(super) fn label(&mut self, node: u32) -> Result<&Label, Problem> {
        if !self.read.contains_key(&node) {
            let label = self.labels.label(node)?;
            self.read.insert(node, label);
        }
        self.read.get(&node).ok_or_else(|| Problem::ours(crate::words::FELL, crate::words::FELL_HINT))
    }

    /// The map from a page of it.
    fn zoom(&self, address: &str, skip: &str) -> String {
        let grow = if self.view.grown && self.view.graph.standings.names.url(self.view.tree.node(0)) == address {
            "1"
        } else {
            ""
        };
        let pairs = [
            ("root", address),
            ("grow", grow),
            ("depth", self.depth),
            ("color", self.color),
            ("skip", skip),
            ("scope", self.scope),
        ];
        format!("/sites/{}/map{}", self.site, query(&pairs))
    }

    fn colors(&self, label: &Label) -> Colors {
        Colors::for_label(label, self.highest, self.now)
    }

    pub(super) fn rows(&mut self, shown: &tree::Shown<'_>) -> Result<Vec<TreeMark>, Problem> {
        let (view, mut depth) = (self.view, 0);
        let mut steps = Vec::new();
        for step in shown.walk() {
            match step {
                tree::WalkStep::Enter { place, shown } => {
                    let node = view.tree.node(place);
                    let label = self.label(node)?.clone();
                    let pages = view.sizes[place as usize];
                    let most = if place == view.top { pages } else { self.largest_sibling(place) };
                    let bar = 100.0 * f64::from(pages) / f64::from(most.max(1));
                    steps.push(TreeMark::Enter(Box::new(TreeRow {
                        node,
                        page: Shown::titled(self.site, &label.url, &label.title),
                        colors: self.colors(&label),
                        pages: grouped(pages.into()),
                        bar: format!("{bar:.1}"),
                        below: pages > 1,
                        folds: shown > 0,
                        open: depth < 2,
                        zoom: self.zoom(&label.url, ""),
                        why: format!(
                            "/sites/{}/map{}",
                            self.site,
                            query(&[("why", &label.url), ("root", &self.root())])
                        ),
                        broken: label.broken,
                        unread: label.fetched.is_none(),
                        database: view.databases.get(&label.url).cloned(),
                    })));
                    depth += 1;
                }
                tree::WalkStep::Leave { place, shown, hidden, pages } => {
                    depth -= 1;
                    let more = (hidden > 0).then(|| {
                        let after = view.tree.children(place).end - view.tree.children(place).start - hidden;
                        let address = view.graph.standings.names.url(view.tree.node(place));
                        let skip = if after > 0 { after.to_string() } else { String::new() };
                        (self.zoom(address, &skip), more(hidden, pages, shown > 0))
                    });
                    steps.push(TreeMark::Leave { folds: shown > 0, more });
                }
            }
        }
        Ok(steps)
    }

    /// The pages of the largest branch beside a place: its bar is the longest.
    fn largest_sibling(&mut self, place: u32) -> u32 {
        let Some(parent) = self.view.tree.parent(place) else { return self.view.sizes[place as usize] };
        if self.largest.0 != parent {
            let siblings = self.view.tree.children(parent).map(|sibling| self.view.sizes[sibling as usize]);
            self.largest = (parent, siblings.max().unwrap_or(1));
        }
        self.largest.1
    }

    fn root(&self) -> String {
        if self.view.top == 0 && !self.view.grown {
            return String::new();
        }
        self.view.graph.standings.names.url(self.view.tree.node(self.view.top)).to_owned()
    }

    pub(super) fn cells(&mut self, cells: &[treemap::Cell]) -> Result<Vec<CellView>, Problem> {
        let view = self.view;
        let mut views = Vec::with_capacity(cells.len());
        for cell in cells {
            let at = |value: f64| format!("{value:.1}");
            let (place, kind) = match cell.content {
                CellContent::Place(place) => (place, "cell"),
                CellContent::Opened(place) => (place, "opened"),
                CellContent::Rest { parent, .. } => (parent, "rest"),
            };
            let node = view.tree.node(place);
            let label = self.label(node)?.clone();
            let page = Shown::titled(self.site, &label.url, &label.title);
            let (href, tip, name) = match cell.content {
                CellContent::Rest { children, pages, .. } => {
                    let words = more(children, pages, true);
                    (self.zoom(&label.url, ""), format!("{}: {words}", page.name), words)
                }
                CellContent::Place(place) | CellContent::Opened(place) => {
                    let branch = !view.tree.children(place).is_empty();
                    let href = if branch { self.zoom(&label.url, "") } else { about(self.site, &label.url) };
                    (href, tip(&page, &label, view.sizes[place as usize]), page.name.clone())
                }
            };
            views.push(CellView {
                node,
                href,
                tip,
                colors: self.colors(&label),
                kind,
                x: at(cell.area.x),
                y: at(cell.area.y),
                w: at(cell.area.w.max(0.5)),
                h: at(cell.area.h.max(0.5)),
                text: fitting(&name, cell),
            });
        }
        Ok(views)
    }

    /// From the usual root to what stands above the top.
    pub(super) fn crumbs(&mut self) -> Result<Vec<Crumb>, Problem> {
        let (view, mut above) = (self.view, Vec::new());
        let mut at = view.tree.parent(view.top);
        while let Some(place) = at {
            above.push(place);
            at = view.tree.parent(place);
        }
        above.reverse();
        let mut crumbs = Vec::with_capacity(above.len());
        for place in above {
            let site = self.site;
            let label = self.label(view.tree.node(place))?;
            let (name, url) = (Shown::titled(site, &label.url, &label.title).name, label.url.clone());
            let address = if place == 0 && !view.grown { "" } else { url.as_str() };
            crumbs.push(Crumb { name: short(&name, 60), href: self.zoom(address, "") });
        }
        Ok(crumbs)
    }
}

/// What is hidden, in words.
fn more(children: u32, pages: u32, others_shown: bool) -> String {
    let more = if others_shown { " more" } else { "" };
    let branches =
        if children == 1 { format!("1{more} page") } else { format!("{}{more} pages", grouped(children.into())) };
    if pages > children { format!("{branches}, with {} below", grouped((pages - children).into())) } else { branches }
}

/// All about a page, for those who point at it.
fn tip(page: &Shown, label: &Label, pages: u32) -> String {
    let mut lines = vec![page.name.clone(), page.address.clone()];
    if pages > 1 {
        lines.push(format!("{} at and below it", counted(pages.into(), "page", "pages")));
    }
    lines.push(format!("{}, rank {:.2}", label.reason.state(), label.rank));
    if !label.media_type.is_empty() {
        let size = label.size.map(|bytes| format!(", {}", size(bytes))).unwrap_or_default();
        lines.push(format!("{}{size}", short(&label.media_type, 60)));
    }
    if label.broken > 0 {
        lines.push(counted(label.broken.into(), "broken link on it", "broken links on it"));
    }
    lines.join("\n")
}

/// As much of a name as fits into a cell: where it stands, and what. How wide letters are is guessed: the font is the reader's.
fn fitting(name: &str, cell: &treemap::Cell) -> Option<(String, String, String)> {
    let Area { x, y, w, h } = cell.area;
    let high = match cell.content {
        CellContent::Opened(_) => treemap::has_head(cell.area),
        _ => h >= 16.0,
    };
    let mut room = w - 9.0;
    let fits = |c: char| {
        room -= match c {
            'i' | 'l' | 'j' | 't' | 'f' | 'r' | ' ' | '.' | ',' | '/' | ':' | '(' | ')' => 4.4,
            'm' | 'w' | 'M' | 'W' | '@' => 10.5,
            c if c.is_ascii_uppercase() => 8.2,
            c if u32::from(c) >= 0x1100 => 12.5,
            _ => 6.9,
        };
        room >= 0.0
    };
    let letters = name.chars().map(fits).take_while(|fits| *fits).count();
    let all = name.chars().count();
    // Two letters and a sign that something is missing say nothing.
    let text = if letters >= all { name.to_owned() } else { short(name, letters.saturating_sub(2)) };
    let told = letters >= all || letters >= 5;
    (high && told && !text.is_empty()).then(|| (format!("{:.1}", x + 4.0), format!("{:.1}", y + 12.0), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_said() {
        assert_eq!(more(1, 1, true), "1 more page");
        assert_eq!(more(120, 1_120, true), "120 more pages, with 1,000 below");
        assert_eq!(more(2, 2, false), "2 pages");
    }
}
