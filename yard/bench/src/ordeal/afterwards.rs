//! What is there when the work has come to rest?

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use groma_testweb::sites::Library;
use serde_json::{Value, json};

use super::Ordeal;
use super::load::Load;
use crate::groma::said;
use crate::report::Report;
use crate::serve::{Caller, Served, encoded};

/// What is counted for the table.
type Counts = Vec<(&'static str, u64)>;

impl Ordeal {
    /// Checks jobs, runs, pages and index.
    pub(super) fn afterwards(&self, served: &Served, load: &Load, report: &mut Report) -> anyhow::Result<Counts> {
        let mut caller = Caller::new(served.address(), &self.token);
        // One more edition, and an update of it: what the index says then is known.
        let edition = self.library.edition.fetch_add(1, Ordering::Relaxed) + 1;
        let wanted = json!({ "kind": "update" });
        let reply = caller.post(&format!("/api/v1/sites/{}/jobs", self.site), &wanted)?;
        if reply.status != 201 {
            bail!("the last update was refused: {} {}", reply.status, reply.body);
        }
        self.rest(served)?;
        let jobs = self.jobs()?;
        let mut counts = self.promises_kept(&jobs, load, report);
        let mixed = out_of_order(&jobs);
        report.check(mixed.is_empty(), || format!("packages out of order: {mixed:?}"));
        self.schedules_fired_once(&jobs, report);
        let ended = load.ended();
        for (id, at) in &ended {
            let now = &jobs.get(id).unwrap_or(&Value::Null)["ended"];
            report.check(now == at.as_str(), || format!("job {id} had ended at {at}, and now {now}"));
        }
        counts.push(("jobs seen to end before the last kill", ended.len() as u64));
        counts
            .push(("jobs finished and done again, as nobody could note the end", self.done_again(&jobs, &mut caller)?));
        counts.extend(self.runs(&jobs, report)?);
        self.balance(report)?;
        self.all_are_found(&mut caller, edition, report)?;
        Ok(counts)
    }

    fn jobs(&self) -> anyhow::Result<BTreeMap<u64, Value>> {
        let output = self.groma.command("jobs", &self.store, &["-f", "json", "-n", "1000000"]).output()?;
        if !output.status.success() {
            bail!("groma jobs: {}", said(&output));
        }
        let text = String::from_utf8(output.stdout).context("groma jobs said no UTF-8")?;
        let row = |line: &str| {
            let row: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
            Ok((row["job"].as_u64().with_context(|| line.to_owned())?, row))
        };
        text.lines().map(row).collect()
    }

    /// What was promised is there, and done.
    fn promises_kept(&self, jobs: &BTreeMap<u64, Value>, load: &Load, report: &mut Report) -> Counts {
        let promises = load.promises();
        let mut seen = BTreeSet::new();
        for promise in &promises {
            report.check(!promise.jobs.is_empty(), || format!("the {} promised nothing", promise.by));
            for id in &promise.jobs {
                report.check(jobs.contains_key(id), || format!("job {id}, promised by the {}, is lost", promise.by));
                report.check(seen.insert(*id), || format!("job {id} was promised twice"));
            }
        }
        for (id, job) in jobs {
            report.check(job["state"] == "done" && !job["ended"].is_null(), || format!("job {id} is not done: {job}"));
        }
        let taken: u64 = jobs.values().filter_map(|job| job["taken"].as_u64()).sum();
        vec![
            ("jobs promised", seen.len() as u64),
            ("jobs there", jobs.len() as u64),
            ("jobs taken up again", taken.saturating_sub(jobs.len() as u64)),
        ]
    }

    fn schedules_fired_once(&self, jobs: &BTreeMap<u64, Value>, report: &mut Report) {
        for (schedule, _) in &self.schedules {
            let of = jobs.values().filter(|job| job["schedule"] == *schedule);
            let packages: BTreeSet<Option<u64>> = of.clone().map(|job| job["package"].as_u64()).collect();
            report.check(packages.len() == 1 && of.count() == 2, || {
                format!("schedule {schedule} asked for packages {packages:?}")
            });
        }
    }

    /// Jobs whose log tells their outcome and then that somebody took them up again: the kill came between the work and the
    /// word that it is done. Only work that comes to the same may be done so.
    fn done_again(&self, jobs: &BTreeMap<u64, Value>, caller: &mut Caller) -> anyhow::Result<u64> {
        let mut again = 0;
        for (id, job) in jobs {
            let reply = caller.get(&format!("/api/v1/sites/{}/jobs/{id}/log?limit=1000", self.site))?;
            let Some(lines) = reply.body["items"].as_array() else {
                bail!("the log of job {id} is not told: {} {}", reply.status, reply.body);
            };
            let mut after = lines.iter().skip_while(|line| line["text"] != job["outcome"]);
            again +=
                u64::from(after.any(|line| line["text"].as_str().is_some_and(|text| text.starts_with("taken up"))));
        }
        Ok(again)
    }

    /// Each update that was asked for ran to its end once.
    fn runs(&self, jobs: &BTreeMap<u64, Value>, report: &mut Report) -> anyhow::Result<Counts> {
        let output = self.groma.command("status", &self.store, &["-f", "json"]).output()?;
        let status: Value = serde_json::from_slice(&output.stdout).with_context(|| said(&output))?;
        let runs = status["runs"].as_array().context("no runs")?;
        let updates: Vec<&Value> = runs.iter().filter(|run| run["kind"] == "update").collect();
        let open = runs.iter().filter(|run| run["ended"].is_null()).count();
        report.equal("runs without an end", open as u64, 0);
        let asked = jobs.values().filter(|job| job["kind"] == "update").count() as u64;
        report.equal("updates that ran, of those asked for", updates.len() as u64, asked);
        Ok(vec![("updates asked for", asked), ("updates that ran to their end", updates.len() as u64)])
    }

    fn balance(&self, report: &mut Report) -> anyhow::Result<()> {
        let status = self.groma.status(&self.store)?;
        let pages = self.library.pages as u64;
        for (key, wanted) in [("fetched", pages), ("discovered", pages), ("broken", 0), ("queued", 0)] {
            report.equal(key, status.number(key)?, wanted);
        }
        report.check(status.balances()?, || "the balance".into());
        Ok(())
    }

    /// Every page by its own word; changed ones by their last word, and no more by the one before.
    fn all_are_found(&self, caller: &mut Caller, edition: u64, report: &mut Report) -> anyhow::Result<()> {
        let (mut missing, mut strays) = (Vec::new(), Vec::new());
        let mut found = |word: &str, page: usize| -> anyhow::Result<bool> {
            let reply = caller.get(&format!("/api/v1/search?q={}", encoded(word)))?;
            let items = reply.body["items"].as_array();
            let items = items.with_context(|| format!("{word}: {} {}", reply.status, reply.body))?;
            let ending = self.library.path(page);
            Ok(items.iter().any(|item| item["url"].as_str().is_some_and(|address| address.ends_with(&ending))))
        };
        for page in 0..self.library.pages {
            if !found(&Library::own_word(page), page)? {
                missing.push(page);
            }
            if Library::is_edited(page) {
                if !found(&self.library.edition_word(page, edition), page)? {
                    missing.push(page);
                }
                if found(&self.library.edition_word(page, edition - 1), page)? {
                    strays.push(page);
                }
            }
        }
        let some = |pages: &[usize]| pages.iter().take(5).map(usize::to_string).collect::<Vec<_>>().join(", ");
        report.check(missing.is_empty(), || format!("{} pages are not found: {} ...", missing.len(), some(&missing)));
        report
            .check(strays.is_empty(), || format!("{} pages by what they said before: {}", strays.len(), some(&strays)));
        Ok(())
    }
}

/// Packages whose jobs did not go one after the other.
fn out_of_order(jobs: &BTreeMap<u64, Value>) -> Vec<u64> {
    let mut packages: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
    for job in jobs.values() {
        if let Some(package) = job["package"].as_u64() {
            packages.entry(package).or_default().push(job);
        }
    }
    // Moments are written so that their order is that of their letters.
    let before =
        |pair: &[&Value]| pair[1]["started"].is_null() || pair[0]["ended"].as_str() <= pair[1]["started"].as_str();
    packages.retain(|_, members| !members.windows(2).all(before));
    packages.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_out_of_order_is_seen() {
        let job = |started: &str, ended: &str| json!({ "package": 1, "started": started, "ended": ended });
        let (first, then) = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:07Z");
        let jobs = |second| BTreeMap::from([(1, job(first, then)), (2, job(second, then))]);
        assert_eq!((out_of_order(&jobs(then)), out_of_order(&jobs(first))), (vec![], vec![1]));
    }
}
