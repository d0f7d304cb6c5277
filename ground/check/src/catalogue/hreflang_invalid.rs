//! Pages that name versions in languages that do not exist.

use groma_model::language_tag::fault_of_tag;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hreflang-invalid",
    severity: Severity::Warning,
    family: Family::Language,
    headline: "pages that name versions in languages that do not exist",
    next_step: "write language and region: en, en-GB, x-default",
    help: "The `hreflang` of a link is neither a language tag (BCP 47) nor `x-default`. Search engines pass over such a link. A frequent \
        case is `en-UK`: the region is GB.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=en-UK href="/uk">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=en-GB href="/uk">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let tags = page.markup()?.alternates.iter().map(|alternate| alternate.hreflang.as_str());
    let wrong = |tag: &&str| !tag.eq_ignore_ascii_case("x-default") && fault_of_tag(tag).is_some();
    tags.clone().find(wrong).map(quoted)
}
