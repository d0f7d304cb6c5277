//! What does a rule mean after a common prefix? (`DB.Result` before `DB.Result.<Attr>`.)
//!
//! The prefix is put before the path of the rule and before the paths of its conditions; paths that begin at `html` are
//! absolute and stay. The separator between is the rule's own if it was written, else the one at the end of the prefix,
//! else `.`.

use std::fmt;

use crate::bounds::{RULE_BYTES, RULE_STEPS};
use crate::lex::Fault;
use crate::parse;
use crate::syntax::{Axis, End, Path, Rule};
use crate::variables;

/// What rules have in common: steps, and the separator at their end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    path: Path,
    trailing: Option<Axis>,
}

impl Prefix {
    /// Reads a prefix: steps only, without property, fork or condition. An empty one is none.
    pub fn parse(text: &str) -> Result<Prefix, Fault> {
        parse::prefix(text).map(|(path, trailing)| Prefix { path, trailing })
    }

    fn before(&self, path: &Path) -> Path {
        let mut joined = path.clone();
        if path.is_absolute() || self.path.steps.is_empty() {
            return joined;
        }
        if let Some(first) = joined.steps.first_mut()
            && !path.led
        {
            first.axis = self.trailing.unwrap_or(Axis::Child);
        }
        joined.led = self.path.led;
        joined.steps.splice(0..0, self.path.steps.iter().cloned());
        joined
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path)?;
        self.trailing.map_or(Ok(()), |axis| write!(f, "{axis}"))
    }
}

/// A rule after a prefix. The bounds of a rule hold for the whole of it.
pub fn join(prefix: &Prefix, rule: &Rule) -> Result<Rule, Fault> {
    let mut joined = Rule { path: prefix.before(&rule.path), conditions: rule.conditions.clone() };
    for condition in &mut joined.conditions {
        condition.path = prefix.before(&condition.path);
    }
    let text = joined.to_string();
    let steps = steps(&joined.path) + joined.conditions.iter().map(|condition| steps(&condition.path)).sum::<usize>();
    let fault = |what: String| Fault::new(&text, 0, what);
    if steps > RULE_STEPS {
        return Err(fault(format!("with its prefix the rule has {steps} steps; {RULE_STEPS} are allowed")));
    }
    if text.len() > RULE_BYTES {
        return Err(fault(format!("with its prefix the rule has {} bytes; {RULE_BYTES} are allowed", text.len())));
    }
    variables::check(&joined).map_err(fault)?;
    Ok(joined)
}

fn steps(path: &Path) -> usize {
    let further = match &path.end {
        End::Fork(branches) => 1 + branches.iter().map(steps).sum::<usize>(),
        _ => 0,
    };
    path.steps.len() + further
}
