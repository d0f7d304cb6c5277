//! The map for a terminal: a tree of names with columns of values beside it.
//!
//! ```text
//! Home                       1,240 ████████
//! ├── Collections              430 ██▊
//! │   ├── Coins
//! │   └── … and 340 more pages in 12 branches
//! └── Contact
//! ```
//!
//! A name is the title or the last part of the URL; a page that is not indexed says why in brackets. A map larger than the
//! rows is shown as [`View`] says, with a line for whatever is hidden. Indentation ends where names would get too
//! little room: deeper pages have their layer as a number in front.
//!
//! Cost: linear in what is shown (and hidden siblings), lines of bounded length, one label in memory. Not guaranteed: that a
//! terminal gives every character the width that Unicode says, or shows right-to-left titles in their order.

mod columns;
mod fit;

use std::io::{self, Write};

use groma_graph::WalkStep;
use groma_model::State;

use crate::value::written;
use crate::{Field, Label, Labels, SiteMap, Sort, View, name, words};
use columns::Columns;
use fit::{cut, cut_front, padded, width, wrapped};

/// How a piece of a line stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What the eye should find first: the site, pages that have pages below them.
    Bold,
    /// What should not be in the way: branches, URLs, counts of what is hidden.
    Faint,
}

/// How the map is written.
#[derive(Clone, Copy)]
pub struct Options<'p> {
    /// Cells in a line; at least 30.
    pub width: usize,
    /// How many pages are shown at most; all, if nothing is said.
    pub rows: Option<u32>,
    /// No character but those of ASCII.
    pub ascii: bool,
    /// Puts what a terminal needs around a piece of a line; it must not change how many cells it takes.
    pub paint: &'p dyn Fn(Tone, &str) -> String,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { width: 100, rows: None, ascii: false, paint: &|_, text| text.to_owned() }
    }
}

impl Options<'_> {
    fn sign(&self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    fn bold(&self, text: &str) -> String {
        (self.paint)(Tone::Bold, text)
    }

    fn faint(&self, text: &str) -> String {
        if text.is_empty() { String::new() } else { (self.paint)(Tone::Faint, text) }
    }

    /// A stranger's text in the characters that are allowed.
    fn allowed(&self, text: String) -> String {
        if self.ascii { text.replace('…', "...").replace(|c: char| !c.is_ascii(), "?") } else { text }
    }
}

/// Writes the map as text.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, out: &mut dyn Write, options: Options<'_>) -> io::Result<()> {
    let options = Options { width: options.width.max(30), ..options };
    let view = View::select(map.tree, &map.sizes, map.depth, options.rows);
    let columns = Columns::fit(map, options.width);
    heading(map, &view, &columns, out, &options)?;
    if map.tree.is_empty() {
        return writeln!(out, "{}", words::EMPTY);
    }
    let head = padded(words::PAGE, columns.tree, false) + &columns.header(map);
    writeln!(out, "{}", options.faint(head.trim_end()))?;
    // For each page on the way from the root: does anything follow below it at its level?
    let mut guides: Vec<bool> = Vec::new();
    let sheet = Sheet { map, view: &view, columns: &columns, options: &options };
    for step in view.walk() {
        match step {
            WalkStep::Enter(place) => {
                if let Some(parent) = map.tree.parent(place) {
                    let last = view.shown_children(parent).end == place + 1 && view.hidden_children(parent) == 0;
                    guides.push(!last);
                }
                let label = labels.label(map.tree.node(place))?;
                writeln!(out, "{}", sheet.page(&guides, place, &label))?;
            }
            WalkStep::Leave(place) => {
                if view.hidden_children(place) > 0 && !view.shown_children(place).is_empty() {
                    guides.push(false);
                    let more = words::more(view.hidden_pages(place), view.hidden_children(place));
                    let (branches, used) = branches(&guides, columns.tree, &options);
                    let text = cut(&format!("{} {more}", options.sign()), columns.tree - used, options.sign());
                    writeln!(out, "{}", options.faint(&format!("{branches}{text}")))?;
                    guides.pop();
                }
                guides.pop();
            }
        }
    }
    legend(&columns, out, &options)
}

fn heading(
    map: &SiteMap<'_>,
    view: &View<'_>,
    columns: &Columns,
    out: &mut dyn Write,
    options: &Options<'_>,
) -> io::Result<()> {
    let head = &map.heading;
    let day = |seconds: i64| written(seconds).map(|text| text.split('T').next().unwrap_or_default().to_owned());
    let mut facts = vec![words::extent(map.tree.len(), map.tree.layer_count())];
    facts.extend(day(head.surveyed).map(|date| words::surveyed(&date)));
    facts.extend(day(head.drawn).map(|date| words::drawn(&date, &head.generator)));
    let mut lines = vec![(Some(Tone::Bold), head.site.clone()), (None, head.root.clone())];
    lines.push((Some(Tone::Faint), facts.join(", ")));
    lines.extend((head.unreached > 0).then(|| (None, words::unreached(head.unreached))));
    lines.extend(view.is_partial().then(|| (None, words::shown(view.shown_count(), map.tree.len()))));
    lines.extend((!columns.dropped.is_empty()).then(|| (Some(Tone::Faint), words::no_room(&columns.dropped))));
    lines.extend(head.notes.iter().map(|note| (None, format!("{}: {note}", words::NOTE))));
    for (tone, text) in lines {
        // What a reader must know is never cut: it goes on in the next line.
        for line in wrapped(&options.allowed(name::one_line(&text)), options.width) {
            writeln!(out, "{}", tone.map_or(line.clone(), |tone| (options.paint)(tone, &line)))?;
        }
    }
    writeln!(out)
}

/// Branches leave at least so many cells to a name.
const NARROWEST_NAME: usize = 16;

/// The branches in front of a name, and how many cells they take.
fn branches(guides: &[bool], room: usize, options: &Options<'_>) -> (String, usize) {
    let [bar, tee, end] = if options.ascii { ["|   ", "|-- ", "`-- "] } else { ["│   ", "├── ", "└── "] };
    let most = (room.saturating_sub(NARROWEST_NAME) / 4).max(1);
    let mut text = String::new();
    let shown = match guides.len().checked_sub(most) {
        Some(hidden) if hidden > 0 => {
            let layer = guides.len().to_string();
            let cells = layer.len().div_ceil(4).max(1) * 4;
            text.push_str(&padded(&layer, cells, false));
            &guides[(hidden + cells / 4).min(guides.len() - 1)..]
        }
        _ => guides,
    };
    for (at, &goes_on) in shown.iter().enumerate() {
        text.push_str(match (at + 1 == shown.len(), goes_on) {
            (true, true) => tee,
            (true, false) => end,
            (false, true) => bar,
            (false, false) => "    ",
        });
    }
    let cells = width(&text);
    (text, cells)
}

/// What every line of the map is made with.
struct Sheet<'a> {
    map: &'a SiteMap<'a>,
    view: &'a View<'a>,
    columns: &'a Columns,
    options: &'a Options<'a>,
}

impl Sheet<'_> {
    /// The line of a page; `guides` say at which levels something follows below.
    fn page(&self, guides: &[bool], place: u32, label: &Label) -> String {
        let Sheet { map, view, columns, options } = self;
        let (branches, used) = branches(guides, columns.tree, options);
        let room = columns.tree - used;
        let mut aside = String::new();
        if label.reason.state() != State::Fetched && !columns.has(Field::Reason) {
            aside = format!(" [{}]", label.reason);
        }
        if view.shown_children(place).is_empty() && view.hidden_children(place) > 0 {
            aside = format!("{aside} [{}]", words::below(view.hidden_pages(place)));
        }
        let aside = cut(&aside, room / 2, options.sign());
        // Whoever asks for URLs and not for titles gets URLs.
        let titled = map.shows(Field::Title) || !map.shows(Field::Url);
        let name = if titled { name::display_name(label) } else { name::one_line(&label.url) };
        let name = cut(&options.allowed(name), room - width(&aside), options.sign());
        let taken = width(&name) + width(&aside);
        // The URL beside the title where there is room to recognise it. Its end says most: its beginning is that of the page above.
        let address = match room.saturating_sub(taken + 2) {
            left if left >= 12 && place > 0 && titled && map.shows(Field::Url) && !label.title.is_empty() => {
                let path = name::one_line(label.url.strip_prefix(origin(&map.heading.root)).unwrap_or(&label.url));
                format!("  {}", cut_front(&options.allowed(path), left, options.sign()))
            }
            _ => String::new(),
        };
        let name = if map.tree.children(place).is_empty() { name } else { options.bold(&name) };
        let blanks = " ".repeat(room - taken - width(&address));
        let row = columns.row(map, place, label, options);
        let tail = format!("{blanks}{row}");
        format!(
            "{}{name}{}{}{}",
            options.faint(&branches),
            options.faint(&aside),
            options.faint(&address),
            tail.trim_end()
        )
    }
}

/// Scheme and host of a URL.
fn origin(root: &str) -> &str {
    let host = root.find("://").map_or(0, |at| at + 3);
    let path = root[host..].find('/').map_or(root.len(), |at| host + at);
    &root[..path]
}

fn legend(columns: &Columns, out: &mut dyn Write, options: &Options<'_>) -> io::Result<()> {
    let mut lines = Vec::new();
    if columns.has(Field::Pages) {
        lines.push(words::BAR_LEGEND.to_owned());
    }
    if columns.has(Field::Parts) {
        let sorts: Vec<&str> = Sort::ALL.iter().map(|sort| sort.name()).collect();
        lines.push(format!("{}: {}", words::PARTS_LEGEND, sorts.join(" ")));
    }
    if !lines.is_empty() {
        writeln!(out)?;
    }
    let mut lines = lines.iter().flat_map(|line| wrapped(line, options.width));
    lines.try_for_each(|line| writeln!(out, "{}", options.faint(&line)))
}
