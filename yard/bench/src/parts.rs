//! What do the parts of pages cost, beside a program that looks for the main text alone?
//!
//! Input: the pages below `--folder` (`.html`, `.html.gz`), read into memory first. In every round each side reads all of them, and the
//! sides take turns at going first. Ours: blocks, links with their blocks, fingerprints, language, type, parts, main text. The peer:
//! dom_smoothie, the main text. Answer: both found the same articles, by the words their main texts share. Figure: CPU seconds of all
//! rounds together, ours at most the peer's.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path;

use anyhow::bail;
use groma_model::Limits;
use groma_page::{Filter as _, Html, Input};
use groma_url::Url;

use crate::measure::timed;
use crate::options::Options;
use crate::report::{Report, Table};

/// The least mean share of common words: articles are cut differently at their edges.
const ALIKE: f64 = 0.8;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let folder: String = options.take("folder", String::new())?;
    let rounds: usize = options.take("rounds", 10)?;
    let mut pages = Vec::new();
    gather(Path::new(&folder), &mut pages);
    if pages.is_empty() || rounds == 0 {
        bail!("--folder FOLDER: there are no .html or .html.gz files in {folder:?}");
    }
    let megabytes = pages.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let (mut our_seconds, mut their_seconds, mut alike) = (Vec::new(), Vec::new(), 0.0);
    for round in 0..rounds {
        let theirs_first = (round % 2 == 1).then(|| timed(|| read_all(&pages, theirs)));
        let (seconds, our_texts) = timed(|| read_all(&pages, ours));
        our_seconds.push(seconds);
        let (seconds, their_texts) = theirs_first.unwrap_or_else(|| timed(|| read_all(&pages, theirs)));
        their_seconds.push(seconds);
        alike = our_texts.iter().zip(&their_texts).map(|(a, b)| similarity(a, b)).sum::<f64>() / pages.len() as f64;
    }
    let table = Table::new(&["reader", "pages", "MB", "rounds", "CPU s, all", "CPU s, middle", "CPU s, least", "MB/s"]);
    for (name, seconds) in [("groma, everything", &mut our_seconds), ("dom_smoothie, main text", &mut their_seconds)] {
        seconds.sort_by(f64::total_cmp);
        let sum: f64 = seconds.iter().sum();
        table.row(&[
            name.to_owned(),
            pages.len().to_string(),
            format!("{megabytes:.1}"),
            rounds.to_string(),
            format!("{sum:.2}"),
            format!("{:.3}", seconds[rounds / 2]),
            format!("{:.3}", seconds[0]),
            format!("{:.0}", megabytes * rounds as f64 / sum),
        ]);
    }
    println!("\nWords in common: {alike:.3}");
    report.check(alike >= ALIKE, || format!("both read the same articles: {alike:.3}, {ALIKE} wanted"));
    report.at_most("CPU beside dom_smoothie", our_seconds.iter().sum::<f64>() / their_seconds.iter().sum::<f64>(), 1.0);
    Ok(())
}

fn read_all(pages: &[String], read: fn(&str) -> String) -> Vec<String> {
    pages.iter().map(|page| read(page)).collect()
}

fn ours(page: &str) -> String {
    let url = Url::parse("http://site.test/some/page.html").expect("a valid URL");
    let limits = Limits::default();
    let read =
        Html.read(&Input { bytes: page.as_bytes(), url: &url, charset: Some("utf-8"), limits: &limits, parts: true });
    let main = read.parts.map(|parts| parts.main).unwrap_or_default();
    let lines: Vec<&str> = main.iter().map(|block| read.blocks[*block as usize].text.as_str()).collect();
    lines.join("\n")
}

#[cfg(feature = "peers")]
fn theirs(page: &str) -> String {
    let article = dom_smoothie::Readability::new(page, None, None).and_then(|mut reader| reader.parse());
    article.map(|article| article.text_content.to_string()).unwrap_or_default()
}

#[cfg(not(feature = "peers"))]
fn theirs(_: &str) -> String {
    eprintln!("groma-bench parts: the peer is not built in; add --features peers");
    std::process::exit(2)
}

/// Twice the words in common over all words: 1 for the same words, in any order.
fn similarity(a: &str, b: &str) -> f64 {
    let mut words: HashMap<&str, u32> = HashMap::new();
    let (mut of_a, mut of_b, mut common) = (0.0, 0.0, 0.0);
    for word in a.split_whitespace() {
        *words.entry(word).or_default() += 1;
        of_a += 1.0;
    }
    for word in b.split_whitespace() {
        of_b += 1.0;
        if let Some(left) = words.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            common += 1.0;
        }
    }
    if of_a + of_b == 0.0 { 1.0 } else { 2.0 * common / (of_a + of_b) }
}

fn gather(folder: &Path, pages: &mut Vec<String>) {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.to_string_lossy();
        if path.is_dir() && !path.is_symlink() {
            gather(&path, pages);
        } else if name.ends_with(".html") || name.ends_with(".html.gz") {
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let mut plain = Vec::new();
            match name.ends_with(".gz") {
                true => drop(flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain)),
                false => plain = bytes,
            }
            pages.push(String::from_utf8_lossy(&plain).into_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::similarity;

    #[test]
    fn words_in_common_are_counted_as_often_as_they_stand() {
        assert_eq!(similarity("a b", "b a"), 1.0);
        assert_eq!(similarity("a a", "a"), 2.0 / 3.0);
        assert_eq!(similarity("a", "b"), 0.0);
        assert_eq!(similarity("", ""), 1.0);
    }
}
