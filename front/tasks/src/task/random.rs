//! Random tasks, for the tests that send them through every door. Values are found by asking the declaration itself what it takes, so a
//! field that is added is walked without a word here.

use std::path::PathBuf;
use std::{fs, process};

use clap::{ArgAction, Command};
use groma_store::jobs::JobKind;

use crate::task::Task;

/// Texts that some field might take.
const TEXTS: [&str; 32] = [
    "fetched",
    "1",
    "3",
    "17",
    "400",
    "0",
    "0.25",
    "1.5",
    "12",
    "true",
    "whole",
    "paper",
    "bfs",
    "hopfield-block",
    "flow",
    "mcl",
    "words",
    "none",
    "forward",
    "all",
    "fitted",
    "prefix",
    "auto",
    "keep",
    "http://a.example/b?c=d",
    "HOST:80:10.0.0.1",
    "Name: value",
    "two words",
    "always",
    "limits.retries=3",
    "price:number=css:.price",
    "title=xpath://h1[@class = 'title']",
];

/// Numbers that look random, and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// A flag or a place on the command line, and words that it takes.
struct Known {
    id: String,
    words: Vec<Vec<String>>,
}

/// A task, as it is typed and as it is.
pub struct RandomTask {
    /// Its flags.
    pub typed: Vec<String>,
    pub task: Task,
    /// The fields that were chosen, by the names of their flags.
    pub fields: Vec<String>,
}

/// Random tasks of a kind.
pub struct RandomTasks {
    kind: JobKind,
    known: Vec<Known>,
    dice: Dice,
    round: usize,
    files: [PathBuf; 2],
}

impl RandomTasks {
    /// Tasks of a kind; `more` are texts that some field might take, beside those that are always tried.
    pub fn new(kind: JobKind, more: &[&str]) -> RandomTasks {
        let file = std::env::temp_dir().join(format!("groma-random-{}-{}", kind.name(), process::id()));
        let files = [file.with_extension("list"), file.with_extension("describe")];
        fs::write(&files[0], "http://a.example/one\nhttp://a.example/two\n").expect("a file of pages");
        fs::write(&files[1], "DB.QueryElement:region\n").expect("a description");
        let [list, description] = files.each_ref().map(|file| file.display().to_string());
        let texts: Vec<&str> = TEXTS.iter().chain(more).copied().chain([&*list, &*description]).collect();
        RandomTasks { kind, known: known(kind, &texts), dice: Dice(0x9e37_79b9_7f4a_7c15), round: 0, files }
    }

    /// The flags of a kind, as its task declares them.
    pub fn flags(kind: JobKind) -> Command {
        Task::flags(kind, Command::new("task").no_binary_name(true))
    }

    /// The fields of the task, by the names of their flags.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|one| one.id.as_str())
    }

    /// Leaves out the fields that are not to be kept.
    pub fn keep(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.known.retain(|one| is_kept(&one.id));
    }

    /// The next one; nothing if what was chosen does not go together.
    pub fn draw(&mut self) -> Option<RandomTask> {
        let mut chosen = vec![self.round];
        self.round = (self.round + 1) % self.known.len().max(1);
        chosen.extend((0..self.dice.below(4).saturating_sub(1)).map(|_| self.dice.below(self.known.len())));
        chosen.retain(|one| *one < self.known.len());
        let mut typed = Vec::new();
        for one in &chosen {
            let words = &self.known[*one].words;
            typed.extend(words[self.dice.below(words.len())].clone());
        }
        let mut task = self.read(&typed);
        // Some tasks need a word that says what they are about.
        if let (None, Some(about)) = (&task, self.known.iter().find(|one| !one.words[0][0].starts_with('-'))) {
            typed.extend(about.words[self.dice.below(about.words.len())].clone());
            task = self.read(&typed);
        }
        let task = task?;
        let fields = chosen.iter().map(|one| self.known[*one].id.clone()).collect();
        Some(RandomTask { typed, task, fields })
    }

    fn read(&self, typed: &[String]) -> Option<Task> {
        let matches = RandomTasks::flags(self.kind).try_get_matches_from(typed).ok()?;
        Task::from_flags(self.kind, &matches).ok()?.checked().ok()
    }
}

impl Drop for RandomTasks {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
    }
}

/// What every field of a task takes on the command line.
fn known(kind: JobKind, texts: &[&str]) -> Vec<Known> {
    let command = || RandomTasks::flags(kind);
    let mut all = Vec::new();
    for arg in command().get_arguments() {
        let words: Vec<Vec<String>> = match (arg.get_long(), arg.get_action()) {
            (Some(long), ArgAction::SetTrue) => vec![vec![format!("--{long}")]],
            (Some(long), _) => texts.iter().map(|text| vec![format!("--{long}={text}")]).collect(),
            (None, _) => texts.iter().map(|text| vec![(*text).to_owned()]).collect(),
        };
        let takes = |words: &Vec<String>| {
            let matches = command().try_get_matches_from(words);
            matches.is_ok_and(|matches| Task::from_flags(kind, &matches).is_ok())
        };
        let mut alone: Vec<Vec<String>> = words.iter().filter(|words| takes(words)).cloned().collect();
        if alone.is_empty() {
            // It requires another one.
            let list = texts[texts.len() - 2];
            let others = command();
            let others =
                others.get_arguments().filter_map(|other| other.get_long()).map(|long| format!("--{long}={list}"));
            let pairs =
                others.flat_map(|other| words.iter().map(move |one| [one.clone(), vec![other.clone()]].concat()));
            alone = pairs.filter(takes).collect();
        }
        assert!(!alone.is_empty(), "{}: nothing is known that {} takes", kind.name(), arg.get_id());
        all.push(Known { id: arg.get_id().to_string(), words: alone });
    }
    all
}
