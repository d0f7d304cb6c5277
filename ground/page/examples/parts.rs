//! How well are the parts of pages found? And how fast?
//!
//!     cargo run --release -p groma-page --example parts -- acl FOLDER [PAGES] [bare]
//!     cargo run --release -p groma-page --example parts -- library FOLDER [headless]
//!     cargo run --release -p groma-page --example parts -- speed FOLDER
//!     cargo run --release -p groma-page --example parts -- show FILE
//!
//! `acl`: pages of the ACL Anthology (`*/index.html`), read with their heads cut off; the truth is what the head and the
//! element of the abstract say. `bare` takes class names, ids and itemprops away too. `library`: a folder with `truth.jsonl`, as the journal library writes it;
//! `headless` cuts the heads off. `speed`: time with and without parts.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use groma_model::{Limits, ParsedPage, PartKind};
use groma_page::{Filter, Html, Input};
use groma_url::Url;
use serde_json::Value;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| args.iter().any(|arg| arg == word);
    let folder = args.get(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    match args.first().map(String::as_str) {
        Some("acl") => acl(&folder, args.get(2).and_then(|n| n.parse().ok()).unwrap_or(2000), has("bare")),
        Some("library") => library(&folder, has("headless"), has("wrong")),
        Some("speed") => speed(&folder),
        Some("show") => show(&read_file(&folder)),
        _ => eprintln!("parts acl|library|speed|show FOLDER"),
    }
}

fn parse(html: &str, parts: bool) -> ParsedPage {
    let url = Url::parse("http://site.test/some/page.html").expect("a valid URL");
    let limits = Limits::default();
    Html.read(&Input { bytes: html.as_bytes(), url: &url, charset: Some("utf-8"), limits: &limits, parts })
}

fn read_file(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_default();
    if path.extension().is_some_and(|end| end == "gz") {
        let mut out = Vec::new();
        let _read = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut out);
        return String::from_utf8_lossy(&out).into_owned();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Letters and digits only: how texts are compared.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[derive(Default)]
struct Score {
    right: f64,
    found: f64,
    wanted: f64,
    page_f1: f64,
    pages: f64,
}

impl Score {
    fn add(&mut self, found: &[String], wanted: &[String]) -> bool {
        let mut left: HashMap<String, i32> = HashMap::new();
        wanted.iter().for_each(|text| *left.entry(plain(text)).or_default() += 1);
        let mut right = 0;
        for text in found {
            if let Some(count) = left.get_mut(&plain(text)).filter(|count| **count > 0) {
                *count -= 1;
                right += 1;
            }
        }
        self.right += f64::from(right);
        self.found += found.len() as f64;
        self.wanted += wanted.len() as f64;
        if !found.is_empty() || !wanted.is_empty() {
            self.pages += 1.0;
            self.page_f1 += 2.0 * f64::from(right) / (found.len() + wanted.len()) as f64;
        }
        right as usize == wanted.len() && found.len() == wanted.len()
    }

    fn show(&self, name: &str) {
        let (p, r) = (self.right / self.found.max(1.0), self.right / self.wanted.max(1.0));
        println!(
            "{name:<12} precision {p:.4}  recall {r:.4}  F1 {:.4}  (mean of pages {:.4}; {} wanted)",
            2.0 * p * r / (p + r).max(1e-9),
            self.page_f1 / self.pages.max(1.0),
            self.wanted
        );
    }
}

fn of_kind(page: &ParsedPage, kind: PartKind) -> Vec<String> {
    let parts = page.parts.as_ref().expect("parts were asked for");
    parts.content.iter().filter(|part| part.kind == kind).map(|part| part.text.clone()).collect()
}

fn acl(folder: &Path, most: usize, bare: bool) {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path().join("index.html")).collect();
    files.sort();
    // Spread over all volumes, the same every time.
    let step = 7919;
    let (mut title, mut authors, mut summary) = (Score::default(), Score::default(), Score::default());
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pages = 0;
    for at in 0..files.len() {
        let file = &files[at * step % files.len()];
        let Ok(html) = std::fs::read_to_string(file) else { continue };
        let (Some(head), true) = (html.find("</head>"), html.contains("citation_title")) else { continue };
        let full = parse(&html[..head], false);
        let meta = |name: &str| -> Vec<String> {
            full.metas.iter().filter(|meta| meta.name == name).map(|meta| meta.content.clone()).collect()
        };
        let abstracts: Vec<String> =
            between(&html, "acl-abstract\"><h5 class=card-title>Abstract</h5><span>", "</span></div>")
                .map(|text| {
                    parse(text, false).blocks.iter().map(|block| block.text.clone()).collect::<Vec<_>>().join(" ")
                })
                .into_iter()
                .collect();
        let body = &html[head + 7..];
        let body = if bare { without_names(body) } else { body.to_owned() };
        let page = parse(&format!("<html>{body}"), true);
        pages += 1;
        *types.entry(page.parts.as_ref().map_or("", |parts| parts.page_type.name())).or_default() += 1;
        let told = [
            title.add(&of_kind(&page, PartKind::Title), &meta("citation_title")),
            authors.add(&of_kind(&page, PartKind::Authors), &meta("citation_author")),
            summary.add(&of_kind(&page, PartKind::Abstract), &abstracts),
        ];
        if std::env::var_os("WRONG").is_some() && told.contains(&false) {
            println!(
                "{} {told:?} {:?} / {:?}",
                file.display(),
                of_kind(&page, PartKind::Authors),
                meta("citation_author")
            );
        }
        if pages == most {
            break;
        }
    }
    println!("{pages} pages without heads{}; types {types:?}", if bare { " and names of elements" } else { "" });
    title.show("title");
    authors.show("authors");
    summary.show("abstract");
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let start = text.find(from)? + from.len();
    text[start..].find(to).map(|end| &text[start..start + end])
}

/// Takes class, id and itemprop away.
fn without_names(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = [" class=", " id=", " itemprop="].iter().filter_map(|name| rest.find(name)).min() {
        out.push_str(&rest[..at]);
        let value = &rest[at + rest[at..].find('=').unwrap_or(0) + 1..];
        rest = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].find(quote).map_or("", |end| &value[end + 2..]),
            _ => value.find([' ', '>']).map_or("", |end| &value[end..]),
        };
    }
    out.push_str(rest);
    out
}

/// The texts a value of the truth holds.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) if !text.is_empty() => vec![text.clone()],
        Some(Value::Array(values)) => values.iter().flat_map(|value| texts(Some(value))).collect(),
        _ => Vec::new(),
    }
}

fn library(folder: &Path, headless: bool, wrong: bool) {
    let truth = std::fs::read_to_string(folder.join("truth.jsonl")).expect("truth.jsonl");
    let kinds = [
        ("title", PartKind::Title),
        ("authors", PartKind::Authors),
        ("affiliation", PartKind::Affiliation),
        ("abstract", PartKind::Abstract),
        ("keywords", PartKind::Keywords),
    ];
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    let mut by_template: BTreeMap<(String, &str), Score> = BTreeMap::new();
    let (mut types, mut right) = (BTreeMap::<(String, String), usize>::new(), 0);
    let (mut links, mut pages) = (BTreeMap::<(String, String), usize>::new(), 0);
    for line in truth.lines() {
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        let Some(file) = value.get("address").and_then(Value::as_str) else { continue };
        let place = folder.join(file.trim_start_matches('/'));
        let place = if place.is_dir() { place.join("index.html") } else { place };
        let mut html = read_file(&place);
        if headless {
            html = html.split_once("</head>").map_or(html.clone(), |(_, body)| format!("<html>{body}"));
        }
        let page = parse(&html, true);
        let Some(parts) = &page.parts else { continue };
        pages += 1;
        let wanted = value.get("type").and_then(Value::as_str).unwrap_or("other").to_owned();
        let template = value.get("template").map(ToString::to_string).unwrap_or_default();
        right += usize::from(wanted == parts.page_type.name());
        if wrong && wanted != parts.page_type.name() {
            println!("type {wanted} read as {}: {file} {template}", parts.page_type.name());
        }
        *types.entry((wanted.clone(), parts.page_type.name().to_owned())).or_default() += 1;
        if matches!(wanted.as_str(), "article" | "book") {
            for (name, kind) in kinds {
                let wanted = texts(value.get("blocks").and_then(|blocks| blocks.get(name)));
                let found = of_kind(&page, kind);
                let good = scores.entry(name).or_default().add(&found, &wanted);
                by_template.entry((template.clone(), name)).or_default().add(&found, &wanted);
                if wrong && !good {
                    println!("{name} {file} {template}: {found:?} / {wanted:?}");
                }
            }
        }
        // Both in document order; what only one of them has is passed over.
        let truth = value.get("links").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut at = 0;
        for (link, part) in
            page.links.iter().zip(&parts.links).filter(|(link, _)| link.kind == groma_model::LinkKind::Anchor)
        {
            let groma_model::Target::Web(url) = &link.target else { continue };
            let key = url.path().to_owned() + &url.query().map(|query| format!("?{query}")).unwrap_or_default();
            let told = |row: &Value, key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            if let Some(ahead) = truth.iter().skip(at).take(6).position(|row| told(row, "target") == key) {
                at += ahead;
                let wanted = told(&truth[at], "label");
                at += 1;
                if wrong && wanted != part.kind.name() {
                    println!("link {wanted} read as {}: {file} {template} {} {:?}", part.kind.name(), key, link.text);
                }
                *links.entry((wanted, part.kind.name().to_owned())).or_default() += 1;
            }
        }
    }
    println!("{pages} pages{}", if headless { " without heads" } else { "" });
    scores.iter().for_each(|(name, score)| score.show(name));
    println!("page type: {:.4} right; {types:?}", right as f64 / f64::from(pages.max(1)));
    println!("links (truth, found): {links:?}");
    for ((template, name), score) in &by_template {
        let f1 = 2.0 * score.right / (score.found + score.wanted).max(1.0);
        println!("  {template} {name}: F1 {f1:.3}");
    }
}

fn speed(folder: &Path) {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().contains(".htm") && files.len() < 3000 {
                files.push(read_file(&path));
            }
        }
    }
    let bytes: usize = files.iter().map(String::len).sum();
    let mut spent = [0.0; 2];
    // Turn by turn, so that whatever else the machine does meets both.
    for pass in 0..6 {
        for parts in [false, true] {
            let start = cpu_time();
            let count: usize = files.iter().map(|file| parse(file, parts).blocks.len()).sum();
            let seconds = cpu_time().saturating_sub(start).as_secs_f64();
            if pass > 0 && count > 0 {
                spent[usize::from(parts)] += seconds / 5.0;
            }
        }
    }
    let rate = |seconds: f64| bytes as f64 / 1e6 / seconds;
    println!(
        "{} pages, {:.1} MB: without parts {:.3} s ({:.0} MB/s), with parts {:.3} s ({:.0} MB/s), ratio {:.2}",
        files.len(),
        bytes as f64 / 1e6,
        spent[0],
        rate(spent[0]),
        spent[1],
        rate(spent[1]),
        spent[1] / spent[0]
    );
}

fn show(html: &str) {
    let page = parse(html, true);
    let Some(parts) = &page.parts else { return };
    println!("{} ({} %)", parts.page_type.name(), parts.confidence);
    for part in &parts.content {
        println!("{:<12} {:>3} {}", part.kind.name(), part.confidence, part.text);
    }
    for (link, part) in
        page.links.iter().zip(&parts.links).filter(|(link, _)| link.kind == groma_model::LinkKind::Anchor)
    {
        println!("{:<10} {:>3} {:08x} {}", part.kind.name(), part.confidence, part.path, link.text);
    }
    for block in &parts.main {
        println!("main {}", page.blocks[*block as usize].text);
    }
}

/// CPU time of this thread where the system tells it (Linux), else the time of day.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.as_deref().and_then(|stat| stat.split(' ').next()?.parse().ok());
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    nanoseconds.map_or_else(now, Duration::from_nanos)
}
