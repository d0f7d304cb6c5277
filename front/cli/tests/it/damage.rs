//! A bit of a file is flipped: whoever asks gets the same answer or an error, or `verify` tells; and most of it can be restored.
//! (`groma-bench flips` does so thousands of times.)

use std::path::{Path, PathBuf};

use crate::{Desk, is_on_server};

const STORE: &str = "d.groma";
const ANSWERS: [&[&str]; 6] = [
    &["status", "-f", "json"],
    &["pages", "-f", "json"],
    &["map"],
    &["search", "groma", "-f", "json"],
    &["jobs", "-f", "json"],
    &["links", "-f", "json"],
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("as the test was set up").flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found.retain(|path| {
        path.metadata().expect("as the test was set up").len() > 0 && !path.to_string_lossy().ends_with("-shm")
    });
    found
}

fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).expect("as the test was set up"));
        std::fs::create_dir_all(target.parent().expect("as the test was set up")).expect("as the test was set up");
        std::fs::copy(path, target).expect("as the test was set up");
    }
}

#[test]
fn a_flipped_bit_in_any_file_is_noticed_and_most_are_repaired() {
    if is_on_server() {
        return;
    }
    let desk = Desk::new();
    assert_eq!(desk.run(&["demo", "--store", STORE, "-q"]).code, 0);
    assert_eq!(desk.run(&["index", "-q", "--store", STORE]).code, 0);
    assert_eq!(desk.run(&["jobs", "add", "map", "--store", STORE]).code, 0);
    assert_eq!(desk.run(&["jobs", "work", "--once", "--store", STORE]).code, 0);
    let (store, whole) = (desk.path.join(STORE), desk.path.join("whole"));
    copy(&store, &whole);
    let answers = || -> Vec<(i32, String)> {
        ANSWERS
            .iter()
            .map(|words| {
                let done = desk.run(&[*words, &["--store", STORE]].concat());
                assert!(!done.err.contains("panicked") && (0..=4).contains(&done.code), "{words:?}: {}", done.err);
                (done.code, done.out)
            })
            .collect()
    };
    let expected = answers();
    assert!(expected.iter().all(|(code, _)| *code == 0), "{expected:?}");
    let mut place = 77usize;
    for path in files(&whole) {
        let name = path.strip_prefix(&whole).unwrap();
        copy(&whole, &store);
        let mut bytes = std::fs::read(&path).unwrap();
        place = place.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let bit = (place >> 7) % (bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(store.join(name), &bytes).unwrap();
        let found = answers();
        let verified = desk.run(&["verify", "--store", STORE]);
        assert!(!verified.err.contains("panicked") && (0..=2).contains(&verified.code), "{}", verified.err);
        let same = found.iter().zip(&expected).all(|(found, expected)| found == expected || found.0 == 2);
        assert!(same || verified.code > 0, "bit {bit} of {} changes an answer in silence", name.display());
        let derived = name.starts_with("index") || name.extension().is_some_and(|ending| ending == "db");
        if verified.code > 0 && derived {
            assert!(verified.err.contains("groma verify --repair"), "{}", verified.err);
            let done = desk.run(&["verify", "--repair", "-f", "json", "--store", STORE]);
            assert_eq!(done.code, 0, "bit {bit} of {}: {} {}", name.display(), done.out, done.err);
            assert!(!done.json()[0]["restored"].as_array().unwrap().is_empty(), "{}", done.out);
            assert!(answers() == expected, "bit {bit} of {}", name.display());
        }
    }
}

#[test]
fn what_is_lost_is_queued_and_fetched_again() {
    if is_on_server() {
        return;
    }
    let site = groma_testweb::Server::start(groma_testweb::sites::Lattice::new(200, 5));
    let desk = Desk::new();
    let start = format!("{}/", site.base());
    let crawl = ["crawl", &start, "--store", STORE, "-q", "--delay", "0"];
    assert_eq!(desk.run(&crawl).code, 0);
    let before = desk.status(STORE);
    let path = desk.path.join(STORE).join("survey.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // A whole page of the file that is not the first of a table.
    let last = bytes.len() - 2 * 4096;
    bytes[last..last + 4096].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(desk.run(&["verify", "--store", STORE]).code, 1);
    let done = desk.run(&["verify", "--repair", "-f", "json", "--store", STORE]);
    let told = done.json().remove(0);
    assert_eq!((done.code, told["wrong"].as_u64()), (1, Some(0)), "{}", done.out);
    assert!(!told["lost"].as_array().unwrap().is_empty(), "{told}");
    assert_eq!(desk.run(&["verify", "--store", STORE]).code, 0);
    assert_eq!(desk.run(&crawl).code, 0);
    let after = desk.status(STORE);
    for key in ["fetched", "discovered", "queued"] {
        assert_eq!(after[key], before[key], "{key}: {told}");
    }
    assert_eq!(desk.run(&["verify", "--store", STORE]).code, 0);
}

/// The files of the archive or of the index whose names end so.
fn with_ending(desk: &Desk, folder: &str, ending: &str) -> Vec<PathBuf> {
    files(&desk.path.join(folder)).into_iter().filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

#[test]
fn a_file_of_an_archive_that_is_gone_is_named_and_lost() {
    if is_on_server() {
        return;
    }
    let site = groma_testweb::Server::start(groma_testweb::sites::Lattice::new(40, 3));
    let desk = Desk::new();
    let start = format!("{}/", site.base());
    let limited = desk.run(&["crawl", &start, "--store", STORE, "-q", "--delay", "0", "--warc", "w", "-n", "20"]);
    assert_eq!(limited.code, 4, "{}", limited.err);
    assert_eq!(desk.run(&["crawl", &start, "--store", STORE, "-q", "--delay", "0"]).code, 0);
    let gone = with_ending(&desk, "w", ".warc.gz").remove(0);
    std::fs::remove_file(&gone).unwrap();
    let name = format!("{} is gone or empty, and with it ", gone.file_name().unwrap().display());
    let verified = desk.run(&["verify", "--store", STORE]);
    assert!(verified.code == 1 && (verified.out + &verified.err).contains(&name));
    let done = desk.run(&["verify", "--repair", "-f", "json", "--store", STORE]);
    let told = done.json().remove(0);
    assert!(done.code == 1 && told["lost"].to_string().contains(&name), "{told}");
    assert!(told["restored"].to_string().contains("the index of the archive"), "{told}");
    assert_eq!(desk.run(&["verify", "--store", STORE]).code, 0, "it was said once; now index and files agree");
}

#[test]
fn files_of_the_index_that_are_gone_or_stand_in_for_each_other_are_noticed_and_made_anew() {
    if is_on_server() {
        return;
    }
    let desk = Desk::new();
    let site = groma_testweb::Server::start(groma_testweb::sites::Lattice::new(30, 3));
    let start = format!("{}/", site.base());
    let crawl = ["crawl", &start, "--store", STORE, "-q", "--delay", "0"];
    // Two commits: two segments.
    assert_eq!(desk.run(&[&crawl[..], &["-n", "15"]].concat()).code, 4);
    assert_eq!(desk.run(&["index", "-q", "--store", STORE]).code, 0);
    assert_eq!(desk.run(&crawl).code, 0);
    assert_eq!(desk.run(&["index", "-q", "--store", STORE]).code, 0);
    let index = format!("{STORE}/index");
    let damages: [(&str, &dyn Fn()); 5] = [
        ("`words` is missing", &|| std::fs::remove_file(&with_ending(&desk, &index, "/words")[0]).unwrap()),
        ("`places` is missing", &|| std::fs::remove_file(&with_ending(&desk, &index, "/places")[0]).unwrap()),
        ("`titles` is missing", &|| std::fs::remove_file(&with_ending(&desk, &index, "/titles")[0]).unwrap()),
        ("the index is damaged", &|| swap(&with_ending(&desk, &index, ".idx"))),
        ("the index is damaged", &|| swap(&with_ending(&desk, &index, ".term"))),
    ];
    let (store, whole) = (desk.path.join(STORE), desk.path.join("whole"));
    copy(&store, &whole);
    for (says, damage) in damages {
        copy(&whole, &store);
        damage();
        let verified = desk.run(&["verify", "--store", STORE]);
        assert!(verified.code == 1 && verified.out.contains(says), "{says}: {} {}", verified.out, verified.err);
        let done = desk.run(&["verify", "--repair", "--store", STORE]);
        assert_eq!(done.code, 0, "{says}: {} {}", done.out, done.err);
    }
}

#[test]
fn whole_files_that_are_gone_or_empty_are_missed() {
    if is_on_server() {
        return;
    }
    let desk = Desk::new();
    let site = groma_testweb::Server::start(groma_testweb::sites::Lattice::new(30, 3));
    let start = format!("{}/", site.base());
    let crawl = ["crawl", &start, "--store", STORE, "-q", "--delay", "0"];
    assert_eq!(desk.run(&[&crawl[..], &["-n", "15"]].concat()).code, 4);
    std::fs::copy(desk.path.join(STORE).join("survey.db"), desk.path.join("older.db")).unwrap();
    assert_eq!(desk.run(&crawl).code, 0);
    let commands = [
        &["update", "-q", "--keep"][..],
        &["index", "-q"],
        &["jobs", "add", "map"],
        &["jobs", "work", "--once"],
        &["bounds", "-q"],
    ];
    for command in commands {
        let done = desk.run(&[command, &["--store", STORE]].concat());
        assert_eq!(done.code, 0, "{command:?}: {}", done.err);
    }
    let (store, whole) = (desk.path.join(STORE), desk.path.join("whole"));
    copy(&store, &whole);
    let older = || assert!(std::fs::copy(desk.path.join("older.db"), store.join("survey.db")).is_ok());
    let gone = |name: &'static str| std::fs::remove_file(store.join(name)).unwrap();
    let emptied = |name: &'static str| std::fs::write(store.join(name), "").unwrap();
    let damages: [(&str, &dyn Fn()); 7] = [
        ("jobs.db is gone, with all that was in it", &|| gone("jobs.db")),
        ("jobs.db is damaged: it is empty", &|| emptied("jobs.db")),
        ("bounds.db is gone, with all that was in it", &|| gone("bounds.db")),
        ("runs/2.db is gone, with all that was in it", &|| gone("runs/2.db")),
        ("runs/2.db: it is empty", &|| emptied("runs/2.db")),
        ("its checksum is missing", &|| emptied("results/sums")),
        ("an older copy of the survey has taken its place", &older),
    ];
    for (says, damage) in damages {
        copy(&whole, &store);
        assert_eq!(desk.run(&["verify", "--store", STORE]).code, 0, "before {says}");
        damage();
        for _ in 0..2 {
            let verified = desk.run(&["verify", "--store", STORE]);
            assert!(verified.code == 1 && verified.out.contains(says), "{says}: {} {}", verified.out, verified.err);
        }
        let done = desk.run(&["verify", "--repair", "--store", STORE]);
        let verified = desk.run(&["verify", "--store", STORE]);
        assert_eq!(verified.code, 0, "{says}: {} {} {}", done.out, verified.out, verified.err);
    }
}

fn swap(files: &[PathBuf]) {
    assert!(files.len() > 1, "{files:?}");
    let (one, other) = (
        std::fs::read(&files[0]).expect("as the test was set up"),
        std::fs::read(&files[1]).expect("as the test was set up"),
    );
    for (path, bytes) in [(&files[0], other), (&files[1], one)] {
        // It may be open: others see it until it is replaced.
        std::fs::remove_file(path).expect("as the test was set up");
        std::fs::write(path, bytes).expect("as the test was set up");
    }
}
