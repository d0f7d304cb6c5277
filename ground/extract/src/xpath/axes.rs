//! Which nodes does a step visit? The axes of XPath on the numbers of nodes, which are their document order.

use groma_hel::{DOCUMENT, Node, Tree};

use super::syntax::{Axis, NodeTest};
use crate::work::{OutOfWork, Work};

/// A node, or an attribute of it: attributes stand behind their element and before its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Spot {
    pub(super) node: Node,
    /// From 1; 0 is the node itself.
    pub(super) attribute: u32,
}

impl Spot {
    pub(super) fn whole(node: Node) -> Spot {
        Spot { node, attribute: 0 }
    }
}

/// Adds what an axis names from a spot and the test lets through, the nearest first.
pub(super) fn visit(
    tree: &Tree,
    from: Spot,
    axis: Axis,
    test: &NodeTest,
    work: &mut Work,
    to: &mut Vec<Spot>,
) -> Result<(), OutOfWork> {
    if axis == Axis::Attribute {
        return attributes(tree, from, test, work, to);
    }
    if from.attribute > 0 && !matches!(axis, Axis::Parent | Axis::Ancestor | Axis::Following | Axis::Preceding) {
        // Attributes have no children and no siblings; they are what they are.
        if matches!(axis, Axis::Itself | Axis::AncestorOrSelf | Axis::DescendantOrSelf) && *test == NodeTest::AnyNode {
            to.push(from);
        }
        if axis == Axis::AncestorOrSelf {
            return visit(tree, Spot::whole(from.node), axis, test, work, to);
        }
        return Ok(());
    }
    let node = from.node;
    let is_attribute = from.attribute > 0;
    let last = tree.len() as Node;
    let mut add = |node: Node| {
        work.add(1)?;
        if passes(tree, node, test) {
            to.push(Spot::whole(node));
        }
        Ok(())
    };
    let siblings = || tree.parent(node).map(|parent| tree.children(parent));
    match axis {
        Axis::Attribute => Ok(()),
        Axis::Itself => add(node),
        Axis::Child => tree.children(node).try_for_each(add),
        Axis::Parent if is_attribute => add(node),
        Axis::Parent => tree.parent(node).into_iter().try_for_each(add),
        Axis::Descendant | Axis::DescendantOrSelf => {
            let end = tree.end(node);
            if axis == Axis::DescendantOrSelf {
                add(node)?;
            }
            match test {
                NodeTest::Name(name) => {
                    let nodes = tree.label_of(name).map_or(&[][..], |label| tree.flow(node, label));
                    nodes.iter().copied().take_while(|below| *below < end).try_for_each(add)
                }
                _ => (node + 1..end).try_for_each(add),
            }
        }
        Axis::Ancestor | Axis::AncestorOrSelf => {
            if is_attribute || axis == Axis::AncestorOrSelf {
                add(node)?;
            }
            tree.ancestors(node).try_for_each(add)
        }
        Axis::Following => (if is_attribute { node + 1 } else { tree.end(node) }..last).try_for_each(add),
        Axis::Preceding => {
            let above: Vec<Node> = tree.ancestors(node).collect();
            (DOCUMENT + 1..node).rev().filter(|before| !above.contains(before)).try_for_each(add)
        }
        Axis::FollowingSibling => siblings().into_iter().flatten().filter(|other| *other > node).try_for_each(add),
        Axis::PrecedingSibling => {
            let mut before: Vec<Node> = siblings().into_iter().flatten().take_while(|other| *other < node).collect();
            before.reverse();
            before.into_iter().try_for_each(add)
        }
    }
}

fn attributes(tree: &Tree, from: Spot, test: &NodeTest, work: &mut Work, to: &mut Vec<Spot>) -> Result<(), OutOfWork> {
    if from.attribute > 0 {
        return Ok(());
    }
    for (nth, (name, _)) in tree.attributes(from.node).enumerate() {
        work.add(1)?;
        let is_meant = match test {
            NodeTest::Name(wanted) => wanted == name,
            NodeTest::AnyName | NodeTest::AnyNode => true,
            NodeTest::Text | NodeTest::Nothing => false,
        };
        if is_meant {
            to.push(Spot { node: from.node, attribute: nth as u32 + 1 });
        }
    }
    Ok(())
}

fn passes(tree: &Tree, node: Node, test: &NodeTest) -> bool {
    match test {
        NodeTest::AnyNode => true,
        NodeTest::Text => tree.is_text(node),
        NodeTest::AnyName => node != DOCUMENT && !tree.is_text(node),
        NodeTest::Name(name) => tree.name(node) == name,
        NodeTest::Nothing => false,
    }
}
