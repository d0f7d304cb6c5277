//! What is there: first pages by rank, types, sizes, layers, the largest and the slowest, other sites.

use std::io::{self, Write};

use groma_check::inventory::Amount;
use groma_model::wording::{grouped, size};

use super::pen::{address, bar_cell, end_table, heading, more, number, own, page as linked, share, table, text, time};
use super::phrases::Phrases;
use super::{ReportPage, file};
use crate::{Labels, Sort, name};

/// Rows of the tables whose length a stranger decides.
const TYPES: usize = 20;
const LAYERS: usize = 30;
const SITES: usize = 40;

/// The first pages by rank.
pub(crate) fn first(
    page: &ReportPage<'_>,
    labels: &mut dyn Labels,
    phrases: &Phrases<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut to = String::new();
    heading(&mut to, phrases, "first");
    to.push_str("<p class=faint>");
    own(&mut to, phrases.say("first.says"));
    to.push_str("</p>\n");
    table(&mut to, phrases, "", &["page", "#in", "#rank", "|share"]);
    let mut highest = f64::NAN;
    for node in page.first {
        let label = labels.label(*node)?;
        highest = if highest.is_nan() { label.rank } else { highest };
        to.push_str("<tr><td>");
        linked(&mut to, &label.url, &name::display_name(&label));
        to.push_str("<div class=why>");
        text(&mut to, &label.url);
        to.push_str("</div></td>");
        number(&mut to, &grouped(label.links_in.into()));
        number(&mut to, &if label.rank.is_finite() { format!("{:.2}", label.rank) } else { String::new() });
        bar_cell(&mut to, label.rank / highest, "accent");
        to.push_str("</tr>\n");
        out.write_all(to.as_bytes())?;
        to.clear();
    }
    end_table(&mut to);
    let hidden = usize::try_from(page.ranked).unwrap_or(usize::MAX).saturating_sub(page.first.len());
    match file(page, "ranks.csv") {
        Some(name) => more(&mut to, phrases, "more.ranks", hidden, Some(name)),
        None => more(&mut to, phrases, "more.rank", hidden, None),
    }
    to.push_str("</section>\n");
    out.write_all(to.as_bytes())
}

/// Types, sizes, layers, extremes.
pub(crate) fn inventory(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    heading(to, phrases, "inventory");
    types(to, page, phrases);
    to.push_str("<div class=pair>\n");
    sizes(to, page, phrases);
    layers(to, page, phrases);
    to.push_str("</div>\n");
    extremes(to, phrases, phrases.say("largest"), "#size", &page.inventory.largest, &size);
    extremes(to, phrases, phrases.say("slowest"), "#time", &page.inventory.slowest, &time);
    to.push_str("</section>\n");
}

fn types(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let types = &page.inventory.types;
    let all: u64 = types.iter().map(|row| row.pages).sum();
    table(to, phrases, phrases.say("types"), &["type", "#pages", "|share", "#together", "#largest"]);
    for row in types.iter().take(TYPES) {
        to.push_str("<tr><td>");
        text(to, &row.media_type);
        to.push_str("</td>");
        number(to, &grouped(row.pages));
        bar_cell(to, share(row.pages, all), Sort::of_media_type(&row.media_type).name());
        number(to, &size(row.bytes));
        to.push_str("<td class=n>");
        linked(to, &row.largest.url, &size(row.largest.amount));
        to.push_str("</td></tr>\n");
    }
    end_table(to);
    more(to, phrases, "more.types", types.len().saturating_sub(TYPES), None);
}

fn sizes(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let rows = &page.inventory.sizes;
    let most = rows.iter().map(|(_, pages)| *pages).max().unwrap_or(0);
    table(to, phrases, phrases.say("sizes"), &["size", "#pages", "|share"]);
    let mut from = None;
    // Empty rows at either end say nothing.
    let first = rows.iter().position(|(_, pages)| *pages > 0).unwrap_or(0);
    let last = rows.iter().rposition(|(_, pages)| *pages > 0).unwrap_or(0);
    for (at, (bound, pages)) in rows.iter().enumerate() {
        if (first..=last).contains(&at) {
            let words = match (from, *bound) {
                (None, Some(bound)) => phrases.say("size.below").replace("{size}", &size(bound)),
                (Some(from), Some(bound)) => {
                    phrases.say("size.between").replace("{from}", &size(from)).replace("{size}", &size(bound))
                }
                (from, None) => phrases.say("size.above").replace("{size}", &size(from.unwrap_or(0))),
            };
            counted(to, &words, *pages, most, "accent");
        }
        from = *bound;
    }
    end_table(to);
}

fn layers(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let (depths, loose) = (&page.inventory.depths, page.inventory.loose);
    let beyond: u64 = depths.values().skip(LAYERS).sum();
    let most = depths.values().take(LAYERS).copied().chain([loose, beyond]).max().unwrap_or(0);
    table(to, phrases, phrases.say("depths"), &["layer", "#pages", "|share"]);
    for (at, (layer, pages)) in depths.iter().take(LAYERS).enumerate() {
        counted(to, &grouped((*layer).into()), *pages, most, &format!("layer-{}", at.min(5)));
    }
    if beyond > 0 {
        counted(to, &phrases.count("more.depths", (depths.len() - LAYERS) as u64), beyond, most, "layer-6");
    }
    if loose > 0 {
        counted(to, phrases.say("loose"), loose, most, "other");
    }
    end_table(to);
}

/// A row with a name, a count and a bar.
fn counted(to: &mut String, name: &str, pages: u64, most: u64, class: &str) {
    to.push_str("<tr><td>");
    own(to, name);
    to.push_str("</td>");
    number(to, &grouped(pages));
    bar_cell(to, share(pages, most), class);
    to.push_str("</tr>\n");
}

fn extremes(
    to: &mut String,
    phrases: &Phrases<'_>,
    caption: &str,
    column: &str,
    list: &[Amount],
    shown: &dyn Fn(u64) -> String,
) {
    if list.is_empty() {
        return;
    }
    let most = list.first().map_or(0, |row| row.amount);
    table(to, phrases, caption, &["page", column, "|share"]);
    for row in list {
        to.push_str("<tr><td>");
        address(to, &row.url);
        to.push_str("</td>");
        number(to, &shown(row.amount));
        bar_cell(to, share(row.amount, most), "accent");
        to.push_str("</tr>\n");
    }
    end_table(to);
}

/// Writes the table of other sites that are linked to.
pub(crate) fn sites(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    heading(to, phrases, "sites");
    if page.sites.is_empty() {
        to.push_str("<p>");
        own(to, phrases.say("sites.none"));
        to.push_str("</p>\n</section>\n");
        return;
    }
    to.push_str("<p class=faint>");
    own(to, &phrases.count("sites.says", page.sites.iter().map(|site| site.links).sum()));
    to.push_str("</p>\n");
    table(to, phrases, "", &["site", "#pages", "#links", "#embedded", "example"]);
    for site in page.sites.iter().take(SITES) {
        to.push_str("<tr><td>");
        text(to, &site.site);
        to.push_str("</td>");
        for count in [site.pages, site.links, site.embedded] {
            number(to, &grouped(count));
        }
        to.push_str("<td>");
        if let Some(example) = site.examples.first() {
            address(to, example);
        }
        to.push_str("</td></tr>\n");
    }
    end_table(to);
    let hidden = page.sites.len().saturating_sub(SITES);
    match file(page, "links-external.csv") {
        Some(name) => more(to, phrases, "more.external", hidden, Some(name)),
        None => more(to, phrases, "more.sites", hidden, None),
    }
    to.push_str("</section>\n");
}
