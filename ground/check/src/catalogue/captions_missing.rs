//! Videos without captions.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "captions-missing",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "videos without captions",
    next_step: "add a track with captions",
    help: "A `video` with sound has no `track` of captions or subtitles. WCAG 1.2.2. Leave it if the picture has them, or nobody speaks.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><video src="/x.mp4"></video>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><video src="/x.mp4"><track kind=captions src="/x.vtt"></video>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::VideoWithoutCaptions)
}
