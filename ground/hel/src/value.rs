//! What does a rule give? Nothing, a string, or a list of such.

use std::collections::HashSet;

/// The result of a rule on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// There is no such node, or it has no such attribute.
    Null,
    Text(String),
    /// What an interval, a fork, `split` or several groups of `match` give.
    List(Vec<Value>),
}

impl Value {
    /// The values of an attribute: all strings in order of first sight, without repetitions and blank ones.
    pub fn values(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut left = vec![self];
        while let Some(value) = left.pop() {
            match value {
                Value::Null => {}
                Value::Text(text) => {
                    if !text.trim().is_empty() && seen.insert(text.as_str()) {
                        found.push(text.as_str());
                    }
                }
                Value::List(list) => left.extend(list.iter().rev()),
            }
        }
        found
    }

    /// Is a string of it like this? Nothing is never true, a list is if any of it is.
    pub(crate) fn any(&self, mut test: impl FnMut(&str) -> bool) -> bool {
        let mut left = vec![self];
        while let Some(value) = left.pop() {
            match value {
                Value::Null => {}
                Value::Text(text) if test(text) => return true,
                Value::Text(_) => {}
                Value::List(list) => left.extend(list.iter().rev()),
            }
        }
        false
    }
}
