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

use groma_strategy::focus::{Focus, Settings, Squash, Which};
use groma_topic::Topic;
use web::{ROOT, Web};

/// Pages at which the harvest is read.
const MARKS: [usize; 3] = [500, 1000, 2000];

struct Run {
    which: Which,
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

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = words.first() else {
        println!("usage: harvest FOLDER [--topics FILE] [--seeds A,B] [--only NAME,NAME] [--set KEY=VALUE]...");
        return Ok(());
    };
    let start = Instant::now();
    let inside = words.iter().any(|word| word == "--inside");
    let folder = Path::new(folder);
    let told = library::read(folder);
    let web = match &told {
        Some(told) => Web::read(&library::files(folder, told), inside, library::finish),
        None => Web::read(&Web::files(folder), inside, acl::finish),
    };
    let count = web.stored.iter().flatten().count();
    println!("{count} pages, {} addresses, read in {:.1} s", web.addresses.len(), start.elapsed().as_secs_f64());
    let topics: Vec<String> = match after(&words, "--topics").first() {
        Some(file) => {
            let text = std::fs::read_to_string(file)?;
            text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
        }
        None => ["machine translation", "parsing", "dialogue"].map(str::to_owned).to_vec(),
    };
    let seeds = after(&words, "--seeds").first().map_or(String::new(), |list| (*list).to_owned());
    let seeds: Vec<String> = seeds.split(',').map(|path| format!("{ROOT}{path}")).collect();
    let only = after(&words, "--only").first().map_or(String::new(), |list| (*list).to_owned());
    let chosen: Vec<Which> =
        Which::ALL.into_iter().filter(|which| only.is_empty() || only.split(',').any(|n| n == which.name())).collect();
    let mut sets = after(&words, "--set");
    if sets.is_empty() {
        sets.push("");
    }
    let budget = after(&words, "--budget").first().and_then(|n| n.parse().ok()).unwrap_or(MARKS[2] as u32);
    let steps = words.iter().any(|word| word == "--steps");
    // A line of the topics may name a label of the truth first, and then the words that are looked for.
    let (labels, topics): (Vec<String>, Vec<String>) = topics
        .iter()
        .map(|line| line.split_once('\t').unwrap_or((line, line)))
        .map(|(label, words)| (label.to_owned(), words.to_owned()))
        .unzip();
    let truths = match &told {
        Some(told) => library::truths(&web, told, &labels),
        None => acl::truths(&web, &topics),
    };
    for (topic, truth) in topics.iter().zip(&truths) {
        println!("{topic}: {} relevant", truth.iter().filter(|is| **is).count());
    }
    let mut jobs = Vec::new();
    for which in &chosen {
        for topic in 0..topics.len() {
            for seed in 0..seeds.len() {
                jobs.extend((0..sets.len()).map(|set| (*which, topic, seed, set)));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let runs: Mutex<Vec<Run>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&(which, topic, seed, set)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let mut settings = Settings::new(Topic::words(&topics[topic]), which, budget);
                    sets[set].split(',').filter(|pair| !pair.is_empty()).for_each(|pair| apply(&mut settings, pair));
                    let mut focus = Focus::new(settings);
                    let Some(&from) = web.numbers.get(&seeds[seed]) else { continue };
                    web.walk(&mut focus, &[from]);
                    let hits: Vec<bool> =
                        focus.steps().iter().map(|step| truths[topic][step.page.0 as usize]).collect();
                    let rate = |n: usize| hits.iter().take(n).filter(|hit| **hit).count() as f64 / n as f64;
                    if steps {
                        for (step, hit) in focus.steps().iter().zip(&hits) {
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
                    let agree =
                        focus.steps().iter().zip(&hits).filter(|(step, hit)| step.is_relevant() == **hit).count();
                    let judged = agree as f64 / hits.len().max(1) as f64;
                    let end = focus.ended().map_or("none", |end| end.name()).to_owned();
                    let run = Run {
                        which,
                        topic,
                        seed,
                        set,
                        harvest: [rate(MARKS[0]), rate(MARKS[1]), rate(MARKS[2]), rate(hits.len().max(1))],
                        judged,
                        seconds: start.elapsed().as_secs_f64(),
                        end,
                    };
                    runs.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(run);
                }
            });
        }
    });
    let mut runs = runs.into_inner().unwrap_or_default();
    runs.sort_by_key(|run| (run.topic, run.seed, run.which.name(), run.set));
    if !words.iter().any(|word| word == "--short") {
        for run in &runs {
            let [a, b, c, all] = run.harvest;
            println!(
                "{:28} {:24} {:14} {a:.3} {b:.3} {c:.3} {all:.3}  judged alike {:.3}  {:.1} s  {}",
                topics[run.topic],
                &seeds[run.seed][ROOT.len()..],
                run.which.name(),
                run.judged,
                run.seconds,
                run.end
            );
        }
    }
    for (which, set) in chosen.iter().flat_map(|which| (0..sets.len()).map(move |set| (*which, set))) {
        let of: Vec<&Run> = runs.iter().filter(|run| run.which == which && run.set == set).collect();
        let mean = |at: usize| of.iter().map(|run| run.harvest[at]).sum::<f64>() / of.len().max(1) as f64;
        let seconds = of.iter().map(|run| run.seconds).sum::<f64>() / of.len().max(1) as f64;
        let [a, b, c, all] = [mean(0), mean(1), mean(2), mean(3)];
        println!(
            "mean of {:3} {:14} {a:.3} {b:.3} {c:.3} {all:.3}  {seconds:.1} s  {}",
            of.len(),
            which.name(),
            sets[set]
        );
    }
    Ok(())
}
