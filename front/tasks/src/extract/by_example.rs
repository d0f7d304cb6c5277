//! A column made from examples: the pages are looked up, rules are made from the values on them, and other pages of their template choose.

use groma_extract::induce::{Example, InduceError, Induced, Wanted, choose, induce};
use groma_extract::{Column, ItemType, Page, SAME_TEMPLATE, Skeleton, ValueType};
use groma_model::{PageId, State};
use groma_settings::Fault;
use groma_store::Snapshot;

use super::bodies::{Bodies, PageText, readable};
use super::task::Extract;
use super::wording::{NO_BODY_HINT, NO_RULE_HINT, NOT_THERE_HINT, no_body, not_there};
use crate::lookup;

/// Pages of the template on which rules are tried.
const SAMPLE: usize = 40;
/// Pages that are looked at to find them.
const LOOKED_AT: u64 = 800;
/// Larger pages are no sample: all of them are in memory at once.
const SAMPLE_BYTES: usize = 1 << 20;

/// A column made from examples, and the template it holds for.
pub(super) struct Learned {
    pub(super) column: Column,
    template: Vec<Skeleton>,
    /// Other rules that give the same on the examples, the best first.
    pub(super) others: Vec<Column>,
}

impl Learned {
    /// Is a page of the template of the examples?
    pub(super) fn is_for(&self, page: &Page<'_>) -> bool {
        is_of(&self.template, page)
    }
}

fn is_of(template: &[Skeleton], page: &Page<'_>) -> bool {
    let own = Skeleton::new(page);
    template.iter().any(|skeleton| skeleton.similarity(&own) >= SAME_TEMPLATE)
}

/// Makes the column that a task shows examples of.
pub(super) fn learn(store: &mut dyn Snapshot, task: &Extract, bodies: &mut Bodies<'_>) -> Result<Learned, Fault> {
    let (name, r#type) = task.wanted()?;
    let mut texts = Vec::new();
    for typed in &task.page {
        texts.push(example(store, bodies, typed)?);
    }
    let values = values_of_pages(task);
    let pages: Vec<Page<'_>> = texts.iter().map(|text| Page::read(&text.text, Some(&text.url))).collect();
    let examples: Vec<Example<'_>> = pages.iter().zip(&values).map(|(page, values)| Example { page, values }).collect();
    let is_list = values.iter().any(|values| values.len() > 1);
    let usual = ValueType { item: ItemType::Text, is_list };
    let wanted = Wanted { name: &name, r#type: r#type.unwrap_or(usual) };
    let found = induce(wanted, &examples).or_else(|error| match r#type {
        // A number that the page writes in another way.
        None if error == InduceError::NoRule => {
            induce(Wanted { r#type: ValueType { item: ItemType::Number, is_list }, ..wanted }, &examples)
        }
        _ => Err(error),
    });
    let found = found.map_err(|error| match &error {
        InduceError::NotThere { value, example } => {
            let url = texts.get(*example).map_or("the page", |text| text.url.as_str());
            Fault::new(not_there(value, url), NOT_THERE_HINT)
        }
        _ => Fault::new(error.to_string(), NO_RULE_HINT),
    })?;
    let template: Vec<Skeleton> = pages.iter().map(Skeleton::new).collect();
    let sample = sample(store, bodies, &template, &texts)?;
    let sample: Vec<Page<'_>> = sample.iter().map(|text| Page::read(&text.text, Some(&text.url))).collect();
    let mut ranked = choose(found, &sample).into_iter().map(|(Induced { column, .. }, _)| column);
    let Some(column) = ranked.next() else { return Err(Fault::new(InduceError::NoRule.to_string(), NO_RULE_HINT)) };
    Ok(Learned { column, template, others: ranked.take(3).collect() })
}

/// The values that stand on each page.
fn values_of_pages(task: &Extract) -> Vec<Vec<String>> {
    let values: Vec<String> = task.like.iter().map(|value| value.text().to_owned()).collect();
    match task.page.len() {
        1 => vec![values],
        pages if values.len() == 1 => vec![values; pages],
        _ => values.into_iter().map(|value| vec![value]).collect(),
    }
}

fn example(store: &mut dyn Snapshot, bodies: &mut Bodies<'_>, typed: &str) -> Result<PageText, Fault> {
    let id = lookup::page(store, typed)?;
    let missing = || Fault::new(no_body(typed), NO_BODY_HINT);
    let (url, page) = readable(store, id)?.ok_or_else(missing)?;
    bodies.text(store, url, &page)?.ok_or_else(missing)
}

/// Other pages of the template, from all over the survey: those whose numbers, well mixed, are the least.
fn sample(
    store: &mut dyn Snapshot,
    bodies: &mut Bodies<'_>,
    template: &[Skeleton],
    examples: &[PageText],
) -> Result<Vec<PageText>, Fault> {
    let all = store.balance()?.state(State::Fetched);
    let each = (all / LOOKED_AT).max(1);
    let (mut sample, mut after): (Vec<PageText>, Option<PageId>) = (Vec::new(), None);
    loop {
        let rows = store.addresses(after, 10_000)?;
        let Some(last) = rows.last() else { return Ok(sample) };
        after = Some(last.id);
        for row in rows.iter().filter(|row| mixed(row.id).is_multiple_of(each)) {
            if sample.len() >= SAMPLE {
                return Ok(sample);
            }
            let Some((url, page)) = readable(store, row.id)? else { continue };
            if page.facts.size > SAMPLE_BYTES as u64 || examples.iter().any(|example| example.url == url) {
                continue;
            }
            let Some(text) = bodies.text(store, url, &page)? else { continue };
            if is_of(template, &Page::read(&text.text, Some(&text.url))) {
                sample.push(text);
            }
        }
    }
}

fn mixed(id: PageId) -> u64 {
    u64::from(id.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}
