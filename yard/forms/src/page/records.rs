//! Rows as markup: a table with headings, definition lists, boxes, items of a list; and the rules that find the values again.

use crate::options::Records;
use crate::page::{ROW, escaped};
use crate::table::{Cell, Table};

/// How rows of a table look in lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) records: Records,
    /// Whether the first column leads to the page of the row.
    pub(crate) links: bool,
    /// How many places behind the point numbers have, if not all.
    pub(crate) round: Option<usize>,
}

/// Some rows, in order.
pub(crate) fn rows(table: &Table, ids: &[usize], look: Look) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let shown: Vec<usize> = (0..table.columns.len()).filter(|nth| table.columns[*nth].shown).collect();
    let each: String = ids
        .iter()
        .filter_map(|id| Some((*id, table.rows.get(*id)?)))
        .map(|(id, row)| {
            let value = |nth: usize| {
                let text = escaped(&match (row.get(nth).unwrap_or(&Cell::Null), look.round) {
                    (Cell::Number(number), Some(places)) => format!("{number:.places$}"),
                    (cell, _) => cell.shown(),
                });
                let first = shown.first() == Some(&nth);
                if first && look.links { format!("<a href=\"{ROW}{id}\">{text}</a>") } else { text }
            };
            let label = |nth: usize| escaped(&table.columns[nth].label);
            match look.records {
                Records::Table => {
                    let cells: String = shown.iter().map(|nth| format!("<td>{}</td>", value(*nth))).collect();
                    format!("<tr>{cells}</tr>\n")
                }
                Records::Dl => {
                    let pairs: String =
                        shown.iter().map(|nth| format!("<dt>{}</dt><dd>{}</dd>", label(*nth), value(*nth))).collect();
                    format!("<dl class=\"record\">{pairs}</dl>\n")
                }
                Records::Cards => {
                    let lines: String = shown
                        .iter()
                        .map(|nth| format!("<p><b>{}:</b> <span>{}</span></p>", label(*nth), value(*nth)))
                        .collect();
                    format!("<div class=\"card\">{lines}</div>\n")
                }
                Records::List => {
                    let parts: Vec<String> = shown
                        .iter()
                        .map(|nth| format!("<i>{}:</i> <span>{}</span>", label(*nth), value(*nth)))
                        .collect();
                    format!("<li>{}</li>\n", parts.join("; "))
                }
            }
        })
        .collect();
    match look.records {
        Records::Table => {
            let heads: String =
                shown.iter().map(|nth| format!("<th>{}</th>", escaped(&table.columns[*nth].label))).collect();
            format!("<table class=\"results\"><thead><tr>{heads}</tr></thead><tbody>\n{each}</tbody></table>\n")
        }
        Records::List => format!("<ul class=\"results\">\n{each}</ul>\n"),
        Records::Dl | Records::Cards => format!("<div class=\"results\">\n{each}</div>\n"),
    }
}

/// The common beginning of the rules, and by column its name and its rule.
pub(crate) fn rules(table: &Table, records: Records) -> (&'static str, Vec<(String, String)>) {
    let prefix = match records {
        Records::Table => "html.body.main.table.",
        Records::List => "html.body.main.ul.",
        Records::Dl | Records::Cards => "html.body.main.div.",
    };
    let shown = table.columns.iter().filter(|column| column.shown).enumerate();
    let rule = |nth: usize| match records {
        Records::Table => format!("tr[*].td[{nth}].txt"),
        Records::Dl => format!("dl[*].dd[{nth}].txt"),
        Records::Cards => format!("div[*].p[{nth}].span.txt"),
        Records::List => format!("li[*].span[{nth}].txt"),
    };
    (prefix, shown.map(|(nth, column)| (column.name.clone(), rule(nth))).collect())
}

/// All of one row.
pub(crate) fn whole(table: &Table, row: &[Cell]) -> String {
    let line = |(column, cell): (&crate::table::Column, &Cell)| {
        format!("<tr><th>{}</th><td>{}</td></tr>\n", escaped(&column.label), escaped(&cell.shown()))
    };
    format!("<table class=\"row\">\n{}</table>\n", table.columns.iter().zip(row).map(line).collect::<String>())
}
