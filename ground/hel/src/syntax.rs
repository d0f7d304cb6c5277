//! What is a rule? The rule as data, as the parser reads it and the printer writes it.
//!
//! Names of elements and attributes are in lower case, as in the tree. What can be written in two ways (`:` and `-`, `=`
//! and `==`, `pdata` and `pcdata`) is one thing here.

use crate::pattern::Pattern;

/// A rule: a path, and the conditions that its variables have to meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Where the values are.
    pub path: Path,
    /// Conditions on its variables: all must hold.
    pub conditions: Vec<Condition>,
}

impl Rule {
    /// Does it speak of what lines and headings set apart? Then it means [`with_parts`](crate::with_parts).
    pub fn names_parts(&self) -> bool {
        std::iter::once(&self.path)
            .chain(self.conditions.iter().map(|condition| &condition.path))
            .any(Path::names_parts)
    }
}

/// A way through the tree, and what is taken at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Was its first separator written? If not, a prefix may say which it is.
    pub led: bool,
    pub steps: Vec<PathStep>,
    /// What is taken at its end.
    pub end: End,
    /// What is done to the strings, in this order.
    pub operations: Vec<Operation>,
}

impl Path {
    fn names_parts(&self) -> bool {
        let is_part = |label: &Label| matches!(label, Label::Element(name) if name == crate::tree::PART);
        self.steps.iter().any(|step| is_part(&step.label))
            || matches!(&self.end, End::Fork(branches) if branches.iter().any(Path::names_parts))
    }
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// To children, or onward in the document.
    pub axis: Axis,
    /// To nodes with this label.
    pub label: Label,
    /// To which of them; none said is the first.
    pub index: Vec<Span>,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// `.`: to children.
    Child,
    /// `->`: to whatever follows in the document.
    Flow,
}

/// What a node is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// `pcdata`: a text.
    Text,
    /// An element with this name.
    Element(String),
}

/// A number or an interval of numbers, ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The number, or where it begins.
    pub from: Bound,
    /// Where the interval ends; `None` for a single number.
    pub to: Option<Bound>,
}

/// One end of an interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Counted from 0.
    Number(u32),
    /// `*`: the first at the beginning of an interval, the last at its end, all if alone.
    All,
    Variable(String),
}

/// What is taken at the end of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing was said. As a result it is the text.
    Node,
    /// `.txt`.
    Text,
    /// `.src`: the HTML of the node.
    Source,
    /// `.getAttr(NAME)`.
    Attribute(String),
    /// `.numberOf`, of all children or of those with a label.
    Count(Option<Label>),
    /// Several paths on from here.
    Fork(Vec<Path>),
}

/// What is done to a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The part that fits, or its groups.
    Match(Pattern),
    /// The parts between matches.
    Split(Pattern),
}

/// A value compared with a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Where the value is.
    pub path: Path,
    /// How it is compared.
    pub comparison: Comparison,
    /// The constant.
    pub with: Literal,
}

/// How values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`, `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `=~`.
    Fits,
    /// `!~`.
    FitsNot,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `<=`.
    AtMost,
    /// `>=`.
    AtLeast,
}

/// A constant to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A string: letters are compared.
    Text(String),
    /// A number, as it was written: numbers are compared.
    Number(String),
    /// What has to fit.
    Pattern(Pattern),
}

impl PathStep {
    /// Does it lead to one node, not to a list?
    pub fn is_single(&self) -> bool {
        match self.index.as_slice() {
            [] => true,
            [Span { from, to: None }] => *from != Bound::All,
            _ => false,
        }
    }
}

impl Span {
    /// The variables in it, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        [Some(&self.from), self.to.as_ref()].into_iter().flatten().filter_map(|bound| match bound {
            Bound::Variable(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl Path {
    /// Does it begin at the root of the page?
    pub fn is_absolute(&self) -> bool {
        let root = |step: &PathStep| step.label == Label::Element("html".to_owned());
        self.steps.first().is_some_and(root)
    }

    /// Does it end in values? Only those can be compared.
    pub fn ends_in_values(&self) -> bool {
        match &self.end {
            End::Node => false,
            End::Fork(branches) => branches.iter().all(Path::ends_in_values),
            _ => true,
        }
    }
}
