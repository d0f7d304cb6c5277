//! The course of a crawl as the job's progress: rate, layers, servers, the last pages.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use groma_crawl::{PageSeen, Progress, Watch};
use groma_settings::clock::now_in_millis;
use groma_store::jobs::Curve;
use serde::Serialize;
use serde_json::json;

use crate::jobs::bench::Bench;
use crate::worker::Metered;

/// Servers that are shown.
const SERVERS: usize = 50;
/// Pages that are shown.
const PAGES: usize = 20;
/// Bytes of a URL or a title that are shown.
const SHOWN: usize = 500;
/// Time between two reports.
const REPORT: Duration = Duration::from_secs(1);

#[derive(Clone, Serialize)]
struct Seen {
    url: String,
    status: u16,
    reason: &'static str,
    size: u64,
    title: String,
}

/// Watches a crawl for a job.
pub(crate) struct Course<'b> {
    bench: &'b Bench,
    phase: &'static str,
    /// Pages read before are asked for again: what was asked counts, not what is known.
    updating: bool,
    pages: VecDeque<Seen>,
    /// Pages per second, smoothed.
    rate: f64,
    before: (Duration, u64),
    reported: Option<Instant>,
    metered: Metered,
}

impl<'b> Course<'b> {
    pub(crate) fn new(bench: &'b Bench, phase: &'static str) -> Course<'b> {
        let updating = phase == "updating";
        Course {
            bench,
            phase,
            updating,
            pages: VecDeque::new(),
            rate: 0.0,
            before: (Duration::ZERO, 0),
            reported: None,
            metered: Metered::default(),
        }
    }

    /// The last word, whenever the one before was.
    pub(crate) fn close(&mut self, progress: &Progress, phase: &'static str) {
        self.phase = phase;
        self.report(progress);
    }

    fn report(&mut self, progress: &Progress) {
        self.reported = Some(Instant::now());
        let ended = matches!(self.phase, "done" | "stopped");
        let phase = if self.bench.is_stopped() && !ended { "stopping" } else { self.phase };
        let left = progress.left();
        let eta = (self.rate > 0.0 && left > 0).then(|| (left as f64 / self.rate).min(1e9) as u64);
        let servers: Vec<_> = progress.servers.iter().take(SERVERS).collect();
        let servers: Vec<_> = servers
            .iter()
            .map(|(name, pause, waiting)| json!({ "name": name, "pause_ms": pause, "waiting": waiting }))
            .collect();
        self.bench.progress(&json!({
            "phase": phase,
            "fetched": progress.fetched,
            "queued": progress.queued,
            "discovered": progress.discovered,
            "fetches": progress.fetches,
            "bytes": progress.bytes,
            "rate": (self.rate * 100.0).round() / 100.0,
            "layer": progress.layer,
            "under_way": progress.under_way,
            "eta_s": eta,
            "servers": servers,
            "pages": self.pages,
        }));
        let at_ms = now_in_millis();
        let done = if self.updating { progress.fetches } else { progress.fetched };
        self.bench.plot(Curve { at_ms, done, left });
    }
}

impl Watch for Course<'_> {
    fn page(&mut self, page: &PageSeen<'_>) {
        if self.pages.len() == PAGES {
            self.pages.pop_front();
        }
        self.pages.push_back(Seen {
            url: short(page.url),
            status: page.status,
            reason: page.reason.name(),
            size: page.size,
            title: short(page.title),
        });
    }

    fn tick(&mut self, progress: &Progress) {
        self.metered.tell(progress);
        let (then, fetches) = self.before;
        let passed = progress.elapsed.saturating_sub(then).as_secs_f64();
        if passed > 0.05 {
            let now = (progress.fetches.saturating_sub(fetches)) as f64 / passed;
            // Half the weight lies on the last three seconds or so.
            let weight = if self.rate == 0.0 { 1.0 } else { 1.0 - 0.8_f64.powf(passed) };
            self.rate += (now - self.rate) * weight;
            self.before = (progress.elapsed, progress.fetches);
        }
        if self.reported.is_none_or(|at| at.elapsed() >= REPORT) {
            self.report(progress);
        }
    }

    fn outside(&mut self, asked: u64, of: u64) {
        if self.reported.is_none_or(|at| at.elapsed() >= REPORT) {
            self.reported = Some(Instant::now());
            self.bench.progress(&json!({ "phase": "asking", "done": asked, "of": of }));
        }
    }

    fn notice(&mut self, line: &str) {
        self.bench.log(line);
    }
}

fn short(text: &str) -> String {
    match (0..=SHOWN).rev().find(|at| text.is_char_boundary(*at)) {
        Some(end) if text.len() > SHOWN => format!("{}…", &text[..end]),
        _ => text.to_owned(),
    }
}
