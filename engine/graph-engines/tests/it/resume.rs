//! A run that ends in the middle goes on where it was.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use groma_graph::pagerank::Settings;
use groma_graph_engines::{Engine, Going, GraphEngineError, Input, Local, PartSettings, open};

use crate::cluster::clusters;
use crate::graphs::{assert_same_ranks, quiet, ranks, webs, wholes, write_links};
use crate::scratch::Scratch;

const SETTINGS: Settings = Settings { damping: 0.85, tolerance: 1e-9, rounds: 12, navigation: 1.0 };

#[test]
fn whoever_stops_goes_on_with_the_next_round() {
    for (_, address) in clusters() {
        let scratch = Scratch::new("stop");
        write_links(&scratch.join("links"), &webs()[0].links);
        let input = Input::Links(scratch.join("links"));
        let local = Local::open(&input, &scratch.join("local")).unwrap().ranks(&SETTINGS, &mut quiet).unwrap();
        let mut seen = Vec::new();
        for stop in [3, 4, 9] {
            let mut engine = open(&address, &input, &scratch.join("work")).unwrap();
            let error = engine.ranks(&SETTINGS, &mut |progress| {
                seen.push(progress.round);
                if progress.round == stop { Going::Stop } else { Going::On }
            });
            assert!(matches!(error, Err(GraphEngineError::Stopped { round, .. }) if round == stop));
        }
        // A mark that is half written is none: the round before it is whole.
        for entry in std::fs::read_dir(scratch.path().join("work/rounds/ranks/mark-1")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "parquet") {
                std::fs::write(&path, "PAR1").unwrap();
            }
        }
        let mut engine = open(&address, &input, &scratch.join("work")).unwrap();
        let done = engine.ranks(&SETTINGS, &mut |progress| {
            seen.push(progress.round);
            Going::On
        });
        let done = done.unwrap();
        assert_eq!(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12]);
        assert_same_ranks(&ranks(&local), &ranks(&done), "after stops");
        // Nothing is left to do; other settings and other links begin anew.
        let mut none = |_: &_| panic!("no round is left");
        assert_eq!(engine.ranks(&SETTINGS, &mut none).unwrap().rounds, 12);
        let mut first = 0;
        let other = Settings { damping: 0.5, rounds: 2, ..SETTINGS };
        engine
            .ranks(&other, &mut |progress| {
                if first == 0 {
                    first = progress.round;
                }
                Going::On
            })
            .unwrap();
        assert_eq!(first, 1);
        write_links(&scratch.join("links"), &webs()[2].links);
        let mut engine = open(&address, &input, &scratch.join("work")).unwrap();
        let local = Local::open(&input, &scratch.join("local")).unwrap().ranks(&SETTINGS, &mut quiet).unwrap();
        assert_same_ranks(&ranks(&local), &ranks(&engine.ranks(&SETTINGS, &mut quiet).unwrap()), "other links");
    }
}

#[test]
fn maps_and_parts_go_on_too() {
    for (_, address) in clusters() {
        let scratch = Scratch::new("steps");
        write_links(&scratch.join("links"), &webs()[2].links);
        let input = Input::Links(scratch.join("links"));
        let mut local = Local::open(&input, &scratch.join("local")).unwrap();
        let few = Settings { rounds: 3, ..SETTINGS };
        local.ranks(&few, &mut quiet).unwrap();
        open(&address, &input, &scratch.join("work")).unwrap().ranks(&few, &mut quiet).unwrap();
        let mut rounds = Vec::new();
        let mut tired = |step: &progress::Step| {
            rounds.push(step.round);
            if step.round == 4 && rounds.iter().filter(|&&round| round == 4).count() == 1 {
                Going::Stop
            } else {
                Going::On
            }
        };
        assert!(open(&address, &input, &scratch.join("work")).unwrap().map(0, &mut tired).is_err());
        let map = open(&address, &input, &scratch.join("work")).unwrap().map(0, &mut tired).unwrap();
        let columns = ["id", "layer", "parent", "position"];
        assert_eq!(wholes(&map, &columns), wholes(&local.map(0, &mut quiet).unwrap(), &columns));
        assert_eq!(rounds, (1..=13).collect::<Vec<_>>());
        let settings = PartSettings { largest: 4, rounds: 6 };
        let stop = open(&address, &input, &scratch.join("work")).unwrap().parts(&settings, &mut |_| Going::Stop);
        assert!(stop.is_err());
        let parts = open(&address, &input, &scratch.join("work")).unwrap().parts(&settings, &mut quiet).unwrap();
        assert_eq!(
            wholes(&parts, &["id", "part"]),
            wholes(&local.parts(&settings, &mut quiet).unwrap(), &["id", "part"])
        );
    }
}

mod progress {
    pub(crate) use groma_graph_engines::Progress as Step;
}

/// The process that is killed: not a test of its own.
#[test]
#[ignore = "started and killed by the test below"]
fn victim() {
    let (Ok(address), Ok(links), Ok(work)) =
        (std::env::var("VICTIM_ADDRESS"), std::env::var("VICTIM_LINKS"), std::env::var("VICTIM_WORK"))
    else {
        return;
    };
    let settings = Settings { rounds: 40, ..SETTINGS };
    let _ = open(&address, &Input::Links(links), &work).unwrap().ranks(&settings, &mut quiet);
}

#[test]
fn kill_minus_nine_loses_at_most_the_round_at_work() {
    for (variable, address) in clusters() {
        let scratch = Scratch::new("kill");
        write_links(&scratch.join("links"), &webs()[0].links);
        let input = Input::Links(scratch.join("links"));
        let settings = Settings { rounds: 40, ..SETTINGS };
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "resume::victim"])
            .env("VICTIM_ADDRESS", &address)
            .env("VICTIM_LINKS", scratch.join("links"))
            .env("VICTIM_WORK", scratch.join("work"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Killed at work: as soon as both places have been written.
        let both = scratch.path().join("work/rounds/ranks/mark-1");
        let begun = Instant::now();
        while !both.exists() && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(120));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut engine = open(&address, &input, &scratch.join("work")).unwrap();
        let mut first = None;
        let done = engine.ranks(&settings, &mut |progress| {
            first.get_or_insert(progress.round);
            Going::On
        });
        let local = Local::open(&input, &scratch.join("local")).unwrap().ranks(&settings, &mut quiet).unwrap();
        assert_same_ranks(&ranks(&local), &ranks(&done.unwrap()), variable);
        assert!(first.is_some_and(|round| round >= 2), "{variable}: began anew: {first:?}");
    }
}
