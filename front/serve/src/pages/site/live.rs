//! What is the crawl doing at this moment? From the row of its job, so that a worker in another process is seen as well.

use groma_model::moment::spoken;
use groma_model::wording::size;
use groma_store::jobs::{Filter, JobKind, JobRow, JobState};
use groma_store::workers::Member;

use crate::app::now;
use crate::error::Problem;
use crate::pages::jobs::view::{JobView, Progress};
use crate::pages::layout::short;
use crate::pages::picture::Course;
use crate::pages::shown::Shown;
use crate::pages::wording::grouped;
use crate::sites::Site;

/// Servers and pages shown.
const SERVERS: usize = 12;
const PAGES: usize = 15;

/// The crawl or update that runs, waits or is paused.
pub(super) struct Live {
    pub(super) job: JobView,
    pub(super) stats: Vec<(&'static str, String)>,
    pub(super) course: Option<Course>,
    pub(super) servers: Vec<Server>,
    pub(super) more_servers: usize,
    pub(super) pages: Vec<Page>,
    pub(super) traps: Vec<String>,
    /// Those who crawl it together, if there are several.
    pub(super) workers: Vec<Worker>,
    pub(super) more_workers: usize,
}

pub(super) struct Worker {
    pub(super) owner: String,
    pub(super) role: &'static str,
    pub(super) hosts: String,
    pub(super) fetches: String,
    pub(super) heard: String,
}

/// A server being asked.
pub(super) struct Server {
    pub(super) name: String,
    pub(super) pause: String,
    pub(super) waiting: String,
}

/// A page of the last moments.
pub(super) struct Page {
    pub(super) shown: Shown,
    pub(super) status: String,
    pub(super) class: &'static str,
    pub(super) size: String,
}

impl Live {
    /// Nothing if no crawl is under way.
    pub(super) fn read(site: &Site) -> Result<Option<Live>, Problem> {
        let mut queue = site.queue()?;
        let open = Filter {
            kinds: vec![JobKind::Crawl, JobKind::Update],
            states: vec![JobState::Running, JobState::Paused, JobState::Waiting],
            ..Filter::default()
        };
        let jobs = queue.jobs(&open, None, 50)?;
        let Some(row) = jobs.iter().min_by_key(|job| (order(job), job.id)) else { return Ok(None) };
        let points = queue.curve_of(row.id)?;
        drop(queue);
        let progress = Progress::read(row);
        let traps = if site.exists() { super::overview::traps(&mut *site.read()?)? } else { Vec::new() };
        let runs = row.state == JobState::Running;
        let workers = site.folder.workers();
        let workers = if workers.len() > 1 { workers } else { Vec::new() };
        Ok(Some(Live {
            job: JobView::from_row(&site.name, row, now()),
            stats: stats(&progress, runs),
            course: Course::draw(&points, progress.rest().filter(|_| runs)),
            more_servers: progress.servers.len().saturating_sub(SERVERS),
            servers: progress.servers.iter().take(SERVERS).map(server).collect(),
            pages: progress.pages.iter().rev().take(PAGES).map(|page| seen(site, page)).collect(),
            traps,
            more_workers: workers.len().saturating_sub(SERVERS),
            workers: workers.iter().take(SERVERS).map(worker).collect(),
        }))
    }
}

/// What runs comes first, then what is paused, then what waits.
fn order(job: &JobRow) -> u8 {
    match job.state {
        JobState::Running => 0,
        JobState::Paused => 1,
        _ => 2,
    }
}

fn stats(progress: &Progress, runs: bool) -> Vec<(&'static str, String)> {
    if progress.discovered == 0 && progress.fetches == 0 {
        return Vec::new();
    }
    let mut stats = vec![("pages read", grouped(progress.fetched)), ("in the queue", grouped(progress.queued))];
    if runs {
        stats.push(("pages a second", format!("{:.1}", progress.rate)));
        stats.push(("fetches under way", grouped(progress.under_way)));
    }
    stats.push(("URLs known", grouped(progress.discovered)));
    stats.push(("received", size(progress.bytes)));
    if let Some(layer) = progress.layer {
        stats.push(("depth", layer.to_string()));
    }
    if let Some(rest) = progress.rest().filter(|_| runs) {
        stats.push(("would take", spoken(rest)));
    }
    stats
}

fn worker(member: &Member) -> Worker {
    Worker {
        owner: short(&member.owner, 80),
        role: if member.leads { "leads" } else { "helps" },
        hosts: grouped(member.hosts),
        fetches: grouped(member.fetches),
        heard: if member.silent < 2 { "now".to_owned() } else { format!("{} s ago", member.silent) },
    }
}

fn server(server: &crate::pages::jobs::view::Server) -> Server {
    Server {
        name: short(&server.name, 80),
        pause: format!("{:.1} s", server.pause_ms as f64 / 1000.0),
        waiting: grouped(server.waiting),
    }
}

fn seen(site: &Site, page: &crate::pages::jobs::view::Fetched) -> Page {
    let class = match page.status {
        200..=299 => "good",
        300..=399 => "",
        401 | 403 | 429 => "warn",
        _ => "bad",
    };
    Page {
        shown: Shown::titled(&site.name, &page.url, &page.title),
        status: if page.status == 0 { short(&page.reason, 30) } else { page.status.to_string() },
        class,
        size: if page.size > 0 { size(page.size) } else { String::new() },
    }
}
