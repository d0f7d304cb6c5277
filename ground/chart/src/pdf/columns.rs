//! Which values stand where in an entry? Decided by the chosen fields alone, the same for every entry.

use groma_model::wording;

use super::sheet::{LEFT, RIGHT};
use crate::value::written;
use crate::{Field, Label};

/// Widths of the number and the bar of a column, and the gap before it.
const GAP: f32 = 9.0;
const BETWEEN: f32 = 3.0;
/// So many small values stand beside the URL; more get lines of their own, so many each.
const BESIDE: usize = 4;
const A_LINE: usize = 8;

/// A column with a number and a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) field: Field,
    /// Where the number ends and where the bar begins.
    pub(super) number_end: f32,
    pub(super) bar: f32,
    pub(super) bar_width: f32,
    /// Where the column begins.
    pub(super) start: f32,
}

/// What stands where in an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    /// Columns at the right, from left to right.
    pub(super) bars: Vec<Column>,
    /// Where title and URL end.
    pub(super) text_end: f32,
    /// The title stands on the first line; else the URL.
    pub(super) title: bool,
    /// The URL stands on the second line.
    pub(super) address: bool,
    /// Values in small type at the right of the second line.
    pub(super) beside: Vec<Field>,
    /// Lines of values in small type below.
    pub(super) below: Vec<Vec<Field>>,
    /// The height of an entry.
    pub(super) row: f32,
}

impl Columns {
    pub(super) fn from_fields(fields: &[Field]) -> Columns {
        let mut bars = Vec::new();
        let mut right = RIGHT;
        for (field, number, bar) in [(Field::Parts, 31.0, 40.0), (Field::Rank, 24.0, 24.0), (Field::Pages, 31.0, 28.0)]
        {
            if fields.contains(&field) {
                let start = right - bar - BETWEEN - number;
                bars.push(Column { field, number_end: start + number, bar: right - bar, bar_width: bar, start });
                right = start - GAP;
            }
        }
        bars.reverse();
        let title = fields.contains(&Field::Title) || !fields.contains(&Field::Url);
        let address = title && fields.contains(&Field::Url);
        let mut small: Vec<Field> = Vec::new();
        for &field in fields {
            let large = matches!(field, Field::Title | Field::Url | Field::Rank | Field::Pages | Field::Parts);
            if !large && !small.contains(&field) {
                small.push(field);
            }
        }
        let fits = RIGHT - right > 150.0 && small.len() <= BESIDE;
        let (beside, below) = if fits { (small, Vec::new()) } else { (Vec::new(), small) };
        let below: Vec<Vec<Field>> = below.chunks(A_LINE).map(<[Field]>::to_vec).collect();
        let second = if address || !beside.is_empty() { 8.6 } else { 0.0 };
        Columns { bars, text_end: right, title, address, beside, row: 14.4 + second + 8.0 * below.len() as f32, below }
    }
}

/// A value in small type, with as many words as it needs; empty if there is nothing to say.
pub(super) fn small(field: Field, label: &Label, depth: u32) -> String {
    let number = |amount: u32, word: &str| format!("{} {word}", wording::grouped(u64::from(amount)));
    let day = |word: &str, moment: Option<i64>| {
        let text = moment.and_then(written);
        text.map_or(String::new(), |text| format!("{word} {}", text.get(..10).unwrap_or_default()))
    };
    match field {
        Field::Title | Field::Url | Field::Rank | Field::Pages | Field::Parts => String::new(),
        Field::Depth => format!("depth {depth}"),
        Field::State => label.reason.state().name().into(),
        Field::Reason => label.reason.says().into(),
        Field::Status if label.status == 0 => String::new(),
        Field::Status => format!("HTTP {}", label.status),
        Field::Type => label.media_type.clone(),
        Field::Size => label.size.map_or(String::new(), wording::size),
        Field::Language => label.language.clone(),
        Field::Database => label.database.into(),
        Field::Words => number(label.words, "words"),
        Field::Modified => day("modified", label.modified),
        Field::Changed => day("changed", label.changed),
        Field::Fetched => day("fetched", label.fetched),
        Field::In => number(label.links_in, "in"),
        Field::Out => number(label.links_out, "out"),
        Field::Broken if label.broken == 0 => String::new(),
        Field::Broken => number(label.broken, "broken"),
        Field::Cluster => label.cluster.map_or(String::new(), |cluster| format!("cluster {cluster}")),
    }
}

/// What a column is called at the head of a sheet.
pub(super) fn caption(field: Field) -> &'static str {
    match field {
        Field::Pages => "pages",
        Field::Rank => "rank",
        Field::Parts => "what it links to",
        _ => "",
    }
}

/// The left edge of an entry so many layers below the root, and whether its depth must be told in digits.
pub(super) fn indent(depth: u32) -> (f32, bool) {
    (LEFT + STEP * depth.min(DEEPEST) as f32, depth > DEEPEST)
}

/// How far each layer stands to the right of the one above, up to which one.
pub(super) const STEP: f32 = 10.0;
pub(super) const DEEPEST: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_leave_room_for_titles_whatever_is_chosen() {
        for fields in [&Field::USUAL[..], Field::ALL, &[], &[Field::Url], &[Field::Parts, Field::Size]] {
            let columns = Columns::from_fields(fields);
            assert!(columns.text_end - indent(u32::MAX).0 > 150.0, "{fields:?}");
            assert!(columns.row >= 14.0 && columns.row < 60.0);
            assert!(columns.bars.windows(2).all(|pair| pair[0].bar + pair[0].bar_width < pair[1].start));
        }
        assert!(Columns::from_fields(&[]).title, "an entry always has a name");
        assert!(!Columns::from_fields(&[Field::Url]).title);
        assert_eq!(Columns::from_fields(Field::ALL).below.iter().flatten().count(), Field::ALL.len() - 5);
    }
}
