//! When does a check fail? A gate is what users write after `--fail-on`.
//!
//! ```text
//! gate = "none" | term { "," term }
//! term = what [ ":" cause ] [ ">" number ]
//! what = kind | "error" | "warning" | "note" | "any"
//! ```
//!
//! A severity stands for itself and what is worse. A cause is a fault (`gone`, `unreachable`, `malformed`) or the name of a reason
//! (`not-found`, `time-out`). A term fails if more findings than its number (0) are new; without a baseline all are.

use std::fmt;

use groma_model::Reason;
use groma_model::state::Fault;
use groma_model::wording::grouped;

use crate::finding::{Finding, Kind, Severity};

/// What a gate looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Kind(Kind),
    AtLeast(Severity),
}

/// Why the target of a link is unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Fault(Fault),
    Reason(Reason),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    text: String,
    what: What,
    cause: Option<Cause>,
    allowed: u64,
}

/// When a check fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    terms: Vec<Term>,
}

/// Something that is no gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct GateError {
    /// What is wrong with it.
    pub what: String,
    /// What can be written instead.
    pub hint: String,
}

const FAULTS: [(&str, Fault); 4] = [
    ("gone", Fault::Gone),
    ("unreachable", Fault::Unreachable),
    ("malformed", Fault::Malformed),
    ("unknown", Fault::Unknown),
];

impl Gate {
    /// The gate that nothing fails.
    pub const fn open() -> Gate {
        Gate { terms: Vec::new() }
    }

    /// Reads what a user wrote.
    pub fn parse(text: &str) -> Result<Gate, GateError> {
        if text.trim() == "none" {
            return Ok(Gate::open());
        }
        let terms = text.split(',').map(|term| Term::parse(term.trim())).collect::<Result<_, _>>()?;
        Ok(Gate { terms })
    }

    /// Whether any term looks at a finding.
    pub fn covers(&self, finding: &Finding) -> bool {
        self.terms.iter().any(|term| term.covers(finding))
    }

    /// Starts counting findings against the gate.
    pub fn watch(&self) -> Watch<'_> {
        Watch { gate: self, counts: vec![0; self.terms.len()] }
    }
}

impl Term {
    fn parse(text: &str) -> Result<Term, GateError> {
        let (rest, allowed) = match text.split_once('>') {
            Some((rest, number)) => (rest.trim(), Some(number.trim())),
            None => (text, None),
        };
        let (what, cause) = match rest.split_once(':') {
            Some((what, cause)) => (what.trim(), Some(cause.trim())),
            None => (rest, None),
        };
        let allowed = allowed.map_or(Ok(0), |number| number.parse().map_err(|_| no_number(number)))?;
        let cause = cause.map(|cause| Cause::named(cause).ok_or_else(|| no_cause(cause))).transpose()?;
        Ok(Term { text: text.to_owned(), what: What::named(what).ok_or_else(|| no_kind(what))?, cause, allowed })
    }

    fn covers(&self, finding: &Finding) -> bool {
        let what = match self.what {
            What::Kind(kind) => finding.kind == kind,
            What::AtLeast(severity) => finding.kind.severity() <= severity,
        };
        what && match self.cause {
            None => true,
            Some(Cause::Fault(fault)) => finding.reason.and_then(Reason::fault) == Some(fault),
            Some(Cause::Reason(reason)) => finding.reason == Some(reason),
        }
    }
}

impl What {
    fn named(name: &str) -> Option<What> {
        if name == "any" {
            return Some(What::AtLeast(Severity::Note));
        }
        let severity = Severity::ALL.into_iter().find(|severity| severity.name() == name);
        severity.map(What::AtLeast).or_else(|| Kind::named(name).map(What::Kind))
    }
}

impl Cause {
    fn named(name: &str) -> Option<Cause> {
        let fault = FAULTS.iter().find(|(word, _)| *word == name).map(|(_, fault)| Cause::Fault(*fault));
        let reason = || Reason::ALL.iter().find(|reason| reason.name() == name);
        fault.or_else(|| reason().map(|reason| Cause::Reason(*reason)))
    }
}

fn no_kind(name: &str) -> GateError {
    GateError {
        what: if name.is_empty() {
            "a gate must not be empty".to_owned()
        } else {
            format!("there is no kind of finding `{}`", shown(name))
        },
        hint: "write none, any, error, warning, note, or names of checks, such as invalid-link (`groma check --list` names them)"
            .to_owned(),
    }
}

fn no_cause(name: &str) -> GateError {
    GateError {
        what: format!("`{}` is not a reason for a broken link", shown(name)),
        hint: "write gone, unreachable, malformed, or a reason such as not-found or time-out".to_owned(),
    }
}

fn no_number(text: &str) -> GateError {
    GateError {
        what: format!("`{}` is no number of findings", shown(text)),
        hint: "write for example invalid-link>10 to allow ten".to_owned(),
    }
}

/// What a user wrote, short and safe for a terminal.
fn shown(text: &str) -> String {
    groma_model::wording::plain(&text.chars().take(60).collect::<String>())
}

/// Counts findings for a gate.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    gate: &'a Gate,
    counts: Vec<u64>,
}

impl Watch<'_> {
    /// Takes a finding into account, if it is new.
    pub fn see(&mut self, finding: &Finding) {
        if finding.new {
            for (term, count) in self.gate.terms.iter().zip(&mut self.counts) {
                *count += u64::from(term.covers(finding));
            }
        }
    }

    /// What it comes to.
    pub fn verdict(&self) -> Verdict {
        let both = self.gate.terms.iter().zip(&self.counts).filter(|(term, count)| **count > term.allowed);
        let failed = both.map(|(term, count)| Failed { term: term.text.clone(), count: *count, allowed: term.allowed });
        Verdict { failed: failed.collect() }
    }
}

/// A term that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// As the user wrote it.
    pub term: String,
    /// New findings that the term covers.
    pub count: u64,
    /// How many of them were allowed.
    pub allowed: u64,
}

/// Whether the check failed, and by what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The terms that failed; none if the check passed.
    pub failed: Vec<Failed>,
}

impl Verdict {
    /// Whether no term failed.
    pub fn passed(&self) -> bool {
        self.failed.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.passed() {
            return f.write_str("passed");
        }
        f.write_str("failed on ")?;
        for (at, Failed { term, count, allowed }) in self.failed.iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            let noun = if term == "error" { "error" } else { "finding" };
            let plural = if *count == 1 { "" } else { "s" };
            write!(f, "{comma}{}: {} {noun}{plural} (limit {})", shown(term), grouped(*count), grouped(*allowed))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: Kind, reason: Option<Reason>, new: bool) -> Finding {
        Finding { reason, new, ..Finding::of_page(kind, "https://a.org/".into()) }
    }

    fn verdict(gate: &str) -> String {
        let gate = Gate::parse(gate).unwrap();
        let mut watch = gate.watch();
        for finding in [
            finding(Kind::InvalidLink, Some(Reason::NotFound), true),
            finding(Kind::InvalidLink, Some(Reason::TimeOut), true),
            finding(Kind::InvalidLink, Some(Reason::TimeOut), false),
            finding(Kind::Orphan, None, true),
            finding(Kind::Redirect, Some(Reason::Redirected), true),
        ] {
            watch.see(&finding);
        }
        watch.verdict().to_string()
    }

    #[test]
    fn gates_fail_by_kind_severity_cause_and_number() {
        for (gate, expected) in [
            ("none", "passed"),
            ("any", "failed on any: 4 findings (limit 0)"),
            ("error", "failed on error: 2 errors (limit 0)"),
            ("warning", "failed on warning: 3 findings (limit 0)"),
            ("orphan", "failed on orphan: 1 finding (limit 0)"),
            ("invalid-link>1", "failed on invalid-link>1: 2 findings (limit 1)"),
            ("invalid-link > 2", "passed"),
            ("invalid-link:gone", "failed on invalid-link:gone: 1 finding (limit 0)"),
            ("invalid-link:time-out>1", "passed"),
            ("duplicate, redirect", "failed on redirect: 1 finding (limit 0)"),
        ] {
            assert_eq!(verdict(gate), expected, "{gate}");
        }
    }

    #[test]
    fn what_is_no_gate_is_refused_with_a_hint() {
        for (gate, what, hint) in [
            ("broken", "there is no kind of finding `broken`", "invalid-link"),
            ("", "a gate must not be empty", "any"),
            ("error,", "a gate must not be empty", "any"),
            ("error,none", "there is no kind of finding `none`", "error"),
            ("error>x", "`x` is no number of findings", "invalid-link>10"),
            ("error>-1", "`-1` is no number of findings", "invalid-link>10"),
            ("invalid-link:dead", "`dead` is not a reason for a broken link", "not-found"),
            ("\u{1b}[31m", "there is no kind of finding ` [31m`", "any"),
        ] {
            let error = Gate::parse(gate).unwrap_err();
            assert_eq!(error.to_string(), what);
            assert!(error.hint.contains(hint), "{}", error.hint);
        }
    }

    #[test]
    fn covering_does_not_depend_on_being_new() {
        let gate = Gate::parse("error").unwrap();
        assert!(gate.covers(&finding(Kind::InvalidLink, None, false)));
        assert!(!gate.covers(&finding(Kind::Orphan, None, true)));
    }
}
