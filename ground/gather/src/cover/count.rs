//! A list shows its end and an exact total of as many rows: is it all, or is that total the limit of the form?
//!
//! ```text
//! count   the parts along one axis are asked for their totals t1, ..., tk: the first page of each is enough
//! sum     t1 + ... + tk = T, each less than T, and no row that the list has not shown: T is no limit, and the list is all
//!         a row that shows no value there speaks against it: the parts should come to less
//! more    records with several values, or a list that was cut: another axis; if none adds up, the parts are read to their ends: where
//!         they show no row that the list has not shown, records have several values; else, or where the parts come to more than
//!         [`MORE`] times the list, it is split like any other; so it is where they show a row that only another list has shown
//! less    records without a value there: another axis is tried, three at most
//! new     a row that the list has not shown: the list was cut in silence, and is split like any other
//! long    no axis but lists of many values or fields of several: three values are counted, so that lists of other sizes are seen
//! odd     no axis adds up: T is believed if lists of two sizes had as many rows as their totals, and T is not a number that a
//!         program is made to stop at (`usual` in [`super::limit`]); where there was nothing to add up, other T are split like any other
//! earn    nothing but the list of another size is wanting: the part with the smallest total is read to its end
//! parts   no totals, but the list and its parts along an axis have the same rows, all parts are proved and shorter than the list, and
//!         its length is not such a number
//! ```
//!
//! Assumes for *sum*: that a form which stops at K does not hold exactly K records with a value and others without one, at the end of
//! its list; where one full page is all there is, that is not assumed: two axes must add up, or the same records come in another order, as
//! the first rows of a longer list would not. Cost: a request for each part, the pages of the shortest, and
//! where parts come to more their pages.
//! Source: spec of certificates (whole, parts, without totals).

use std::collections::{BTreeSet, HashMap};

use super::Cover;
use super::limit::is_usual;
use super::node::{Node, Short, State};
use super::space::{Axis, Heard, Part};

/// Axes along which parts are counted.
const TRIES: usize = 3;
/// Parts that are counted along one axis.
const PARTS: usize = 40;
/// Parts that come to so many times the list are not read to see whether it is cut.
const MORE: u64 = 4;
/// Values that are counted of a list that is longer.
const SOME: usize = 3;

/// How many parts an axis has whose totals come to the whole. Words are no such parts.
fn adds_up(axis: &Axis) -> Option<usize> {
    match axis {
        Axis::Choice { values, .. } if values.len() <= PARTS => Some(values.len()),
        Axis::Prefix { letters, .. } if letters.len() <= PARTS => Some(letters.len()),
        // A split in two; but numbers may have to be learned first.
        Axis::Range { .. } => Some(8),
        _ => None,
    }
}

impl Cover {
    /// Asks the parts of a list that shows its end for their totals. False if there is no axis left for that.
    pub(super) fn count_parts(&mut self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        if self.limit.totals_are_limits || node.tried.len() >= TRIES || node.lacks_value(&self.axes).is_some() {
            return false;
        }
        let free = |axis: &usize| {
            !self.useless[*axis] && !node.tried.contains(axis) && node.question.parts[*axis] == Part::Open
        };
        let mut axes: Vec<(usize, usize)> = (0..self.axes.len())
            .filter(free)
            .filter_map(|axis| adds_up(&self.axes[axis]).map(|parts| (parts, axis)))
            .collect();
        axes.sort_unstable();
        for (_, axis) in axes {
            let mut useless = vec![true; self.axes.len()];
            useless[axis] = false;
            let node = &self.nodes[id as usize];
            let Some((axis, parts)) = self.split_by(node, &useless).filter(|(_, parts)| parts.len() > 1) else {
                continue;
            };
            self.ask_counts(id, axis, parts);
            return true;
        }
        false
    }

    fn ask_counts(&mut self, id: u32, axis: usize, parts: Vec<Part>) {
        let node = &mut self.nodes[id as usize];
        node.tried.push(axis);
        let question = node.question.clone();
        let depth = node.depth + 1;
        for part in parts {
            let mut child = Node::new(Some(id), question.clone());
            child.question.parts[axis] = part;
            (child.along, child.counted, child.depth) = (Some(axis), true, depth);
            let child = self.add(child);
            self.nodes[id as usize].children.push(child);
        }
    }

    /// A list that shows its end: its parts are counted; where nothing adds up, some values of a long list, for lists of other sizes. What
    /// may be cut all the same is split.
    pub(super) fn count_or_divide(&mut self, id: u32) {
        if self.count_parts(id) || !self.nodes[id as usize].tried.is_empty() || self.count_some(id) {
            return;
        }
        let believed = self.is_listed_whole(&self.nodes[id as usize]);
        if !believed && !self.is_exhausted(id) && !self.nodes[id as usize].slice {
            self.divide(id, State::Undecided);
        }
    }

    /// Asks some values of a long list, or of a field of several, for their totals.
    fn count_some(&mut self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        let is_open = |axis: &usize| !self.useless[*axis] && node.question.parts[*axis] == Part::Open;
        if self.limit.totals_are_limits || node.lacks_value(&self.axes).is_some() {
            return false;
        }
        let values = |axis: usize| match &self.axes[axis] {
            Axis::Choice { values, .. } | Axis::Several { values, .. } => Some((axis, values.len())),
            _ => None,
        };
        let Some((axis, values)) = (0..self.axes.len()).filter(is_open).find_map(values) else { return false };
        let some: BTreeSet<usize> = (0..SOME).map(|nth| nth * values.saturating_sub(1) / (SOME - 1)).collect();
        self.ask_counts(id, axis, some.into_iter().map(Part::Is).collect());
        true
    }

    /// The first page of a part that is asked for its total.
    pub(super) fn hear_counted(&mut self, id: u32, heard: &Heard<'_>, keys: &HashMap<u128, u32>) {
        let at = id as usize;
        self.nodes[at].total = heard.said;
        self.nodes[at].size.rows = heard.listed();
        self.nodes[at].state = State::Counted;
        let Some(parent) = self.nodes[at].parent else { return };
        let new: HashMap<u128, u32> = keys
            .iter()
            .filter(|(key, _)| !self.ledger.rows.contains_key(*key))
            .map(|(key, copies)| (*key, *copies))
            .collect();
        self.enter(parent, &new, false);
        if self.nodes[parent as usize].state != State::Undecided {
            return;
        }
        let is_read_on = self.nodes[at].again.is_some();
        if is_read_on && new.is_empty() {
            // Known from elsewhere: nothing tells whether the list has shown it.
            let cut = self.nodes[parent as usize].cut;
            if cut == Short::Perhaps && !keys.keys().all(|key| self.is_counted_below(parent, *key)) {
                self.nodes[parent as usize].cut = Short::Yes;
            }
            return self.have_read(parent);
        }
        if !new.is_empty() {
            self.limit.totals_are_limits = true;
            self.give_up_count(parent);
            self.nodes[parent as usize].tried.clear();
            return self.divide(parent, State::Heavy);
        }
        self.add_up(parent);
    }

    /// Does a row count for this question, or for one below it?
    fn is_counted_below(&self, id: u32, key: u128) -> bool {
        let entry = self.ledger.rows.get(&key);
        entry.is_some_and(|entry| self.ancestors(entry.home).any(|above| above == id))
    }

    fn give_up_count(&mut self, id: u32) {
        for child in std::mem::take(&mut self.nodes[id as usize].children) {
            self.nodes[child as usize].abandoned = true;
        }
    }

    /// Are all parts counted, and what do they come to?
    pub(super) fn add_up(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        let all = node.size.rows;
        let mut sum = 0_u64;
        let mut smaller = true;
        for child in node.children.iter().map(|child| &self.nodes[*child as usize]) {
            match (child.state, child.total) {
                (State::Counted, Some(total)) => {
                    sum = sum.saturating_add(total);
                    smaller &= total < all;
                }
                (State::Counted, None) | (State::Failed, _) => smaller = false,
                _ => return,
            }
        }
        let part = |child: &u32| &self.nodes[*child as usize];
        let is_shown = node.children.iter().map(part).all(|part| part.total == Some(part.size.rows));
        let axis = node.children.first().and_then(|child| self.nodes[*child as usize].along);
        let is_some = axis.is_some_and(|axis| adds_up(&self.axes[axis]).is_none());
        if is_some {
            self.give_up_count(id);
            if !self.is_listed_whole(&self.nodes[id as usize]) && !self.earn(id) {
                self.nodes[id as usize].tried.clear();
                self.divide(id, State::Undecided);
            }
            return;
        }
        // Rows of the list that show no value there come in none of the parts: what comes to as many is not the same.
        let lacks = axis.is_some_and(|axis| self.leaks[axis].is_known_of(|key| self.is_counted_below(id, key)));
        if smaller && sum == all && !lacks {
            // One full page may be all that is ever shown.
            if all > self.page || self.is_reordered(all) || std::mem::replace(&mut self.nodes[id as usize].summed, true)
            {
                return self.limit.add_up(all);
            }
        }
        self.give_up_count(id);
        // More than it has itself: a list that was cut, or records with several values, if each part shows all it has and nothing else.
        let node = &mut self.nodes[id as usize];
        if lacks && sum == all {
            node.cut = Short::Yes;
        } else if sum > all && !is_shown && node.cut == Short::No {
            node.cut = Short::Perhaps;
        }
        if self.count_parts(id) || self.read_parts(id) {
            return;
        }
        if self.nodes[id as usize].cut == Short::No {
            self.earn(id);
        } else {
            self.nodes[id as usize].cut = Short::Yes;
            self.nodes[id as usize].tried.clear();
            self.divide(id, State::Heavy);
        }
    }

    /// Reads parts to their ends that come to more than the list has, along each axis: if it was cut, they have records that it does not
    /// show.
    fn read_parts(&mut self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        if node.cut != Short::Perhaps {
            return false;
        }
        let mut sums: HashMap<usize, u64> = HashMap::new();
        let mut longer: Vec<Node> = Vec::new();
        for part in self.nodes.iter().filter(|part| part.parent == Some(id) && part.counted) {
            let Some(axis) = part.along.filter(|_| part.again.is_none()) else { return false };
            let sum = sums.entry(axis).or_default();
            *sum = sum.saturating_add(part.total.unwrap_or(0));
            longer.extend((part.total != Some(part.size.rows)).then(|| part.clone()));
        }
        longer.retain(|part| part.along.is_some_and(|axis| sums[&axis] > node.size.rows));
        if sums.values().any(|sum| *sum > node.size.rows.saturating_mul(MORE)) {
            return false;
        }
        longer.iter().for_each(|part| self.read_part(id, part));
        true
    }

    fn read_part(&mut self, id: u32, part: &Node) {
        let mut again = Node::new(Some(id), part.question.clone());
        (again.along, again.counted, again.depth, again.again) = (part.along, true, part.depth, part.along);
        let again = self.add(again);
        self.nodes[id as usize].children.push(again);
    }

    /// Reads the part with the smallest total to its end, if nothing but a list of another size is wanting. False: that would not help.
    fn earn(&mut self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        if self.limit.is_earned_twice() || self.limit.totals_are_limits || !self.is_odd(node) {
            return false;
        }
        let parts = || self.nodes.iter().filter(|part| part.parent == Some(id) && part.counted);
        if parts().any(|part| part.again.is_some()) {
            return false;
        }
        let has_rows = |part: &&Node| part.total.is_some_and(|total| (1..node.size.rows).contains(&total));
        let Some(shortest) = parts().filter(has_rows).min_by_key(|part| part.total) else { return false };
        let shortest = shortest.clone();
        self.read_part(id, &shortest);
        true
    }

    /// What was to be read of the parts was read, and shows nothing new: the list is not cut, and what was to be earned is earned. Or it
    /// is split, where it can be.
    fn have_read(&mut self, id: u32) {
        let parts = || self.nodes[id as usize].children.iter().map(|child| &self.nodes[*child as usize]);
        if parts().any(|part| matches!(part.state, State::Waiting | State::Asked)) {
            return;
        }
        let axis = parts().next().and_then(|part| part.along);
        let is_read = parts().all(|part| part.state == State::Counted && part.total == Some(part.size.rows));
        self.give_up_count(id);
        let cut = &mut self.nodes[id as usize].cut;
        if *cut == Short::Perhaps {
            *cut = if is_read { Short::No } else { Short::Yes };
        }
        let can_be_split = *cut == Short::Yes || axis.is_some_and(|axis| adds_up(&self.axes[axis]).is_none());
        if can_be_split && !self.is_listed_whole(&self.nodes[id as usize]) {
            self.nodes[id as usize].tried.clear();
            self.divide(id, State::Undecided);
        }
    }

    /// As many rows as its total, which is not usual, and totals were earned twice.
    pub(super) fn is_listed_whole(&self, node: &Node) -> bool {
        self.limit.is_earned_twice() && self.is_odd(node)
    }

    /// As many rows as its total, which is not usual. One full page may be all that is ever shown: no other list may be as long.
    fn is_odd(&self, node: &Node) -> bool {
        let rows = node.size.rows;
        let is_full_page = rows == self.page && self.limit.is_shared(rows);
        let is_read = !(node.left || node.misses || node.cut != Short::No);
        is_read && node.total == Some(rows) && node.lower == rows && !is_full_page && !is_usual(rows, self.page)
    }

    /// Did a page of so many rows, the whole list, come in another order with the same records?
    fn is_reordered(&self, rows: u64) -> bool {
        rows > 0 && self.settings.reordered == Some(rows)
    }

    /// A list that shows its end, and of which nothing but a limit at just its length could be hidden.
    pub(super) fn is_all_by_itself(&self, id: usize, proved: &[bool]) -> bool {
        let node = &self.nodes[id];
        if node.left
            || node.size.rows == 0
            || is_usual(node.size.rows, self.page)
            || node.misses
            || node.cut != Short::No
        {
            return false;
        }
        if node.total == Some(node.size.rows) {
            // Words were asked below it for want of parts that add up: they take nothing away.
            let is_asked_by_words = matches!(node.state, State::Split(axis) if adds_up(&self.axes[axis]).is_none());
            return (node.state == State::Undecided || is_asked_by_words) && self.is_listed_whole(node);
        }
        let State::Split(axis) = node.state else { return false };
        let part = |child: &u32| {
            let child_at = *child as usize;
            proved[child_at] && self.nodes[child_at].size.rows < node.size.rows
        };
        let same = || node.lower == node.size.rows && !self.ledger.rows.values().any(|entry| entry.home as usize == id);
        node.total.is_none()
            && matches!(self.axes[axis], Axis::Choice { .. } | Axis::Range { .. })
            && !node.children.is_empty()
            && node.children.iter().all(part)
            && same()
    }
}
