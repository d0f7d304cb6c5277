//! How well are pages found? Known-item search over a documentation site that was crawled:
//!
//! ```text
//! groma crawl http://127.0.0.1:PORT/index.html --store DIR
//! cargo run --release -p groma-search --example relevance -- DIR [INDEX-PAGE]
//! ```
//!
//! Questions are made from the survey itself, always the same: from the entries of the site's own index page (`bookindex.html`,
//! `genindex-all.html`) that lead to one page only, and from headings that only one page has. The right answer to a question is the
//! page it was made from. Success@n: the right page is among the first n. MRR: the mean of one over its place, 0 beyond ten.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use groma_model::{BlockKind, LinkKind, PageId, Reason};
use groma_search::{Ask, Index, Weights};
use groma_store::codec::unpack_details;
use groma_store::{Folder, Snapshot};

/// Questions of each kind.
const QUESTIONS: usize = 400;

type Questions = Vec<(String, PageId)>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("which survey? relevance DIR [INDEX-PAGE]")?;
    let folder = Path::new(&folder);
    let index_page = words.next().unwrap_or_else(|| "index".into());
    let mut store = Folder::new(folder).read()?;
    let followed = Index::follow(folder, &mut store, false, &AtomicBool::new(false), &mut |_| {})?;
    let index = Index::open(folder)?.ok_or("no index")?;
    println!("{} pages\n", followed.pages);
    let sets = [("index entries", entries(&mut store, &index_page)?), ("headings", headings(&mut store, &index_page)?)];
    let full = Weights::default();
    let none = Weights { title: 0.0, heading: 0.0, anchor: 0.0, summary: 0.0, body: 1.0, address: 0.0, rank: 0.0 };
    let blocks = Weights { anchor: 0.0, rank: 0.0, ..full.clone() };
    let anchors = Weights { rank: 0.0, ..full.clone() };
    let mut ways = vec![
        ("plain body text".to_owned(), none.clone()),
        ("plain body text + rank".to_owned(), Weights { rank: full.rank, ..none }),
        ("weighted blocks".to_owned(), blocks.clone()),
        ("weighted blocks + rank".to_owned(), Weights { rank: full.rank, ..blocks }),
        ("weighted blocks + anchors".to_owned(), anchors),
        ("weighted blocks + anchors + rank".to_owned(), full.clone()),
    ];
    if std::env::var_os("GROMA_TUNE").is_some() {
        ways.extend(variations(&full));
    }
    println!("| questions | ranking | success@1 | success@10 | MRR |\n|---|---|---|---|---|");
    for (name, questions) in &sets {
        for (way, weights) in &ways {
            let (first, ten, mrr) = measure(&index, &mut store, questions, weights)?;
            println!("| {} {name} | {way} | {first:.3} | {ten:.3} | {mrr:.3} |", questions.len());
        }
    }
    Ok(())
}

/// The default with one weight changed at a time.
fn variations(full: &Weights) -> Vec<(String, Weights)> {
    let mut all = Vec::new();
    for factor in [0.25, 0.5, 2.0, 4.0] {
        all.push((format!("title x {factor}"), Weights { title: full.title * factor, ..full.clone() }));
        all.push((format!("heading x {factor}"), Weights { heading: full.heading * factor, ..full.clone() }));
        all.push((format!("anchor x {factor}"), Weights { anchor: full.anchor * factor, ..full.clone() }));
        all.push((format!("address x {factor}"), Weights { address: full.address * factor, ..full.clone() }));
        all.push((format!("summary x {factor}"), Weights { summary: full.summary * factor, ..full.clone() }));
        all.push((format!("rank x {factor}"), Weights { rank: full.rank * factor, ..full.clone() }));
    }
    all
}

fn measure(
    index: &Index,
    store: &mut dyn Snapshot,
    questions: &Questions,
    weights: &Weights,
) -> Result<(f64, f64, f64), Box<dyn Error>> {
    let (mut first, mut ten, mut reciprocal) = (0, 0, 0.0);
    for (text, page) in questions {
        let answer = index.search(&Ask { text, first: 0, most: 10, facets: false, weights, within: None }, store)?;
        if let Some(place) = answer.hits.iter().position(|hit| hit.page == Some(*page)) {
            first += usize::from(place == 0);
            ten += 1;
            reciprocal += 1.0 / (place + 1) as f64;
        }
    }
    let count = questions.len().max(1) as f64;
    Ok((first as f64 / count, f64::from(ten) / count, reciprocal / count))
}

/// Every n-th, so that all parts of the site have their share.
fn spread(all: BTreeMap<String, BTreeSet<u32>>) -> Questions {
    let single = |(text, pages): (String, BTreeSet<u32>)| {
        let only = pages.iter().next().copied().filter(|_| pages.len() == 1)?;
        Some((text, PageId(only)))
    };
    let all: Questions = all.into_iter().filter_map(single).collect();
    let step = all.len().div_ceil(QUESTIONS).max(1);
    all.into_iter().step_by(step).collect()
}

/// The words of a question, plain.
fn worded(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn fetched(store: &mut dyn Snapshot) -> Result<Vec<(PageId, String)>, Box<dyn Error>> {
    let mut all = Vec::new();
    store.each_page(&mut |address, page| {
        let html = page.is_some_and(|page| page.facts.media_type == "text/html");
        if address.reason == Reason::Fetched && html {
            all.push((address.id, address.url.clone()));
        }
    })?;
    Ok(all)
}

/// Entries of the index: the text before the link, or the text of the link, leads to the page of the link.
fn entries(store: &mut dyn Snapshot, name: &str) -> Result<Questions, Box<dyn Error>> {
    let pages = fetched(store)?;
    let known: BTreeSet<u32> = pages.iter().map(|(id, _)| id.0).collect();
    let mut all: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (id, url) in &pages {
        let last = url.rsplit('/').next().unwrap_or_default();
        if !(last.starts_with("bookindex")
            || last.starts_with("genindex")
            || (name != "index" && last.starts_with(name)))
        {
            continue;
        }
        let Some(details) = store.details(*id)?.and_then(|packed| unpack_details(&packed)) else { continue };
        let targets = store.targets(*id)?;
        let links: Vec<(&str, PageId)> = details
            .links
            .iter()
            .zip(targets)
            .filter(|(link, target)| {
                link.kind == LinkKind::Anchor && link.block != BlockKind::Navigation && target != id
            })
            .map(|(link, target)| (link.text.as_str(), target))
            .collect();
        let mut at = 0;
        for block in &details.blocks {
            let mut rest = block.text.as_str();
            let mut entry = String::new();
            while let Some((text, target)) = links.get(at).filter(|(text, _)| !text.is_empty() && rest.contains(text)) {
                let begin = rest.find(text).unwrap_or(0);
                if entry.is_empty() {
                    entry = worded(&rest[..begin]);
                }
                let asked = if entry.is_empty() { worded(text) } else { entry.clone() };
                if asked.chars().count() >= 3 && known.contains(&target.0) {
                    all.entry(asked).or_default().insert(target.0);
                }
                rest = &rest[begin + text.len()..];
                at += 1;
            }
        }
    }
    Ok(spread(all))
}

/// Headings that one page alone has.
fn headings(store: &mut dyn Snapshot, name: &str) -> Result<Questions, Box<dyn Error>> {
    let mut all: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for (id, url) in fetched(store)? {
        let last = url.rsplit('/').next().unwrap_or_default();
        if last.contains("index") || (name != "index" && last.starts_with(name)) {
            continue;
        }
        let Some(details) = store.details(id)?.and_then(|packed| unpack_details(&packed)) else { continue };
        let is_heading = |kind: BlockKind| (BlockKind::Heading1..=BlockKind::Heading3).contains(&kind);
        for block in details.blocks.iter().filter(|block| is_heading(block.kind)) {
            let words: Vec<String> = worded(&block.text).split(' ').map(str::to_owned).collect();
            // Numbers of chapters are not what people ask for.
            let words: Vec<String> = words.into_iter().filter(|word| word.chars().any(char::is_alphabetic)).collect();
            if (1..=8).contains(&words.len()) {
                all.entry(words.join(" ")).or_default().insert(id.0);
            }
        }
    }
    Ok(spread(all))
}
