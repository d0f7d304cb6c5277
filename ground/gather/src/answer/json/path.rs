//! Which piece of the JSON is meant? The rules of a description for JSON, in the manner of HEL.
//!
//! ```text
//! rule = "json" [ "(" NAME ")" ] { "." key | "[" index "]" }
//! key  = letters, digits and _ - $ @ :, or anything in quotes (a quote in it is written twice)
//! index = INT | "*" | key "=" 'text'
//! ```
//!
//! `json` is the answer if it is JSON; in a page it is the first block that has the path. `NAME` is the `id` of the script, what the
//! script assigns it to (`window.` left out), or its type: `json(__NEXT_DATA__)`, `json(application/ld+json)`. `[*]` is
//! every element, and `[type='hotel']` every element whose `type` is that; both give one row per element, the first of them the records. `.key` of
//! a list is nothing, and so is what is not there. A value is a string, a number, `true`, `false`, or a list of these.
//!
//! ```text
//! DB.Result.name:  json.items[*].name
//! DB.Result.price: json.items[*].price.amount
//! ```
//!
//! Cost: linear in the elements that a rule names.

use std::fmt;

use groma_hel::Value;
use serde_json::Value as Json;

use super::block::Block;
use super::value_of;

/// Bytes of a rule, and its steps.
const RULE_BYTES: usize = 4096;
const RULE_STEPS: usize = 64;

/// A rule for JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonPath {
    /// The block, if one is named.
    name: Option<String>,
    steps: Vec<JsonStep>,
}

/// A step of a [`JsonPath`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JsonStep {
    Key(String),
    At(usize),
    Every,
    /// Every element whose key has this value.
    With(String, String),
}

impl JsonStep {
    fn is_single(&self) -> bool {
        matches!(self, JsonStep::Key(_) | JsonStep::At(_))
    }
}

/// Does a text mean a rule for JSON?
pub(crate) fn is_json_rule(text: &str) -> bool {
    text.trim().strip_prefix("json").is_some_and(|rest| rest.starts_with(['.', '[', '(']))
}

impl JsonPath {
    pub(super) fn new(name: Option<&String>, steps: Vec<JsonStep>) -> JsonPath {
        JsonPath { name: name.cloned(), steps }
    }

    /// Reads a rule; in words what is wrong with it, and where.
    pub fn parse(text: &str) -> Result<JsonPath, String> {
        let text = text.trim();
        if text.len() > RULE_BYTES {
            return Err(format!("the rule has more than {RULE_BYTES} bytes"));
        }
        let mut reader = Reader { text, at: 4 };
        if !is_json_rule(text) {
            return Err("a rule for JSON begins with json".to_owned());
        }
        let mut path = JsonPath { name: None, steps: Vec::new() };
        if reader.take('(') {
            path.name = Some(reader.until(')')?.trim().to_owned());
        }
        while reader.at < text.len() {
            if path.steps.len() >= RULE_STEPS {
                return Err(format!("the rule has more than {RULE_STEPS} steps"));
            }
            let step = if reader.take('.') {
                JsonStep::Key(reader.key()?)
            } else if reader.take('[') {
                reader.index()?
            } else {
                return Err(reader.expected("`.` or `[`"));
            };
            path.steps.push(step);
        }
        Ok(path)
    }

    /// A rule after a common prefix, which is one for JSON, too.
    pub(crate) fn after(prefix: &str, rule: &str) -> Result<JsonPath, String> {
        let (prefix, rule) = (prefix.trim().trim_end_matches('.'), rule.trim());
        let separator = if rule.starts_with(['.', '[']) { "" } else { "." };
        JsonPath::parse(&format!("{prefix}{separator}{rule}"))
    }

    /// The path of the records: up to the first step that gives several; nothing if none does.
    pub(crate) fn list(&self) -> Option<JsonPath> {
        let at = self.steps.iter().position(|step| !step.is_single())?;
        Some(JsonPath { name: self.name.clone(), steps: self.steps.get(..=at)?.to_vec() })
    }

    /// The last key: whether it is a name of links.
    pub(crate) fn is_link(&self) -> bool {
        const LINKS: [&str; 9] =
            ["url", "link", "href", "permalink", "html_url", "htmlUrl", "canonicalUrl", "canonical_url", "@id"];
        matches!(self.steps.last(), Some(JsonStep::Key(key)) if LINKS.contains(&key.as_str()))
    }

    /// What it gives: a list with one element per record if it has a step that gives several.
    pub(crate) fn extract(&self, blocks: &[Block]) -> Value {
        let mut found = self.blocks(blocks).map(|block| along(&block.json, &self.steps));
        let is_found = |value: &Value| !value.values().is_empty();
        found.find(is_found).unwrap_or(Value::Null)
    }

    /// The block it gives something of; if there is none, all that it may mean.
    pub(super) fn meant<'b>(&self, blocks: &'b [Block]) -> Vec<&'b Block> {
        let gives = |block: &&&Block| !along(&block.json, &self.steps).values().is_empty();
        let all: Vec<&Block> = self.blocks(blocks).collect();
        all.iter().find(gives).map_or_else(|| all.clone(), |block| vec![*block])
    }

    /// Blocks that it may mean.
    fn blocks<'b>(&self, blocks: &'b [Block]) -> impl Iterator<Item = &'b Block> {
        let name = self.name.clone();
        blocks.iter().filter(move |block| name.as_ref().is_none_or(|name| block.names.contains(name)))
    }

    /// What stands at each of its steps before the records, from the whole block on; the records last. Nothing if there is no list.
    pub(super) fn way<'b>(&self, block: &'b Block) -> Option<Vec<&'b Json>> {
        let at = self.steps.iter().position(|step| !step.is_single())?;
        let mut way = vec![&block.json];
        for step in self.steps.get(..at)? {
            way.push(single(way.last()?, step)?);
        }
        way.last()?.is_array().then_some(way)
    }
}

fn single<'j>(json: &'j Json, step: &JsonStep) -> Option<&'j Json> {
    match step {
        JsonStep::Key(key) => json.get(key),
        JsonStep::At(at) => json.get(at),
        JsonStep::Every | JsonStep::With(..) => None,
    }
}

fn along(json: &Json, steps: &[JsonStep]) -> Value {
    let Some((step, rest)) = steps.split_first() else { return value_of(json) };
    if step.is_single() {
        return single(json, step).map_or(Value::Null, |next| along(next, rest));
    }
    let Json::Array(list) = json else { return Value::Null };
    let is_meant = |item: &&Json| match step {
        JsonStep::With(key, value) => item.get(key).is_some_and(|own| value_of(own).values().contains(&value.as_str())),
        _ => true,
    };
    Value::List(list.iter().filter(is_meant).map(|item| along(item, rest)).collect())
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("json")?;
        if let Some(name) = &self.name {
            write!(f, "({name})")?;
        }
        for step in &self.steps {
            match step {
                JsonStep::Key(key) => write!(f, ".{}", Key(key))?,
                JsonStep::At(at) => write!(f, "[{at}]")?,
                JsonStep::Every => f.write_str("[*]")?,
                JsonStep::With(key, value) => write!(f, "[{}='{}']", Key(key), value.replace('\'', "''"))?,
            }
        }
        Ok(())
    }
}

/// A key as a rule writes it.
struct Key<'k>(&'k str);

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = !self.0.is_empty() && self.0.chars().all(is_key);
        if is_plain { f.write_str(self.0) } else { write!(f, "'{}'", self.0.replace('\'', "''")) }
    }
}

fn is_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@' | ':')
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, sign: char) -> bool {
        let is_there = self.rest().starts_with(sign);
        self.at += if is_there { sign.len_utf8() } else { 0 };
        is_there
    }

    fn expected(&self, what: &str) -> String {
        let found = self.rest().chars().next().map_or("the end of the rule".to_owned(), |c| format!("`{c}`"));
        let letter = self.text.get(..self.at).unwrap_or_default().chars().count() + 1;
        format!("letter {letter}: expected {what}, found {found}")
    }

    fn until(&mut self, sign: char) -> Result<String, String> {
        let Some(end) = self.rest().find(sign) else { return Err(self.expected(&format!("`{sign}`"))) };
        let text = self.rest().get(..end).unwrap_or_default().to_owned();
        self.at += end + sign.len_utf8();
        Ok(text)
    }

    fn quoted(&mut self) -> Result<String, String> {
        let mut out = String::new();
        loop {
            out.push_str(&self.until('\'')?);
            if !self.take('\'') {
                return Ok(out);
            }
            out.push('\'');
        }
    }

    fn key(&mut self) -> Result<String, String> {
        if self.take('\'') {
            return self.quoted();
        }
        let end = self.rest().find(|c: char| !is_key(c)).unwrap_or(self.rest().len());
        if end == 0 {
            return Err(self.expected("a key"));
        }
        let key = self.rest().get(..end).unwrap_or_default().to_owned();
        self.at += end;
        Ok(key)
    }

    fn index(&mut self) -> Result<JsonStep, String> {
        if self.take('*') {
            return if self.take(']') { Ok(JsonStep::Every) } else { Err(self.expected("`]`")) };
        }
        let start = self.at;
        let key = self.key().map_err(|_| {
            let place = Reader { text: self.text, at: start };
            place.expected("a number, `*`, or a key")
        })?;
        if self.take('=') {
            if !self.take('\'') {
                return Err(self.expected("a text in quotes"));
            }
            let value = self.quoted()?;
            return if self.take(']') { Ok(JsonStep::With(key, value)) } else { Err(self.expected("`]`")) };
        }
        match key.parse() {
            Ok(at) if self.take(']') => Ok(JsonStep::At(at)),
            _ => Err(self.expected("`=` or `]`")),
        }
    }
}
