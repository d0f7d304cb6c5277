//! The map as one HTML file that needs nothing else: to be opened, mailed, printed, searched, and read without
//! JavaScript.
//!
//! The pages stand in the file once, as plain nested lists (`list.rs`) inside `noscript`. Where scripts run, a browser
//! takes that as one text and builds nothing from it; the script (`assets/map/*.js`) notes where each line begins,
//! draws only the rows that are seen, and reads a line when it is needed. Where no script runs, the lists are the
//! page.
//!
//! Nothing is loaded, nothing is sent (`policy.rs`); no text of a stranger becomes markup (`escape.rs`). Above a number
//! of pages the map is folded by [`View`], and the head of the page says so. The same map gives the same bytes.
//!
//! Markup is pushed and not filled into a template: nearly all of the file is the list, which is written line by line while the tree is
//! walked, and the little that stands around it is not worth a template engine on the ground.
//!
//! Cost: linear; memory: a line of the list. Not guaranteed: that a phone opens the largest file.

pub(crate) mod escape;
mod list;
pub(crate) mod policy;
mod words;

use std::io::{self, Write};

use groma_model::wording;

use self::escape::push_text;
pub use self::words::{ENGLISH, Words};
use crate::{Field, Labels, SiteMap, View, name, value};

/// How the page is written.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// How many pages may be shown; the others are counted where they are.
    pub rows: u32,
    /// The words people see.
    pub words: Words<'a>,
}

impl Default for Options<'static> {
    fn default() -> Self {
        Options { rows: 250_000, words: ENGLISH }
    }
}

const STYLE: &str = concat!(include_str!("../../assets/colors.css"), include_str!("../../assets/map/map.css"));

/// The parts of the script, in the order in which they need each other.
const SCRIPTS: [&str; 8] = [
    include_str!("../../assets/map/rows.js"),
    include_str!("../../assets/map/dom.js"),
    include_str!("../../assets/map/search.js"),
    include_str!("../../assets/map/details.js"),
    include_str!("../../assets/map/roll.js"),
    include_str!("../../assets/map/tree.js"),
    include_str!("../../assets/map/areas.js"),
    include_str!("../../assets/map/start.js"),
];

/// Writes the map in English, with up to 250,000 pages shown.
pub fn render(map: &SiteMap<'_>, labels: &mut dyn Labels, out: &mut dyn Write) -> io::Result<()> {
    render_with(&Options::default(), map, labels, out)
}

/// Writes the map as one HTML page.
pub fn render_with(
    options: &Options<'_>,
    map: &SiteMap<'_>,
    labels: &mut dyn Labels,
    out: &mut dyn Write,
) -> io::Result<()> {
    let words = &options.words;
    let view = View::select(map.tree, &map.sizes, map.depth, Some(options.rows));
    let script = script(words);
    let style = style(map, words);
    let mut head = String::new();
    push_head(&mut head, map, words, &script, &style);
    push_heading(&mut head, map, view, words);
    out.write_all(head.as_bytes())?;

    let address = map.shows(Field::Url).then_some(Field::Url);
    let fields: Vec<&str> = list::value_fields(map).into_iter().chain(address).map(|field| field.name()).collect();
    let mut open = String::from("<noscript id=list data-fields=\"");
    open.push_str(&fields.join(" "));
    open.push_str(&format!("\" data-rows={}>\n<p>", view.shown_count()));
    push_text(&mut open, words.get("plain"));
    open.push(' ');
    let named: Vec<&str> = list::value_fields(map).iter().map(|field| field.says()).collect();
    if !named.is_empty() {
        push_text(&mut open, &words.get("order").replace("{fields}", &named.join("; ")));
    }
    open.push_str("</p>\n");
    out.write_all(open.as_bytes())?;
    let sums = list::write(map, view, labels, words, out)?;
    let (highest, lowest) = (sums.highest, if sums.lowest.is_finite() { sums.lowest } else { 0.0 });
    write!(out, "</noscript>\n<p id=sums hidden data-highest={highest:.4} data-lowest={lowest:.4}></p>\n<script>")?;
    out.write_all(script.as_bytes())?;
    out.write_all(b"</script>\n</body>\n</html>\n")
}

fn push_head(to: &mut String, map: &SiteMap<'_>, words: &Words<'_>, script: &str, style: &str) {
    to.push_str("<!DOCTYPE html>\n<html lang=\"");
    push_text(to, words.language);
    to.push_str("\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"");
    push_text(to, &policy::policy(script, style));
    to.push_str("\">\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    to.push_str("<meta name=\"viewport\" content=\"width=device-width\">\n");
    to.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"");
    push_text(to, &name::one_line(&map.heading.generator));
    to.push_str("\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
    push_text(to, &words.get("map").replace("{site}", &site_name(map)));
    to.push_str("</title>\n<style>");
    to.push_str(style);
    to.push_str("</style>\n</head>\n<body>\n");
}

fn push_heading(to: &mut String, map: &SiteMap<'_>, view: View<'_>, words: &Words<'_>) {
    let heading = &map.heading;
    let minute = |moment: String| format!("{} UTC", moment[..16].replace('T', " "));
    let date = |seconds: i64| value::written(seconds).map(minute).unwrap_or_default();
    to.push_str("<header id=head>\n<h1><bdi>");
    push_text(to, &site_name(map));
    to.push_str("</bdi></h1>\n<p>");
    let facts = [
        words.count("pages", map.tree.len().into()),
        words.get("depth").replace("{n}", &wording::grouped(map.tree.layer_count().saturating_sub(1).into())),
        words.get("surveyed").replace("{date}", &date(heading.surveyed)),
        words
            .get("drawn")
            .replace("{date}", &date(heading.drawn))
            .replace("{generator}", &name::one_line(&heading.generator)),
    ];
    for (at, fact) in facts.iter().enumerate() {
        to.push_str(if at > 0 { " · " } else { "" });
        push_text(to, fact);
    }
    to.push_str("</p>\n");
    let mut notes = heading.notes.clone();
    if heading.unreached > 0 {
        notes.push(words.count("unreached", heading.unreached));
    }
    let shallow = map.depth.filter(|depth| depth.saturating_add(1) < map.tree.layer_count());
    if let Some(depth) = shallow {
        notes.push(words.get("shallow").replace("{n}", &wording::grouped(depth.into())));
    }
    let within = map.depth.map_or(map.tree.len(), |depth| layers_end(map, depth));
    if view.shown_count() < within {
        let (shown, all) = (wording::grouped(view.shown_count().into()), wording::grouped(within.into()));
        notes.push(words.get("partial").replace("{n}", &shown).replace("{all}", &all));
    }
    if !notes.is_empty() {
        to.push_str("<ul class=notes>\n");
        for note in &notes {
            to.push_str("<li>");
            push_text(to, &name::one_line(note));
            to.push('\n');
        }
        to.push_str("</ul>\n");
    }
    to.push_str("</header>\n");
}

fn site_name(map: &SiteMap<'_>) -> String {
    let site = name::one_line(&map.heading.site);
    if site.is_empty() { name::one_line(&map.heading.root) } else { site }
}

/// How many pages stand in the layers up to this one.
fn layers_end(map: &SiteMap<'_>, depth: u32) -> u32 {
    let layers = map.tree.layer_count();
    if layers == 0 { 0 } else { map.tree.layer(depth.min(layers - 1)).end }
}

/// The style sheet, with the names of the values for those who read without a script.
fn style(map: &SiteMap<'_>, words: &Words<'_>) -> String {
    let mut style = String::from(STYLE);
    for (at, field) in list::value_fields(map).into_iter().enumerate() {
        if matches!(field, Field::Type | Field::State | Field::Language | Field::Database) {
            continue; // They say what they are.
        }
        let name = words.get(&format!("field.{}", field.name())).to_lowercase();
        let safe: String = name.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
        style.push_str(&format!("noscript i:nth-of-type({})::before{{content:\"{safe} \"}}\n", at + 1));
    }
    style
}

/// The script, with its words.
fn script(words: &Words<'_>) -> String {
    let mut script = String::from("(() => {\n'use strict';\nconst WORDS = ");
    words.push_object(&mut script);
    script.push_str(";\n");
    for part in SCRIPTS {
        script.push_str(part);
    }
    script.push_str("})();\n");
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys a script names between these two marks.
    fn keys(mark: &str) -> Vec<&'static str> {
        let after = SCRIPTS.iter().flat_map(|script| script.split(mark).skip(1));
        after.filter_map(|rest| rest.split('\'').next()).collect()
    }

    #[test]
    fn every_word_the_script_asks_for_is_in_the_table() {
        let asked = [keys("word('"), keys("counted('")].concat();
        assert!(asked.len() > 30, "{}", asked.len());
        for key in asked {
            assert_ne!(ENGLISH.get(key), key, "{key} has no words");
        }
    }

    #[test]
    fn the_script_makes_no_markup_from_texts_and_ends_nowhere_else() {
        let script = script(&ENGLISH);
        for danger in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "</script", "<!--"] {
            assert!(!script.contains(danger), "{danger}");
        }
        assert!(!STYLE.contains("</style") && !STYLE.contains("url("));
    }
}
