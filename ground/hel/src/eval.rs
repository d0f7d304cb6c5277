//! From rule and tree to value.
//!
//! ```text
//! child(x, L)   = children of x labeled L; table.tr sees through thead, tbody and tfoot
//! flow(x, L)    = all nodes labeled L after x in document order, to the end of the document
//! [n]           = the n-th of them, or null         [a:b], [*], [a,b] = a list of those that are there
//! [v], v free   = the smallest index that satisfies the conditions, or null
//! [v:*], v free = the list of all indices that satisfy them
//! ```
//!
//! Step by step and depth first; a variable is bound while the rest of the path is evaluated. A condition is tested when
//! its last variable is bound; if nothing is found further on, indices before it are not tried again. Paths begin at
//! the document, conditions too.
//!
//! Cost: every node looked at, index tried and byte read is counted; beyond [`Bounds::work`] or [`Bounds::result_bytes`] the
//! evaluation stops with [`Exceeded`]. Lists of children are found once per node and label, so a condition on each of n rows
//! costs n, not n². Recursion goes as deep as a rule has steps.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use crate::bounds::Bounds;
use crate::condition;
use crate::pattern::Pattern;
use crate::source::html_of;
use crate::syntax::{Axis, Bound, Condition, End, Label, Operation, Path, PathStep, Rule, Span};
use crate::text::text_of;
use crate::tree::{DOCUMENT, LabelId, Node, Tree};
use crate::value::Value;
use crate::variables;

/// A rule asked for more than a page may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// [`Bounds::work`].
    Work(u64),
    /// [`Bounds::result_bytes`].
    Bytes(usize),
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exceeded::Work(most) => write!(
                f,
                "the rule takes more than {most} steps on this page; name fewer nodes, with indices instead of `*`"
            ),
            Exceeded::Bytes(most) => {
                write!(f, "the rule gives more than {most} bytes on this page; name smaller pieces of it")
            }
        }
    }
}

impl std::error::Error for Exceeded {}

impl Rule {
    /// What the rule gives on a page.
    pub fn extract(&self, tree: &Tree, bounds: &Bounds) -> Result<Value, Exceeded> {
        let mut run = Run::new(self, tree, bounds);
        // Those without variables are true or false of the page.
        if !run.satisfied(None)? {
            return Ok(Value::Null);
        }
        run.along(&self.path, 0, DOCUMENT)
    }

    /// The nodes that the first list of the rule is made of, so that the i-th of what [`Rule::extract`] gives stands in
    /// the i-th of them. None if the rule gives no list.
    pub fn rows(&self, tree: &Tree, bounds: &Bounds) -> Result<Vec<Node>, Exceeded> {
        let Some(at) = self.path.steps.iter().position(|step| !step.is_single()) else { return Ok(Vec::new()) };
        let mut rule = self.clone();
        rule.path.steps.truncate(at + 1);
        (rule.path.end, rule.path.operations) = (End::Node, Vec::new());
        let mut run = Run::new(&rule, tree, bounds);
        run.picking = Some(&rule.path);
        if run.satisfied(None)? {
            run.along(&rule.path, 0, DOCUMENT)?;
        }
        Ok(run.picked)
    }
}

struct Test<'r> {
    condition: &'r Condition,
    variables: Vec<&'r str>,
}

struct Run<'r> {
    tree: &'r Tree,
    bounds: &'r Bounds,
    work: u64,
    bytes: usize,
    tests: Vec<Test<'r>>,
    /// Variables and their values, the innermost last.
    bound: Vec<(&'r str, usize)>,
    children: HashMap<(Node, LabelId), Rc<[Node]>>,
    /// The path whose last nodes are wanted instead of their texts, and those nodes.
    picking: Option<&'r Path>,
    picked: Vec<Node>,
}

/// Nodes to choose from: a part of the tree's own list, or a list that was made.
enum Choice<'r> {
    Of(&'r [Node]),
    Made(Rc<[Node]>),
}

impl Choice<'_> {
    fn nodes(&self) -> &[Node] {
        match self {
            Choice::Of(nodes) => nodes,
            Choice::Made(nodes) => nodes,
        }
    }
}

/// One span with what its variables are worth here.
enum Reach<'r> {
    /// These indices, ends included.
    Known(usize, usize),
    /// Those within, for which a free variable satisfies the conditions.
    Sought(&'r str, usize, usize),
}

impl<'r> Run<'r> {
    fn new(rule: &'r Rule, tree: &'r Tree, bounds: &'r Bounds) -> Run<'r> {
        let tests = rule.conditions.iter().map(|condition| Test {
            condition,
            variables: variables::path_variables(&condition.path).into_iter().collect(),
        });
        Run {
            tree,
            bounds,
            work: 0,
            bytes: 0,
            tests: tests.collect(),
            bound: Vec::new(),
            children: HashMap::new(),
            picking: None,
            picked: Vec::new(),
        }
    }

    fn charge(&mut self, work: u64) -> Result<(), Exceeded> {
        self.work = self.work.saturating_add(work);
        if self.work > self.bounds.work { Err(Exceeded::Work(self.bounds.work)) } else { Ok(()) }
    }

    fn string(&mut self, text: &str) -> Result<Value, Exceeded> {
        self.charge(text.len() as u64 / 16)?;
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > self.bounds.result_bytes {
            return Err(Exceeded::Bytes(self.bounds.result_bytes));
        }
        Ok(Value::Text(text.to_owned()))
    }

    /// A path from its step `nth` on.
    fn along(&mut self, path: &'r Path, nth: usize, node: Node) -> Result<Value, Exceeded> {
        self.charge(1)?;
        let Some(step) = path.steps.get(nth) else {
            if self.picking.is_some_and(|picking| std::ptr::eq(picking, path)) {
                self.picked.push(node);
                return Ok(Value::Null);
            }
            let value = self.end(&path.end, node)?;
            return path.operations.iter().try_fold(value, |value, operation| self.operate(value, operation));
        };
        let choice = self.choice(step, node)?;
        let nodes = choice.nodes();
        if step.is_single() {
            let reach = step.index.first().map_or(Reach::Known(0, 0), |span| self.reach(span));
            return match reach {
                Reach::Known(index, _) => match nodes.get(index) {
                    Some(next) => self.along(path, nth + 1, *next),
                    None => Ok(Value::Null),
                },
                Reach::Sought(name, ..) => {
                    for (index, next) in nodes.iter().enumerate() {
                        if let Some(value) = self.bind(name, index, path, nth, *next)? {
                            return Ok(value);
                        }
                    }
                    Ok(Value::Null)
                }
            };
        }
        let mut list = Vec::new();
        for span in &step.index {
            let alone = span.to.is_none() && span.from != Bound::All;
            match self.reach(span) {
                Reach::Known(from, to) => {
                    for next in nodes.iter().take(to.saturating_add(1)).skip(from) {
                        self.charge(4)?;
                        list.push(self.along(path, nth + 1, *next)?);
                    }
                }
                Reach::Sought(name, from, to) => {
                    for (index, next) in nodes.iter().enumerate().take(to.saturating_add(1)).skip(from) {
                        self.charge(4)?;
                        if let Some(value) = self.bind(name, index, path, nth, *next)? {
                            list.push(value);
                            if alone {
                                break;
                            }
                        }
                    }
                }
            }
        }
        Ok(Value::List(list))
    }

    /// The value of the rest of the path with a variable bound, if the conditions are satisfied.
    fn bind(
        &mut self,
        name: &'r str,
        index: usize,
        path: &'r Path,
        nth: usize,
        next: Node,
    ) -> Result<Option<Value>, Exceeded> {
        self.charge(1)?;
        self.bound.push((name, index));
        let value = if self.satisfied(Some(name))? { Some(self.along(path, nth + 1, next)?) } else { None };
        self.bound.pop();
        Ok(value)
    }

    fn worth(&self, name: &str) -> Option<usize> {
        self.bound.iter().rev().find(|(its, _)| *its == name).map(|(_, index)| *index)
    }

    fn reach(&self, span: &'r Span) -> Reach<'r> {
        let end = |bound: &'r Bound, star: usize| match bound {
            Bound::Number(number) => Ok(*number as usize),
            Bound::All => Ok(star),
            Bound::Variable(name) => self.worth(name).ok_or(name.as_str()),
        };
        let from = end(&span.from, 0);
        let to = match &span.to {
            Some(bound) => end(bound, usize::MAX),
            None if span.from == Bound::All => Ok(usize::MAX),
            // A single free variable may be anything.
            None => from.or(Ok(usize::MAX)),
        };
        match (from, to) {
            (Ok(from), Ok(to)) => Reach::Known(from, to),
            (Err(name), to) => Reach::Sought(name, 0, to.unwrap_or(usize::MAX)),
            (Ok(from), Err(name)) => Reach::Sought(name, from, usize::MAX),
        }
    }

    /// Are all conditions satisfied that can be tested since this variable is bound?
    fn satisfied(&mut self, since: Option<&str>) -> Result<bool, Exceeded> {
        for nth in 0..self.tests.len() {
            let test = &self.tests[nth];
            let due = match since {
                None => test.variables.is_empty(),
                Some(name) => {
                    test.variables.contains(&name) && test.variables.iter().all(|name| self.worth(name).is_some())
                }
            };
            if !due {
                continue;
            }
            let condition = test.condition;
            // What is only compared is not part of the result.
            let bytes = self.bytes;
            let value = self.along(&condition.path, 0, DOCUMENT)?;
            let read = (self.bytes - bytes) as u64;
            self.bytes = bytes;
            if let crate::syntax::Literal::Pattern(pattern) = &condition.with {
                self.charge(pattern.cost(read as usize))?;
            }
            if !condition::holds(&value, condition.comparison, &condition.with) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn label(&self, label: &Label) -> Option<LabelId> {
        match label {
            Label::Text => Some(self.tree.label_of_text()),
            Label::Element(name) => self.tree.label_of(name),
        }
    }

    fn choice(&mut self, step: &PathStep, node: Node) -> Result<Choice<'r>, Exceeded> {
        let Some(label) = self.label(&step.label) else { return Ok(Choice::Of(&[])) };
        match step.axis {
            Axis::Flow => Ok(Choice::Of(self.tree.flow(node, label))),
            Axis::Child => Ok(Choice::Made(self.children(node, label)?)),
        }
    }

    fn children(&mut self, node: Node, label: LabelId) -> Result<Rc<[Node]>, Exceeded> {
        if let Some(known) = self.children.get(&(node, label)) {
            return Ok(Rc::clone(known));
        }
        let tree = self.tree;
        let rows = tree.name(node) == "table" && Some(label) == tree.label_of("tr");
        let mut found = Vec::new();
        for child in tree.children(node) {
            self.charge(1)?;
            if tree.label(child) == label {
                found.push(child);
            } else if rows && matches!(tree.name(child), "thead" | "tbody" | "tfoot") {
                for row in tree.children(child) {
                    self.charge(1)?;
                    if tree.label(row) == label {
                        found.push(row);
                    }
                }
            }
        }
        let found: Rc<[Node]> = found.into();
        self.children.insert((node, label), Rc::clone(&found));
        Ok(found)
    }

    fn end(&mut self, end: &'r End, node: Node) -> Result<Value, Exceeded> {
        let tree = self.tree;
        match end {
            End::Node | End::Text => {
                self.charge(u64::from(tree.end(node).saturating_sub(node)))?;
                match text_of(tree, node, self.bounds.result_bytes) {
                    Some(text) => self.string(&text),
                    None => Err(Exceeded::Bytes(self.bounds.result_bytes)),
                }
            }
            End::Source => {
                self.charge(u64::from(tree.end(node).saturating_sub(node)))?;
                match html_of(tree, node, self.bounds.result_bytes) {
                    Some(html) => self.string(&html),
                    None => Err(Exceeded::Bytes(self.bounds.result_bytes)),
                }
            }
            End::Attribute(name) => self.attribute(node, name),
            End::Count(label) => {
                let count = match label {
                    None => {
                        let count = tree.children(node).count();
                        self.charge(count as u64)?;
                        count
                    }
                    Some(label) => match self.label(label) {
                        Some(label) => self.children(node, label)?.len(),
                        None => 0,
                    },
                };
                self.string(&count.to_string())
            }
            End::Fork(branches) => {
                let mut list = Vec::with_capacity(branches.len());
                for branch in branches {
                    self.charge(4)?;
                    list.push(self.along(branch, 0, node)?);
                }
                Ok(Value::List(list))
            }
        }
    }

    fn attribute(&mut self, node: Node, name: &str) -> Result<Value, Exceeded> {
        match self.tree.attribute(node, name) {
            Some(value) => self.string(value),
            None => Ok(Value::Null),
        }
    }

    /// An operation on every string of a value; the value is as deep as the rule.
    fn operate(&mut self, value: Value, operation: &Operation) -> Result<Value, Exceeded> {
        match (value, operation) {
            (Value::Null, _) => Ok(Value::Null),
            (Value::List(list), _) => {
                let list = list.into_iter().map(|value| self.operate(value, operation));
                Ok(Value::List(list.collect::<Result<_, _>>()?))
            }
            (Value::Text(text), Operation::Match(pattern)) => self.matched(&text, pattern),
            (Value::Text(text), Operation::Split(pattern)) => {
                self.charge(pattern.cost(text.len()))?;
                let mut list = Vec::new();
                for part in pattern.regex().split(&text) {
                    self.charge(4)?;
                    list.push(self.string(part)?);
                }
                Ok(Value::List(list))
            }
        }
    }

    /// The first match or all: the whole of it, or its group, or the list of its groups.
    fn matched(&mut self, text: &str, pattern: &Pattern) -> Result<Value, Exceeded> {
        self.charge(pattern.cost(text.len()))?;
        let mut all = Vec::new();
        for captures in pattern.regex().captures_iter(text) {
            self.charge(4 + captures.len() as u64)?;
            let mut groups = Vec::new();
            let first = usize::from(captures.len() > 1);
            for group in captures.iter().skip(first) {
                groups.push(group.map_or(Ok(Value::Null), |group| self.string(group.as_str()))?);
            }
            let value = if groups.len() == 1 { groups.pop().unwrap_or(Value::Null) } else { Value::List(groups) };
            if !pattern.is_global() {
                return Ok(value);
            }
            all.push(value);
        }
        Ok(if pattern.is_global() { Value::List(all) } else { Value::Null })
    }
}
