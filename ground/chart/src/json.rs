//! The map as one JSON document, for programs.
//!
//! ```text
//! { "format": "groma-site-map", "version": 1, "site": …, "root": …, "surveyed": …, "drawn": …, "generator": …,
//!   "pages": …, "layers": …, "unreached": …, "notes": […], "fields": […],
//!   "map": { "title": …, "url": …, chosen fields…, "parts": {"image": {"bytes": …, "files": …}}, "folded": …,
//!            "children": [ …the same… ] } }
//! ```
//!
//! `title` and `url` are always there, other values as chosen, under the names of [`Field`]. A chosen value that is not known
//! is `null`. Moments are RFC 3339 in UTC, numbers are numbers. `children` is left out where there are none; `folded` is the
//! number of pages below that a layer limit hides. `map` is `null` for an empty map. Every page begins a line.
//!
//! Cost: linear, one label in memory at a time. Not guaranteed: that every reader takes deep documents (some stop at 128 or
//! 1,000 levels; a page is two levels): a layer limit helps.

use std::io::{self, Write};

use groma_graph::WalkStep;
use groma_model::escape::Json;

use crate::value::{Value, decimal, written};
use crate::{Field, Label, Labels, Parts, SiteMap, Sort, View};

/// Writes the map as JSON.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, out: &mut dyn Write) -> io::Result<()> {
    heading(map, out)?;
    let view = View::select(map.tree, &map.sizes, map.depth, None);
    if map.tree.is_empty() {
        out.write_all(b"null")?;
    }
    for step in view.walk() {
        match step {
            WalkStep::Enter(place) => {
                let siblings = map.tree.parent(place).map(|parent| map.tree.children(parent).start);
                out.write_all(if siblings.is_some_and(|first| first < place) { b",\n" } else { b"\n" })?;
                page(map, place, &labels.label(map.tree.node(place))?, out)?;
                match view.hidden_pages(place) {
                    0 => {}
                    hidden => write!(out, ",\"folded\":{hidden}")?,
                }
                if !view.shown_children(place).is_empty() {
                    out.write_all(b",\"children\":[")?;
                }
            }
            WalkStep::Leave(place) if view.shown_children(place).is_empty() => out.write_all(b"}")?,
            WalkStep::Leave(_) => out.write_all(b"]}")?,
        }
    }
    out.write_all(b"\n}\n")
}

fn heading(map: &SiteMap<'_>, out: &mut dyn Write) -> io::Result<()> {
    let head = &map.heading;
    out.write_all(b"{\"format\":\"groma-site-map\",\"version\":1")?;
    for (name, text) in [("site", &head.site), ("root", &head.root), ("generator", &head.generator)] {
        write!(out, ",\n\"{name}\":{}", Json(text))?;
    }
    for (name, seconds) in [("surveyed", head.surveyed), ("drawn", head.drawn)] {
        write!(out, ",\n\"{name}\":")?;
        value(&written(seconds).map_or(Value::Unknown, Value::Moment), out)?;
    }
    write!(out, ",\n\"pages\":{},\"layers\":{}", map.tree.len(), map.tree.layer_count())?;
    write!(out, ",\"unreached\":{},\n\"notes\":", head.unreached)?;
    list(&mut head.notes.iter().map(String::as_str), out)?;
    out.write_all(b",\n\"fields\":")?;
    list(&mut map.fields.iter().map(|field| field.name()), out)?;
    out.write_all(b",\n\"map\":")
}

fn list(texts: &mut dyn Iterator<Item = &str>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, text) in texts.enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        write!(out, "{}", Json(text))?;
    }
    out.write_all(b"]")
}

/// A page up to, and without, its children.
fn page(map: &SiteMap<'_>, place: u32, label: &Label, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"title\":{},\"url\":{}", Json(&label.title), Json(&label.url))?;
    for (at, &field) in map.fields.iter().enumerate() {
        if matches!(field, Field::Title | Field::Url) || map.fields[..at].contains(&field) {
            continue;
        }
        write!(out, ",\"{}\":", field.name())?;
        match field {
            Field::Parts => parts(&label.parts, out)?,
            _ => value(&Value::from_field(field, map, place, label), out)?,
        }
    }
    Ok(())
}

fn value(value: &Value<'_>, out: &mut dyn Write) -> io::Result<()> {
    match value {
        Value::Unknown => out.write_all(b"null"),
        Value::Text(text) => write!(out, "{}", Json(text)),
        Value::Count(count) => write!(out, "{count}"),
        Value::Real(real) => out.write_all(decimal(*real).as_bytes()),
        Value::Moment(moment) => write!(out, "{}", Json(moment)),
    }
}

fn parts(parts: &Parts, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{")?;
    let present = Sort::ALL.into_iter().filter(|&sort| parts.files[sort as usize] > 0);
    for (at, sort) in present.enumerate() {
        let (bytes, files) = (parts.bytes[sort as usize], parts.files[sort as usize]);
        let comma = if at > 0 { "," } else { "" };
        write!(out, "{comma}\"{}\":{{\"bytes\":{bytes},\"files\":{files}}}", sort.name())?;
    }
    out.write_all(b"}")
}
