//! The attributes of one tag that anybody asks for, and no others.
//!
//! The first of several attributes of one name counts. Values are pieces of the page; only those that hold a character
//! reference or a NUL are written anew, into one buffer that is used again for every tag.

use super::reference::{self, Within};
use super::seek;
use super::tag::Tag;

/// The attributes that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip]
pub(crate) enum Attr {
    Action, Alt, AriaLabel, Content, Data, FormAction, Href, HttpEquiv, Id, Label, Lang, Method, Multiple, Name, Poster, Property, Rel, Role,
    Selected, Src, Srcset, Style, Title, Type, Value, XlinkHref,
    // For checks alone.
    AriaHidden, AriaLabelledby, Async, Autoplay, Charset, Defer, For, Height, Hidden, Hreflang, Integrity, Kind, Muted, Placeholder, Tabindex,
    Width,
    // For structured data.
    About, Datetime, Itemid, Itemprop, Itemref, Itemscope, Itemtype, Prefix, Resource, Typeof, Vocab,
    // For the parts of a page alone.
    Class, Tip,
}

const COUNT: usize = Attr::Tip as usize + 1;
/// The longest name below, `data-bs-original-title`.
const LONGEST: usize = 22;
/// What is of use to more than the parts.
const PLAIN: u64 = (1 << (Attr::Width as u8 + 1)) - 1;
/// Where structured data begins, on whatever element.
#[rustfmt::skip]
pub(crate) const MARKS: u64 = Attr::About.bit() | Attr::Itemid.bit() | Attr::Itemprop.bit() | Attr::Itemref.bit() | Attr::Itemscope.bit()
    | Attr::Itemtype.bit() | Attr::Prefix.bit() | Attr::Property.bit() | Attr::Resource.bit() | Attr::Typeof.bit() | Attr::Vocab.bit();
/// What may hold a value inside structured data.
const VALUES: u64 = Attr::Content.bit()
    | Attr::Data.bit()
    | Attr::Datetime.bit()
    | Attr::Href.bit()
    | Attr::Src.bit()
    | Attr::Value.bit();

impl Attr {
    #[cfg(test)]
    #[rustfmt::skip]
    pub(crate) const ALL: [Attr; COUNT] = [
        Attr::Action, Attr::Alt, Attr::AriaLabel, Attr::Content, Attr::Data, Attr::FormAction, Attr::Href, Attr::HttpEquiv, Attr::Id,
        Attr::Label, Attr::Lang, Attr::Method, Attr::Multiple, Attr::Name, Attr::Poster, Attr::Property, Attr::Rel, Attr::Role,
        Attr::Selected, Attr::Src, Attr::Srcset, Attr::Style, Attr::Title, Attr::Type, Attr::Value, Attr::XlinkHref,
        Attr::AriaHidden, Attr::AriaLabelledby, Attr::Async, Attr::Autoplay, Attr::Charset, Attr::Defer, Attr::For, Attr::Height, Attr::Hidden,
        Attr::Hreflang, Attr::Integrity, Attr::Kind, Attr::Muted, Attr::Placeholder, Attr::Tabindex, Attr::Width,
        Attr::About, Attr::Datetime, Attr::Itemid, Attr::Itemprop, Attr::Itemref, Attr::Itemscope, Attr::Itemtype, Attr::Prefix,
        Attr::Resource, Attr::Typeof, Attr::Vocab, Attr::Class, Attr::Tip,
    ];

    #[rustfmt::skip]
    fn from_name(name: &[u8]) -> Option<Attr> {
        Some(match name {
            b"action" => Attr::Action, b"alt" => Attr::Alt, b"aria-label" => Attr::AriaLabel, b"content" => Attr::Content,
            b"data" => Attr::Data, b"formaction" => Attr::FormAction, b"href" => Attr::Href, b"http-equiv" => Attr::HttpEquiv, b"id" => Attr::Id,
            b"label" => Attr::Label, b"lang" | b"xml:lang" => Attr::Lang, b"method" => Attr::Method,
            b"multiple" => Attr::Multiple, b"name" => Attr::Name, b"poster" => Attr::Poster, b"property" => Attr::Property,
            b"rel" => Attr::Rel, b"role" => Attr::Role, b"selected" => Attr::Selected, b"src" => Attr::Src,
            b"srcset" => Attr::Srcset, b"title" => Attr::Title, b"type" => Attr::Type, b"value" => Attr::Value,
            b"xlink:href" => Attr::XlinkHref, b"aria-hidden" => Attr::AriaHidden, b"class" => Attr::Class,
            b"aria-labelledby" => Attr::AriaLabelledby, b"async" => Attr::Async, b"autoplay" => Attr::Autoplay,
            b"charset" => Attr::Charset, b"defer" => Attr::Defer, b"for" => Attr::For, b"height" => Attr::Height,
            b"hreflang" => Attr::Hreflang, b"integrity" => Attr::Integrity, b"kind" => Attr::Kind, b"muted" => Attr::Muted,
            b"placeholder" => Attr::Placeholder, b"tabindex" => Attr::Tabindex, b"width" => Attr::Width,
            b"hidden" => Attr::Hidden, b"style" => Attr::Style, b"about" => Attr::About, b"datetime" => Attr::Datetime,
            b"itemid" => Attr::Itemid, b"itemprop" => Attr::Itemprop, b"itemref" => Attr::Itemref, b"itemscope" => Attr::Itemscope,
            b"itemtype" => Attr::Itemtype, b"prefix" => Attr::Prefix, b"resource" => Attr::Resource, b"typeof" => Attr::Typeof,
            b"vocab" => Attr::Vocab,
            b"data-affiliation" | b"data-affiliations" | b"data-aff" | b"data-institution" | b"data-org" | b"data-tooltip"
            | b"data-tip" | b"data-content" | b"data-title" | b"data-original-title" | b"data-bs-title" | b"data-bs-content"
            | b"data-bs-original-title" | b"data-popover" | b"data-hover" => Attr::Tip,
            _ => return None,
        })
    }

    /// Of a name that is not in lower case.
    fn in_capitals(name: &[u8]) -> Option<Attr> {
        // A name too long to fit is none that is asked for.
        let mut lower = [0; LONGEST];
        let lower = lower.get_mut(..name.len()).filter(|_| name.iter().any(u8::is_ascii_uppercase))?;
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        Attr::from_name(lower)
    }

    const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// Which attributes of an element are of use.
fn wanted(tag: Tag) -> u64 {
    const ANYWHERE: u64 =
        MARKS | Attr::Id.bit() | Attr::Style.bit() | Attr::Role.bit() | Attr::Lang.bit() | Attr::Tabindex.bit();
    match tag {
        tag if tag.is_heading() => MARKS | PLAIN,
        Tag::Other | Tag::Inline | Tag::P | Tag::Br | Tag::Tr | Tag::Td | Tag::Th | Tag::Table => ANYWHERE,
        tag if tag.is_flow() => ANYWHERE,
        _ => MARKS | PLAIN,
    }
}

/// The attributes of the tag that is being read.
#[derive(Debug)]
pub(crate) struct Attributes<'t> {
    page: &'t str,
    /// Values that do not stand in the page as they are.
    written: String,
    values: [Value; COUNT],
    seen: u64,
    wanted: u64,
    count: u64,
    most: u64,
    /// Those for the parts of a page are wanted too.
    all: bool,
    /// The name of the tag, and where it ends in the page.
    name: &'t [u8],
    name_end: usize,
    /// A tag had too many of them.
    pub(crate) cut: bool,
}

/// Where a value stands: from, to, and whether it was written anew.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    from: usize,
    to: usize,
    anew: bool,
}

impl<'t> Attributes<'t> {
    /// For the tags of a page; of each, so many are looked at.
    pub(crate) fn new(page: &'t str, most: u64, all: bool) -> Attributes<'t> {
        let (written, values) = (String::new(), [Value::default(); COUNT]);
        Attributes {
            page,
            written,
            values,
            seen: 0,
            wanted: 0,
            count: 0,
            most,
            all,
            name: b"",
            name_end: 0,
            cut: false,
        }
    }

    /// A new tag begins; `is_data` if it stands inside structured data.
    #[inline]
    pub(crate) fn begin(&mut self, tag: Tag, name: &'t [u8], name_end: usize, is_data: bool) {
        self.written.clear();
        self.seen = 0;
        self.count = 0;
        self.wanted = if self.all { u64::MAX } else { wanted(tag) | if is_data { VALUES } else { 0 } };
        (self.name, self.name_end) = (name, name_end);
    }

    /// The name of the tag as it stands in the page.
    pub(crate) fn name(&self) -> &'t [u8] {
        self.name
    }

    /// Where that name ends in the page.
    pub(crate) fn name_end(&self) -> usize {
        self.name_end
    }

    /// The next attribute is complete; its value stands in the page.
    #[inline]
    pub(crate) fn add(&mut self, name: &[u8], from: usize, to: usize) {
        let Some(attr) = self.admit(name) else { return };
        let value = if seek::either(&self.page.as_bytes()[..to], from, b'&', 0).is_some() {
            self.write(&self.page[from..to])
        } else {
            Value { from, to, anew: false }
        };
        self.values[attr as usize] = value;
    }

    fn write(&mut self, value: &str) -> Value {
        let from = self.written.len();
        for (number, part) in value.split('\0').enumerate() {
            if number > 0 {
                self.written.push(char::REPLACEMENT_CHARACTER);
            }
            reference::replace(part, Within::Value, &mut self.written);
        }
        Value { from, to: self.written.len(), anew: true }
    }

    /// Is an attribute of this name wanted, and the first of its name?
    #[inline]
    fn admit(&mut self, name: &[u8]) -> Option<Attr> {
        self.count += 1;
        if self.count > self.most {
            self.cut = true;
            return None;
        }
        // By far the most frequent, and few ask for it.
        if name == b"class" && !self.all {
            return None;
        }
        let attr = Attr::from_name(name).or_else(|| Attr::in_capitals(name))?;
        let is_new = attr.bit() & self.wanted & !self.seen != 0;
        self.seen |= attr.bit() & self.wanted;
        is_new.then_some(attr)
    }

    /// Has it none of those that are looked at?
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.seen == 0
    }

    /// Is the attribute there at all?
    pub(crate) fn has(&self, attr: Attr) -> bool {
        self.seen & attr.bit() != 0
    }

    /// Is one of a set there?
    #[inline]
    pub(crate) fn has_any(&self, set: u64) -> bool {
        self.seen & set != 0
    }

    pub(crate) fn get(&self, attr: Attr) -> Option<&str> {
        if !self.has(attr) {
            return None;
        }
        let Value { from, to, anew } = self.values[attr as usize];
        let source = if anew { self.written.as_str() } else { self.page };
        source.get(from..to)
    }

    /// Its value, or nothing at all.
    pub(crate) fn text(&self, attr: Attr) -> &str {
        self.get(attr).unwrap_or_default()
    }
}
