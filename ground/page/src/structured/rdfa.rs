//! RDFa Lite 1.1 (`vocab`, `typeof`, `property`, `resource`, `prefix`), and of RDFa 1.1 Core what decides whose property it is.
//!
//! ```text
//! typeof          begins a thing; with property it is the value of that property of the thing around it
//! property        of the thing around it: content, else datetime, else the URL of resource, href or src, else the text
//! about, and without property also resource, href and src: what is inside describes that resource
//! ```
//!
//! The page itself is the thing around everything; its `meta` elements are left to the cards ([`groma_model::cards`]).
//!
//! Cost: linear in the tags. Not read: `rel`, `rev`, `datatype` and `inlist`, which are not Lite; a thing that is described in two
//! places under one IRI with types becomes two.

use std::collections::HashMap;

use groma_model::{DataSyntax, Limits, PropertyValue, Thing};

use super::element::{DataElement, data_url};
use super::found::{Findings, Room, Spot};
use super::vocabulary::Vocabularies;
use crate::html::attributes::Attr;
use crate::html::links::Resolver;
use crate::html::tag::Tag;

const SYNTAX: DataSyntax = DataSyntax::Rdfa;

#[derive(Debug, Default)]
struct Described {
    spot: Spot,
    types: Vec<String>,
    /// Its IRI; the base is not yet known.
    id: String,
    values: Vec<(String, Value)>,
    /// It is the value of a property.
    is_value: bool,
}

#[derive(Debug)]
enum Value {
    Text(String),
    Url(String),
    Thing(usize),
    /// Beyond a limit.
    None,
}

/// What the inside of an element describes.
#[derive(Clone, Copy, Debug)]
enum Subject {
    Thing(usize),
    /// A resource without types, by its number.
    Resource(usize),
    /// Beyond a limit.
    None,
}

/// The properties that wait for the text of an element: of which thing, from which value on, how many.
pub(super) type TextSlots = (usize, usize, usize);

/// What an element has begun.
#[derive(Debug, Default)]
pub(super) struct Begun {
    pub(super) declares: bool,
    pub(super) subject: bool,
    pub(super) text: Option<TextSlots>,
}

#[derive(Debug)]
pub(super) struct Rdfa {
    vocabularies: Vocabularies,
    things: Vec<Described>,
    /// The numbers of what is named without types; the page itself is called nothing.
    resources: HashMap<String, usize>,
    /// Their names, and their things once something has been said of them.
    told: Vec<(String, Option<usize>)>,
    subjects: Vec<Subject>,
    /// Something of RDFa has been met: from here on links can be subjects.
    met: bool,
    pub(super) room: Room,
}

impl Rdfa {
    pub(super) fn new(limits: &Limits) -> Rdfa {
        let (vocabularies, things, resources, told, subjects) = Default::default();
        Rdfa { vocabularies, things, resources, told, subjects, met: false, room: Room::new(limits) }
    }

    /// Prefixes that are declared before there is anything else: they hold for the rest of the page.
    pub(super) fn declare_early(&mut self, prefixes: &str) {
        self.vocabularies.declare(None, Some(prefixes));
    }

    pub(super) fn start(&mut self, element: &DataElement<'_>, findings: &mut Findings) -> Begun {
        let attributes = element.attributes;
        let mut begun = Begun {
            declares: self.vocabularies.declare(attributes.get(Attr::Vocab), attributes.get(Attr::Prefix)),
            ..Begun::default()
        };
        let is_meta = element.tag == Tag::Meta && self.subjects.is_empty() && !attributes.has(Attr::About);
        let property = attributes.get(Attr::Property).filter(|property| !is_meta && !property.trim_ascii().is_empty());
        let types = attributes.get(Attr::Typeof);
        self.met |= begun.declares || property.is_some() || types.is_some();
        self.met |= attributes.has(Attr::About) || attributes.has(Attr::Resource);
        if !self.met {
            return begun;
        }
        let properties = property.map_or_else(Vec::new, |words| self.terms(words, "property", element.spot, findings));
        let about = attributes.get(Attr::About);
        let resource = || [Attr::Resource, Attr::Href, Attr::Src].into_iter().find_map(|attr| attributes.get(attr));
        let takes_inside = property.is_some() && !attributes.has(Attr::Content);
        let subject = if takes_inside { about } else { about.or_else(resource) };
        let around = match subject {
            Some(iri) => Some(Subject::Resource(self.resource(iri))),
            None => self.subjects.last().copied(),
        };
        let typed = types.map(|words| {
            let types = self.terms(words, "typeof", element.spot, findings);
            let id = about.or_else(resource).unwrap_or_default();
            self.describe(element.spot, types, id)
        });
        match (typed, property) {
            // A new thing that is a value of the one around it.
            (Some(thing), Some(_)) if takes_inside && about.is_none() => {
                if let Some(thing) = thing {
                    self.add_thing(around, &properties, thing, element.spot);
                }
            }
            (Some(thing), Some(_)) => begun.text = self.add(thing.map(Subject::Thing), &properties, element),
            (None, Some(_)) => begun.text = self.add(around, &properties, element),
            (_, None) => {}
        }
        let inside = match typed {
            Some(thing) => Some(thing.map_or(Subject::None, Subject::Thing)),
            None => subject.and(around),
        };
        begun.subject = inside.is_some();
        self.subjects.extend(inside);
        begun
    }

    /// What the words of an attribute stand for.
    fn terms(&self, words: &str, attribute: &str, spot: Spot, findings: &mut Findings) -> Vec<String> {
        let mut terms = Vec::new();
        for word in words.split_ascii_whitespace() {
            match self.vocabularies.term(word) {
                Some(term) => terms.push(term),
                None => {
                    let word = crate::fold::cut(word, 80);
                    findings.add_fault(
                        spot,
                        SYNTAX,
                        format!("{attribute} \"{word}\" has no vocabulary: no vocab around it"),
                    );
                }
            }
        }
        terms
    }

    /// A thing with types.
    fn describe(&mut self, spot: Spot, types: Vec<String>, id: &str) -> Option<usize> {
        let id = self.vocabularies.iri(id);
        let bytes = id.len() + types.iter().map(String::len).sum::<usize>();
        if !self.room.admits_item(self.subjects.len()) || !self.room.admits_bytes(bytes) {
            return None;
        }
        self.things.push(Described { spot, types, id, ..Described::default() });
        Some(self.things.len() - 1)
    }

    /// The thing a property belongs to.
    fn thing_of(&mut self, subject: Option<Subject>, spot: Spot) -> Option<usize> {
        let number = match subject {
            Some(Subject::Thing(thing)) => return Some(thing),
            Some(Subject::None) => return None,
            Some(Subject::Resource(number)) => number,
            None => self.resource(""),
        };
        if self.told[number].1.is_none() {
            let name = std::mem::take(&mut self.told[number].0);
            self.told[number].1 = self.describe(spot, Vec::new(), &name);
        }
        self.told[number].1
    }

    /// The number of a resource.
    fn resource(&mut self, iri: &str) -> usize {
        if let Some(known) = self.resources.get(iri) {
            return *known;
        }
        self.told.push((iri.to_owned(), None));
        self.resources.insert(iri.to_owned(), self.told.len() - 1);
        self.told.len() - 1
    }

    fn add_thing(&mut self, around: Option<Subject>, properties: &[String], thing: usize, spot: Spot) {
        let Some((name, more)) = properties.split_first() else { return };
        let Some(outer) = self.thing_of(around, spot) else { return };
        self.things[thing].is_value = true;
        self.things[outer].values.push((name.clone(), Value::Thing(thing)));
        // One thing is one value: under its other names it is referred to.
        let id = self.things[thing].id.clone();
        let refer = |name: &String| (name.clone(), Value::Url(id.clone()));
        self.things[outer].values.extend(more.iter().filter(|_| !id.is_empty()).map(refer));
    }

    /// A property that is no thing. Says if it waits for a text.
    fn add(&mut self, around: Option<Subject>, properties: &[String], element: &DataElement<'_>) -> Option<TextSlots> {
        if properties.is_empty() {
            return None;
        }
        let thing = self.thing_of(around, element.spot)?;
        let attributes = element.attributes;
        let text = [Attr::Content, Attr::Datetime].into_iter().find_map(|attr| attributes.get(attr));
        let url = [Attr::Resource, Attr::Href, Attr::Src].into_iter().find_map(|attr| attributes.get(attr));
        let written = text.or(url).unwrap_or_default();
        let from = self.things[thing].values.len();
        for name in properties {
            if self.room.admits_bytes(name.len() + written.len()) {
                let value = match (text, url) {
                    (Some(text), _) => Value::Text(text.to_owned()),
                    (None, Some(url)) => Value::Url(self.vocabularies.iri(url)),
                    (None, None) => Value::None,
                };
                self.things[thing].values.push((name.clone(), value));
            }
        }
        let count = self.things[thing].values.len() - from;
        (text.is_none() && url.is_none() && count > 0).then_some((thing, from, count))
    }

    /// The text of properties is known.
    pub(super) fn set_text(&mut self, (thing, from, count): TextSlots, text: &str) {
        for place in from..from + count {
            if self.room.admits_bytes(text.len()) {
                self.things[thing].values[place].1 = Value::Text(text.to_owned());
            }
        }
    }

    /// An element ends that began this.
    pub(super) fn end(&mut self, declares: bool, subject: bool) {
        if subject {
            self.subjects.pop();
        }
        if declares {
            self.vocabularies.end();
        }
    }

    /// Makes things of what was described.
    pub(super) fn finish(self, base: &Resolver<'_>, findings: &mut Findings) {
        findings.note(&self.room);
        let mut described: Vec<Option<Described>> = self.things.into_iter().map(Some).collect();
        for place in 0..described.len() {
            let Some(spot) = described[place].as_ref().filter(|thing| !thing.is_value).map(|thing| thing.spot) else {
                continue;
            };
            let thing = make(&mut described, place, base)
                .filter(|thing| !thing.types.is_empty() || !thing.properties.is_empty());
            if let Some(thing) = thing {
                findings.add_item(spot, SYNTAX, thing);
            }
        }
    }
}

/// A thing with those that are its values: they stand inside its element, so they are as deep as subjects may be.
fn make(described: &mut [Option<Described>], place: usize, base: &Resolver<'_>) -> Option<Thing> {
    let Described { types, id, values, .. } = described.get_mut(place)?.take()?;
    let mut made = Vec::new();
    for (name, value) in values {
        let value = match value {
            Value::Text(text) => Some(PropertyValue::Text(text)),
            Value::Url(url) => Some(PropertyValue::Text(data_url(&url, base))),
            Value::Thing(thing) => make(described, thing, base).map(PropertyValue::Thing),
            Value::None => None,
        };
        made.extend(value.map(|value| (name, value)));
    }
    let id = if id.is_empty() { id } else { data_url(&id, base) };
    Some(Thing::from_values(types, id, made))
}
