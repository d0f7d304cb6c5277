//! What goes on while the server is killed: searches, and jobs asked for. What was promised is remembered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use groma_testweb::prose::mix;
use groma_testweb::sites::Library;
use serde_json::json;

use super::{Ordeal, numbers};
use crate::groma::said;
use crate::report::Report;
use crate::serve::encoded;

/// Complaints kept; the others are counted.
const KEPT: usize = 10;

/// Counts of what went on.
#[derive(Default)]
pub(super) struct Load {
    /// Set when all threads should end.
    pub(super) over: AtomicBool,
    answered: AtomicU64,
    without_index: AtomicU64,
    away: AtomicU64,
    broken_off: AtomicU64,
    promised: Mutex<Vec<Promise>>,
    /// Jobs that were seen to have ended, and when they had.
    ended: Mutex<BTreeMap<u64, String>>,
    complaints: Mutex<(u64, Vec<String>)>,
}

/// Jobs that were promised: their numbers, in order, and by whom.
#[derive(Clone, Debug)]
pub(super) struct Promise {
    pub(super) jobs: Vec<u64>,
    pub(super) by: &'static str,
}

impl Load {
    fn goes_on(&self) -> bool {
        !self.over.load(Ordering::Relaxed)
    }

    fn complain(&self, says: String) {
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        complaints.0 += 1;
        if complaints.1.len() < KEPT {
            complaints.1.push(says);
        }
    }

    fn promise(&self, jobs: Vec<u64>, by: &'static str) {
        self.promised.lock().unwrap_or_else(PoisonError::into_inner).push(Promise { jobs, by });
    }

    /// What was promised so far.
    pub(super) fn promises(&self) -> Vec<Promise> {
        self.promised.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Searches, one after the other.
    pub(super) fn search(&self, ordeal: &Ordeal, thread: u64) {
        let mut caller = ordeal.caller();
        let mut n = 0;
        while self.goes_on() {
            n += 1;
            let question = format!("{} {}", Library::zipf(thread, 2 * n), Library::zipf(thread, 2 * n + 1));
            match caller.get(&format!("/api/v1/search?q={}", encoded(&question))) {
                Ok(reply) if reply.status == 200 && reply.body["items"].is_array() => {
                    self.answered.fetch_add(1, Ordering::Relaxed);
                }
                Ok(reply) if reply.status == 409 => {
                    self.without_index.fetch_add(1, Ordering::Relaxed);
                }
                Ok(reply) => self.complain(format!("search `{question}`: {} {}", reply.status, reply.body)),
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
                    self.away.fetch_add(1, Ordering::Relaxed);
                }
                Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                    self.complain(format!("search `{question}`: {error}"));
                }
                // The kill came in the middle of it.
                Err(_) => {
                    self.broken_off.fetch_add(1, Ordering::Relaxed);
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Jobs asked for over the API, some of them in packages.
    pub(super) fn ask_over_the_api(&self, ordeal: &Ordeal) {
        let mut caller = ordeal.caller();
        let path = format!("/api/v1/sites/{}/jobs", ordeal.site);
        let mut n = 0;
        while self.goes_on() {
            n += 1;
            let wanted = match n % 20 {
                0 => json!({ "kind": "update" }),
                n => {
                    let kind = ["index", "check", "index", "map", "rank"][n % 5];
                    json!({ "kind": kind, "priority": n % 3 })
                }
            };
            if n % 20 == 0 {
                ordeal.library.edition.fetch_add(1, Ordering::Relaxed);
            }
            match caller.post(&path, &wanted) {
                Ok(reply) if reply.status == 201 => {
                    let jobs =
                        reply.body["jobs"].as_array().map(|ids| ids.iter().filter_map(|id| id.as_u64()).collect());
                    self.promise(jobs.unwrap_or_default(), "API");
                }
                // Killed in the middle of it, or away: nothing was promised.
                Err(_) => {}
                Ok(reply) => self.complain(format!("asking for {wanted}: {} {}", reply.status, reply.body)),
            }
            std::thread::sleep(Duration::from_millis(150 + mix(ordeal.seed, 1000 + n as u64) % 500));
        }
    }

    /// Looks at what has ended: whatever happens later, it stays so.
    pub(super) fn watch_the_ended(&self, ordeal: &Ordeal) {
        let mut caller = ordeal.caller();
        let path = format!("/api/v1/sites/{}/jobs?state=done&limit=1000", ordeal.site);
        while self.goes_on() {
            if let Ok(reply) = caller.get(&path) {
                let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
                for job in reply.body["items"].as_array().into_iter().flatten() {
                    if let (Some(id), Some(at)) = (job["id"].as_u64(), job["ended_at"].as_str()) {
                        ended.entry(id).or_insert_with(|| at.to_owned());
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(250));
        }
    }

    /// When jobs had ended that were seen to have ended.
    pub(super) fn ended(&self) -> BTreeMap<u64, String> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Jobs asked for on the command line, whether the server is there or not.
    pub(super) fn ask_on_the_command_line(&self, ordeal: &Ordeal) {
        let mut n = 0;
        while self.goes_on() {
            n += 1;
            let kinds = if n % 15 == 0 { "update,check,index" } else { ["map", "check,index", "rank"][n % 3] };
            match ordeal.groma.command("jobs", &ordeal.store, &["add", kinds]).output() {
                Ok(output) if output.status.success() => {
                    let jobs = numbers(&String::from_utf8_lossy(&output.stdout));
                    self.promise(jobs, "command line");
                }
                Ok(output) => self.complain(format!("groma jobs add {kinds}: {}", said(&output))),
                Err(error) => self.complain(format!("groma jobs add {kinds}: {error}")),
            }
            std::thread::sleep(Duration::from_millis(400 + mix(ordeal.seed, 2000 + n as u64) % 900));
        }
    }

    /// The counts, as rows of a table.
    pub(super) fn tell(&self, row: &dyn Fn(&str, String)) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed).to_string();
        row("searches answered", count(&self.answered));
        row("searches before there was an index", count(&self.without_index));
        row("searches broken off by a kill", count(&self.broken_off));
        row("searches while the server was away", count(&self.away));
    }

    /// Nothing was answered by an error.
    pub(super) fn check(&self, report: &mut Report) {
        let (count, said) = &*self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        report.check(*count == 0, || format!("{count} answers were none: {}", said.join("; ")));
        report.check(self.answered.load(Ordering::Relaxed) > 0, || "no search was answered".into());
    }
}
