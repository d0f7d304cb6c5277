//! SARIF 2.1.0 (OASIS, 2020): a run with a rule for each kind and a result for each finding, as hosts of code take it.
//!
//! ```text
//! ruleId, ruleIndex    the kind, and its place in the list of rules
//! level                error, warning or note
//! locations            the page: host and path without the scheme (below); its URL as the logical location
//! partialFingerprints  gromaFinding/v1: the key that baselines have
//! baselineState        new or unchanged, if there is a baseline; else it is left out
//! ```
//!
//! Why without the scheme: GitHub refuses a whole file with an absolute URI that does not lead into the checked-out folder ("SARIF URI
//! scheme "https" did not match the checkout URI scheme "file""), and asks for a line with every location. A relative reference is
//! taken everywhere. Streamed: nothing but the finding at hand is held. Not guaranteed: how many results are taken (GitHub: 25,000 in a
//! file, of which it shows 5,000). Findings of the baseline that are no more (`absent`) are not written, since a baseline has keys only.

use std::io::{self, Write};

use groma_model::escape::Json;
use serde::Serialize;

use super::json::write_inert;
use super::telling::{Teller, short, why};
use crate::closing::Closing;
use crate::finding::{Finding, Kind};

/// Characters of a URL that are written.
const ADDRESS: usize = 5_000;
/// Characters of other texts.
const WORDS: usize = 300;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Tells findings as SARIF.
pub struct Sarif<'w> {
    to: &'w mut dyn Write,
    compared: bool,
    begun: bool,
    results: u64,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: String,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Level,
}

#[derive(Serialize)]
struct Level {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    properties: Properties<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    logical_locations: [LogicalLocation; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
    kind: &'static str,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "gromaFinding/v1")]
    key: String,
}

#[derive(Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
}

impl<'w> Sarif<'w> {
    /// To this; with a baseline every result says whether it is new.
    pub fn new(to: &'w mut dyn Write, compared: bool) -> Sarif<'w> {
        Sarif { to, compared, begun: false, results: 0 }
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        let version = env!("CARGO_PKG_VERSION");
        writeln!(self.to, "{{\"$schema\":{},\"version\":\"2.1.0\",\"runs\":[{{", Json(SCHEMA))?;
        writeln!(self.to, "\"tool\":{{\"driver\":{{\"name\":\"Groma\",\"version\":{},\"rules\":[", Json(version))?;
        for (at, kind) in Kind::ALL.iter().enumerate() {
            self.to.write_all(if at > 0 { b",\n" } else { b"" })?;
            write_inert(self.to, &rule(*kind))?;
        }
        self.to.write_all(b"]}},\n\"columnKind\":\"utf16CodeUnits\",\n\"results\":[\n")
    }
}

impl Teller for Sarif<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        self.begin()?;
        self.to.write_all(if self.results > 0 { b",\n" } else { b"" })?;
        self.results += 1;
        let state = if finding.new { "new" } else { "unchanged" };
        let result = SarifResult {
            rule_id: finding.kind.name(),
            rule_index: finding.kind as usize,
            level: finding.kind.severity().name(),
            message: Message { text: escaped(&message(finding)) },
            locations: [Location {
                physical_location: PhysicalLocation {
                    artifact_location: ArtifactLocation { uri: relative(&finding.from) },
                    region: Region { start_line: 1 },
                },
                logical_locations: [LogicalLocation {
                    fully_qualified_name: short(&finding.from, ADDRESS),
                    kind: "resource",
                }],
            }],
            partial_fingerprints: Fingerprints { key: finding.key().hex() },
            baseline_state: self.compared.then_some(state),
            properties: Properties {
                target: finding.to.as_deref().map(|to| short(to, ADDRESS)),
                reason: finding.reason.map_or("", |reason| reason.name()),
            },
        };
        write_inert(self.to, &result)
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.begin()?;
        let summary = closing.summary;
        writeln!(self.to, "],\n\"invocations\":[{{\"executionSuccessful\":true}}],")?;
        let (pages, links, unasked) = (summary.pages, summary.links, summary.unasked.total());
        writeln!(self.to, "\"properties\":{{\"pages\":{pages},\"links\":{links},\"notLookedAt\":{unasked}}}}}]}}")?;
        self.to.flush()
    }
}

fn rule(kind: Kind) -> Rule {
    let says = sentence(kind.says());
    Rule {
        id: kind.name(),
        name: format!("{kind:?}"),
        full_description: Message { text: escaped(&format!("{says} To fix it: {}.", kind.next_step())) },
        short_description: Message { text: escaped(&says) },
        help: Message { text: escaped(&sentence(kind.next_step())) },
        default_configuration: Level { level: kind.severity().name() },
    }
}

/// What is wrong, in a sentence or two.
fn message(finding: &Finding) -> String {
    let mut text = finding.kind.says().to_owned();
    if let Some(to) = &finding.to {
        text.push_str(&format!(": {}", short(to, ADDRESS)));
    }
    let words = finding.anchor.trim();
    if !words.is_empty() {
        text.push_str(&format!(", \u{201c}{}\u{201d}", short(words, WORDS)));
    }
    let mut parts: Vec<String> = finding.block.map(|block| format!("in {}", block.name())).into_iter().collect();
    parts.extend(why(finding));
    parts.extend((!finding.detail.trim().is_empty()).then(|| short(&finding.detail, WORDS)));
    if !parts.is_empty() {
        text.push_str(&format!(" ({})", parts.join(", ")));
    }
    format!("{} Next: {}.", sentence(&text), finding.next)
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(chars).chain(['.']).collect()
}

/// Braces and brackets mean something in messages of SARIF (3.11.5, 3.11.6).
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '{' | '}' => safe.extend([c, c]),
            '[' | ']' | '\\' => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
    safe
}

/// Host and path of a URL as a relative reference by RFC 3986.
fn relative(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest).trim_start_matches('/');
    let rest = short(rest, ADDRESS);
    let mut uri = String::with_capacity(rest.len());
    let mut first_segment = true;
    let (mut path, mut fragment) = (true, false);
    for (at, c) in rest.char_indices() {
        let hex = |range| rest.get(range).is_some_and(|text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let stays = match c {
            '/' => true,
            '?' => true,
            '#' => !std::mem::replace(&mut fragment, true),
            ':' => !first_segment,
            '%' => hex(at + 1..at + 3),
            c => c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=@".contains(c),
        };
        path &= !matches!(c, '?' | '#');
        first_segment &= path && c != '/';
        if stays {
            uri.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| uri.push_str(&format!("%{byte:02X}")));
        }
    }
    if uri.is_empty() { ".".to_owned() } else { uri }
}

#[cfg(test)]
mod tests {
    use groma_model::{BlockKind, LinkKind, Reason};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::gate::Verdict;
    use crate::summary::Summary;

    fn told(findings: &[Finding], compared: bool) -> Value {
        let mut out = Vec::new();
        let mut sarif = Sarif::new(&mut out, compared);
        findings.iter().for_each(|finding| sarif.tell(finding).unwrap());
        sarif.close(&Closing { summary: &Summary::default(), verdict: &Verdict::default() }).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    fn link(from: &str) -> Finding {
        Finding {
            to: Some("https://a.org/gone".into()),
            anchor: "our [shop] {0}".into(),
            block: Some(BlockKind::Paragraph),
            link: Some(LinkKind::Anchor),
            reason: Some(Reason::NotFound),
            since: 86_400,
            ..Finding::of_page(Kind::InvalidLink, from.into())
        }
    }

    /// What the schema requires, and what hosts of code ask for beyond it.
    #[test]
    fn a_file_has_what_the_standard_asks_for() {
        let finding = link("https://a.org:8443/x y?z=[1]");
        let known = Finding { new: false, ..Finding::of_page(Kind::Cut, "http://b.org/".into()) };
        let log = told(&[finding.clone(), known], true);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "Groma");
        let rules = driver["rules"].as_array().unwrap();
        assert_eq!(rules.len(), Kind::ALL.len());
        for (rule, kind) in rules.iter().zip(Kind::ALL) {
            assert_eq!(rule["id"], kind.name());
            assert_eq!(rule["defaultConfiguration"]["level"], kind.severity().name());
            for text in ["shortDescription", "fullDescription", "help"] {
                assert!(!rule[text]["text"].as_str().unwrap().is_empty());
            }
            assert!(rule["name"].as_str().unwrap().chars().all(char::is_alphanumeric));
        }
        let result = &run["results"][0];
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!((&rules[index]["id"], &result["ruleId"]), (&result["ruleId"], &Value::from("invalid-link")));
        assert_eq!(result["level"], "error");
        assert_eq!(
            result["message"]["text"],
            "Broken links: https://a.org/gone, \u{201c}our \\[shop\\] {{0}}\u{201d} (in paragraph, the server says there is no \
             such page (404), since 1970-01-02). Next: remove the link, or point it at a URL that works."
        );
        let place = &result["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "a.org%3A8443/x%20y?z=%5B1%5D");
        assert_eq!(place["physicalLocation"]["region"]["startLine"], 1);
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "https://a.org:8443/x y?z=[1]");
        assert_eq!(result["partialFingerprints"]["gromaFinding/v1"], finding.key().hex());
        assert_eq!(result["baselineState"], "new");
        assert_eq!(run["results"][1]["baselineState"], "unchanged");
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    }

    #[test]
    fn without_a_baseline_nothing_is_said_about_it_and_a_clean_site_has_an_empty_list() {
        assert!(told(&[link("https://a.org/")], false)["runs"][0]["results"][0].get("baselineState").is_none());
        assert_eq!(told(&[], true)["runs"][0]["results"], Value::Array(Vec::new()));
    }

    #[test]
    fn locations_are_relative_references() {
        for (url, uri) in [
            ("https://a.org/", "a.org/"),
            ("https://a.org/x:y#z#z", "a.org/x:y#z%23z"),
            ("mailto:me", "mailto%3Ame"),
            ("https://[::1]/", "%5B%3A%3A1%5D/"),
            ("//x/50%/%41\u{fc}", "x/50%25/%41%C3%BC"),
            ("", "."),
        ] {
            assert_eq!(relative(url), uri);
        }
    }

    proptest! {
        #[test]
        fn any_url_becomes_a_reference_of_harmless_characters(url in any::<String>()) {
            let uri = relative(&url);
            let fine = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=@/?#:%".contains(c);
            prop_assert!(!uri.is_empty() && !uri.starts_with('/') && uri.chars().all(fine), "{uri}");
            let head = uri.split(['/', '?', '#']).next().unwrap_or_default();
            prop_assert!(!head.contains(':'));
        }
    }
}
