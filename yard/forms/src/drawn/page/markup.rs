//! Records as markup.

use crate::drawn::habits::Markup;
use crate::drawn::page::listing::Listing;
use crate::drawn::page::place_of;
use crate::page::escaped;
use crate::table::Cell;

/// A record: labels and values of the columns that are shown, as markup.
type Shown = Vec<(&'static str, String)>;

/// The records of a page.
pub(super) fn records(listing: &Listing<'_>) -> String {
    if listing.here.is_empty() {
        return String::new();
    }
    let columns = columns(listing);
    let all: Vec<Shown> = listing.here.iter().map(|nth| shown(listing, &columns, *nth)).collect();
    let each = |one: &dyn Fn(&Shown) -> String| all.iter().map(one).collect::<String>();
    let values = |record: &Shown, around: &dyn Fn(&str, &str) -> String| {
        record.iter().map(|(label, value)| around(label, value)).collect::<String>()
    };
    match look(listing) {
        Markup::Table => {
            let rows =
                each(&|record| format!("<tr>{}</tr>\n", values(record, &|_, value| format!("<td>{value}</td>"))));
            format!("<table>\n<tr>{}</tr>\n{rows}</table>\n", headings(&all))
        }
        Markup::NestedTable => {
            let rows = each(&|record| {
                let lines = values(record, &|label, value| format!("<tr><td>{label}</td><td>{value}</td></tr>"));
                format!("<tr><td><img src=\"/dot.gif\" alt=\"\"></td><td><table>{lines}</table></td></tr>\n")
            });
            format!("<table width=\"100%\"><tr><td><table>\n{rows}</table></td></tr></table>\n")
        }
        Markup::List => {
            let item = |record: &Shown| {
                let parts: Vec<String> =
                    record.iter().map(|(label, value)| format!("<i>{label}:</i> <span>{value}</span>")).collect();
                format!("<li>{}</li>\n", parts.join("; "))
            };
            format!("<ul>\n{}</ul>\n", each(&item))
        }
        Markup::Dl => each(&|record| {
            format!("<dl>{}</dl>\n", values(record, &|label, value| format!("<dt>{label}</dt><dd>{value}</dd>")))
        }),
        Markup::Spans => {
            let line = |record: &Shown| {
                format!("<div class=\"row\">{}</div>\n", values(record, &|_, value| format!("<span>{value}</span>")))
            };
            format!("<div class=\"rows\">\n{}</div>\n", each(&line))
        }
        Markup::Grid => {
            let cell =
                |record: &Shown| format!("<div>{}</div>\n", values(record, &|_, value| format!("<div>{value}</div>")));
            format!("<div>\n{}</div>\n", each(&cell))
        }
        Markup::JsonLd => {
            let name = |record: &Shown| format!("<li>{}</li>\n", record.get(1).map_or("", |(_, value)| value.as_str()));
            format!("<ol>\n{}</ol>\n", each(&name))
        }
        Markup::Cards | Markup::JsonIsland | Markup::JsonState | Markup::JsonAnswer => {
            let lines =
                |record: &Shown| values(record, &|label, value| format!("<p><b>{label}:</b> <span>{value}</span></p>"));
            let card = |record: &Shown| format!("<div class=\"card\">{}</div>\n", lines(record));
            format!("<div class=\"cards\">\n{}</div>\n", each(&card))
        }
    }
}

/// A view changes how lists look, not what is in them.
fn look(listing: &Listing<'_>) -> Markup {
    match (listing.view, listing.design.habits.markup) {
        (Some("full"), Markup::Table | Markup::List | Markup::Grid) => Markup::Cards,
        (Some("full"), Markup::Cards | Markup::Dl) => Markup::Table,
        (_, own) => own,
    }
}

/// The columns that are shown; a compact view has the first two.
fn columns(listing: &Listing<'_>) -> Vec<usize> {
    let facets = listing.design.rows.facets.iter().enumerate();
    let few = if listing.view == Some("compact") { 2 } else { usize::MAX };
    facets.filter(|(_, facet)| facet.shown).map(|(nth, _)| nth).take(few).collect()
}

fn shown(listing: &Listing<'_>, columns: &[usize], nth: usize) -> Shown {
    let rows = &listing.design.rows;
    let row = &rows.cells[nth];
    let one = |column: &usize| {
        let text = escaped(&row.get(*column).unwrap_or(&Cell::Null).shown());
        let linked = *column == 1 && listing.design.habits.links;
        let value = if linked { format!("<a href=\"{}\">{text}</a>", escaped(&place_of(row))) } else { text };
        (listing.tongue.label(rows.facets[*column].label), value)
    };
    columns.iter().map(one).collect()
}

fn headings(all: &[Shown]) -> String {
    let first = all.first().map(Vec::as_slice).unwrap_or_default();
    first.iter().map(|(label, _)| format!("<th>{label}</th>")).collect()
}
