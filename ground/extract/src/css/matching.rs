//! From a selector to the elements of a page that it chooses, in document order.

use groma_hel::{DOCUMENT, Node, Tree, clean};

use super::syntax::{AttributeTest, Combinator, Comparison, Complex, Compound, CssSyntax, Nth, Piece, Test};
use crate::page::Page;
use crate::work::{OutOfWork, Work};

/// The values it gives on a page, one for each element that has one.
pub(super) fn values(rule: &CssSyntax, page: &Page<'_>, work: &mut Work) -> Result<Vec<String>, OutOfWork> {
    let nodes = nodes(rule, page, work)?;
    let mut values = Vec::with_capacity(nodes.len().min(16));
    for node in nodes {
        if values.len() >= work.values() {
            work.note_values();
            break;
        }
        if let Some(value) = read(&rule.piece, page, node, work)? {
            values.push(value);
        }
    }
    Ok(values)
}

/// The elements it chooses.
fn nodes(rule: &CssSyntax, page: &Page<'_>, work: &mut Work) -> Result<Vec<Node>, OutOfWork> {
    let mut chosen = Vec::new();
    let mut matching = CssMatching { page, tree: page.tree(), work };
    for complex in &rule.list {
        matching.below(DOCUMENT, complex, &mut chosen)?;
    }
    if rule.list.len() > 1 {
        chosen.sort_unstable();
        chosen.dedup();
    }
    Ok(chosen)
}

fn read(piece: &Piece, page: &Page<'_>, node: Node, work: &mut Work) -> Result<Option<String>, OutOfWork> {
    let tree = page.tree();
    Ok(match piece {
        Piece::Text => Some(page.text(node, work)?),
        Piece::Html => page.html(node, work)?,
        Piece::Attribute(name) => tree.attribute(node, name).map(|value| work.cut_value(value.trim())),
        Piece::OwnText => {
            let mut own = String::new();
            for child in tree.children(node) {
                work.add(1)?;
                own.push_str(tree.text(child));
                own.push(' ');
            }
            Some(work.cut_value(&clean(&own)))
        }
    })
}

struct CssMatching<'m, 'p> {
    page: &'m Page<'p>,
    tree: &'m Tree,
    work: &'m mut Work,
}

impl CssMatching<'_, '_> {
    /// Adds the elements below a node that a selector chooses.
    fn below(&mut self, top: Node, complex: &Complex, chosen: &mut Vec<Node>) -> Result<(), OutOfWork> {
        let tree = self.tree;
        let end = tree.end(top);
        if let Some(name) = &complex.last.name {
            let Some(label) = tree.label_of(name) else { return Ok(()) };
            let nodes = tree.flow(top, label);
            for node in nodes.iter().copied().take_while(|node| *node < end) {
                if self.is_chosen(node, complex)? {
                    chosen.push(node);
                }
            }
        } else {
            for node in (top + 1..end).filter(|node| !tree.is_text(*node)) {
                if self.is_chosen(node, complex)? {
                    chosen.push(node);
                }
            }
        }
        Ok(())
    }

    fn is_chosen(&mut self, node: Node, complex: &Complex) -> Result<bool, OutOfWork> {
        Ok(self.meets(node, &complex.last)? && self.has_before(node, &complex.before)?)
    }

    /// Is a node preceded as the rest of the selector asks? Goes back as far as the selector is long, which its bytes bound.
    fn has_before(&mut self, node: Node, before: &[(Combinator, Compound)]) -> Result<bool, OutOfWork> {
        let Some(((combinator, compound), rest)) = before.split_first() else { return Ok(true) };
        let mut at = Some(node);
        loop {
            at = match combinator {
                Combinator::Descendant | Combinator::Child => {
                    at.and_then(|at| self.tree.parent(at)).filter(|parent| *parent != DOCUMENT)
                }
                Combinator::Next | Combinator::Later => at.and_then(|at| self.page.siblings().before(at)),
            };
            let Some(candidate) = at else { return Ok(false) };
            if self.meets(candidate, compound)? && self.has_before(candidate, rest)? {
                return Ok(true);
            }
            if matches!(combinator, Combinator::Child | Combinator::Next) {
                return Ok(false);
            }
        }
    }

    fn meets(&mut self, node: Node, compound: &Compound) -> Result<bool, OutOfWork> {
        self.work.add(1)?;
        if compound.name.as_ref().is_some_and(|name| self.tree.name(node) != name) {
            return Ok(false);
        }
        for test in &compound.tests {
            if !self.passes(node, test)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn passes(&mut self, node: Node, test: &Test) -> Result<bool, OutOfWork> {
        let tree = self.tree;
        Ok(match test {
            Test::Attribute(test) => {
                let value = tree.attribute(node, &test.name);
                self.work.add(value.map_or(0, |value| value.len() as u64 / 64))?;
                value.is_some_and(|value| has_attribute(test, value))
            }
            Test::Nth(nth) => is_at(*nth, self.page.siblings().place(node, nth.from_end, nth.of_type)),
            Test::Root => tree.parent(node) == Some(DOCUMENT),
            Test::Empty => tree.end(node) == node + 1,
            Test::Not(list) => !self.any(node, list)?,
            Test::Is(list) => self.any(node, list)?,
            Test::Contains(text) => {
                self.work.add(u64::from(tree.end(node) - node))?;
                tree.txt(node, usize::MAX).is_some_and(|own| own.contains(text.as_str()))
            }
            Test::Has(list) => {
                for (combinator, complex) in list {
                    if self.has(node, *combinator, complex)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }

    fn any(&mut self, node: Node, list: &[Complex]) -> Result<bool, OutOfWork> {
        for complex in list {
            if self.is_chosen(node, complex)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Is there an element in this relation to the node that the selector chooses?
    fn has(&mut self, node: Node, combinator: Combinator, complex: &Complex) -> Result<bool, OutOfWork> {
        let tree = self.tree;
        let mut candidates: Vec<Node> = Vec::new();
        match combinator {
            Combinator::Descendant => self.below(node, complex, &mut candidates)?,
            Combinator::Child => candidates.extend(tree.children(node).filter(|child| !tree.is_text(*child))),
            Combinator::Next | Combinator::Later => {
                let most = if combinator == Combinator::Next { 1 } else { usize::MAX };
                let parent = tree.parent(node).unwrap_or(DOCUMENT);
                let later =
                    tree.children(parent).skip_while(|child| *child <= node).filter(|child| !tree.is_text(*child));
                candidates.extend(later.take(most));
            }
        }
        self.work.add(candidates.len() as u64)?;
        for candidate in candidates {
            if combinator == Combinator::Descendant || self.is_chosen(candidate, complex)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn has_attribute(test: &AttributeTest, value: &str) -> bool {
    let wanted = test.value.as_str();
    if test.ignore_case {
        let folded = AttributeTest { value: wanted.to_ascii_lowercase(), ignore_case: false, ..test.clone() };
        return has_attribute(&folded, &value.to_ascii_lowercase());
    }
    match test.comparison {
        Comparison::Present => true,
        Comparison::Equal => value == wanted,
        Comparison::Word => !wanted.is_empty() && value.split_ascii_whitespace().any(|word| word == wanted),
        Comparison::Dash => value.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
        Comparison::Prefix => !wanted.is_empty() && value.starts_with(wanted),
        Comparison::Suffix => !wanted.is_empty() && value.ends_with(wanted),
        Comparison::Substring => !wanted.is_empty() && value.contains(wanted),
    }
}

fn is_at(nth: Nth, place: u32) -> bool {
    let (step, past) = (i64::from(nth.step), i64::from(place) - i64::from(nth.first));
    if step == 0 { past == 0 } else { past % step == 0 && past / step >= 0 }
}
