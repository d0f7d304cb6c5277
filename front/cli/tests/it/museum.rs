//! What older versions wrote is opened, with nothing lost. (Pieces are made by `yard/museum/make`.)

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Desk, is_on_server};

const STORE: &str = "m.groma";
/// What says something else every time it is asked.
const FLEETING: [&str; 4] = ["elapsed_ms", "store_bytes", "next_at", "made_ago"];

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")
}

fn unpack(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a piece of the museum").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        match name.strip_suffix(".zst") {
            None => unpack(&path, &to.join(name)),
            Some(name) => {
                let packed = fs::File::open(path).expect("a file of the museum");
                fs::write(to.join(name), zstd::decode_all(packed).expect("a packed file")).expect("a file");
            }
        }
    }
}

/// What the version that made a piece said of it, line by line.
fn said(piece: &str, about: &str) -> Vec<Value> {
    let text = fs::read_to_string(museum().join(format!("{piece}.said")).join(about)).expect("what was said");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What is called otherwise by now: then, and now.
const RENAMED: [(&str, &str); 10] = [
    ("indexed", "fetched"),
    ("registered", "skipped"),
    ("ignored", "excluded"),
    ("invalid", "broken"),
    ("invalid_parts", "broken_parts"),
    ("pending", "queued"),
    ("crew", "workers"),
    ("address", "url"),
    ("likeness", "similarity"),
    ("order", "task"),
];

/// What was said then is said now, under the same name or the one that it has by now.
fn agree(then: &Value, now: &Value, about: &str) {
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => {
            for (name, value) in then.iter().filter(|(name, _)| !FLEETING.contains(&name.as_str())) {
                let renamed = RENAMED.iter().find(|(then, _)| then == name).map(|(_, now)| *now);
                let other = now.get(name).or_else(|| now.get(renamed?));
                let other = other.unwrap_or_else(|| panic!("{about}: nothing is said of `{name}` any more"));
                agree(value, other, &format!("{about}.{name}"));
            }
        }
        _ => assert_eq!(then, now, "{about}"),
    }
}

#[test]
fn what_older_versions_wrote_is_read_with_nothing_lost() {
    if is_on_server() {
        return;
    }
    for piece in ["0.1.0"] {
        let desk = Desk::new();
        unpack(&museum().join(piece), &desk.path.join(STORE));
        let lists: [(&str, &[&str]); 6] = [
            ("status", &["status"]),
            ("gather", &["gather", "list"]),
            ("focus", &["focus", "list"]),
            ("bounds", &["bounds", "sites"]),
            ("jobs", &["jobs"]),
            ("schedule", &["schedule"]),
        ];
        for (about, command) in lists {
            let (then, now) = (said(piece, about), desk.json(&[command, &["-f", "json", "--store", STORE]].concat()));
            assert_eq!(then.len(), now.len(), "{piece}, {about}");
            then.iter().zip(&now).for_each(|(then, now)| agree(then, now, &format!("{piece}, {about}")));
        }
        // What was due meanwhile would ask a server that is no more.
        assert_eq!(desk.run(&["schedule", "remove", "1", "--store", STORE]).code, 0, "{piece}");
        let commands: [&[&str]; 9] = [
            &["pages"],
            &["map"],
            &["rank"],
            &["check"],
            &["links"],
            &["diff"],
            &["diff", "1", "2"],
            &["gather", "export", "-f", "csv"],
            &["jobs", "work", "--once"],
        ];
        for command in commands {
            let done = desk.run(&[command, &["--store", STORE]].concat());
            assert!(matches!(done.code, 0 | 1), "{piece}, {command:?}: {} {}", done.code, done.err);
        }
        let page = desk.json(&["pages", "-f", "json", "--store", STORE]).swap_remove(2);
        let record = desk.run(&["gather", "export", "-f", "jsonl", "--store", STORE]).json().swap_remove(0);
        for (text, url) in [(&page["title"], &page["url"]), (&record["Name"], &record["@link"])] {
            let hits = desk.json(&["search", text.as_str().unwrap(), "-f", "json", "--store", STORE]);
            assert!(hits.iter().any(|hit| hit["url"] == *url), "{piece}: {text}: {hits:?}");
        }
        desk.run(&["verify", "--repair", "--store", STORE]);
        let verified = desk.run(&["verify", "--store", STORE]);
        assert_eq!(verified.code, 0, "{piece}: {}", verified.out);
    }
}
