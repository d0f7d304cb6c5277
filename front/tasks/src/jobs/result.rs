//! Files that jobs leave: `results/JOB.EXT` in the folder of the survey, whole or not at all, and not too many of them.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use groma_settings::Fault;
use groma_store::Folder;
use serde_json::json;

use crate::jobs::bench::Bench;
use crate::jobs::worked::Worked;
use crate::outcome::Outcome;
use crate::sums;
use crate::task::FileFormat;

/// Jobs whose results are kept.
const KEPT: usize = 20;
/// How a file ends that is being written.
const PART: &str = "part";
/// Nobody is at work any more on what was not touched for so long.
const LEFT_BEHIND: Duration = Duration::from_secs(86_400);

/// What a job leaves, in one file or several.
pub(crate) struct ResultFiles {
    place: PathBuf,
    names: Vec<String>,
    stop: Arc<AtomicBool>,
}

impl ResultFiles {
    /// Prepares the folder for results; no file is made yet.
    pub(crate) fn begin(folder: &Folder, bench: &Bench) -> Result<ResultFiles, Fault> {
        let place = folder.results();
        let fault = |error: io::Error| Fault::of_input(&place.display().to_string(), &error);
        fs::create_dir_all(&place).map_err(fault)?;
        Ok(ResultFiles { place, names: Vec::new(), stop: Arc::clone(bench.stop()) })
    }

    /// A file of this name, within the results. Writing to it fails when the job is to stop.
    pub(crate) fn open(&mut self, name: &str) -> io::Result<Box<dyn Write>> {
        let file = File::create(self.part(name))?;
        self.names.push(name.to_owned());
        Ok(Box::new(Interruptible { to: BufWriter::with_capacity(1 << 16, file), stop: Arc::clone(&self.stop) }))
    }

    fn part(&self, name: &str) -> PathBuf {
        self.place.join(format!("{name}.{PART}"))
    }

    /// All of it is written: puts it in its place, and says where the first file is. Results of jobs long ago go.
    pub(crate) fn finish(mut self, bench: &mut Bench) -> Result<String, Fault> {
        for name in std::mem::take(&mut self.names).iter().rev() {
            sums::note(&self.place, name, &self.part(name))?;
            fs::rename(self.part(name), self.place.join(name))?;
            bench.memo.result = Some(format!("results/{name}"));
        }
        bench.remember()?;
        let result = bench.memo.result.clone().unwrap_or_default();
        bench.progress(&json!({ "phase": "done", "result": result }));
        self.forget_old();
        Ok(result)
    }

    /// The oldest go, by when they were written: a job that was asked for long ago may have come to its turn just now. What
    /// is being written belongs to somebody at work, unless it has lain there for long.
    fn forget_old(&self) {
        let entries = fs::read_dir(&self.place).into_iter().flatten().flatten();
        let number = |name: &str| name.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok();
        let mut written: HashMap<u64, (SystemTime, Vec<PathBuf>)> = HashMap::new();
        for entry in entries {
            let path = entry.path();
            let Some(job) = entry.file_name().to_str().and_then(number) else { continue };
            let Ok(at) = entry.metadata().and_then(|meta| meta.modified()) else { continue };
            if path.extension().is_some_and(|ending| ending == PART) {
                if at.elapsed().is_ok_and(|age| age > LEFT_BEHIND) {
                    let _ = fs::remove_file(path);
                }
                continue;
            }
            let (newest, paths) = written.entry(job).or_insert((at, Vec::new()));
            *newest = at.max(*newest);
            paths.push(path);
        }
        let mut jobs: Vec<(SystemTime, u64, Vec<PathBuf>)> =
            written.into_iter().map(|(job, (at, paths))| (at, job, paths)).collect();
        jobs.sort();
        for (_, _, paths) in jobs.iter().take(jobs.len().saturating_sub(KEPT)) {
            paths.iter().for_each(|path| drop(fs::remove_file(path)));
        }
    }
}

impl Drop for ResultFiles {
    fn drop(&mut self) {
        // They are there only if the job did not come to its end.
        for name in &self.names {
            let _ = fs::remove_file(self.part(name));
        }
    }
}

/// Writes a result that is one file, and keeps it. Whoever says stop while it is written leaves no file.
pub(crate) fn keep_file(
    folder: &Folder,
    bench: &mut Bench,
    format: &FileFormat,
    write: impl FnOnce(&mut Bench, &mut dyn Write) -> Result<Outcome, Fault>,
) -> Result<Worked, Fault> {
    let mut files = ResultFiles::begin(folder, bench)?;
    let written = {
        let mut out = files.open(&format!("{}.{}", bench.row.id.0, format.ending))?;
        write(bench, &mut *out).and_then(|outcome| Ok(out.flush().map(|()| outcome)?))
    };
    match written {
        Err(_) if bench.is_stopped() => Ok(Worked::Stopped),
        Err(fault) => Err(fault),
        Ok(outcome) => {
            files.finish(bench)?;
            Ok(Worked::Done(outcome))
        }
    }
}

struct Interruptible {
    to: BufWriter<File>,
    stop: Arc<AtomicBool>,
}

impl Write for Interruptible {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not `Interrupted`: that one means try again.
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("the job is to stop"));
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_results_go_and_nobodys_work() {
        let place = std::env::temp_dir().join(format!("groma-results-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let write = |name: &str, age: u64| {
            let file = File::create(place.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        };
        for job in 100..100 + KEPT as u64 {
            write(&format!("{job}.html"), 1_000 - job);
        }
        write("100.svg", 900);
        write("7.json", 0);
        write("8.json.part", 100);
        write("9.json.part", 200_000);
        ResultFiles { place: place.clone(), names: Vec::new(), stop: Arc::default() }.forget_old();
        let there = |name: &str| place.join(name).exists();
        assert!(there("7.json") && there("8.json.part"), "an old number is no old result");
        assert!(!there("9.json.part") && !there("100.html") && !there("100.svg") && there("101.html"));
        fs::remove_dir_all(place).unwrap();
    }
}
