//! Pages whose language is none.

use groma_model::language_tag::fault_of_tag;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "lang-invalid",
    severity: Severity::Warning,
    family: Family::Language,
    headline: "pages whose language is none",
    next_step: "write a language tag: en, pt-BR",
    help: "The `lang` of the `html` element is not a language tag (BCP 47), or begins with a language of two letters that does not exist, \
        or names a region that does not.",
    example: Example {
        fault: "<!doctype html><html lang=english><title>Hours</title>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let lang = page.markup()?.lang.as_deref()?.trim();
    let fault = fault_of_tag(lang).filter(|_| !lang.is_empty())?;
    Some(format!("{} {}", quoted(lang), fault.says()))
}
