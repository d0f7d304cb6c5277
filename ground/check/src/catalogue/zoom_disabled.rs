//! Pages that cannot be enlarged.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "zoom-disabled",
    severity: Severity::Warning,
    family: Family::Accessibility,
    headline: "pages that cannot be enlarged",
    next_step: "take user-scalable=no and maximum-scale out of meta viewport",
    help: "`meta name=viewport` says `user-scalable=no`, or a `maximum-scale` below 2. WCAG 1.4.4.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=viewport content="width=device-width, user-scalable=no">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=viewport content="width=device-width">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let content = page.metas("viewport").next()?.to_ascii_lowercase();
    let said = |name: &str| content.split([',', ';']).find_map(|part| part.trim().strip_prefix(name)?.trim().strip_prefix('=').map(str::trim));
    let fixed = said("user-scalable").is_some_and(|value| matches!(value, "no" | "0"));
    let small = said("maximum-scale").and_then(|value| value.parse::<f32>().ok()).is_some_and(|scale| scale < 2.0);
    (fixed || small).then(|| quoted(&content))
}
