//! Fields that nothing names.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "field-without-label",
    severity: Severity::Warning,
    family: Family::Accessibility,
    headline: "fields that nothing names",
    next_step: "put the field into a label, or name its id in label for",
    help: "A field of a form has no label, `aria-label`, `aria-labelledby`, `title` or placeholder. WCAG 1.3.1, 4.1.2. Not seen: labels \
        that scripts add.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><form>Name <input name=n></form>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><form><label>Name <input name=n></label></form>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::FieldWithoutLabel)
}
