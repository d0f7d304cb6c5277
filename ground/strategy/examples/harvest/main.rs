//! How many of the pages a focused crawl fetches are what was looked for? A folder of pages is walked by the strategies, and
//! what they fetch is compared with the truth.
//!
//! ```text
//! cargo run --release -p groma-strategy --example harvest -- FOLDER [--topics FILE] [--seeds A,B] [--only NAME,NAME] [--set KEY=VALUE,KEY=VALUE]... [--budget N] [--inside]
//! ```
//!
//! Pages are parsed once. A topic a line, remarks begin with `#`; the lists our figures were measured with are in `topics/` beside this
//! file, each with its start pages. A truth without a file is that of the ACL Anthology: a page is relevant if it is a paper's
//! (it has a `citation_title`) and title and abstract have every word of the topic, as stems. If the folder has a `truth.jsonl` of
//! the made journal library, a page is relevant if it is an article with the label; a line is then LABEL, a tab, and the words looked
//! for. Shown: harvest (relevant / fetched) at 500, 1,000, 2,000 and all pages.

mod acl;
mod library;
mod web;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use groma_strategy::focus::{Focus, FocusOrder, Settings, Squash};
use groma_topic::Topic;
use web::{ROOT, Web};

/// Pages at which the harvest is read.
const MARKS: [usize; 3] = [500, 1000, 2000];

struct Run {
    which: FocusOrder,
    topic: usize,
    seed: usize,
    set: usize,
    harvest: [f64; 4],
    judged: f64,
    seconds: f64,
    end: String,
}

fn after<'a>(words: &'a [String], name: &str) -> Vec<&'a str> {
    let places = words.iter().enumerate().filter(|(_, word)| *word == name);
    places.filter_map(|(at, _)| words.get(at + 1)).map(String::as_str).collect()
}

fn apply(settings: &mut Settings, pair: &str) {
    let Some((key, value)) = pair.split_once('=') else { return };
    let number: f64 = value.parse().unwrap_or(0.0);
    match key {
        "batch" => settings.batch = number as usize,
        "share" => settings.page_share = number,
        "phrases" => settings.weights.phrases = number > 0.0,
        "theta" => settings.net.theta = number,
        "least" => settings.net.least = number,
        "layer" => settings.net.layer = number as usize,
        "k" => settings.net.squash = Squash::Shifted { k: number },
        "theta_j" => settings.net.squash = Squash::Logistic { theta_j: number, theta_0: number / 4.0 },
        "sure" => settings.weights.sure = number as u8,
        "trust" => settings.arms.trust = number,
        "curiosity" => settings.arms.curiosity = number,
        _ => println!("no such setting: {key}"),
    }
}

/// What was asked for on the command line.
struct Choice<'a> {
    words: &'a [String],
    /// Labels of the truth, and the words looked for; the same where a line names none.
    labels: Vec<String>,
    topics: Vec<String>,
    /// URLs of start pages.
    seeds: Vec<String>,
    orders: Vec<FocusOrder>,
    /// Settings to be changed, `KEY=VALUE,KEY=VALUE` each; an empty one changes nothing.
    sets: Vec<&'a str>,
    budget: u32,
}

impl<'a> Choice<'a> {
    fn read(words: &'a [String]) -> std::io::Result<Choice<'a>> {
        let lines: Vec<String> = match after(words, "--topics").first() {
            Some(file) => {
                let text = std::fs::read_to_string(file)?;
                text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
            }
            None => ["machine translation", "parsing", "dialogue"].map(str::to_owned).to_vec(),
        };
        let (labels, topics) = lines
            .iter()
            .map(|line| line.split_once('\t').unwrap_or((line, line)))
            .map(|(label, words)| (label.to_owned(), words.to_owned()))
            .unzip();
        let list = |name: &str| after(words, name).first().map_or("", |list| *list);
        let only = list("--only");
        let is_chosen = |order: &FocusOrder| only.is_empty() || only.split(',').any(|name| name == order.name());
        let mut sets = after(words, "--set");
        if sets.is_empty() {
            sets.push("");
        }
        Ok(Choice {
            words,
            labels,
            topics,
            seeds: list("--seeds").split(',').map(|path| format!("{ROOT}{path}")).collect(),
            orders: FocusOrder::ALL.into_iter().filter(is_chosen).collect(),
            sets,
            budget: list("--budget").parse().unwrap_or(MARKS[2] as u32),
        })
    }

    fn has(&self, flag: &str) -> bool {
        self.words.iter().any(|word| word == flag)
    }

    /// Every order with every topic, start page and set of settings.
    fn jobs(&self) -> Vec<(FocusOrder, usize, usize, usize)> {
        let mut jobs = Vec::new();
        for order in &self.orders {
            for topic in 0..self.topics.len() {
                for seed in 0..self.seeds.len() {
                    jobs.extend((0..self.sets.len()).map(|set| (*order, topic, seed, set)));
                }
            }
        }
        jobs
    }

    /// Nothing if the start page is none of the web.
    fn run(
        &self,
        web: &Web,
        truth: &[bool],
        (which, topic, seed, set): (FocusOrder, usize, usize, usize),
    ) -> Option<Run> {
        let start = Instant::now();
        let mut settings = Settings::new(Topic::words(&self.topics[topic]), which, self.budget);
        self.sets[set].split(',').filter(|pair| !pair.is_empty()).for_each(|pair| apply(&mut settings, pair));
        let mut focus = Focus::new(settings);
        let from = *web.numbers.get(&self.seeds[seed])?;
        web.walk(&mut focus, &[from]);
        let hits: Vec<bool> = focus.steps().iter().map(|step| truth[step.page.0 as usize]).collect();
        let rate = |n: usize| hits.iter().take(n).filter(|hit| **hit).count() as f64 / n as f64;
        if self.has("--steps") {
            print_steps(&focus, &hits);
        }
        let agree = focus.steps().iter().zip(&hits).filter(|(step, hit)| step.is_relevant() == **hit).count();
        Some(Run {
            which,
            topic,
            seed,
            set,
            harvest: [rate(MARKS[0]), rate(MARKS[1]), rate(MARKS[2]), rate(hits.len().max(1))],
            judged: agree as f64 / hits.len().max(1) as f64,
            seconds: start.elapsed().as_secs_f64(),
            end: focus.ended().map_or("none", |end| end.name()).to_owned(),
        })
    }

    fn print_runs(&self, runs: &[Run]) {
        for run in runs {
            let [a, b, c, all] = run.harvest;
            println!(
                "{:28} {:24} {:14} {a:.3} {b:.3} {c:.3} {all:.3}  judged alike {:.3}  {:.1} s  {}",
                self.topics[run.topic],
                &self.seeds[run.seed][ROOT.len()..],
                run.which.name(),
                run.judged,
                run.seconds,
                run.end
            );
        }
    }

    fn print_means(&self, runs: &[Run]) {
        let sets = self.sets.iter().enumerate();
        for (which, (number, set)) in self.orders.iter().flat_map(|which| sets.clone().map(move |set| (*which, set))) {
            let same: Vec<&Run> = runs.iter().filter(|run| run.which == which && run.set == number).collect();
            let count = same.len().max(1) as f64;
            let mean = |at: usize| same.iter().map(|run| run.harvest[at]).sum::<f64>() / count;
            let seconds = same.iter().map(|run| run.seconds).sum::<f64>() / count;
            let [a, b, c, all] = [mean(0), mean(1), mean(2), mean(3)];
            println!(
                "mean of {:3} {:14} {a:.3} {b:.3} {c:.3} {all:.3}  {seconds:.1} s  {set}",
                same.len(),
                which.name()
            );
        }
    }
}

fn print_steps(focus: &Focus, hits: &[bool]) {
    for (step, hit) in focus.steps().iter().zip(hits) {
        let found = step.relevance.clone().unwrap_or_default();
        println!(
            "{} {} {} {:.3} {:.3} {} {} {:?}",
            u8::from(*hit),
            u8::from(step.is_relevant()),
            found.page_type.name(),
            step.weight,
            found.r,
            found.confidence,
            step.address,
            step.arm
        );
    }
}

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = words.first() else {
        println!("usage: harvest FOLDER [--topics FILE] [--seeds A,B] [--only NAME,NAME] [--set KEY=VALUE]...");
        return Ok(());
    };
    let start = Instant::now();
    let choice = Choice::read(&words)?;
    let inside = choice.has("--inside");
    let folder = Path::new(folder);
    let told = library::read(folder);
    let web = match &told {
        Some(told) => Web::read(&library::files(folder, told), inside, library::finish),
        None => Web::read(&Web::files(folder), inside, acl::finish),
    };
    let count = web.stored.iter().flatten().count();
    println!("{count} pages, {} URLs, read in {:.1} s", web.addresses.len(), start.elapsed().as_secs_f64());
    let truths = match &told {
        Some(told) => library::truths(&web, told, &choice.labels),
        None => acl::truths(&web, &choice.topics),
    };
    for (topic, truth) in choice.topics.iter().zip(&truths) {
        println!("{topic}: {} relevant", truth.iter().filter(|is| **is).count());
    }
    let jobs = choice.jobs();
    let next = AtomicUsize::new(0);
    let runs: Mutex<Vec<Run>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Some(run) = choice.run(&web, &truths[job.1], job) else { continue };
                    runs.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(run);
                }
            });
        }
    });
    let mut runs = runs.into_inner().unwrap_or_default();
    runs.sort_by_key(|run| (run.topic, run.seed, run.which.name(), run.set));
    if !choice.has("--short") {
        choice.print_runs(&runs);
    }
    choice.print_means(&runs);
    Ok(())
}
