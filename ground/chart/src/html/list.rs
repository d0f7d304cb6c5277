//! The pages as nested lists, a page a line: readable without a script, and quickly read by one.
//!
//! ```text
//! <ul>                                    the pages below the page before
//! <li><a href="ADDRESS">TITLE</a>VALUES   a page; its values are <i>VALUE</i> in the order of the fields;
//!                                         empty ones at the end are left out
//! <li class="i R">…                       sort of content, if not a page (i m d a c o); R not fetched, U not shown
//! <a … class=u>NAME</a>                   it has no title, and is named after its URL
//! <a … dir=auto>TITLE</a>                 a part of the title is written from right to left
//! <a data-url="ADDRESS">                  not an address of the web, so not a link
//! <li class=m data-n=340>TEXT             so many pages are not shown here
//! </ul>
//! ```
//!
//! Cost: linear in what is written; memory: one line.

use std::fmt::Write as _;
use std::io::{self, Write};

use groma_graph::WalkStep;
use groma_model::State;
use groma_model::state::Fault;

use super::escape::{has_right_to_left, is_web, push_address, push_text};
use super::words::Words;
use crate::value::Value;
use crate::{Field, Label, Labels, Parts, SiteMap, Sort, View, name};

/// What is known of the whole list once it has been written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sums {
    pub(crate) highest: f64,
    pub(crate) lowest: f64,
}

/// The fields that stand after the title, each once, in their order.
pub(crate) fn value_fields(map: &SiteMap<'_>) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for field in &map.fields {
        if !matches!(field, Field::Title | Field::Url) && !fields.contains(field) {
            fields.push(*field);
        }
    }
    fields
}

pub(crate) fn write(
    map: &SiteMap<'_>,
    view: View<'_>,
    labels: &mut dyn Labels,
    words: &Words<'_>,
    out: &mut dyn Write,
) -> io::Result<Sums> {
    let fields = value_fields(map);
    let mut sums = Sums { highest: 0.0, lowest: f64::INFINITY };
    let mut line = String::new();
    out.write_all(b"<ul>\n")?;
    for step in view.walk() {
        line.clear();
        match step {
            WalkStep::Enter(place) => {
                let label = labels.label(map.tree.node(place))?;
                if label.rank.is_finite() {
                    sums.highest = sums.highest.max(label.rank);
                    sums.lowest = sums.lowest.min(label.rank);
                }
                push_page(&mut line, &label);
                push_values(&mut line, map, place, &label, &fields);
                line.push('\n');
                if !map.tree.children(place).is_empty() {
                    line.push_str("<ul>\n");
                }
            }
            WalkStep::Leave(place) => {
                if view.hidden_children(place) > 0 {
                    push_more(&mut line, view.hidden_pages(place), view.hidden_children(place), words);
                }
                if !map.tree.children(place).is_empty() {
                    line.push_str("</ul>\n");
                }
            }
        }
        out.write_all(line.as_bytes())?;
    }
    out.write_all(b"</ul>\n")?;
    Ok(sums)
}

fn push_page(to: &mut String, label: &Label) {
    let sort = match Sort::of_media_type(&label.media_type) {
        Sort::Page => "",
        Sort::Image => "i",
        Sort::Media => "m",
        Sort::Document => "d",
        Sort::Archive => "a",
        Sort::Code => "c",
        Sort::Other => "o",
    };
    let state = match (label.reason.state(), label.reason.fault()) {
        (State::Fetched, _) => "",
        (_, Some(Fault::Unknown)) => "U",
        _ => "R",
    };
    to.push_str("<li");
    match (sort, state) {
        ("", "") => {}
        ("", one) | (one, "") => to.extend([" class=", one]),
        (sort, state) => to.extend([" class=\"", sort, " ", state, "\""]),
    }
    to.push_str(if is_web(&label.url) { "><a href=\"" } else { "><a data-url=\"" });
    push_address(to, &label.url);
    to.push('"');
    let name = name::display_name(label);
    to.push_str(match label.title.trim() {
        "" => " class=u>",
        _ if has_right_to_left(&name) => " dir=auto>",
        _ => ">",
    });
    let start = to.len();
    push_text(to, &name);
    if to[start..].trim().is_empty() {
        // Nothing of it can be seen, and a link must be seen.
        to.truncate(start);
        push_address(to, &name::one_line(&label.url));
    }
    to.push_str("</a>");
}

fn push_values(to: &mut String, map: &SiteMap<'_>, place: u32, label: &Label, fields: &[Field]) {
    let mut end = to.len();
    for field in fields {
        to.push_str("<i>");
        let start = to.len();
        push_value(to, map, place, label, *field);
        let filled = to.len() > start;
        to.push_str("</i>");
        if filled {
            end = to.len();
        }
    }
    to.truncate(end);
}

/// A value as it stands in the list: exact, and empty if it is not known, or if it is a zero that says nothing.
fn push_value(to: &mut String, map: &SiteMap<'_>, place: u32, label: &Label, field: Field) {
    match Value::from_field(field, map, place, label) {
        _ if field == Field::Parts => push_parts(to, &label.parts),
        Value::Count(0) if matches!(field, Field::Broken | Field::Words) => {}
        Value::Unknown => {}
        Value::Text(text) => push_text(to, &name::one_line(text)),
        Value::Count(count) => to.push_str(&count.to_string()),
        // Four decimals are more than people compare, and less than the file would be filled with.
        Value::Real(real) => to.push_str(format!("{real:.4}").trim_end_matches('0').trim_end_matches('.')),
        Value::Moment(moment) => to.push_str(&moment),
    }
}

/// `12 image 345678, 3 page 90000`: files, sort, bytes.
fn push_parts(to: &mut String, parts: &Parts) {
    let mut before = "";
    for sort in Sort::ALL {
        let (files, bytes) = (parts.files[sort as usize], parts.bytes[sort as usize]);
        if files > 0 {
            let _ = write!(to, "{before}{files} {} {bytes}", sort.name());
            before = ", ";
        }
    }
}

fn push_more(to: &mut String, pages: u32, branches: u32, words: &Words<'_>) {
    let _ = write!(to, "<li class=m data-n={pages}>");
    push_text(
        to,
        &words.count("more", pages.into()).replace("{branches}", &groma_model::wording::grouped(branches.into())),
    );
    to.push('\n');
}
