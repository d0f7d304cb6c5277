//! Which values belong together? Rules that walk the same list are columns of one table.
//!
//! ```text
//! list(rule) = its path up to the first step that gives a list, and its conditions, names of variables aside
//! row i      = the i-th of each rule with the same list(rule)
//! ```
//!
//! The same path under the same conditions names the same nodes, so the i-th values stand in one row; this is checked by
//! their number. Rules for JSON walk the same list if they are the same up to their first `[*]`. Rules that name rows under different conditions are never put together, even if they happen to give as many.
//! The list with most rules makes the records (then the one with most rows); the others give values only.

use std::collections::{BTreeMap, HashSet};

use groma_hel::syntax::{Bound, End, Path, PathStep, Rule};
use groma_hel::{Bounds, Node, Tree, Value};
use groma_url::Url;

use super::json::block::Block;
use super::json::path::JsonPath;
use super::{Answer, Record};
use crate::form;
use crate::meta::{Extraction, Metadata};

/// Records of a page.
const MOST: usize = 100_000;

/// An attribute whose rule gives a list: what it gives row by row.
struct Column<'m> {
    attribute: &'m str,
    rows: Vec<Value>,
    /// Does it give where the row leads?
    is_link: bool,
    source: Source<'m>,
}

/// What a column is read from.
#[derive(Clone, Copy)]
enum Source<'m> {
    Page(&'m Rule),
    Json(&'m JsonPath),
}

/// What rows were read from.
#[derive(Default)]
pub(super) struct RowsRead {
    /// The nodes of the rows, if they stand in the page.
    pub(super) nodes: Vec<Node>,
    /// A rule that walks the rows, if they stand in JSON.
    pub(super) json: Option<JsonPath>,
}

/// Fills in values and records. `blocks` is the JSON of the page.
pub(super) fn read(tree: &Tree, page: &Url, metadata: &Metadata, blocks: &[Block], answer: &mut Answer) -> RowsRead {
    let bounds = Bounds::default();
    let lists = lists(tree, metadata, blocks, answer);
    let rank = |columns: &&Vec<Column<'_>>| (columns.len(), columns.first().map_or(0, |column| column.rows.len()));
    let Some(columns) = lists.values().max_by_key(rank) else { return RowsRead::default() };
    let count = columns.first().map_or(0, |column| column.rows.len());
    if columns.iter().any(|column| column.rows.len() != count) {
        answer.complaints.push("the rules of one list give lists of different lengths; there are no rows".to_owned());
        return RowsRead::default();
    }
    let mut read = RowsRead::default();
    match columns.first().map(|column| column.source) {
        Some(Source::Page(rule)) => read.nodes = rule.rows(tree, &bounds).unwrap_or_default(),
        Some(Source::Json(path)) => read.json = Some(path.clone()),
        None => {}
    }
    let base = form::base(tree, page);
    for nth in 0..count.min(MOST) {
        let mut record = Record::default();
        let mut said = None;
        for column in columns {
            let values = column.rows.get(nth).map(Value::values).unwrap_or_default();
            if column.is_link {
                said = said.or(values.first().copied());
            }
            record.values.extend(values.into_iter().map(|value| (column.attribute.to_owned(), value.to_owned())));
        }
        if !record.values.is_empty() {
            record.link = match read.nodes.get(nth) {
                Some(row) => link(tree, &base, *row, said),
                None => said.and_then(|said| joined(&base, said)),
            };
            answer.records.push(record);
        }
    }
    read
}

/// The lists that rules walk, by what names them; values are filled in.
fn lists<'m>(
    tree: &Tree,
    metadata: &'m Metadata,
    blocks: &[Block],
    answer: &mut Answer,
) -> BTreeMap<String, Vec<Column<'m>>> {
    let bounds = Bounds::default();
    let mut lists: BTreeMap<String, Vec<Column<'m>>> = BTreeMap::new();
    for (attribute, extractions) in &metadata.results {
        let mut seen: HashSet<String> = HashSet::new();
        let known = answer.values.entry(attribute.clone()).or_default();
        for extraction in extractions {
            let (value, list, is_link, source) = match extraction {
                Extraction::Values(values) => {
                    known.extend(values.iter().filter(|value| seen.insert((*value).clone())).cloned());
                    continue;
                }
                Extraction::Json(path) => {
                    let list = path.list().map(|list| list.to_string());
                    (path.extract(blocks), list, path.is_link(), Source::Json(path))
                }
                Extraction::Rule(rule) => match rule.extract(tree, &bounds) {
                    Ok(value) => {
                        let is_link = matches!(&rule.path.end, End::Attribute(name) if name == "href");
                        (value, list_of(rule), is_link, Source::Page(rule))
                    }
                    Err(exceeded) => {
                        answer.complaints.push(format!("DB.Result.{attribute}: {exceeded}"));
                        continue;
                    }
                },
            };
            let values = value.values().into_iter().map(str::to_owned);
            known.extend(values.filter(|value| seen.insert(value.clone())));
            if let (Some(list), Value::List(rows)) = (list, value) {
                lists.entry(list).or_default().push(Column { attribute, rows, is_link, source });
            }
        }
    }
    lists
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
    // Rows that only conditions within them choose from are all rows.
    let mut path = path.to_string();
    for nth in 0..known {
        let is_told = |condition: &String| [']', ':'].iter().any(|end| condition.contains(&format!("[v{nth}{end}")));
        if !conditions.iter().any(is_told) {
            path = path.replace(&format!("[v{nth}:*]"), "[*]");
        }
    }
    Some(format!("{path} WHERE {}", conditions.join(" AND ")))
}

/// A step with its variables named in order.
fn plain(step: &PathStep, names: &mut Vec<String>) -> PathStep {
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

/// Where a row leads: to what a rule of it gives as a URL, else to its first link.
fn link(tree: &Tree, base: &Url, row: Node, said: Option<&str>) -> Option<String> {
    let inside = (row..tree.end(row)).take(400).filter(|at| tree.name(*at) == "a");
    let href = said.or_else(|| inside.filter_map(|at| tree.attribute(at, "href")).find(|href| !href.starts_with('#')));
    joined(base, href?)
}

fn joined(base: &Url, href: &str) -> Option<String> {
    let url = base.join(href.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| String::from(url))
}
