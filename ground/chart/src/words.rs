//! The words people read on the text map, in one place, so that they can be put into another language.

use groma_model::wording::grouped;

use crate::Field;

/// `1 page`, `1,240 pages`.
pub(crate) fn pages(count: u64) -> String {
    if count == 1 { "1 page".into() } else { format!("{} pages", grouped(count)) }
}

/// How large the map is.
pub(crate) fn extent(page_count: u32, layer_count: u32) -> String {
    format!("{} to depth {}", pages(page_count.into()), grouped(layer_count.saturating_sub(1).into()))
}

/// When the survey was last written.
pub(crate) fn surveyed(date: &str) -> String {
    format!("surveyed {date}")
}

/// When and by what the map was drawn.
pub(crate) fn drawn(date: &str, generator: &str) -> String {
    if generator.is_empty() { format!("drawn {date}") } else { format!("drawn {date} by {generator}") }
}

/// Pages that are in scope but not on the map.
pub(crate) fn unreached(count: u64) -> String {
    let (verb, be) = if count == 1 { ("cannot be reached", "is") } else { ("cannot be reached", "are") };
    format!("{} {verb} from the root and {be} not on this map", pages(count))
}

/// How much of the map is shown.
pub(crate) fn shown(count: u32, of: u32) -> String {
    format!("{} of {} are shown; dots and brackets count the others", grouped(count.into()), pages(of.into()))
}

/// What is hidden next to shown children.
pub(crate) fn more(hidden_pages: u32, branches: u32) -> String {
    let what =
        if hidden_pages == 1 { "1 more page".into() } else { format!("{} more pages", grouped(hidden_pages.into())) };
    match branches {
        _ if branches == hidden_pages => format!("and {what}"),
        1 => format!("and {what} in 1 branch"),
        _ => format!("and {what} in {} branches", grouped(branches.into())),
    }
}

/// What is hidden below a page none of whose children is shown.
pub(crate) fn below(hidden_pages: u32) -> String {
    format!("+{}", pages(hidden_pages.into()))
}

/// Columns for which there is no room.
pub(crate) fn no_room(fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|&field| column(field)).collect();
    format!("too narrow for these columns: {}", names.join(", "))
}

/// A map without pages.
pub(crate) const EMPTY: &str = "There is nothing on this map.";

/// The head of the column of names.
pub(crate) const PAGE: &str = "page";

pub(crate) const NOTE: &str = "Note";

/// What a page without title and URL is called.
pub(crate) const NAMELESS: &str = "(no name)";

/// The legend of the column of parts, in front of the names of the sorts.
pub(crate) const PARTS_LEGEND: &str = "parts: what a page links to, by bytes";

/// Stands below the bars of shares.
pub(crate) const BAR_LEGEND: &str = "bar: share of all pages";

/// The head of a column.
pub(crate) fn column(field: Field) -> &'static str {
    match field {
        Field::Type => "type",
        Field::Language => "lang",
        Field::In => "links in",
        Field::Out => "links out",
        other => other.name(),
    }
}
