//! Images without a text for those who do not see them.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "image-without-alt",
    severity: Severity::Warning,
    family: Family::Images,
    headline: "images without a text for those who do not see them",
    next_step: "write what the image shows into alt; alt=\"\" for decoration",
    help: "An `img` has no `alt` attribute (an empty one says that it is decoration), no `aria-label` and no `title`, or a picture that is \
        a button has no text. WCAG 1.1.1.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><img src=/map.png width=9 height=9>",
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><img src=/map.png alt="Map" width=9 height=9>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::ImageWithoutAlt)
}
