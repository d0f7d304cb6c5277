//! Pages that send their visitors on by themselves.

use groma_model::LinkKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "refresh",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "pages that send their visitors on by themselves",
    next_step: "answer with a redirect (301 or 308) instead",
    help: "A page leads elsewhere by `meta refresh` or the Refresh header. A redirect of the server is faster, and says whether it is for \
        good.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta http-equiv=refresh content="0; url=/new">
@ https://a.example/new
<title>New</title>"#,
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let leads_on = page.links().iter().any(|link| link.kind == LinkKind::Refresh && link.target != page.content.id);
    leads_on.then(String::new)
}
