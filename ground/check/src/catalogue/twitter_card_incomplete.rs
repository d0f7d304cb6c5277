//! Pages whose Twitter card lacks something.

use groma_model::DataSyntax;

use crate::catalogue::data_faults;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "twitter-card-incomplete",
    severity: Severity::Note,
    family: Family::Structured,
    headline: "pages whose Twitter card lacks something",
    next_step: "add the meta that is named; Open Graph stands in for most",
    help: "A page has some of `twitter:...` and not what its card needs: a card that there is, a title, a description, and a picture for \
        the large ones. Open Graph counts in their place.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name="twitter:title" content="Hours">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name="twitter:card" content="summary"><meta name="twitter:title" content="Hours"><meta name="twitter:description" content="When we are open">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    data_faults::of_card(page, DataSyntax::TwitterCard)
}
