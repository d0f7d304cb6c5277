//! Kills, two writers, damage, other versions: nothing is lost, and readers go on.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_search::{Index, SearchError};
use groma_store::Folder;

use crate::{Page, Site, page};

fn many(count: usize) -> Vec<Page> {
    (0..count)
        .map(|n| page(&format!("/{n}"), &format!("Page {n}"), &format!("walnut number{n} {}", "text ".repeat(200))))
        .collect()
}

#[test]
fn no_index_is_no_error() {
    let mut site = Site::with_pages(&[page("/", "x", "y")]);
    assert!(Index::open(&site.folder).unwrap().is_none());
    assert!(site.complaints().is_empty());
}

#[test]
fn two_at_once_do_not_mix() {
    let mut site = Site::with_pages(&many(50));
    site.follow();
    let mut first = Folder::new(&site.folder).read().unwrap();
    let mut second = Folder::new(&site.folder).read().unwrap();
    let folder = site.folder.clone();
    let mut refused = false;
    let stop = AtomicBool::new(false);
    Index::follow(&folder, &mut first, true, &stop, &mut |_| {
        let other = Index::follow(&folder, &mut second, false, &AtomicBool::new(false), &mut |_| {});
        refused |= matches!(other, Err(SearchError::Busy));
    })
    .unwrap();
    assert!(refused);
}

#[test]
fn what_was_stopped_goes_on() {
    let mut site = Site::with_pages(&many(1_000));
    let mut reader = Folder::new(&site.folder).read().unwrap();
    let stop = AtomicBool::new(false);
    let halfway = &mut |step: groma_search::IndexProgress| {
        if step.done >= 500 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let first = Index::follow(&site.folder, &mut reader, false, &stop, halfway).unwrap();
    assert!(first.interrupted && first.written > 0 && first.written < 1_000, "{first:?}");
    assert_eq!(first.watermark, 0);
    assert!(Index::open(&site.folder).unwrap().is_none(), "it does not answer before it is whole");
    let second = site.follow();
    assert!(!second.interrupted && second.written == 1_000 - first.written, "{second:?}");
    assert_eq!((second.pages, site.ask("walnut").total), (1_000, 1_000));
    assert!(site.complaints().is_empty());
}

#[test]
fn an_index_made_anew_takes_over_at_once() {
    let mut site = Site::with_pages(&many(300));
    site.follow();
    let index = site.open();
    let mut reader = Folder::new(&site.folder).read().unwrap();
    let mut asked = 0;
    let folder = site.folder.clone();
    let followed = Index::follow(&folder, &mut reader, true, &AtomicBool::new(false), &mut |_| {
        let open = Index::open(&folder).unwrap().unwrap();
        assert_eq!(site.ask_of(&open, "walnut").total, 300);
        assert_eq!(site.ask_of(&index, "walnut").total, 300);
        asked += 1;
    })
    .unwrap();
    assert!(asked > 3 && followed.written == 300);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(site.ask_of(&index, "walnut").total, 300);
    let generations = fs::read_dir(site.folder.join("index")).unwrap().flatten();
    assert_eq!(generations.filter(|entry| entry.file_name().to_string_lossy().starts_with("gen-")).count(), 1);
}

#[test]
fn another_version_and_damage_are_said_and_mended() {
    let mut site = Site::with_pages(&many(20));
    site.follow();
    let current = site.folder.join("index/current");
    let line = fs::read_to_string(&current).unwrap();
    fs::write(&current, format!("999 {}", line.split_once(' ').unwrap().1)).unwrap();
    assert!(matches!(Index::open(&site.folder), Err(SearchError::Unusable(_))));
    assert_eq!(site.complaints().len(), 1);
    assert_eq!(site.follow().pages, 20);
    assert_eq!(site.ask("walnut").total, 20);
    let generation = fs::read_to_string(&current).unwrap().trim().split_once(' ').unwrap().1.to_owned();
    let text = site.folder.join("index").join(&generation).join("text");
    let damaged =
        fs::read_dir(&text).unwrap().flatten().find(|e| e.path().extension().is_some_and(|x| x == "idx")).unwrap();
    let mut bytes = fs::read(damaged.path()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::remove_file(damaged.path()).unwrap();
    fs::write(damaged.path(), bytes).unwrap();
    assert!(site.complaints().iter().any(|line| line.contains("is damaged")), "{:?}", site.complaints());
    fs::write(text.join("meta.json"), "{}").unwrap();
    assert!(Index::open(&site.folder).is_err());
    assert_eq!(site.follow().pages, 20, "made anew by itself");
    assert!(site.complaints().is_empty());
}

/// Run by [`a_kill_at_any_moment_leaves_an_index_that_goes_on`] in a process of its own.
#[test]
fn child_that_is_killed() {
    let Some(folder) = std::env::var_os("GROMA_SEARCH_TEST_FOLDER") else { return };
    let folder = std::path::PathBuf::from(folder);
    let mut reader = Folder::new(&folder).read().unwrap();
    let _ = Index::follow(&folder, &mut reader, false, &AtomicBool::new(false), &mut |_| {});
}

#[test]
fn a_kill_at_any_moment_leaves_an_index_that_goes_on() {
    let mut site = Site::with_pages(&many(400));
    site.follow();
    for round in 0..8u64 {
        let changed: Vec<Page> = (0..400)
            .map(|n| page(&format!("/{n}"), "Page", &format!("walnut round{round} {}", "text ".repeat(200))))
            .collect();
        site.write(&changed);
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["safety::child_that_is_killed", "--exact"])
            .env("GROMA_SEARCH_TEST_FOLDER", &site.folder)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20 + round * 45));
        child.kill().unwrap();
        child.wait().unwrap();
        let answer = site.ask("walnut");
        assert_eq!(answer.total, 400, "round {round}: the last commit answers");
        assert!(site.complaints().is_empty(), "round {round}: {:?}", site.complaints());
        site.follow();
        assert_eq!(site.ask(&format!("round{round}")).total, 400);
        assert!(site.complaints().is_empty(), "round {round}: {:?}", site.complaints());
    }
}

/// A small disk where the index lies, if the system lets us have one.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(&self, options: &str) -> bool {
        let mut command = std::process::Command::new("mount");
        let mounted = command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&self.0).output();
        mounted.is_ok_and(|out| out.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).output();
    }
}

/// Words that no other page has, so that the index grows with every page.
fn wordy(count: usize, round: usize) -> Vec<Page> {
    let words = |n: usize| (0..150).map(|m| format!("w{round}x{n}x{m}")).collect::<Vec<_>>().join(" ");
    (0..count).map(|n| page(&format!("/{n}"), "Page", &format!("walnut round{round} {}", words(n)))).collect()
}

#[test]
fn a_full_disk_is_said_and_space_lets_the_index_go_on() {
    let mut site = Site::with_pages(&wordy(400, 0));
    fs::create_dir(site.folder.join("index")).unwrap();
    let disk = SmallDisk(site.folder.join("index"));
    if !disk.mount("size=64k") {
        eprintln!("no disk can be mounted here: not tested");
        std::mem::forget(disk);
        return;
    }
    // Wherever the space ends, it is the disk that is named, and what is there goes on answering.
    for kilobytes in [64, 256, 512, 1024, 1536] {
        assert!(disk.mount(&format!("remount,size={kilobytes}k")));
        match site.try_follow(false) {
            Ok(_) => break,
            Err(error) => assert!(matches!(error, SearchError::DiskFull), "{kilobytes} k: {error}"),
        }
        assert!(Index::open(&site.folder).unwrap().is_none());
    }
    assert!(disk.mount("remount,size=100m"));
    site.follow();
    assert_eq!(site.ask("walnut").total, 400);
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
    assert!(site.open().suggest("waln", 1).unwrap().contains(&"walnut".to_owned()), "the vocabulary is there");

    // A second time, while an index answers.
    site.write(&wordy(400, 1));
    let used: u64 = size(&disk.0);
    assert!(disk.mount(&format!("remount,size={}k", used / 1024 + 100)));
    let error = site.try_follow(false).expect_err("there is no room");
    assert!(matches!(error, SearchError::DiskFull), "{error}");
    assert_eq!(site.ask("round0").total, 400, "the last commit answers");
    assert!(disk.mount("remount,size=100m"));
    site.follow();
    assert_eq!((site.ask("round0").total, site.ask("round1").total), (0, 400));
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

fn size(folder: &std::path::Path) -> u64 {
    let of = |entry: fs::DirEntry| match entry.path().is_dir() {
        true => size(&entry.path()),
        false => entry.metadata().map_or(0, |meta| meta.len()),
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(of).sum()
}
