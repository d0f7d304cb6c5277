//! Jobs as people and programs see them.

use groma_model::moment::rfc3339;
use groma_model::wording::{grouped, plain};
use groma_settings::Fault;
use groma_store::jobs::{JobId, JobRow, JobState, Queue};
use groma_tasks::jobs::wording::no_such_job;
use groma_tasks::task::Job;
use serde::Serialize;
use serde_json::Value;

use crate::Exit;
use crate::args::OutputArgs;
use crate::output::{Format, Out};
use crate::wording::JOBS_HINT;

/// Lines of the log shown.
const LOG: usize = 1000;

/// A job for programs.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    store: &'a str,
    job: u64,
    kind: &'static str,
    state: &'static str,
    priority: i32,
    package: Option<u64>,
    schedule: Option<u64>,
    asked: String,
    started: Option<String>,
    ended: Option<String>,
    taken: u64,
    task: Value,
    progress: Value,
    outcome: &'a str,
}

fn told<'a>(store: &'a str, job: &'a JobRow) -> Told<'a> {
    let moment = |at: i64| (at > 0).then(|| rfc3339(at));
    let json = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    Told {
        store,
        job: job.id.0,
        kind: job.kind.name(),
        state: job.state.name(),
        priority: job.priority,
        package: job.package.map(|package| package.0),
        schedule: job.schedule.map(|schedule| schedule.0),
        asked: rfc3339(job.made_at),
        started: moment(job.started_at),
        ended: moment(job.ended_at),
        taken: job.fence,
        task: Job::read(job.kind, &job.args).map_or_else(|_| json(&job.args), |job| job.task.said().into()),
        progress: json(&job.progress),
        outcome: &job.outcome,
    }
}

/// How far it is, in few words.
fn how_far(job: &JobRow) -> String {
    if job.state != JobState::Running && !job.outcome.is_empty() {
        return plain(&job.outcome);
    }
    let progress: Value = serde_json::from_str(&job.progress).unwrap_or(Value::Null);
    let number = |key: &str| progress[key].as_u64();
    match (number("fetched"), number("queued"), number("done"), number("of")) {
        (Some(fetched), Some(queued), ..) => format!("{} fetched, {} queued", grouped(fetched), grouped(queued)),
        (_, _, Some(done), Some(of)) => format!("{} of {}", grouped(done), grouped(of)),
        _ => String::new(),
    }
}

pub(super) fn list(rows: &[(String, JobRow)], format: Format, out: &mut Out) -> Result<(), Fault> {
    match format {
        Format::Json => rows.iter().try_for_each(|(store, job)| out.json(&told(store, job)))?,
        Format::Csv => {
            out.csv(&["store", "job", "kind", "state", "priority", "package", "asked", "started", "ended", "outcome"])?;
            for (store, job) in rows {
                let told = told(store, job);
                let package = told.package.map_or(String::new(), |package| package.to_string());
                out.csv(&[
                    store.as_str(),
                    &told.job.to_string(),
                    told.kind,
                    told.state,
                    &told.priority.to_string(),
                    &package,
                    &told.asked,
                    told.started.as_deref().unwrap_or_default(),
                    told.ended.as_deref().unwrap_or_default(),
                    told.outcome,
                ])?;
            }
        }
        Format::Text if rows.is_empty() => out.line("no jobs")?,
        Format::Text => {
            let several = rows.iter().any(|(store, _)| *store != rows[0].0);
            for (store, job) in rows {
                let state = format!("{:9}", job.state.name());
                let state = if job.state == JobState::Failed { out.paint.bad(&state) } else { state };
                let place = if several { format!("  {}", out.paint.faint(&plain(store))) } else { String::new() };
                let package = job.package.map_or(String::new(), |package| format!(" (package {})", package.0));
                let (id, kind, asked) = (job.id.0, job.kind.name(), rfc3339(job.made_at));
                out.line(&format!("{id:>5}  {kind:7} {state} {asked}  {}{package}{place}", how_far(job)))?;
            }
        }
    }
    Ok(())
}

pub(super) fn one(queue: &mut Queue, id: u64, output: &OutputArgs) -> Result<Exit, Fault> {
    let job = queue.job(JobId(id))?.ok_or_else(|| Fault::new(no_such_job(id), JOBS_HINT))?;
    let log = queue.log_of(job.id, 0, LOG)?;
    let mut out = Out::open(output.output.as_deref())?;
    match output.format {
        Format::Json => {
            let mut value = serde_json::to_value(told("", &job)).unwrap_or(Value::Null);
            let lines = log.iter().map(|line| serde_json::json!({ "at": rfc3339(line.at), "text": line.text }));
            value["log"] = lines.collect();
            out.json(&value)?;
        }
        Format::Csv => {
            out.csv(&["at", "text"])?;
            log.iter().try_for_each(|line| out.csv(&[rfc3339(line.at), line.text.clone()]))?;
        }
        Format::Text => {
            let told = told("", &job);
            let mut line = |key: &str, value: &str| out.line(&format!("{key:10}{value}"));
            line("job", &format!("{} {}", told.job, told.kind))?;
            line("state", told.state)?;
            line("priority", &told.priority.to_string())?;
            if let Some(package) = told.package {
                line("package", &package.to_string())?;
            }
            line("asked", &told.asked)?;
            line("started", told.started.as_deref().unwrap_or("not yet"))?;
            line("ended", told.ended.as_deref().unwrap_or("not yet"))?;
            line("taken", &format!("{} times", told.taken))?;
            line("task", &plain(&told.task.to_string()))?;
            line("so far", &how_far(&job))?;
            if !log.is_empty() {
                out.line("")?;
                out.line(&out.paint.heading("log"))?;
            }
            for entry in &log {
                out.line(&format!("  {}  {}", rfc3339(entry.at), plain(&entry.text)))?;
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}
