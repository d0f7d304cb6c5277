//! What a selector says, once it is read.

/// Selectors nest at most so deep in `:not()` and its like.
pub(super) const NESTING: usize = 8;

/// And join at most so many compounds.
pub(super) const COMPOUNDS: usize = 64;

/// A CSS selector with what is read of the elements it chooses.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CssSyntax {
    pub(super) list: Vec<Complex>,
    pub(super) piece: Piece,
}

/// What is read of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Its text as a reader sees it.
    Text,
    /// The texts directly in it.
    OwnText,
    Attribute(String),
    Html,
}

/// Compounds from the right to the left; each but the first with what joins it to the one before.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Complex {
    pub(super) last: Compound,
    pub(super) before: Vec<(Combinator, Compound)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Compound {
    /// In lower case; nothing is `*`.
    pub(super) name: Option<String>,
    pub(super) tests: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
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
pub(super) struct AttributeTest {
    pub(super) name: String,
    pub(super) comparison: Comparison,
    pub(super) value: String,
    pub(super) ignore_case: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
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
pub(super) struct Nth {
    pub(super) step: i32,
    pub(super) first: i32,
    pub(super) from_end: bool,
    pub(super) of_type: bool,
}
