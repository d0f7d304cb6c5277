//! One look at a survey: what is new since the last one becomes a notice.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use groma_check::{Finding, check};
use groma_model::state::Fault as PageFault;
use groma_model::{Fp, State};
use groma_settings::Fault;
use groma_settings::saved::Saved;
use groma_store::jobs::{NoticeRow, Queue};
use groma_store::{ChangeKind, Folder, RunRow, Snapshot};
use groma_url::{Position, Url};

use super::body::{Body, News};
use super::memory::{Memory, Standing};
use super::{Ways, place, words};
use crate::check::usual_options;
use crate::outside::evidence;
use crate::{changes, sums};

/// Among how many of the latest notices the same one is looked for, after a kill.
const LATEST: usize = 20;

/// What a look came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Looked {
    /// Nothing was compared: the survey is under way, or no run has come to its end.
    NotYet,
    /// This run was looked at before.
    Already,
    /// There was nothing to compare with.
    First,
    /// So many findings are new, and so many are watched.
    Compared { new: u64, watched: u64 },
}

/// Looks, keeps a notice of what is new, and remembers.
pub(super) fn look(
    folder: &Folder,
    ways: &Ways,
    queue: &mut Queue,
    log: &mut dyn FnMut(&str),
    now: i64,
) -> Result<Looked, Fault> {
    let mut store = folder.read()?;
    let runs = store.runs()?;
    let Some(run) = runs.last().filter(|run| run.ended.is_some()) else { return Ok(Looked::NotYet) };
    // What is half read would look fixed, or new, by the accident of where it stopped.
    if store.balance()?.queued > 0 {
        return Ok(Looked::NotYet);
    }
    let path = place(folder).join(sums::BASELINE);
    let mut memory = read(&path)?;
    if memory.run == Some((run.id, run.started)) {
        return Ok(Looked::Already);
    }
    let first = memory.is_blank();
    let mut news = News::default();
    let mut watched = 0;
    let mut see = |finding: &Finding| match memory.see(finding) {
        Standing::New if finding.kind.severity() <= ways.least => news.add(finding),
        Standing::Watched => watched += 1,
        Standing::New | Standing::Known => {}
    };
    let options = usual_options(&mut store, None)?;
    check(&mut evidence(folder, &mut store)?, &options, &mut |finding| {
        see(finding);
        Ok(())
    })?;
    let fixed = memory.close((run.id, run.started), &mut |page| is_unseen(&mut store, page))?;
    let new = if news.is_empty() {
        0
    } else {
        let about = Body { run: run.id, fixed, ..about(folder, &mut store, run)? };
        let (row, body) = news.notice(about, run.started, now);
        keep(queue, ways, &row, &body, log)?;
        body.total
    };
    write(&path, &memory)?;
    if first {
        return Ok(Looked::First);
    }
    if watched > 0 {
        log(&words::watched(watched));
    }
    Ok(Looked::Compared { new, watched })
}

/// The site and what the run changed.
fn about(folder: &Folder, store: &mut dyn Snapshot, run: &RunRow) -> Result<Body, Fault> {
    let home = Saved::load(store)?.and_then(|saved| saved.seeds.into_iter().next()).unwrap_or_default();
    let host = Url::parse(&home).ok().map(|url| url[Position::BeforeHost..Position::AfterPort].to_owned());
    let site = host.filter(|host| !host.is_empty()).unwrap_or_else(|| super::site_name(folder));
    let counts = changes::counts(store)?.remove(&run.id).unwrap_or_default();
    let named = ChangeKind::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
    let changes: BTreeMap<String, u64> = named.map(|(kind, count)| (kind.name().to_owned(), count)).collect();
    Ok(Body { site, home, changes, ..Body::default() })
}

/// Could a page not be seen in the last run, so that nobody knows what is on it?
fn is_unseen(store: &mut dyn Snapshot, page: &str) -> Result<bool, Fault> {
    let Some(found) = store.find(Fp::hash_bytes(page.as_bytes()))? else { return Ok(false) };
    let Some(row) = store.address(found.id)? else { return Ok(false) };
    let silent = matches!(row.reason.fault(), Some(PageFault::Unreachable | PageFault::Unknown));
    Ok(silent || matches!(row.state(), State::Queued | State::Skipped))
}

/// Stores a notice, once.
fn keep(queue: &mut Queue, ways: &Ways, row: &NoticeRow, body: &Body, log: &mut dyn FnMut(&str)) -> Result<(), Fault> {
    if queue.notices(None, LATEST)?.iter().any(|kept| Body::from_row(kept).id == body.id) {
        return Ok(());
    }
    log(&row.title);
    queue.add_notice(&NoticeRow { delivery: super::delivery::begun(ways), ..row.clone() })?;
    Ok(())
}

fn read(path: &Path) -> Result<Memory, Fault> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => Memory::read(&mut BufReader::new(file))
            .map_err(|what| Fault::new(words::damaged(&name, &what), words::DAMAGED_HINT)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Memory::default()),
        Err(error) => Err(Fault::of_input(&name, &error)),
    }
}

/// Beside its name, onto the disk, and then in its place.
fn write(path: &Path, memory: &Memory) -> Result<(), Fault> {
    let beside = path.with_extension("part");
    let written = File::create(&beside).and_then(|file| {
        let mut to = BufWriter::new(file);
        memory.write(&mut to)?;
        to.flush()?;
        to.get_ref().sync_all()?;
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            sums::note(folder, &name.to_string_lossy(), &beside)?;
        }
        fs::rename(&beside, path)
    });
    written.map_err(|error| Fault::of_input(&path.display().to_string(), &error))
}
