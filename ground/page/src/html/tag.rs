//! The elements that mean something to us, by name, and what they do to the flow of text.

/// What a start or end tag is. Elements that change nothing are [`Tag::Other`]; those that change nothing but end foreign
/// content (`b`, `span`, ...) are [`Tag::Inline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[rustfmt::skip]
pub(crate) enum Tag {
    Other, Inline, A, Address, Applet, Area, Article, Aside, Audio, Base, Blockquote, Body, Br, Button, Caption, Center, Dd,
    Desc, Details, Dialog, Dir, Div, Dl, Dt, Embed, Fieldset, Figcaption, Figure, Footer, ForeignObject, Form, Frame,
    H1, H2, H3, H4, H5, H6, Head, Header, Hgroup, Hr, Html, Iframe, Image, Img, Input, Label, Legend, Li, Link, Listing, Main, Marquee,
    Math, Menu, Meta, Nav, Noembed, Noframes, Noscript, Object, Ol, Optgroup, Option, P, Plaintext, Pre, Script, Search,
    Section, Select, Source, Style, Summary, Svg, Table, Tbody, Td, Template, Text, Textarea, Tfoot, Th, Thead, Title, Tr, Track,
    Ul, Video, Xmp,
}

impl Tag {
    /// How many there are.
    pub(crate) const COUNT: usize = Tag::Xmp as usize + 1;

    /// The tag of a name, whatever its case.
    #[inline]
    pub(crate) fn named(name: &[u8]) -> Tag {
        /// The longest name below.
        const LONGEST: usize = 13;
        let tag = Tag::from_lowercase(name);
        if tag != Tag::Other || name.len() > LONGEST || !name.iter().any(u8::is_ascii_uppercase) {
            return tag;
        }
        let mut lower = [0; LONGEST];
        let lower = &mut lower[..name.len()];
        lower.copy_from_slice(name);
        lower.make_ascii_lowercase();
        Tag::from_lowercase(lower)
    }

    #[rustfmt::skip]
    pub(crate) fn from_lowercase(name: &[u8]) -> Tag {
        match name {
            b"a" => Tag::A, b"address" => Tag::Address, b"applet" => Tag::Applet, b"area" => Tag::Area,
            b"article" => Tag::Article, b"aside" => Tag::Aside, b"audio" => Tag::Audio, b"base" => Tag::Base,
            b"blockquote" => Tag::Blockquote, b"body" => Tag::Body, b"br" => Tag::Br, b"button" => Tag::Button,
            b"caption" => Tag::Caption, b"center" => Tag::Center, b"dd" => Tag::Dd, b"desc" => Tag::Desc,
            b"details" => Tag::Details, b"dialog" => Tag::Dialog, b"dir" => Tag::Dir, b"div" => Tag::Div, b"dl" => Tag::Dl,
            b"dt" => Tag::Dt, b"embed" => Tag::Embed, b"fieldset" => Tag::Fieldset, b"figcaption" => Tag::Figcaption,
            b"figure" => Tag::Figure, b"footer" => Tag::Footer, b"foreignobject" => Tag::ForeignObject,
            b"form" => Tag::Form, b"frame" => Tag::Frame, b"h1" => Tag::H1, b"h2" => Tag::H2, b"h3" => Tag::H3,
            b"h4" => Tag::H4, b"h5" => Tag::H5, b"h6" => Tag::H6, b"head" => Tag::Head, b"header" => Tag::Header,
            b"hgroup" => Tag::Hgroup, b"hr" => Tag::Hr, b"html" => Tag::Html, b"iframe" => Tag::Iframe,
            b"image" => Tag::Image, b"img" => Tag::Img, b"input" => Tag::Input, b"label" => Tag::Label, b"legend" => Tag::Legend, b"li" => Tag::Li,
            b"link" => Tag::Link, b"listing" => Tag::Listing, b"main" => Tag::Main, b"marquee" => Tag::Marquee,
            b"math" => Tag::Math, b"menu" => Tag::Menu, b"meta" => Tag::Meta, b"nav" => Tag::Nav,
            b"noembed" => Tag::Noembed, b"noframes" => Tag::Noframes, b"noscript" => Tag::Noscript,
            b"object" => Tag::Object, b"ol" => Tag::Ol, b"optgroup" => Tag::Optgroup, b"option" => Tag::Option,
            b"p" => Tag::P, b"plaintext" => Tag::Plaintext, b"pre" => Tag::Pre, b"script" => Tag::Script,
            b"search" => Tag::Search, b"section" => Tag::Section, b"select" => Tag::Select, b"source" => Tag::Source,
            b"style" => Tag::Style, b"summary" => Tag::Summary, b"svg" => Tag::Svg, b"table" => Tag::Table,
            b"tbody" => Tag::Tbody, b"td" => Tag::Td, b"template" => Tag::Template, b"text" => Tag::Text,
            b"textarea" => Tag::Textarea, b"tfoot" => Tag::Tfoot, b"th" => Tag::Th, b"thead" => Tag::Thead,
            b"title" => Tag::Title, b"tr" => Tag::Tr, b"track" => Tag::Track, b"ul" => Tag::Ul, b"video" => Tag::Video, b"xmp" => Tag::Xmp,
            b"b" | b"big" | b"code" | b"em" | b"i" | b"nobr" | b"ruby" | b"s" | b"small" | b"span" | b"strong" | b"strike"
            | b"sub" | b"sup" | b"tt" | b"u" | b"var" => Tag::Inline,
            _ => Tag::Other,
        }
    }

    /// One of h1 to h6.
    pub(crate) fn is_heading(self) -> bool {
        (Tag::H1 as u8..=Tag::H6 as u8).contains(&(self as u8))
    }

    /// Starts and ends a block, and stands on the stack meanwhile.
    #[rustfmt::skip]
    pub(crate) fn is_flow(self) -> bool {
        self.is_heading() || matches!(self,
            Tag::Address | Tag::Article | Tag::Aside | Tag::Blockquote | Tag::Center | Tag::Dd | Tag::Details | Tag::Dialog
            | Tag::Dir | Tag::Div | Tag::Dl | Tag::Dt | Tag::Fieldset | Tag::Figcaption | Tag::Figure | Tag::Footer
            | Tag::Header | Tag::Hgroup | Tag::Li | Tag::Listing | Tag::Main | Tag::Menu | Tag::Nav | Tag::Ol | Tag::Pre
            | Tag::Plaintext | Tag::Search | Tag::Section | Tag::Summary | Tag::Ul | Tag::Xmp)
    }

    /// Nothing outside it can be closed from inside ("has an element in scope").
    #[rustfmt::skip]
    pub(crate) fn is_scope(self) -> bool {
        matches!(self, Tag::Applet | Tag::Caption | Tag::Table | Tag::Td | Tag::Th | Tag::Marquee | Tag::Object
            | Tag::ForeignObject | Tag::Desc | Tag::Title)
    }

    /// An item of a list does not end the item around it past one of these.
    pub(crate) fn is_special(self) -> bool {
        (self.is_flow() || self.is_scope()) && !matches!(self, Tag::Address | Tag::Div)
    }

    /// Ends foreign content (SVG, MathML) when it starts inside it.
    #[rustfmt::skip]
    pub(crate) fn ends_foreign(self) -> bool {
        self.is_heading() || matches!(self,
            Tag::Inline | Tag::Blockquote | Tag::Body | Tag::Br | Tag::Center | Tag::Dd | Tag::Div | Tag::Dl | Tag::Dt
            | Tag::Embed | Tag::Head | Tag::Hr | Tag::Img | Tag::Li | Tag::Listing | Tag::Menu | Tag::Meta | Tag::Ol | Tag::P
            | Tag::Pre | Tag::Table | Tag::Ul)
    }

    /// Never has content.
    #[rustfmt::skip]
    pub(crate) fn is_void(self) -> bool {
        matches!(self, Tag::Area | Tag::Base | Tag::Br | Tag::Embed | Tag::Frame | Tag::Hr | Tag::Image | Tag::Img | Tag::Input
            | Tag::Link | Tag::Meta | Tag::Source | Tag::Track)
    }
}
