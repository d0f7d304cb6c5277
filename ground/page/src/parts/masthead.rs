//! Title, authors and affiliations, from the body alone: the head of an article as it is set.
//!
//! The [title](super::title) comes first; [authors](super::authors) and [affiliations](super::affiliations) are looked for around it and before
//! the abstract, and wherever a label announces them. Cost: linear in the blocks looked at, which are at most [`NEAR`] around the title with
//! [`REGION`] bytes, plus one look at every block for labels.

use super::hints::Hints;
use super::sections::Sections;
use super::spot::Spot;
use super::view::View;
use super::wording::Label;
use super::{affiliations, authors, title};

/// Blocks looked at after the title, and before it.
const NEAR: usize = 60;
const BEFORE: usize = 6;
/// Bytes of text in which authors and affiliations are looked for.
const REGION: usize = 120_000;

#[derive(Debug, Default)]
pub(crate) struct Masthead {
    pub(crate) title: Option<Spot>,
    pub(crate) authors: Vec<Spot>,
    pub(crate) affiliations: Vec<Spot>,
}

/// `summary` is the first block of the abstract, `declared` the title the head gives.
pub(crate) fn find_masthead(
    view: &View<'_>,
    sections: &Sections,
    summary: Option<usize>,
    declared: Option<&str>,
) -> Masthead {
    let title = title::find_title(view, sections, summary, declared);
    let near = region(view, sections, title.as_ref().and_then(|spot| spot.blocks.first().copied()), summary);
    let (authors, marks) = authors::find_authors(view, sections, &near, title.as_ref());
    let affiliations = affiliations::find_affiliations(view, sections, &near, &authors, &marks, title.as_ref());
    Masthead { title, authors, affiliations }
}

/// The blocks in which authors and affiliations may stand.
fn region(view: &View<'_>, sections: &Sections, title: Option<u32>, summary: Option<usize>) -> Vec<usize> {
    let title = title.map(|title| title as usize);
    let from = title.or(summary).unwrap_or(0).saturating_sub(if title.is_some() { BEFORE } else { 20 });
    let to = summary.filter(|summary| title.is_none_or(|title| *summary > title)).unwrap_or(view.blocks.len());
    let near = |block: &usize| {
        let block = *block;
        let aside = super::sections::is_aside(sections.label(block))
            || matches!(
                sections.label(block),
                Some(Label::References | Label::Contents | Label::Comments | Label::Keywords | Label::Subjects)
            );
        view.is_body(block)
            && !aside
            && !view.blocks[block].within.any(
                Hints::RELATED
                    .with(Hints::NAVIGATION)
                    .with(Hints::COMMENT)
                    .with(Hints::DIALOG)
                    .with(Hints::FOOTER)
                    .with(Hints::EDITOR)
                    .with(Hints::FORM),
            )
    };
    let mut blocks: Vec<usize> = (from..to.min(from + NEAR + BEFORE)).filter(near).collect();
    // What is labeled counts wherever it stands.
    let labelled = |block: &usize| {
        matches!(sections.over(*block).and_then(|section| section.label), Some(Label::Authors | Label::Affiliation))
    };
    let more: Vec<usize> =
        (0..view.blocks.len()).filter(|block| view.is_body(*block) && labelled(block)).take(400).collect();
    blocks.extend(more);
    blocks.sort_unstable();
    blocks.dedup();
    let mut room = REGION;
    blocks.retain(|block| {
        let length = view.block_text(*block).len();
        let fits = length <= room;
        room -= if fits { length } else { 0 };
        fits
    });
    blocks
}
