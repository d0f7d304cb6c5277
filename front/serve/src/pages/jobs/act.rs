//! What can be done about jobs: ask for one, pause, resume, cancel, try again, put first, take its result home.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use groma_store::jobs::{JobId, JobRow};
use groma_tasks::jobs::wording::job_is;
use groma_tasks::task::kind_named;
use serde::Deserialize;

use super::{JobsQuestion, listed, missing};
use crate::app::{App, now};
use crate::door::{Form, Path, TaskForm};
use crate::error::Problem;
use crate::orders;
use crate::pages::layout::{Frame, done, short};
use crate::pages::words;
use crate::sites::Site;

/// Queues a job, and shows it. The form has the fields of every task, by names such as `map.depth`; `back` says where to go then: the
/// overview of the site, or the job.
pub(super) async fn ask(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(typed): Form<TaskForm>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (of, asked) = (Arc::clone(&site), typed.clone());
    match app.work(move |app| add(app, &of, &asked)).await {
        Ok(id) if typed.get("back") == "overview" => Ok(done(&format!("/sites/{}/", site.name), "job-asked", id)),
        Ok(id) => Ok(done(&format!("/sites/{}/jobs/{id}", site.name), "job-asked", id)),
        Err(problem) => listed(&app, frame, &name, &JobsQuestion::default(), &typed, Some(&problem)).await,
    }
}

fn add(app: &App, site: &Site, typed: &TaskForm) -> Result<u64, Problem> {
    let kind = kind_named(&short(typed.get("kind"), 40))?;
    let (task, format) = typed.task_of(kind)?;
    let job = orders::job(app, site, task, format)?;
    let ids = orders::queue(site, job, typed.has("alone"), priority(typed.get("priority"))?)?;
    Ok(ids.first().map_or(0, |id| id.0))
}

/// A priority as it was typed; nothing is 0.
fn priority(typed: &str) -> Result<i32, Problem> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(0);
    }
    let number = typed.parse::<i32>().ok().filter(|number| (-100..=100).contains(number));
    number.ok_or_else(|| Problem::bad(bad_priority(typed), words::PRIORITY_HINT))
}

/// What a form may bring along with a wish.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wished {
    priority: String,
    /// Where to go back to: the overview of the site, or the job.
    back: String,
}

/// Pauses, resumes, cancels, tries again, or gives another priority.
pub(super) async fn wish(
    State(app): State<Arc<App>>,
    Path((name, id, wish)): Path<(String, u64, String)>,
    Form(wished): Form<Wished>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let back = if wished.back == "overview" {
        format!("/sites/{}/", site.name)
    } else {
        format!("/sites/{}/jobs/{id}", site.name)
    };
    let code = app.work(move |_| carry_out(&site, id, &wish, &wished)).await?;
    Ok(done(&back, code, id))
}

fn carry_out(site: &Site, id: u64, wish: &str, wished: &Wished) -> Result<&'static str, Problem> {
    let mut queue = site.queue()?;
    let (job, now) = (JobId(id), now());
    let state = queue.job(job)?.ok_or_else(|| missing(id))?.state;
    let (code, says, did) = match wish {
        "pause" => ("job-pause", "paused", queue.pause(job, now)?),
        "resume" => ("job-resume", "resumed", queue.resume(job, now)?),
        "cancel" => ("job-cancel", "cancelled", queue.cancel(job, now)?),
        "retry" => ("job-retry", "tried again", queue.retry(job, now)?),
        "priority" => ("job-priority", "given a priority", queue.prioritize(job, priority(&wished.priority)?)?),
        _ => return Err(Problem::missing(crate::words::NO_SUCH_PAGE)),
    };
    if did {
        Ok(code)
    } else {
        Err(Problem::conflict(job_is(id, state.name(), says), "load the page of the job again to see where it stands"))
    }
}

/// The name of the file a job left behind.
pub(super) fn result_name(row: &JobRow) -> Option<String> {
    let in_json = |text: &str| -> Option<String> {
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        value.get("result")?.as_str().map(str::to_owned)
    };
    let path = in_json(&row.memo).or_else(|| in_json(&row.progress))?;
    let name = std::path::Path::new(&path).file_name()?.to_str()?.to_owned();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (name.chars().all(plain) && !name.starts_with('.')).then_some(name)
}

/// The file itself: to be kept, never shown as a page of ours.
pub(super) async fn result(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, u64)>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let (file, body) = app
        .work(move |_| {
            let row = site.queue()?.job(JobId(id))?.ok_or_else(|| missing(id))?;
            let gone = || Problem::missing("the file of this job is not there (any more)");
            let name = result_name(&row).ok_or_else(gone)?;
            let body = std::fs::read(site.folder.path().join("results").join(&name)).map_err(|_| gone())?;
            Ok((name, body))
        })
        .await?;
    let disposition = format!("attachment; filename=\"{file}\"");
    let headers = [(header::CONTENT_TYPE, "application/octet-stream"), (header::CONTENT_DISPOSITION, &disposition)];
    Ok((headers, body).into_response())
}

fn bad_priority(typed: &str) -> String {
    format!("`{}` is no priority", crate::pages::layout::short(typed, 20))
}
