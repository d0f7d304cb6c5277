//! What is in the JSON of a page? JSON-LD and other JSON in scripts, asked by JSON path (RFC 9535).
//!
//! Documents are the scripts whose type is `application/ld+json`, `application/json` or another `+json`, in their order in the page; the
//! path is asked of each, and what it finds is told in that order. A string is taken as it is, a number or truth value as JSON writes it, a
//! list as its items, an object as JSON. A script that is no JSON is passed over, as browsers pass it over.
//!
//! Cost: scripts are parsed once a page, linear, nested at most 128 deep (serde_json's own bound). A path without descendants (`..`) is linear
//! in the nodes it names; each `..` visits all that is below, so at most [`DESCENTS`] are taken, and documents beyond [`ITEMS`] items are not read.

use groma_hel::Tree;
use serde_json::Value;
use serde_json_path::JsonPath;

use crate::error::SelectorError;
use crate::work::{OutOfWork, Work};

/// The most `..` of a path: each may multiply the work by the depth of the document.
const DESCENTS: usize = 2;

/// Brackets within brackets of a path, and negations.
const NESTING: usize = 24;

/// The most items of the documents of a page; what comes behind is not read.
const ITEMS: usize = 200_000;

/// A JSON path.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonRule {
    path: JsonPath,
    /// How often the documents may be walked.
    descents: u32,
}

impl JsonRule {
    /// Reads a path as it was written.
    pub fn parse(text: &str) -> Result<JsonRule, SelectorError> {
        if let Some(at) = too_deep(text) {
            return Err(SelectorError::new(text, at, format!("a path nests at most {NESTING} deep in brackets")));
        }
        let path =
            JsonPath::parse(text).map_err(|error| SelectorError::new(text, error.position(), error.message()))?;
        let descents = text.matches("..").count();
        if descents > DESCENTS {
            let at = text.match_indices("..").nth(DESCENTS).map_or(0, |(at, _)| at);
            return Err(SelectorError::new(text, at, format!("a path has at most {DESCENTS} times `..`")));
        }
        Ok(JsonRule { path, descents: descents as u32 })
    }

    pub(crate) fn values(&self, documents: &[Value], work: &mut Work) -> Result<Vec<String>, OutOfWork> {
        let mut values = Vec::new();
        for document in documents {
            let (items, depth) = (count(document, ITEMS), 8u64);
            work.add((items as u64).saturating_mul(depth.pow(self.descents.saturating_sub(1))))?;
            for node in self.path.query(document) {
                push(node, &mut values, work)?;
            }
        }
        Ok(values)
    }
}

/// Where a path nests too deep for whoever reads it by descending, brackets in texts counted, too.
fn too_deep(text: &str) -> Option<usize> {
    let mut open = 0usize;
    text.bytes().position(|byte| {
        match byte {
            b'[' | b'(' | b'!' => open += 1,
            b']' | b')' => open = open.saturating_sub(1),
            _ => {}
        }
        open > NESTING
    })
}

fn push(value: &Value, values: &mut Vec<String>, work: &mut Work) -> Result<(), OutOfWork> {
    work.add(1)?;
    if values.len() >= work.values() {
        work.note_values();
        return Ok(());
    }
    match value {
        Value::Null => {}
        Value::String(text) => values.push(work.cut_value(text.trim())),
        Value::Bool(_) | Value::Number(_) => values.push(value.to_string()),
        Value::Object(_) => values.push(work.cut_value(&value.to_string())),
        // One list of a page's own, not lists within lists.
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Array(_) => values.push(work.cut_value(&item.to_string())),
                    item => push(item, values, work)?,
                }
            }
        }
    }
    Ok(())
}

/// Items of a document, as far as the bound.
fn count(value: &Value, most: usize) -> usize {
    let (mut seen, mut left) = (0, vec![value]);
    while let Some(value) = left.pop() {
        seen += 1;
        if seen >= most {
            break;
        }
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(fields) => left.extend(fields.values()),
            _ => {}
        }
    }
    seen
}

/// The JSON documents in the scripts of a page.
pub(crate) fn documents(tree: &Tree) -> Vec<Value> {
    let scripts = tree.label_of("script").map_or(&[][..], |label| tree.nodes(label));
    let mut left = ITEMS;
    let mut documents = Vec::new();
    for script in scripts.iter().filter(|script| is_json(tree.attribute(**script, "type").unwrap_or_default())) {
        let text: String = tree.children(*script).map(|text| tree.text(text)).collect();
        let Ok(document) = serde_json::from_str::<Value>(text.trim()) else { continue };
        let items = count(&document, left.saturating_add(1));
        if items > left {
            break;
        }
        left -= items;
        documents.push(document);
    }
    documents
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}
