//! Large images.

use groma_model::wording::grouped;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "image-large",
    severity: Severity::Note,
    family: Family::Images,
    headline: "large images",
    next_step: "save it smaller, or in a newer format (WebP, AVIF)",
    help: "An image has more bytes than `check.image_bytes` (500,000). Only images that were fetched are seen (`groma crawl --assets`).",
    example: Example {
        fault: "",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, thresholds: &Thresholds) -> Option<String> {
    let large = page.media_type.starts_with("image/") && page.size > thresholds.image_bytes;
    large.then(|| format!("{} kB", grouped(page.size / 1000)))
}
