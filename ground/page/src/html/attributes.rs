//! The attributes of one tag that anybody asks for, and no others.
//!
//! The first of several attributes of one name counts. Values stand in one buffer that is used again for every tag.

use super::tag::Tag;

/// The attributes that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip]
pub(crate) enum Attr {
    Action, Alt, AriaLabel, Content, Data, Href, HttpEquiv, Id, Label, Lang, Method, Multiple, Name, Poster, Property, Rel, Role,
    Selected, Src, Srcset, Title, Type, Value, XlinkHref,
}

const COUNT: usize = Attr::XlinkHref as usize + 1;
/// The longest name of the above, `http-equiv`, `aria-label`, `xlink:href`.
const LONGEST: usize = 10;

impl Attr {
    #[rustfmt::skip]
    fn of(name: &[u8]) -> Option<Attr> {
        Some(match name {
            b"action" => Attr::Action, b"alt" => Attr::Alt, b"aria-label" => Attr::AriaLabel, b"content" => Attr::Content,
            b"data" => Attr::Data, b"href" => Attr::Href, b"http-equiv" => Attr::HttpEquiv, b"id" => Attr::Id,
            b"label" => Attr::Label, b"lang" | b"xml:lang" => Attr::Lang, b"method" => Attr::Method,
            b"multiple" => Attr::Multiple, b"name" => Attr::Name, b"poster" => Attr::Poster, b"property" => Attr::Property,
            b"rel" => Attr::Rel, b"role" => Attr::Role, b"selected" => Attr::Selected, b"src" => Attr::Src,
            b"srcset" => Attr::Srcset, b"title" => Attr::Title, b"type" => Attr::Type, b"value" => Attr::Value,
            b"xlink:href" => Attr::XlinkHref,
            _ => return None,
        })
    }

    const fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// Which attributes of an element are of use.
fn wanted(tag: Tag) -> u32 {
    match tag {
        Tag::Other | Tag::Inline | Tag::P | Tag::Br | Tag::Tr | Tag::Td | Tag::Th => Attr::Id.bit(),
        tag if tag.is_flow() || tag == Tag::Table => Attr::Id.bit() | Attr::Role.bit(),
        _ => u32::MAX,
    }
}

/// The attributes of the tag that is being read.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    values: Vec<u8>,
    ranges: [(usize, usize); COUNT],
    seen: u32,
    wanted: u32,
    count: u64,
    current: Option<Attr>,
    name: [u8; LONGEST],
    name_length: usize,
    named: bool,
}

impl Attributes {
    /// A new tag begins.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.seen = 0;
        self.count = 0;
        self.current = None;
        self.named = false;
    }

    /// A new attribute begins; `tag` is the element it is on. False if it is one too many.
    pub(crate) fn begin(&mut self, tag: Tag, most: u64) -> bool {
        self.finish();
        if self.count == 0 {
            self.wanted = wanted(tag);
        }
        self.count += 1;
        self.named = self.count <= most;
        self.name_length = 0;
        self.named
    }

    /// More of its name.
    pub(crate) fn push_name(&mut self, part: &[u8]) {
        let end = self.name_length + part.len();
        if let Some(rest) = self.name.get_mut(self.name_length..end) {
            rest.copy_from_slice(part);
        }
        // A name too long to fit is none that is asked for.
        self.name_length = end.min(LONGEST + 1);
    }

    /// Its name is complete.
    fn settle(&mut self) {
        if !self.named {
            return;
        }
        self.named = false;
        let known = self.name.get(..self.name_length).and_then(Attr::of);
        self.current = known.filter(|attr| attr.bit() & self.wanted & !self.seen != 0);
        if let Some(attr) = self.current {
            self.seen |= attr.bit();
            self.ranges[attr as usize] = (self.values.len(), self.values.len());
        }
    }

    /// More of its value.
    pub(crate) fn push_value(&mut self, part: &[u8]) {
        self.settle();
        if let Some(attr) = self.current {
            self.values.extend_from_slice(part);
            self.ranges[attr as usize].1 = self.values.len();
        }
    }

    /// The last attribute is complete.
    pub(crate) fn finish(&mut self) {
        self.settle();
        self.current = None;
    }

    /// Is the attribute there at all?
    pub(crate) fn has(&self, attr: Attr) -> bool {
        self.seen & attr.bit() != 0
    }

    /// Its value.
    pub(crate) fn get(&self, attr: Attr) -> Option<&str> {
        if !self.has(attr) {
            return None;
        }
        let (start, end) = self.ranges[attr as usize];
        std::str::from_utf8(&self.values[start..end]).ok()
    }

    /// Its value, or nothing at all.
    pub(crate) fn text(&self, attr: Attr) -> &str {
        self.get(attr).unwrap_or_default()
    }
}
