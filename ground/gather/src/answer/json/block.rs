//! Which JSON stands in a page? Scripts of a JSON type, and objects and lists that scripts assign.
//!
//! ```text
//! <script type=application/json | application/ld+json | ...>     the whole text; several values one after the other are a list (JSON Lines)
//! window.NAME = VALUE;  var NAME = VALUE;  NAME["NAME"] = VALUE      VALUE is read if it is JSON, not an expression
//! ```
//!
//! A block is called by the `id` of its script, its type, and what it is assigned to. Cost: linear in the bytes; of each script at most
//! [`ASSIGNED`] assignments are tried, of a page at most [`BYTES`] bytes and [`BLOCKS`] blocks.

use groma_hel::Tree;
use serde_json::{Deserializer, Value as Json};

/// Bytes of JSON of a page.
pub(crate) const BYTES: usize = 8 << 20;

/// Blocks of a page.
const BLOCKS: usize = 64;

/// Assignments of a script.
const ASSIGNED: usize = 16;

/// JSON of a page.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// What it is called, the steadiest first; nothing for an answer that is JSON.
    pub(super) names: Vec<String>,
    pub(super) json: Json,
}

impl Block {
    /// The JSON, if it is the whole answer.
    pub(crate) fn whole(&self) -> Option<&Json> {
        self.names.is_empty().then_some(&self.json)
    }
}

/// Is the page nothing but JSON, as [`as_page`](super::as_page) writes it?
pub(crate) fn is_whole(tree: &Tree) -> bool {
    let scripts = tree.label_of("script").map_or(&[][..], |label| tree.nodes(label));
    let is_json = |script: &u32| tree.attribute(*script, "type") == Some("application/json");
    tree.len() <= 6 && scripts.len() == 1 && scripts.iter().all(is_json)
}

/// The JSON of a page, in order.
pub(crate) fn blocks(tree: &Tree) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut left = BYTES;
    for script in tree.label_of("script").map_or(&[][..], |label| tree.nodes(label)) {
        let text: String = tree.children(*script).map(|child| tree.text(child)).collect();
        if text.len() > left || blocks.len() >= BLOCKS {
            continue;
        }
        let kind = tree.attribute(*script, "type").unwrap_or_default().trim().to_ascii_lowercase();
        let id = tree.attribute(*script, "id").map(str::to_owned).filter(|id| !id.is_empty());
        if kind.contains("json") {
            left -= text.len();
            let mut all = values(&text);
            let json = if all.len() == 1 { all.pop() } else { (!all.is_empty()).then_some(Json::Array(all)) };
            let Some(json) = json else { continue };
            let named = (kind != "application/json").then(|| kind.clone());
            blocks.push(Block { names: id.into_iter().chain(named).collect(), json });
        } else if matches!(kind.as_str(), "" | "module") || kind.contains("javascript") {
            left -= text.len();
            for (name, json) in assigned(&text) {
                blocks.push(Block { names: vec![name], json });
            }
        }
    }
    blocks
}

/// The values of a text: one, or one on each line; none if anything else stands there.
pub(super) fn values(text: &str) -> Vec<Json> {
    if text.len() > BYTES {
        return Vec::new();
    }
    let values: Result<Vec<Json>, _> = Deserializer::from_str(text).into_iter::<Json>().collect();
    values.unwrap_or_default()
}

/// What a script assigns, by name.
fn assigned(script: &str) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    let mut tries = 0;
    let mut from = 0;
    while let Some(place) = script.get(from..).and_then(|rest| rest.find('=')).map(|place| place + from) {
        from = place + 1;
        let Some(value) = script.get(from..).map(str::trim_start) else { break };
        if !value.starts_with(['{', '[']) {
            continue;
        }
        let Some(name) = name_before(script.get(..place).unwrap_or_default()) else { continue };
        tries += 1;
        if tries > ASSIGNED {
            break;
        }
        let start = script.len() - value.len();
        let mut stream = Deserializer::from_str(value).into_iter::<Json>();
        let read = stream.next();
        from = start + stream.byte_offset().max(1);
        while !script.is_char_boundary(from) {
            from += 1;
        }
        if let Some(Ok(json)) = read {
            found.push((name, json));
        }
    }
    found
}

/// The name that stands before a sign of assignment: `window.NAME`, `var NAME`, `window["NAME"]`; without `window.`.
fn name_before(script: &str) -> Option<String> {
    let script = script.trim_end();
    let plain = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
    };
    let name = if let Some(inner) = script.strip_suffix("\"]").or_else(|| script.strip_suffix("']")) {
        inner.rsplit(['"', '\'']).next()?
    } else {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
        let start = script.char_indices().rev().take(200).take_while(|(_, c)| is_part(*c)).last();
        start.and_then(|(start, _)| script.get(start..))?
    };
    let name = ["window.", "self.", "globalThis."].iter().find_map(|global| name.strip_prefix(global)).unwrap_or(name);
    (plain(name) && name.len() < 200).then(|| name.to_owned())
}
