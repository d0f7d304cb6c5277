//! `gather --all`: the databases of a survey that may be gathered without asking anybody again.
//!
//! | taken | because |
//! |---|---|
//! | a form whose page has `DB.*` tags, a DBContent document | its provider described it |
//! | what was gathered before | it is asked as it was asked then: description, form, consent to post |
//! | what the setting `gather` names | the user allowed it |
//!
//! Nothing else is asked: a search form that nobody described or allowed is named with the command that allows it. Each database is
//! gathered by itself, one after the other; what fails is told and keeps nobody from the next. Not guaranteed: that forms are known
//! which the crawl of the survey has not seen.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::wording::plain;
use groma_settings::saved::Saved;
use groma_settings::value::Value;
use groma_settings::{Book, Fault, address};
use groma_store::{Folder, Snapshot};
use serde::Serialize;

use super::noticed::{NoticedDatabases, NoticedKind};
use super::{Closing, Gathered, Request, Watch, gather};
use crate::crawl::prepare::Requester;
use crate::gather::wording::NO_DATABASE_HINT;
use crate::outcome::Outcome;
use crate::task::Gather;

/// Why a database may be gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allowed {
    /// Its page has `DB.*` tags.
    Described,
    /// A DBContent document leads to it.
    Document,
    /// It was gathered before.
    GatheredBefore,
    /// The setting `gather` names it.
    Named,
}

impl Allowed {
    /// As the end of a sentence.
    pub fn says(self) -> &'static str {
        match self {
            Allowed::Described => "its page describes the form",
            Allowed::Document => "a DBContent document",
            Allowed::GatheredBefore => "gathered before",
            Allowed::Named => "named in the setting gather",
        }
    }
}

/// A database that is to be gathered.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenDatabase {
    /// How it is asked.
    pub task: Gather,
    /// Why it may be.
    pub allowed: Allowed,
}

/// Something that is not gathered, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassedOver {
    /// Page of the database.
    pub url: String,
    pub why: String,
}

/// The databases of a survey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllDatabases {
    /// Those that are gathered, in this order.
    pub chosen: Vec<ChosenDatabase>,
    /// Those that are not.
    pub passed: Vec<PassedOver>,
}

/// A database that was gathered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GatheredDatabase {
    /// Page of the database.
    pub url: String,
    /// Why it was gathered.
    pub allowed: Allowed,
    /// What it came to.
    pub statement: Closing,
}

/// What came of all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AllGathered {
    /// Those that were gathered.
    pub gathered: Vec<GatheredDatabase>,
    /// Those that could not be.
    pub failed: Vec<PassedOver>,
    /// Those that nobody allowed.
    pub skipped: Vec<PassedOver>,
    /// It was stopped before its end.
    pub interrupted: bool,
}

impl AllDatabases {
    /// Those of a survey; `task` brings settings, budget and whether it is a plan.
    pub fn of_survey(folder: &Folder, task: &Gather, requester: &Requester<'_>) -> Result<AllDatabases, Fault> {
        let mut store = folder.read()?;
        let saved = Saved::load(&mut store)?;
        let book = Book::gather(&task.settings.given(), requester.config, saved.as_ref())?;
        let named = match &book.entry("gather").value {
            Value::List(urls) => urls.clone(),
            _ => Vec::new(),
        };
        let before = before(folder)?;
        AllDatabases::choose(&mut store, task, &before, &named)
    }

    fn choose(
        store: &mut dyn Snapshot,
        task: &Gather,
        before: &[Gather],
        named: &[String],
    ) -> Result<AllDatabases, Fault> {
        let mut all = AllDatabases::default();
        let mut known: HashSet<String> = HashSet::new();
        for one in before {
            known.insert(one.url().to_owned());
            let task = Gather {
                settings: task.settings.clone(),
                budget: task.budget.or(one.budget),
                plan: task.plan,
                ..one.clone()
            };
            all.chosen.push(ChosenDatabase { task, allowed: Allowed::GatheredBefore });
        }
        let mut choose = |url: &groma_url::Url, allowed| -> Result<(), Fault> {
            if known.insert(url.to_string()) {
                let task = Gather { all: false, ..task.at(url)? };
                all.chosen.push(ChosenDatabase { task, allowed });
            }
            Ok(())
        };
        for url in named {
            choose(&address::read(url)?.url, Allowed::Named)?;
        }
        let noticed = NoticedDatabases::of_survey(store, usize::MAX)?;
        for one in &noticed.list {
            let allowed = match one.kind {
                NoticedKind::Document => Allowed::Document,
                NoticedKind::DescribedForm => Allowed::Described,
                NoticedKind::SearchForm => continue,
            };
            if let Ok(url) = groma_url::Url::parse(&one.url) {
                choose(&url, allowed)?;
            }
        }
        for one in noticed.list.iter().filter(|one| one.kind == NoticedKind::SearchForm) {
            if known.insert(one.url.clone()) {
                all.passed.push(PassedOver { url: one.url.clone(), why: nobody_allowed(&one.url, one.posts) });
            }
        }
        Ok(all)
    }

    /// Gathers them, one after the other.
    pub fn gather(
        self,
        folder: &Folder,
        requester: &Requester<'_>,
        watch: &mut dyn Watch,
        interrupt: &Arc<AtomicBool>,
    ) -> AllGathered {
        let mut done = AllGathered { skipped: self.passed, ..AllGathered::default() };
        for ChosenDatabase { task, allowed } in self.chosen {
            if interrupt.load(Ordering::Relaxed) {
                done.interrupted = true;
                break;
            }
            let url = task.url().to_owned();
            match one(folder, &task, requester, watch, interrupt) {
                Ok(Gathered { fault: Some(why), hint, .. }) => done.failed.push(failed(url, &why, hint)),
                Ok(Gathered { closing, .. }) => {
                    done.interrupted |= closing.end == "interrupted";
                    done.gathered.push(GatheredDatabase { url, allowed, statement: closing });
                }
                Err(fault) => done.failed.push(failed(url, &fault.says, &fault.hint)),
            }
        }
        done
    }
}

impl AllGathered {
    /// What was done and what not, a line each.
    pub fn lines(&self) -> Vec<String> {
        let gathered = self.gathered.iter().map(|one| {
            format!("gathered {} ({}): {}", plain(&one.url), one.allowed.says(), plain(&one.statement.says))
        });
        let failed = self.failed.iter().map(|one| format!("failed   {}: {}", plain(&one.url), plain(&one.why)));
        let skipped = self.skipped.iter().map(|one| format!("skipped  {}: {}", plain(&one.url), plain(&one.why)));
        gathered.chain(failed).chain(skipped).collect()
    }

    /// What it came to.
    pub fn outcome(&self) -> Outcome {
        let (gathered, failed, skipped) = (self.gathered.len(), self.failed.len(), self.skipped.len());
        Outcome::GatheredAll { gathered: gathered as u64, failed: failed as u64, skipped: skipped as u64 }
    }
}

fn one(
    folder: &Folder,
    task: &Gather,
    requester: &Requester<'_>,
    watch: &mut dyn Watch,
    interrupt: &Arc<AtomicBool>,
) -> Result<Gathered, Fault> {
    let read = address::read(task.url())?;
    let requester = Requester { owned: requester.owned, guarded: requester.guarded, config: requester.config };
    let request = Request::new(folder.clone(), task, read, requester, &mut |note| watch.notice(note))?;
    gather(&request, watch, Arc::clone(interrupt))
}

/// What was gathered before, as it was asked then, the oldest first. Imports were not gathered here.
fn before(folder: &Folder) -> Result<Vec<Gather>, Fault> {
    let Some(mut gathers) = folder.gathers_if_any()? else { return Ok(Vec::new()) };
    let mut rows = gathers.gathers()?;
    rows.sort_unstable_by_key(|row| row.id);
    let read = |asked: &str| Gather::read_stored(asked).ok().filter(|task| !task.url().is_empty());
    Ok(rows.iter().filter_map(|row| read(&row.asked)).collect())
}

fn failed(url: String, why: &str, hint: &str) -> PassedOver {
    let hint = if hint.is_empty() || hint == NO_DATABASE_HINT { String::new() } else { format!(" (hint: {hint})") };
    PassedOver { url, why: format!("{why}{hint}") }
}

fn nobody_allowed(url: &str, posts: bool) -> String {
    let post = if posts { " --post" } else { "" };
    format!("a search form that nobody described; `groma gather{post} {url}` or the setting gather allows it")
}
