//! The pages of a drawn site.

pub(super) mod form;
pub(super) mod json;
pub(super) mod list;
pub(super) mod listing;
mod markup;

use crate::drawn::design::Design;
use crate::drawn::habits::Nuisance;
use crate::drawn::paths::{FORM, ITEM};
use crate::drawn::tongue::Tongue;
use crate::page::escaped;
use crate::table::Cell;

/// A whole page: what every page of a site has around what it is about.
pub(super) fn framed(tongue: Tongue, title: &str, main: &str) -> String {
    let said = tongue.phrases();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title></head>\n<body>\n\
         <nav><ul><li><a href=\"/\">1</a></li><li><a href=\"{FORM}\">{}</a></li><li><a href=\"/about\">?</a></li></ul></nav>\n\
         <div id=\"main\">\n{main}</div>\n<footer><a href=\"/imprint\">©</a> <a href=\"/privacy\">§</a></footer>\n</body></html>\n",
        said.code,
        escaped(title),
        said.search,
    )
}

pub(super) fn home(tongue: Tongue) -> String {
    let search = tongue.phrases().search;
    framed(tongue, search, &format!("<p><a href=\"{FORM}\">{search}</a></p>\n"))
}

/// All of one record.
pub(super) fn item(design: &Design, row: &[Cell]) -> String {
    let tongue = design.habits.tongue;
    let line = |(facet, cell): (&crate::drawn::rows::Facet, &Cell)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", escaped(tongue.label(facet.label)), escaped(&cell.shown()))
    };
    let lines: String = design.rows.facets.iter().zip(row).filter(|(facet, _)| facet.shown).map(line).collect();
    framed(tongue, &row.get(1).map(Cell::shown).unwrap_or_default(), &format!("<dl>\n{lines}</dl>\n"))
}

/// Where a record is shown by itself.
pub(super) fn place_of(row: &[Cell]) -> String {
    format!("{ITEM}{}", row.first().map(Cell::shown).unwrap_or_default())
}

/// A page that is no answer, though its status is 200.
pub(super) fn no_answer(tongue: Tongue, nuisance: Nuisance) -> String {
    let said = tongue.phrases();
    let main = match nuisance {
        Nuisance::Expired => format!("<p>{}</p>\n<p><a href=\"{FORM}\">{}</a></p>\n", said.expired, said.search),
        Nuisance::Login => format!(
            "<p>{}</p>\n<form action=\"/login\" method=\"post\"><input name=\"user\"><input type=\"password\" name=\"password\">\
             <input type=\"submit\"></form>\n",
            said.login
        ),
        Nuisance::Captcha => format!(
            "<p>{}</p>\n<form action=\"/captcha\" method=\"post\"><img src=\"/captcha.png\" alt=\"captcha\"><input name=\"answer\">\
             <input type=\"submit\"></form>\n",
            said.captcha
        ),
        Nuisance::Error => format!("<h1>500</h1>\n<p>{}</p>\n", said.error),
    };
    framed(tongue, said.results, &main)
}
