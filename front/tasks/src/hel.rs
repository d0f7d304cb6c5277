//! Trying a rule of the extraction language: a page from a server, a file or a survey, what the rule gives there, and the
//! page as a tree with the labels that rules can name.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

use groma_hel::{Bounds, DOCUMENT, Exceeded, LabelId, Node, Prefix, Rule, Tree, join};
use groma_model::Limits;
use groma_page::charset::decode;
use groma_settings::{Fault, address};
use groma_store::Snapshot;

use crate::glance::source::{NO_BODY, NO_BODY_HINT};
use crate::glance::{Asking, looked_at, read_bytes};
use crate::lookup;

pub use groma_hel::{Fault as RuleFault, Value};

/// Letters of a text or an attribute that an outline shows.
const GLIMPSE: usize = 60;

/// Attributes that tell elements apart.
const TELLING: [&str; 6] = ["id", "class", "name", "type", "color", "href"];

/// Why a rule gives nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The rule is wrong.
    Rule(RuleFault),
    /// What is common to rules is wrong.
    Prefix(RuleFault),
    /// It asks for too much.
    Exceeded(Exceeded),
}

impl Refused {
    /// The text that is wrong with a mark below the place, in two lines, if it is one of these two.
    pub fn shown(&self, rule: &str, prefix: &str) -> Option<String> {
        match self {
            // Faults of a joined rule are not at a place of what was written.
            Refused::Rule(fault) if fault.at <= rule.len() => Some(fault.shown(rule)),
            Refused::Prefix(fault) => Some(fault.shown(prefix)),
            _ => None,
        }
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Fault {
        match refused {
            Refused::Rule(fault) => Fault::new(rule_is_wrong(&fault), RULE_HINT),
            Refused::Prefix(fault) => {
                Fault::new(prefix_is_wrong(&fault), "a prefix has steps only, such as html.body->table[1].")
            }
            Refused::Exceeded(exceeded) => {
                Fault::new(exceeded.to_string(), "begin the rule nearer to what is meant, and name fewer nodes")
            }
        }
    }
}

/// A page to try rules on.
#[derive(Debug)]
pub struct Sheet {
    tree: Tree,
    bounds: Bounds,
}

impl Sheet {
    /// A page whose bytes are here; `charset` is what the answer they came in said.
    pub fn read(bytes: &[u8], charset: Option<&str>) -> Sheet {
        let bounds = Bounds::default();
        Sheet { tree: Tree::parse(&decode(bytes, charset).0, &bounds), bounds }
    }

    /// A page out of a file, or out of stdin if it is called `-`.
    pub fn filed(file: &Path, limits: &Limits) -> Result<Sheet, Fault> {
        Ok(Sheet::read(&read_bytes(file, limits)?, None))
    }

    /// A page asked for just now.
    pub fn fetched(read: &address::Read, asking: Asking<'_>) -> Result<Sheet, Fault> {
        let (looked, _) = looked_at(&read.url, asking)?;
        Ok(Sheet::read(&looked.body, Some(&looked.facts.charset)))
    }

    /// A page out of a survey that kept its bytes.
    pub fn stored(store: &mut dyn Snapshot, page: &str) -> Result<Sheet, Fault> {
        let id = lookup::page(store, page)?;
        let bytes = crate::archive::copy(&mut *store, id)?.ok_or_else(|| Fault::new(NO_BODY, NO_BODY_HINT))?;
        let charset = store.page(id)?.map(|page| page.facts.charset).filter(|charset| !charset.is_empty());
        Ok(Sheet::read(&bytes, charset.as_deref()))
    }

    /// Which bound has left something of the page out, if one has.
    pub fn cut(&self) -> Option<&'static str> {
        self.tree.cut()
    }

    /// What a rule gives, after what is common to rules if that is said.
    pub fn extract(&self, rule: &str, prefix: Option<&str>) -> Result<Value, Refused> {
        let mut read = Rule::parse(rule).map_err(Refused::Rule)?;
        if let Some(prefix) = prefix {
            let prefix = Prefix::parse(prefix).map_err(Refused::Prefix)?;
            // A fault of both together has no place in either.
            read = join(&prefix, &read).map_err(|fault| Refused::Rule(RuleFault { at: usize::MAX, ..fault }))?;
        }
        read.extract(&self.tree, &self.bounds).map_err(Refused::Exceeded)
    }

    /// The nodes as rules name them, a line each, set in by depth; no more than so many. Indices are those of children:
    /// rows of a table are counted through its parts, as `table.tr` does. Cost: linear in the lines.
    pub fn outline(&self, most: usize) -> Vec<String> {
        let tree = &self.tree;
        let mut counts: HashMap<(Node, LabelId), usize> = HashMap::new();
        let mut open: Vec<Node> = Vec::new();
        let mut lines = Vec::new();
        for node in (DOCUMENT + 1..u32::try_from(tree.len()).unwrap_or(u32::MAX)).take(most) {
            while open.last().is_some_and(|above| tree.end(*above) <= node) {
                open.pop();
            }
            let label = tree.label(node);
            let mut parent = tree.parent(node).unwrap_or(DOCUMENT);
            let is_part = |node: Node| matches!(tree.name(node), "thead" | "tbody" | "tfoot");
            if let Some(table) = tree.parent(parent).filter(|above| tree.name(*above) == "table")
                && tree.name(node) == "tr"
                && is_part(parent)
            {
                parent = table;
            }
            let index = counts.entry((parent, label)).or_default();
            let indent = "  ".repeat(open.len());
            lines.push(if tree.is_text(node) {
                format!("{indent}pcdata[{index}] {}", glimpse(tree.text(node)))
            } else {
                let told = TELLING.iter().filter_map(|name| Some((name, tree.attribute(node, name)?)));
                let told: String = told.map(|(name, value)| format!(" {name}={}", glimpse(value))).collect();
                format!("{indent}{}[{index}]{told}", tree.name(node))
            });
            *index += 1;
            open.push(node);
        }
        lines
    }
}

/// The beginning of a text, in quotes, on one line.
fn glimpse(text: &str) -> String {
    let flat = groma_hel::clean(text);
    match flat.char_indices().nth(GLIMPSE) {
        Some((end, _)) => format!("'{}…'", &flat[..end]),
        None => format!("'{flat}'"),
    }
}

/// A value as JSON: null, a string, or a list of such.
pub fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Text(text) => serde_json::Value::String(text.clone()),
        Value::List(list) => serde_json::Value::Array(list.iter().map(json).collect()),
    }
}

/// A value as lines: a string is a line, what is in a list within a list is set in further, `-` is nothing.
pub fn lines(value: &Value) -> Vec<String> {
    fn write(value: &Value, depth: usize, out: &mut Vec<String>) {
        let indent = "  ".repeat(depth.saturating_sub(1));
        match value {
            Value::Null => out.push(format!("{indent}-")),
            Value::Text(text) => out.push(format!("{indent}{}", groma_model::wording::plain(text))),
            Value::List(list) => {
                if depth > 0 {
                    out.push(format!("{indent}{}:", list.len()));
                }
                list.iter().for_each(|one| write(one, depth + 1, out));
            }
        }
    }
    let mut out = Vec::new();
    write(value, 0, &mut out);
    out
}

fn rule_is_wrong(fault: &impl Display) -> String {
    format!("the rule cannot be read {fault}")
}

fn prefix_is_wrong(fault: &impl Display) -> String {
    format!("the prefix cannot be read {fault}")
}

/// How a rule is written.
pub const RULE_HINT: &str =
    "a rule is a path such as html.body->table[1].tr[*].td[0].txt; --tree shows the labels of the page";

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &[u8] = b"<p>a\xe4</p><table><tr><td>1<td>2<tr><td>3</table><table id=t><tr><td>4</table>";

    #[test]
    fn rules_are_tried_and_values_told() {
        let sheet = Sheet::read(PAGE, Some("iso-8859-1"));
        let value = sheet.extract("tr[*].td[*].txt", Some("html.body.table.")).unwrap();
        assert_eq!(json(&value).to_string(), r#"[["1","2"],["3"]]"#);
        assert_eq!(lines(&value), ["2:", "  1", "  2", "1:", "  3"]);
        assert_eq!(json(&sheet.extract("html.body.p.txt", None).unwrap()).to_string(), "\"a\u{e4}\"");
        assert_eq!(lines(&sheet.extract("html.body.p[7].txt", None).unwrap()), ["-"]);
    }

    #[test]
    fn what_is_wrong_is_marked() {
        let sheet = Sheet::read(PAGE, None);
        let refused = sheet.extract("html.body[", None).unwrap_err();
        assert_eq!(refused.shown("html.body[", "").as_deref(), Some("html.body[\n          ^"));
        let refused = sheet.extract("p.txt", Some("html..")).unwrap_err();
        assert!(refused.shown("p.txt", "html..").unwrap().starts_with("html..\n     ^"), "{refused:?}");
        let long = "a.".repeat(40);
        let refused = sheet.extract(&format!("{}a.txt", "b.".repeat(40)), Some(&long)).unwrap_err();
        assert_eq!(refused.shown("b", &long), None);
    }

    #[test]
    fn the_outline_counts_as_rules_do() {
        let sheet = Sheet::read(PAGE, Some("iso-8859-1"));
        let outline = sheet.outline(100);
        assert!(outline.contains(&"        tr[1]".to_owned()), "{outline:#?}");
        assert!(outline.contains(&"    table[1] id='t'".to_owned()), "{outline:#?}");
        assert!(outline.contains(&"      pcdata[0] 'a\u{e4}'".to_owned()), "{outline:#?}");
        assert_eq!(sheet.outline(3).len(), 3);
    }
}
