//! Descriptions and main headings: which listed pages share one?
//!
//! Rule: different pages with the same text, white space and case of letters aside: every page of the group but the first, as for titles.
//! Left out are pages that are doubles by their text already, ask not to be listed, or name another page as their canonical form.
//! Cost: a sort of the pages.

use std::io;

use super::duplicates::{first_of, names_another};
use crate::draft::Draft;
use crate::evidence::Evidence;
use crate::facts::{Facts, Mark, Page};
use crate::finding::Kind;

/// Finds them, by what `text` gives of a page: a fingerprint, 0 if there is none.
pub(crate) fn find(
    evidence: &mut dyn Evidence,
    facts: &Facts,
    kind: Kind,
    text: fn(&Page) -> u64,
    drafts: &mut Vec<Draft>,
) -> io::Result<()> {
    let competes = |page: &&Page| {
        let has = |mark| facts.has(page.id(), mark);
        text(page) != 0
            && has(Mark::Html)
            && has(Mark::InScope)
            && !has(Mark::Soft)
            && !has(Mark::NoIndex)
            && !has(Mark::Double)
            && !names_another(facts, page)
    };
    let mut pages: Vec<Page> = facts.pages.iter().filter(competes).copied().collect();
    pages.sort_unstable_by_key(|page| (text(page), page.id));
    for group in pages.chunk_by(|a, b| text(a) == text(b)).filter(|group| group.len() > 1) {
        let first = first_of(evidence, group)?;
        let others = group.iter().filter(|page| page.id != first.id);
        drafts.extend(others.map(|page| Draft::of_double(kind, page.id(), first.id())));
    }
    Ok(())
}
