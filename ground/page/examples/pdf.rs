//! How much of the text of PDFs is found, beside pdftotext, and at what cost?
//!
//! `cargo run --release -p groma-page --example pdf -- FOLDER...`: every PDF below the folders is read by a process of its
//! own, within the default limits; the words of pdftotext that we find too are counted, as often as they stand there, and
//! so are its letters. A word is a run of letters and digits in NFKC, small, without marks; an ideograph is one by itself.
//! Printed are all files, worst first (share of words, share of letters, words, CPU seconds and memory of our process),
//! those below .9 with a reason, then the summary. Ends with 1 if a file took more than the limits on time or memory allow;
//! CPU seconds are compared, since those of the day hang on what else the machine does.
//!
//! Reasons: `unread` and `silent` (what the reader says), `cut` (by which limit), `words` (at least .95 of the letters are there: words
//! are cut in other places), `letters` (codes of fonts mean other letters to pdftotext than to us, or nothing). `rtl` beside
//! it: a tenth of the letters run from right to left.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use groma_model::{Limits, ParsedPage};
use groma_page::{Filter, Input, Pdf};
use groma_url::Url;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words and letters of a text, and how often they stand there.
#[derive(Default)]
struct Counts {
    words: HashMap<String, u64>,
    letters: HashMap<char, u64>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [one, file] if one == "--one" => print!("{}", text(&read(Path::new(file)))),
        [] => eprintln!("usage: pdf FOLDER..."),
        folders => return compare(folders),
    }
    ExitCode::SUCCESS
}

fn read(file: &Path) -> ParsedPage {
    let bytes = std::fs::read(file).unwrap_or_default();
    let limits = Limits::default();
    let Ok(url) = Url::parse("http://file.invalid/") else { return ParsedPage::default() };
    let page = Pdf.read(&Input { bytes: &bytes, url: &url, charset: None, limits: &limits, parts: false });
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("").trim().replace(" kB", "");
    let unread = page.meta("unread").map(|why| format!("unread: {why}"));
    let cut = (!page.cuts.is_empty()).then(|| format!("cut: {}", page.cuts.join(" ")));
    let silent = page.meta("silent").map(|why| format!("silent: {why}"));
    // The first number of `schedstat` is the time on a processor, in nanoseconds.
    let busy = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let busy = busy.split(' ').next().unwrap_or("0").to_owned();
    eprintln!("{peak} {busy} {}", unread.or(cut).or(silent).unwrap_or_default());
    page
}

fn text(page: &ParsedPage) -> String {
    page.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn count(text: &str) -> Counts {
    let mut counts = Counts::default();
    let mut word = String::new();
    let mut end = |word: &mut String| {
        if !word.is_empty() {
            *counts.words.entry(std::mem::take(word)).or_default() += 1;
        }
    };
    let is_ideograph = |c| matches!(c, '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}');
    for c in text.nfkc().flat_map(char::to_lowercase).chain([' ']) {
        if is_ideograph(c) || c.is_alphanumeric() && !is_combining_mark(c) {
            *counts.letters.entry(c).or_default() += 1;
        }
        if is_ideograph(c) {
            end(&mut word);
            word.push(c);
            end(&mut word);
        } else if is_combining_mark(c) || is_unseen(c) {
            // Vowels and accents that stand over letters, and what steers their direction.
        } else if c.is_alphanumeric() {
            word.push(c);
        } else {
            end(&mut word);
        }
    }
    counts
}

fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// How much of one is in the other.
fn share<K: std::hash::Hash + Eq>(theirs: &HashMap<K, u64>, ours: &HashMap<K, u64>) -> f64 {
    let found: u64 = theirs.iter().map(|(key, many)| ours.get(key).copied().unwrap_or(0).min(*many)).sum();
    let all: u64 = theirs.values().sum();
    if all == 0 { 1.0 } else { found as f64 / all as f64 }
}

struct FileComparison {
    file: PathBuf,
    words: f64,
    letters: f64,
    theirs: u64,
    seconds: f64,
    megabytes: f64,
    reason: String,
}

fn compare(folders: &[String]) -> ExitCode {
    let mut files = Vec::new();
    folders.iter().for_each(|folder| find(Path::new(folder), &mut files));
    files.sort();
    let mut rows: Vec<FileComparison> = files.into_iter().map(row).collect();
    rows.sort_by(|a, b| a.words.total_cmp(&b.words));
    for FileComparison { file, words, letters, theirs, seconds, megabytes, reason } in &rows {
        let file = file.display();
        println!("{words:.4} {letters:.4} {theirs:>8} {seconds:>6.2} s {megabytes:>4.0} MB {file} {reason}");
    }
    let read: Vec<&FileComparison> = rows.iter().filter(|row| row.theirs > 0).collect();
    let middle = read.get(read.len() / 2).map_or(0.0, |row| row.words);
    let well = read.iter().filter(|row| row.words >= 0.9).count();
    let slowest = rows.iter().map(|row| row.seconds).fold(0.0, f64::max);
    let largest = rows.iter().map(|row| row.megabytes).fold(0.0, f64::max);
    println!(
        "{} files, {} with words by pdftotext; share of its words: median {middle:.4}, at least .9 in {well} files ({:.3}); slowest {slowest:.2} CPU s, most {largest:.0} MB",
        rows.len(),
        read.len(),
        well as f64 / read.len().max(1) as f64,
    );
    let limits = Limits::default();
    let within = slowest * 1e3 <= limits.document_ms as f64 && largest * 1e6 <= limits.document_memory as f64;
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn find(place: &Path, files: &mut Vec<PathBuf>) {
    if place.is_dir() && !place.is_symlink() {
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        entries.for_each(|entry| find(&entry.path(), files));
    } else if place.extension().is_some_and(|ending| ending == "pdf") && place.is_file() && !place.is_symlink() {
        files.push(place.to_owned());
    }
}

fn row(file: PathBuf) -> FileComparison {
    let theirs = Command::new("pdftotext").arg("-q").arg(&file).arg("-").output();
    let theirs = theirs.map(|output| count(&String::from_utf8_lossy(&output.stdout))).unwrap_or_default();
    let own = std::env::current_exe().ok().and_then(|me| Command::new(me).arg("--one").arg(&file).output().ok());
    let (text, told) = own.map(|output| (output.stdout, output.stderr)).unwrap_or_default();
    let (ours, told) = (count(&String::from_utf8_lossy(&text)), String::from_utf8_lossy(&told).trim().to_owned());
    let (kilobytes, told) = told.split_once(' ').unwrap_or((&told, ""));
    let (nanoseconds, told) = told.split_once(' ').unwrap_or((told, ""));
    let seconds = nanoseconds.parse::<f64>().unwrap_or(0.0) / 1e9;
    let megabytes = kilobytes.parse::<f64>().unwrap_or(0.0) * 1024.0 / 1e6;
    let (words, letters) = (share(&theirs.words, &ours.words), share(&theirs.letters, &ours.letters));
    let reason = if words >= 0.9 { told.to_owned() } else { reason(told, letters, &theirs) };
    FileComparison { file, words, letters, theirs: theirs.words.values().sum(), seconds, megabytes, reason }
}

/// Why are so few words found?
fn reason(told: &str, letters: f64, theirs: &Counts) -> String {
    let to_left = |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    let all: u64 = theirs.letters.values().sum();
    let left: u64 = theirs.letters.iter().filter(|(c, _)| to_left(**c)).map(|(_, many)| many).sum();
    let kind = match told {
        "" if letters >= 0.95 => "words",
        "" => "letters",
        told => told,
    };
    if left * 10 >= all.max(1) { format!("{kind} rtl") } else { kind.to_owned() }
}
