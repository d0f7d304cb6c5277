//! From the tokenizer's calls to tags and text: nothing is allocated per tag.

use std::convert::Infallible;

use html5gum::{Emitter, Error, State};

use super::attributes::Attributes;
use super::page::Page;
use super::tag::Tag;

/// The name of a tag; longer ones than any we know are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Name {
    bytes: [u8; Tag::LONGEST + 1],
    length: usize,
}

impl Name {
    fn push(&mut self, part: &[u8]) {
        let fits = part.len().min(self.bytes.len() - self.length);
        self.bytes[self.length..self.length + fits].copy_from_slice(&part[..fits]);
        self.length += fits;
    }

    fn tag(&self) -> Tag {
        Tag::of(&self.bytes[..self.length])
    }
}

/// Gives what the tokenizer finds to the page.
pub(crate) struct Tokens<'p, 'a> {
    page: &'p mut Page<'a>,
    name: Name,
    /// The last start tag: only its end tag ends raw text.
    last: Name,
    is_end: bool,
    closes_itself: bool,
    /// What `name` is, once it is complete.
    tag: Option<Tag>,
    attributes: Attributes,
}

impl<'p, 'a> Tokens<'p, 'a> {
    pub(crate) fn new(page: &'p mut Page<'a>) -> Tokens<'p, 'a> {
        let (name, attributes) = (Name::default(), Attributes::default());
        Tokens { page, name, last: name, is_end: false, closes_itself: false, tag: None, attributes }
    }

    fn begin(&mut self, is_end: bool) {
        self.name = Name::default();
        self.is_end = is_end;
        self.closes_itself = false;
        self.tag = None;
        self.attributes.clear();
    }

    fn tag(&mut self) -> Tag {
        let name = &self.name;
        *self.tag.get_or_insert_with(|| name.tag())
    }
}

impl Emitter for Tokens<'_, '_> {
    type Token = Infallible;

    fn set_last_start_tag(&mut self, last: Option<&[u8]>) {
        self.last = Name::default();
        self.last.push(last.unwrap_or_default());
    }

    fn emit_eof(&mut self) {
        self.page.finish();
    }

    #[inline]
    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.page.text(text);
    }

    fn init_start_tag(&mut self) {
        self.begin(false);
    }

    fn init_end_tag(&mut self) {
        self.begin(true);
    }

    #[inline]
    fn init_comment(&mut self) {}

    fn emit_current_tag(&mut self) -> Option<State> {
        let tag = self.tag();
        if self.is_end {
            self.page.end(tag);
            return None;
        }
        self.attributes.finish();
        self.last = self.name;
        self.page.start(tag, &self.attributes, self.closes_itself)
    }

    #[inline]
    fn emit_current_comment(&mut self) {}

    #[inline]
    fn emit_current_doctype(&mut self) {}

    fn set_self_closing(&mut self) {
        self.closes_itself = true;
    }

    #[inline]
    fn set_force_quirks(&mut self) {}

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.push(name);
    }

    #[inline]
    fn push_comment(&mut self, _: &[u8]) {}

    #[inline]
    fn push_doctype_name(&mut self, _: &[u8]) {}

    #[inline]
    fn init_doctype(&mut self) {}

    fn init_attribute(&mut self) {
        if !self.is_end {
            let tag = self.tag();
            self.page.cut_attributes |= !self.attributes.begin(tag, self.page.limits.html_attributes);
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attributes.push_name(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.attributes.push_value(value);
    }

    #[inline]
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}

    #[inline]
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}

    #[inline]
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}

    #[inline]
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && self.name == self.last
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.page.is_foreign()
    }
}
