//! Boxes and lists of which several can be chosen: what do several at once mean, and what is gained by that?
//!
//! ```text
//! probe   two values of one question, both answered whole, neither within the other, are asked together (see `probe`)
//! OR      values that wait go together: g of them with g * mean <= 0.8 K, 16 at most; several that are cut are halved
//! AND     a value that is cut, where nothing else is left to split: the value with each one after it, 4 at once at most, and until 64
//!         such questions after each other brought nothing new
//! ```
//!
//! A record may have several values or none, so such a field never proves anything by its parts: only a total does. That is why a
//! form that joins one pair by OR and another pair otherwise cannot bring out a false certificate; where a total shows that rows were
//! lost by asking values together, they are asked one by one. With AND, each set of values is asked once: a record with a value before
//! those of a question comes, or has come, with that one.
//! Cost: one question a field for the probe, three at most; O(rows) to compare. Not guaranteed: records that have one value alone, of
//! which there are more than K, are not split by AND.

use std::collections::{HashMap, HashSet};

use super::Cover;
use super::node::{Node, State};
use super::probe::{Joined, Seen, joined};
use super::space::{Axis, Part, VALUES};

/// Values that are asked together at most: a URL must not become too long, and a form may have a limit of its own.
const TOGETHER: usize = 16;
/// The same where they narrow.
const NARROW: usize = 4;
/// Questions that narrow without bringing anything new, one after the other, after which there are no more of them.
const IDLE: u32 = 64;
/// How full an answer to several values should be.
const FILLED: f64 = 0.8;
/// Values that must be waiting for a probe to pay.
const WORTH: usize = 4;
/// Probes of one field.
const TRIES: u8 = 3;
/// Answers that are kept to be compared, and rows of one.
const KEPT: usize = 6;
const ROWS: usize = 2000;

/// What is known of how a field joins several values.
#[derive(Clone, Debug, Default)]
pub(super) struct Joins {
    joined: Option<Joined>,
    tries: u8,
    /// Whole answers to single values: the question above, the value, the rows in order.
    answers: Vec<(u32, usize, Vec<u128>)>,
    /// The probe under way, and the places of its two answers.
    probe: Option<(u32, usize, usize)>,
    /// It was no use to ask values together.
    apart: bool,
    /// Questions below which values that were asked together were asked one by one.
    taken_apart: HashSet<u32>,
    /// Questions that narrowed and brought nothing new, one after the other.
    idle: u32,
}

impl Joins {
    /// How values are joined, if it may be made use of.
    pub(super) fn known(&self) -> Option<Joined> {
        self.joined.filter(|joined| !self.apart || !matches!(joined, Joined::Or | Joined::And))
    }
}

/// The parts of a question that says this about the field.
pub(super) fn parts(values: usize, part: &Part, joined: Option<Joined>) -> Option<Vec<Part>> {
    let several = |chosen: &[usize]| if let [one] = chosen { Part::Is(*one) } else { Part::Of(chosen.to_vec()) };
    let values = values.min(VALUES);
    let parts: Vec<Part> = match (part, joined) {
        (Part::Open, _) => (0..values).map(Part::Is).collect(),
        (Part::Of(chosen), Some(Joined::Or)) if chosen.len() > 1 => {
            let (left, right) = chosen.split_at(chosen.len() / 2);
            vec![several(left), several(right)]
        }
        (Part::Is(value), Some(Joined::And)) => {
            (value + 1..values).map(|other| Part::Of(vec![*value, other])).collect()
        }
        (Part::Of(chosen), Some(Joined::And)) if chosen.len() < NARROW => {
            let next = chosen.last().map_or(0, |last| last + 1);
            (next..values).map(|other| Part::Of(chosen.iter().copied().chain([other]).collect())).collect()
        }
        _ => Vec::new(),
    };
    (!parts.is_empty()).then_some(parts)
}

impl Cover {
    /// How several values of a field are joined, if a probe has told.
    pub fn joined(&self, axis: usize) -> Option<Joined> {
        self.joins.get(axis).and_then(|joins| joins.joined)
    }

    /// The answer to a probe. It is no part of anything: rows that nobody has seen count for the question above.
    pub(super) fn hear_joined(&mut self, id: u32, keys: &HashMap<u128, u32>, whole: bool) -> bool {
        let Some(axis) = self.nodes[id as usize].along else { return false };
        let Some((_, a, b)) = self.joins[axis].probe.filter(|(probe, ..)| *probe == id) else { return false };
        self.nodes[id as usize].state = State::Whole;
        let joins = &mut self.joins[axis];
        joins.probe = None;
        let both: Vec<u128> = keys.keys().copied().collect();
        let (Some((_, _, a)), Some((_, _, b))) = (joins.answers.get(a), joins.answers.get(b)) else { return true };
        let said = joined(Seen { keys: a, whole: true }, Seen { keys: b, whole: true }, Seen { keys: &both, whole });
        joins.joined = Some(said).filter(|said| *said != Joined::Unknown);
        let new: HashMap<u128, u32> = keys
            .iter()
            .filter(|(key, _)| !self.ledger.rows.contains_key(*key))
            .map(|(key, copies)| (*key, *copies))
            .collect();
        let parent = self.nodes[id as usize].parent.unwrap_or(0);
        self.enter(parent, &new, false);
        if said == Joined::Or {
            let split = (0..self.nodes.len() as u32).filter(|id| self.nodes[*id as usize].state == State::Split(axis));
            for id in split.collect::<Vec<u32>>() {
                self.join_waiting(id, axis);
            }
        }
        true
    }

    /// After an answer to one value of such a field: kept for a probe, or good to know how many go together.
    pub(super) fn compare_joined(&mut self, id: u32, keys: &HashMap<u128, u32>, gained: bool) {
        let node = &self.nodes[id as usize];
        let (Some(axis), Some(parent)) = (node.along, node.parent) else { return };
        if !matches!(self.axes[axis], Axis::Several { .. }) {
            return;
        }
        let &Part::Is(value) = &node.question.parts[axis] else { return self.count_idle(axis, gained) };
        if self.joins[axis].known() == Some(Joined::Or) {
            return self.join_waiting(parent, axis);
        }
        if self.joins[axis].joined.is_some() || self.is_probing(axis) || node.state != State::Whole || keys.is_empty() {
            return;
        }
        // What has been compared once need not be compared again.
        let joins = &mut self.joins[axis];
        if joins.answers.len() >= KEPT || keys.len() > ROWS {
            return;
        }
        let mut rows: Vec<u128> = keys.keys().copied().collect();
        rows.sort_unstable();
        joins.answers.push((parent, value, rows));
        let waiting = |child: &&u32| self.nodes[**child as usize].state == State::Waiting;
        if self.nodes[parent as usize].children.iter().filter(waiting).take(WORTH).count() == WORTH {
            self.ask_both(axis);
        }
    }

    fn count_idle(&mut self, axis: usize, gained: bool) {
        let joins = &mut self.joins[axis];
        if joins.joined == Some(Joined::And) {
            joins.idle = if gained { 0 } else { joins.idle + 1 };
            joins.apart |= joins.idle >= IDLE;
        }
    }

    /// Does a question narrow by AND where that is of no use any more?
    pub(super) fn is_idle(&self, node: &Node) -> bool {
        let idle = |(axis, part): (usize, &Part)| {
            let joins = &self.joins[axis];
            matches!(part, Part::Of(_)) && joins.apart && joins.joined == Some(Joined::And)
        };
        !node.slice && node.question.parts.iter().enumerate().any(idle)
    }

    pub(super) fn is_probing(&self, axis: usize) -> bool {
        let probe = self.joins[axis].probe.map(|(probe, ..)| self.nodes[probe as usize].state);
        matches!(probe, Some(State::Waiting | State::Asked))
    }

    /// Asks for two values at once whose answers differ. False if there are no such answers.
    fn ask_both(&mut self, axis: usize) -> bool {
        let joins = &self.joins[axis];
        if joins.tries >= TRIES || self.is_probing(axis) || joins.joined.is_some() {
            return false;
        }
        let lacks = |a: &[u128], b: &[u128]| a.iter().any(|key| b.binary_search(key).is_err());
        let differ = |a: &[u128], b: &[u128]| lacks(a, b) && lacks(b, a);
        let pairs = (0..joins.answers.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let fits = |(a, b): &(usize, usize)| {
            let (a, b) = (&joins.answers[*a], &joins.answers[*b]);
            // What was cut tells nothing, so both together must fit into one answer.
            let fits = self.limit.rows().is_none_or(|limit| (a.2.len() + b.2.len()) as u64 <= limit);
            a.0 == b.0 && a.1 != b.1 && fits && differ(&a.2, &b.2)
        };
        let Some((a, b)) = pairs.filter(fits).nth(usize::from(joins.tries)) else { return false };
        let (parent, one, other) = (joins.answers[a].0, joins.answers[a].1, joins.answers[b].1);
        let mut question = self.nodes[parent as usize].question.clone();
        question.parts[axis] = Part::Of(vec![one.min(other), one.max(other)]);
        let mut node = Node::new(Some(parent), question);
        (node.along, node.slice) = (Some(axis), true);
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.queue.push_front(id);
        let (a, b) = if one < other { (a, b) } else { (b, a) };
        let joins = &mut self.joins[axis];
        (joins.probe, joins.tries) = (Some((id, a, b)), joins.tries + 1);
        true
    }

    /// Values that wait below a question are asked together, as many as should fit into an answer.
    pub(super) fn join_waiting(&mut self, id: u32, axis: usize) {
        if self.joins.get(axis).and_then(Joins::known) != Some(Joined::Or) {
            return;
        }
        let node = &self.nodes[id as usize];
        let single = |child: &u32| match self.nodes[*child as usize].question.parts[axis] {
            Part::Is(value) if self.nodes[*child as usize].state == State::Waiting => Some((*child, value)),
            _ => None,
        };
        let waiting: Vec<(u32, usize)> = node.children.iter().filter_map(single).collect();
        let Some(mean) = self.mean_of_parts(node, axis).filter(|_| waiting.len() > 1) else { return };
        let Some(limit) = self.limit.rows() else { return };
        let together = ((limit as f64 * FILLED / mean.max(0.5)) as usize).min(TOGETHER);
        if together < 2 {
            return;
        }
        for (child, _) in &waiting {
            self.nodes[*child as usize].state = State::Dropped;
        }
        let dropped: HashSet<u32> = waiting.iter().map(|(child, _)| *child).collect();
        let mut children = std::mem::take(&mut self.nodes[id as usize].children);
        children.retain(|child| !dropped.contains(child));
        self.nodes[id as usize].children = children;
        for group in waiting.chunks(together) {
            let values: Vec<usize> = group.iter().map(|(_, value)| *value).collect();
            let part = if let [one] = values[..] { Part::Is(one) } else { Part::Of(values) };
            self.add_part(id, axis, part, &[]);
        }
    }

    /// How many rows a value brings: of those that were asked, or of the whole, shared out.
    fn mean_of_parts(&self, node: &Node, axis: usize) -> Option<f64> {
        let answered = node.children.iter().map(|child| &self.nodes[*child as usize]);
        let rows = answered
            .filter(|child| matches!(child.question.parts[axis], Part::Is(_)))
            .filter(|child| matches!(child.state, State::Whole | State::Split(_) | State::Heavy | State::Undecided))
            .map(|child| child.total.unwrap_or(child.size.rows));
        let (count, sum) = rows.fold((0_u64, 0_u64), |(count, sum), rows| (count + 1, sum.saturating_add(rows)));
        if count >= 2 {
            return Some(sum as f64 / count as f64);
        }
        node.guess.map(|all| all as f64 / node.children.len().max(1) as f64)
    }

    /// Nothing else is left, and rows are missing where values were asked together: the form does not always join them so. They are
    /// asked one by one.
    pub(super) fn take_apart(&mut self) -> bool {
        if self.is_filled(0) {
            return false;
        }
        let mut lost = Vec::new();
        for id in 0..self.nodes.len() as u32 {
            let State::Split(axis) = self.nodes[id as usize].state else { continue };
            let together = |child: &u32| matches!(self.nodes[*child as usize].question.parts[axis], Part::Of(_));
            let by_or = self.joins[axis].joined == Some(Joined::Or);
            if by_or
                && self.nodes[id as usize].children.iter().any(together)
                && !self.is_abandoned(id)
                && self.lost_rows(id)
            {
                // Of halves, the question that was split first.
                let first = |above: &u32| self.nodes[*above as usize].question.parts[axis] == Part::Open;
                lost.extend(self.ancestors(id).find(first).map(|top| (top, axis)));
            }
        }
        for (id, axis) in lost {
            self.joins[axis].apart = true;
            // Once: what is missing after that is missing for another reason.
            if !self.joins[axis].taken_apart.insert(id) {
                continue;
            }
            self.nodes[id as usize].parts_total = 0;
            for child in std::mem::take(&mut self.nodes[id as usize].children) {
                self.nodes[child as usize].abandoned = true;
            }
            self.divide(id, State::Heavy);
        }
        !self.queue.is_empty()
    }

    /// Nothing else is left: values that are cut and cannot be split otherwise are asked with others, if they are joined by AND.
    pub(super) fn join_more(&mut self) -> bool {
        if self.is_filled(0) {
            return false;
        }
        let heavy = |node: &Node, axis: usize| {
            node.state == State::Heavy && !node.slice && node.question.parts[axis] != Part::Open
        };
        for axis in 0..self.axes.len() {
            if !matches!(self.axes[axis], Axis::Several { .. }) || self.useless[axis] {
                continue;
            }
            let points: Vec<u32> = (0..self.nodes.len() as u32)
                .filter(|id| {
                    heavy(&self.nodes[*id as usize], axis) && !self.is_abandoned(*id) && !self.is_exhausted(*id)
                })
                .collect();
            if points.is_empty() {
                continue;
            }
            match self.joins[axis].joined {
                None => drop(self.ask_both(axis)),
                Some(Joined::And) if !self.joins[axis].apart => {
                    points.into_iter().for_each(|id| self.divide(id, State::Heavy))
                }
                Some(_) => {}
            }
        }
        !self.queue.is_empty()
    }
}
