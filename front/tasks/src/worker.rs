//! Who does the jobs: a workshop looks at the queues of all its surveys, takes what is most urgent, and lets schedules fire.
//!
//! Any number of workshops, in any number of processes, may share the same surveys: the queues see to it that a job has one worker.

mod counter;
mod hand;
mod meter;
mod timetable;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use groma_settings::Fault;
use groma_settings::clock::now;
use groma_store::Folder;
use groma_store::jobs::{Ending, JobRow, Lease, Reply};

use crate::jobs::bench::{Bench, Pulse};
use crate::jobs::run::work;
use crate::jobs::worked::Worked;
use crate::task::Job;
use counter::Counter;
use meter::{Counted, job_ended};

pub use hand::lend;
pub(crate) use meter::Metered;
pub use meter::{Reading, reading};

/// Between two looks at the queues.
const LOOK: Duration = Duration::from_millis(200);
/// Between two looks at the schedules.
const TIMETABLE: Duration = Duration::from_secs(2);
/// Between two looks for what dead workers left.
const SWEEP: Duration = Duration::from_secs(60);
/// Between two looks for crawls that could do with a hand.
const HANDS: Duration = Duration::from_millis(500);
/// Seconds for which ended jobs are kept.
const KEPT: i64 = 90 * 86_400;
/// Attempts to write down how a job ended, a moment apart.
const END_TRIES: u32 = 20;

/// Which surveys there are: asked again and again, as they come and go.
pub type Folders = Box<dyn Fn() -> Vec<Folder> + Send + Sync>;

/// Workers for the jobs of some surveys.
pub struct Workshop {
    /// Which surveys there are.
    pub folders: Folders,
    /// Jobs done at once.
    pub threads: usize,
    /// Crawls of others that are helped with at once.
    pub hands: usize,
    /// The configuration file, if one was named.
    pub config: Option<PathBuf>,
    /// Set: running jobs stop as soon as they can, and go back into the queue.
    pub stop: Arc<AtomicBool>,
}

/// A job, or a hand lent, under way.
struct UnderWay {
    folder: PathBuf,
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
}

/// The name of a worker, never given twice.
fn new_owner() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("{}-{nanos:x}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Workshop {
    /// Works until told to stop. Jobs under way are stopped cleanly and given back.
    pub fn run(&self) -> Result<(), Fault> {
        self.open(false)
    }

    /// Works until there is nothing that could be done at this moment.
    pub fn run_until_idle(&self) -> Result<(), Fault> {
        self.open(true)
    }

    fn open(&self, until_idle: bool) -> Result<(), Fault> {
        let owner = new_owner();
        let mut counters: HashMap<PathBuf, Counter> = HashMap::new();
        let (over, ended) = std::sync::mpsc::channel();
        let mut under_way: Vec<UnderWay> = Vec::new();
        let mut helping: Vec<UnderWay> = Vec::new();
        let (mut timetable, mut swept, mut hands): (Option<Instant>, Option<Instant>, Option<Instant>) =
            (None, None, None);
        while !self.stop.load(Ordering::Relaxed) {
            under_way.retain(|job| !job.thread.is_finished());
            let folders = (self.folders)();
            if is_due(&mut timetable, TIMETABLE) {
                // Counters of surveys that are gone have no job under way, or one that will find out.
                let known = |path: &PathBuf| folders.iter().any(|folder| folder.path() == path);
                counters.retain(|path, counter| known(path) || counter.is_needed());
                folders.iter().for_each(|folder| timetable::fire_due(folder, now()));
            }
            if is_due(&mut swept, SWEEP) {
                folders.iter().for_each(tidy);
            }
            let mut taken = false;
            while under_way.len() < self.threads.max(1) && !self.stop.load(Ordering::Relaxed) {
                let Some((counter, lease, row)) = next(&folders, &mut counters, &owner) else { break };
                under_way.push(self.begin(counter, lease, row, over.clone())?);
                taken = true;
            }
            helping.retain(|hand| !hand.thread.is_finished());
            if helping.len() < self.hands && is_due(&mut hands, HANDS) {
                let elsewhere = |counter: &&Counter| {
                    let here = |job: &UnderWay| job.folder == counter.folder.path();
                    !under_way.iter().any(here) && !helping.iter().any(here)
                };
                let wanted = |counter: &&Counter| counter.folder.task_for_hands().is_some();
                let wanted: Vec<Folder> =
                    counters.values().filter(elsewhere).filter(wanted).map(|counter| counter.folder.clone()).collect();
                for folder in wanted.into_iter().take(self.hands - helping.len()) {
                    helping.push(self.lend_a_hand(folder)?);
                }
            }
            if until_idle && under_way.is_empty() && helping.is_empty() && !taken {
                break;
            }
            // A job that ends makes room at once.
            let _ = ended.recv_timeout(LOOK);
        }
        under_way.extend(helping);
        under_way.iter().for_each(|job| job.stop.store(true, Ordering::Relaxed));
        for job in under_way {
            let _ = job.thread.join();
        }
        Ok(())
    }

    fn begin(&self, counter: &Counter, lease: Lease, row: JobRow, over: Sender<()>) -> Result<UnderWay, Fault> {
        let stop = Arc::new(AtomicBool::new(false));
        let (folder, config, needed) = (counter.folder.clone(), self.config.clone(), counter.need());
        let name = format!("{} {}", row.kind.name(), row.id.0);
        let thread = std::thread::Builder::new().name(name).spawn({
            let stop = Arc::clone(&stop);
            move || {
                let (_needed, _counted) = (needed, Counted::job());
                do_job(&folder, &lease, row, stop, |job, bench| work(&folder, job, config.as_deref(), bench));
                let _ = over.send(());
            }
        })?;
        Ok(UnderWay { folder: counter.folder.path().to_owned(), thread, stop })
    }

    /// Helps with a crawl that somebody else leads. What goes wrong is no job's failure: there are others.
    fn lend_a_hand(&self, folder: Folder) -> Result<UnderWay, Fault> {
        let stop = Arc::new(AtomicBool::new(false));
        let (path, config) = (folder.path().to_owned(), self.config.clone());
        let thread = std::thread::Builder::new().name("hand".into()).spawn({
            let stop = Arc::clone(&stop);
            move || {
                let _counted = Counted::hand();
                if let Err(fault) = hand::lend(&folder, config.as_deref(), &mut Metered::default(), &stop) {
                    eprintln!("groma: {}: {}", folder.shown().display(), fault.says);
                    // Not again at once.
                    std::thread::sleep(SWEEP / 12);
                }
            }
        })?;
        Ok(UnderWay { folder: path, thread, stop })
    }
}

fn is_due(last: &mut Option<Instant>, every: Duration) -> bool {
    let due = last.is_none_or(|at| at.elapsed() >= every);
    if due {
        *last = Some(Instant::now());
    }
    due
}

/// What dead workers left goes, and jobs that ended long ago.
fn tidy(folder: &Folder) {
    folder.sweep_workers();
    if let Ok(Some(mut queue)) = folder.queue_if_any() {
        // What cannot be forgotten now can be later.
        let _ = queue.forget(now() - KEPT);
    }
}

/// Takes the most urgent job of all surveys.
fn next<'c>(
    folders: &[Folder],
    counters: &'c mut HashMap<PathBuf, Counter>,
    owner: &str,
) -> Option<(&'c Counter, Lease, JobRow)> {
    let mut best: Option<(PathBuf, JobRow)> = None;
    for folder in folders {
        let counter = counters.entry(folder.path().to_owned()).or_insert_with(|| Counter::new(folder));
        let Some(row) = counter.peek(now()) else { continue };
        let urgency = |row: &JobRow| (-i64::from(row.priority), row.made_at);
        if best.as_ref().is_none_or(|(_, known)| urgency(&row) < urgency(known)) {
            best = Some((folder.path().to_owned(), row));
        }
    }
    let counter = counters.get_mut(&best?.0)?;
    let (lease, row) = counter.take(owner, now())?;
    Some((counter, lease, row))
}

/// Does a job to its end and writes down how that was.
fn do_job(
    folder: &Folder,
    lease: &Lease,
    row: JobRow,
    stop: Arc<AtomicBool>,
    act: impl FnOnce(&Job, &mut Bench) -> Result<Worked, Fault>,
) {
    let job = Job::read(row.kind, &row.args);
    let (owner, fence) = (row.owner.clone(), row.fence);
    let bench = Bench::new(folder, row, lease.clone(), stop);
    let (outcome, reply) = match bench {
        Err(error) => (Err(error.into()), None),
        Ok(mut bench) => {
            bench.log(&taken_up(&owner, fence));
            let pulse = Pulse::start(&bench, folder);
            let worked = catch_unwind(AssertUnwindSafe(|| act(&job?, &mut bench)));
            let outcome = worked.unwrap_or_else(|panic| Err(Fault::new(broke_off(&said(&*panic)), "")));
            if let Ok(Worked::Done(outcome)) = &outcome {
                bench.close(outcome);
            }
            if let Err(fault) = &outcome {
                bench.log(&fault.says);
                if !fault.hint.is_empty() {
                    bench.log(&fault.hint);
                }
            }
            (outcome, pulse.ok().and_then(Pulse::finish))
        }
    };
    if reply == Some(Reply::Lost) {
        return;
    }
    let (ending, says) = match outcome {
        Ok(Worked::Done(outcome)) => (Ending::Done, outcome.to_string()),
        Ok(Worked::Later { seconds, says }) => (Ending::Back { not_before: now() + seconds }, says),
        Ok(Worked::Stopped) => match reply {
            Some(Reply::Cancel) => (Ending::Cancelled, "cancelled".to_owned()),
            Some(Reply::Pause) => (Ending::Paused, String::new()),
            _ => (Ending::Back { not_before: 0 }, given_back().to_owned()),
        },
        Err(fault) => (Ending::Failed, fault.says),
    };
    if matches!(ending, Ending::Done | Ending::Failed | Ending::Cancelled) {
        job_ended(ending == Ending::Failed);
    }
    write_down(folder, lease, ending, &says);
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "nobody knows why".to_owned())
}

/// The end of a job is written even if the disk is busy or full for a while. If it cannot be, the lease runs out and somebody
/// takes the job up again.
fn write_down(folder: &Folder, lease: &Lease, ending: Ending, says: &str) {
    for _ in 0..END_TRIES {
        if folder.queue().and_then(|mut queue| queue.end(lease, ending, says, now())).is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

#[cfg(test)]
mod tests;

fn broke_off(why: &str) -> String {
    format!("it broke off inside: {why}")
}

fn taken_up(owner: &str, times: u64) -> String {
    if times <= 1 { format!("taken by {owner}") } else { format!("taken up again by {owner} (for the {times}. time)") }
}

fn given_back() -> &'static str {
    "the worker stopped: the job waits for the next one"
}
