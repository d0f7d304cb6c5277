//! The map in the report: its upper layers as lists that fold, with what is hidden counted where it is.
//!
//! Which pages are shown is decided by [`View`]; at most [`LAYERS`] layers, so that no parser of HTML meets more nested
//! elements than it takes (browsers stop at 512).

use std::fmt::Write as _;
use std::io::{self, Write};

use groma_graph::WalkStep;
use groma_model::State;
use groma_model::wording::grouped;

use super::pen::{bar, heading, own, page as linked};
use super::phrases::Phrases;
use super::{ReportPage, file};
use crate::{Label, Labels, View, name};

/// Layers below this one are counted.
const LAYERS: u32 = 12;
/// A map with no more rows is open at first; of a larger one only the root is.
const SMALL: u32 = 60;

pub(crate) fn section(
    page: &ReportPage<'_>,
    rows: u32,
    labels: &mut dyn Labels,
    phrases: &Phrases<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let map = page.map;
    let mut to = String::new();
    heading(&mut to, phrases, "map");
    to.push_str("<p class=faint>");
    own(&mut to, phrases.say(if map.tree.is_empty() { "map.empty" } else { "map.says" }));
    to.push_str("</p>\n");
    if let Some(name) = file(page, "map.html") {
        to.push_str("<p>");
        own(&mut to, phrases.say("map.whole"));
        let _ = writeln!(to, " <a href=\"{name}\">{name}</a></p>");
    }
    if map.heading.unreached > 0 {
        to.push_str("<p>");
        own(&mut to, &phrases.count("map.unreached", map.heading.unreached));
        to.push_str("</p>\n");
    }
    let depth = map.depth.map_or(LAYERS, |depth| depth.min(LAYERS));
    let view = View::select(map.tree, &map.sizes, Some(depth), Some(rows));
    to.push_str("<ul class=map>\n");
    for step in view.walk() {
        match step {
            WalkStep::Enter(place) => {
                let label = labels.label(map.tree.node(place))?;
                let folds = !view.shown_children(place).is_empty();
                let open = place == 0 || view.shown_count() <= SMALL;
                enter(&mut to, page, place, folds.then_some(open), &label, phrases);
            }
            WalkStep::Leave(place) => {
                let (hidden, folds) = (view.hidden_pages(place), !view.shown_children(place).is_empty());
                if hidden > 0 {
                    let element = if folds { "li" } else { "div" };
                    let _ = write!(to, "<{element} class=more>");
                    own(&mut to, &phrases.count("map.more", hidden.into()));
                    let _ = writeln!(to, "</{element}>");
                }
                to.push_str(if folds { "</ul>\n</details></li>\n" } else { "</li>\n" });
            }
        }
        out.write_all(to.as_bytes())?;
        to.clear();
    }
    to.push_str("</ul>\n</section>\n");
    out.write_all(to.as_bytes())
}

/// Begins a page; `folds` says whether pages are shown below it, and whether they are seen at first.
fn enter(
    to: &mut String,
    page: &ReportPage<'_>,
    place: u32,
    folds: Option<bool>,
    label: &Label,
    phrases: &Phrases<'_>,
) {
    let map = page.map;
    let pages = map.pages(place);
    to.push_str("<li>");
    if let Some(open) = folds {
        let _ = write!(to, "<details{}><summary>", if open { " open" } else { "" });
    }
    linked(to, &label.url, &name::display_name(label));
    let unnamed = match label.reason.state() {
        State::Fetched if label.title.trim().is_empty() => phrases.say("untitled"),
        State::Fetched => "",
        _ => phrases.say("unfetched"),
    };
    if !unnamed.is_empty() {
        to.push_str(" <small>");
        own(to, unnamed);
        to.push_str("</small>");
    }
    if pages > 1 {
        let above = map.tree.parent(place).map_or(pages, |parent| map.pages(parent).saturating_sub(1));
        to.push_str(" <span class=count>");
        own(to, &grouped(pages.into()));
        to.push_str("</span> ");
        bar(to, f64::from(pages) / f64::from(above.max(1)), "accent");
    }
    if folds.is_some() {
        to.push_str("</summary>\n<ul>\n");
    }
}
