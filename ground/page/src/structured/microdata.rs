//! Microdata (HTML standard, 5): items by `itemscope`, their properties by `itemprop`, and by `itemref` those that stand elsewhere.
//!
//! ```text
//! properties of an item = those of its descendants with no item between, and of the elements its itemref names, in document order
//! value = the item, if it has itemscope; else by element: content, src, href, data, value, datetime; else its text
//! ```
//!
//! Items and the elements that are referred to are frames; a property belongs to the innermost frame, and a frame that is referred to
//! also to the one around it, so that nothing is written twice while the page is read. Frames become things at the end.
//!
//! Cost: linear in the tags; `itemref` can name the same element for many items, which `limits.structured_items` and
//! `limits.structured_bytes` bound. Otherwise than in the standard, as search engines read it: `content` counts on every element, white
//! space is folded, and the text of scripts and style sheets is none. An item that is a property of nothing stands alone, with its fault.

use std::collections::{HashMap, HashSet};

use groma_model::structured::schema_term;
use groma_model::{DataSyntax, Limits, PropertyValue, Thing};

use super::element::{DataElement, Reference, data_url};
use super::found::{Findings, PROPERTY, Room, Spot};
use crate::html::attributes::Attr;
use crate::html::links::Resolver;

/// Elements that are looked into for all `itemref` of a page together, each once for an item.
const REFERENCES: usize = 100_000;

const SYNTAX: DataSyntax = DataSyntax::Microdata;

/// An item, or an element that some `itemref` names.
#[derive(Debug, Default)]
struct Frame {
    spot: Spot,
    types: Vec<String>,
    id: Option<String>,
    /// The ids of `itemref`.
    refers: Vec<String>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// The how-manieth of the page.
    order: u32,
    names: Vec<String>,
    value: Value,
}

#[derive(Debug)]
enum Value {
    Text(String),
    Url(String),
    Item(usize),
    /// No property: what this frame has, its outer one has as well.
    Include(usize),
    /// Beyond a limit.
    None,
}

/// A property whose value is the text of its element: its frame and its entry.
pub(super) type TextSlot = (usize, usize);

/// What an element has begun.
#[derive(Debug, Default)]
pub(super) struct Begun {
    /// So many frames.
    pub(super) frames: u8,
    /// The property that waits for the text of the element.
    pub(super) text: Option<TextSlot>,
}

#[derive(Debug)]
pub(super) struct Microdata {
    frames: Vec<Frame>,
    /// The open frames, the outermost first; nothing for one beyond a limit.
    inside: Vec<Option<usize>>,
    top: Vec<usize>,
    /// The frames of the elements that are referred to.
    named: HashMap<String, usize>,
    /// The ids that are referred to: known in the second reading only.
    wanted: HashSet<String>,
    order: u32,
    pub(super) room: Room,
}

impl Microdata {
    pub(super) fn new(limits: &Limits, wanted: HashSet<String>) -> Microdata {
        let (frames, inside, top, named) = (Vec::new(), Vec::new(), Vec::new(), HashMap::new());
        Microdata { frames, inside, top, named, wanted, order: 0, room: Room::new(limits) }
    }

    /// Is this the id of an element that some item refers to, and the first such?
    pub(super) fn is_wanted(&self, id: &str) -> bool {
        !self.wanted.is_empty() && self.wanted.contains(id) && !self.named.contains_key(id)
    }

    /// All ids that items refer to.
    pub(super) fn referred(&self) -> HashSet<String> {
        self.frames.iter().flat_map(|frame| frame.refers.iter().cloned()).collect()
    }

    pub(super) fn start(&mut self, element: &DataElement<'_>, findings: &mut Findings) -> Begun {
        let attributes = element.attributes;
        let mut begun = Begun::default();
        if let Some(id) = attributes.get(Attr::Id).filter(|id| self.is_wanted(id)) {
            self.begin_named(id, element.spot);
            begun.frames += 1;
        }
        let is_item = attributes.has(Attr::Itemscope);
        let outer = self.inside.last().copied();
        let item = if is_item { self.new_item(element, findings) } else { None };
        match (attributes.get(Attr::Itemprop), outer) {
            (Some(names), Some(Some(outer))) => {
                let names: Vec<String> =
                    distinct(names).map(|name| schema_term(name).unwrap_or(name).to_owned()).collect();
                let value = match (item, is_item) {
                    (Some(item), _) => Some(Value::Item(item)),
                    (None, true) => Some(Value::None),
                    (None, false) => value(element),
                };
                begun.text = self.add(outer, names, value);
            }
            (Some(names), None) if !names.trim_ascii().is_empty() => {
                let name = crate::fold::cut(names.trim_ascii(), 80);
                findings.add_fault(element.spot, SYNTAX, format!("itemprop \"{name}\" outside of any item"));
                self.top.extend(item);
            }
            (None, _) => self.top.extend(item),
            _ => {}
        }
        if is_item {
            self.inside.push(item);
            begun.frames += 1;
        } else if attributes.has(Attr::Itemtype) {
            findings.add_fault(element.spot, SYNTAX, "itemtype without itemscope");
        }
        begun
    }

    fn begin_named(&mut self, id: &str, spot: Spot) {
        let number = self.frames.len();
        self.frames.push(Frame { spot, ..Frame::default() });
        self.named.insert(id.to_owned(), number);
        if let Some(Some(outer)) = self.inside.last().copied() {
            let order = self.next();
            self.frames[outer].entries.push(Entry { order, names: Vec::new(), value: Value::Include(number) });
        }
        self.inside.push(Some(number));
    }

    fn new_item(&mut self, element: &DataElement<'_>, findings: &mut Findings) -> Option<usize> {
        let attributes = element.attributes;
        let words = attributes.text(Attr::Itemtype).len() + attributes.text(Attr::Itemref).len();
        if !self.room.admits_item(self.inside.len()) || !self.room.admits_bytes(words) {
            return None;
        }
        let mut types = Vec::new();
        for written in distinct(attributes.text(Attr::Itemtype)) {
            if !written.contains(':') {
                let written = crate::fold::cut(written, 80);
                findings.add_fault(element.spot, SYNTAX, format!("itemtype \"{written}\" is not an absolute URL"));
            }
            types.push(schema_term(written).unwrap_or(written).to_owned());
        }
        let id = attributes.get(Attr::Itemid).map(|id| id.trim_ascii().to_owned());
        let refers = distinct(attributes.text(Attr::Itemref)).map(str::to_owned).collect();
        self.frames.push(Frame { spot: element.spot, types, id, refers, entries: Vec::new() });
        Some(self.frames.len() - 1)
    }

    /// A property of a frame. Says if it waits for a text.
    fn add(&mut self, frame: usize, names: Vec<String>, value: Option<Value>) -> Option<TextSlot> {
        let bytes = match &value {
            Some(Value::Text(text) | Value::Url(text)) => text.len(),
            _ => 0,
        };
        if names.is_empty() || !self.room.admits_bytes(bytes + names.iter().map(String::len).sum::<usize>()) {
            return None;
        }
        let (order, waits) = (self.next(), value.is_none());
        let entries = &mut self.frames[frame].entries;
        entries.push(Entry { order, names, value: value.unwrap_or(Value::None) });
        waits.then(|| (frame, entries.len() - 1))
    }

    fn next(&mut self) -> u32 {
        self.order += 1;
        self.order
    }

    /// The text of a property is known.
    pub(super) fn set_text(&mut self, (frame, entry): TextSlot, text: String) {
        if self.room.admits_bytes(text.len()) {
            self.frames[frame].entries[entry].value = Value::Text(text);
        }
    }

    /// The element that began so many frames ends.
    pub(super) fn end(&mut self, frames: u8) {
        let left = self.inside.len().saturating_sub(usize::from(frames));
        self.inside.truncate(left);
    }

    /// Makes things of the frames.
    pub(super) fn finish(self, limits: &Limits, base: &Resolver<'_>, findings: &mut Findings) {
        for (id, spot) in self.frames.iter().flat_map(|frame| frame.refers.iter().map(|id| (id, frame.spot))) {
            if !self.named.contains_key(id) {
                let id = crate::fold::cut(id, 80);
                findings.add_fault(spot, SYNTAX, format!("itemref names \"{id}\", which is not an id of the page"));
            }
        }
        let mut making = Making {
            frames: &self.frames,
            named: &self.named,
            base,
            room: Room::new(limits),
            left: REFERENCES + self.frames.len(),
            around: Vec::new(),
        };
        for item in &self.top {
            if let Some(thing) = making.thing(*item, findings) {
                findings.add_item(self.frames[*item].spot, SYNTAX, thing);
            }
        }
        findings.note(&making.room);
        findings.note(&self.room);
    }
}

/// The value of a property; nothing if it is the text of the element.
fn value(element: &DataElement<'_>) -> Option<Value> {
    if let Some(content) = element.attributes.get(Attr::Content) {
        return Some(Value::Text(content.to_owned()));
    }
    match element.reference() {
        Reference::Url(attr) => {
            let url = element.attributes.get(attr).map(|url| Value::Url(url.to_owned()));
            url.or_else(|| Some(Value::Text(String::new())))
        }
        Reference::Value(attr) => element.attributes.get(attr).map(|text| Value::Text(text.to_owned())),
        Reference::Content => Some(Value::Text(String::new())),
        Reference::None => None,
    }
}

/// The words of an attribute, each once.
fn distinct(words: &str) -> impl Iterator<Item = &str> {
    let mut seen = HashSet::new();
    words.split_ascii_whitespace().filter(move |word| seen.insert(*word))
}

/// Frames become things.
struct Making<'a> {
    frames: &'a [Frame],
    named: &'a HashMap<String, usize>,
    base: &'a Resolver<'a>,
    room: Room,
    /// Elements that may still be looked into.
    left: usize,
    /// The items around the one that is made.
    around: Vec<usize>,
}

impl<'m> Making<'m> {
    fn thing(&mut self, number: usize, findings: &mut Findings) -> Option<Thing> {
        let frame = &self.frames[number];
        if self.around.contains(&number) {
            findings.add_fault(frame.spot, SYNTAX, "an item that contains itself by itemref");
            return None;
        }
        if !self.room.admits_item(self.around.len()) {
            return None;
        }
        self.around.push(number);
        let mut values = Vec::new();
        for entry in self.entries(number) {
            let value = match &entry.value {
                Value::Text(text) => PropertyValue::Text(text.clone()),
                Value::Url(url) => PropertyValue::Text(data_url(url, self.base)),
                Value::Item(item) => match self.thing(*item, findings) {
                    Some(thing) => PropertyValue::Thing(thing),
                    None => continue,
                },
                Value::Include(_) | Value::None => continue,
            };
            for name in &entry.names {
                if self.room.admits_bytes(name.len() + value.text().map_or(0, str::len)) {
                    values.push((name.clone(), value.clone()));
                }
            }
        }
        self.around.pop();
        let id = frame.id.as_deref().filter(|id| !id.is_empty()).map(|id| data_url(id, self.base)).unwrap_or_default();
        Some(Thing::from_values(frame.types.clone(), id, values))
    }

    /// The properties of an item, each once, in document order.
    fn entries(&mut self, item: usize) -> Vec<&'m Entry> {
        let frames = self.frames;
        let referred = self.frames[item].refers.iter().filter_map(|id| self.named.get(id)).copied();
        let mut left: Vec<usize> = std::iter::once(item).chain(referred).collect();
        let mut seen: HashSet<usize> = left.iter().copied().collect();
        let mut entries = Vec::new();
        // What there is no room for need not be put in order.
        let most = self.room.bytes();
        while let Some(frame) = left.pop() {
            let Some(fewer) = self.left.checked_sub(1).filter(|_| entries.len().saturating_mul(PROPERTY) <= most)
            else {
                self.room.note_cut_bytes();
                break;
            };
            self.left = fewer;
            for entry in &frames[frame].entries {
                match entry.value {
                    Value::Include(included) if seen.insert(included) => left.push(included),
                    Value::Include(_) => {}
                    Value::None => {}
                    _ => entries.push(entry),
                }
            }
        }
        entries.sort_unstable_by_key(|entry| entry.order);
        entries
    }
}
