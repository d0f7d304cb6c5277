//! What a task came to: figures for programs, a sentence for people. Whoever asked for the task is told both, at every door.

use std::fmt;
use std::time::Duration;

use groma_check::{Severity, Summary};
use groma_model::moment::spoken;
use groma_model::wording::{counted, grouped};
use groma_search::Followed;
use serde::Serialize;

use crate::bounds::wording::site_found;
use crate::crawl::wording::{NOTHING_LEFT, NOTHING_LEFT_LIMIT};
use crate::extract::Extracted;
use crate::focus::wording::focus_ended;
use crate::search::indexed;

/// What a task came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// A crawl or an update: a run of the survey.
    Run(RunOutcome),
    /// Ranks were computed.
    Ranked {
        /// Pages in the list.
        pages: u64,
    },
    /// A map was drawn.
    Drawn {
        /// Pages on it.
        pages: u64,
        layers: u64,
    },
    /// The site was checked.
    Checked(FindingCounts),
    /// A report was written.
    Reported {
        /// Pages on its map.
        pages: u64,
        /// What is wrong with the site.
        #[serde(flatten)]
        found: FindingCounts,
    },
    /// Pages, links or URLs were written for other programs.
    Exported {
        /// URLs written.
        pages: u64,
        /// Links written, where they are counted.
        links: u64,
    },
    /// Values were read out of pages.
    Extracted(Extracted),
    /// The index follows the survey.
    Indexed(Followed),
    /// A site was found.
    SiteFound {
        /// Pages that belong to it.
        r#in: u64,
        /// Pages of which nobody can say.
        undecided: u64,
        /// Pages that do not.
        out: u64,
    },
    /// Pages were clustered.
    Clustered {
        /// Pages in clusters.
        pages: u64,
        clusters: u64,
        /// Pages in more than one.
        overlaps: u64,
    },
    /// A focused crawl ended.
    Focused {
        /// Why it ended.
        end: String,
        /// Pages fetched.
        fetched: u32,
        /// Those that are relevant.
        relevant: u32,
        /// Their share.
        harvest: f64,
    },
    /// A database was gathered.
    Gathered {
        /// How it ended, in a word.
        end: &'static str,
        /// In a sentence.
        #[serde(skip)]
        says: String,
        /// Records found.
        records: u64,
        /// Requests it took.
        requests: u64,
        /// All records are proved to be among them.
        certified: bool,
    },
    /// Every database of a survey was gathered that may be.
    GatheredAll {
        /// Databases gathered.
        gathered: u64,
        /// Databases that could not be.
        failed: u64,
        /// Databases that nobody described or allowed.
        skipped: u64,
    },
    /// People were told what is new.
    Notified {
        /// What was done about it.
        says: String,
    },
}

/// What a run of a survey came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RunOutcome {
    /// It ran to its end.
    Ended {
        /// Why it ended, in a word.
        end: &'static str,
        /// How long it took, in seconds.
        seconds: f64,
        /// Requests it made.
        fetches: u64,
        /// Pages in the survey.
        pages: u64,
    },
    /// The survey was complete already.
    NothingLeft {
        /// Because of its limit of pages.
        limited: bool,
    },
    /// It had ended before this worker took the job up.
    EndedBefore {
        /// Why, in a word.
        end: String,
    },
}

/// How much a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FindingCounts {
    /// All findings.
    pub findings: u64,
    /// Those that are errors.
    pub errors: u64,
    /// Those that are warnings.
    pub warnings: u64,
}

impl FindingCounts {
    /// Of what a check found.
    pub fn of_summary(summary: &Summary) -> FindingCounts {
        let count = |severity| summary.of_severity(severity).all;
        FindingCounts { findings: summary.total(), errors: count(Severity::Error), warnings: count(Severity::Warning) }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Run(run) => run.fmt(f),
            Outcome::Ranked { pages } => write!(f, "{} ranked", pages_of(*pages)),
            Outcome::Drawn { pages, layers } => {
                write!(f, "map of {} to depth {}", pages_of(*pages), layers.saturating_sub(1))
            }
            Outcome::Checked(counts) => counts.fmt(f),
            Outcome::Reported { pages, found } => write!(f, "report of {}: {found}", pages_of(*pages)),
            Outcome::Exported { pages, links } => {
                write!(f, "written: {}", counted(*pages, "URL", "URLs"))?;
                if *links > 0 {
                    write!(f, ", {}", counted(*links, "link", "links"))?;
                }
                Ok(())
            }
            Outcome::Extracted(extracted) => extracted.fmt(f),
            Outcome::Indexed(followed) => f.write_str(&indexed(followed)),
            Outcome::SiteFound { r#in, undecided, out } => f.write_str(&site_found(*r#in, *undecided, *out)),
            Outcome::Clustered { pages, clusters, overlaps } => {
                write!(f, "{} in {}", pages_of(*pages), counted(*clusters, "cluster", "clusters"))?;
                if *overlaps > 0 {
                    write!(f, ", {} in more than one", pages_of(*overlaps))?;
                }
                Ok(())
            }
            Outcome::Focused { end, fetched, relevant, harvest } => {
                f.write_str(&focus_ended(end, *fetched, *relevant, *harvest))
            }
            Outcome::Gathered { says, .. } | Outcome::Notified { says } => f.write_str(says),
            Outcome::GatheredAll { gathered, failed, skipped } => {
                let (gathered, failed, skipped) = (grouped(*gathered), grouped(*failed), grouped(*skipped));
                write!(f, "{gathered} gathered, {failed} failed, {skipped} skipped (nobody described or allowed them)")
            }
        }
    }
}

impl fmt::Display for RunOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunOutcome::Ended { end, seconds, fetches, pages } => {
                let took = spoken(Duration::from_secs_f64(*seconds));
                let fetches = counted(*fetches, "fetch", "fetches");
                write!(f, "{end} in {took}: {fetches}, {} in the survey", pages_of(*pages))
            }
            RunOutcome::NothingLeft { limited: true } => f.write_str(NOTHING_LEFT_LIMIT),
            RunOutcome::NothingLeft { limited: false } => f.write_str(NOTHING_LEFT),
            RunOutcome::EndedBefore { end } => f.write_str(end),
        }
    }
}

impl fmt::Display for FindingCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let findings = counted(self.findings, "finding", "findings");
        write!(f, "{findings}, {}", counted(self.errors, "error", "errors"))
    }
}

fn pages_of(pages: u64) -> String {
    counted(pages, "page", "pages")
}
