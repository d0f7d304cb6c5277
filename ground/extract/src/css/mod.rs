//! Which elements does a CSS selector choose? Selectors of level 4 as far as they speak of the document, and what is read of each element.
//!
//! ```text
//! rule      = selector { "," selector } [ piece ]
//! selector  = compound { (" " | ">" | "+" | "~") compound }
//! compound  = [ name | "*" ] { "#" id | "." class | "[" attribute [ op value [ "i" ] ] "]" | ":" pseudo }
//! op        = "=" | "~=" | "|=" | "^=" | "$=" | "*="
//! pseudo    = first-child | last-child | only-child | nth-child(an+b) | nth-last-child(an+b), the same -of-type,
//!             root | empty | not(list) | is(list) | where(list) | has(relative list) | contains("text")
//! piece     = "::text" | "::attr(name)" | "::html"
//! ```
//!
//! The pieces are those of Scrapy: `::text` is the text that stands in the element itself, not in its children; `::html` the element as
//! HTML. Without a piece it is the text as a reader sees it. Names and attribute names are compared without regard to case, ids, classes
//! and values with it. `:contains("text")` (not in the standard, and missed by everybody) holds where the reader's text has it.
//!
//! Cost: each compound is matched from the right; candidates come from the list of nodes of the last name. Work is counted (an element
//! looked at, an attribute compared) and bounded by [`Work`](crate::Work), for `a b c d` may go through the ancestors again and again.

mod matching;
mod parse;

use crate::selector::SelectorError;

/// Selectors nest at most so deep in `:not()` and its like.
const NESTING: usize = 8;

/// And join at most so many compounds.
const COMPOUNDS: usize = 64;

/// A CSS selector with what is read of the elements it chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct CssRule {
    list: Vec<Complex>,
    piece: Piece,
}

/// What is read of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Its text as a reader sees it.
    Text,
    /// The texts directly in it.
    OwnText,
    Attribute(String),
    Html,
}

/// Compounds from the right to the left; each but the first with what joins it to the one before.
#[derive(Clone, Debug, PartialEq)]
struct Complex {
    last: Compound,
    before: Vec<(Combinator, Compound)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Compound {
    /// In lower case; nothing is `*`.
    name: Option<String>,
    tests: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Attribute(AttributeTest),
    Nth(Nth),
    Root,
    Empty,
    Not(Vec<Complex>),
    Is(Vec<Complex>),
    Has(Vec<(Combinator, Complex)>),
    Contains(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct AttributeTest {
    name: String,
    comparison: Comparison,
    value: String,
    ignore_case: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Present,
    Equal,
    Word,
    Dash,
    Prefix,
    Suffix,
    Substring,
}

/// The element is number `step * n + first` of its siblings for some n from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Nth {
    step: i32,
    first: i32,
    from_end: bool,
    of_type: bool,
}

impl CssRule {
    /// Reads a selector as it was written.
    pub fn parse(text: &str) -> Result<CssRule, SelectorError> {
        parse::rule(text)
    }
}
