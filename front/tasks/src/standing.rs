//! Where a survey stands: the balance of all URLs, what it cost, what was found. One object for programs, one screen for
//! people.

use std::collections::BTreeMap;

use groma_model::State;
use groma_model::moment::rfc3339;
use groma_model::state::Fault as PageFault;
use groma_model::url::learn::Standing as RuleStanding;
use groma_model::wording::{counted, grouped, plain};
use groma_settings::saved::Saved;
use groma_settings::{Fault, place};
use groma_store::workers::Member;
use groma_store::{Folder, Snapshot};
use serde::Serialize;

use crate::gather::{LOOKED, NoticedDatabases};

/// The object. `discovered = fetched + skipped + excluded + broken + queued`.
#[derive(Debug, Serialize)]
pub struct Standing {
    /// All URLs of the survey.
    pub discovered: u64,
    /// In state "fetched".
    pub fetched: u64,
    /// In state "skipped": known, not fetched.
    pub skipped: u64,
    /// Left out by a rule or by the user.
    pub excluded: u64,
    /// URLs that lead nowhere.
    pub broken: u64,
    /// Waiting to be fetched.
    pub queued: u64,
    /// The broken ones by what is wrong.
    pub broken_parts: BrokenParts,
    /// Skipped pages that asked us to wait, to log in or to keep out.
    pub unknown: u64,
    /// Other names of pages.
    pub aliases: u64,
    pub reasons: BTreeMap<&'static str, u64>,
    /// Requests made for pages.
    pub fetches: u64,
    /// Bytes received for them.
    pub bytes: u64,
    /// Pages built by a browser, each time they were.
    pub rendered: u64,
    /// URLs that wait for their turn: to be fetched, or asked for again.
    pub in_queue: u64,
    /// The last layer whose pages have all been visited.
    pub layers_finished: Option<u32>,
    /// How often each limit was hit.
    pub limits_hit: BTreeMap<String, u64>,
    /// Pages that a limit cut, or whose answer broke off.
    pub cut_pages: u64,
    /// By what, limits by their keys; a page can be cut by several.
    pub cut_parts: BTreeMap<String, u64>,
    /// What the user should know.
    pub findings: Vec<StoredFinding>,
    /// What has been learned about parameters.
    pub learned_rules: Vec<LearnedRule>,
    /// Somebody is writing to it.
    pub running: bool,
    /// Who, if it is on a server.
    pub workers: Vec<Member>,
    pub runs: Vec<Run>,
    /// Folder of the survey.
    pub store: String,
    /// Where every exchange with a server is kept as WARC, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// Databases that the crawl came by, where somebody asked for them: see [`Standing::notice_databases`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub databases: Option<NoticedDatabases>,
}

/// What is wrong with broken URLs.
#[derive(Debug, Serialize)]
pub struct BrokenParts {
    /// The server says there is no such page.
    pub gone: u64,
    /// It could not be had.
    pub unreachable: u64,
    /// The URL itself is wrong.
    pub malformed: u64,
}

/// A finding that the store keeps.
#[derive(Debug, Serialize)]
pub struct StoredFinding {
    pub kind: String,
    /// What it is about.
    pub subject: String,
    /// The finding in words.
    pub detail: String,
    /// When it was first found.
    pub since: String,
}

/// What is known of a parameter.
#[derive(Debug, Serialize)]
pub struct LearnedRule {
    /// The shape of the URLs.
    pub pattern: String,
    /// Name of the parameter.
    pub parameter: String,
    /// Watching, strong or refuted.
    pub standing: &'static str,
    /// Witnesses for equal content.
    pub equal: u32,
    /// Witnesses for different content.
    pub differ: u32,
    /// Variants that were folded because of it.
    pub folded: u64,
    /// Samples fetched to check it.
    pub samples: u32,
    /// Two URLs that spoke for or against it.
    pub example: String,
}

/// A crawl or an update.
#[derive(Debug, Serialize)]
pub struct Run {
    pub run: u32,
    /// `crawl` or `update`.
    pub kind: String,
    /// Time of its start.
    pub started: String,
    /// Time of its end.
    pub ended: Option<String>,
    /// How it ended.
    pub outcome: String,
}

impl Standing {
    /// Reads it from a store.
    pub fn read(store: &mut dyn Snapshot, folder: &Folder) -> Result<Standing, Fault> {
        let balance = store.balance()?;
        let found = store.findings()?.into_iter().map(|finding| StoredFinding {
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
            fetched: balance.state(State::Fetched),
            skipped: balance.state(State::Skipped),
            excluded: balance.state(State::Excluded),
            broken: balance.state(State::Broken),
            queued: balance.state(State::Queued),
            broken_parts: BrokenParts {
                gone: balance.fault(PageFault::Gone),
                unreachable: balance.fault(PageFault::Unreachable),
                malformed: balance.fault(PageFault::Malformed),
            },
            unknown: balance.fault(PageFault::Unknown),
            aliases: balance.state(State::Alias),
            reasons: balance.tally.iter().filter(|(_, n)| **n > 0).map(|(reason, n)| (reason.name(), *n)).collect(),
            fetches: balance.fetches,
            bytes: balance.bytes,
            rendered: balance.rendered,
            in_queue: balance.queued,
            layers_finished: balance.finished_layer,
            limits_hit: balance.limits,
            cut_pages: cuts.iter().map(|(_, pages)| pages).sum(),
            cut_parts,
            findings: found.collect(),
            learned_rules: learned(store)?,
            running: place::is_running(folder),
            workers: folder.workers(),
            runs: runs.collect(),
            store: folder.shown().display().to_string(),
            archive: Saved::load(store)?.and_then(|saved| saved.text("warc").map(str::to_owned)),
            databases: None,
        })
    }

    /// Looks for databases that the crawl came by: at the first [`LOOKED`] pages, for that takes a moment.
    pub fn notice_databases(&mut self, store: &mut dyn Snapshot) -> Result<(), Fault> {
        self.databases = Some(NoticedDatabases::of_survey(store, LOOKED)?);
        Ok(())
    }

    /// Is somebody writing to it?
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// For spreadsheets: a key and a number in each row.
    pub fn rows(&self) -> Vec<[String; 2]> {
        let row = |key: &str, n: u64| [key.to_owned(), n.to_string()];
        let mut rows = vec![
            row("discovered", self.discovered),
            row("fetched", self.fetched),
            row("skipped", self.skipped),
            row("excluded", self.excluded),
            row("broken", self.broken),
            row("queued", self.queued),
            row("invalid_gone", self.broken_parts.gone),
            row("invalid_unreachable", self.broken_parts.unreachable),
            row("invalid_malformed", self.broken_parts.malformed),
            row("unknown", self.unknown),
            row("aliases", self.aliases),
            row("fetches", self.fetches),
            row("bytes", self.bytes),
            row("rendered", self.rendered),
            row("in_queue", self.in_queue),
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
    pub fn says(&self) -> String {
        let (parameter, pattern) = (plain(&self.parameter), plain(&self.pattern));
        match self.standing {
            standing if standing == RuleStanding::Strong.name() => {
                learned_line(&parameter, &pattern, self.folded, self.samples)
            }
            standing if standing == RuleStanding::Refuted.name() => refuted(&parameter, &pattern),
            _ => watching(&parameter, &pattern, self.equal),
        }
    }

    /// Two URLs that spoke for or against it.
    pub fn example(&self) -> &str {
        &self.example
    }

    /// Is it about URLs of this pattern with one of these parameters?
    pub fn is_about(&self, pattern: &str, parameters: &[String]) -> bool {
        self.pattern == pattern && parameters.contains(&self.parameter)
    }

    /// Whether it is applied.
    pub fn is_strong(&self) -> bool {
        self.standing == RuleStanding::Strong.name()
    }

    /// The cells of a row.
    pub fn cells(&self) -> [String; 5] {
        let evidence =
            format!("equal {}, differ {}, folded {}, checked {}", self.equal, self.differ, self.folded, self.samples);
        [self.pattern.clone(), self.parameter.clone(), self.standing.to_owned(), evidence, self.example.clone()]
    }
}

/// What has been learned about parameters.
pub fn learned(store: &mut dyn Snapshot) -> Result<Vec<LearnedRule>, Fault> {
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

fn refuted(param: &str, pattern: &str) -> String {
    format!("parameter `{param}` of {pattern} changes pages: it is kept")
}

fn watching(param: &str, pattern: &str, equal: u32) -> String {
    format!(
        "parameter `{param}` of {pattern} is being watched: {} did not change so far",
        counted(equal.into(), "page", "pages")
    )
}

fn learned_line(param: &str, pattern: &str, folded: u64, checked: u32) -> String {
    format!(
        "learned: parameter `{param}` of {pattern} does not change the page; {} folded ({} checked)",
        counted(folded, "variant", "variants"),
        grouped(checked.into())
    )
}
