//! What does a task mean that was asked for over the web? Its addresses as they are understood, and whether they are to be guarded.
//!
//! Web URLs only (never a file of the server), none inside the house unless whoever runs the server named the host or the survey
//! was begun there, and what others name is guarded while it is fetched.

use groma_settings::saved::Saved;
use groma_tasks::lookup;
use groma_tasks::task::{Bounds, Focus, Gather, Task};
use groma_url::Url;

use crate::allowed::{check, is_inside, is_own, outside, start_pages};
use crate::app::App;
use crate::error::Problem;
use crate::sites::Site;
use crate::words;

/// Start pages, and example pages, at most.
const MOST_URLS: usize = 50;

/// A focused crawl with its URLs as they are understood, and whether it is to be guarded.
pub(super) fn focus(app: &App, saved: &Saved, task: Focus) -> Result<(Task, bool), Problem> {
    let likes = urls(app, "like", &task.like, |_| false)?;
    let mut starts = urls(app, "seeds", &task.seeds, |url| is_start(url, &saved.seeds))?;
    let others = starts.iter().filter(|url| !is_start(url, &saved.seeds));
    let typed: Vec<Url> = likes.iter().chain(others).cloned().collect();
    let texts = |urls: &[Url]| urls.iter().map(Url::to_string).collect();
    let task = Task::Focus(Focus { like: texts(&likes), seeds: texts(&starts), ..task });
    if starts.is_empty() {
        starts = start_pages(saved);
    }
    if starts.is_empty() {
        return Err(Problem::conflict(words::NOT_BEGUN, words::NOT_BEGUN_HINT));
    }
    let guarded = typed.iter().any(|url| !is_own(url, &app.options));
    if guarded && starts.iter().chain(&typed).any(is_inside) {
        return Err(Problem::refused(
            "pages on private addresses and public pages cannot be fetched by one crawl",
            "ask for two crawls, or say what to look for by words instead of example pages",
        ));
    }
    check(app, &task, &starts, Some(saved))?;
    Ok((task, guarded))
}

/// A gathering with its URL as it is understood, and whether it is to be guarded.
pub(super) fn gather(app: &App, saved: &Saved, task: &Gather) -> Result<(Task, bool), Problem> {
    let starts = start_pages(saved);
    if task.all {
        // They may be anywhere.
        let guarded = starts.is_empty() || !starts.iter().all(|start| is_own(start, &app.options));
        let task = Task::Gather(task.clone());
        check(app, &task, &starts, Some(saved))?;
        return Ok((task, guarded));
    }
    let is_known = |url: &Url| starts.iter().any(|start| start.origin() == url.origin());
    let url = outside(app, task.url(), is_known)?;
    let guarded = !is_known(&url) && !is_own(&url, &app.options);
    let task = Task::Gather(task.at(&url)?);
    check(app, &task, &[url], Some(saved))?;
    Ok((task, guarded))
}

/// A search for a border. A page that nobody knows is said now, and not by a job that failed.
pub(super) fn bounds(site: &Site, task: Bounds) -> Result<Task, Problem> {
    if let Some(typed) = task.start.as_deref().filter(|typed| !typed.is_empty() && !typed.starts_with("keyword:")) {
        lookup::page(&mut *site.read()?, typed)?;
    }
    Ok(Task::Bounds(task))
}

/// URLs as somebody typed them. Those that are known already may be anywhere.
fn urls(app: &App, key: &str, typed: &[String], is_known: impl Fn(&Url) -> bool) -> Result<Vec<Url>, Problem> {
    if typed.len() > MOST_URLS {
        return Err(Problem::refused(too_many_addresses(key, MOST_URLS), words::LONG_BODY_HINT));
    }
    let mut urls: Vec<Url> = Vec::new();
    for typed in typed {
        let url = outside(app, typed, &is_known)?;
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    Ok(urls)
}

fn is_start(url: &Url, known: &[String]) -> bool {
    known.iter().any(|start| start == url.as_str())
}

fn too_many_addresses(key: &str, most: usize) -> String {
    format!("{key} holds more than {most} URLs")
}
