//! The columns at the right of the text map: one for each chosen value, each with a fixed width so that nothing has to be
//! known in advance.

use groma_model::wording::{grouped, size};

use super::fit::{cut, padded};
use super::{Options, name};
use crate::value::Value;
use crate::{Field, Label, Parts, SiteMap, Sort, words};

/// Blanks between columns.
const GAP: usize = 2;
/// Cells of the bar.
const BAR: usize = 8;
/// The name of a page gets at least so many cells; columns that leave less are not drawn.
const NARROWEST: usize = 26;
/// Wider than this and the eye loses the line.
const WIDEST: usize = 92;

/// Which columns are drawn, and how many cells are left for the tree.
pub(super) struct Columns {
    fields: Vec<Field>,
    /// Chosen, but there is no room.
    pub(super) dropped: Vec<Field>,
    /// Cells for the tree and the names.
    pub(super) tree: usize,
}

fn room_of(field: Field, map: &SiteMap<'_>) -> usize {
    match field {
        Field::Title | Field::Url => 0,
        Field::Pages => digits(map) + 1 + BAR,
        Field::Rank => 6,
        Field::State => 10,
        Field::Reason => 18,
        Field::Type => 6,
        Field::Database => 14,
        Field::Size => 8,
        Field::Modified | Field::Changed | Field::Fetched => 10,
        Field::In | Field::Out => 9,
        Field::Depth => 5,
        Field::Language => 4,
        Field::Status | Field::Broken => 6,
        Field::Words | Field::Cluster | Field::Parts => 7,
    }
}

/// Cells for the largest count of pages, and for the word above it.
fn digits(map: &SiteMap<'_>) -> usize {
    grouped(map.tree.len().into()).len().max(words::column(Field::Pages).len())
}

fn is_number(field: Field) -> bool {
    !matches!(field, Field::State | Field::Reason | Field::Type | Field::Language | Field::Database | Field::Parts)
}

impl Columns {
    pub(super) fn fit(map: &SiteMap<'_>, width: usize) -> Columns {
        let mut columns = Columns { fields: Vec::new(), dropped: Vec::new(), tree: width };
        for &field in &map.fields {
            let room = room_of(field, map);
            if room == 0 || columns.fields.contains(&field) {
                continue;
            }
            if columns.tree >= NARROWEST + room + GAP {
                columns.tree -= room + GAP;
                columns.fields.push(field);
            } else {
                columns.dropped.push(field);
            }
        }
        columns.tree = columns.tree.min(WIDEST);
        columns
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }

    /// The line above the columns.
    pub(super) fn header(&self, map: &SiteMap<'_>) -> String {
        let cell = |field: &Field| {
            let title = words::column(*field);
            match field {
                Field::Pages => format!("{:GAP$}{}{:BAR$} ", "", padded(title, digits(map), true), ""),
                _ => format!("{:GAP$}{}", "", padded(title, room_of(*field, map), is_number(*field))),
            }
        };
        self.fields.iter().map(cell).collect::<String>()
    }

    /// The values of a page.
    pub(super) fn row(&self, map: &SiteMap<'_>, place: u32, label: &Label, options: &Options<'_>) -> String {
        let mut row = String::new();
        for &field in &self.fields {
            let room = room_of(field, map);
            let cell = match field {
                Field::Pages => pages(map, place, options.ascii),
                Field::Parts => chart(&label.parts, options.ascii),
                Field::Type => options.allowed(kind(&label.media_type)),
                Field::Size => label.size.map_or(String::new(), size),
                Field::Broken if label.broken == 0 => String::new(),
                _ => options.allowed(written(&Value::from_field(field, map, place, label))),
            };
            row.push_str(&" ".repeat(GAP));
            row.push_str(&padded(&cut(&cell, room, options.sign()), room, is_number(field)));
        }
        row
    }
}

fn written(value: &Value<'_>) -> String {
    match value {
        Value::Unknown => String::new(),
        Value::Text(text) => name::one_line(text),
        Value::Count(count) => grouped(*count),
        Value::Real(real) if *real >= 1_000.0 => grouped(*real as u64),
        Value::Real(real) => format!("{real:.2}"),
        Value::Moment(moment) => moment.split('T').next().unwrap_or_default().to_owned(),
    }
}

/// `text/html` as `html`; long names lose their vendor.
fn kind(media_type: &str) -> String {
    let kind = media_type.rsplit('/').next().unwrap_or_default();
    name::one_line(kind.rsplit("vnd.").next().unwrap_or_default())
}

/// How many pages stand at and below a page that has any below it, and a bar of their share of all.
fn pages(map: &SiteMap<'_>, place: u32, ascii: bool) -> String {
    let (here, all) = (u64::from(map.pages(place)), u64::from(map.tree.len()).max(1));
    if here <= 1 && all > 1 {
        return String::new();
    }
    let eighths = (here * BAR as u64 * 8).div_ceil(all) as usize;
    let bar = if ascii {
        "#".repeat(eighths.div_ceil(8))
    } else {
        let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        "█".repeat(eighths / 8) + part
    };
    format!("{} {}", padded(&grouped(here), digits(map), true), padded(&bar, BAR, false))
}

/// A small chart: one cell a sort, as high as its share of the bytes. A sort that is there is seen, however small.
fn chart(parts: &Parts, ascii: bool) -> String {
    let steps: [&str; 9] = if ascii {
        [" ", ".", ":", "-", "=", "+", "*", "%", "#"]
    } else {
        [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    };
    let all = u128::from(parts.total()).max(1);
    let step = |sort: Sort| match (parts.files[sort as usize], u128::from(parts.bytes[sort as usize])) {
        (0, _) => 0,
        (_, bytes) => ((bytes * 8).div_ceil(all) as usize).clamp(1, 8),
    };
    Sort::ALL.iter().map(|&sort| steps[step(sort)]).collect()
}
