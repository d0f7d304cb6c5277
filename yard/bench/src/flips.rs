//! Is a survey whose files were changed noticed?
//!
//! Input: a survey with everything in it (kept bodies, index, bounds, focused crawl, gathering, jobs with results, a copy of an earlier
//! run, accounts, an archive), and one that was left by kill -9 with its write-ahead log. In a copy one bit is flipped: half of the time
//! of any file, the small ones as likely as the large, half of the time any bit of all. Then the commands that answer are run, and
//! `groma verify`. Answer: nothing panics, is aborted or hangs; every answer is what it is on the whole survey, or an error, or
//! `verify` says that something is wrong. Figure: 0 panics, 0 changes of an answer that nobody is told of. `--repair N`: of so many
//! of the flips that `verify` tells of, `verify --repair` is run, and the answers are compared again.
//!
//! Each thread has a world of its own, made from another seed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use groma_forms::{Options as Form, Site, SiteKind};
use groma_library::{Library, Settings};
use groma_testweb::Server;
use groma_testweb::prose::mix;

use crate::groma::{Groma, said};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

/// The survey, and what lies beside it, in the folder of a world.
const STORE: &str = "s.groma";
/// A command that needs longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// Problems told in full.
const TOLD: usize = 20;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let flips: u64 = options.take("flips", 1000)?;
    let (seed, pages): (u64, usize) = (options.take("seed", 1)?, options.take("pages", 60)?);
    let threads: u64 = options.take("threads", std::thread::available_parallelism().map_or(1, |n| n.get() as u64))?;
    let repairs: u64 = options.take("repair", flips / 20)?;
    let groma = Groma::find()?;
    let scratch = Scratch::new("flips")?;
    let (next, repaired) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut all = Tally::default();
    let tallies: Vec<anyhow::Result<Tally>> = std::thread::scope(|scope| {
        let worker = |thread: u64| {
            let (groma, next, repaired, scratch) = (&groma, &next, &repaired, &scratch);
            scope.spawn(move || {
                let world = World::make(groma, &scratch.join(&format!("world-{thread}")), seed + thread, pages)?;
                let mut tally = Tally::default();
                loop {
                    let flip = next.fetch_add(1, Ordering::Relaxed);
                    if flip >= flips {
                        return Ok(tally);
                    }
                    let dice = Dice { seed, flip, drawn: 0 };
                    world.flip(dice, &|| repaired.fetch_add(1, Ordering::Relaxed) < repairs, &mut tally)?;
                }
            })
        };
        let workers: Vec<_> = (0..threads).map(worker).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.map(|done| done.unwrap_or_else(|_| bail!("a thread of the benchmark panicked"))).collect()
    });
    for tally in tallies {
        all.add(tally?);
    }
    println!(
        "{} flips, seed {seed}, {pages} pages, {threads} worlds\n",
        all.files.values().map(|f| f.flips).sum::<u64>()
    );
    let table = Table::new(&["files", "flips", "same answers", "errors", "told by verify only", "silent", "panics"]);
    let mut sum = Counts::default();
    for (name, counts) in &all.files {
        table.row(&counts.row(name));
        sum.add(*counts);
    }
    table.row(&sum.row("all"));
    println!("\nrepaired: {} of {}, with the same answers afterwards: {}", all.clean, all.repairs, all.restored);
    for line in all.problems.iter().take(TOLD) {
        println!("- {line}");
    }
    report.equal("panics, aborts and hangs", sum.panics, 0);
    report.equal("answers changed without a word", sum.silent, 0);
    Ok(())
}

/// What came of flips in some files.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    flips: u64,
    same: u64,
    errors: u64,
    told: u64,
    silent: u64,
    panics: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.flips += other.flips;
        self.same += other.same;
        self.errors += other.errors;
        self.told += other.told;
        self.silent += other.silent;
        self.panics += other.panics;
    }

    fn row(&self, name: &str) -> [String; 7] {
        let numbers = [self.flips, self.same, self.errors, self.told, self.silent, self.panics];
        let [flips, same, errors, told, silent, panics] = numbers.map(|n| n.to_string());
        [name.to_owned(), flips, same, errors, told, silent, panics]
    }
}

/// What came of all of them.
#[derive(Debug, Default)]
struct Tally {
    /// By the kind of file.
    files: BTreeMap<String, Counts>,
    problems: Vec<String>,
    /// Tried, whole again by `verify`, and with the same answers.
    repairs: u64,
    clean: u64,
    restored: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (name, counts) in other.files {
            self.files.entry(name).or_default().add(counts);
        }
        self.problems.extend(other.problems);
        self.repairs += other.repairs;
        self.clean += other.clean;
        self.restored += other.restored;
    }
}

/// Numbers drawn for one flip.
struct Dice {
    seed: u64,
    flip: u64,
    drawn: u64,
}

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.drawn += 1;
        mix(mix(self.seed, self.flip), self.drawn) % most.max(1)
    }
}

/// A survey as it was made, with its answers.
struct Base {
    folder: PathBuf,
    files: Vec<(PathBuf, u64)>,
    answers: Vec<String>,
}

/// Surveys, and a place in which copies of them are damaged. The survey knows where its archive is: copies go where it was made.
struct World<'a> {
    groma: &'a Groma,
    work: PathBuf,
    commands: Vec<Vec<String>>,
    bases: Vec<Base>,
}

impl World<'_> {
    fn make<'a>(groma: &'a Groma, folder: &Path, seed: u64, pages: usize) -> anyhow::Result<World<'a>> {
        let work = folder.join("work");
        fs::create_dir_all(&work)?;
        let library = Arc::new(Library::build(&[], &Settings { seed, pages, ..Settings::default() }));
        let server = Server::start(Arc::clone(&library));
        let start = format!("{}/", server.base());
        let site = Site::start(&Form::new(SiteKind::CityWorld))?;
        let form = site.form();
        let mut world = World { groma, work, commands: Vec::new(), bases: Vec::new() };
        let say = |words: &str| -> Vec<String> {
            let put = |word: &str| word.replace("START", &start).replace("FORM", &form);
            words.split_whitespace().map(put).collect()
        };
        for words in [
            "crawl START --store s.groma --delay 0 --per-host 8 -q --bodies keep --warc archive",
            "update --store s.groma --delay 0 -q --keep",
            "focus theory of systems --store s.groma --seed START -n 20 --delay 0 -q --any-type",
            "gather FORM --store s.groma -y -q -s delay=0 --budget 60",
            "bounds --store s.groma",
            "jobs add map,check --store s.groma",
            "jobs work --once --store s.groma",
            "schedule add daily at 03:00 --store s.groma",
            "user add ann",
            "index --store s.groma -q",
        ] {
            let output = world.run(&say(words))?;
            if !matches!(output.status.code(), Some(0 | 1 | 4)) {
                bail!("groma {words}: {}", said(&output));
            }
        }
        world.commands = [
            "status --store s.groma -f json",
            "pages --store s.groma -f json",
            "map --store s.groma",
            "check --store s.groma -f json",
            "explain START --store s.groma -f json",
            "links --store s.groma -f json",
            "rank --store s.groma -f json",
            "search system theory --store s.groma -f json --facets",
            "page START --store s.groma -f json",
            "gather list --store s.groma -f json",
            "gather export --store s.groma",
            "focus list --store s.groma -f json",
            "focus export --store s.groma --all",
            "bounds sites --store s.groma -f json",
            "bounds export --store s.groma --surt",
            "jobs --store s.groma -f json",
            "schedule --store s.groma -f json",
            "diff --store s.groma -f json",
            "user -f json",
        ]
        .into_iter()
        .map(say)
        .collect();
        world.keep(folder.join("closed"))?;
        // The same, left by a kill in the middle of an update.
        let mut update = world.command(&say("update --store s.groma --delay 0 -q"));
        let mut child = update.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let log = world.work.join(STORE).join("survey.db-wal");
        let began = Instant::now();
        while fs::metadata(&log).map_or(0, |meta| meta.len()) < 100_000 && began.elapsed() < PATIENCE {
            if child.try_wait()?.is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait()?;
        if log.exists() {
            world.keep(folder.join("killed"))?;
            // The other files were met before.
            if let Some(base) = world.bases.last_mut() {
                base.files.retain(|(path, _)| path.to_string_lossy().ends_with("-wal"));
            }
        }
        Ok(world)
    }

    /// Keeps what is there as it is, and its answers.
    fn keep(&mut self, folder: PathBuf) -> anyhow::Result<()> {
        copy(&self.work, &folder)?;
        let mut files = Vec::new();
        list(&folder, Path::new(""), &mut files)?;
        files.retain(|(path, length)| *length > 0 && !path.to_string_lossy().ends_with("-shm"));
        let mut base = Base { folder, files, answers: Vec::new() };
        for round in 0..2 {
            self.lay_out(&base)?;
            let verified = self.verify()?;
            if !verified.status.success() {
                bail!("the survey is damaged before any bit was flipped: {}", said(&verified));
            }
            self.lay_out(&base)?;
            let mut answers = Vec::new();
            for command in &self.commands {
                let output = self.run(command)?;
                if !matches!(output.status.code(), Some(0 | 1)) {
                    bail!("groma {}: {}", command.join(" "), said(&output));
                }
                answers.push(answer(&output));
            }
            if round > 0 && answers != base.answers {
                let differ = answers.iter().zip(&base.answers).position(|(a, b)| a != b).unwrap_or_default();
                bail!("groma {} does not answer the same twice", self.commands[differ].join(" "));
            }
            base.answers = answers;
        }
        self.bases.push(base);
        Ok(())
    }

    fn command(&self, words: &[String]) -> Command {
        let mut command = Command::new(self.groma.path());
        command.args(words).current_dir(&self.work).stdin(Stdio::null()).env("GROMA_PASSWORD", "correct horse battery");
        command
    }

    /// Runs a command to its end. One that hangs is ended as if it had crashed.
    fn run(&self, words: &[String]) -> anyhow::Result<Output> {
        let mut child = self.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
        let read = |from: &mut Option<Box<dyn std::io::Read + Send>>| {
            let mut bytes = Vec::new();
            if let Some(from) = from {
                let _ = from.read_to_end(&mut bytes);
            }
            bytes
        };
        let mut out = out.take().map(|from| Box::new(from) as Box<dyn std::io::Read + Send>);
        let mut err = err.take().map(|from| Box::new(from) as Box<dyn std::io::Read + Send>);
        let began = Instant::now();
        std::thread::scope(|scope| {
            let (stdout, stderr) = (scope.spawn(move || read(&mut out)), scope.spawn(move || read(&mut err)));
            let mut pause = Duration::from_micros(500);
            let status = loop {
                if let Some(status) = child.try_wait()? {
                    break status;
                }
                if began.elapsed() > PATIENCE {
                    child.kill()?;
                    break child.wait()?;
                }
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(5));
            };
            let joined = |bytes: std::thread::ScopedJoinHandle<'_, Vec<u8>>| bytes.join().unwrap_or_default();
            Ok(Output { status, stdout: joined(stdout), stderr: joined(stderr) })
        })
    }

    fn verify(&self) -> anyhow::Result<Output> {
        self.run(&["verify", "--store", STORE].map(str::to_owned))
    }

    fn lay_out(&self, base: &Base) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.work).with_context(|| format!("cannot remove {}", self.work.display()))?;
        copy(&base.folder, &self.work)
    }

    fn flip(&self, mut dice: Dice, repairs: &dyn Fn() -> bool, tally: &mut Tally) -> anyhow::Result<()> {
        // One in five in the log that a kill left.
        let base = &self.bases[if dice.below(5) == 0 { self.bases.len() - 1 } else { 0 }];
        self.lay_out(base)?;
        let (path, byte) = choose(base, &mut dice);
        let place = self.work.join(path);
        let mut bytes = fs::read(&place)?;
        let bit = dice.below(8);
        bytes[byte as usize] ^= 1 << bit;
        fs::write(&place, bytes)?;
        let name = format!("flip {}: bit {bit} of byte {byte} of {}", dice.flip, path.display());

        let (mut errors, mut changed, mut panics) = (0, Vec::new(), Vec::new());
        for (command, expected) in self.commands.iter().zip(&base.answers) {
            let output = self.run(command)?;
            let words = command.join(" ");
            match output.status.code() {
                _ if crashed(&output) => panics.push(format!("{name}: groma {words}: {}", said(&output))),
                Some(0 | 1) if answer(&output) == *expected => {}
                Some(0 | 1) => changed.push(words),
                _ => errors += 1,
            }
        }
        let verified = self.verify()?;
        if crashed(&verified) {
            panics.push(format!("{name}: groma verify: {}", said(&verified)));
        }
        let told = !verified.status.success();
        let counts = tally.files.entry(kind(path)).or_default();
        counts.flips += 1;
        counts.panics += panics.len() as u64;
        match (errors, changed.is_empty()) {
            (_, false) if told => counts.told += 1,
            (_, false) => {
                counts.silent += 1;
                tally.problems.push(format!("{name}: another answer to {}", changed.join(", ")));
            }
            (0, true) => counts.same += 1,
            _ => counts.errors += 1,
        }
        tally.problems.append(&mut panics);
        if told && repairs() {
            self.repair(base, &name, tally)?;
        }
        Ok(())
    }

    fn repair(&self, base: &Base, name: &str, tally: &mut Tally) -> anyhow::Result<()> {
        tally.repairs += 1;
        let output = self.run(&["verify", "--repair", "--store", STORE].map(str::to_owned))?;
        if crashed(&output) {
            tally.problems.push(format!("{name}: groma verify --repair: {}", said(&output)));
            tally.files.entry("repair".to_owned()).or_default().panics += 1;
        }
        tally.clean += u64::from(self.verify()?.status.success());
        let mut same = true;
        for (command, expected) in self.commands.iter().zip(&base.answers) {
            same &= answer(&self.run(command)?) == *expected;
        }
        tally.restored += u64::from(same);
        Ok(())
    }
}

/// What was answered, with the way it ended.
fn answer(output: &Output) -> String {
    format!("{:?}\n{}", output.status.code(), String::from_utf8_lossy(&output.stdout))
}

fn crashed(output: &Output) -> bool {
    let panicked = String::from_utf8_lossy(&output.stderr).contains("panicked at");
    panicked || !matches!(output.status.code(), Some(0..=4))
}

/// Half of the time any file, half of the time any byte of all.
fn choose<'a>(base: &'a Base, dice: &mut Dice) -> (&'a Path, u64) {
    if dice.below(2) == 0 {
        let (path, length) = &base.files[dice.below(base.files.len() as u64) as usize];
        return (path, dice.below(*length));
    }
    let mut byte = dice.below(base.files.iter().map(|(_, length)| length).sum());
    for (path, length) in &base.files {
        if byte < *length {
            return (path, byte);
        }
        byte -= length;
    }
    (&base.files[0].0, 0)
}

/// Files of the same kind are counted together.
fn kind(path: &Path) -> String {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    match parts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [STORE, "index", _, "text", ..] => "index: text".to_owned(),
        [STORE, "index", .., name] => format!("index: {name}"),
        [STORE, folder, _] => format!("{folder}/"),
        [STORE, name] | [name] => name.to_owned(),
        [folder, ..] => format!("{folder}/"),
        [] => String::new(),
    }
}

fn list(root: &Path, below: &Path, files: &mut Vec<(PathBuf, u64)>) -> anyhow::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(root.join(below))?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = below.join(entry.file_name());
        let meta = entry.metadata()?;
        if meta.is_dir() { list(root, &path, files)? } else { files.push((path, meta.len())) }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.metadata()?.is_dir() {
            copy(&source, &target)?;
        } else {
            fs::copy(&source, &target).with_context(|| format!("cannot copy {}", source.display()))?;
        }
    }
    Ok(())
}
