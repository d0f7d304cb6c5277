//! JSON-LD 1.1 as pages use it: a script of `application/ld+json` is a thing, a list of things, or a graph of them.
//!
//! ```text
//! types      @type, properties: the other names, by @context: @vocab, prefixes, names that stand for IRIs or keywords
//! values     @value, @list, @set and nested things as what they hold; null is nothing; lists in lists are one
//! items      the things that are no value of another: those of the script, of @graph and of @included
//! ```
//!
//! Nothing is fetched, so of the contexts that are named by their URL only that of schema.org is known; with another one, terms stay as
//! they are written. Cost: linear, times the depth where contexts stand in one another. Not read: what makes a context depend on types
//! or properties (1.1, 4.1.4 and 4.1.6), `@reverse`, `@nest` and `@index`, which are kept as properties of these names.

use std::collections::HashMap;

use groma_model::structured::schema_term;
use groma_model::{DataSyntax, Limits, PropertyValue, Thing};

use super::found::{Findings, Room, Spot};
use super::json::Json;

const SYNTAX: DataSyntax = DataSyntax::JsonLd;
const SCHEMA: &str = "https://schema.org/";
/// A longer vocabulary or meaning is none: each name would carry it.
const LONGEST: usize = 500;

/// Reads the scripts of a page.
#[derive(Debug)]
pub(super) struct JsonLd {
    room: Room,
    /// Bytes of scripts that are still read.
    left: usize,
}

impl JsonLd {
    pub(super) fn new(limits: &Limits) -> JsonLd {
        let room = Room::new(limits);
        JsonLd { left: usize::try_from(limits.structured_bytes).unwrap_or(usize::MAX), room }
    }

    /// Bytes of scripts that are still read.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Reads a script.
    pub(super) fn read(&mut self, text: &str, spot: Spot, findings: &mut Findings) {
        if text.len() > self.left {
            self.room.note_cut_bytes();
            return findings.add_fault(spot, SYNTAX, "not read: more JSON-LD than limits.structured_bytes allows");
        }
        self.left -= text.len();
        if text.trim_ascii().is_empty() {
            return findings.add_fault(spot, SYNTAX, "an empty script");
        }
        let read = match Json::parse(text) {
            Ok(read) => read,
            Err(error) => {
                // A line feed that may not be there is told as the start of the next line.
                let (line, place) = match error.column {
                    0 => (error.line.saturating_sub(1), "the end".to_owned()),
                    column => (error.line, format!("column {column}")),
                };
                let spot = Spot { lines: line.saturating_sub(1) as u32, ..spot };
                let what = format!("not valid JSON: {} at {place} of its line", error.what);
                return findings.add_fault(spot, SYNTAX, what);
            }
        };
        let mut reading = Reading { room: &mut self.room, spot, findings };
        reading.script(&read);
    }

    pub(super) fn finish(self, findings: &mut Findings) {
        findings.note(&self.room);
    }
}

/// What names mean inside an object.
#[derive(Default)]
struct Context<'j> {
    outer: Option<&'j Context<'j>>,
    /// What terms without a meaning of their own begin with; an empty one: they mean nothing that we know.
    vocabulary: Option<&'j str>,
    terms: HashMap<&'j str, &'j str>,
    /// It was taken back: what is further out does not count.
    cleared: bool,
}

impl<'j> Context<'j> {
    fn new(outer: Option<&'j Context<'j>>) -> Context<'j> {
        Context { outer, ..Context::default() }
    }

    /// From the innermost outwards.
    fn chain(&self) -> impl Iterator<Item = &Context<'j>> {
        std::iter::successors(Some(self), |context| context.outer.filter(|_| !context.cleared))
    }

    fn meaning(&self, term: &str) -> Option<&'j str> {
        self.chain().find_map(|context| context.terms.get(term)).copied()
    }

    fn vocabulary(&self) -> Option<&'j str> {
        self.chain().find_map(|context| context.vocabulary)
    }

    /// The keyword or IRI that a name stands for, terms of schema.org by their short names.
    fn expand(&self, name: &str) -> String {
        if name.starts_with('@') {
            return name.to_owned();
        }
        let meant = match (self.meaning(name), name.split_once(':')) {
            (Some(meaning), _) => self.full(meaning),
            (None, Some(_)) => self.full(name),
            (None, None) => match self.vocabulary() {
                Some(SCHEMA) | None => name.to_owned(),
                Some(vocabulary) => format!("{vocabulary}{name}"),
            },
        };
        schema_term(&meant).map(str::to_owned).unwrap_or(meant)
    }

    /// `prefix:name` in full.
    fn full(&self, name: &str) -> String {
        let parts = name.split_once(':').filter(|(_, rest)| !rest.starts_with("//"));
        let stands = parts.and_then(|(prefix, rest)| {
            let known = self.meaning(prefix).or((prefix == "schema").then_some(SCHEMA))?;
            Some((known, rest))
        });
        stands.map_or_else(|| name.to_owned(), |(prefix, rest)| format!("{prefix}{rest}"))
    }
}

struct Reading<'r> {
    room: &'r mut Room,
    spot: Spot,
    findings: &'r mut Findings,
}

impl Reading<'_> {
    fn fault(&mut self, what: impl Into<String>) {
        self.findings.add_fault(self.spot, SYNTAX, what);
    }

    fn script(&mut self, script: &Json) {
        let nothing = Context::default();
        for value in script.each() {
            match value {
                Json::Object(members) => {
                    let has_context = members.iter().any(|(name, _)| name == "@context");
                    if !has_context && !members.is_empty() {
                        self.fault("no @context: its names mean nothing to whoever reads by the standard");
                    }
                    self.top(value, &nothing);
                }
                _ => self.fault("a script that holds something else than objects"),
            }
        }
    }

    /// An item, or a graph of items.
    fn top<'j>(&mut self, object: &'j Json, outer: &'j Context<'j>) {
        let (thing, inside) = self.object(object, outer, 0);
        if let Some(thing) = thing.filter(|thing| !thing.types.is_empty() || !thing.properties.is_empty()) {
            self.findings.add_item(self.spot, SYNTAX, thing);
        }
        for thing in inside {
            self.findings.add_item(self.spot, SYNTAX, thing);
        }
    }

    fn context<'j>(&mut self, object: &'j Json, outer: &'j Context<'j>) -> Context<'j> {
        let mut context = Context::new(Some(outer));
        for part in object.get("@context").map_or(&[][..], Json::each) {
            match part {
                Json::Null => context = Context { cleared: true, ..Context::new(Some(outer)) },
                Json::Text(url) => {
                    context.vocabulary = Some(if is_schema(url) { SCHEMA } else { "" });
                }
                Json::Object(members) => {
                    for (name, value) in members {
                        self.define(&mut context, name, value);
                    }
                }
                _ => self.fault("@context is neither a URL nor an object"),
            }
        }
        context
    }

    fn define<'j>(&mut self, context: &mut Context<'j>, name: &'j str, value: &'j Json) {
        match (name, value) {
            ("@vocab", Json::Text(iri)) if iri.len() <= LONGEST => {
                context.vocabulary = Some(if is_schema(iri) { SCHEMA } else { iri })
            }
            ("@vocab", _) => context.vocabulary = Some(""),
            (name, _) if name.starts_with('@') => {}
            (name, Json::Text(iri)) if iri.len() <= LONGEST => drop(context.terms.insert(name, iri)),
            (name, value) => {
                if let Some(iri) = value.get("@id").and_then(Json::text).filter(|iri| iri.len() <= LONGEST) {
                    context.terms.insert(name, iri);
                }
            }
        }
    }

    /// A thing, and the items that stand in it without being a value of it.
    fn object<'j>(&mut self, object: &'j Json, outer: &'j Context<'j>, around: usize) -> (Option<Thing>, Vec<Thing>) {
        let Json::Object(members) = object else { return (None, Vec::new()) };
        if !self.room.admits_item(around) {
            return (None, Vec::new());
        }
        let context = self.context(object, outer);
        let (mut types, mut id, mut values, mut inside) = (Vec::new(), String::new(), Vec::new(), Vec::new());
        for (written, value) in members {
            let name = context.expand(written);
            match name.as_str() {
                "@context" => {}
                "@type" => self.types(value, &context, &mut types),
                "@id" => match value.text() {
                    Some(iri) if self.room.admits_bytes(iri.len()) => id = iri.to_owned(),
                    Some(_) => {}
                    None => self.fault("@id is not a text"),
                },
                "@graph" | "@included" => {
                    for value in value.each() {
                        let (thing, more) = self.object(value, &context, around + 1);
                        inside.extend(thing.filter(|thing| !thing.properties.is_empty() || !thing.types.is_empty()));
                        inside.extend(more);
                    }
                }
                _ => self.values(&name, value, &context, around, &mut values, &mut inside),
            }
        }
        (Some(Thing::from_values(types, id, values)), inside)
    }

    fn types(&mut self, value: &Json, context: &Context<'_>, types: &mut Vec<String>) {
        for value in value.each() {
            match value.text() {
                Some(name) if self.room.admits_bytes(name.len()) => types.push(context.expand(name)),
                Some(_) => {}
                None => self.fault("@type is not a text"),
            }
        }
    }

    /// The values of a property, one after the other.
    fn values<'j>(
        &mut self,
        name: &str,
        value: &'j Json,
        context: &'j Context<'j>,
        around: usize,
        to: &mut Vec<(String, PropertyValue)>,
        inside: &mut Vec<Thing>,
    ) {
        let bytes = name.len();
        let value = match value {
            Json::Null => return,
            Json::List(values) => {
                return values.iter().for_each(|value| self.values(name, value, context, around, to, inside));
            }
            Json::Flag(flag) => self.room.admits_bytes(bytes).then_some(PropertyValue::Flag(*flag)),
            Json::Number(digits) => {
                self.room.admits_bytes(bytes + digits.len()).then(|| PropertyValue::Number(digits.clone()))
            }
            Json::Text(text) => self.room.admits_bytes(bytes + text.len()).then(|| PropertyValue::Text(text.clone())),
            Json::Object(members) => {
                let held = members.iter().find(|(name, _)| matches!(name.as_str(), "@value" | "@list" | "@set"));
                if let Some((_, held)) = held {
                    return self.values(name, held, context, around, to, inside);
                }
                if !self.room.admits_bytes(bytes) {
                    return;
                }
                let (thing, more) = self.object(value, context, around + 1);
                inside.extend(more);
                thing.map(PropertyValue::Thing)
            }
        };
        to.extend(value.map(|value| (name.to_owned(), value)));
    }
}

/// Is this the context of schema.org, or its vocabulary?
fn is_schema(url: &str) -> bool {
    let url = url.trim();
    let rest = url.strip_prefix("https:").or_else(|| url.strip_prefix("http:")).unwrap_or(url);
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    rest.strip_prefix("schema.org").is_some_and(|rest| {
        matches!(rest.trim_start_matches('/'), "" | "#" | "docs/jsonldcontext.json" | "docs/jsonldcontext.jsonld")
    })
}
