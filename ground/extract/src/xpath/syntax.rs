//! What an expression says, once it is read.

use super::functions::Function;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
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
pub(super) struct Path {
    pub(super) from: Start,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Start {
    Root,
    Here,
    Nodes(Box<Expr>, Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) axis: Axis,
    pub(super) test: NodeTest,
    pub(super) predicates: Vec<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
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
pub(super) enum NodeTest {
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
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
