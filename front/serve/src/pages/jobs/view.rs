//! What does a job's row say to people?

use serde::Deserialize;

use groma_model::wording::{grouped, size};
use groma_store::jobs::{JobRequest, JobRow, JobState};
use groma_tasks::task::Task;
use std::time::Duration;

use crate::pages::home::Badge;
use crate::pages::layout::short;
use crate::pages::wording::{Moment, took};

/// How far a job is, as its worker wrote it down. What a worker does not say is empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Progress {
    /// What it is at.
    pub(crate) phase: String,
    /// Pages fetched and read.
    pub(crate) fetched: u64,
    /// URLs in the queue.
    pub(crate) queued: u64,
    /// URLs found so far, fetched or not.
    pub(crate) discovered: u64,
    pub(crate) fetches: u64,
    pub(crate) bytes: u64,
    /// Pages a second, of late.
    pub(crate) rate: f64,
    /// The layer it is in.
    pub(crate) layer: Option<u32>,
    pub(crate) under_way: u64,
    /// When it would be done, in seconds.
    pub(crate) eta_s: Option<f64>,
    /// The servers it asks.
    pub(crate) servers: Vec<Server>,
    /// The pages fetched last.
    pub(crate) pages: Vec<Fetched>,
    /// Steps done, where a job counts steps.
    pub(crate) done: u64,
    /// Steps in all; 0 where a job counts none.
    pub(crate) of: u64,
}

/// A server that is being asked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Server {
    pub(crate) name: String,
    /// The pause between two fetches.
    pub(crate) pause_ms: u64,
    /// Tasks that wait for it.
    pub(crate) waiting: u64,
}

/// A page that was fetched a moment ago.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Fetched {
    pub(crate) url: String,
    /// HTTP status; 0: no answer.
    pub(crate) status: u16,
    /// What became of it.
    pub(crate) reason: String,
    /// How long it took.
    pub(crate) ms: Option<u64>,
    pub(crate) size: u64,
    pub(crate) title: String,
}

impl Progress {
    /// Reads it; what cannot be read is as good as nothing said.
    pub(crate) fn read(job: &JobRow) -> Progress {
        serde_json::from_str(&job.progress).unwrap_or_default()
    }

    /// In one line.
    pub(crate) fn says(&self) -> String {
        let mut parts = Vec::new();
        if !self.phase.is_empty() {
            parts.push(short(&self.phase, 40));
        }
        if self.fetches > 0 || self.fetched > 0 {
            parts.push(format!("{} read, {} in the queue", grouped(self.fetched), grouped(self.queued)));
            parts.push(size(self.bytes));
        }
        if self.of > 0 {
            parts.push(format!("{} of {}", grouped(self.done), grouped(self.of)));
        }
        if self.rate > 0.0 {
            parts.push(format!("{:.1} pages/s", self.rate));
        }
        parts.join(" · ")
    }

    /// How long it would still take, as its worker estimates. All that is shown about it is this one number.
    pub(crate) fn rest(&self) -> Option<Duration> {
        let seconds = self.eta_s.filter(|s| s.is_finite() && (0.0..1e8).contains(s))?;
        Some(Duration::from_secs_f64(seconds))
    }

    /// How much of the whole is done, in thousandths.
    fn share(&self) -> Option<u64> {
        let (done, of) = if self.of > 0 { (self.done, self.of) } else { (self.fetched, self.fetched + self.queued) };
        (of > 0).then(|| done.min(of) * 1000 / of)
    }
}

/// A job as lists show it.
pub(crate) struct JobView {
    pub(crate) site: String,
    pub(crate) id: u64,
    pub(crate) kind: &'static str,
    pub(crate) says: &'static str,
    pub(crate) badge: Badge,
    pub(crate) progress: String,
    pub(crate) share: Option<u64>,
    pub(crate) package: Option<u64>,
    pub(crate) priority: i32,
    pub(crate) times: JobTimes,
    pub(crate) outcome: String,
    pub(crate) by_schedule: Option<u64>,
    state: JobState,
    request: JobRequest,
}

/// When a job was asked for, begun and done.
pub(crate) struct JobTimes {
    pub(crate) asked: Option<Moment>,
    pub(crate) asked_at: i64,
    pub(crate) started: Option<Moment>,
    pub(crate) took: String,
    /// Of a job that waits for its hour.
    pub(crate) not_before: Option<Moment>,
}

impl JobView {
    pub(crate) fn from_row(site: &str, job: &JobRow, now: i64) -> JobView {
        let progress = Progress::read(job);
        let runs = job.state == JobState::Running;
        JobView {
            site: site.to_owned(),
            id: job.id.0,
            kind: job.kind.name(),
            says: Task::says(job.kind),
            badge: badge(job.state, job.request),
            progress: if job.state.is_over() { String::new() } else { progress.says() },
            share: if runs { progress.share() } else { None },
            package: job.package.map(|package| package.0),
            priority: job.priority,
            times: JobTimes::from_row(job, now),
            outcome: short(&job.outcome, 300),
            by_schedule: job.schedule.map(|schedule| schedule.0),
            state: job.state,
            request: job.request,
        }
    }

    /// It can be asked to pause.
    pub(crate) fn can_pause(&self) -> bool {
        matches!(self.state, JobState::Waiting | JobState::Running) && self.request == JobRequest::None
    }

    /// It can go on.
    pub(crate) fn can_resume(&self) -> bool {
        self.state == JobState::Paused || (self.state == JobState::Running && self.request == JobRequest::Pause)
    }

    /// It can be stopped for good.
    pub(crate) fn can_cancel(&self) -> bool {
        !self.state.is_over() && self.request != JobRequest::Cancel
    }

    /// It can be tried again.
    pub(crate) fn can_retry(&self) -> bool {
        matches!(self.state, JobState::Failed | JobState::Cancelled)
    }

    /// Somebody is doing it.
    pub(crate) fn is_running(&self) -> bool {
        self.state == JobState::Running
    }

    /// It has come to its end.
    pub(crate) fn is_over(&self) -> bool {
        self.state.is_over()
    }
}

impl JobTimes {
    fn from_row(job: &JobRow, now: i64) -> JobTimes {
        let until = if job.ended_at > 0 { job.ended_at } else { now };
        JobTimes {
            asked: Moment::at(job.made_at),
            asked_at: job.made_at,
            started: Moment::at(job.started_at),
            took: if job.started_at > 0 { took(until - job.started_at) } else { String::new() },
            not_before: Moment::at(job.not_before).filter(|_| job.state == JobState::Waiting && job.not_before > now),
        }
    }
}

/// A state in a word, and its look.
pub(crate) fn badge(state: JobState, request: JobRequest) -> Badge {
    let (says, class) = match (state, request) {
        (JobState::Running, JobRequest::Pause) => ("pausing", "warn"),
        (JobState::Running, JobRequest::Cancel) => ("stopping", "warn"),
        (JobState::Running, JobRequest::None) => ("running", "live"),
        (JobState::Waiting, _) => ("waiting", ""),
        (JobState::Paused, _) => ("paused", "warn"),
        (JobState::Done, _) => ("done", "good"),
        (JobState::Failed, _) => ("failed", "bad"),
        (JobState::Cancelled, _) => ("cancelled", ""),
    };
    Badge { says, class }
}
