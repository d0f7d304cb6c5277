//! Pages that name two versions in one language.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hreflang-doubled",
    severity: Severity::Warning,
    family: Family::Language,
    headline: "pages that name two versions in one language",
    next_step: "keep one link for each language",
    help: "Two links with the same `hreflang` lead to different pages.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/a"><link rel=alternate hreflang=de href="/b">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/a"><link rel=alternate hreflang=fr href="/b">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let links = page.links();
    let mut named: Vec<(String, u32)> = page
        .markup()?
        .alternates
        .iter()
        .filter_map(|alternate| Some((alternate.hreflang.to_ascii_lowercase(), links.get(alternate.link as usize)?.target.0)))
        .collect();
    named.sort_unstable();
    named.dedup();
    named.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| quoted(&pair[0].0))
}
