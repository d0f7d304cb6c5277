//! Pages that do not say their character set.

use groma_model::Symptom;

use crate::catalogue::charsets;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "charset-missing",
    severity: Severity::Note,
    family: Family::Content,
    headline: "pages that do not say their character set",
    next_step: "send it in the header: Content-Type: text/html; charset=utf-8",
    help: "Neither the header nor a `meta` names the character set: browsers guess. Pages whose text is all ASCII read the same in any and \
        are left out.",
    example: Example {
        fault: "> Server: x
<!doctype html><html lang=en><title>Opening hours</title><p>Grüße",
        fine: "> Content-Type: text/html; charset=utf-8
<!doctype html><html lang=en><title>Opening hours</title><p>Grüße",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let in_header = charsets::of_header(page)?.is_some();
    let ascii = page.content.blocks.iter().all(|block| block.text.is_ascii());
    (!in_header && page.count(Symptom::MetaCharset) == 0 && !ascii).then(String::new)
}
