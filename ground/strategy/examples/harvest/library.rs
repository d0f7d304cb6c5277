//! The truth about a made journal library, from the file `truth.jsonl` in its folder.

use std::path::{Path, PathBuf};

use groma_model::ParsedPage;

use crate::web::{ROOT, Web};

/// A line of the truth.
pub(crate) struct Told {
    address: String,
    is_article: bool,
    labels: Vec<String>,
}

/// All lines, if there is such a file.
pub(crate) fn read(folder: &Path) -> Option<Vec<Told>> {
    let text = std::fs::read_to_string(folder.join("truth.jsonl")).ok()?;
    let told = text.lines().filter_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        let word = |key: &str| line[key].as_str().map(str::to_owned);
        let labels = ["field", "subfield", "topic"].iter().filter_map(|key| word(key)).collect();
        let address = word("address")?.trim_start_matches('/').to_owned();
        Some(Told { address, is_article: line["type"] == "article", labels })
    });
    Some(told.collect())
}

/// The pages as files, with their URLs.
pub(crate) fn files(folder: &Path, told: &[Told]) -> Vec<(PathBuf, String)> {
    let file = |told: &Told| (folder.join(&told.address).join("index.html"), format!("{ROOT}{}", told.address));
    told.iter().map(file).collect()
}

/// For each label, by page: is it an article with this label?
pub(crate) fn truths(web: &Web, told: &[Told], labels: &[String]) -> Vec<Vec<bool>> {
    let mut truths = vec![vec![false; web.addresses.len()]; labels.len()];
    for told in told.iter().filter(|told| told.is_article) {
        let Some(&at) = web.numbers.get(&format!("{ROOT}{}", told.address)) else { continue };
        for (truth, label) in truths.iter_mut().zip(labels) {
            truth[at as usize] = told.labels.contains(label);
        }
    }
    truths
}

/// Nothing is to be added to its pages.
pub(crate) fn finish(_address: &str, _page: &mut ParsedPage) {}
