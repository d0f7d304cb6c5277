//! Servers without encryption.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "not-https",
    severity: Severity::Warning,
    family: Family::Security,
    headline: "servers without encryption",
    next_step: "get a certificate (they cost nothing) and redirect http to https",
    help: "Pages come by http: anybody on the way can read and change them, and browsers say so. Addresses of the own machine are left out.",
    example: Example {
        fault: "@ http://a.example/
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "@ https://a.example/
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.has(Mark::Insecure).then(String::new)
}
