//! Pages that name two character sets.

use groma_model::Symptom;

use crate::catalogue::charsets;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "charset-conflict",
    severity: Severity::Warning,
    family: Family::Content,
    headline: "pages that name two character sets",
    next_step: "name one, in the header",
    help: "The header names one character set and a `meta` another. Browsers believe the header.",
    example: Example {
        fault: "> Content-Type: text/html; charset=iso-8859-2
<!doctype html><html lang=en><title>Opening hours</title><meta charset=utf-8>",
        fine: "> Content-Type: text/html; charset=UTF-8
<!doctype html><html lang=en><title>Opening hours</title><meta charset=utf-8>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let header = charsets::of_header(page)??;
    let meta = page.markup()?.example(Symptom::MetaCharset);
    (!meta.is_empty() && !charsets::are_same(&header, meta)).then(|| format!("{} in the header, {} in the page", quoted(&header), quoted(meta)))
}
