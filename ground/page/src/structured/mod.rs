//! What does a page say to programs? JSON-LD, microdata and RDFa, read while its HTML is.
//!
//! A page without any of it is not looked at: what is here wakes up at an element with an attribute of its own ([`MARKS`]) and
//! falls asleep again when that element ends. Only a page whose items refer to elements by id (`itemref`) is read a second time,
//! once it is known to which ones. Cost: linear in the bytes; what is kept is bounded by `limits.structured_*`.
//!
//! Not guaranteed: the tree of the standard in misnested markup (see [`open`]).

mod element;
mod found;
mod json;
mod json_ld;
mod microdata;
mod open;
mod rdfa;
pub(crate) mod sink;
mod texts;
mod vocabulary;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use groma_model::{DataSyntax, Limits, StructuredData};

use crate::html::attributes::{Attr, Attributes, MARKS};
use crate::html::links::Resolver;
use crate::html::tag::Tag;
use element::DataElement;
use found::{Findings, Spot};
use json_ld::JsonLd;
use microdata::{Microdata, TextSlot};
use open::OpenElements;
use rdfa::{Rdfa, TextSlots};
use texts::OpenTexts;

/// Reads the structured data of a page while its tags and texts pass by.
#[derive(Debug)]
pub(crate) struct StructuredReader<'a> {
    limits: &'a Limits,
    open: OpenElements<Brought>,
    texts: OpenTexts,
    json_ld: JsonLd,
    microdata: Microdata,
    rdfa: Rdfa,
    findings: Findings,
    /// Where the JSON-LD script that is open began.
    script: Option<Spot>,
    /// This is the second reading: ids are looked for.
    again: bool,
}

/// What ends when an element ends.
#[derive(Debug, Default)]
struct Brought {
    frames: u8,
    declares: bool,
    subject: bool,
    item_text: Option<TextSlot>,
    rdfa_text: Option<TextSlots>,
}

impl<'a> StructuredReader<'a> {
    pub(crate) fn new(limits: &'a Limits) -> StructuredReader<'a> {
        StructuredReader {
            limits,
            open: OpenElements::new(limits.html_depth),
            texts: OpenTexts::default(),
            json_ld: JsonLd::new(limits),
            microdata: Microdata::new(limits, HashSet::new()),
            rdfa: Rdfa::new(limits),
            findings: Findings::default(),
            script: None,
            again: false,
        }
    }

    /// The reader of the second time, if there has to be one: JSON-LD and RDFa were read the first time.
    pub(crate) fn second(&self) -> Option<StructuredReader<'a>> {
        let wanted = self.microdata.referred();
        if wanted.is_empty() {
            return None;
        }
        let microdata = Microdata::new(self.limits, wanted);
        Some(StructuredReader { microdata, again: true, ..StructuredReader::new(self.limits) })
    }

    /// Inside an element with structured data: all attributes that may hold a value are asked for.
    #[inline]
    pub(crate) fn is_awake(&self) -> bool {
        !self.open.is_empty()
    }

    /// A start tag.
    #[inline]
    pub(crate) fn start(&mut self, tag: Tag, attributes: &Attributes<'_>, is_closed: bool) {
        if self.is_awake() || attributes.has_any(MARKS) || self.again {
            self.begin(tag, attributes, is_closed);
        }
    }

    fn begin(&mut self, tag: Tag, attributes: &Attributes<'_>, is_closed: bool) {
        if !self.is_awake() && !self.wakes(tag, attributes) {
            return;
        }
        if matches!(tag, Tag::Script | Tag::Style | Tag::Template | Tag::Noembed | Tag::Noframes) {
            return;
        }
        for _ in 0..self.open.implied(tag) {
            self.close_innermost();
        }
        let element = DataElement { tag, attributes, spot: Spot::at(attributes.name_end()) };
        let mut brought = Brought::default();
        if attributes.has_any(MARKS) || self.again {
            let item = self.microdata.start(&element, &mut self.findings);
            (brought.frames, brought.item_text) = (item.frames, item.text);
        }
        if !self.again {
            let described = self.rdfa.start(&element, &mut self.findings);
            (brought.declares, brought.subject, brought.rdfa_text) =
                (described.declares, described.subject, described.text);
        }
        brought.item_text = brought.item_text.filter(|_| self.texts.begin());
        brought.rdfa_text = brought.rdfa_text.filter(|_| self.texts.begin());
        if is_closed || open::is_void(tag, attributes.name()) {
            self.close(&brought);
        } else if let Some(brought) = self.open.push(tag, attributes.name(), brought) {
            self.close(&brought);
        }
    }

    /// Does structured data begin with this element?
    fn wakes(&mut self, tag: Tag, attributes: &Attributes<'_>) -> bool {
        if self.again && attributes.get(Attr::Id).is_some_and(|id| self.microdata.is_wanted(id)) {
            return true;
        }
        if !attributes.has_any(MARKS) {
            return false;
        }
        // Cards, and what declares their prefixes: nothing is described by that alone.
        let is_card = tag == Tag::Meta && !attributes.has(Attr::About);
        let wakes = [
            Attr::Itemscope,
            Attr::Itemprop,
            Attr::Itemtype,
            Attr::Typeof,
            Attr::Vocab,
            Attr::Property,
            Attr::About,
            Attr::Resource,
        ];
        if wakes.into_iter().any(|attr| attributes.has(attr) && !(is_card && attr == Attr::Property)) {
            return true;
        }
        if let Some(prefixes) = attributes.get(Attr::Prefix).filter(|_| !self.again) {
            self.rdfa.declare_early(prefixes);
        }
        false
    }

    /// Text that is shown, or stands in a title or a text area.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) {
        if !self.texts.is_empty() {
            self.texts.push(text, self.microdata.room.bytes().max(self.rdfa.room.bytes()));
        }
    }

    #[inline]
    pub(crate) fn end(&mut self, tag: Tag, name: &[u8]) {
        if self.is_awake() {
            for _ in 0..self.open.ended(tag, name) {
                self.close_innermost();
            }
        }
    }

    fn close_innermost(&mut self) {
        if let Some(brought) = self.open.pop() {
            self.close(&brought);
        }
    }

    fn close(&mut self, brought: &Brought) {
        if let Some(slots) = brought.rdfa_text {
            let (text, whole) = self.texts.end(self.rdfa.room.bytes());
            if !whole {
                self.rdfa.room.note_cut_bytes();
            }
            self.rdfa.set_text(slots, &text);
        }
        if let Some(slot) = brought.item_text {
            let (text, whole) = self.texts.end(self.microdata.room.bytes());
            if !whole {
                self.microdata.room.note_cut_bytes();
            }
            self.microdata.set_text(slot, text);
        }
        self.rdfa.end(brought.declares, brought.subject);
        self.microdata.end(brought.frames);
    }

    /// A script begins. True if it is JSON-LD: then its text is [wanted](StructuredReader::end_script).
    pub(crate) fn start_script(&mut self, attributes: &Attributes<'_>) -> bool {
        let media_type = attributes.text(Attr::Type).split(';').next().unwrap_or_default().trim_ascii();
        let is_data = media_type.eq_ignore_ascii_case("application/ld+json");
        self.script = is_data.then(|| Spot::at(attributes.name_end()));
        is_data
    }

    /// Bytes of a script that are wanted, and one to see that it is too long.
    pub(crate) fn script_room(&self) -> usize {
        self.json_ld.left().saturating_add(1)
    }

    /// A JSON-LD script ends.
    pub(crate) fn end_script(&mut self, text: &str) {
        if let Some(spot) = self.script.take() {
            self.json_ld.read(text, spot, &mut self.findings);
        }
    }

    /// Closes what is still open.
    fn end_page(&mut self) {
        while self.is_awake() {
            self.close_innermost();
        }
    }

    /// All that was found, where there is any; the limits that cut something are added to `cuts`. `page` is what was read, and `again`
    /// what came of the [second](StructuredReader::second) reading.
    pub(crate) fn finish(
        mut self,
        again: Option<StructuredReader<'_>>,
        page: &str,
        base: &Resolver<'_>,
        cuts: &mut Vec<&'static str>,
    ) -> Option<Box<StructuredData>> {
        self.end_page();
        let (mut findings, limits) = (self.findings, self.limits);
        let microdata = match again {
            Some(again) => {
                findings.replace_faults(again.findings, DataSyntax::Microdata);
                again.microdata
            }
            None => self.microdata,
        };
        self.json_ld.finish(&mut findings);
        microdata.finish(limits, base, &mut findings);
        self.rdfa.finish(base, &mut findings);
        findings.finish(page, cuts)
    }
}
