//! Titles longer than search results show.

use groma_model::BlockKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;
use crate::text_width::pixels;

pub(crate) const DEFINITION: Definition = Definition {
    name: "title-long",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "titles longer than search results show",
    next_step: "say it in fewer words, what is particular first",
    help: "A title is longer than `check.title_chars` (65) or wider than `check.title_pixels` (600, in Arial 20): search results cut it. \
        Pages that are not listed are left out.",
    example: Example {
        fault: "<title>The opening hours of our shop, our workshop and our exhibition in winter, and on all holidays of the year</title>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let title = page.first(BlockKind::Title);
    let (chars, wide) = (title.chars().count() as u64, pixels(title, 20));
    let long = chars > page.thresholds.title_chars || wide > page.thresholds.title_pixels;
    (long && page.is_listed()).then(|| format!("{chars} characters, {wide} pixels: {}", quoted(title)))
}
