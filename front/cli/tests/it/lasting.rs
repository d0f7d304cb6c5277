//! Nothing is lost: an archive goes on with its survey, and starting over removes nothing before it is sure that it can.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use groma_testweb::Server;
use groma_testweb::sites::{Lattice, Slowed};

use crate::crawl::FAST;
use crate::{Desk, is_on_server};

/// The files of an archive, finished and unfinished.
fn files(desk: &Desk, folder: &str) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let entries = fs::read_dir(desk.path.join(folder)).map(|entries| entries.map(|e| e.expect("an entry").path()));
    let all: Vec<PathBuf> = entries.map(Iterator::collect).unwrap_or_default();
    let with = |ending: &str| all.iter().filter(|path| path.to_string_lossy().ends_with(ending)).cloned().collect();
    (with(".warc.gz"), with(".open"))
}

/// The pages in an archive, as its index tells.
fn archived(desk: &Desk, folder: &str) -> usize {
    let index = fs::read_to_string(desk.path.join(folder).join("index.cdxj")).unwrap_or_default();
    index.lines().filter(|line| line.contains("/p/") || line.contains(")/ ")).count()
}

fn write(desk: &Desk, name: &str, text: &str) {
    let path = desk.path.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

#[test]
fn a_survey_that_was_archived_goes_on_being_archived() {
    let server = Server::start(Lattice::new(80, 3));
    let desk = Desk::new();
    let base = server.base();
    let crawl = |more: &[&str]| {
        let words = [&["crawl", &base, "--store", "s.groma", "--no-sitemaps"], more, &FAST[..]].concat();
        let done = desk.run(&words);
        assert!([0, 4].contains(&done.code), "{}", done.err);
        done
    };
    crawl(&["-n", "10", "--warc", "w"]);
    assert_eq!(archived(&desk, "w"), 10);
    let place = desk.path.join("w").display().to_string();
    let second = crawl(&["-n", "20"]);
    assert_eq!(archived(&desk, "w"), 20, "{}", second.err);
    assert!(second.err.contains(&place) && second.err.contains("--no-warc"), "{}", second.err);
    assert_eq!(desk.status("s.groma")["archive"], place);
    let config = desk.run(&["config", "--store", "s.groma"]);
    assert!(config.out.lines().any(|line| line.contains("warc") && line.contains(&place)), "{}", config.out);
    // A bare command, an update and a focused crawl as well.
    let before = files(&desk, "w").0.len();
    assert!([0, 4].contains(&desk.run(&["update", "--store", "s.groma", "-q"]).code));
    assert!(files(&desk, "w").0.len() > before);
    // Until somebody says otherwise, which is remembered too.
    let before = files(&desk, "w").0.len();
    crawl(&["-n", "30", "--no-warc"]);
    crawl(&["-n", "40"]);
    assert_eq!(files(&desk, "w").0.len(), before);
    assert!(desk.status("s.groma")["archive"].is_null());
    crawl(&["-n", "50", "--warc", "w"]);
    crawl(&["--fresh"]);
    assert!(
        files(&desk, "w").0.len() > before + 1,
        "starting over leaves the archive where it is, and goes on with it"
    );
    assert!(files(&desk, "w").1.is_empty());
}

#[test]
fn a_file_that_a_kill_left_open_is_finished_by_the_next_crawl() {
    let server = Server::start(Slowed { web: Lattice::new(60, 3), delay: Duration::from_millis(20) });
    let desk = Desk::new();
    let base = server.base();
    let words = ["crawl", &base, "--store", "k.groma", "--warc", "w", "-q", "--delay", "0"];
    let mut child = desk.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("groma starts");
    let begun = Instant::now();
    while files(&desk, "w").1.is_empty() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    child.kill().expect("a child can be killed");
    child.wait().expect("a child ends");
    let open = files(&desk, "w").1;
    assert_eq!(open.len(), 1);
    // What is not finished can be read as it is.
    let open = open[0].display().to_string();
    assert_eq!(desk.run(&["import", "warc", &open, "--store", "o.groma", "-q"]).code, 0);
    let done = desk.run(&["crawl", &base, "--store", "k.groma", "-q", "--delay", "0"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(files(&desk, "w").1.is_empty());
    let all: Vec<String> = files(&desk, "w").0.iter().map(|path| path.display().to_string()).collect();
    let mut words = vec!["import", "warc", "--store", "i.groma", "-q"];
    words.extend(all.iter().map(String::as_str));
    assert_eq!(desk.run(&words).code, 0);
    assert_eq!(desk.status("i.groma")["fetched"], 60);
}

#[test]
fn a_gathering_is_archived_like_a_crawl() {
    let options = groma_forms::Options {
        rows: Some(60),
        k: 50,
        page: 10,
        ..groma_forms::Options::new(groma_forms::SiteKind::Campsites)
    };
    let site = groma_forms::Site::start(&options).expect("a site");
    let desk = Desk::new();
    let form = site.form();
    let gather = |more: &[&str]| {
        let done = desk.run(&[&["gather", &form, "--store", "d.groma", "-q", "-s", "delay=0"], more].concat());
        assert_eq!(done.code, 0, "{}", done.err);
    };
    gather(&["--warc", "w"]);
    let first = files(&desk, "w").0.len();
    assert!(first > 0 && files(&desk, "w").1.is_empty());
    gather(&[]);
    assert!(files(&desk, "w").0.len() > first, "a survey begun by a gathering remembers it too");
}

#[test]
fn starting_over_refuses_before_it_removes() {
    if is_on_server() {
        return;
    }
    let server = Server::start(Lattice::new(30, 3));
    let desk = Desk::new();
    let base = server.base();
    let crawl = |more: &[&str]| desk.run(&[&["crawl", &base, "--store", "s.groma", "-q"], more, &FAST[..]].concat());
    assert_eq!(crawl(&[]).code, 0);
    desk.write("file", "mine");
    for wrong in [
        &["--warc", "file"][..],
        &["-s", "warc_level=99", "--warc", "w"],
        &["--scope", "nowhere"],
        &["-s", "limits.page_bytes=0"],
        &["--proxy", "ftp://x"],
        &["-o", "absent/file"],
        &["--user-agent", "bad\nname"],
        &["--cookies", "absent.txt"],
    ] {
        let done = crawl(&[wrong, &["--fresh"]].concat());
        assert_ne!(done.code, 0, "{wrong:?} is refused");
        assert_eq!(desk.status("s.groma")["fetched"], 30, "{wrong:?}: {}", done.err);
    }
    let done = desk.run(&["crawl", "ftp://a.test/", "--store", "s.groma", "--fresh"]);
    assert_ne!(done.code, 0);
    assert_eq!(desk.status("s.groma")["fetched"], 30);
    // What somebody else put there stays, and is no reason to refuse.
    for (name, text) in [("notes.txt", "mine"), ("runs/mine.db", "mine"), ("pictures/holiday.png", "mine")] {
        write(&desk, &format!("s.groma/{name}"), text);
    }
    assert_eq!(crawl(&["--fresh"]).code, 0);
    assert_eq!(desk.status("s.groma")["fetched"], 30);
    for name in ["notes.txt", "runs/mine.db", "pictures/holiday.png"] {
        assert_eq!(fs::read_to_string(desk.path.join("s.groma").join(name)).expect(name), "mine");
    }
}

#[test]
fn starting_over_never_removes_what_is_not_ours() {
    if is_on_server() {
        return;
    }
    let server = Server::start(Lattice::new(5, 2));
    let desk = Desk::new();
    let base = server.base();
    let fresh = |store: &str| {
        let done = desk.run(&[&["crawl", &base, "--store", store, "-q", "--fresh"], &FAST[..]].concat());
        assert_ne!(done.code, 0, "{store}");
        assert!(done.err.contains("hint:"), "{}", done.err);
    };
    // A folder that is no survey.
    write(&desk, "photos/a.jpg", "mine");
    fresh("photos");
    assert_eq!(fs::read_to_string(desk.path.join("photos/a.jpg")).expect("it is there"), "mine");
    // A file of that name that is none of ours.
    write(&desk, "x.groma/survey.db", "mine, whatever it is called");
    fresh("x.groma");
    assert_eq!(fs::read_to_string(desk.path.join("x.groma/survey.db")).expect("it"), "mine, whatever it is called");
    #[cfg(unix)]
    {
        // A link to a survey elsewhere.
        assert_eq!(desk.run(&[&["crawl", &base, "--store", "s.groma", "-q"], &FAST[..]].concat()).code, 0);
        fs::create_dir(desk.path.join("l.groma")).expect("a folder");
        std::os::unix::fs::symlink(desk.path.join("s.groma/survey.db"), desk.path.join("l.groma/survey.db"))
            .expect("a link");
        fresh("l.groma");
        assert!(desk.path.join("l.groma/survey.db").is_symlink());
        assert_eq!(desk.status("s.groma")["fetched"], 5);
        // Copies of runs that lie elsewhere.
        write(&desk, "elsewhere/1.db", "mine");
        std::os::unix::fs::symlink(desk.path.join("elsewhere"), desk.path.join("s.groma/runs")).expect("a link");
        assert_eq!(desk.run(&[&["crawl", &base, "--store", "s.groma", "-q", "--fresh"], &FAST[..]].concat()).code, 0);
        assert_eq!(fs::read_to_string(desk.path.join("elsewhere/1.db")).expect("it is there"), "mine");
    }
}

/// Every command that writes a file, with the beginning of what it writes.
const WRITERS: [(&[&str], &[u8]); 14] = [
    (&["export", "jsonl"], b"{"),
    (&["export", "csv"], b"url"),
    (&["export", "markdown"], b"---"),
    (&["export", "surt"], b"http"),
    (&["export", "sqlite"], b"SQLite format 3"),
    (&["export", "warc"], &[0x1f, 0x8b]),
    (&["export", "wacz"], b"PK"),
    (&["map", "-f", "json"], b"{"),
    (&["map", "-f", "html"], b"<!"),
    (&["report"], b"<!"),
    (&["check", "-f", "junit"], b"<"),
    (&["pages", "-f", "json"], b"{"),
    (&["rank", "-f", "csv"], b"url"),
    (&["status", "-f", "json"], b"{"),
];

#[cfg(unix)]
#[test]
fn what_an_output_is_named_by_stays_what_it_is() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;
    if is_on_server() {
        return;
    }
    let server = Server::start(Lattice::new(8, 2));
    let desk = Desk::new();
    let base = server.base();
    let done = desk.run(&[&["crawl", &base, "--store", "s.groma", "-q", "--warc", "w"], &FAST[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let write = |words: &[&str], to: &str| desk.run(&[words, &["--store", "s.groma", "-o", to]].concat());
    let fine = |words: &[&str], to: &str| {
        let done = write(words, to);
        assert!([0, 1].contains(&done.code), "{words:?} -o {to}: {} {}", done.code, done.err);
    };
    fs::create_dir(desk.path.join("far")).expect("a folder");
    let fifo = desk.path.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let full = desk.path.join("full");
    let made = Command::new("mknod").arg(&full).args(["c", "1", "7"]).stderr(Stdio::null()).status();
    let has_full = made.is_ok_and(|status| status.success()) && fs::OpenOptions::new().write(true).open(&full).is_ok();
    for (number, (words, begins)) in WRITERS.into_iter().enumerate() {
        let says = |path: &PathBuf| {
            let bytes = fs::read(path).unwrap_or_default();
            assert!(bytes.starts_with(begins), "{words:?}: {:?}", &bytes[..bytes.len().min(20)]);
        };
        // A link, first to nothing, then to a file that others may read.
        let (link, target) = (desk.path.join(format!("l{number}.html")), desk.path.join(format!("far/t{number}.html")));
        symlink(&target, &link).expect("a link");
        fine(words, &link.display().to_string());
        says(&target);
        fs::set_permissions(&target, fs::Permissions::from_mode(0o604)).expect("a mode");
        let again = write(words, &link.display().to_string());
        // A file that others may have written into is not replaced by another.
        assert_eq!(again.code == 2, words == ["export", "sqlite"], "{words:?}: {}", again.err);
        says(&target);
        assert!(link.is_symlink(), "{words:?}");
        assert_eq!(fs::metadata(&target).expect("a file").permissions().mode() & 0o777, 0o604, "{words:?}");
        // A FIFO.
        let (reader, path) = (fifo.clone(), fifo.display().to_string());
        let reader = std::thread::spawn(move || fs::read(reader).expect("bytes"));
        fine(words, &path);
        assert!(reader.join().expect("a reader").starts_with(begins), "{words:?}");
        assert!(fs::symlink_metadata(&fifo).expect("it").file_type().is_fifo(), "{words:?}");
        // A device that is full.
        if has_full {
            let done = write(words, &full.display().to_string());
            assert!(fs::symlink_metadata(&full).expect("it").file_type().is_char_device(), "{words:?}");
            assert_eq!(done.code, 2, "{words:?}: {}", done.err);
            assert!(done.err.contains("No space left") && done.err.contains("hint:"), "{words:?}: {}", done.err);
        }
    }
    for (words, _) in WRITERS.iter().filter(|(words, _)| words != &["report"]) {
        let done = write(words, "far");
        assert_eq!(done.code, 2, "{words:?} into a folder: {}", done.err);
    }
    let left: Vec<_> =
        fs::read_dir(&desk.path).expect("it").map(|entry| entry.expect("an entry").file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
}
