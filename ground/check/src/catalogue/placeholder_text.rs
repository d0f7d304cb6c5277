//! Pages with a placeholder for a text.

use groma_model::BlockKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "placeholder-text",
    severity: Severity::Warning,
    family: Family::Content,
    headline: "pages with a placeholder for a text",
    next_step: "write the text",
    help: "A text of the page, source code aside, contains \"lorem ipsum dolor\": what designers put where a text is to come.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><p>Lorem ipsum dolor sit amet",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><p>Open from nine to five",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let placeholder = |text: &str| text.to_lowercase().contains("lorem ipsum dolor");
    let mut blocks = page.content.blocks.iter().filter(|block| block.kind != BlockKind::Preformatted);
    blocks.find(|block| placeholder(&block.text)).map(|block| quoted(&block.text))
}
