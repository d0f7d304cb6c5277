//! What is a page built of? The paths of its tags and its lines, digits alike, as sets of hashes ([`kind`](super::kind) compares them).
//!
//! Of an answer that is JSON, the ways of its keys. Cost: linear in the page; the least [`MOST`] hashes of each set are kept.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use groma_hel::{Node, Tree};
use serde_json::Value as Json;

use super::json::block::Block;
use super::lines::Line;
use super::refusal::{self, NoAnswerWhy};
use super::repeat;

/// Hashes of a set: the least ones, so that large sets stay comparable.
const MOST: usize = 4_000;

/// Nodes of a page that are looked at.
const NODES: usize = 200_000;

/// What a page is built of, without its contents.
#[derive(Clone, Debug, Default)]
pub struct PageShape {
    pub(super) paths: HashSet<u64>,
    pub(super) lines: HashSet<u64>,
    /// Lines that say why this is no answer.
    pub(super) refusals: Vec<(u64, NoAnswerWhy)>,
    /// Fields and their values as they stand in the page.
    pub(super) filled: HashSet<u64>,
    /// What was asked, in the same way.
    pub(super) asked: Vec<u64>,
    pub(super) has_password: bool,
    pub(super) has_robot_check: bool,
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The least hashes of a set.
fn least(mut set: HashSet<u64>) -> HashSet<u64> {
    if set.len() > MOST {
        let mut all: Vec<u64> = set.drain().collect();
        all.sort_unstable();
        all.truncate(MOST);
        set = all.into_iter().collect();
    }
    set
}

impl PageShape {
    /// The shape of a page; `asked` is what was filled in. For the page of a form: nothing.
    pub fn from_tree(tree: &Tree, asked: &[(&str, &str)]) -> PageShape {
        PageShape::from_lines(tree, &super::lines::lines(tree, &[]), asked)
    }

    pub(super) fn from_lines(tree: &Tree, lines: &[Line], asked: &[(&str, &str)]) -> PageShape {
        let mut shape = PageShape { paths: least(paths(tree)), ..PageShape::default() };
        let echoed: Vec<String> = asked
            .iter()
            .map(|(_, value)| value.trim().to_lowercase())
            .filter(|value| value.chars().count() > 1)
            .collect();
        let mut set = HashSet::new();
        for line in lines.iter().filter(|line| !line.is_record) {
            let text = line.text.to_lowercase();
            let plain = without_digits(&text);
            let own = hash(&plain);
            if let Some(why) = refusal::says(line)
                && shape.refusals.len() < 100
            {
                shape.refusals.push((own, why));
            }
            if plain.chars().any(char::is_alphabetic) && !echoed.iter().take(50).any(|value| text.contains(value)) {
                set.insert(own);
            }
        }
        shape.lines = least(set);
        shape.asked = asked.iter().take(200).filter(|(_, value)| !value.is_empty()).map(hash).collect();
        look_at_controls(tree, &mut shape);
        shape
    }

    /// The keys of an answer that is JSON.
    pub(super) fn add_json(&mut self, blocks: &[Block]) {
        let mut left: Vec<(&Json, u64)> =
            blocks.iter().filter_map(|block| block.whole()).map(|json| (json, 1)).collect();
        while let Some((json, path)) = left.pop().filter(|_| self.paths.len() < MOST) {
            match json {
                Json::Object(object) => {
                    for (key, json) in object {
                        let path = hash(&(path, key));
                        self.paths.insert(path);
                        left.push((json, path));
                    }
                }
                Json::Array(list) => left.extend(list.iter().take(50).map(|json| (json, path))),
                _ => {}
            }
        }
    }

    /// Lines that none of these pages has.
    pub(super) fn new_lines<'s>(&'s self, known: &'s [&PageShape]) -> impl Iterator<Item = &'s u64> {
        self.lines.iter().filter(move |line| !known.iter().any(|page| page.lines.contains(line)))
    }
}

/// Digits alike: times and counts differ from page to page.
fn without_digits(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_ascii_digit() {
            plain.push(c);
        } else if !plain.ends_with('0') {
            plain.push('0');
        }
    }
    plain
}

/// The paths of the tags of a page, classes and ids among them.
fn paths(tree: &Tree) -> HashSet<u64> {
    let mut own: Vec<u64> = vec![0; tree.len().min(NODES)];
    let mut set = HashSet::new();
    for node in 1..own.len() {
        let node = node as Node;
        let above = tree.parent(node).and_then(|above| own.get(above as usize).copied()).unwrap_or_default();
        if tree.is_text(node)
            || matches!(tree.name(node), "option" | "br" | "b" | "i" | "em" | "strong" | "meta" | "link" | "script")
        {
            own[node as usize] = above;
            continue;
        }
        let id = tree.attribute(node, "id").filter(|id| id.len() < 40 && !id.contains(|c: char| c.is_ascii_digit()));
        let path = hash(&(above, tree.name(node), id, repeat::telling(tree, node).next()));
        own[node as usize] = path;
        set.insert(path);
    }
    set
}

/// Fields with their values, and what asks for a password or a proof of being a person.
fn look_at_controls(tree: &Tree, shape: &mut PageShape) {
    let nodes = |name: &str| tree.label_of(name).map_or(&[][..], |label| tree.nodes(label));
    for node in nodes("input").iter().take(MOST) {
        let said = |name: &str| tree.attribute(*node, name);
        let kind = said("type").unwrap_or_default().to_ascii_lowercase();
        shape.has_password |= kind == "password";
        let is_ticked = !matches!(kind.as_str(), "checkbox" | "radio") || said("checked").is_some();
        if let (Some(name), Some(value), true) = (said("name"), said("value"), is_ticked && kind != "hidden") {
            shape.filled.insert(hash(&(name, value)));
        }
    }
    for node in nodes("option").iter().take(MOST).filter(|node| tree.attribute(**node, "selected").is_some()) {
        let select = tree.ancestors(*node).take(4).find(|above| tree.name(*above) == "select");
        let name = select.and_then(|select| tree.attribute(select, "name"));
        let text = tree.txt(*node, 1_000).unwrap_or_default();
        let value = tree.attribute(*node, "value").unwrap_or(&text);
        shape.filled.extend(name.map(|name| hash(&(name, value))));
    }
    let is_check = |text: &str| {
        let text = text.to_ascii_lowercase();
        ["captcha", "cf-turnstile", "challenge-form", "cf-challenge"].iter().any(|sign| text.contains(sign))
    };
    for name in ["div", "form", "iframe", "img", "input", "script"] {
        for node in nodes(name).iter().take(MOST) {
            let mut said = ["id", "class", "name", "src", "action"].iter().filter_map(|at| tree.attribute(*node, at));
            shape.has_robot_check |= said.any(is_check);
        }
    }
}
