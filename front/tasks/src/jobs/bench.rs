//! What a job has at hand while it is worked on: a place for progress, a log, a memo, a flag that says stop. And its pulse, a
//! thread that writes all that down and gives signs of life, so that the work itself never waits for a file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use groma_settings::Fault;
use groma_settings::clock::now;
use groma_store::jobs::{Curve, JobRow, Lease, Queue, Reply};
use groma_store::{Folder, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::jobs::lease::LEASE;
use crate::observer::{Observer, Step};
use crate::outcome::Outcome;

/// The first sign of life: soon, so that a job is not blamed for workers that die young.
const FIRST_BEAT: Duration = Duration::from_millis(250);
/// Between two signs of life.
const BEAT: Duration = Duration::from_secs(2);
/// What is new is written at most this often.
const WRITE: Duration = Duration::from_secs(1);
/// Lines of the log that wait to be written.
const WAITING_LINES: usize = 1_000;

/// What a worker must know if the job is taken up again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Memo {
    /// The run of the survey that the job is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<u32>,
    /// What the survey was begun with before it was started over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) saved: Option<groma_settings::saved::Saved>,
    /// The survey was started over: not once more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) begun: bool,
    /// The file that holds the result, within the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<String>,
    /// How often it was tried in vain.
    #[serde(skip_serializing_if = "is_none")]
    pub(crate) tries: u32,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

/// What waits to be written by the pulse.
#[derive(Default)]
struct News {
    progress: Option<String>,
    /// The last word about how far it is, written or not.
    last: Value,
    lines: Vec<(i64, String)>,
    points: Vec<Curve>,
    /// The work is over.
    over: bool,
    /// What somebody wants of the job.
    requested: Option<Reply>,
}

struct Shared {
    news: Mutex<News>,
    woken: Condvar,
    stop: Arc<AtomicBool>,
}

impl Shared {
    /// What a thread that broke off inside left is still whole: every change of it is one assignment.
    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a job has at hand.
pub(crate) struct Bench {
    /// The job as it was taken.
    pub(crate) row: JobRow,
    /// What is known from when it was worked on before.
    pub(crate) memo: Memo,
    /// The queue, for what must be written at once.
    pub(crate) queue: Queue,
    lease: Lease,
    shared: Arc<Shared>,
}

impl Bench {
    /// For a job that was taken.
    pub(crate) fn new(folder: &Folder, row: JobRow, lease: Lease, stop: Arc<AtomicBool>) -> Result<Bench, StoreError> {
        let memo = serde_json::from_str(&row.memo).unwrap_or_default();
        let shared = Arc::new(Shared { news: Mutex::default(), woken: Condvar::new(), stop });
        Ok(Bench { row, memo, queue: folder.queue()?, lease, shared })
    }

    /// The flag that says stop.
    pub(crate) fn stop(&self) -> &Arc<AtomicBool> {
        &self.shared.stop
    }

    /// Does somebody want it to stop?
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// How far it is. The last word counts.
    pub(crate) fn progress(&self, progress: &Value) {
        let mut news = self.shared.news();
        news.progress = Some(progress.to_string());
        news.last.clone_from(progress);
    }

    /// The last word about how far it is, together with what it came to.
    pub(crate) fn close(&self, outcome: &Outcome) {
        let mut last = self.shared.news().last.clone();
        last["phase"] = "done".into();
        last["outcome"] = serde_json::json!(outcome);
        self.progress(&last);
    }

    /// A line in the log.
    pub(crate) fn log(&self, line: &str) {
        let mut news = self.shared.news();
        if news.lines.len() < WAITING_LINES {
            news.lines.push((now(), line.to_owned()));
        }
    }

    /// A point of the curve.
    pub(crate) fn plot(&self, point: Curve) {
        self.shared.news().points.push(point);
    }

    /// Keeps the memo, at once: what follows may rely on it.
    pub(crate) fn remember(&mut self) -> Result<(), Fault> {
        let memo = serde_json::to_string(&self.memo).unwrap_or_default();
        if !self.queue.remember(&self.lease, &memo)? {
            // Somebody else has it: the pulse finds out too; until then nothing is begun.
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Observer for Bench {
    fn step(&mut self, step: Step<'_>) {
        self.progress(&step.json());
    }

    fn note(&mut self, line: &str) {
        self.log(line);
    }

    fn stop(&self) -> &Arc<AtomicBool> {
        &self.shared.stop
    }
}

/// The thread that gives signs of life.
pub(crate) struct Pulse {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Pulse {
    /// Starts the thread that renews the lease and writes progress.
    pub(crate) fn start(bench: &Bench, folder: &Folder) -> Result<Pulse, Fault> {
        let queue = folder.queue()?;
        let (shared, lease) = (Arc::clone(&bench.shared), bench.lease.clone());
        let thread = std::thread::Builder::new().name("pulse".into()).spawn({
            let shared = Arc::clone(&shared);
            move || beat(&shared, queue, &lease)
        })?;
        Ok(Pulse { shared, thread: Some(thread) })
    }

    /// The work is over: writes the rest, and says what somebody wanted of the job, if anything.
    pub(crate) fn finish(mut self) -> Option<Reply> {
        self.join();
        self.shared.news().requested
    }

    fn join(&mut self) {
        self.shared.news().over = true;
        self.shared.woken.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.join();
    }
}

fn beat(shared: &Shared, mut queue: Queue, lease: &Lease) {
    let (mut next, mut last) = (Instant::now() + FIRST_BEAT, Instant::now());
    loop {
        let (progress, lines, points, over) = {
            let mut news = shared.news();
            while !news.over && Instant::now() < next {
                let wait = next.saturating_duration_since(Instant::now());
                news = shared.woken.wait_timeout(news, wait).unwrap_or_else(PoisonError::into_inner).0;
            }
            (news.progress.take(), std::mem::take(&mut news.lines), std::mem::take(&mut news.points), news.over)
        };
        next = Instant::now() + WRITE;
        let silent = progress.is_none() && lines.is_empty() && points.is_empty();
        if silent && !over && last.elapsed() + Duration::from_millis(100) < BEAT {
            continue;
        }
        for (at, line) in &lines {
            // A line that cannot be written is no reason to stop: the next sign of life says whether the disk is.
            let _ = queue.log(lease.job, line, *at);
        }
        for point in points {
            let _ = queue.plot(lease.job, point);
        }
        let reply = match queue.beat(lease, progress.as_deref(), LEASE, now()) {
            Ok(reply) => {
                last = Instant::now();
                reply
            }
            Err(_) => {
                let mut news = shared.news();
                // Unless there is a newer word by now.
                news.progress = news.progress.take().or(progress);
                // After so long a silence somebody else may have it.
                if last.elapsed() > Duration::from_secs(LEASE as u64) { Reply::Lost } else { Reply::GoOn }
            }
        };
        let mut news = shared.news();
        news.requested = (reply != Reply::GoOn).then_some(reply);
        if reply != Reply::GoOn {
            shared.stop.store(true, Ordering::Relaxed);
        }
        if over || reply == Reply::Lost {
            return;
        }
    }
}
