//! What people and programs are told while a crawl runs: rows on stdout, a bar and notices on stderr.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use groma_crawl::{PageSeen, Progress, Watch};
use groma_model::moment::spoken;
use groma_model::wording::{grouped, plain, size};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::output::{Format, Out, tell};
use crate::wording::FINISHING;

/// The columns of a row, in JSON and CSV.
#[derive(Serialize)]
struct ProgressRow<'a> {
    url: &'a str,
    state: &'static str,
    reason: &'static str,
    status: u16,
    depth: Option<u32>,
    r#type: &'a str,
    size: u64,
    title: &'a str,
}

/// Shows the progress of a crawl.
pub(crate) struct Teller<'o> {
    out: &'o mut Out,
    format: Format,
    verbose: bool,
    quiet: bool,
    bar: ProgressBar,
    interrupt: Arc<AtomicBool>,
    said_finishing: bool,
    /// Pages per second, smoothed.
    rate: f64,
    before: (Duration, u64),
    /// Why rows could not be written.
    pub(crate) failed: Option<io::Error>,
}

impl<'o> Teller<'o> {
    /// Tells `out` of pages and stderr of the rest.
    pub(crate) fn new(
        out: &'o mut Out,
        format: Format,
        talk: &crate::args::TalkArgs,
        interrupt: Arc<AtomicBool>,
    ) -> Teller<'o> {
        let bar = bar(format, talk);
        let mut teller = Teller {
            out,
            format,
            verbose: talk.verbose,
            quiet: talk.quiet,
            bar,
            interrupt,
            said_finishing: false,
            rate: 0.0,
            before: (Duration::ZERO, 0),
            failed: None,
        };
        if format == Format::Csv {
            let header = teller.out.csv(&["url", "state", "reason", "status", "depth", "type", "size", "title"]);
            teller.note(header);
        }
        teller
    }

    /// The crawl is over.
    pub(crate) fn end(&mut self) {
        self.bar.finish_and_clear();
    }

    /// A line on stderr.
    pub(crate) fn say(&self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| tell(&plain(line)));
        }
    }

    /// A row that cannot be written ends the crawl: whoever wanted it is gone, or the disk is full.
    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    fn write_row(&mut self, page: &PageSeen<'_>) -> io::Result<()> {
        let row = ProgressRow {
            url: page.url,
            state: page.reason.state().name(),
            reason: page.reason.name(),
            status: page.status,
            depth: page.depth.known(),
            r#type: page.media_type,
            size: page.size,
            title: page.title,
        };
        match self.format {
            Format::Json => self.out.json(&row),
            Format::Csv => {
                let depth = row.depth.map_or(String::new(), |depth| depth.to_string());
                let (status, size) = (row.status.to_string(), row.size.to_string());
                self.out.csv(&[row.url, row.state, row.reason, &status, &depth, row.r#type, &size, row.title])
            }
            Format::Text if self.verbose => {
                let line = format!("{:3} {:12} {:>9}  {}", row.status, row.reason, size(row.size), plain(row.url));
                self.bar.suspend(|| self.out.line(&line).and_then(|()| self.out.flush()))
            }
            Format::Text => Ok(()),
        }
    }
}

/// A bar on stderr, if somebody looks.
pub(crate) fn bar(format: Format, talk: &crate::args::TalkArgs) -> ProgressBar {
    // Rows and a bar on one terminal would only disturb each other.
    let rows = format != Format::Text && io::stdout().is_terminal();
    let hidden = talk.quiet || rows || !io::stderr().is_terminal();
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {wide_msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

impl Watch for Teller<'_> {
    fn page(&mut self, page: &PageSeen<'_>) {
        if self.failed.is_none() {
            let result = self.write_row(page);
            self.note(result);
        }
    }

    fn tick(&mut self, progress: &Progress) {
        if self.failed.is_none() && self.format != Format::Text {
            let result = self.out.flush();
            self.note(result);
        }
        if self.interrupt.load(Ordering::Relaxed) && !self.said_finishing {
            self.said_finishing = true;
            if self.failed.is_none() {
                self.say(FINISHING);
            }
        }
        let (then, fetches) = self.before;
        let passed = progress.elapsed.saturating_sub(then).as_secs_f64();
        if passed > 0.05 {
            let now = (progress.fetches.saturating_sub(fetches)) as f64 / passed;
            // Half the weight lies on the last three seconds or so.
            let weight = if self.rate == 0.0 { 1.0 } else { 1.0 - 0.8_f64.powf(passed) };
            self.rate += (now - self.rate) * weight;
            self.before = (progress.elapsed, progress.fetches);
        }
        self.bar.set_length(progress.fetched + progress.left());
        self.bar.set_position(progress.fetched);
        self.bar.set_message(message(progress, self.rate));
    }

    fn outside(&mut self, asked: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(asked);
        self.bar.set_message(format!("{} of {} URLs asked whether they are there", grouped(asked), grouped(of)));
    }

    fn notice(&mut self, line: &str) {
        self.say(line);
    }
}

fn message(progress: &Progress, rate: f64) -> String {
    let layer = progress.layer.map_or_else(|| "loose pages".to_owned(), |layer| format!("depth {layer}"));
    let left = if rate > 0.0 && progress.left() > 0 {
        let seconds = (progress.left() as f64 / rate).min(1e9);
        format!("  at least {} left", spoken(Duration::from_secs_f64(seconds)))
    } else {
        String::new()
    };
    let (fetched, queued) = (grouped(progress.fetched), grouped(progress.queued));
    format!("{layer}  {fetched} fetched  {queued} queued  {rate:.1}/s{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_says_rate_queue_depth_and_time_left() {
        let progress = Progress { fetched: 1204, queued: 570, layer: Some(3), ..Progress::default() };
        assert_eq!(message(&progress, 10.0), "depth 3  1,204 fetched  570 queued  10.0/s  at least 57 s left");
        let limited = Progress { limit: Some(1304), ..progress.clone() };
        assert_eq!(message(&limited, 10.0), "depth 3  1,204 fetched  570 queued  10.0/s  at least 10 s left");
        let full = Progress { limit: Some(1000), ..progress.clone() };
        assert_eq!(message(&full, 10.0), "depth 3  1,204 fetched  570 queued  10.0/s");
        let end = Progress { queued: 0, layer: None, ..progress };
        assert_eq!(message(&end, 0.0), "loose pages  1,204 fetched  0 queued  0.0/s");
    }
}
