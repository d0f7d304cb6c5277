//! The truth about the ACL Anthology, from what its papers' heads say.

use std::collections::HashSet;

use groma_model::{BlockKind, ParsedPage};
use groma_topic::{Language, Lexicon};

use crate::web::Web;

/// Where the text behind the heading "Abstract" stands.
fn abstract_of(page: &ParsedPage) -> Option<&str> {
    let heading =
        page.blocks.iter().position(|block| block.text == "Abstract" && block.kind != BlockKind::Paragraph)?;
    page.blocks.get(heading + 1).map(|block| block.text.as_str())
}

/// Marks the pages of papers, before what their heads say is thrown away: `charset`, which nobody needs here, says so.
pub(crate) fn finish(_address: &str, page: &mut ParsedPage) {
    page.charset = if page.meta("citation_title").is_some() { "paper" } else { "" };
}

/// For each topic, by page: is it a paper whose title and abstract have every word of the topic?
pub(crate) fn truths(web: &Web, topics: &[String]) -> Vec<Vec<bool>> {
    let mut lexicon = Lexicon::default();
    let mut read = |text: &str| {
        let mut terms = Vec::new();
        lexicon.read(text, Language::UNKNOWN, &mut terms);
        terms.into_iter().collect::<HashSet<u32>>()
    };
    let wanted: Vec<HashSet<u32>> = topics.iter().map(|topic| read(topic)).collect();
    let mut truths = vec![vec![false; web.addresses.len()]; topics.len()];
    for (at, stored) in web.stored.iter().enumerate() {
        let Some(page) = stored.as_ref().map(|stored| &stored.page).filter(|page| page.charset == "paper") else {
            continue;
        };
        let title = page.title.strip_suffix("- ACL Anthology").unwrap_or(&page.title);
        let terms = read(&format!("{title}\n{}", abstract_of(page).unwrap_or_default()));
        for (truth, wanted) in truths.iter_mut().zip(&wanted) {
            truth[at] = !wanted.is_empty() && wanted.is_subset(&terms);
        }
    }
    truths
}
