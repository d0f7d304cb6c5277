//! Links without a text.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "link-without-name",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "links without a text",
    next_step: "give the link a text, or its image an alt text",
    help: "A link shows neither text nor an image with a text, and has no `aria-label` or `title`: who cannot see it, and every search \
        engine, does not learn where it leads. Not seen: texts that scripts write, and links that style sheets hide.",
    example: Example {
        fault: r#"<a href="/cart"><i class=icon></i></a>"#,
        fine: r#"<a href="/cart" aria-label="Cart"><i class=icon></i></a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::LinkWithoutName)
}
