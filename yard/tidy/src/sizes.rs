//! Functions and types that are too large to be read at once.
//!
//! ```text
//! function    from its `fn` line to the brace that closes it, tests too
//! type        named fields of a struct
//! ```
//!
//! Looks at the layout that rustfmt gives: an item ends with the brace that stands under its beginning. Not seen: what macros write out,
//! and what stands inside literals that look like code at the beginning of a line.

use crate::House;

/// The longest a function may be, in lines.
pub const FUNCTION: usize = 80;
/// The fields that a struct may have.
pub const FIELDS: usize = 15;

/// Each field is a setting.
const SETTINGS: &str = "settings";
/// Each field is a fact about one thing, written to a table, a file or an answer as it is.
const FACTS: &str = "facts, as they are stored or told";
/// Describes to OpenAPI what another type says.
const MIRROR: &str = "describes such facts";
/// Not taken apart yet.
const STATE: &str = "a state that is still to be taken apart";

/// Structs with more fields: path, name, fields, why. A number may only become smaller, unless facts or settings are added.
const WIDE: [(&str, &str, usize, &str); 29] = [
    ("engine/store/src/jobs/rows.rs", "JobRow", 19, FACTS),
    ("engine/store/src/rows.rs", "FetchFacts", 21, FACTS),
    ("front/serve/src/api/shapes.rs", "BoundsShape", 24, MIRROR),
    ("front/serve/src/api/shapes.rs", "ExplanationShape", 22, MIRROR),
    ("front/serve/src/api/shapes.rs", "LastFetchShape", 18, MIRROR),
    ("front/serve/src/api/shapes.rs", "StandingShape", 23, MIRROR),
    ("front/settings/src/meaning.rs", "Settings", 24, SETTINGS),
    ("front/tasks/src/bounds/told.rs", "Header", 21, FACTS),
    ("front/tasks/src/explain/facts.rs", "LastFetch", 18, FACTS),
    ("front/tasks/src/explain/mod.rs", "Explanation", 23, FACTS),
    ("front/tasks/src/export/jsonl.rs", "Line", 24, FACTS),
    ("front/tasks/src/export/table.rs", "PageLine", 26, FACTS),
    ("front/tasks/src/gather/run.rs", "Closing", 16, FACTS),
    ("front/tasks/src/standing.rs", "Standing", 26, FACTS),
    ("ground/chart/src/label.rs", "Label", 19, FACTS),
    ("ground/check/src/evidence.rs", "PageFacts", 19, FACTS),
    ("ground/check/src/memory.rs", "Stored", 24, FACTS),
    ("ground/gather/src/cover/mod.rs", "Cover", 25, STATE),
    ("ground/gather/src/cover/node.rs", "Node", 24, STATE),
    ("ground/gather/src/form/mod.rs", "Field", 17, FACTS),
    ("ground/model/src/page.rs", "ParsedPage", 16, FACTS),
    ("ground/strategy/src/forms/closing.rs", "Closing", 16, FACTS),
    ("ground/strategy/src/forms/questions.rs", "Questions", 22, STATE),
    ("yard/forms/src/drawn/tongue/phrases.rs", "Phrases", 31, SETTINGS),
    ("yard/forms/src/exam/outcome.rs", "Outcome", 20, FACTS),
    ("yard/forms/src/main.rs", "Choice", 26, SETTINGS),
    ("yard/forms/src/options.rs", "Options", 26, SETTINGS),
    ("yard/library/src/view.rs", "ArticleView", 21, FACTS),
    ("yard/library/src/words.rs", "Words", 27, SETTINGS),
];

/// An item of a file: where it begins, what it is called, how large it is.
#[derive(Debug, PartialEq, Eq)]
struct Sized<'t> {
    line: usize,
    name: &'t str,
    size: usize,
}

/// No function is too long to be read at once.
pub fn long_functions(house: &House) -> Vec<String> {
    too_large(house, "lines", FUNCTION, functions, |_, _| None)
}

/// No struct has more fields than a reader can keep in mind.
pub fn wide_structs(house: &House) -> Vec<String> {
    let mut found = too_large(house, "fields", FIELDS, structs, |path, name| {
        WIDE.iter().find(|(of, called, ..)| *of == path && *called == name).map(|(_, _, fields, _)| *fields)
    });
    for (path, name, ..) in WIDE {
        if !has(house, path, name, FIELDS, structs) {
            found.push(format!("{path}: `{name}` has at most {FIELDS} fields by now: strike it off `WIDE`"));
        }
    }
    found
}

fn too_large(
    house: &House,
    unit: &str,
    most: usize,
    items: fn(&str) -> Vec<Sized<'_>>,
    allowed: impl Fn(&str, &str) -> Option<usize>,
) -> Vec<String> {
    let mut found = Vec::new();
    for text in &house.texts {
        for item in items(&text.source.text) {
            let most = allowed(&text.path, item.name).unwrap_or(most);
            if item.size > most {
                let Sized { line, name, size } = item;
                found.push(format!("{}:{line}: `{name}` has {size} {unit}, at most {most}", text.path));
            }
        }
    }
    found
}

fn has(house: &House, path: &str, name: &str, above: usize, items: fn(&str) -> Vec<Sized<'_>>) -> bool {
    let text = house.texts.iter().find(|text| text.path == path);
    text.is_some_and(|text| items(&text.source.text).iter().any(|item| item.name == name && item.size > above))
}

/// The functions of a file, and the lines of each.
fn functions(text: &str) -> Vec<Sized<'_>> {
    items(text, "fn", |lines| lines.len())
}

/// The structs of a file with named fields, and how many.
fn structs(text: &str) -> Vec<Sized<'_>> {
    items(text, "struct", |lines| {
        let depth = lines[0].len() - lines[0].trim_start().len() + 4;
        lines.iter().filter(|line| is_field(line, depth)).count()
    })
}

/// The items that a word begins, measured by their lines.
fn items<'t>(text: &'t str, word: &str, measure: impl Fn(&[&'t str]) -> usize) -> Vec<Sized<'t>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = named(line, word) else { continue };
        let end = end_of(&lines, at);
        found.push(Sized { line: at + 1, name, size: measure(&lines[at..=end]) });
    }
    found
}

/// The name of the item that a line begins.
fn named<'t>(line: &'t str, word: &str) -> Option<&'t str> {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub") {
        rest = after.trim_start();
        if let Some((_, after)) = rest.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
            rest = after.trim_start();
        }
    }
    while let Some(after) = ["const ", "async ", "unsafe ", "extern \"C\" "].iter().find_map(|w| rest.strip_prefix(w)) {
        rest = after;
    }
    let name = rest.strip_prefix(word)?.strip_prefix(' ')?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}

/// The line that closes what begins at a line: its brace, or the `;` of what has no body.
fn end_of(lines: &[&str], begin: usize) -> usize {
    let first = lines[begin];
    if first.ends_with(['}', ';']) {
        return begin;
    }
    let indent = first.len() - first.trim_start().len();
    let closes = |line: &str| {
        let own = line.len() - line.trim_start().len() == indent;
        let rest = line.trim_start();
        own && (rest == "}" || rest.starts_with(')') && rest.ends_with([';', '}']))
    };
    (begin + 1..lines.len()).find(|at| closes(lines[*at])).unwrap_or(begin)
}

/// `name: Type,` this deep.
fn is_field(line: &str, depth: usize) -> bool {
    let rest = line.trim_start();
    if line.len() - rest.len() != depth {
        return false;
    }
    let rest = rest.strip_prefix("pub").map_or(rest, |rest| match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(')').map_or(rest, |(_, after)| after),
        None => rest,
    });
    let name = rest.trim_start().trim_start_matches("r#");
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    end > 0 && name[end..].starts_with(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, Text};

    fn house(path: &str, text: &str) -> House {
        let source = Source::new(text.into());
        House { texts: vec![Text { path: path.into(), source, for_tests: false }], ..House::default() }
    }

    #[test]
    fn functions_are_measured_to_their_brace() {
        let text = "pub(crate) const fn a() {\n    if x {\n    }\n}\nimpl T {\n    async fn b(\n        x: u8,\n    ) -> u8 {\n    }\n}\n\
                    trait U {\n    fn c(\n        x: u8,\n    );\n    fn d();\n}\nfn e() {}\n// fn f() {\nlet fns = fn_of(x);\n";
        let sizes: Vec<(usize, &str, usize)> = functions(text).iter().map(|f| (f.line, f.name, f.size)).collect();
        assert_eq!(sizes, [(1, "a", 4), (6, "b", 4), (12, "c", 3), (15, "d", 1), (17, "e", 1)]);
    }

    #[test]
    fn fields_are_counted_and_nothing_else() {
        let text = "pub struct A<'a> {\n    /// Not: this.\n    #[serde(default)]\n    pub a: u8,\n    pub(super) r#in: B<\n        C,\n    >,\n    d: fn(u8),\n}\n\
                    struct E(u8, u8);\nstruct F;\n";
        let sizes: Vec<(&str, usize)> = structs(text).iter().map(|s| (s.name, s.size)).collect();
        assert_eq!(sizes, [("A", 3), ("E", 0), ("F", 0)]);
    }

    #[test]
    fn what_is_too_large_is_named_with_its_line() {
        let long = |lines: usize| format!("//! x\nfn f() {{\n{}}}\n", "    x();\n".repeat(lines - 2));
        let blamed = |lines| long_functions(&house("ground/a/src/1.rs", &long(lines)));
        let own = |found: Vec<String>| found.into_iter().filter(|one| one.starts_with("ground/a/")).collect::<Vec<_>>();
        assert_eq!(own(blamed(FUNCTION + 1)), ["ground/a/src/1.rs:2: `f` has 81 lines, at most 80"]);
        assert!(own(blamed(FUNCTION)).is_empty());
        let wide = |fields: usize| format!("struct S {{\n{}}}\n", "    x: u8,\n".repeat(fields));
        let blamed = |fields| wide_structs(&house("ground/a/src/2.rs", &wide(fields)));
        assert_eq!(own(blamed(FIELDS + 1)), ["ground/a/src/2.rs:1: `S` has 16 fields, at most 15"]);
        assert!(own(blamed(FIELDS)).is_empty());
    }

    #[test]
    fn the_lists_can_only_shrink() {
        let (path, name, fields, _) = WIDE[0];
        let body = |fields: usize| format!("struct {name} {{\n{}}}\n", "    x: u8,\n".repeat(fields));
        let says = |fields| {
            let found = wide_structs(&house(path, &body(fields)));
            found.into_iter().filter(|one| one.contains(path)).collect::<Vec<_>>()
        };
        assert!(says(fields).is_empty());
        assert_eq!(says(fields + 1), [format!("{path}:1: `{name}` has {} fields, at most {fields}", fields + 1)]);
        assert!(says(FIELDS)[0].contains("strike it off"));
    }
}
