//! What structured data do pages hold? Reads all `.html` files below a folder, and prints a line of JSON for each that has any.
//!
//!     cargo run --release -p groma-page --example structured -- FOLDER [quiet]
//!
//! With `quiet` nothing is printed but counts: for measuring (`valgrind --tool=callgrind`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use groma_model::Limits;
use groma_page::{Filter, Html, Input};
use groma_url::Url;

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| ".".to_owned());
    let quiet = args.next().is_some();
    let mut files = Vec::new();
    gather(Path::new(&folder), &mut files);
    files.sort();
    let url = Url::parse("http://site.test/page.html").expect("a valid URL");
    let limits = Limits::default();
    let (mut pages, mut counts) = (0, BTreeMap::<String, u64>::new());
    for file in &files {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let page = Html.read(&Input { bytes: &bytes, url: &url, charset: None, limits: &limits, parts: false });
        pages += 1;
        let Some(data) = page.structured else { continue };
        for item in &data.items {
            *counts.entry(item.syntax.name().to_owned()).or_default() += 1;
        }
        for fault in &data.faults {
            *counts.entry(format!("{} faults", fault.syntax.name())).or_default() += 1;
        }
        if !quiet {
            let line = serde_json::json!({ "file": file, "items": data.items, "faults": data.faults });
            println!("{line}");
        }
    }
    eprintln!("{pages} pages: {counts:?}");
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            gather(&path, files);
        } else if path.extension().is_some_and(|end| end == "html" || end == "htm") {
            files.push(path);
        }
    }
}
