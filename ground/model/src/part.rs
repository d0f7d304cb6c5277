//! Parts of a page: what its pieces are to a reader who looks for literature (paper 001: content blocks and link blocks).
//!
//! The text blocks of [`crate::page`] say how a text is set (heading, paragraph, cell); parts say what it is for. A page has a
//! type, content parts with their texts, a part for every link, and the blocks that are its main text. Every label comes with a
//! confidence in per cent. The codes are kept in stores: never renumber.

/// What a piece of a page is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PartKind {
    /// Running text, or nothing in particular.
    #[default]
    Text = 0,
    /// The title of the work the page is about.
    Title = 1,
    /// Authors of the work.
    Authors = 2,
    /// Where the authors work.
    Affiliation = 3,
    /// Abstract of the work.
    Abstract = 4,
    /// Keywords of the work.
    Keywords = 5,
    /// Entries of the list the page is about: papers of an issue, results of a search.
    List = 6,
    /// Previous and next: neighbors in the same sequence.
    Sequence = 7,
    /// Related pages: what else a reader may like.
    Related = 8,
    /// The menu of the site: what recurs on most of its pages.
    Menu = 9,
    /// Advertising, sharing, pictures, legal small print.
    Noise = 10,
}

impl PartKind {
    /// All of them, in the order of their codes.
    pub const ALL: [PartKind; 11] = [
        PartKind::Text,
        PartKind::Title,
        PartKind::Authors,
        PartKind::Affiliation,
        PartKind::Abstract,
        PartKind::Keywords,
        PartKind::List,
        PartKind::Sequence,
        PartKind::Related,
        PartKind::Menu,
        PartKind::Noise,
    ];

    /// The kind a number stands for.
    pub fn from_code(code: u8) -> Option<PartKind> {
        PartKind::ALL.get(usize::from(code)).copied()
    }

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            PartKind::Text => "text",
            PartKind::Title => "title",
            PartKind::Authors => "authors",
            PartKind::Affiliation => "affiliation",
            PartKind::Abstract => "abstract",
            PartKind::Keywords => "keywords",
            PartKind::List => "list",
            PartKind::Sequence => "sequence",
            PartKind::Related => "related",
            PartKind::Menu => "menu",
            PartKind::Noise => "noise",
        }
    }
}

/// What a page is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PageType {
    /// None of the others.
    #[default]
    Other = 0,
    /// About one article: it has an abstract or keywords besides a title and authors.
    Article = 1,
    Book = 2,
    /// About many works: an issue, a volume, a result of a search.
    List = 3,
}

impl PageType {
    /// All of them, in the order of their codes.
    pub const ALL: [PageType; 4] = [PageType::Other, PageType::Article, PageType::Book, PageType::List];

    /// The type a number stands for.
    pub fn from_code(code: u8) -> Option<PageType> {
        PageType::ALL.get(usize::from(code)).copied()
    }

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Other => "other",
            PageType::Article => "article",
            PageType::Book => "book",
            PageType::List => "list",
        }
    }
}

/// A part of a page that means something: title, authors, abstract, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub kind: PartKind,
    /// Its text, white space folded; several authors, affiliations or keywords are parts of their own.
    pub text: String,
    /// How sure we are, in per cent.
    pub confidence: u8,
}

/// The part a link stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkPart {
    pub kind: PartKind,
    /// How sure we are, in per cent.
    pub confidence: u8,
    /// A hash of the tags and class names around it: links that are set alike share it.
    pub path: u32,
}

/// The parts of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// What the page is.
    pub page_type: PageType,
    /// How sure we are of that, in per cent.
    pub confidence: u8,
    /// The content parts, in document order.
    pub content: Vec<Part>,
    /// One for each of the page's links, in their order.
    pub links: Vec<LinkPart>,
    /// For each of the page's blocks, in their order, a hash of the tags and class names around it.
    pub paths: Vec<u32>,
    /// The blocks that are the main text, as ascending places in the page's list of blocks.
    pub main: Vec<u32>,
}
