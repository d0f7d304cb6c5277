//! Servers that ask for encryption for a short time.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hsts-short",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers that ask for encryption for a short time",
    next_step: "send Strict-Transport-Security with a max-age of half a year or more",
    help: "The `max-age` of Strict-Transport-Security is below `check.hsts_seconds` (15,552,000, half a year), or there is none.",
    example: Example {
        fault: "> Strict-Transport-Security: max-age=300
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Strict-Transport-Security: max-age=31536000
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let field = page.field(HeaderField::StrictTransportSecurity)?.to_ascii_lowercase();
    let age = field.split(';').find_map(|part| part.trim().strip_prefix("max-age=")?.trim_matches('"').parse::<u64>().ok());
    (age.unwrap_or(0) < page.thresholds.hsts_seconds).then(|| quoted(&field))
}
