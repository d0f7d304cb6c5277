//! What a page is once it has been read: typed text blocks, links, forms, and what its head says.

use groma_url::Url;

/// Kinds of text blocks (paper 2.3). The codes are kept in stores: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum BlockKind {
    /// The title of the page.
    Title = 0,
    /// Heading of level 1.
    Heading1 = 1,
    /// Heading of level 2.
    Heading2 = 2,
    /// Heading of level 3.
    Heading3 = 3,
    /// Heading of level 4.
    Heading4 = 4,
    /// Heading of level 5.
    Heading5 = 5,
    /// Heading of level 6.
    Heading6 = 6,
    /// Running text.
    Paragraph = 7,
    ListItem = 8,
    TableCell = 9,
    Preformatted = 10,
    /// The text that stands for an image.
    ImageAlt = 11,
    /// The page's own description of itself.
    Description = 12,
    /// The page's own keywords.
    Keywords = 13,
    /// Text of the site's navigation: inside nav, header, footer, aside or menu elements.
    Navigation = 14,
}

impl BlockKind {
    /// All of them, in the order of their codes.
    pub const ALL: [BlockKind; 15] = [
        BlockKind::Title,
        BlockKind::Heading1,
        BlockKind::Heading2,
        BlockKind::Heading3,
        BlockKind::Heading4,
        BlockKind::Heading5,
        BlockKind::Heading6,
        BlockKind::Paragraph,
        BlockKind::ListItem,
        BlockKind::TableCell,
        BlockKind::Preformatted,
        BlockKind::ImageAlt,
        BlockKind::Description,
        BlockKind::Keywords,
        BlockKind::Navigation,
    ];

    /// The kind a number stands for.
    pub fn from_code(code: u8) -> Option<BlockKind> {
        BlockKind::ALL.get(usize::from(code)).copied()
    }

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Title => "title",
            BlockKind::Heading1 => "h1",
            BlockKind::Heading2 => "h2",
            BlockKind::Heading3 => "h3",
            BlockKind::Heading4 => "h4",
            BlockKind::Heading5 => "h5",
            BlockKind::Heading6 => "h6",
            BlockKind::Paragraph => "paragraph",
            BlockKind::ListItem => "list-item",
            BlockKind::TableCell => "table-cell",
            BlockKind::Preformatted => "preformatted",
            BlockKind::ImageAlt => "image-alt",
            BlockKind::Description => "description",
            BlockKind::Keywords => "keywords",
            BlockKind::Navigation => "navigation",
        }
    }
}

/// One block of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Its text, white space folded (except preformatted).
    pub text: String,
}

/// Kinds of links. The codes are kept in stores: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LinkKind {
    /// `a`, `area`: what a reader can follow.
    Anchor = 0,
    /// `img`, `source`, `video poster`, ...
    Image = 1,
    /// `frame`, `iframe`, `object`, `embed`.
    Frame = 2,
    /// `script src`.
    Script = 3,
    /// `link rel=stylesheet`, icons, fonts.
    Style = 4,
    /// The action of a form.
    Form = 5,
    /// `link rel=canonical`.
    Canonical = 6,
    /// A redirect by status code.
    Redirect = 7,
    /// A redirect by `meta refresh` or the Refresh header.
    Refresh = 8,
    /// Other `link` elements that name pages: next, prev, alternate, ...
    Related = 9,
    /// A sitemap names it.
    Sitemap = 10,
}

impl LinkKind {
    /// All of them, in the order of their codes.
    pub const ALL: [LinkKind; 11] = [
        LinkKind::Anchor,
        LinkKind::Image,
        LinkKind::Frame,
        LinkKind::Script,
        LinkKind::Style,
        LinkKind::Form,
        LinkKind::Canonical,
        LinkKind::Redirect,
        LinkKind::Refresh,
        LinkKind::Related,
        LinkKind::Sitemap,
    ];

    /// The kind a number stands for.
    pub fn from_code(code: u8) -> Option<LinkKind> {
        LinkKind::ALL.get(usize::from(code)).copied()
    }

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            LinkKind::Anchor => "anchor",
            LinkKind::Image => "image",
            LinkKind::Frame => "frame",
            LinkKind::Script => "script",
            LinkKind::Style => "style",
            LinkKind::Form => "form",
            LinkKind::Canonical => "canonical",
            LinkKind::Redirect => "redirect",
            LinkKind::Refresh => "refresh",
            LinkKind::Related => "related",
            LinkKind::Sitemap => "sitemap",
        }
    }

    /// Leads to a page (rather than to a part of this one).
    pub fn leads_on(self) -> bool {
        !matches!(self, LinkKind::Image | LinkKind::Script | LinkKind::Style | LinkKind::Form)
    }
}

/// The `rel` words that matter to us, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rel(pub u8);

impl Rel {
    pub const NOFOLLOW: Rel = Rel(1);
    pub const NEXT: Rel = Rel(2);
    /// `prev` or `previous`.
    pub const PREV: Rel = Rel(4);
    pub const UGC: Rel = Rel(8);
    pub const SPONSORED: Rel = Rel(16);
    pub const ALTERNATE: Rel = Rel(32);
    pub const EXTERNAL: Rel = Rel(64);

    const WORDS: [(&'static str, Rel); 8] = [
        ("nofollow", Rel::NOFOLLOW),
        ("next", Rel::NEXT),
        ("prev", Rel::PREV),
        ("previous", Rel::PREV),
        ("ugc", Rel::UGC),
        ("sponsored", Rel::SPONSORED),
        ("alternate", Rel::ALTERNATE),
        ("external", Rel::EXTERNAL),
    ];

    /// Reads a `rel` attribute; unknown words are passed over.
    pub fn parse(value: &str) -> Rel {
        let words = value.split_ascii_whitespace();
        words.fold(Rel::default(), |set, word| {
            let known = Rel::WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
            Rel(set.0 | known.map_or(0, |(_, rel)| rel.0))
        })
    }

    /// Does the set hold this word?
    pub fn has(self, word: Rel) -> bool {
        self.0 & word.0 != 0
    }

    /// The words of the set.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Rel::WORDS.iter().filter(move |(name, rel)| self.has(*rel) && *name != "previous").map(|(name, _)| *name)
    }
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An http or https URL, its fragment still on it.
    Web(Url),
    /// Meant as one, but it does not parse: the text as written, cut to a sensible length.
    Malformed(String),
}

/// A link as it stands on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, resolved against the page's base.
    pub target: Target,
    /// What kind of link it is.
    pub kind: LinkKind,
    /// The text a reader sees on it (or the alt text of its image), cut to the limit.
    pub text: String,
    pub rel: Rel,
    /// The block it stands in.
    pub block: BlockKind,
}

/// A form, kept for later use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Where it sends to, resolved; the page itself if it says nothing.
    pub action: String,
    /// get or post, in lower case.
    pub method: String,
    /// Its fields in order.
    pub fields: Vec<Field>,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// text, hidden, select, textarea, checkbox, radio, submit, ...
    pub kind: String,
    /// The value it starts with.
    pub value: String,
    /// What a select offers: value and label.
    pub options: Vec<(String, String)>,
}

/// A `meta` element: name, property or http-equiv in lower case, and its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    pub name: String,
    pub content: String,
}

/// What a page's author asks of robots, from `meta robots` and X-Robots-Tag together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// Do not show this page in a search.
    pub noindex: bool,
    /// Do not follow the links of this page.
    pub nofollow: bool,
}

/// A page that has been read. Bad input gives complaints, never errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedPage {
    /// The title, white space folded.
    pub title: String,
    /// The text in document order.
    pub blocks: Vec<Block>,
    /// The links in document order.
    pub links: Vec<Link>,
    pub forms: Vec<Form>,
    /// The meta elements (name, property, http-equiv).
    pub metas: Vec<Meta>,
    /// What a fragment of a link can point at: ids and anchor names.
    pub anchors: Vec<String>,
    /// What robots are asked (from the page itself; the header's wishes are added by the caller).
    pub directives: Directives,
    /// The language: declared, or detected where there is enough text. Two or three letters, lower case.
    pub language: Option<String>,
    /// The character encoding that was used to read it.
    pub charset: &'static str,
    /// Fingerprint of the visible text (not of the markup or the URLs in links).
    pub text_fp: Option<crate::Fp>,
    /// Similarity hash of the visible text: near-duplicates differ in few bits.
    pub near_fp: u64,
    /// Words of visible text.
    pub words: u32,
    /// Limits that cut something, by key of [`crate::limits::TABLE`].
    pub cuts: Vec<&'static str>,
    /// JSON-LD, microdata and RDFa, where there is any.
    pub structured: Option<Box<crate::StructuredData>>,
    /// Its parts, where they were asked for.
    pub parts: Option<Box<crate::Parts>>,
    /// What its markup shows beyond text and links, and its header (which the caller adds).
    pub markup: crate::Markup,
}

impl ParsedPage {
    /// The content of a `meta`, by its name in lower case.
    pub fn meta(&self, name: &str) -> Option<&str> {
        self.metas.iter().find(|m| m.name == name).map(|m| m.content.as_str())
    }
}
