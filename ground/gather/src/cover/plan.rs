//! What is asked next? The queue of questions, those that can be spared, and the making of new ones.
//!
//! Cost: O(depth) a question handed out, and what a split costs (see [`super::split`]).

use super::node::{Node, State};
use super::space::{Axis, Part, Question};
use super::split::{self, Sample, Situation};
use super::statement::Reason;
use super::{Cover, QuestionId};

/// Questions that are ever made.
const NODES: usize = 1_000_000;

/// So many questions are made beforehand of a form whose fields must all be filled in; those beyond are made when their turn comes. The
/// product of all fields is more than any memory holds.
const BEFOREHAND: usize = 4096;

/// Questions that wait before newer ones are asked first: layer by layer says more early on, branch by branch needs less memory.
const BROAD: usize = 1000;

/// Questions that are passed over at once because others may spare them.
const LATER: usize = 1000;

/// Rows that must be known of a question to split it unasked.
const FORESIGHT: usize = 4;

/// What is known of a question before it is asked.
enum Foreseen {
    Nothing,
    /// It will be known when another one is answered.
    Later,
    /// This slice has all of it.
    Covered(u32),
    /// About so many rows, more than can be shown.
    Exceeds(u64),
}

impl Cover {
    /// Questions that may be asked now, at most `most`. Empty and nothing under way: it is over.
    pub fn next(&mut self, most: usize) -> Vec<(QuestionId, Question)> {
        let mut found = Vec::new();
        let mut later = Vec::new();
        while found.len() < most && self.has_budget() {
            let Some(id) = self.queue.pop_front() else {
                if found.is_empty() && later.is_empty() && self.waiting_for == 0 && self.takes_up_more() {
                    continue;
                }
                break;
            };
            // Values that are asked together with others by now.
            if self.nodes[id as usize].state != State::Waiting {
                continue;
            }
            if self.is_needless(id) {
                self.nodes[id as usize].state = State::Dropped;
                continue;
            }
            // Nothing that the form would take: its parts are.
            if self.nodes[id as usize].lacks_value(&self.axes).is_some() {
                self.divide(id, State::Heavy);
                continue;
            }
            if !self.nodes[id as usize].counted && self.is_spared(id) {
                self.nodes[id as usize].state = State::Spared;
                self.spared.push(id);
                continue;
            }
            match if self.nodes[id as usize].counted { Foreseen::Nothing } else { self.foresee(id) } {
                Foreseen::Nothing => {}
                Foreseen::Covered(slice) => {
                    self.nodes[id as usize].state = State::Covered(slice);
                    continue;
                }
                Foreseen::Later => {
                    later.push(id);
                    if later.len() >= LATER && self.waiting_for > 0 {
                        break;
                    }
                    continue;
                }
                Foreseen::Exceeds(rest) => {
                    self.nodes[id as usize].guess = Some(rest);
                    self.divide(id, State::Heavy);
                    continue;
                }
            }
            let node = &mut self.nodes[id as usize];
            node.state = State::Asked;
            self.handed += 1;
            self.waiting_for += 1;
            found.push((QuestionId(id), node.question.clone()));
        }
        for id in later.into_iter().rev() {
            self.queue.push_front(id);
        }
        found
    }

    /// A letter more, when the letters before it come to the total already. Folded letters count twice, so it may be wrong: see
    /// [`Self::takes_up_more`].
    fn is_spared(&self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        let (Some(axis), Some(parent)) = (node.along, node.parent) else { return false };
        let parent = &self.nodes[parent as usize];
        let by_letter = matches!(self.axes[axis], Axis::Prefix { .. }) && parent.state == State::Split(axis);
        by_letter && parent.total.is_some_and(|total| self.limit.counts(total) && parent.parts_total >= total)
    }

    /// Nothing is waiting: is there something that was put off?
    fn takes_up_more(&mut self) -> bool {
        self.confirm_totals();
        self.resolve_doubts()
            || self.revive()
            || self.new_letters()
            || self.other_case()
            || self.ask_again()
            || self.take_apart()
            || self.mend_leaks()
            || self.join_more()
    }

    /// Are more rows missing here than the parts know to be missing of their own?
    pub(super) fn lost_rows(&self, id: u32) -> bool {
        let missing = |node: &Node| node.total.map_or(0, |total| total.saturating_sub(node.lower));
        let node = &self.nodes[id as usize];
        let below = node.children.iter().map(|child| missing(&self.nodes[*child as usize]));
        missing(node) > below.fold(0, u64::saturating_add)
    }

    /// Parts that were spared, where rows are missing after all.
    fn revive(&mut self) -> bool {
        for id in std::mem::take(&mut self.spared) {
            let Some(parent) = self.nodes[id as usize].parent else { continue };
            if self.is_filled(0) || !self.lost_rows(parent) {
                continue;
            }
            self.nodes[parent as usize].parts_total = 0;
            self.nodes[id as usize].state = State::Waiting;
            self.queue.push_back(id);
        }
        !self.queue.is_empty()
    }

    /// A text that ends where a prefix ends comes with no longer prefix. Where rows are missing below a prefix whose answer was left
    /// early, it is read to its end.
    fn ask_again(&mut self) -> bool {
        if self.is_filled(0) {
            return false;
        }
        for id in 0..self.nodes.len() as u32 {
            let State::Split(axis) = self.nodes[id as usize].state else { continue };
            let by_letter = matches!(self.axes[axis], Axis::Prefix { .. }) && !self.useless[axis];
            if by_letter && self.nodes[id as usize].left && self.lost_rows(id) {
                let node = &mut self.nodes[id as usize];
                (node.again, node.left, node.state) = (Some(axis), false, State::Waiting);
                self.queue.push_back(id);
            }
        }
        !self.queue.is_empty()
    }

    /// The last part of a range: its total is what the other parts leave of the whole, so that it need not be asked to be split.
    fn foresee(&self, id: u32) -> Foreseen {
        let node = &self.nodes[id as usize];
        let Some(parent) = node.parent.map(|parent| &self.nodes[parent as usize]) else { return Foreseen::Nothing };
        if let Some(slice) = self.slice_of(id) {
            match self.nodes[slice as usize].state {
                State::Whole => return Foreseen::Covered(slice),
                State::Waiting | State::Asked => return Foreseen::Later,
                _ => {}
            }
        }
        // How several values are joined will be known soon.
        if node.along.is_some_and(|axis| !node.slice && self.is_probing(axis)) {
            return Foreseen::Later;
        }
        let ranged = matches!(parent.state, State::Split(axis) if matches!(self.axes[axis], Axis::Range { .. }));
        let Some(all) = parent.guess.filter(|all| ranged && self.limit.counts(*all)) else { return Foreseen::Nothing };
        let mut others = 0_u64;
        for other in parent.children.iter().filter(|other| **other != id) {
            let other = &self.nodes[*other as usize];
            match (other.state, other.guess) {
                (State::Asked, _) => return Foreseen::Later,
                (_, Some(guess)) => others = others.saturating_add(guess),
                (_, None) => return Foreseen::Nothing,
            }
        }
        let rest = all.saturating_sub(others);
        let known = node.sample.len() >= FORESIGHT;
        if known && self.limit.is_beyond(rest) { Foreseen::Exceeds(rest) } else { Foreseen::Nothing }
    }

    /// Nothing else is left: what is still in doubt is split, the largest first, for it decides about the others.
    pub(super) fn resolve_doubts(&mut self) -> bool {
        let mut doubted = std::mem::take(&mut self.doubted);
        doubted.sort_by_key(|id| std::cmp::Reverse(self.nodes[*id as usize].size.rows));
        for id in doubted {
            let node = &self.nodes[id as usize];
            if node.state != State::Undecided || self.is_abandoned(id) {
                continue;
            }
            if self.limit.doubts(node.size.rows, node.size.uneven_pages, node.total) {
                // A list that shows its end: only whether its total is a limit is in doubt.
                let ends = node.total == Some(node.size.rows) && node.size.rows > 0 && !self.limit.totals_are_limits;
                if ends {
                    self.count_or_divide(id);
                } else if !self.is_exhausted(id) && !self.nodes[id as usize].slice {
                    self.divide(id, State::Undecided);
                }
            } else {
                self.believe(id);
            }
        }
        !self.queue.is_empty()
    }

    pub(super) fn split_by(&self, node: &Node, useless: &[bool]) -> Option<(usize, Vec<Part>)> {
        split::split(&self.situation(node, &node.sample, useless))
    }

    pub(super) fn split_of(&self, node: &Node, sample: &[Sample]) -> Option<(usize, Vec<Part>)> {
        if let Some(axis) = node.lacks_value(&self.axes) {
            let mut useless = vec![true; self.axes.len()];
            useless[axis] = false;
            return split::split(&self.situation(node, sample, &useless));
        }
        let mut useless = self.useless.clone();
        node.tried.iter().for_each(|axis| useless[*axis] = true);
        (0..self.axes.len()).for_each(|axis| useless[axis] |= self.is_overspent(axis));
        // Their words are chosen one by one.
        useless.iter_mut().zip(&self.grown).for_each(|(useless, grown)| *useless |= *grown);
        split::split(&self.situation(node, sample, &useless))
    }

    /// Where answers hold few rows, a range is halved down to single numbers, and a beginning grows letter by letter: that may cost scores of
    /// questions for each record. A way of splitting that has cost so many is given up.
    fn is_overspent(&self, axis: usize) -> bool {
        let (least, each) = match self.axes[axis] {
            Axis::Range { .. } => (1000, 16),
            Axis::Prefix { .. } => (2000, 64),
            _ => return false,
        };
        self.health[axis].spent > least + each * self.ledger.distinct()
    }

    /// A question whose parts along an axis have fewer records than it has: some have no value there, or one that is in no list. It is
    /// split along another axis, if there is one, and the parts are given up.
    pub(super) fn mend_leak(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        let State::Split(axis) = node.state else { return };
        let Some(all) = node.total.filter(|all| self.limit.counts(*all)) else { return };
        if self.axes[axis].is_closed() || !matches!(self.axes[axis], Axis::Choice { .. }) {
            return;
        }
        let mut sum = 0_u64;
        for child in node.children.iter().map(|child| &self.nodes[*child as usize]) {
            match (child.state, child.total) {
                (State::Waiting | State::Asked | State::Failed, _) | (_, None) => return,
                (_, Some(total)) => sum = sum.saturating_add(total),
            }
        }
        if sum < all {
            self.split_anew(id, axis);
        }
    }

    /// Nothing else is left: questions of which rows are missing that no part knows to be missing are split along another axis.
    fn mend_leaks(&mut self) -> bool {
        if self.is_filled(0) {
            return false;
        }
        for id in 0..self.nodes.len() as u32 {
            let State::Split(axis) = self.nodes[id as usize].state else { continue };
            let counts = self.nodes[id as usize].total.is_some_and(|total| self.limit.counts(total));
            let whole =
                !self.axes[axis].is_closed() && !matches!(self.axes[axis], Axis::Prefix { .. } | Axis::Words { .. });
            if counts && whole && !self.is_abandoned(id) && self.lost_rows(id) {
                self.split_anew(id, axis);
            }
        }
        !self.queue.is_empty()
    }

    /// Gives up the parts along an axis for those along another one, if there is another one.
    pub(super) fn split_anew(&mut self, id: u32, axis: usize) {
        self.leaks[axis].fall_short();
        self.nodes[id as usize].tried.push(axis);
        let node = &self.nodes[id as usize];
        if self.split_of(node, &node.sample).is_none() {
            self.nodes[id as usize].tried.pop();
            return;
        }
        let node = &mut self.nodes[id as usize];
        node.parts_total = 0;
        for child in std::mem::take(&mut node.children) {
            self.nodes[child as usize].abandoned = true;
        }
        self.divide(id, State::Heavy);
    }

    fn situation<'a>(&'a self, node: &'a Node, sample: &'a [Sample], useless: &'a [bool]) -> Situation<'a> {
        let limit = self.limit.rows().filter(|limit| *limit > 0);
        Situation {
            axes: &self.axes,
            question: &node.question,
            sample,
            useless,
            total: node.guess,
            seen: &self.seen,
            totals: node.guess.is_some_and(|total| self.limit.counts(total)),
            answers: node.guess.zip(limit).map(|(total, limit)| total as f64 / limit as f64),
            joins: &self.joins,
            lopsided: node.lopsided % 2 == 1,
            leaks: &self.leaks,
        }
    }

    /// Splits a question, or leaves it as the point it is.
    pub(super) fn divide(&mut self, id: u32, point: State) {
        let node = &self.nodes[id as usize];
        let Some((axis, parts)) = self.split_of(node, &node.sample) else {
            self.nodes[id as usize].state = point;
            return;
        };
        if self.nodes.len() + parts.len() > NODES {
            self.against.insert(Reason::Budget);
            self.nodes[id as usize].state = point;
            return;
        }
        let node = &mut self.nodes[id as usize];
        node.state = State::Split(axis);
        // A choice may have to be taken back.
        let kept = matches!(self.axes[axis], Axis::Choice { .. } | Axis::Several { .. });
        let sample = if kept { node.sample.clone() } else { std::mem::take(&mut node.sample) };
        if let Axis::Prefix { letters, .. } = &self.axes[axis] {
            node.letters = letters.len();
        }
        self.ask_slices(id, axis, parts.len());
        for part in parts {
            self.add_part(id, axis, part, &sample);
        }
        self.join_waiting(id, axis);
    }

    /// A choice along which a second question is split: each of its values is asked alone first, if most of the answers should be
    /// whole. Such a slice spares the same value under every other question.
    fn ask_slices(&mut self, id: u32, axis: usize, values: usize) {
        let root = &self.nodes[0];
        let narrow =
            id != 0 && root.lacks_value(&self.axes).is_none() && matches!(self.axes[axis], Axis::Choice { .. });
        if !narrow || self.slices[axis].is_some() || self.nodes.len() + 2 * values > NODES {
            return;
        }
        self.splits[axis] += 1;
        let fits = root.guess.is_some_and(|total| !self.limit.is_beyond(total / values.max(1) as u64));
        if self.splits[axis] < 2 || !fits {
            return;
        }
        let parts = root.question.parts.clone();
        let first = self.nodes.len() as u32;
        self.slices[axis] = Some(first);
        for value in 0..values {
            let mut question = Question { parts: parts.clone() };
            question.parts[axis] = Part::Is(value);
            let mut node = Node::new(Some(0), question);
            (node.along, node.slice) = (Some(axis), true);
            self.nodes.push(node);
            self.queue.push_front(first + value as u32);
        }
    }

    /// The slice that a question is a part of.
    fn slice_of(&self, id: u32) -> Option<u32> {
        let node = &self.nodes[id as usize];
        let axis = node.along.filter(|_| !node.slice)?;
        let Part::Is(value) = node.question.parts[axis] else { return None };
        Some(self.slices[axis]? + value as u32)
    }

    pub(super) fn add_part(&mut self, id: u32, axis: usize, part: Part, sample: &[Sample]) {
        let parent = &self.nodes[id as usize];
        let depth = parent.depth + 1;
        let mut question = parent.question.clone();
        let belongs = |row: &&Sample| {
            row.values.get(axis).and_then(Option::as_ref).is_some_and(|value| part.holds(value) == Some(true))
        };
        let inherited: Vec<Sample> = sample.iter().filter(belongs).cloned().collect();
        question.parts[axis] = part;
        let mut child = Node::new(Some(id), question);
        child.sample = inherited;
        child.along = Some(axis);
        child.depth = depth;
        let child = self.add(child);
        self.nodes[id as usize].children.push(child);
    }

    /// Adds a question: to the queue, or split if the form cannot take it as it is: at once, or where there are many when its turn comes.
    pub(super) fn add(&mut self, node: Node) -> u32 {
        let id = self.nodes.len() as u32;
        let askable = node.lacks_value(&self.axes).is_none();
        self.nodes.push(node);
        if askable && self.queue.len() < BROAD {
            self.queue.push_back(id);
        } else if askable || id as usize >= BEFOREHAND {
            self.queue.push_front(id);
        } else {
            self.divide(id, State::Heavy);
        }
        id
    }

    /// Letters that rows have shown since a prefix was split are asked for too.
    fn new_letters(&mut self) -> bool {
        let before = self.nodes.len();
        for id in 0..before as u32 {
            let node = &self.nodes[id as usize];
            let State::Split(axis) = node.state else { continue };
            let Axis::Prefix { letters, .. } = &self.axes[axis] else { continue };
            let fresh: Vec<char> = letters.get(node.letters..).unwrap_or_default().to_vec();
            if fresh.is_empty() || self.useless[axis] || self.nodes.len() + fresh.len() > NODES {
                continue;
            }
            let text = if let Part::Begins(text) = &node.question.parts[axis] { text.clone() } else { String::new() };
            self.nodes[id as usize].letters = letters.len();
            if self.is_exhausted(id) {
                continue;
            }
            for letter in fresh {
                self.add_part(id, axis, Part::Begins(format!("{text}{letter}")), &[]);
            }
        }
        self.nodes.len() > before
    }

    /// Rows are missing below a beginning, and letters were asked in one case only: where case counts, the other one brings the rest.
    fn other_case(&mut self) -> bool {
        if self.is_filled(0) {
            return false;
        }
        for axis in 0..self.axes.len() {
            let lost = |id: &u32| self.nodes[*id as usize].state == State::Split(axis) && self.lost_rows(*id);
            let is_lost = matches!(self.axes[axis], Axis::Prefix { .. })
                && !self.both_cases[axis]
                && (0..self.nodes.len() as u32).any(|id| lost(&id));
            let Axis::Prefix { letters, .. } = &mut self.axes[axis] else { continue };
            if !is_lost {
                continue;
            }
            self.both_cases[axis] = true;
            let other = |letter: &char| {
                let (upper, lower): (Vec<char>, Vec<char>) =
                    (letter.to_uppercase().collect(), letter.to_lowercase().collect());
                let flipped = if upper == [*letter] { lower } else { upper };
                if let [one] = flipped[..] { Some(one) } else { None }
            };
            let more: Vec<char> = letters.iter().filter_map(other).filter(|one| !letters.contains(one)).collect();
            letters.extend(more);
        }
        self.new_letters()
    }

    /// Was it given up, or something above it?
    pub(super) fn is_abandoned(&self, id: u32) -> bool {
        self.ancestors(id).any(|above| self.nodes[above as usize].abandoned)
    }

    /// Is it known before asking that nothing new comes of it, or that the form will not understand it?
    pub(super) fn is_needless(&self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        let ignored =
            self.useless.iter().zip(&node.question.parts).any(|(useless, part)| *useless && *part != Part::Open);
        ignored
            || self.is_idle(node)
            || self.is_abandoned(id)
            || self.ancestors(id).skip(1).any(|above| self.is_exhausted(above))
    }
}
