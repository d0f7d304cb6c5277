//! Rules on pages: the grammar, the paper's example, the properties, and what hostile pages and rules cost.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod cityworld;
mod grammar;
mod hostile;
mod plain;
mod properties;
mod trees;

use groma_hel::{Bounds, Rule, Tree, Value};

fn tree(page: &str) -> Tree {
    Tree::parse(page, &Bounds::default())
}

/// What a rule gives on a page.
fn on(page: &str, rule: &str) -> Value {
    Rule::parse(rule)
        .unwrap_or_else(|fault| panic!("{rule}: {fault}"))
        .extract(&tree(page), &Bounds::default())
        .unwrap()
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn list<const N: usize>(texts: [&str; N]) -> Value {
    Value::List(texts.into_iter().map(text).collect())
}
