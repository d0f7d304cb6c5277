//! Too few files or threads are our own trouble: no server is blamed for them, nothing is lost, and it is said.
#![cfg(target_os = "linux")]

use std::process::Command;

use groma_testweb::sites::Lattice;
use groma_testweb::{Answer, Ask, Neighbours, Server};

use crate::content::paper;
use crate::{Desk, Done, assert_balance};

/// Runs a command in a shell that takes something away first.
fn less(desk: &Desk, limit: &str, words: &[&str]) -> Done {
    Done::from_output(&limited(limit, &desk.command(words), desk).output().expect("a shell"))
}

/// The same command in a shell that takes something away first.
pub(crate) fn limited(limit: &str, plain: &Command, desk: &Desk) -> Command {
    let mut command = Command::new("/bin/sh");
    command.current_dir(&desk.path).args(["-c", &format!("{limit} && exec \"$0\" \"$@\"")]);
    command.arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[test]
fn two_hundred_hosts_and_sixty_four_files() {
    let web = Neighbours::start(200, 2);
    let desk = Desk::new();
    desk.write("hosts", &web.seeds().join("\n"));
    let words = ["crawl", "-i", "hosts", "--store", "s.groma", "--delay", "0", "-c", "64", "--no-sitemaps"];
    let done = less(&desk, "ulimit -n 64", &words);
    assert_eq!(done.code, 0, "{}", done.err);
    let status = desk.status("s.groma");
    assert_balance(&status);
    for reason in ["robots-unreachable", "time-out", "refused", "reset", "dns-failure"] {
        assert!(status["reasons"][reason].is_null(), "{reason}: {status}");
    }
    assert!(status["fetched"].as_u64() >= Some(200), "{status}");
    assert_eq!((&status["queued"], &status["broken_parts"]["unreachable"]), (&0.into(), &0.into()), "{status}");
    assert!(done.err.contains("ulimit -n"), "it is said: {}", done.err);
    assert!(status["limits_hit"]["open_files"].as_u64() > Some(0), "it is counted: {status}");
}

#[test]
fn too_few_files_to_begin_with_are_told() {
    let server = Server::start(Lattice::new(3, 2));
    let desk = Desk::new();
    for files in [8, 12, 20, 40] {
        let base = server.base();
        let done = less(&desk, &format!("ulimit -n {files}"), &["crawl", &base, "--store", "s.groma", "--delay", "0"]);
        assert!(!done.err.contains("panicked"), "{files}: {}", done.err);
        assert_eq!(done.code, 2, "{files}: {}", done.err);
        assert!(done.err.contains("hint:"), "{files}: {}", done.err);
    }
    assert_eq!(less(&desk, "ulimit -n 100", &["crawl", &server.base(), "--store", "s.groma", "--delay", "0"]).code, 0);
    for words in [
        &["status", "--store", "s.groma"][..],
        &["pages", "--store", "s.groma"],
        &["search", "page", "--store", "s.groma"],
    ] {
        let done = less(&desk, "ulimit -n 12", words);
        assert!(!done.err.contains("panicked"), "{words:?}: {}", done.err);
    }
    for files in 16..40 {
        let _ = std::fs::remove_dir_all(desk.path.join("s.groma/index"));
        let done = less(&desk, &format!("ulimit -n {files}"), &["index", "--store", "s.groma"]);
        assert!([0, 2].contains(&done.code), "{files}: {}", done.err);
        assert!(done.code == 0 || !done.err.contains("{") && done.err.contains("ulimit -n"), "{files}: {}", done.err);
    }
}

#[test]
fn a_small_stack_is_enough() {
    let server = Server::start(Lattice::new(3, 2));
    let desk = Desk::new();
    let done = less(&desk, "ulimit -s 100", &["crawl", &server.base(), "--store", "s.groma", "--delay", "0"]);
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn documents_and_an_archive_with_few_files() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html(
            (0..30).map(|n| format!("<a href='/{n}.html'>{n}</a> <a href='/{n}.pdf'>d</a>")).collect::<String>(),
        ),
        path if path.ends_with(".pdf") => Answer::typed("application/pdf", paper()),
        path if path.ends_with(".html") => Answer::html(format!("<title>{path}</title><p>Words of {path}.")),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    let words =
        ["crawl", &server.base(), "--store", "s.groma", "--delay", "0", "-c", "64", "--per-host", "4", "--warc", "w"];
    let done = less(&desk, "ulimit -n 64", &words);
    assert_eq!(done.code, 0, "{}", done.err);
    let status = desk.status("s.groma");
    assert_eq!(status["fetched"], 61, "{status}");
    let notes: Vec<_> = desk.json(&["pages", "-f", "json", "--store", "s.groma"]);
    let unread =
        notes.iter().filter(|page| page["note"].as_str().is_some_and(|note| note.contains("not read"))).count();
    assert_eq!(unread, 0, "{notes:?}");
}
