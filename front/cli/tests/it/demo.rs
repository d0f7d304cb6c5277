//! The first command works, offline, at once.

use std::time::{Duration, Instant};

use crate::{Desk, assert_balance, exists, is_on_server};

#[test]
fn the_demonstration_reports_and_leaves_nothing_behind() {
    if is_on_server() {
        return;
    }
    let desk = Desk::new();
    let begun = Instant::now();
    let done = desk.run(&["demo"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    for word in ["discovered", "fetched", "finished"] {
        assert!(done.out.contains(word), "{}", done.out);
    }
    assert!(!done.out.contains('\x1b') && !done.err.contains('\x1b'));
    assert_eq!(std::fs::read_dir(&desk.path).unwrap().count(), 0);
}

#[test]
fn the_demonstration_finds_the_truth_of_its_site() {
    let desk = Desk::new();
    let lines = desk.json(&["demo", "-f", "json", "--store", "kept.groma"]);
    let summary = &lines.last().unwrap()["summary"];
    assert_eq!(summary["end"], "finished");
    assert_eq!(summary["fetched"], 38, "32 pages and 6 images: {summary}");
    assert_eq!(summary["broken"], 1);
    assert_eq!(summary["reasons"]["not-found"], 1);
    assert_eq!(summary["reasons"]["robots"], 1);
    assert_eq!(summary["results"]["map"]["pages"], 32, "an image is no page; one page is not reached, one not fetched");
    assert_eq!(summary["reasons"]["redirected"], 1);
    assert_balance(summary);
    let rows = &lines[..lines.len() - 1];
    assert!(rows.iter().any(|row| row["status"] == 404) && rows.iter().any(|row| row["title"] == "Muzeum měření"));
    assert!(exists(&desk.path, "kept.groma"));
    let loose: Vec<_> = desk
        .json(&["pages", "-f", "json", "--state", "fetched"])
        .into_iter()
        .filter(|p| p["depth"].is_null())
        .collect();
    assert_eq!(loose.len(), 1);
    assert_eq!(desk.run(&["verify"]).code, 0);
    let languages = desk.json(&["pages", "-f", "json", "--state", "fetched"]);
    for language in ["en", "de", "cs"] {
        assert!(languages.iter().any(|page| page["language"] == language), "{language}");
    }
}

#[test]
fn manual_and_completions_are_printed() {
    let desk = Desk::new();
    assert!(desk.run(&["man"]).out.contains(".TH groma"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(desk.run(&["completions", shell]).out.contains("groma"), "{shell}");
    }
    let help = desk.run(&["crawl", "--help"]);
    assert_eq!(help.code, 0);
    for flag in ["--depth", "--i-own-this-site", "-H", "--resolve"] {
        assert!(help.out.contains(flag), "{flag}");
    }
}
