//! How much of the text of PDFs is found, beside pdftotext, and at what cost?
//!
//! `cargo run --release -p groma-page --example pdf -- FOLDER...`: every PDF below the folders is read by a process of its
//! own; the words of pdftotext that we find too are counted (of different words, and of all), ideographs one by one. Printed
//! are the worst files, then the summary; a file that only one of the two can read is told.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use groma_model::{Limits, ParsedPage};
use groma_page::{Filter, Input, Pdf};
use url::Url;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [one, file] if one == "--one" => print!("{}", text(&read(Path::new(file)))),
        [] => eprintln!("usage: pdf FOLDER..."),
        folders => compare(folders),
    }
}

fn read(file: &Path) -> ParsedPage {
    let bytes = std::fs::read(file).unwrap_or_default();
    let limits = Limits { html_text: 1 << 30, ..Limits::default() };
    let Ok(url) = Url::parse("http://file.invalid/") else { return ParsedPage::default() };
    let page = Pdf.read(&Input { bytes: &bytes, url: &url, charset: None, limits: &limits, parts: false });
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("").trim().replace(" kB", "");
    eprintln!(
        "{peak} {} {} {}",
        page.links.len(),
        page.meta("pages").unwrap_or("0"),
        page.meta("unread").unwrap_or("")
    );
    page
}

fn text(page: &ParsedPage) -> String {
    page.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Words and how often they stand there; every ideograph is a word.
fn words(text: &str) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    let mut add = |word: &str| {
        if !word.is_empty() {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    };
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if matches!(c, '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}') {
            add(&std::mem::take(&mut word));
            add(&c.to_string());
        } else if c.is_alphanumeric() {
            match c {
                '\u{fb00}' => word.push_str("ff"),
                '\u{fb01}' => word.push_str("fi"),
                '\u{fb02}' => word.push_str("fl"),
                '\u{fb03}' => word.push_str("ffi"),
                '\u{fb04}' => word.push_str("ffl"),
                _ => word.push(c),
            }
        } else if !matches!(c, '\u{ad}' | '\u{300}'..='\u{36f}') {
            add(&std::mem::take(&mut word));
        }
    }
    counts
}

struct Row {
    file: PathBuf,
    different: f64,
    all: f64,
    theirs: u64,
    seconds: f64,
    megabytes: u64,
    told: String,
}

fn compare(folders: &[String]) {
    let mut files = Vec::new();
    folders.iter().for_each(|folder| find(Path::new(folder), &mut files));
    files.sort();
    let mut rows: Vec<Row> = files.into_iter().map(row).collect();
    rows.sort_by(|a, b| a.all.total_cmp(&b.all));
    for row in &rows {
        let Row { different, all, theirs, seconds, megabytes, told, .. } = row;
        println!(
            "{all:.4} {different:.4} {theirs:>8} {seconds:>6.2} s {megabytes:>4} MB {} {told}",
            row.file.display()
        );
    }
    let read: Vec<&Row> = rows.iter().filter(|row| row.theirs > 0).collect();
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    println!(
        "{} files, {} with words by pdftotext; share of its words: median {:.4}, of different words {:.4}; slowest {:.2} s, most {} MB",
        rows.len(),
        read.len(),
        middle(read.iter().map(|row| row.all).collect()),
        middle(read.iter().map(|row| row.different).collect()),
        rows.iter().map(|row| row.seconds).fold(0.0, f64::max),
        rows.iter().map(|row| row.megabytes).max().unwrap_or(0),
    );
}

fn find(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_dir() && !place.is_symlink() {
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        entries.for_each(|entry| find(&entry.path(), files));
    } else if place.extension().is_some_and(|ending| ending == "pdf") && place.is_file() && !place.is_symlink() {
        files.push(place.to_owned());
    }
}

fn row(file: PathBuf) -> Row {
    let theirs = Command::new("pdftotext").arg("-q").arg(&file).arg("-").output();
    let theirs = theirs.map(|output| words(&String::from_utf8_lossy(&output.stdout))).unwrap_or_default();
    let start = Instant::now();
    let own = std::env::current_exe().ok().and_then(|me| Command::new(me).arg("--one").arg(&file).output().ok());
    let seconds = start.elapsed().as_secs_f64();
    let (text, told) = own.map(|output| (output.stdout, output.stderr)).unwrap_or_default();
    let (ours, told) = (words(&String::from_utf8_lossy(&text)), String::from_utf8_lossy(&told).trim().to_owned());
    let megabytes = told.split(' ').next().and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024;
    let sum: u64 = theirs.values().sum();
    let found: u64 = theirs.iter().map(|(word, many)| ours.get(word).copied().unwrap_or(0).min(*many)).sum();
    let kinds = theirs.keys().filter(|word| ours.contains_key(*word)).count();
    let share = |part: u64, whole: u64| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
    let different = share(kinds as u64, theirs.len() as u64);
    let told = told.split_once(' ').map_or(String::new(), |(_, rest)| rest.to_owned());
    Row { file, different, all: share(found, sum), theirs: sum, seconds, megabytes, told }
}
