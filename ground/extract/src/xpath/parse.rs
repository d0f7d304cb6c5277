//! From the words of an expression to its tree, by the grammar of XPath 1.0. `//name` becomes one step down, where its predicates do not count.

use super::functions::Function;
use super::lex::{Word, words};
use super::syntax::{Axis, Comparison, Expr, NodeTest, Operation, Path, Start, Step};
use crate::error::SelectorError;

/// Expressions nest at most so deep in brackets and predicates.
const NESTING: usize = 24;
/// And have at most so many operators and steps.
const PIECES: usize = 256;

/// The expression of a whole text.
pub(super) fn expression(text: &str) -> Result<Expr, SelectorError> {
    let mut parser = XPathParser { text, words: words(text)?, at: 0, depth: 0, pieces: 0 };
    let expr = parser.expr()?;
    if parser.at < parser.words.len() { Err(parser.expected("an operator or the end")) } else { Ok(expr) }
}

struct XPathParser<'t> {
    text: &'t str,
    words: Vec<(usize, Word)>,
    at: usize,
    depth: usize,
    pieces: usize,
}

/// Operators of two sides, the weakest first, as rows of equal strength.
const STRENGTHS: [&[(&str, Joint)]; 4] = [
    &[("=", Joint::Compare(Comparison::Equal)), ("!=", Joint::Compare(Comparison::Unequal))],
    &[
        ("<", Joint::Compare(Comparison::Less)),
        ("<=", Joint::Compare(Comparison::LessOrEqual)),
        (">", Joint::Compare(Comparison::Greater)),
        (">=", Joint::Compare(Comparison::GreaterOrEqual)),
    ],
    &[("+", Joint::Compute(Operation::Add)), ("-", Joint::Compute(Operation::Subtract))],
    &[
        ("*", Joint::Compute(Operation::Multiply)),
        ("div", Joint::Compute(Operation::Divide)),
        ("mod", Joint::Compute(Operation::Remainder)),
    ],
];

#[derive(Clone, Copy)]
enum Joint {
    Compare(Comparison),
    Compute(Operation),
}

impl XPathParser<'_> {
    fn fault(&self, what: &str) -> SelectorError {
        SelectorError::new(self.text, self.words.get(self.at).map_or(self.text.len(), |(at, _)| *at), what)
    }

    fn expected(&self, what: &str) -> SelectorError {
        self.fault(&format!("expected {what}"))
    }

    fn peek(&self) -> Option<&Word> {
        self.words.get(self.at).map(|(_, word)| word)
    }

    fn sees(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Word::Sign(seen)) if *seen == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_here = self.sees(sign);
        self.at += usize::from(is_here);
        is_here
    }

    fn must(&mut self, sign: &str) -> Result<(), SelectorError> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn operator(&mut self, name: &str) -> bool {
        let is_here = matches!(self.peek(), Some(Word::Operator(seen) | Word::Sign(seen)) if *seen == name);
        self.at += usize::from(is_here);
        is_here
    }

    fn count(&mut self) -> Result<(), SelectorError> {
        self.pieces += 1;
        if self.pieces > PIECES {
            return Err(self.fault(&format!("an expression has at most {PIECES} operators and steps")));
        }
        Ok(())
    }

    fn expr(&mut self) -> Result<Expr, SelectorError> {
        self.depth += 1;
        if self.depth > NESTING {
            return Err(self.fault(&format!("expressions nest at most {NESTING} deep")));
        }
        let expr = self.several("or", Expr::Or, |parser| parser.several("and", Expr::And, |parser| parser.joined(0)));
        self.depth -= 1;
        expr
    }

    /// One expression, or several with an operator between them.
    fn several(
        &mut self,
        operator: &str,
        join: fn(Vec<Expr>) -> Expr,
        one: impl Fn(&mut Self) -> Result<Expr, SelectorError>,
    ) -> Result<Expr, SelectorError> {
        let first = one(self)?;
        let mut all = vec![first];
        while self.operator(operator) {
            self.count()?;
            all.push(one(self)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { join(all) })
    }

    fn joined(&mut self, strength: usize) -> Result<Expr, SelectorError> {
        let Some(joints) = STRENGTHS.get(strength) else { return self.unary() };
        let mut left = self.joined(strength + 1)?;
        while let Some((_, joint)) = joints.iter().find(|(name, _)| self.operator(name)) {
            self.count()?;
            let right = Box::new(self.joined(strength + 1)?);
            left = match joint {
                Joint::Compare(comparison) => Expr::Compare(*comparison, Box::new(left), right),
                Joint::Compute(operation) => Expr::Compute(*operation, Box::new(left), right),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, SelectorError> {
        let mut negative = false;
        let mut negated = false;
        while self.operator("-") {
            self.count()?;
            (negative, negated) = (!negative, true);
        }
        let expr = self.several("|", Expr::Union, Self::path)?;
        Ok(match (negated, negative) {
            (false, _) => expr,
            (true, true) => Expr::Negate(Box::new(expr)),
            // Twice is a number, too.
            (true, false) => Expr::Call(Function::Number, vec![expr]),
        })
    }

    fn path(&mut self) -> Result<Expr, SelectorError> {
        let primary = self.primary()?;
        let (from, mut steps) = match primary {
            Some(primary) => {
                let predicates = self.predicates()?;
                if predicates.is_empty() && !self.sees("/") && !self.sees("//") {
                    return Ok(primary);
                }
                (Start::Nodes(Box::new(primary), predicates), Vec::new())
            }
            None if self.take("/") => {
                let steps = if self.begins_step() { vec![self.step()?] } else { Vec::new() };
                (Start::Root, steps)
            }
            None if self.sees("//") => (Start::Root, Vec::new()),
            None => (Start::Here, vec![self.step()?]),
        };
        loop {
            self.count()?;
            if self.take("//") {
                let step = self.step()?;
                push_below(&mut steps, step);
            } else if self.take("/") {
                steps.push(self.step()?);
            } else {
                return Ok(Expr::Path(Path { from, steps }));
            }
        }
    }

    /// What a path may start from: a text, a number, a call, brackets. Names before `(` that test nodes are steps.
    fn primary(&mut self) -> Result<Option<Expr>, SelectorError> {
        let expr = match self.peek().cloned() {
            Some(Word::Text(text)) => {
                self.at += 1;
                Expr::Text(text)
            }
            Some(Word::Number(number)) => {
                self.at += 1;
                Expr::Number(number)
            }
            Some(Word::Sign("(")) => {
                self.at += 1;
                let inner = self.expr()?;
                self.must(")")?;
                inner
            }
            Some(Word::Name(name)) if self.is_before("(") && node_type(&name).is_none() => {
                let (function, least, most) =
                    Function::named(&name).ok_or_else(|| self.fault("there is no such function"))?;
                self.at += 2;
                self.count()?;
                let mut arguments = Vec::new();
                while !self.sees(")") {
                    if !arguments.is_empty() {
                        self.must(",")?;
                    }
                    arguments.push(self.expr()?);
                }
                if !(least..=most).contains(&arguments.len()) {
                    return Err(self.fault(&format!("`{name}` takes {}", how_many(least, most))));
                }
                self.at += 1;
                Expr::Call(function, arguments)
            }
            _ => return Ok(None),
        };
        Ok(Some(expr))
    }

    fn is_before(&self, sign: &str) -> bool {
        matches!(self.words.get(self.at + 1), Some((_, Word::Sign(seen))) if *seen == sign)
    }

    fn begins_step(&self) -> bool {
        matches!(self.peek(), Some(Word::Name(_) | Word::Sign("." | ".." | "@" | "*")))
    }

    fn step(&mut self) -> Result<Step, SelectorError> {
        let whole = |axis| Step { axis, test: NodeTest::AnyNode, predicates: Vec::new() };
        if self.take("..") {
            return Ok(whole(Axis::Parent));
        }
        if self.take(".") {
            return Ok(whole(Axis::Itself));
        }
        let mut axis = Axis::Child;
        if self.take("@") {
            axis = Axis::Attribute;
        } else if self.is_before("::")
            && let Some(Word::Name(name)) = self.peek()
        {
            axis = axis_named(name).ok_or_else(|| self.fault("there is no such axis"))?;
            self.at += 2;
        }
        let test = match self.peek().cloned() {
            Some(Word::Sign("*")) => NodeTest::AnyName,
            Some(Word::Name(name)) if self.is_before("(") => {
                let test = node_type(&name).ok_or_else(|| self.expected("the test of a node, such as text()"))?;
                self.at += 1;
                // The target of a processing instruction may be named.
                if matches!(self.words.get(self.at + 1), Some((_, Word::Text(_)))) {
                    self.at += 1;
                }
                self.at += 1;
                if !self.sees(")") {
                    return Err(self.expected("`)`"));
                }
                test
            }
            Some(Word::Name(name)) => NodeTest::Name(name.to_lowercase()),
            _ => return Err(self.expected("a step, such as `div`, `@href` or `text()`")),
        };
        self.at += 1;
        Ok(Step { axis, test, predicates: self.predicates()? })
    }

    fn predicates(&mut self) -> Result<Vec<Expr>, SelectorError> {
        let mut predicates = Vec::new();
        while self.take("[") {
            predicates.push(self.expr()?);
            self.must("]")?;
        }
        Ok(predicates)
    }
}

/// Adds `//step`: a step to all below, where places among children do not matter, else the two steps it stands for.
fn push_below(steps: &mut Vec<Step>, step: Step) {
    if step.axis == Axis::Child && !step.predicates.iter().any(may_count) {
        steps.push(Step { axis: Axis::Descendant, ..step });
    } else {
        steps.push(Step { axis: Axis::DescendantOrSelf, test: NodeTest::AnyNode, predicates: Vec::new() });
        steps.push(step);
    }
}

/// May it, as a predicate, ask for a place? It does if it is a number, or asks for its place or the last one.
fn may_count(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_) | Expr::Compute(..) | Expr::Negate(_) => true,
        Expr::Call(function, _) if function.is_number() => true,
        other => asks_for_place(other),
    }
}

fn asks_for_place(expr: &Expr) -> bool {
    match expr {
        Expr::Or(all) | Expr::And(all) | Expr::Union(all) => all.iter().any(asks_for_place),
        Expr::Compare(_, left, right) | Expr::Compute(_, left, right) => asks_for_place(left) || asks_for_place(right),
        Expr::Negate(inner) => asks_for_place(inner),
        Expr::Call(function, arguments) => {
            matches!(function, Function::Position | Function::Last) || arguments.iter().any(asks_for_place)
        }
        // Predicates within have a context of their own.
        Expr::Path(Path { from: Start::Nodes(inner, _), .. }) => asks_for_place(inner),
        Expr::Path(_) | Expr::Text(_) | Expr::Number(_) => false,
    }
}

fn how_many(least: usize, most: usize) -> String {
    match (least, most) {
        (0, 0) => "no arguments".to_owned(),
        (least, usize::MAX) => format!("at least {least} arguments"),
        (least, most) if least == most => format!("{least} argument(s)"),
        (least, most) => format!("{least} to {most} arguments"),
    }
}

fn node_type(name: &str) -> Option<NodeTest> {
    match name {
        "node" => Some(NodeTest::AnyNode),
        "text" => Some(NodeTest::Text),
        "comment" | "processing-instruction" => Some(NodeTest::Nothing),
        _ => None,
    }
}

fn axis_named(name: &str) -> Option<Axis> {
    Some(match name {
        "child" => Axis::Child,
        "parent" => Axis::Parent,
        "self" => Axis::Itself,
        "descendant" => Axis::Descendant,
        "descendant-or-self" => Axis::DescendantOrSelf,
        "ancestor" => Axis::Ancestor,
        "ancestor-or-self" => Axis::AncestorOrSelf,
        "following" => Axis::Following,
        "preceding" => Axis::Preceding,
        "following-sibling" => Axis::FollowingSibling,
        "preceding-sibling" => Axis::PrecedingSibling,
        "attribute" => Axis::Attribute,
        _ => return None,
    })
}
