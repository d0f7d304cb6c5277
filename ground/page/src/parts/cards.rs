//! Cards of authors: a line that is nothing but an author's name, and after it where that author works.
//!
//! They stand under the title, in folds, in boxes beside the text or after it. A card is the name and the lines after it, at most
//! [`LINES`], up to the next name, heading or the end of the smallest box that holds more than the name. A line of a card is a place if
//! it is called like one; others count if they stand as far from their name, and are set, as one that is. Cost: linear in blocks.
//!
//! Not guaranteed: places on cards none of which is called like an institution or ends in a country.

use std::collections::HashSet;

use super::hints::Hints;
use super::people;
use super::places;
use super::sections::{self, Sections};
use super::title::letters;
use super::view::View;
use super::wording::{self, Label};

/// Lines of a card after the name.
const LINES: usize = 4;
/// Bytes of a line that may be a name.
const NAME: usize = 120;
/// How far the box of a card is looked for.
const CLIMB: usize = 4;
/// Cards of a page.
const CARDS: usize = 1000;

/// A line of a card.
struct Line {
    block: usize,
    /// How many lines after the name.
    after: usize,
    path: u32,
    called: bool,
}

/// The lines that say where authors work. `people` are their names, as [`letters`].
pub(crate) fn places_of(view: &View<'_>, sections: &Sections, people: &HashSet<String>) -> Vec<usize> {
    if people.is_empty() {
        return Vec::new();
    }
    let is_name = |block: usize| {
        let text = view.block_text(block);
        text.len() <= NAME && people.contains(&letters(&people::clean(text)))
    };
    // The next author, with the place in the same line.
    let begins = |block: usize| {
        let plain = letters(view.block_text(block));
        people.iter().any(|name| plain.starts_with(name))
    };
    let mut lines: Vec<Line> = Vec::new();
    let names = (0..view.blocks.len()).filter(|block| may_stand(view, sections, *block) && is_name(*block));
    for name in names.take(CARDS) {
        let (from, to) = card(view, name);
        let after = (name + 1..to).filter(|block| view.is_body(*block) && *block >= from);
        for (after, block) in after.take(LINES).enumerate() {
            let headed = sections.is_heading(block) && sections.over(block).is_some_and(|over| over.level < 8);
            if headed || begins(block) {
                break;
            }
            let text = view.block_text(block);
            if !may_stand(view, sections, block) || wording::label(text).is_some() || wording::inline(text, 0).is_some()
            {
                continue;
            }
            if places::may_be_institution(text) && view.link_share(block) < 50 && !places::is_notice(text) {
                let called = places::is_institution(text) || places::ends_in_country(text);
                lines.push(Line { block, after, path: view.path(block), called });
            }
        }
    }
    let sure: HashSet<(usize, u32)> =
        lines.iter().filter(|line| line.called).map(|line| (line.after, line.path)).collect();
    let fits = |line: &&Line| {
        line.called || (sure.contains(&(line.after, line.path)) && !people::is_name(view.block_text(line.block)))
    };
    let mut found: Vec<usize> = lines.iter().filter(fits).map(|line| line.block).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The blocks of the smallest box around a name that holds more than the name.
fn card(view: &View<'_>, name: usize) -> (usize, usize) {
    let line = (name, name + 1);
    for node in view.boxes(view.blocks[name].node).take(CLIMB) {
        let (from, to) = view.node_blocks(node);
        if to as usize > name + 1 {
            return (from as usize, to as usize);
        }
    }
    line
}

/// Nothing of what is around it says that it is about other works or other people.
fn may_stand(view: &View<'_>, sections: &Sections, block: usize) -> bool {
    // A heading for the authors may stand under one for the references.
    let inner = sections.over(block).and_then(|over| over.label);
    let own = inner.filter(|label| matches!(label, Label::Authors | Label::Affiliation));
    let label = own.or_else(|| sections.label(block));
    let other = matches!(
        label,
        Some(Label::References | Label::Contents | Label::Keywords | Label::Subjects | Label::Abstract)
    );
    view.is_body(block)
        && !other
        && !sections::is_aside(label)
        && !view.blocks[block]
            .within
            .any(Hints::RELATED.with(Hints::NAVIGATION).with(Hints::COMMENT).with(Hints::EDITOR))
}
