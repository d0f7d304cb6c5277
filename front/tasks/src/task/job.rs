//! A task as the row of a job keeps it, and a package of them as the row of a schedule does: JSON, with a version.

use groma_settings::Fault;
use groma_store::Folder;
use groma_store::jobs::{JobId, JobKind, NewJob, ScheduleId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::export::wording::no_such_form;
use crate::jobs::wording::{NO_LOGIN_IN_JOBS, NO_LOGIN_IN_JOBS_HINT};
use crate::task::{FileFormat, Task, forms, kind_named, legacy};

/// The version of what is written. Rows without one are of version 1 ([`legacy`]).
const VERSION: u64 = 2;

/// A task, with what belongs to the one who asks for it and not to the task.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// What is asked for.
    pub task: Task,
    /// In which form the result is kept; empty: the usual one.
    pub format: String,
    /// The sites are the user's own.
    pub owned: bool,
    /// Whoever asks may not reach into private networks.
    pub guarded: bool,
}

impl From<Task> for Job {
    fn from(task: Task) -> Job {
        Job { task, format: String::new(), owned: false, guarded: false }
    }
}

impl Job {
    /// Reads the row of a job.
    pub fn read(kind: JobKind, args: &str) -> Result<Job, Fault> {
        let unread = |error: &dyn std::fmt::Display| {
            Fault::new(bad_order(&error.to_string()), "cancel the job and ask for it anew")
        };
        let mut fields = match serde_json::from_str(args) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err(unread(&"no object")),
            Err(error) => return Err(unread(&error)),
        };
        match fields.remove("version").map(|version| version.as_u64()) {
            Some(Some(VERSION)) => {}
            None => return legacy::job(kind, fields).map_err(|error| unread(&error)),
            Some(_) => {
                return Err(Fault::new(
                    "a newer version of groma asked for this job",
                    "let that version do it, or cancel the job and ask for it anew",
                ));
            }
        }
        let mut flag = |name: &str| fields.remove(name).is_some_and(|value| value == true);
        let (owned, guarded) = (flag("owned"), flag("guarded"));
        let format = fields.remove("format").and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
        fields.insert("kind".to_owned(), kind.name().into());
        let task: Task = serde_json::from_value(Value::Object(fields)).map_err(|error| unread(&error))?;
        Ok(Job { task: task.checked()?, format, owned, guarded })
    }

    /// As the row of a job keeps it.
    pub fn text(&self) -> String {
        let mut fields = self.task.said();
        fields.insert("version".to_owned(), VERSION.into());
        if !self.format.is_empty() {
            fields.insert("format".to_owned(), self.format.as_str().into());
        }
        for (name, said) in [("owned", self.owned), ("guarded", self.guarded)] {
            if said {
                fields.insert(name.to_owned(), true.into());
            }
        }
        Value::Object(fields).to_string()
    }

    /// A job can do it: the result can be kept so, no secret would be kept in the queue, and nothing is asked that only a command does.
    pub fn checked(self) -> Result<Job, Fault> {
        let kind = self.task.kind();
        if matches!(&self.task, Task::Bounds(bounds) if bounds.online) {
            return Err(Fault::new("a search on line is no job", "run it as a command: groma bounds URL --online"));
        }
        let formats = Task::formats(kind);
        let is_said = |format: &FileFormat| format.name == self.format;
        match formats {
            _ if self.format.is_empty() || formats.iter().any(is_said) => {}
            [] => return Err(Fault::new(no_such_form(&self.format), leaves_no_file(kind.name()))),
            formats => return Err(forms::no_such(&self.format, formats)),
        }
        if self.task.settings().and_then(|settings| settings.first_secret()).is_some() {
            return Err(Fault::new(NO_LOGIN_IN_JOBS, NO_LOGIN_IN_JOBS_HINT));
        }
        Ok(self)
    }
}

/// Jobs that go one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Package(pub Vec<Job>);

impl Package {
    /// What is usual of these kinds.
    pub fn usual(kinds: &[JobKind]) -> Package {
        Package(kinds.iter().map(|kind| Task::usual(*kind).into()).collect())
    }

    /// What a schedule asks for unless told otherwise: an update, and what follows it.
    fn update() -> Package {
        Package::usual(&[JobKind::Update]).with_what_follows()
    }

    /// What belongs to its jobs follows by itself, unless it stands behind them already: all of it behind one job; behind several, which
    /// somebody listed, the index alone, so that no search is stale.
    pub fn with_what_follows(mut self) -> Package {
        let listed: Vec<JobKind> = self.kinds().collect();
        for (at, kind) in listed.iter().enumerate() {
            for next in Task::what_follows(*kind) {
                let is_there = self.kinds().skip(at + 1).any(|kind| kind == *next);
                if !is_there && (listed.len() == 1 || *next == JobKind::Index) {
                    self.0.push(Task::usual(*next).into());
                }
            }
        }
        self
    }

    /// Reads the row of a schedule; an empty text is the usual package.
    pub fn read(text: &str) -> Result<Package, Fault> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Item {
            kind: String,
            #[serde(default = "nothing", alias = "order")]
            task: Value,
        }

        fn nothing() -> Value {
            json!({})
        }

        if text.trim().is_empty() {
            return Ok(Package::update());
        }
        let items: Vec<Item> = serde_json::from_str(text).map_err(|error| {
            Fault::new(bad_package(&error), "a package is a list as [{\"kind\": \"update\"}, {\"kind\": \"check\"}]")
        })?;
        if items.is_empty() {
            return Ok(Package::update());
        }
        let job = |item: &Item| Job::read(kind_named(&item.kind)?, &item.task.to_string());
        items.iter().map(job).collect::<Result<_, _>>().map(Package)
    }

    /// As the row of a schedule keeps it.
    pub fn text(&self) -> String {
        #[derive(Serialize)]
        struct Item {
            kind: &'static str,
            task: Value,
        }

        let item = |job: &Job| Item {
            kind: job.task.kind().name(),
            task: serde_json::from_str(&job.text()).unwrap_or_default(),
        };
        serde_json::to_string(&self.0.iter().map(item).collect::<Vec<_>>()).unwrap_or_default()
    }

    /// The kinds of its jobs.
    pub fn kinds(&self) -> impl Iterator<Item = JobKind> {
        self.0.iter().map(|job| job.task.kind())
    }

    /// As the queue takes it.
    pub fn rows(&self, priority: i32, schedule: Option<ScheduleId>) -> Vec<NewJob> {
        let row = |job: &Job| NewJob { kind: job.task.kind(), args: job.text(), priority, not_before: 0, schedule };
        self.0.iter().map(row).collect()
    }

    pub fn queue(&self, folder: &Folder, priority: i32) -> Result<Vec<JobId>, Fault> {
        let rows = self.rows(priority, None);
        Ok(folder.queue()?.add(&rows, rows.len() > 1, groma_settings::clock::now())?)
    }
}

fn bad_package(error: &serde_json::Error) -> String {
    format!("the package cannot be read: {error}")
}

fn leaves_no_file(kind: &str) -> String {
    format!("`{kind}` leaves no file: omit the format")
}

fn bad_order(error: &str) -> String {
    format!("what the job is asked to do cannot be read: {error}")
}
