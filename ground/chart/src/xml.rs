//! The map as XML: the reference form, with a published schema and style sheets that turn it into XHTML and XSL-FO (for PDF).
//!
//! ```xml
//! <site-map xmlns="urn:groma:site-map:1" version="1" pages="3" layers="2" unreached="0" drawn="2026-01-02T00:00:00Z">
//!   <site>…</site> <root>…</root> <note>…</note>
//!   <page url="…" rank="1.5" pages="3">
//!     <title>…</title>
//!     <parts><part sort="image" bytes="1200" files="3"/></parts>
//!     <page …>…</page>
//!   </page>
//! </site-map>
//! ```
//!
//! `url` and `title` are always there, other values as chosen, under the names of [`Field`]; what is not known is left out.
//! `folded` is the number of pages below a page that a layer limit hides.
//!
//! Characters that XML 1.0 cannot write become U+FFFD. Cost: linear, one label in memory. Not guaranteed: that readers with
//! default settings take more than 255 layers (libxml2 wants `--huge`), and that `url` is a URI by the book: servers link to
//! anything, so the schema calls it a string.

use std::io::{self, Write};

use groma_graph::WalkStep;
use groma_model::escape::Xml;

use crate::value::{Value, written};
use crate::{Field, Label, Labels, Parts, SiteMap, Sort, View};

/// The schema of this form (XML Schema 1.0).
pub const SCHEMA: &str = include_str!("../assets/site-map.xsd");

/// The style sheet that makes a page of XHTML of it (XSLT 1.0).
pub const XHTML_SHEET: &str = include_str!("../assets/site-map-xhtml.xsl");

/// The style sheet that makes XSL-FO of it, for a formatter that makes PDF (XSLT 1.0).
pub const FO_SHEET: &str = include_str!("../assets/site-map-fo.xsl");

/// Settings with which Apache FOP sets the XSL-FO in the fonts of the system.
pub const FOP_SETTINGS: &str = include_str!("../assets/fop.xconf");

/// Indentation stops here: a deep map would be mostly blanks otherwise.
const DEEPEST_INDENT: usize = 16;

/// Writes the map as XML.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, out: &mut dyn Write) -> io::Result<()> {
    heading(map, out)?;
    let view = View::select(map.tree, &map.sizes, map.depth, None);
    let mut depth = 0;
    for step in view.walk() {
        match step {
            WalkStep::Enter(place) => {
                depth += 1;
                indent(depth, out)?;
                page(map, place, view.hidden_pages(place), &labels.label(map.tree.node(place))?, out)?;
            }
            WalkStep::Leave(place) => {
                if !view.shown_children(place).is_empty() {
                    indent(depth, out)?;
                }
                out.write_all(b"</page>")?;
                depth -= 1;
            }
        }
    }
    out.write_all(b"\n</site-map>\n")
}

fn indent(depth: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&b"\n                "[..=depth.min(DEEPEST_INDENT)])
}

fn heading(map: &SiteMap<'_>, out: &mut dyn Write) -> io::Result<()> {
    let head = &map.heading;
    out.write_all(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<site-map xmlns=\"urn:groma:site-map:1\" version=\"1\"",
    )?;
    write!(out, " pages=\"{}\" layers=\"{}\"", map.tree.len(), map.tree.layer_count())?;
    write!(out, " unreached=\"{}\"", head.unreached)?;
    for (name, seconds) in [("surveyed", head.surveyed), ("drawn", head.drawn)] {
        attribute(name, &written(seconds).map_or(Value::Unknown, Value::Moment), out)?;
    }
    attribute("generator", &Value::Text(&head.generator), out)?;
    out.write_all(b">")?;
    let lines = [("site", &head.site), ("root", &head.root)].into_iter();
    for (name, text) in lines.chain(head.notes.iter().map(|note| ("note", note))) {
        indent(1, out)?;
        element(name, text, out)?;
    }
    Ok(())
}

/// A page up to, and without, the pages below it.
fn page(map: &SiteMap<'_>, place: u32, folded: u32, label: &Label, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<page")?;
    attribute("url", &Value::Text(&label.url), out)?;
    for (at, &field) in map.fields.iter().enumerate() {
        // Twice the same attribute would be no XML.
        if !matches!(field, Field::Title | Field::Url) && !map.fields[..at].contains(&field) {
            attribute(field.name(), &Value::from_field(field, map, place, label), out)?;
        }
    }
    if folded > 0 {
        attribute("folded", &Value::Count(folded.into()), out)?;
    }
    out.write_all(b">")?;
    element("title", &label.title, out)?;
    if map.shows(Field::Parts) && !label.parts.is_empty() {
        parts(&label.parts, out)?;
    }
    Ok(())
}

fn parts(parts: &Parts, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<parts>")?;
    for sort in Sort::ALL.into_iter().filter(|&sort| parts.files[sort as usize] > 0) {
        let (bytes, files) = (parts.bytes[sort as usize], parts.files[sort as usize]);
        write!(out, "<part sort=\"{}\" bytes=\"{bytes}\" files=\"{files}\"/>", sort.name())?;
    }
    out.write_all(b"</parts>")
}

fn element(name: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<{name}>{}</{name}>", Xml(text))
}

fn attribute(name: &str, value: &Value<'_>, out: &mut dyn Write) -> io::Result<()> {
    if *value == Value::Unknown {
        return Ok(());
    }
    write!(out, " {name}=\"")?;
    value.write_xml(out)?;
    out.write_all(b"\"")
}
