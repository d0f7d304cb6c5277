//! Which rule gives this value? From one or two examples (a page and the value that is meant on it) to columns that give it, the best first.
//!
//! ```text
//! places      where the value stands on the first page: the text of an element or what stands directly in it, an attribute, a leaf of JSON,
//!             or a part of one of these between other words
//! candidates  for each place: compounds of its element (#id, [itemprop], .class, name, name:nth-of-type), alone, below or beside compounds
//!             of its ancestors and of the element before it; the label before it (dt, th, "Price:"); the path of the JSON leaf;
//!             where it is a part, an expression from the words that surround it on all examples
//! cost        names that are made to be named cost 1 (id, itemprop), classes 1.5, JSON 2, labels 3.5, counting 5; what looks made by a program
//!             (digits, hashes, states such as `active`) costs more; each further compound its own cost and a half
//! kept        candidates that give on every example page exactly the value (first of several: cost + 3), the cheapest KEPT of them
//! chosen      of those, on pages of the same template that nobody looked at: the one that gives one value on most, then the cheapest
//! ```
//!
//! The idea (generate from one page, verify on the others, prefer what is short and named) is that of robust wrapper induction: N. Dalvi,
//! P. Bohannon, F. Sha, "Robust Web Extraction" (SIGMOD 2009), with fixed costs in place of a learned model of change.
//!
//! Cost: a few hundred candidates a place, PLACES places, each tried on each example page; a fraction of a second. Not guaranteed: that a
//! value which stands in several places is meant where the cheapest rule finds it, which a second example mostly decides; that a
//! rule from one example of a page with a part of its own (an id with a name in it) holds elsewhere, which is why it is tried there.

mod compounds;
mod css_rules;
mod json_rules;
mod labels;
mod parts;
mod places;
mod rule_draft;

use std::collections::HashSet;

use groma_hel::clean;

use crate::column::{Column, WrittenColumn};
use crate::number::number_of;
use crate::page::Page;
use crate::value::{Cell, ItemType, ValueType};
use crate::work::{ValueLimits, Work};

use self::places::places;
use self::rule_draft::RuleDraft;

/// Columns that are kept to be chosen from.
pub const KEPT: usize = 40;
/// Candidates that are tried.
const TRIED: usize = 6_000;
/// What it costs if a rule finds more than the one value.
const OF_SEVERAL: f64 = 3.0;
/// What it costs if a list has e times as many values as were shown: of two rules that give them, the narrower one is likelier meant.
const OF_MANY: f64 = 5.0;

/// A page, and what is meant on it: one value, or several of a list.
#[derive(Clone, Copy, Debug)]
pub struct Example<'e> {
    pub page: &'e Page<'e>,
    pub values: &'e [String],
}

/// What is asked for: a column of this name and type.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    pub name: &'w str,
    pub r#type: ValueType,
}

/// Why no rule was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InduceError {
    /// The value does not stand on the page with this number.
    #[error("`{value}` does not stand on the page")]
    NotThere { value: String, example: usize },
    /// It stands on every page, but nothing that a rule could name is common to them.
    #[error("no rule gives these values on all of these pages")]
    NoRule,
    /// Nothing was shown.
    #[error("there is no example")]
    NoExample,
}

/// A column that gives the example values.
#[derive(Clone, Debug)]
pub struct Induced {
    pub column: Column,
    /// The less the better.
    pub cost: f64,
}

/// Columns that give the values of all examples, the best first.
pub fn induce(wanted: Wanted<'_>, examples: &[Example<'_>]) -> Result<Vec<Induced>, InduceError> {
    let first = examples.first().ok_or(InduceError::NoExample)?;
    for (nth, example) in examples.iter().enumerate() {
        let missing = example.values.iter().find(|value| places(example.page, value).is_empty());
        if let Some(value) = missing {
            return Err(InduceError::NotThere { value: value.clone(), example: nth });
        }
    }
    let is_list = wanted.r#type.is_list;
    let value = first.values.first().ok_or(InduceError::NoExample)?;
    let mut drafts: Vec<RuleDraft> = Vec::new();
    for place in places(first.page, value) {
        css_rules::draft(first.page, &place, is_list, &mut drafts);
        labels::draft(first.page, &place, &mut drafts);
        json_rules::draft(&place, is_list, &mut drafts);
    }
    drafts.sort_by(|a, b| a.cost.total_cmp(&b.cost).then_with(|| a.selector.len().cmp(&b.selector.len())));
    let mut seen = HashSet::new();
    drafts.retain(|draft| seen.insert((draft.language.name(), draft.selector.clone(), draft.is_part)));
    let mut kept: Vec<Induced> = Vec::new();
    for draft in drafts.iter().take(TRIED) {
        // What comes later costs more; what is kept already may cost more for finding several.
        if kept.len() >= KEPT {
            break;
        }
        kept.extend(tried(wanted, draft, examples));
    }
    kept.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    if kept.is_empty() { Err(InduceError::NoRule) } else { Ok(kept) }
}

/// The columns that a draft comes to, if they give the values of all examples.
fn tried(wanted: Wanted<'_>, draft: &RuleDraft, examples: &[Example<'_>]) -> Option<Induced> {
    let column = |part: &str| {
        let r#type = wanted.r#type.to_string();
        let written = WrittenColumn { name: wanted.name, r#type: &r#type, urls: "", part };
        Column::read(&written, draft.language, &draft.selector).ok()
    };
    let whole = column("")?;
    if !draft.is_part {
        return verified(whole, draft.cost, examples);
    }
    let mut contexts = Vec::new();
    for example in examples {
        let texts = texts(&whole, example.page);
        let found =
            example.values.iter().filter_map(|value| texts.iter().find_map(|text| parts::context(text, &clean(value))));
        contexts.extend(found);
    }
    let patterns = parts::patterns(&contexts);
    patterns.into_iter().find_map(|(pattern, cost)| verified(column(&pattern)?, draft.cost + cost, examples))
}

fn texts(column: &Column, page: &Page<'_>) -> Vec<String> {
    let mut work = Work::new(ValueLimits::default());
    column.texts(page, &mut work).unwrap_or_default()
}

/// The column, if it gives what is meant on all examples, with what it costs.
fn verified(column: Column, cost: f64, examples: &[Example<'_>]) -> Option<Induced> {
    let mut most = 1.0f64;
    for example in examples {
        let texts = texts(&column, example.page);
        if column.r#type.is_list {
            let all =
                example.values.iter().all(|value| texts.iter().any(|text| is_same(value, text, column.r#type.item)));
            if !all {
                return None;
            }
            most = most.max(texts.len() as f64 / example.values.len().max(1) as f64);
        } else {
            let value = example.values.first()?;
            if !texts.first().is_some_and(|text| is_same(value, text, column.r#type.item)) {
                return None;
            }
            most = most.max(texts.len() as f64);
        }
    }
    let cost = if column.r#type.is_list {
        cost + OF_MANY * most.ln()
    } else if most > 1.0 {
        cost + OF_SEVERAL
    } else {
        cost
    };
    Some(Induced { column, cost })
}

/// Is a text what the example says? Numbers are, if they are the same number.
fn is_same(value: &str, text: &str, item: ItemType) -> bool {
    let (value, text) = (clean(value), clean(text));
    value == text || (item == ItemType::Number && number_of(&value).is_some() && number_of(&value) == number_of(&text))
}

/// How a column does on pages that nobody looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Pages on which it gives a value of its type.
    pub pages: u64,
    /// Of these, pages on which it finds more than one, though it is no list: the first is taken.
    pub several: u64,
    /// Pages it was tried on.
    pub of: u64,
}

impl Held {
    /// Tries a column on one more page.
    pub fn add(&mut self, column: &Column, page: &Page<'_>) {
        self.of += 1;
        let mut work = Work::new(ValueLimits::default());
        let found = texts(column, page).len();
        if matches!(column.cell(page, &mut work), Ok((Cell::One(_) | Cell::Many(_), _))) {
            self.pages += 1;
            self.several += u64::from(!column.r#type.is_list && found > 1);
        }
    }

    /// Pages on which there is no doubt, of a thousand.
    fn rate(self) -> u64 {
        ((self.pages - self.several) * 1000).checked_div(self.of).unwrap_or(0)
    }
}

/// Puts that column first which does best on pages of the same template, the cheaper one where they do alike (within one in a hundred).
pub fn choose(mut induced: Vec<Induced>, pages: &[Page<'_>]) -> Vec<(Induced, Held)> {
    let mut tried: Vec<(Induced, Held)> = induced
        .drain(..)
        .map(|rule| {
            let mut held = Held::default();
            pages.iter().for_each(|page| held.add(&rule.column, page));
            (rule, held)
        })
        .collect();
    let best = tried.iter().map(|(_, held)| held.rate()).max().unwrap_or(0);
    tried.sort_by(|(a, held_a), (b, held_b)| {
        let worse = |held: &Held| held.rate() + 10 < best;
        (worse(held_a).cmp(&worse(held_b))).then_with(|| a.cost.total_cmp(&b.cost))
    });
    tried
}
