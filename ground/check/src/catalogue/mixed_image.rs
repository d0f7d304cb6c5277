//! Secure pages that show images asked for without encryption.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "mixed-image",
    severity: Severity::Warning,
    family: Family::Security,
    headline: "secure pages that show images asked for without encryption",
    next_step: "ask for them by https; browsers complain",
    help: "A page of https shows an image of http. Browsers ask for it by https instead, and show none where there is none.",
    example: Example {
        fault: r#"<img src="http://b.example/x.png" alt="Map" width=9 height=9>"#,
        fine: r#"<img src="https://b.example/x.png" alt="Map" width=9 height=9>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
