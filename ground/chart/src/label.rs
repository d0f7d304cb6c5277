//! What is known of a page on a map, and which of it is shown.

use std::io;

use groma_model::Reason;

use crate::Parts;

/// What is known of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its canonical URL, as it is; not yet safe for any output.
    pub url: String,
    /// Its title; empty if it has none or was not fetched.
    pub title: String,
    /// Its state, by the reason for it.
    pub reason: Reason,
    /// Its PageRank (un-normalised: at least 0.15).
    pub rank: f64,
    /// HTTP status; 0 if it was not fetched.
    pub status: u16,
    /// Media type; empty if not known.
    pub media_type: String,
    /// Size in bytes, if known.
    pub size: Option<u64>,
    /// Language; empty if not known.
    pub language: String,
    /// In its text.
    pub words: u32,
    /// When the server says it last changed, in seconds since 1970.
    pub modified: Option<i64>,
    /// When its text was last seen to change, in seconds since 1970.
    pub changed: Option<i64>,
    /// When it was fetched, in seconds since 1970.
    pub fetched: Option<i64>,
    /// Its author asks not to list it, or names another page as its canonical form.
    pub unlisted: bool,
    /// Pages that link to it.
    pub links_in: u32,
    /// Pages it links to.
    pub links_out: u32,
    /// Invalid links on it.
    pub broken: u32,
    /// The cluster it belongs to, once clusters are computed.
    pub cluster: Option<u32>,
    /// What it is for a database: a document that leads to one, a described form, a search form; empty if it is none of them.
    pub database: &'static str,
    /// What it links to, by sort of content.
    pub parts: Parts,
}

/// Gives what is known of the node of a tree. It may have to be read from a disk, and that may fail.
pub trait Labels {
    /// What is known of a node.
    fn label(&mut self, node: u32) -> io::Result<Label>;
}

macro_rules! fields {
    ($( $variant:ident, $name:literal, $says:literal; )*) => {
        /// The values of a page that can be shown.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Field { $( #[doc = $says] $variant, )* }

        impl Field {
            /// All of them, in the order in which they are shown.
            pub const ALL: &'static [Field] = &[ $( Field::$variant, )* ];

            /// The word by which it is asked for, and its name in XML and JSON.
            pub fn name(self) -> &'static str {
                match self { $( Field::$variant => $name, )* }
            }

            /// The sentence people see.
            pub fn says(self) -> &'static str {
                match self { $( Field::$variant => $says, )* }
            }
        }
    };
}

fields! {
    Title, "title", "the title";
    Url, "url", "the URL";
    Rank, "rank", "PageRank";
    Depth, "depth", "link distance from the root of the map";
    Pages, "pages", "pages at and below it in the map";
    State, "state", "fetched or skipped";
    Reason, "reason", "why it is in its state";
    Status, "status", "HTTP status";
    Type, "type", "media type";
    Size, "size", "size in bytes";
    Language, "language", "language";
    Words, "words", "words of text";
    Modified, "modified", "when the server says it last changed";
    Changed, "changed", "when its text was last seen to change";
    Fetched, "fetched", "when it was fetched";
    In, "in", "pages that link to it";
    Out, "out", "pages it links to";
    Broken, "broken", "broken links on it";
    Cluster, "cluster", "the cluster it belongs to";
    Database, "database", "what it is for a database: document, described-form or search-form";
    Parts, "parts", "sizes of what it links to, by sort of content";
}

impl Field {
    /// What is shown unless something else is asked for.
    pub const USUAL: [Field; 8] =
        [Field::Title, Field::Url, Field::Rank, Field::Pages, Field::Type, Field::Size, Field::Broken, Field::Parts];

    /// The field with this name.
    pub fn named(name: &str) -> Option<Field> {
        Field::ALL.iter().copied().find(|field| field.name() == name)
    }
}
