//! `groma export parquet` from outside: what it says, what it leaves, what it refuses.

use std::fs;

use crate::{Desk, exists};

/// The demonstration site, kept.
fn museum() -> Desk {
    let desk = Desk::new();
    let done = desk.run(&["demo", "--keep", "-q"]);
    assert_eq!(done.code, 0, "{}", done.err);
    desk
}

fn export(words: &[&'static str]) -> Vec<&'static str> {
    [&["export", "parquet", "--store", "demo.groma"], words].concat()
}

#[test]
fn a_survey_is_exported_and_counted_as_the_other_commands_count_it() {
    let desk = museum();
    let told =
        desk.json(&export(&["--to", "out", "-f", "json", "--with-text", "--with-rank", "--parts", "4"])).remove(0);
    let pages = desk.json(&["pages", "-f", "json", "--store", "demo.groma"]);
    assert_eq!(told["pages"]["rows"], pages.len());
    let links = desk.json(&["links", "-f", "json", "--store", "demo.groma"]);
    assert_eq!(told["links"]["rows"], links.len());
    assert!(told["texts"]["rows"].as_u64().unwrap() > 5, "{told}");
    assert!(told["seconds"].as_f64().unwrap() > 0.0 && told["bytes"].as_u64().unwrap() > 1000, "{told}");
    let out = desk.path.join("out");
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["parts"], 4);
    for file in manifest["tables"].as_array().unwrap().iter().flat_map(|table| table["files"].as_array().unwrap()) {
        assert_eq!(fs::metadata(out.join(file["name"].as_str().unwrap())).unwrap().len(), file["bytes"]);
    }
    assert!(exists(&out, "_SUCCESS"));

    // Again, for people and for spreadsheets, in place of the first; a URL of a file is a path.
    let done = desk.run(&export(&["--to", "out", "-q"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("pages") && done.out.contains(" rows ") && done.out.contains(" s to out"),
        "{}",
        done.out
    );
    assert!(!exists(&out, "texts"), "the earlier export is replaced");
    let url = format!("file://{}", desk.path.join("by-url").display());
    let done = desk.run(&["export", "parquet", "--store", "demo.groma", "-f", "csv", "--to", &url]);
    assert!(done.out.starts_with("table,rows,bytes,files\r\n"), "{}{}", done.out, done.err);
    assert!(exists(&desk.path.join("by-url"), "_SUCCESS"));
}

#[test]
fn what_cannot_be_done_is_told_and_touches_nothing() {
    let desk = museum();
    desk.write("file", "mine");
    desk.run(&export(&["--to", "file"])).is_mistake("is there already");
    desk.run(&export(&["--to", "demo.groma"])).is_mistake("is there already");
    desk.run(&export(&["--to", "ftp://example.org/x"])).is_mistake("no place");
    desk.run(&export(&["--to", "out", "--parts", "0"])).is_mistake("number of parts");
    desk.run(&export(&["--to", "out", "--parts", "5000"])).is_mistake("number of parts");
    desk.run(&["export", "parquet", "--to", "out", "--store", "absent.groma"]).is_mistake("no survey");
    #[cfg(not(feature = "cloud"))]
    desk.run(&export(&["--to", "s3://bucket/x"])).is_mistake("built without");
    assert_eq!(fs::read_to_string(desk.path.join("file")).unwrap(), "mine");
    let mut names: Vec<String> =
        fs::read_dir(&desk.path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["demo.groma", "file"]);
}
