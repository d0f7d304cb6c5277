//! Which values belong together? Rules that walk the same list are columns of one table.
//!
//! ```text
//! list(rule) = its path up to the first step that gives a list, and its conditions, names of variables aside
//! row i      = the i-th of each rule with the same list(rule)
//! ```
//!
//! The same path under the same conditions names the same nodes, so the i-th values stand in one row; this is checked by
//! their number. Rules that name rows under different conditions are never put together, even if they happen to give as many.
//! The list with most rules makes the records (then the one with most rows); the others give values only.

use std::collections::{BTreeMap, HashSet};

use groma_hel::syntax::{Bound, End, Path, Rule, Step};
use groma_hel::{Bounds, Node, Tree, Value};
use url::Url;

use super::{Answer, Record};
use crate::form;
use crate::meta::{Extraction, Metadata};

/// Records of a page.
const MOST: usize = 100_000;

/// A rule that gives a list: its attribute, itself, and what it gives row by row.
type Column<'m> = (&'m str, &'m Rule, Vec<Value>);

/// Fills in values and records. Returns the nodes of the rows.
pub(super) fn read(tree: &Tree, page: &Url, metadata: &Metadata, bounds: &Bounds, answer: &mut Answer) -> Vec<Node> {
    let mut lists: BTreeMap<String, Vec<Column<'_>>> = BTreeMap::new();
    for (attribute, extractions) in &metadata.results {
        let mut seen: HashSet<String> = HashSet::new();
        let known = answer.values.entry(attribute.clone()).or_default();
        for extraction in extractions {
            let rule = match extraction {
                Extraction::Values(values) => {
                    known.extend(values.iter().filter(|value| seen.insert((*value).clone())).cloned());
                    continue;
                }
                Extraction::Rule(rule) => rule,
            };
            match rule.extract(tree, bounds) {
                Ok(value) => {
                    let values = value.values().into_iter().map(str::to_owned);
                    known.extend(values.filter(|value| seen.insert(value.clone())));
                    if let (Some(list), Value::List(rows)) = (list_of(rule), value) {
                        lists.entry(list).or_default().push((attribute, rule, rows));
                    }
                }
                Err(exceeded) => answer.complaints.push(format!("DB.Result.{attribute}: {exceeded}")),
            }
        }
    }
    let rank = |rules: &&Vec<Column<'_>>| (rules.len(), rules.first().map_or(0, |rule| rule.2.len()));
    let Some(rules) = lists.values().max_by_key(rank) else { return Vec::new() };
    let count = rules.first().map_or(0, |rule| rule.2.len());
    if rules.iter().any(|rule| rule.2.len() != count) {
        answer.complaints.push("the rules of one list give lists of different lengths; there are no rows".to_owned());
        return Vec::new();
    }
    let nodes = rules.first().and_then(|rule| rule.1.rows(tree, bounds).ok()).unwrap_or_default();
    let base = form::base(tree, page);
    for nth in 0..count.min(MOST) {
        let mut record = Record::default();
        let mut said = None;
        for (attribute, rule, rows) in rules {
            let values = rows.get(nth).map(Value::values).unwrap_or_default();
            if matches!(&rule.path.end, End::Attribute(name) if name == "href") {
                said = said.or(values.first().copied());
            }
            record.values.extend(values.into_iter().map(|value| ((*attribute).to_owned(), value.to_owned())));
        }
        if !record.values.is_empty() {
            record.link = nodes.get(nth).and_then(|row| link(tree, &base, *row, said));
            answer.records.push(record);
        }
    }
    nodes
}

/// What names the list that a rule walks; nothing if it walks none.
fn list_of(rule: &Rule) -> Option<String> {
    let at = rule.path.steps.iter().position(|step| !step.is_single())?;
    let mut names: Vec<String> = Vec::new();
    let steps = rule.path.steps.get(..=at)?.iter();
    let path = Path {
        led: rule.path.led,
        steps: steps.map(|step| plain(step, &mut names)).collect(),
        end: End::Node,
        operations: Vec::new(),
    };
    let known = names.len();
    let mut conditions: Vec<String> = Vec::new();
    for condition in &rule.conditions {
        let mut condition = condition.clone();
        condition.path.steps = condition.path.steps.iter().map(|step| plain(step, &mut names)).collect();
        // A condition on something within the row chooses within it, and not the row.
        if names.len() == known {
            conditions.push(format!("{} {:?} {}", condition.path, condition.comparison, condition.with));
        }
        names.truncate(known);
    }
    conditions.sort();
    Some(format!("{path} WHERE {}", conditions.join(" AND ")))
}

/// A step with its variables named in order.
fn plain(step: &Step, names: &mut Vec<String>) -> Step {
    let mut step = step.clone();
    let mut rename = |bound: &mut Bound| {
        if let Bound::Variable(name) = bound {
            let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            *name = format!("v{at}");
        }
    };
    for span in &mut step.index {
        rename(&mut span.from);
        span.to.iter_mut().for_each(&mut rename);
    }
    step
}

/// Where a row leads: to what a rule of it gives as an address, else to its first link.
fn link(tree: &Tree, base: &Url, row: Node, said: Option<&str>) -> Option<String> {
    let inside = (row..tree.end(row)).take(400).filter(|at| tree.name(*at) == "a");
    let href = said.or_else(|| inside.filter_map(|at| tree.attribute(at, "href")).find(|href| !href.starts_with('#')));
    let url = base.join(href?.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| String::from(url))
}
