//! Which nodes does an XPath expression choose? XPath 1.0 whole, on the tree of the page, with three functions that everybody misses.
//!
//! ```text
//! expr      = or-, and-, comparing, adding, multiplying expressions, -expr, expr | expr, path
//! path      = ["/" | "//"] step { ("/" | "//") step }      step = [axis "::" | "@"] test { "[" expr "]" } | "." | ".."
//! test      = name | "*" | node() | text() | comment() | processing-instruction()
//! functions = those of XPath 1.0, and lower-case(), upper-case(), ends-with() of XPath 2.0
//! ```
//!
//! Source: W3C Recommendation "XML Path Language (XPath) Version 1.0". What differs because pages are HTML: names of elements and attributes are
//! compared in lower case and without namespaces (so the axis `namespace` is no axis, and variables do not exist); texts of nothing but white
//! space and comments are no nodes of the tree; the string of an element is its text as a reader sees it, white space cleaned, so that
//! `//td[.='Price']` means what it seems to mean.
//!
//! Cost: `//name` comes from the list of nodes of that name; a step visits what its axis names for each node it starts from, and predicates
//! may visit it all again: polynomial in the page for a fixed expression, counted and bounded by `Work`.

mod axes;
mod eval;
mod functions;
mod lex;
mod parse;
mod strings;
mod syntax;

use self::syntax::Expr;
use crate::error::SelectorError;
use crate::page::Page;
use crate::work::{OutOfWork, Work};

/// An XPath expression that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct XPathRule(Expr);

impl XPathRule {
    /// Reads an expression as it was written.
    pub fn parse(text: &str) -> Result<XPathRule, SelectorError> {
        parse::expression(text).map(XPathRule)
    }

    /// The values it gives on a page: the texts of the nodes, or the one text, number or truth it comes to.
    pub(crate) fn values(&self, page: &Page<'_>, work: &mut Work) -> Result<Vec<String>, OutOfWork> {
        eval::values(&self.0, page, work)
    }
}
