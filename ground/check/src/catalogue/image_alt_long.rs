//! Images with a very long text.

use groma_model::BlockKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "image-alt-long",
    severity: Severity::Note,
    family: Family::Images,
    headline: "images with a very long text",
    next_step: "say it in fewer words, or in the text of the page",
    help: "The `alt` of an image has more characters than `check.alt_chars` (250): screen readers read it in one go.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><img src=/map.png width=9 height=9 alt="The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years. The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><img src=/map.png alt="Map" width=9 height=9>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let texts = page.content.blocks.iter().filter(|block| block.kind == BlockKind::ImageAlt);
    let long = texts.map(|block| block.text.chars().count() as u64).find(|chars| *chars > page.thresholds.alt_chars)?;
    Some(format!("{long} characters"))
}
