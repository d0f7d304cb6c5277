//! An element as structured data sees it: where it stands, and which of its attributes names a value.

use groma_model::Target;

use super::found::Spot;
use crate::html::attributes::{Attr, Attributes};
use crate::html::links::Resolver;
use crate::html::tag::Tag;

/// A start tag inside structured data.
pub(super) struct DataElement<'a> {
    pub(super) tag: Tag,
    pub(super) attributes: &'a Attributes<'a>,
    pub(super) spot: Spot,
}

/// Where the value of an element stands, if not in its text (HTML standard 5.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// An attribute that holds a URL, which may be missing.
    Url(Attr),
    /// An attribute; if it is missing, the text counts.
    Value(Attr),
    /// `content`, or nothing at all.
    Content,
    None,
}

impl DataElement<'_> {
    pub(super) fn reference(&self) -> Reference {
        let named = |name: &str| self.attributes.name().eq_ignore_ascii_case(name.as_bytes());
        match self.tag {
            Tag::Meta => Reference::Content,
            Tag::Audio | Tag::Embed | Tag::Iframe | Tag::Img | Tag::Source | Tag::Video => Reference::Url(Attr::Src),
            Tag::A | Tag::Area | Tag::Link => Reference::Url(Attr::Href),
            Tag::Object => Reference::Url(Attr::Data),
            Tag::Other if named("track") => Reference::Url(Attr::Src),
            Tag::Other if named("data") || named("meter") => Reference::Value(Attr::Value),
            Tag::Other if named("time") => Reference::Value(Attr::Datetime),
            _ => Reference::None,
        }
    }
}

/// A URL of the page in full; what is none stays as it was written.
pub(super) fn data_url(reference: &str, base: &Resolver<'_>) -> String {
    let reference = reference.trim_ascii();
    match base.resolve(reference) {
        Some(Target::Web(url)) => String::from(url),
        _ => reference.to_owned(),
    }
}
