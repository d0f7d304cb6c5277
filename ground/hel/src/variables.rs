//! Where is each variable bound? What a rule must have so that every condition has its moment.
//!
//! A variable is bound where it first stands on the way from the beginning of the path to an end of it; each branch of a
//! fork is a way of its own. A condition is tested where the last of its variables is bound. So a rule is refused if a
//! condition has a variable that no way binds, or several that no single way binds together, if an interval has two free ends (it
//! would not be said which of them is sought), and if a variable stands in no condition: what it stands for is said there alone
//! (the paper: each variable has its condition). All of them are written `*`.
//!
//! Cost: ways times conditions, both bounded by the steps of a rule.

use std::collections::BTreeSet;

use crate::syntax::{End, Path, Rule};

/// The variables of a condition's path, forks among it.
pub(crate) fn path_variables(path: &Path) -> BTreeSet<&str> {
    let mut found: BTreeSet<&str> =
        path.steps.iter().flat_map(|step| &step.index).flat_map(|span| span.variables()).collect();
    if let End::Fork(branches) = &path.end {
        found.extend(branches.iter().flat_map(path_variables));
    }
    found
}

/// Can the rule be evaluated? If not, a sentence that says why.
pub(crate) fn check(rule: &Rule) -> Result<(), String> {
    let mut ways = Vec::new();
    walk(&rule.path, BTreeSet::new(), &mut ways)?;
    for condition in &rule.conditions {
        let wanted = path_variables(&condition.path);
        if ways.iter().any(|way| wanted.is_subset(way)) {
            continue;
        }
        let nowhere = wanted.iter().find(|name| !ways.iter().any(|way| way.contains(**name)));
        return Err(match nowhere {
            Some(name) => format!("the variable `{name}` of a condition does not stand in the path of the rule"),
            None => format!("the variables of the condition `{condition}` stand in different branches of the rule"),
        });
    }
    let told: BTreeSet<&str> = rule.conditions.iter().flat_map(|condition| path_variables(&condition.path)).collect();
    match ways.iter().flatten().find(|name| !told.contains(**name)) {
        Some(name) => {
            Err(format!("the variable `{name}` has no condition; write WHERE and what it is, or `*` for all"))
        }
        None => Ok(()),
    }
}

/// Collects the variables of every way through a path.
fn walk<'r>(path: &'r Path, mut bound: BTreeSet<&'r str>, ways: &mut Vec<BTreeSet<&'r str>>) -> Result<(), String> {
    for span in path.steps.iter().flat_map(|step| &step.index) {
        let free: BTreeSet<&str> = span.variables().filter(|name| !bound.contains(name)).collect();
        if free.len() > 1 {
            return Err(format!("in `[{span}]` one end must be known: both variables are free"));
        }
        bound.extend(free);
    }
    if let End::Fork(branches) = &path.end {
        return branches.iter().try_for_each(|branch| walk(branch, bound.clone(), ways));
    }
    ways.push(bound);
    Ok(())
}
