//! Keywords under a heading, or beside a field, that announces them.
//!
//! Fields of one name are one list: records print a row to each word. A heading within such a list ("Controlled terms", "Author
//! keywords") divides it and does not end it. Cost: linear in the blocks under such headings, at most [`FIELDS`] of them.

use std::collections::HashMap;

use super::super::hints::Hints;
use super::super::sections::{Section, Sections};
use super::super::spot::Spot;
use super::super::summary;
use super::super::view::View;
use super::super::wording::{self, Label};
use super::words::{WORDS, split};
use super::{About, better, weak};
use crate::html::tag::Tag;

/// Headings that are looked at.
const FIELDS: usize = 100;
/// Bytes of a block that is no line of keywords.
const PARAGRAPH: usize = 1500;
/// How sure we are.
const SURE: u8 = 85;

pub(super) fn headed_keywords(view: &View<'_>, sections: &Sections, about: &About<'_>) -> Vec<Spot> {
    let key = |section: &Section| wording::bare(view.block_text(section.heading as usize)).to_lowercase();
    let fields: Vec<&Section> = sections.all.iter().filter(|section| is_list(section.label)).take(FIELDS).collect();
    let mut rows: HashMap<String, usize> = HashMap::new();
    fields.iter().filter(|section| section.level >= 7).for_each(|section| *rows.entry(key(section)).or_default() += 1);
    let mut lists: Vec<(String, bool, Vec<Spot>)> = Vec::new();
    for section in fields {
        let heading = section.heading as usize;
        let weak = section.label == Some(Label::Subjects);
        // What says outright that it is keywords may stand beside the text or at its foot.
        let aside = Hints::SIDE.with(Hints::FOOTER).with(Hints::LANDMARK).with(Hints::NOISE);
        let within = view.blocks[heading].within;
        if within.any(Hints::OUTSIDE.without(aside).with(Hints::FORM)) {
            continue;
        }
        let key = key(section);
        let is_row = section.level >= 7 && rows.get(&key).is_some_and(|count| *count > 1);
        let words = under(view, sections, section, is_row);
        match lists.iter_mut().find(|(known, ..)| *known == key) {
            Some((.., list)) => {
                let new = |word: &Spot| !list.iter().any(|known| known.text.eq_ignore_ascii_case(&word.text));
                let words: Vec<Spot> = words.into_iter().filter(new).take(WORDS).collect();
                list.extend(words);
                list.truncate(WORDS);
            }
            None => lists.push((key, weak, words)),
        }
    }
    let mut best: Vec<Spot> = Vec::new();
    for (_, is_weak, mut words) in lists {
        if is_weak {
            let outside = Hints::OUTSIDE.without(Hints::NOISE);
            let aside =
                words.first().and_then(|word| word.blocks.first()).map(|block| view.blocks[*block as usize].within);
            let Some(sure) = weak(&words, about, aside.is_some_and(|within| within.any(outside))) else { continue };
            words.iter_mut().for_each(|word| word.confidence = sure);
        }
        if better(&words, &best) {
            best = words;
        }
    }
    best
}

fn is_list(label: Option<Label>) -> bool {
    matches!(label, Some(Label::Keywords | Label::Subjects))
}

/// The words under one heading; of a row of a record, its first value alone.
fn under(view: &View<'_>, sections: &Sections, section: &Section, is_row: bool) -> Vec<Spot> {
    let heading = section.heading as usize;
    let mut words = Vec::new();
    let mut last: Option<(u32, u32)> = None;
    for block in heading + 1..view.blocks.len().min(heading + 1 + WORDS) {
        if !view.is_body(block) {
            continue;
        }
        let over = sections.over(block);
        let own = over.is_some_and(|over| over.heading == section.heading);
        let divided = over.is_some_and(|over| is_list(over.label) && over.level > section.level);
        // A head cell may reach over rows below it.
        let spanned = over.is_none_or(|over| over.heading < section.heading)
            && view.tag(heading) == Some(Tag::Th)
            && view.tag(block) == Some(Tag::Td)
            && last.is_some_and(|(path, _)| path == view.path(block));
        if divided && sections.is_heading(block) {
            continue;
        }
        // A list is set alike all through: what is set otherwise after it is something else.
        let alike = last.is_none_or(|(path, of)| path == view.path(block) || of == view.page_block(block) || divided);
        if !(own || divided || spanned)
            || !alike
            || view.block_text(block).len() > PARAGRAPH
            || (summary::ends(view, block) && !words.is_empty())
        {
            break;
        }
        if !split(view, block, 0, SURE, &mut words) {
            break;
        }
        last = Some((view.path(block), view.page_block(block)));
        if is_row && !words.is_empty() {
            break;
        }
    }
    words
}
