//! Images that do not say how large they are.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "image-without-size",
    severity: Severity::Note,
    family: Family::Images,
    headline: "images that do not say how large they are",
    next_step: "write width and height into the img element",
    help: "An `img` has neither `width` nor `height` nor a style with one of them: the page jumps when the image comes. Not seen: what \
        style sheets say.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><img src=/map.png alt="Map">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><img src=/map.png alt="Map" width=90 height=60>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::ImageWithoutSize)
}
