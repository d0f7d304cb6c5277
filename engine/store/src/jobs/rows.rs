//! The rows of the queue, in the words of the house.

use crate::named::named;

/// The number of a job in its survey, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// The number of a package: that of its first job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackageId(pub u64);

/// The number of a schedule in its survey, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScheduleId(pub u64);

named! {
    /// What is asked for. The codes are kept in stores: never renumber.
    JobKind {
        /// Crawl, or go on with a crawl.
        Crawl = 0, "crawl";
        /// Ask again for everything.
        Update = 1, "update";
        /// Compute the ranks, and keep them as a file.
        Rank = 2, "rank";
        /// Draw the map, and keep it as a file.
        Map = 3, "map";
        /// Check the site, and keep the findings as a file.
        Check = 4, "check";
        /// Bring the full-text index up to date.
        Index = 5, "index";
        /// Tell people what is new.
        Notify = 6, "notify";
        /// Find where a site ends, and keep its pages as a file.
        Bound = 7, "bound";
        /// Go where a topic leads, and keep the relevant pages as a file.
        Focus = 8, "focus";
        /// Open a database behind a form, and keep its records as a file.
        Gather = 9, "gather";
        /// Find which pages belong together, and keep the clusters as a file.
        Cluster = 10, "cluster";
        /// Write a report, and keep it as a file.
        Report = 11, "report";
        /// Write pages or links for other programs, and keep them as a file.
        Export = 12, "export";
        /// Read values out of pages, and keep them as a file.
        Extract = 13, "extract";
    }
}

named! {
    /// Where a job stands. The codes are kept in stores: never renumber.
    JobState {
        /// It waits for its turn.
        Waiting = 0, "waiting";
        /// Somebody is doing it.
        Running = 1, "running";
        /// Somebody stopped it for a while.
        Paused = 2, "paused";
        /// Everything that was asked for has been done.
        Done = 3, "done";
        /// It could not be done.
        Failed = 4, "failed";
        /// Somebody stopped it for good, or one before it in its package was not done.
        Cancelled = 5, "cancelled";
    }
}

named! {
    /// What somebody wants of a running job. The codes are kept in stores: never renumber.
    JobRequest {
        /// Nothing is requested, the job goes on.
        None = 0, "none";
        /// It stops, and can be resumed.
        Pause = 1, "pause";
        /// It stops for good.
        Cancel = 2, "cancel";
    }
}

impl JobState {
    /// Has it come to its end?
    pub fn is_over(self) -> bool {
        matches!(self, JobState::Done | JobState::Failed | JobState::Cancelled)
    }
}

/// A job to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// What is asked for.
    pub kind: JobKind,
    /// With what, as JSON.
    pub args: String,
    /// The higher the sooner; 0 is usual.
    pub priority: i32,
    /// Not before this moment; 0: at once.
    pub not_before: i64,
    /// The schedule that asked for it.
    pub schedule: Option<ScheduleId>,
}

/// A job as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// Counts from 1; never given out twice.
    pub id: JobId,
    /// What is asked for.
    pub kind: JobKind,
    /// With what, as JSON.
    pub args: String,
    /// The higher the sooner.
    pub priority: i32,
    /// The package it belongs to.
    pub package: Option<PackageId>,
    /// Moved as [`crate::jobs`] shows.
    pub state: JobState,
    /// What somebody wants of it while it runs.
    pub request: JobRequest,
    /// Who is doing it, or did it last.
    pub owner: String,
    /// How often it was taken.
    pub fence: u64,
    /// Until when the lease holds.
    pub lease_until: i64,
    /// How often in a row its worker died without a sign of life.
    pub deaths: u32,
    /// When it was asked for.
    pub made_at: i64,
    /// Not before this moment.
    pub not_before: i64,
    /// When it was first taken; 0 if never.
    pub started_at: i64,
    /// When it ended; 0 if it has not.
    pub ended_at: i64,
    /// How far it is, as JSON; empty at first.
    pub progress: String,
    /// What a worker must know if it is taken up again, as JSON; empty at first.
    pub memo: String,
    /// How it ended, in words.
    pub outcome: String,
    /// The schedule that asked for it.
    pub schedule: Option<ScheduleId>,
}

/// A line of a job's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Grows with every line of the job.
    pub seq: u64,
    /// In seconds since 1970.
    pub at: i64,
    /// At most [`LOG_BYTES`](super::LOG_BYTES).
    pub text: String,
}

/// A point of a job's curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve {
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// How much was done.
    pub done: u64,
    /// How much was known to be left.
    pub left: u64,
}

/// Which jobs are asked for; nothing set: all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// In one of these states.
    pub states: Vec<JobState>,
    /// Of one of these kinds.
    pub kinds: Vec<JobKind>,
    /// Only those that were added with this package.
    pub package: Option<PackageId>,
}

/// Jobs that are queued again and again, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleRow {
    /// Its number; 0 for a new one.
    pub id: ScheduleId,
    /// What people call it.
    pub name: String,
    /// When: "every 7 days", or five fields as in a crontab.
    pub period: String,
    /// The time zone in which the period is meant, by its IANA name.
    pub zone: String,
    /// Each moment is put off by up to this many seconds.
    pub jitter: u32,
    /// What: a list of kinds with arguments, as JSON.
    pub jobs: String,
    /// The priority of its jobs.
    pub priority: i32,
    /// False: it does not fire.
    pub enabled: bool,
    /// Its next moment, in seconds since 1970.
    pub next_at: i64,
    /// When it last fired; 0 if never.
    pub last_at: i64,
    /// What it asked for last.
    pub last_package: Option<PackageId>,
}

/// Something people were told, or are to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeRow {
    /// Its number; 0 for a new one.
    pub id: u64,
    /// When it was written.
    pub at: i64,
    /// The run it is about.
    pub run: u32,
    /// One line for people.
    pub title: String,
    /// What is new, as JSON.
    pub body: String,
    /// How its delivery went, by way, as JSON.
    pub delivery: String,
}
