//! Jobs for real: a site on loopback, a queue, workshops, and kills.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod bounds;
mod dying;
mod kinds;
#[cfg(feature = "parquet")]
mod parts;
mod schedules;
mod stopping;
mod watching;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use groma_store::jobs::{JobId, JobKind, JobRow, JobState, NewJob};
use groma_store::{Folder, Snapshot};
use groma_tasks::task::read_package;
use groma_tasks::worker::Workshop;

/// A survey's folder that goes with the test.
struct Place {
    dir: PathBuf,
    folder: Folder,
}

impl Place {
    fn new() -> Place {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("groma-desk-{}-{number}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Place { folder: Folder::new(dir.join("site.groma")), dir }
    }

    fn workshop(&self, threads: usize) -> Workshop {
        workshop(&self.folder, threads)
    }

    fn job(&self, id: JobId) -> JobRow {
        self.folder.queue().unwrap().job(id).unwrap().unwrap()
    }

    /// Waits until a job is as it should be.
    fn until(&self, id: JobId, what: impl Fn(&JobRow) -> bool) -> JobRow {
        let since = Instant::now();
        loop {
            let row = self.job(id);
            if what(&row) {
                return row;
            }
            assert!(since.elapsed() < Duration::from_secs(60), "{row:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn until_state(&self, id: JobId, state: JobState) -> JobRow {
        self.until(id, |row| row.state == state)
    }

    fn indexed(&self) -> u64 {
        self.folder.read().unwrap().balance().unwrap().state(groma_model::State::Fetched)
    }

    fn log(&self, id: JobId) -> String {
        let lines = self.folder.queue().unwrap().log_of(id, 0, 1_000).unwrap();
        lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

fn workshop(folder: &Folder, threads: usize) -> Workshop {
    let folder = folder.clone();
    Workshop {
        folders: Box::new(move || vec![folder.clone()]),
        threads,
        hands: 0,
        config: None,
        stop: Arc::new(AtomicBool::new(false)),
    }
}

/// A workshop in a thread of its own, until it is stopped.
struct Running {
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    fn start(workshop: Workshop) -> Running {
        let stop = Arc::clone(&workshop.stop);
        Running { stop, thread: Some(std::thread::spawn(move || workshop.run().unwrap())) }
    }

    fn stop(mut self) {
        self.join();
    }

    fn join(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A crawl of a site on loopback, as fast as it can go, or with a pause: as it is typed behind `groma jobs add`.
fn crawl_of(base: &str, delay: &str) -> String {
    format!("crawl {base}/ --delay {delay} --proxy none -s robots=false")
}

/// Queues what is typed, and nothing behind it: a task with its flags, or names of tasks.
fn ask(folder: &Folder, typed: &str) -> Vec<JobId> {
    ask_at(folder, typed, 0)
}

fn ask_at(folder: &Folder, typed: &str, priority: i32) -> Vec<JobId> {
    read_package(&[format!("{typed} --alone")]).unwrap().queue(folder, priority).unwrap()
}

/// Queues what no door would let in.
fn ask_anyway(folder: &Folder, kind: JobKind, args: &str) -> JobId {
    let job = NewJob { kind, args: args.to_owned(), priority: 0, not_before: 0, schedule: None };
    folder.queue().unwrap().add(&[job], false, 1).unwrap()[0]
}
