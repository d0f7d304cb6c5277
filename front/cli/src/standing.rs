//! Where a survey stands: the balance of all addresses, what it cost, what was found. One object for programs, one screen for
//! people.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use groma_model::State;
use groma_model::state::Fault as PageFault;
use groma_model::url::learn::Standing as RuleStanding;
use groma_store::{Folder, Snapshot};

use crate::fault::Fault;
use crate::output::Out;
use crate::{place, words};
use groma_model::moment::rfc3339;
use groma_model::wording::{grouped, plain, size};

/// Learned rules shown to people; programs get all.
const SHOWN: usize = 10;

/// The object. `discovered = indexed + registered + ignored + invalid + pending`.
#[derive(Debug, Serialize)]
pub(crate) struct Standing {
    pub(crate) discovered: u64,
    pub(crate) indexed: u64,
    pub(crate) registered: u64,
    pub(crate) ignored: u64,
    pub(crate) invalid: u64,
    pub(crate) pending: u64,
    invalid_parts: InvalidParts,
    /// Registered pages that asked us to wait, to log in or to keep out.
    unknown: u64,
    aliases: u64,
    reasons: BTreeMap<&'static str, u64>,
    fetches: u64,
    bytes: u64,
    queued: u64,
    layers_finished: Option<u32>,
    limits_hit: BTreeMap<String, u64>,
    /// Pages that a limit cut, or whose answer broke off.
    cut_pages: u64,
    /// By what, limits by their keys; a page can be cut by several.
    cut_parts: BTreeMap<String, u64>,
    findings: Vec<Found>,
    learned_rules: Vec<LearnedRule>,
    pub(crate) running: bool,
    runs: Vec<Run>,
    pub(crate) store: String,
}

#[derive(Debug, Serialize)]
struct InvalidParts {
    gone: u64,
    unreachable: u64,
    malformed: u64,
}

#[derive(Debug, Serialize)]
struct Found {
    kind: String,
    subject: String,
    detail: String,
    since: String,
}

/// What is known of a parameter.
#[derive(Debug, Serialize)]
pub(crate) struct LearnedRule {
    pattern: String,
    parameter: String,
    standing: &'static str,
    equal: u32,
    differ: u32,
    folded: u64,
    samples: u32,
    example: String,
}

#[derive(Debug, Serialize)]
struct Run {
    run: u32,
    kind: String,
    started: String,
    ended: Option<String>,
    outcome: String,
}

impl Standing {
    /// Reads it from a store.
    pub(crate) fn read(store: &mut dyn Snapshot, folder: &Folder) -> Result<Standing, Fault> {
        let balance = store.balance()?;
        let found = store.findings()?.into_iter().map(|finding| Found {
            kind: finding.kind,
            subject: finding.subject,
            detail: finding.detail,
            since: rfc3339(finding.since),
        });
        let runs = store.runs()?.into_iter().map(|run| Run {
            run: run.id,
            kind: run.kind,
            started: rfc3339(run.started),
            ended: run.ended.map(rfc3339),
            outcome: run.outcome,
        });
        let cuts = store.cuts()?;
        let mut cut_parts = BTreeMap::new();
        for (keys, pages) in &cuts {
            keys.split(',').for_each(|key| *cut_parts.entry(key.to_owned()).or_default() += pages);
        }
        Ok(Standing {
            discovered: balance.discovered(),
            indexed: balance.state(State::Indexed),
            registered: balance.state(State::Registered),
            ignored: balance.state(State::Ignored),
            invalid: balance.state(State::Invalid),
            pending: balance.state(State::Pending),
            invalid_parts: InvalidParts {
                gone: balance.fault(PageFault::Gone),
                unreachable: balance.fault(PageFault::Unreachable),
                malformed: balance.fault(PageFault::Malformed),
            },
            unknown: balance.fault(PageFault::Unknown),
            aliases: balance.state(State::Alias),
            reasons: balance.tally.iter().filter(|(_, n)| **n > 0).map(|(reason, n)| (reason.name(), *n)).collect(),
            fetches: balance.fetches,
            bytes: balance.bytes,
            queued: balance.queued,
            layers_finished: balance.finished_layer,
            limits_hit: balance.limits,
            cut_pages: cuts.iter().map(|(_, pages)| pages).sum(),
            cut_parts,
            findings: found.collect(),
            learned_rules: learned(store)?,
            running: place::is_running(folder),
            runs: runs.collect(),
            store: folder.path().display().to_string(),
        })
    }

    /// Is somebody writing to it?
    pub(crate) fn is_running(&self) -> bool {
        self.running
    }

    /// For people.
    pub(crate) fn print(&self, out: &mut Out) -> io::Result<()> {
        let paint = out.paint;
        let parts = |state: State| {
            let of_state = |name: &str| groma_model::Reason::ALL.iter().any(|r| r.name() == name && r.state() == state);
            let parts = self.reasons.iter().filter(|(name, _)| of_state(name));
            let parts: Vec<String> = parts.map(|(name, n)| format!("{} {name}", grouped(*n))).collect();
            if parts.is_empty() { String::new() } else { paint.faint(&format!("  ({})", parts.join(", "))) }
        };
        let cuts: Vec<String> = self.cut_parts.iter().map(|(key, n)| format!("{} {key}", grouped(*n))).collect();
        let cuts = if cuts.is_empty() { String::new() } else { paint.faint(&format!("  ({})", cuts.join(", "))) };
        out.line(&format!("{:16}{:>12}", "discovered", grouped(self.discovered)))?;
        out.line(&format!("{:16}{:>12}", "  indexed", grouped(self.indexed)))?;
        out.line(&format!("{:16}{:>12}{}", "  registered", grouped(self.registered), parts(State::Registered)))?;
        out.line(&format!("{:16}{:>12}{}", "  ignored", grouped(self.ignored), parts(State::Ignored)))?;
        let invalid = format!("{:>12}", grouped(self.invalid));
        let invalid = if self.invalid > 0 { paint.bad(&invalid) } else { invalid };
        out.line(&format!("{:16}{invalid}{}", "  invalid", parts(State::Invalid)))?;
        out.line(&format!("{:16}{:>12}", "  pending", grouped(self.pending)))?;
        out.line(&format!("{:16}{:>12}{}", "aliases", grouped(self.aliases), parts(State::Alias)))?;
        out.line(&format!("{:16}{:>12}  {}", "fetches", grouped(self.fetches), size(self.bytes)))?;
        out.line(&format!("{:16}{:>12}{cuts}", "cut pages", grouped(self.cut_pages)))?;
        let layers = self.layers_finished.map_or_else(|| "none".to_owned(), |last| format!("0 to {last}"));
        out.line(&format!("{:16}{layers:>12}", "layers finished"))?;
        self.print_findings(out)
    }

    fn print_findings(&self, out: &mut Out) -> io::Result<()> {
        let strong = || self.learned_rules.iter().filter(|rule| rule.standing == RuleStanding::Strong.name());
        let found: Vec<&Found> = self.findings.iter().filter(|f| f.kind != "learned-rule").collect();
        if strong().count() + found.len() > 0 {
            out.line("")?;
            out.line(&out.paint.heading("findings"))?;
        }
        for rule in strong().take(SHOWN) {
            out.line(&format!("  {}", rule.says()))?;
        }
        for finding in found.iter().take(SHOWN) {
            out.line(&format!("  {}: {}: {}", finding.kind, plain(&finding.subject), plain(&finding.detail)))?;
        }
        let more = strong().count().saturating_sub(SHOWN) + found.len().saturating_sub(SHOWN);
        if more > 0 {
            out.line(&format!("  and {} more: groma status -f json", grouped(more as u64)))?;
        }
        if !self.limits_hit.is_empty() {
            out.line("")?;
            out.line(&out.paint.heading("limits hit"))?;
            for (key, times) in &self.limits_hit {
                out.line(&format!("  {}", words::limit_hit(key, *times)))?;
            }
        }
        Ok(())
    }

    /// For spreadsheets: a key and a number in each row.
    pub(crate) fn rows(&self) -> Vec<[String; 2]> {
        let row = |key: &str, n: u64| [key.to_owned(), n.to_string()];
        let mut rows = vec![
            row("discovered", self.discovered),
            row("indexed", self.indexed),
            row("registered", self.registered),
            row("ignored", self.ignored),
            row("invalid", self.invalid),
            row("pending", self.pending),
            row("invalid_gone", self.invalid_parts.gone),
            row("invalid_unreachable", self.invalid_parts.unreachable),
            row("invalid_malformed", self.invalid_parts.malformed),
            row("unknown", self.unknown),
            row("aliases", self.aliases),
            row("fetches", self.fetches),
            row("bytes", self.bytes),
            row("queued", self.queued),
            row("cut_pages", self.cut_pages),
        ];
        rows.extend(self.reasons.iter().map(|(name, n)| row(&format!("reason_{name}"), *n)));
        rows.extend(self.cut_parts.iter().map(|(key, n)| row(&format!("cut_{key}"), *n)));
        rows.extend(self.limits_hit.iter().map(|(key, n)| row(&format!("limit_{key}"), *n)));
        rows
    }
}

impl LearnedRule {
    /// The sentence people see.
    pub(crate) fn says(&self) -> String {
        let (parameter, pattern) = (plain(&self.parameter), plain(&self.pattern));
        match self.standing {
            standing if standing == RuleStanding::Strong.name() => {
                words::learned(&parameter, &pattern, self.folded, self.samples)
            }
            standing if standing == RuleStanding::Refuted.name() => words::refuted(&parameter, &pattern),
            _ => words::watching(&parameter, &pattern, self.equal),
        }
    }

    /// Two addresses that spoke for or against it.
    pub(crate) fn example(&self) -> &str {
        &self.example
    }

    /// Is it about addresses of this pattern with one of these parameters?
    pub(crate) fn is_about(&self, pattern: &str, parameters: &[String]) -> bool {
        self.pattern == pattern && parameters.contains(&self.parameter)
    }

    /// Is it applied?
    pub(crate) fn is_strong(&self) -> bool {
        self.standing == RuleStanding::Strong.name()
    }

    /// The cells of a row.
    pub(crate) fn cells(&self) -> [String; 5] {
        let evidence =
            format!("equal {}, differ {}, folded {}, checked {}", self.equal, self.differ, self.folded, self.samples);
        [self.pattern.clone(), self.parameter.clone(), self.standing.to_owned(), evidence, self.example.clone()]
    }
}

/// What has been learned about parameters.
pub(crate) fn learned(store: &mut dyn Snapshot) -> Result<Vec<LearnedRule>, Fault> {
    let rules = store.learned()?.into_iter().map(|row| LearnedRule {
        pattern: row.shape,
        parameter: row.param,
        standing: RuleStanding::from_code(row.standing).name(),
        equal: row.equal,
        differ: row.differ,
        folded: row.folded,
        samples: row.samples,
        example: row.example,
    });
    Ok(rules.collect())
}
