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
//! looked at, an attribute compared) and bounded by `Work`, for `a b c d` may go through the ancestors again and again.

mod matching;
mod parse;
mod syntax;

use self::syntax::CssSyntax;
use crate::error::SelectorError;
use crate::page::Page;
use crate::work::{OutOfWork, Work};

/// A CSS selector with what is read of the elements it chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct CssRule(CssSyntax);

impl CssRule {
    /// Reads a selector as it was written.
    pub fn parse(text: &str) -> Result<CssRule, SelectorError> {
        parse::rule(text).map(CssRule)
    }

    /// The values it gives on a page, one for each element that has one.
    pub(crate) fn values(&self, page: &Page<'_>, work: &mut Work) -> Result<Vec<String>, OutOfWork> {
        matching::values(&self.0, page, work)
    }
}
