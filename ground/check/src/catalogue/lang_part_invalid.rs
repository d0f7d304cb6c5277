//! Parts of pages whose language is none.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "lang-part-invalid",
    severity: Severity::Note,
    family: Family::Language,
    headline: "parts of pages whose language is none",
    next_step: "write a language tag: en, pt-BR",
    help: "An element inside the page has a `lang` that is not a language tag.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><p lang=english>Hello",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><p lang=en>Hello",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::UnknownLanguage)
}
