//! From text to rule: recursive descent, one function per line of the grammar.
//!
//! Cost: linear in the rule. Recursion goes as deep as forks within forks, which are bounded.

use crate::bounds::{RULE_BYTES, RULE_FORKS, RULE_STEPS};
use crate::lex::{Cursor, Fault};
use crate::pattern::Pattern;
use crate::syntax::{Axis, Bound, Comparison, Condition, End, Label, Literal, Operation, Path, PathStep, Rule, Span};
use crate::variables;

impl Rule {
    /// Reads a rule as users write it.
    pub fn parse(text: &str) -> Result<Rule, Fault> {
        let mut parser = Parser::new(text)?;
        let path = parser.path()?;
        let mut conditions = Vec::new();
        if parser.cursor.keyword("where") {
            conditions.push(parser.condition()?);
            while parser.cursor.keyword("and") {
                conditions.push(parser.condition()?);
            }
        }
        if !parser.cursor.is_at_end() {
            let what =
                if conditions.is_empty() { "WHERE or the end of the rule" } else { "AND or the end of the rule" };
            return Err(parser.cursor.expected(what));
        }
        let rule = Rule { path, conditions };
        variables::check(&rule).map_err(|what| Fault::new(text, 0, what))?;
        Ok(rule)
    }
}

/// Reads the steps of a prefix, and the separator at its end.
pub(crate) fn prefix(text: &str) -> Result<(Path, Option<Axis>), Fault> {
    let mut parser = Parser::new(text)?;
    let mut path = Path { led: false, steps: Vec::new(), end: End::Node, operations: Vec::new() };
    let mut axis = parser.separator();
    path.led = axis.is_some();
    while !parser.cursor.is_at_end() {
        if !path.steps.is_empty() && axis.is_none() {
            return Err(parser.cursor.expected("`.`, `->` or the end of the prefix"));
        }
        let step = parser.step(axis.unwrap_or(Axis::Child))?;
        path.steps.push(step);
        axis = parser.separator();
    }
    Ok((path, axis))
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    steps: usize,
    forks: usize,
}

/// The properties, which no element is called.
enum Property {
    Text,
    Source,
    Attribute,
    Count,
}

fn property(name: &str) -> Option<Property> {
    match name {
        "txt" => Some(Property::Text),
        "src" => Some(Property::Source),
        "getattr" => Some(Property::Attribute),
        "numberof" | "getnumberof" => Some(Property::Count),
        _ => None,
    }
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Result<Parser<'t>, Fault> {
        if text.len() > RULE_BYTES {
            return Err(Fault::new(
                text,
                0,
                format!("a rule has at most {RULE_BYTES} bytes, this one has {}", text.len()),
            ));
        }
        Ok(Parser { cursor: Cursor::new(text), steps: 0, forks: 0 })
    }

    fn path(&mut self) -> Result<Path, Fault> {
        let mut path = Path { led: false, steps: Vec::new(), end: End::Node, operations: Vec::new() };
        let mut axis = self.separator();
        path.led = axis.is_some();
        if axis.is_none() && self.cursor.sees("(") {
            path.end = self.fork()?;
        } else {
            loop {
                let along = axis.unwrap_or(Axis::Child);
                if let Some(end) = self.end(along)? {
                    path.end = end;
                    break;
                }
                path.steps.push(self.step(along)?);
                if self.cursor.sees("(") {
                    path.end = self.fork()?;
                    break;
                }
                axis = self.separator();
                if axis.is_none() {
                    break;
                }
            }
        }
        if path.steps.is_empty() {
            // There is nothing for the separator to separate: `.txt` and `txt` are one.
            path.led = false;
        }
        while self.cursor.sign(",") {
            path.operations.push(self.operation()?);
        }
        Ok(path)
    }

    fn separator(&mut self) -> Option<Axis> {
        if self.cursor.sign("->") { Some(Axis::Flow) } else { self.cursor.sign(".").then_some(Axis::Child) }
    }

    /// A step counts, wherever it stands.
    fn count_step(&mut self) -> Result<(), Fault> {
        self.steps += 1;
        if self.steps > RULE_STEPS {
            let at = self.cursor.place();
            return Err(self
                .cursor
                .fault(at, format!("a rule has at most {RULE_STEPS} steps, conditions and forks among them")));
        }
        Ok(())
    }

    fn label(&mut self, expected: &str) -> Result<Label, Fault> {
        if self.cursor.text_label() {
            return Ok(Label::Text);
        }
        let at = self.cursor.place();
        match self.cursor.name() {
            Some(name) if name == "pcdata" || name == "pdata" => Ok(Label::Text),
            Some(name) if name.starts_with(|c: char| c.is_numeric()) => {
                Err(self.cursor.fault(at, format!("expected {expected}, found `{name}`; an index stands in brackets")))
            }
            Some(name) => Ok(Label::Element(name)),
            None => Err(self.cursor.expected(expected)),
        }
    }

    fn step(&mut self, axis: Axis) -> Result<PathStep, Fault> {
        self.count_step()?;
        let at = self.cursor.place();
        let label = self.label("the name of an element, or pcdata")?;
        if let Label::Element(name) = &label
            && property(name).is_some()
        {
            return Err(self.cursor.fault(at, format!("`{name}` is a property: it follows a `.` and ends the path")));
        }
        let mut index = Vec::new();
        if self.cursor.sign("[") {
            index.push(self.span()?);
            while self.cursor.sign(",") {
                index.push(self.span()?);
            }
            if !self.cursor.sign("]") {
                return Err(self.cursor.expected("`,`, `:` or `]`"));
            }
        }
        Ok(PathStep { axis, label, index })
    }

    fn span(&mut self) -> Result<Span, Fault> {
        let from = self.bound()?;
        let to = if self.cursor.sign(":") || self.cursor.sign("-") { Some(self.bound()?) } else { None };
        Ok(Span { from, to })
    }

    fn bound(&mut self) -> Result<Bound, Fault> {
        if self.cursor.sign("*") {
            return Ok(Bound::All);
        }
        let at = self.cursor.place();
        if let Some(digits) = self.cursor.digits() {
            return digits.parse().map(Bound::Number).map_err(|_| self.cursor.fault(at, "this index is too large"));
        }
        match self.cursor.variable() {
            Some(name) => Ok(Bound::Variable(name)),
            None => Err(self.cursor.expected("a number, `*` or a variable")),
        }
    }

    /// A property, if one is next; past nothing if not.
    fn end(&mut self, axis: Axis) -> Result<Option<End>, Fault> {
        let words = ["txt", "src", "getAttr", "numberOf", "getNumberOf"];
        if axis == Axis::Flow || !words.iter().any(|word| self.cursor.sees_word(word)) {
            return Ok(None);
        }
        let at = self.cursor.place();
        let name = self.cursor.name().unwrap_or_default();
        let end = match property(&name) {
            Some(Property::Text) => End::Text,
            Some(Property::Source) => End::Source,
            Some(Property::Attribute) => {
                self.open("getAttr(NAME)")?;
                let quoted = self.cursor.string()?.map(|name| name.to_ascii_lowercase());
                let name = match quoted.or_else(|| self.cursor.name()) {
                    Some(name) => name,
                    None => return Err(self.cursor.expected("the name of an attribute")),
                };
                self.close()?;
                End::Attribute(name)
            }
            Some(Property::Count) => {
                let label = if self.cursor.sign("(") {
                    let label = self.label("the name of an element, or pcdata")?;
                    self.close()?;
                    Some(label)
                } else {
                    None
                };
                End::Count(label)
            }
            None => return Err(self.cursor.fault(at, format!("`{name}` is no property"))),
        };
        if self.cursor.sees(".") || self.cursor.sees("->") || self.cursor.sees("[") || self.cursor.sees("(") {
            let at = self.cursor.place();
            return Err(self
                .cursor
                .fault(at, format!("`.{name}` ends a path, nothing can follow it but `, match` or `, split`")));
        }
        Ok(Some(end))
    }

    fn open(&mut self, example: &str) -> Result<(), Fault> {
        if self.cursor.sign("(") { Ok(()) } else { Err(self.cursor.expected(&format!("`(` as in {example}"))) }
    }

    fn close(&mut self) -> Result<(), Fault> {
        if self.cursor.sign(")") { Ok(()) } else { Err(self.cursor.expected("`)`")) }
    }

    fn fork(&mut self) -> Result<End, Fault> {
        self.count_step()?;
        let at = self.cursor.place();
        if self.forks == RULE_FORKS {
            return Err(self.cursor.fault(at, format!("forks stand at most {RULE_FORKS} deep in each other")));
        }
        self.forks += 1;
        self.open("(#.td[0].txt #.td[1].txt)")?;
        self.cursor.sign("#");
        let mut branches = vec![self.path()?];
        while self.cursor.sign("#") {
            branches.push(self.path()?);
        }
        if !self.cursor.sign(")") {
            return Err(self.cursor.expected("`#` or `)`"));
        }
        self.forks -= 1;
        Ok(End::Fork(branches))
    }

    fn operation(&mut self) -> Result<Operation, Fault> {
        let make = if self.cursor.keyword("match") {
            Operation::Match
        } else if self.cursor.keyword("split") {
            Operation::Split
        } else {
            return Err(self.cursor.expected("match or split"));
        };
        match self.pattern()? {
            Some(pattern) => Ok(make(pattern)),
            None => Err(self.cursor.expected("a regular expression between slashes")),
        }
    }

    fn pattern(&mut self) -> Result<Option<Pattern>, Fault> {
        let at = self.cursor.place();
        let Some((source, flags)) = self.cursor.expression()? else { return Ok(None) };
        Pattern::new(source, flags)
            .map(Some)
            .map_err(|what| self.cursor.fault(at, format!("this regular expression cannot be used: {what}")))
    }

    fn condition(&mut self) -> Result<Condition, Fault> {
        let at = self.cursor.place();
        let path = self.path()?;
        if !path.ends_in_values() {
            let what =
                "a condition compares values, not nodes: end its path with .txt, .src, .getAttr(NAME) or .numberOf";
            return Err(self.cursor.fault(at, what));
        }
        let comparison = self.comparison()?;
        let with = self.literal(comparison)?;
        Ok(Condition { path, comparison, with })
    }

    fn comparison(&mut self) -> Result<Comparison, Fault> {
        // Longer signs first.
        let signs = [
            ("==", Comparison::Equal),
            ("=~", Comparison::Fits),
            ("!=", Comparison::Unequal),
            ("!~", Comparison::FitsNot),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("=", Comparison::Equal),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        match signs.into_iter().find(|(sign, _)| self.cursor.sign(sign)) {
            Some((_, comparison)) => Ok(comparison),
            None => Err(self.cursor.expected("one of = == != =~ !~ < > <= >=")),
        }
    }

    fn literal(&mut self, comparison: Comparison) -> Result<Literal, Fault> {
        let at = self.cursor.place();
        if matches!(comparison, Comparison::Fits | Comparison::FitsNot) {
            if let Some(pattern) = self.pattern()? {
                return Ok(Literal::Pattern(pattern));
            }
            let source = match self.cursor.string()? {
                Some(source) => source,
                None => match self.cursor.number() {
                    Some(number) => number.to_owned(),
                    None => return Err(self.cursor.expected("a regular expression, between slashes or in quotes")),
                },
            };
            let pattern = Pattern::new(&source, "");
            return pattern
                .map(Literal::Pattern)
                .map_err(|what| self.cursor.fault(at, format!("this regular expression cannot be used: {what}")));
        }
        if let Some(text) = self.cursor.string()? {
            return Ok(Literal::Text(text));
        }
        match self.cursor.number() {
            Some(number) => Ok(Literal::Number(number.to_owned())),
            None => Err(self.cursor.expected("a string in quotes or a number")),
        }
    }
}
