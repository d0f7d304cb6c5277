//! `groma jobs` and `groma schedule`: asking for work, doing it, changing one's mind.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use groma_forms::{Options, Site, SiteKind};
use groma_testweb::sites::{Lattice, Slowed};
use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::crawl::FAST;
use crate::{Desk, assert_balance, is_on_server};

const STORE: [&str; 2] = ["--store", "j.groma"];

fn jobs(desk: &Desk, what: &[&str]) -> crate::Done {
    desk.run(&[&["jobs"], what, &STORE[..]].concat())
}

/// A command about jobs that must end well.
fn fine(desk: &Desk, what: &[&str]) -> String {
    let done = jobs(desk, what);
    assert_eq!(done.code, 0, "{what:?}: {}", done.err);
    done.out
}

/// The jobs by number, the first first.
fn rows(desk: &Desk) -> Vec<Value> {
    let mut rows = desk.json(&[&["jobs", "-f", "json"], &STORE[..]].concat());
    rows.sort_by_key(|row| row["job"].as_u64());
    rows
}

fn states(desk: &Desk) -> Vec<String> {
    rows(desk).iter().map(|row| row["state"].as_str().expect("as the test was set up").to_owned()).collect()
}

fn wait_for(desk: &Desk, job: usize, state: &str) {
    let patience = Instant::now() + Duration::from_secs(30);
    while states(desk)[job - 1] != state {
        assert!(Instant::now() < patience, "job {job} does not come to be {state}: {:?}", rows(desk));
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn surveyed(pages: usize) -> (Desk, Server) {
    let (desk, server) = (Desk::new(), Server::start(Lattice::new(pages, 3)));
    let done = desk.run(&[&["crawl", &server.base()], &STORE[..], &FAST[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    (desk, server)
}

#[test]
fn a_package_is_done_in_its_order() {
    let (desk, server) = (Desk::new(), Server::start(Lattice::new(40, 3)));
    let url = server.base();
    let asked = jobs(&desk, &[&["add", "crawl,check,index,map,rank", &url], &FAST[..]].concat());
    assert_eq!((asked.code, asked.out.trim()), (0, "queued: jobs 1, 2, 3, 4, 5"), "{}", asked.err);
    assert!(asked.err.contains("hint: `groma jobs work`"), "{}", asked.err);
    assert_eq!(states(&desk), ["waiting"; 5]);
    assert_eq!(server.total(), 0, "asking does nothing yet");

    fine(&desk, &["work", "--once"]);
    let rows = rows(&desk);
    assert_eq!(states(&desk), ["done"; 5], "{rows:?}");
    for pair in rows.windows(2) {
        assert!(pair[0]["ended"].as_str() <= pair[1]["started"].as_str(), "{pair:?}");
        assert_eq!((&pair[1]["package"], &pair[1]["taken"]), (&1.into(), &1.into()));
    }
    let status = desk.status("j.groma");
    assert_balance(&status);
    assert_eq!(status["fetched"], 40);
    assert_eq!(desk.json(&["search", "-f", "json", "--as-is", "page 7"])[0]["title"], "Page 7");

    let show = fine(&desk, &["show", "1"]);
    assert!(show.contains("job       1 crawl") && show.contains("state     done") && show.contains("log"), "{show}");
    let one = desk.json(&["jobs", "show", "1", "-f", "json", "--store", "j.groma"]).remove(0);
    assert!(
        !one["log"].as_array().unwrap().is_empty() && one["outcome"].as_str().unwrap().contains("40 pages"),
        "{one}"
    );
    assert!(fine(&desk, &[]).lines().count() == 5 && fine(&desk, &["-n", "2"]).lines().count() == 2);
    assert_eq!(fine(&desk, &["--state", "failed"]).trim(), "no jobs");
    let csv = fine(&desk, &["-f", "csv"]);
    assert!(csv.starts_with("store,job,kind,state,") && csv.lines().count() == 6, "{csv}");
    assert_eq!(desk.run(&["verify", "--store", "j.groma"]).code, 0);
}

#[test]
fn a_crawl_that_was_asked_for_is_seen_without_naming_its_folder() {
    let (desk, server) = (Desk::new(), Server::start(Lattice::new(5, 3)));
    let asked = desk.run(&[&["jobs", "add", "crawl", &server.base()], &FAST[..]].concat());
    assert_eq!(asked.code, 0, "{}", asked.err);
    let listed = desk.run(&["jobs"]);
    assert!(listed.code == 0 && listed.out.contains("waiting"), "{} {}", listed.out, listed.err);
    let worked = desk.run(&["jobs", "work", "--once"]);
    assert_eq!(worked.code, 0, "{}", worked.err);
    assert!(desk.run(&["jobs"]).out.contains("done") && desk.run(&["jobs", "show", "1"]).out.contains("done"));
    assert_eq!(server.count("/p/4.html"), 1);
}

#[test]
fn minds_are_changed_while_jobs_wait() {
    let (desk, _server) = surveyed(10);
    fine(&desk, &["add", "map"]);
    fine(&desk, &["add", "check", "index"]);
    fine(&desk, &["add", "rank"]);
    fine(&desk, &["pause", "1"]);
    fine(&desk, &["cancel", "2"]);
    fine(&desk, &["priority", "4", "-5"]);
    assert_eq!(states(&desk), ["paused", "cancelled", "cancelled", "waiting"], "the one behind goes with it");
    assert_eq!(rows(&desk)[3]["priority"], -5);
    fine(&desk, &["work", "--once"]);
    assert_eq!(states(&desk), ["paused", "cancelled", "cancelled", "done"]);
    jobs(&desk, &["pause", "4"]).is_mistake("job 4 is done: it cannot be paused");
    jobs(&desk, &["cancel", "4"]).is_mistake("cannot be cancelled");
    jobs(&desk, &["retry", "4"]).is_mistake("cannot be retried");
    jobs(&desk, &["resume", "4"]).is_mistake("cannot be resumed");
    fine(&desk, &["resume", "1"]);
    fine(&desk, &["retry", "2"]);
    assert_eq!(states(&desk), ["waiting", "waiting", "waiting", "done"]);
    fine(&desk, &["work", "--once"]);
    assert_eq!(states(&desk), ["done"; 4]);
}

#[test]
fn the_most_urgent_goes_first() {
    let (desk, _server) = surveyed(10);
    fine(&desk, &["add", "map"]);
    fine(&desk, &["add", "check", "--priority", "-1"]);
    fine(&desk, &["add", "rank", "--priority", "7"]);
    fine(&desk, &["work", "--once", "--workers", "1"]);
    let mut rows = rows(&desk);
    // Moments have whole seconds: within one, the order shows in the logs' numbers only, so jobs are told apart by `started`.
    rows.sort_by_key(|row| (row["started"].as_str().unwrap().to_owned(), std::cmp::Reverse(row["priority"].as_i64())));
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["rank", "map", "check"]);
}

fn worker(desk: &Desk) -> Child {
    let mut command = desk.command(&[&["jobs", "work"], &STORE[..]].concat());
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("as the test was set up")
}

#[test]
fn a_running_job_is_paused_goes_on_and_outlives_its_worker() {
    let site = Slowed { web: Lattice::new(300, 3), delay: Duration::from_millis(20) };
    let (desk, server) = (Desk::new(), Server::start(site));
    let url = server.base();
    fine(&desk, &["add", "crawl", &url, "--delay", "0", "--per-host", "4", "--alone"]);
    let first = worker(&desk);
    wait_for(&desk, 1, "running");
    fine(&desk, &["pause", "1"]);
    wait_for(&desk, 1, "paused");
    let asked = server.total();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(server.total(), asked, "a paused crawl asks for nothing");
    fine(&desk, &["resume", "1"]);
    wait_for(&desk, 1, "running");
    assert!(Command::new("kill").args(["-INT", &first.id().to_string()]).status().unwrap().success());
    let ended = first.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(states(&desk), ["waiting"], "it waits for the next worker");

    // Another is killed in the middle of it, and nobody has to wait for its lease to run out.
    let mut second = worker(&desk);
    wait_for(&desk, 1, "running");
    second.kill().unwrap();
    second.wait().unwrap();
    let start = Instant::now();
    fine(&desk, &["work", "--once"]);
    assert_eq!(states(&desk), ["done"], "{:?}", rows(&desk));
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(desk.status("j.groma")["fetched"], 300);
    assert!(rows(&desk)[0]["taken"].as_u64().unwrap() >= 4);
    let again: u64 = server.asked().iter().filter(|(path, _)| path.starts_with("/p/")).map(|(_, n)| n - 1).sum();
    assert!(again <= 4, "{again} fetched again: more than were in flight at the kill");
}

#[test]
fn a_job_that_cannot_be_done_fails_and_says_why() {
    let (desk, server) = (Desk::new(), Server::start(|_: &Ask| Answer::status(404)));
    fine(&desk, &[&["add", "crawl,check", &server.base()], &FAST[..]].concat());
    fine(&desk, &["work", "--once"]);
    assert_eq!(states(&desk), ["failed", "cancelled", "cancelled"], "the index would have followed");
    assert!(rows(&desk)[0]["outcome"].as_str().unwrap().contains("nothing could be fetched"), "{:?}", rows(&desk)[0]);
}

#[test]
fn mistakes_with_jobs_are_told() {
    if is_on_server() {
        return;
    }
    let empty = Desk::new();
    empty.run(&["jobs"]).is_mistake("there is no survey");
    empty.run(&["jobs", "add", "crawl"]).is_mistake("");
    empty.run(&["jobs", "work", "--once"]).is_mistake("there is no survey");
    empty.run(&["jobs", "add", "crawl", "ftp://a.example/"]).is_mistake("only http and https");
    empty.run(&["jobs", "add", "crawl", "--store", "absent.groma"]).is_mistake("a crawl needs a URL");
    for what in [["add", "map"], ["show", "1"], ["cancel", "1"]] {
        empty.run(&[&["jobs"], &what[..], &["--store", "absent.groma"]].concat()).is_mistake("absent.groma");
    }
    assert_eq!(std::fs::read_dir(&empty.path).unwrap().count(), 0, "a mistake leaves nothing behind");
    let (desk, _server) = surveyed(3);
    jobs(&desk, &["add", "dance"]).is_mistake("`dance` is no kind of job");
    jobs(&desk, &["add", "map,"]).is_mistake("is no kind of job");
    jobs(&desk, &["show", "7"]).is_mistake("there is no job 7");
    jobs(&desk, &["cancel", "7"]).is_mistake("there is no job 7");
    jobs(&desk, &["show", "x"]).is_mistake("x");
    jobs(&desk, &["--state", "asleep"]).is_mistake("`asleep` is no state");
    jobs(&desk, &["add", "update", "-H", "X-Key: secret"]).is_mistake("no header fields");
    jobs(&desk, &["add", "crawl", "http://me:secret@127.0.0.1:1/"]).is_mistake("no passwords");
    assert!(fine(&desk, &[]).contains("no jobs"));
}

#[test]
fn schedules_are_kept_rest_and_ask_for_their_jobs() {
    let (desk, _server) = surveyed(5);
    let schedule = |what: &[&str]| desk.run(&[&["schedule"], what, &STORE[..]].concat());
    assert!(schedule(&[]).out.contains("no schedules"));
    let added =
        schedule(&["add", "every", "7", "days", "--zone", "Europe/Prague", "--jitter", "30m", "--name", "weekly"]);
    assert!(added.code == 0 && added.out.starts_with("schedule 1: "), "{} {}", added.out, added.err);
    assert_eq!(schedule(&["add", "30 3 * * 1", "--what", "check,map", "--zone", "UTC", "--priority", "3"]).code, 0);
    let rows = || desk.json(&["schedule", "-f", "json", "--store", "j.groma"]);
    let all = rows();
    assert_eq!(all.len(), 2);
    assert_eq!(
        (&all[0]["name"], &all[0]["zone"], &all[0]["jitter_s"]),
        (&"weekly".into(), &"Europe/Prague".into(), &1800.into())
    );
    assert_eq!(all[0]["jobs"].as_array().unwrap().len(), 4, "update, check, index, notify");
    assert!(all[1]["next"].as_str().unwrap().contains("T03:30:00"), "{}", all[1]);
    let kinds: Vec<&str> = all[1]["jobs"].as_array().unwrap().iter().map(|job| job["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["check", "map"]);

    assert_eq!(schedule(&["disable", "1"]).code, 0);
    assert_eq!(rows()[0]["enabled"], false);
    assert!(schedule(&[]).out.contains("(at rest)"));
    assert_eq!(schedule(&["enable", "1"]).code, 0);
    assert_eq!(rows()[0]["enabled"], true);
    assert_eq!(schedule(&["run", "2"]).out.trim(), "queued: jobs 1, 2");
    fine(&desk, &["work", "--once"]);
    assert_eq!(states(&desk), ["done", "done"]);
    assert_eq!(self::rows(&desk)[0]["schedule"], 2);
    assert_eq!(schedule(&["remove", "1"]).code, 0);
    assert_eq!(rows().len(), 1);
    let csv = schedule(&["-f", "csv"]).out;
    assert!(csv.starts_with("store,schedule,name,period,") && csv.lines().count() == 2, "{csv}");

    schedule(&["add", "sometimes"]).is_mistake("`sometimes` is no period");
    schedule(&["add", "every", "1", "minute"]).is_mistake("more often than every 5 minutes");
    schedule(&["add", "daily at 03:00", "--zone", "Mars/Olympus"]).is_mistake("there is no time zone `Mars/Olympus`");
    schedule(&["add", "daily at 03:00", "--what", "dance"]).is_mistake("`dance` is no kind of job");
    schedule(&["add", "daily at 03:00", "--jitter", "soon"]).is_mistake("--jitter soon");
    for what in ["remove", "disable", "enable", "run"] {
        schedule(&[what, "9"]).is_mistake("there is no schedule 9");
    }
    desk.run(&["schedule", "add", "every", "7", "days", "--store", "absent.groma"]).is_mistake("absent.groma");
    assert!(!desk.path.join("absent.groma").exists());
}

#[test]
fn a_gathering_and_a_focused_crawl_are_jobs_like_any_other() {
    let form = Site::start(&Options { rows: Some(60), k: 50, page: 10, ..Options::new(SiteKind::Campsites) }).unwrap();
    let (desk, server) = surveyed(6);
    let url = form.form();
    fine(&desk, &["add", "gather", &url, "--delay", "0", "--format", "csv"]);
    fine(&desk, &["add", "focus", "page", "about", "--pages", "4", "--delay", "0", "--any-type"]);
    let scheduled = format!("gather {url} --delay 0");
    let schedule = ["schedule", "add", "every 7 days", "--what", &scheduled, "--what", "index"];
    assert_eq!(desk.run(&[&schedule, &STORE[..]].concat()).code, 0);
    assert_eq!(desk.run(&[&["schedule", "run", "1"], &STORE[..]].concat()).code, 0);
    // One at a time: a survey is gathered into by one gathering.
    fine(&desk, &["work", "--once", "--workers", "1"]);
    let rows = rows(&desk);
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["gather", "index", "focus", "index", "gather", "index"]);
    assert!(rows.iter().all(|row| row["state"] == "done"), "{rows:?}");
    assert_eq!((&rows[0]["task"]["url"], &rows[4]["task"]["url"]), (&url.as_str().into(), &url.as_str().into()));
    assert!(rows[0]["progress"]["result"].as_str().unwrap().ends_with(".csv"), "{}", rows[0]);
    assert_eq!((&rows[2]["task"]["topic"], &rows[2]["task"]["pages"]), (&"page about".into(), &4.into()));
    assert!(rows[4]["outcome"].as_str().unwrap().contains("60 records"), "{}", rows[4]);
    // What cannot be done is refused when it is asked for, and leaves no survey behind.
    let before = std::fs::read_dir(&desk.path).unwrap().count();
    jobs(&desk, &["add", "gather"]).is_mistake("no database");
    desk.run(&["jobs", "add", "focus", "--seed", "clanek"]).is_mistake("no topic");
    desk.run(&["schedule", "add", "every 7 days", "--what", "gather", "--store", "j.groma"]).is_mistake("no database");
    assert_eq!(std::fs::read_dir(&desk.path).unwrap().count(), before);
    drop(server);
}
