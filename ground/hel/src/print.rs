//! From rule to text: one way of writing each rule, so that what is printed reads as the same rule again.

use std::fmt::{self, Display, Formatter};

use crate::syntax::{Axis, Bound, Comparison, Condition, End, Label, Literal, Operation, Path, PathStep, Rule, Span};

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path)?;
        for (nth, condition) in self.conditions.iter().enumerate() {
            write!(f, " {} {condition}", if nth == 0 { "WHERE" } else { "AND" })?;
        }
        Ok(())
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (nth, step) in self.steps.iter().enumerate() {
            if nth > 0 || self.led {
                write!(f, "{}", step.axis)?;
            }
            write!(f, "{step}")?;
        }
        write!(f, "{}", self.end)?;
        self.operations.iter().try_for_each(|operation| write!(f, ", {operation}"))
    }
}

impl Display for Axis {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Axis::Child => ".",
            Axis::Flow => "->",
        })
    }
}

impl Display for PathStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.label)?;
        for (nth, span) in self.index.iter().enumerate() {
            write!(f, "{}{span}", if nth == 0 { "[" } else { "," })?;
        }
        f.write_str(if self.index.is_empty() { "" } else { "]" })
    }
}

impl Display for Label {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Label::Text => f.write_str("pcdata"),
            Label::Element(name) => f.write_str(name),
        }
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from)?;
        self.to.as_ref().map_or(Ok(()), |to| write!(f, ":{to}"))
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Number(number) => write!(f, "{number}"),
            Bound::All => f.write_str("*"),
            Bound::Variable(name) => f.write_str(name),
        }
    }
}

impl Display for End {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            End::Node => Ok(()),
            End::Text => f.write_str(".txt"),
            End::Source => f.write_str(".src"),
            End::Attribute(name) => {
                let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                if name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(plain) {
                    write!(f, ".getAttr({name})")
                } else {
                    write!(f, ".getAttr({})", quoted(name))
                }
            }
            End::Count(None) => f.write_str(".numberOf"),
            End::Count(Some(label)) => write!(f, ".numberOf({label})"),
            End::Fork(branches) => {
                f.write_str("(")?;
                for (nth, branch) in branches.iter().enumerate() {
                    write!(f, "{}#{branch}", if nth == 0 { "" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Display for Operation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Match(pattern) => write!(f, "match {pattern}"),
            Operation::Split(pattern) => write!(f, "split {pattern}"),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.path, self.comparison, self.with)
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "=",
            Comparison::Unequal => "!=",
            Comparison::Fits => "=~",
            Comparison::FitsNot => "!~",
            Comparison::Less => "<",
            Comparison::Greater => ">",
            Comparison::AtMost => "<=",
            Comparison::AtLeast => ">=",
        })
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Text(text) => f.write_str(&quoted(text)),
            Literal::Number(number) => f.write_str(number),
            Literal::Pattern(pattern) => write!(f, "{pattern}"),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
