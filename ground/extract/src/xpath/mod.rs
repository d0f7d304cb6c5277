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
//! may visit it all again: polynomial in the page for a fixed expression, counted and bounded by [`Work`](crate::Work).

mod axes;
mod eval;
mod functions;
mod lex;
mod parse;
mod strings;

use self::functions::Function;
use crate::selector::SelectorError;

/// An XPath expression.
#[derive(Clone, Debug, PartialEq)]
pub struct XPathRule {
    expr: Expr,
}

#[derive(Clone, Debug, PartialEq)]
enum Expr {
    Or(Vec<Expr>),
    And(Vec<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    Compute(Operation, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    Union(Vec<Expr>),
    Path(Path),
    Text(String),
    Number(f64),
    Call(Function, Vec<Expr>),
}

/// Steps from the root, from the node that is looked at, or from what an expression gives.
#[derive(Clone, Debug, PartialEq)]
struct Path {
    from: Start,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Start {
    Root,
    Here,
    Nodes(Box<Expr>, Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
struct Step {
    axis: Axis,
    test: NodeTest,
    predicates: Vec<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Child,
    Parent,
    Itself,
    Descendant,
    DescendantOrSelf,
    Ancestor,
    AncestorOrSelf,
    Following,
    Preceding,
    FollowingSibling,
    PrecedingSibling,
    Attribute,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NodeTest {
    /// Elements, or attributes on their axis, with this name.
    Name(String),
    /// All elements, or all attributes on their axis.
    AnyName,
    AnyNode,
    Text,
    /// Comments and processing instructions, which the tree does not have.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl XPathRule {
    /// Reads an expression as it was written.
    pub fn parse(text: &str) -> Result<XPathRule, SelectorError> {
        parse::expression(text).map(|expr| XPathRule { expr })
    }
}
