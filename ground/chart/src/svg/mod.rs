//! The map as a still picture: an indented tree with counts, bars and the chart of parts, as SVG without any script.
//!
//! What does not fit into the rows is folded by [`View`] and counted where it is. Links lead to the pages; a row tells
//! all about its page when pointed at. Dark where the reader's screen is dark. Valid XML whatever the titles hold.
//!
//! Cost: linear in the rows shown; memory: a few numbers a layer. Not guaranteed: that long titles are cut exactly at
//! the column; the width of letters is not known without the font, so it is estimated.

mod pen;

use std::io::{self, Write};

use groma_graph::WalkStep;
use groma_model::escape::Xml;
use groma_model::wording::{grouped, size};

use self::pen::{fitting, text};
use crate::html::escape::{is_web, push_address};
use crate::{Field, Label, Labels, Parts, SiteMap, Sort, View, name, value, words};

/// How the picture is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many pages may be shown; the others are counted where they are.
    pub rows: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { rows: 2_000 }
    }
}

const STYLE: &str = include_str!("../../assets/map/picture.css");
const MARGIN: u32 = 24;
const ROW: u32 = 22;
const INDENT: u32 = 18;
/// Deeper layers are not moved farther to the right: there would be no room left for their titles.
const DEEPEST: u32 = 20;
const NAMES: u32 = 620;
const BAR: u32 = 56;
const PARTS: u32 = 130;

/// The classes of the sorts, as in the style sheet.
const SORTS: [&str; 7] = ["s0", "s1", "s2", "s3", "s4", "s5", "s6"];

/// Draws the map, with up to 2,000 pages shown.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, out: &mut dyn Write) -> io::Result<()> {
    render_with(&Options::default(), map, labels, out)
}

/// Writes the map as an SVG picture.
pub fn render_with(
    options: &Options,
    map: &SiteMap<'_>,
    labels: &mut dyn Labels,
    out: &mut dyn Write,
) -> io::Result<()> {
    let view = View::select(map.tree, &map.sizes, map.depth, Some(options.rows));
    let columns = Columns::lay_out(map);
    let notes = notes(map, view);
    let top = 116 + 18 * notes.len() as u32;
    let more =
        view.walk().filter(|step| matches!(step, WalkStep::Leave(place) if view.hidden_children(*place) > 0)).count();
    let rows = view.shown_count().saturating_add(more as u32);
    head(map, &notes, columns.width, top + rows * ROW + MARGIN, out)?;
    columns.heads(top - 6, out)?;
    let mut drawing = Drawing { map, columns, y: top, open: Vec::new() };
    for step in view.walk() {
        match step {
            WalkStep::Enter(place) => {
                let label = labels.label(map.tree.node(place))?;
                drawing.page(place, &label, out)?;
            }
            WalkStep::Leave(place) => {
                if view.hidden_children(place) > 0 {
                    drawing.folded(&words::more(view.hidden_pages(place), view.hidden_children(place)), out)?;
                }
                drawing.open.pop();
            }
        }
    }
    out.write_all(b"</svg>\n")
}

/// Where the columns stand.
#[derive(Clone, Copy)]
struct Columns {
    pages: Option<u32>,
    rank: Option<u32>,
    broken: Option<u32>,
    parts: Option<u32>,
    width: u32,
}

impl Columns {
    fn lay_out(map: &SiteMap<'_>) -> Columns {
        let mut width = MARGIN + NAMES;
        let mut column = |field: Field, wide: u32| {
            map.shows(field).then(|| {
                width += wide + 14;
                width - wide
            })
        };
        let (pages, rank) = (column(Field::Pages, BAR + 60), column(Field::Rank, 50));
        let (broken, parts) = (column(Field::Broken, 44), column(Field::Parts, PARTS));
        Columns { pages, rank, broken, parts, width: width + MARGIN }
    }

    /// The names of the columns.
    fn heads(&self, y: u32, out: &mut dyn Write) -> io::Result<()> {
        let ends =
            [(self.pages, Field::Pages, BAR + 60), (self.rank, Field::Rank, 50), (self.broken, Field::Broken, 44)];
        for (x, field, wide) in ends {
            if let Some(x) = x {
                text(out, "number faint small", x + wide, y, words::column(field))?;
            }
        }
        if let Some(x) = self.parts {
            text(out, "faint small", x, y, words::column(Field::Parts))?;
        }
        out.write_all(b"\n")
    }
}

fn notes(map: &SiteMap<'_>, view: View<'_>) -> Vec<String> {
    let mut notes = map.heading.notes.clone();
    if map.heading.unreached > 0 {
        notes.push(words::unreached(map.heading.unreached));
    }
    if view.is_partial() {
        notes.push(words::shown(view.shown_count(), map.tree.len()));
    }
    notes
}

fn head(map: &SiteMap<'_>, notes: &[String], width: u32, height: u32, out: &mut dyn Write) -> io::Result<()> {
    let heading = &map.heading;
    let site = name::one_line(if heading.site.trim().is_empty() { &heading.root } else { &heading.site });
    let date = |seconds: i64| value::written(seconds).unwrap_or_default().chars().take(10).collect::<String>();
    let extent = words::extent(map.tree.len(), map.tree.layer_count());
    let facts =
        [extent, words::surveyed(&date(heading.surveyed)), words::drawn(&date(heading.drawn), &heading.generator)];
    let facts = facts.join(" · ");
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" aria-labelledby=\"name about\">\n<title id=\"name\">"
    )?;
    write!(out, "{}</title>\n<desc id=\"about\">{}", Xml(&site), Xml(&facts))?;
    write!(out, "</desc>\n<style>{STYLE}</style>\n<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>\n")?;
    text(out, "head", MARGIN, 38, &fitting(&site, width - 2 * MARGIN, 11))?;
    text(out, "faint", MARGIN, 58, &fitting(&facts, width - 2 * MARGIN, 7))?;
    let mut y = 58;
    for note in notes {
        y += 18;
        text(out, "note", MARGIN, y, &fitting(&name::one_line(note), width - 2 * MARGIN, 7))?;
    }
    let mut x = MARGIN;
    for sort in Sort::ALL {
        write!(
            out,
            "<rect class=\"{}\" x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" rx=\"2\"/>",
            SORTS[sort as usize],
            y + 15
        )?;
        text(out, "faint", x + 15, y + 24, sort.name())?;
        x += 32 + 7 * sort.name().len() as u32;
    }
    Ok(())
}

/// What is known while rows are drawn: the height reached, and for each page that is still open where its line ends.
struct Drawing<'a> {
    map: &'a SiteMap<'a>,
    columns: Columns,
    y: u32,
    open: Vec<u32>,
}

impl Drawing<'_> {
    fn page(&mut self, place: u32, label: &Label, out: &mut dyn Write) -> io::Result<()> {
        let (x, y) = self.row(out)?;
        self.open.push(y);
        let named = name::display_name(label);
        let web = is_web(&label.url);
        if web {
            let mut address = String::new();
            push_address(&mut address, &label.url);
            write!(out, "<a href=\"{address}\" target=\"_blank\" rel=\"noopener noreferrer\">")?;
        } else {
            out.write_all(b"<g>")?;
        }
        write!(out, "<title>{}</title>", Xml(&about(&named, label)))?;
        let sort = SORTS[Sort::of_media_type(&label.media_type) as usize];
        write!(out, "<circle class=\"{sort}\" cx=\"{}\" cy=\"{y}\" r=\"4\"/>", x + 4)?;
        let class = if label.title.trim().is_empty() { "faint" } else { "name" };
        text(out, class, x + 14, y + 4, &fitting(&named, (MARGIN + NAMES).saturating_sub(x + 14), 7))?;
        out.write_all(if web { b"</a>" } else { b"</g>" })?;
        self.values(place, label, y, out)?;
        out.write_all(b"\n")
    }

    fn folded(&mut self, words: &str, out: &mut dyn Write) -> io::Result<()> {
        let (x, y) = self.row(out)?;
        text(out, "faint", x + 14, y + 4, &format!("… {words}"))?;
        out.write_all(b"\n")
    }

    /// Begins a row: where its name begins, and its middle. Draws the branch that leads to it.
    fn row(&mut self, out: &mut dyn Write) -> io::Result<(u32, u32)> {
        let depth = self.open.len() as u32;
        let x = MARGIN + depth.min(DEEPEST) * INDENT;
        let y = self.y + ROW / 2;
        self.y += ROW;
        if depth <= DEEPEST
            && let Some(last) = self.open.last_mut()
        {
            write!(out, "<path class=\"branch\" d=\"M{} {}V{y}H{}\"/>", x - INDENT + 4, *last + 5, x - 2)?;
            // The next branch goes on from here.
            *last = y - 5;
        }
        Ok((x, y))
    }

    fn values(&self, place: u32, label: &Label, y: u32, out: &mut dyn Write) -> io::Result<()> {
        let pages = self.map.pages(place);
        if let Some(x) = self.columns.pages.filter(|_| pages > 1) {
            let above = self.map.tree.parent(place).map_or(pages, |parent| self.map.pages(parent) - 1);
            let wide = f64::from(BAR) * f64::from(pages) / f64::from(above.max(1));
            write!(out, "<rect class=\"rail\" x=\"{x}\" y=\"{}\" width=\"{BAR}\" height=\"6\" rx=\"3\"/>", y - 3)?;
            write!(out, "<rect class=\"bar\" x=\"{x}\" y=\"{}\" width=\"{wide:.1}\" height=\"6\" rx=\"3\"/>", y - 3)?;
            text(out, "number", x + BAR + 60, y + 4, &grouped(pages.into()))?;
        }
        if let Some(x) = self.columns.rank.filter(|_| label.rank.is_finite()) {
            text(out, "number faint", x + 50, y + 4, &format!("{:.2}", label.rank))?;
        }
        if let Some(x) = self.columns.broken.filter(|_| label.broken > 0) {
            text(out, "number broken", x + 44, y + 4, &grouped(label.broken.into()))?;
        }
        match self.columns.parts {
            Some(x) => parts(&label.parts, x, y, out),
            None => Ok(()),
        }
    }
}

/// The chart of parts: as wide as the bytes of each sort; files count where no size is known.
fn parts(parts: &Parts, x: u32, y: u32, out: &mut dyn Write) -> io::Result<()> {
    let known = parts.total() > 0;
    let weight = |sort: Sort| {
        if known { parts.bytes[sort as usize] as f64 } else { f64::from(parts.files[sort as usize]) }
    };
    let all: f64 = Sort::ALL.iter().map(|sort| weight(*sort)).sum();
    let mut from = f64::from(x);
    for sort in Sort::ALL {
        let wide = if all > 0.0 { f64::from(PARTS) * weight(sort) / all } else { 0.0 };
        if wide > 0.0 {
            let class = SORTS[sort as usize];
            let unsized_too = if known { "" } else { " unsized" };
            write!(
                out,
                "<rect class=\"{class}{unsized_too}\" x=\"{from:.1}\" y=\"{}\" width=\"{wide:.1}\" height=\"9\"/>",
                y - 5
            )?;
            from += wide;
        }
    }
    Ok(())
}

/// All about a page, for those who point at it.
fn about(named: &str, label: &Label) -> String {
    let mut lines = vec![named.to_owned(), label.url.clone()];
    if !label.media_type.is_empty() {
        lines.push(label.media_type.clone());
    }
    lines.extend(label.size.map(size));
    for sort in Sort::ALL {
        let (files, bytes) = (label.parts.files[sort as usize], label.parts.bytes[sort as usize]);
        if files > 0 {
            lines.push(format!("{} × {}: {}", grouped(files.into()), sort.name(), size(bytes)));
        }
    }
    lines.join("\n")
}
