//! Secure pages that load scripts, styles or frames, or send forms, without encryption.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "mixed-content",
    severity: Severity::Error,
    family: Family::Security,
    headline: "secure pages that load scripts, styles or frames, or send forms, without encryption",
    next_step: "ask for it by https; browsers block it",
    help: "A page of https has a script, style or frame of http, which browsers block, or a form that sends to http, before which they \
        warn. Addresses of the visitor's own machine count as secure. Not seen: what style sheets and scripts ask for.",
    example: Example {
        fault: r#"<script src="http://b.example/x.js"></script>"#,
        fine: r#"<script src="https://b.example/x.js"></script>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
