//! From an expression to its value on a page: node sets in document order, texts, numbers, truth.

use groma_hel::{DOCUMENT, Tree, clean};

use super::axes::{Spot, visit};
use super::functions::Function;
use super::strings::{number_of_text, round, substring, text_of_number, translate};
use super::syntax::{Axis, Comparison, Expr, Operation, Path, Start, Step};
use crate::page::Page;
use crate::work::{OutOfWork, Work};

#[derive(Clone, Debug)]
enum XPathValue {
    /// In document order, each once.
    Nodes(Vec<Spot>),
    Text(String),
    Number(f64),
    Truth(bool),
}

/// The node that is looked at, its place among those looked at, and how many those are.
#[derive(Clone, Copy)]
struct Context {
    spot: Spot,
    position: usize,
    size: usize,
}

struct Evaluation<'e, 'p> {
    page: &'e Page<'p>,
    tree: &'e Tree,
    work: &'e mut Work,
}

/// The values it gives on a page: the texts of the nodes, or the one text, number or truth it comes to.
pub(super) fn values(expr: &Expr, page: &Page<'_>, work: &mut Work) -> Result<Vec<String>, OutOfWork> {
    let mut evaluation = Evaluation { page, tree: page.tree(), work };
    let context = Context { spot: Spot::whole(DOCUMENT), position: 1, size: 1 };
    match evaluation.value(expr, context)? {
        XPathValue::Nodes(spots) => {
            let mut values = Vec::new();
            for spot in spots {
                if values.len() >= evaluation.work.values() {
                    evaluation.work.note_values();
                    break;
                }
                let text = evaluation.text_of_spot(spot)?;
                values.push(evaluation.work.cut_value(clean(&text).trim()));
            }
            Ok(values)
        }
        XPathValue::Text(text) => Ok(vec![evaluation.work.cut_value(&clean(&text))]),
        // What is no number is no value.
        XPathValue::Number(number) if number.is_nan() => Ok(Vec::new()),
        XPathValue::Number(number) => Ok(vec![text_of_number(number)]),
        XPathValue::Truth(truth) => Ok(vec![truth.to_string()]),
    }
}

type Evaluated<T> = Result<T, OutOfWork>;

impl Evaluation<'_, '_> {
    fn value(&mut self, expr: &Expr, context: Context) -> Evaluated<XPathValue> {
        self.work.add(1)?;
        Ok(match expr {
            Expr::Or(all) => {
                let mut truth = false;
                for one in all {
                    truth = truth || self.truth(one, context)?;
                }
                XPathValue::Truth(truth)
            }
            Expr::And(all) => {
                let mut truth = true;
                for one in all {
                    truth = truth && self.truth(one, context)?;
                }
                XPathValue::Truth(truth)
            }
            Expr::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left, context)?, self.value(right, context)?);
                XPathValue::Truth(self.compare(*comparison, &left, &right)?)
            }
            Expr::Compute(operation, left, right) => {
                let (left, right) = (self.number(left, context)?, self.number(right, context)?);
                XPathValue::Number(match operation {
                    Operation::Add => left + right,
                    Operation::Subtract => left - right,
                    Operation::Multiply => left * right,
                    Operation::Divide => left / right,
                    Operation::Remainder => left % right,
                })
            }
            Expr::Negate(inner) => XPathValue::Number(-self.number(inner, context)?),
            Expr::Union(all) => {
                let mut spots = Vec::new();
                for one in all {
                    spots.extend(self.nodes(one, context)?);
                }
                XPathValue::Nodes(self.in_order(spots)?)
            }
            Expr::Path(path) => XPathValue::Nodes(self.path(path, context)?),
            Expr::Text(text) => XPathValue::Text(text.clone()),
            Expr::Number(number) => XPathValue::Number(*number),
            Expr::Call(function, arguments) => self.call(*function, arguments, context)?,
        })
    }

    fn path(&mut self, path: &Path, context: Context) -> Evaluated<Vec<Spot>> {
        let mut spots = match &path.from {
            Start::Root => vec![Spot::whole(DOCUMENT)],
            Start::Here => vec![context.spot],
            Start::Nodes(expr, predicates) => {
                let spots = self.nodes(expr, context)?;
                self.filtered(spots, predicates)?
            }
        };
        for step in &path.steps {
            spots = self.step(&spots, step)?;
        }
        Ok(spots)
    }

    fn step(&mut self, from: &[Spot], step: &Step) -> Evaluated<Vec<Spot>> {
        let mut all = Vec::new();
        for spot in from {
            if step.predicates.is_empty() {
                visit(self.tree, *spot, step.axis, &step.test, self.work, &mut all)?;
                continue;
            }
            let mut visited = Vec::new();
            visit(self.tree, *spot, step.axis, &step.test, self.work, &mut visited)?;
            all.append(&mut self.filtered(visited, &step.predicates)?);
        }
        let is_in_order = from.len() == 1
            && !matches!(step.axis, Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding | Axis::PrecedingSibling);
        if is_in_order { Ok(all) } else { self.in_order(all) }
    }

    fn in_order(&mut self, mut spots: Vec<Spot>) -> Evaluated<Vec<Spot>> {
        self.work.add(spots.len() as u64)?;
        spots.sort_unstable();
        spots.dedup();
        Ok(spots)
    }

    /// Those that all predicates let through, each counted among those that the predicates before it left.
    fn filtered(&mut self, mut spots: Vec<Spot>, predicates: &[Expr]) -> Evaluated<Vec<Spot>> {
        for predicate in predicates {
            let size = spots.len();
            let mut kept = Vec::new();
            for (nth, spot) in spots.into_iter().enumerate() {
                let position = nth + 1;
                let is_kept = match self.value(predicate, Context { spot, position, size })? {
                    XPathValue::Number(number) => number == position as f64,
                    other => truth_of(&other),
                };
                if is_kept {
                    kept.push(spot);
                }
            }
            spots = kept;
        }
        Ok(spots)
    }

    fn nodes(&mut self, expr: &Expr, context: Context) -> Evaluated<Vec<Spot>> {
        // What is no node set has no nodes; XPath 1.0 has it an error.
        Ok(match self.value(expr, context)? {
            XPathValue::Nodes(spots) => spots,
            _ => Vec::new(),
        })
    }

    fn truth(&mut self, expr: &Expr, context: Context) -> Evaluated<bool> {
        Ok(truth_of(&self.value(expr, context)?))
    }

    fn number(&mut self, expr: &Expr, context: Context) -> Evaluated<f64> {
        let value = self.value(expr, context)?;
        self.number_of(&value)
    }

    fn text(&mut self, expr: &Expr, context: Context) -> Evaluated<String> {
        let value = self.value(expr, context)?;
        self.text_of(&value)
    }

    fn number_of(&mut self, value: &XPathValue) -> Evaluated<f64> {
        Ok(match value {
            XPathValue::Number(number) => *number,
            XPathValue::Truth(truth) => f64::from(u8::from(*truth)),
            XPathValue::Text(text) => number_of_text(text),
            XPathValue::Nodes(_) => number_of_text(&self.text_of(value)?),
        })
    }

    fn text_of(&mut self, value: &XPathValue) -> Evaluated<String> {
        Ok(match value {
            XPathValue::Text(text) => text.clone(),
            XPathValue::Number(number) => text_of_number(*number),
            XPathValue::Truth(truth) => truth.to_string(),
            XPathValue::Nodes(spots) => match spots.first() {
                Some(spot) => self.text_of_spot(*spot)?,
                None => String::new(),
            },
        })
    }

    fn text_of_spot(&mut self, spot: Spot) -> Evaluated<String> {
        if let Some(nth) = spot.attribute.checked_sub(1) {
            let value = self.tree.attributes(spot.node).nth(nth as usize).map_or("", |(_, value)| value);
            self.work.add(value.len() as u64 / 64)?;
            return Ok(value.to_owned());
        }
        if self.tree.is_text(spot.node) {
            let text = self.tree.text(spot.node);
            self.work.add(text.len() as u64 / 64)?;
            return Ok(text.to_owned());
        }
        self.page.text(spot.node, self.work)
    }

    fn compare(&mut self, comparison: Comparison, left: &XPathValue, right: &XPathValue) -> Evaluated<bool> {
        match (left, right) {
            (XPathValue::Truth(_), _) | (_, XPathValue::Truth(_))
                if matches!(comparison, Comparison::Equal | Comparison::Unequal) =>
            {
                Ok((truth_of(left) == truth_of(right)) == (comparison == Comparison::Equal))
            }
            (XPathValue::Nodes(lefts), XPathValue::Nodes(rights)) => {
                let texts = rights.iter().map(|spot| self.text_of_spot(*spot)).collect::<Evaluated<Vec<_>>>()?;
                for spot in lefts {
                    let left = XPathValue::Text(self.text_of_spot(*spot)?);
                    for text in &texts {
                        self.work.add(1)?;
                        if self.compare(comparison, &left, &XPathValue::Text(text.clone()))? {
                            return Ok(true);
                        }
                    }
                }
                Ok(false)
            }
            (XPathValue::Nodes(spots), other) => {
                for spot in spots {
                    let text = XPathValue::Text(self.text_of_spot(*spot)?);
                    if self.compare(comparison, &text, other)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (_, XPathValue::Nodes(_)) => self.compare(turned(comparison), right, left),
            (XPathValue::Text(left), XPathValue::Text(right))
                if matches!(comparison, Comparison::Equal | Comparison::Unequal) =>
            {
                Ok((left == right) == (comparison == Comparison::Equal))
            }
            _ => Ok(holds(comparison, self.number_of(left)?, self.number_of(right)?)),
        }
    }

    fn call(&mut self, function: Function, arguments: &[Expr], context: Context) -> Evaluated<XPathValue> {
        // Functions about a node or a text speak of the node that is looked at, if nothing is said.
        let here = Expr::Path(Path { from: Start::Here, steps: Vec::new() });
        let first = arguments.first().unwrap_or(&here);
        Ok(match function {
            Function::Last => XPathValue::Number(context.size as f64),
            Function::Position => XPathValue::Number(context.position as f64),
            Function::True => XPathValue::Truth(true),
            Function::False => XPathValue::Truth(false),
            Function::Boolean => XPathValue::Truth(self.truth(first, context)?),
            Function::Not => XPathValue::Truth(!self.truth(first, context)?),
            Function::Count => XPathValue::Number(self.nodes(first, context)?.len() as f64),
            Function::Id => XPathValue::Nodes(self.by_id(first, context)?),
            Function::Name | Function::LocalName => {
                let spot = self.nodes(first, context)?.first().copied();
                XPathValue::Text(spot.map_or_else(String::new, |spot| self.name_of(spot)))
            }
            Function::NamespaceUri => XPathValue::Text(String::new()),
            Function::Lang => {
                let wanted = self.text(first, context)?.to_lowercase();
                let mut up = std::iter::once(context.spot.node).chain(self.tree.ancestors(context.spot.node));
                let own = up.find_map(|node| self.tree.attribute(node, "lang")).unwrap_or_default().to_lowercase();
                let rest = own.strip_prefix(&wanted);
                XPathValue::Truth(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
            }
            Function::Sum => {
                let mut sum = 0.0;
                for spot in self.nodes(first, context)? {
                    sum += number_of_text(&self.text_of_spot(spot)?);
                }
                XPathValue::Number(sum)
            }
            Function::Number => XPathValue::Number(self.number(first, context)?),
            Function::Floor => XPathValue::Number(self.number(first, context)?.floor()),
            Function::Ceiling => XPathValue::Number(self.number(first, context)?.ceil()),
            Function::Round => XPathValue::Number(round(self.number(first, context)?)),
            _ => {
                let mut texts = vec![self.text(first, context)?];
                for argument in arguments.iter().skip(1) {
                    texts.push(self.text(argument, context)?);
                }
                about_texts(function, &texts)
            }
        })
    }

    fn by_id(&mut self, of: &Expr, context: Context) -> Evaluated<Vec<Spot>> {
        let wanted = match self.value(of, context)? {
            XPathValue::Nodes(spots) => {
                let texts = spots.into_iter().map(|spot| self.text_of_spot(spot)).collect::<Evaluated<Vec<_>>>()?;
                texts.join(" ")
            }
            other => self.text_of(&other)?,
        };
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        self.work.add(self.tree.len() as u64)?;
        let nodes = 1..self.tree.len() as u32;
        let named = nodes.filter(|node| self.tree.attribute(*node, "id").is_some_and(|id| wanted.contains(&id)));
        Ok(named.map(Spot::whole).collect())
    }

    fn name_of(&self, spot: Spot) -> String {
        match spot.attribute.checked_sub(1) {
            Some(nth) => self.tree.attributes(spot.node).nth(nth as usize).map_or("", |(name, _)| name),
            None => self.tree.name(spot.node),
        }
        .to_owned()
    }
}

fn truth_of(value: &XPathValue) -> bool {
    match value {
        XPathValue::Nodes(spots) => !spots.is_empty(),
        XPathValue::Text(text) => !text.is_empty(),
        XPathValue::Number(number) => *number != 0.0 && !number.is_nan(),
        XPathValue::Truth(truth) => *truth,
    }
}

fn about_texts(function: Function, texts: &[String]) -> XPathValue {
    let text = |nth: usize| texts.get(nth).map_or("", String::as_str);
    let (own, other) = (text(0), text(1));
    let number = |nth: usize| number_of_text(text(nth));
    XPathValue::Text(match function {
        Function::StartsWith => return XPathValue::Truth(own.starts_with(other)),
        Function::EndsWith => return XPathValue::Truth(own.ends_with(other)),
        Function::Contains => return XPathValue::Truth(own.contains(other)),
        Function::StringLength => return XPathValue::Number(own.chars().count() as f64),
        Function::Concat => texts.concat(),
        Function::SubstringBefore => own.split_once(other).map_or("", |(before, _)| before).to_owned(),
        Function::SubstringAfter => own.split_once(other).map_or("", |(_, after)| after).to_owned(),
        Function::Substring => substring(own, number(1), texts.get(2).map(|_| number(2))),
        Function::NormalizeSpace => clean(own),
        Function::Translate => translate(own, other, text(2)),
        Function::LowerCase => own.to_lowercase(),
        Function::UpperCase => own.to_uppercase(),
        _ => own.to_owned(),
    })
}

fn holds(comparison: Comparison, left: f64, right: f64) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::Unequal => left != right,
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
        Comparison::Greater => left > right,
        Comparison::GreaterOrEqual => left >= right,
    }
}

/// The same with its sides changed.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        same => same,
    }
}
