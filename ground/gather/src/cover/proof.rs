//! What is proved by what was heard? The certificate, or why there is none, and what it cost.
//!
//! Formulas in [`super`]. Children come after their parents in the list of questions, so one pass from its end decides all.
//! Cost: O(questions + rows).

use super::estimate::estimate;
use super::node::{Node, State};
use super::space::{Axis, Part};
use super::statement::{Forecast, Reason, Statement};
use super::{Cover, Settings};

impl Cover {
    /// What has been reached so far.
    pub fn statement(&self) -> Statement {
        let proved = self.proved();
        let mut reasons = self.against.clone();
        if self.limit.is_contradicted() {
            reasons.insert(Reason::Totals);
        }
        if self.ledger.rows.is_empty() {
            reasons.insert(Reason::Nothing);
        }
        if !self.limit.stands() {
            reasons.insert(Reason::Wavering);
        }
        for (axis, of) in self.axes.iter().enumerate() {
            let bounded = matches!(of, Axis::Range { open: false, .. }) || of.whole().is_none();
            if bounded && !of.is_closed() {
                reasons.insert(Reason::MayLack(axis));
            }
        }
        if self.nodes.iter().any(|node| self.total_of(node.total).is_some_and(|total| node.lower > total)) {
            reasons.insert(Reason::Totals);
        }
        if self.rows_fell_through(&proved) {
            reasons.insert(Reason::Missing);
        }
        if self.parts_fall_short() {
            reasons.insert(Reason::Totals);
        }
        if proved[0] && self.is_counted(&proved) {
            if !self.is_recognized() {
                reasons.insert(Reason::Unsteady);
            }
            if !self.nodes[0].total.is_some_and(|total| self.limit.is_confirmed(total)) && self.part_lacks_rows() {
                reasons.insert(Reason::Heavy);
            }
        }
        if !proved[0] {
            self.explain(&proved, &mut reasons);
        }
        let certified = proved[0] && reasons.is_empty();
        let rows = self.ledger.distinct();
        let least = |each: u64| (each > 0).then(|| rows.div_ceil(each));
        let open = self
            .nodes
            .iter()
            .zip(&proved)
            .filter(|(node, proved)| !**proved && !node.slice && is_point(node.state))
            .count();
        Statement {
            certified,
            rows,
            estimate: if certified {
                None
            } else {
                estimate(rows, self.nodes[0].lower, self.repeats, self.total_of_all())
            },
            questions: self.questions,
            pages: self.pages,
            least_questions: self.limit.rows().and_then(least),
            least_pages: least(self.page),
            open: open as u64,
            reasons: reasons.into_iter().collect(),
        }
    }

    /// A total that counts records.
    fn total_of(&self, total: Option<u64>) -> Option<u64> {
        total.filter(|total| self.limit.counts(*total))
    }

    /// Are all records that match known to be seen, by a total that counts? Rows that do not match what was asked for may be counted
    /// under a question they do not belong to; only the open question has all of them.
    pub(super) fn is_filled(&self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        let is_open = node.question.parts.iter().all(|part| *part == Part::Open);
        let is_proved = |total: &u64| self.limit.proves(*total, self.page);
        (is_open || self.against.is_empty()) && node.total.filter(is_proved).is_some_and(|total| node.lower >= total)
    }

    /// The same by a total that may be a limit of counting: all parts are whole, and come to just as many records.
    fn is_filled_by_parts(&self, id: u32, proved: &[bool]) -> bool {
        let node = &self.nodes[id as usize];
        let is_open = node.question.parts.iter().all(|part| *part == Part::Open);
        let is_whole = |part: &u32| {
            // Dropped: asked together with others.
            proved[*part as usize] || matches!(self.nodes[*part as usize].state, State::Dropped | State::Spared)
        };
        (is_open || self.against.is_empty())
            && self.total_of(node.total) == Some(node.lower)
            && node.children.iter().all(is_whole)
            && node.children.iter().any(|part| proved[*part as usize])
    }

    /// The same, before everything was asked: a total that may be a limit of counting must not end the questions.
    pub(super) fn is_exhausted(&self, id: u32) -> bool {
        let total = self.nodes[id as usize].total.unwrap_or(0);
        self.limit.is_confirmed(total) && self.is_filled(id)
    }

    pub(super) fn proved(&self) -> Vec<bool> {
        let whole = |id: u32| self.nodes[id as usize].state == State::Whole;
        let mut proved = vec![false; self.nodes.len()];
        for id in (0..self.nodes.len()).rev() {
            let node = &self.nodes[id];
            proved[id] = match node.state {
                State::Whole => true,
                State::Covered(slice) => whole(slice),
                // What was in doubt when it came may be believed by now.
                State::Undecided
                    if !node.misses && !self.limit.doubts(node.size.rows, node.size.uneven_pages, node.total) =>
                {
                    true
                }
                State::Split(axis) => {
                    let all = |axis: usize| {
                        self.axes[axis].is_closed()
                            && !node.children.is_empty()
                            && node.children.iter().all(|child| proved[*child as usize])
                    };
                    all(axis) || self.is_filled(id as u32) || self.is_filled_by_parts(id as u32, &proved)
                }
                _ => self.is_filled(id as u32),
            } || self.is_all_by_itself(id, &proved);
        }
        proved
    }

    /// Rows of a cut answer that came in none of the parts, though these were read whole and should be everything.
    fn rows_fell_through(&self, proved: &[bool]) -> bool {
        let fell = |home: usize| {
            let node = &self.nodes[home];
            matches!(node.state, State::Split(axis) if self.axes[axis].is_closed())
                && node.children.iter().all(|child| proved[*child as usize])
        };
        // Several copies stay where most of them were seen at once: they do not tell.
        self.ledger.rows.values().any(|entry| entry.copies == 1 && !entry.in_leaf && fell(entry.home as usize))
    }

    /// Totals to which the totals of parts have come, each part smaller, are no limits. What was spared counts for nothing.
    pub(super) fn confirm_totals(&mut self) {
        let whole = |node: &Node| (node.state == State::Whole).then_some(node.size.rows);
        let spared = |node: &Node| (node.state == State::Spared).then_some(0);
        let mut totals: Vec<Option<u64>> =
            self.nodes.iter().map(|node| node.total.or(whole(node)).or(spared(node))).collect();
        let mut confirmed: Vec<u64> = Vec::new();
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let State::Split(axis) = node.state else { continue };
            if !matches!(self.axes[axis], Axis::Choice { .. } | Axis::Range { .. } | Axis::Prefix { .. }) {
                continue;
            }
            let mut parts = node.children.iter().map(|child| totals[*child as usize]);
            let most = node.children.iter().filter_map(|child| totals[*child as usize]).max();
            let Some(sum) = parts.try_fold(0_u64, |sum, part| Some(sum.saturating_add(part?))) else { continue };
            // A list that shows its end and has as many rows: the same proof as by counting (see `count`).
            let is_listed = node.size.rows == sum
                && node.lower == sum
                && sum > self.page
                && !(node.left || node.misses || self.leaks[axis].is_known());
            let is_total = node.total == Some(sum) && most.is_some_and(|most| most < sum);
            if is_total && (self.limit.counts(sum) || (is_listed && !self.limit.totals_are_limits)) {
                confirmed.push(sum);
            }
            totals[id] = totals[id].or(Some(sum));
        }
        confirmed.into_iter().for_each(|total| self.limit.add_up(total));
    }

    /// Does the proof count the records of several answers?
    fn is_counted(&self, proved: &[bool]) -> bool {
        let root = &self.nodes[0];
        let State::Split(axis) = root.state else { return false };
        let is_closed = self.axes[axis].is_closed() && root.children.iter().all(|child| proved[*child as usize]);
        !is_closed && !self.is_all_by_itself(0, proved)
    }

    /// Whoever counts records of several answers must know them again: most of those that the open question showed came in its parts, too.
    fn is_recognized(&self) -> bool {
        let root = &self.nodes[0];
        let State::Split(axis) = root.state else { return true };
        let alone = self.ledger.rows.values().filter(|entry| entry.home == 0).count() as u64;
        let least = match self.axes[axis] {
            Axis::Words { .. } | Axis::Several { .. } => root.size.rows.div_ceil(10),
            _ => root.size.rows / 2,
        };
        alone + least <= root.size.rows
    }

    /// Does a part that could not be split have more records than were seen of it?
    fn part_lacks_rows(&self) -> bool {
        let is_part = |id: u32| {
            let along = self.nodes[id as usize].along.map(|axis| &self.axes[axis]);
            id == 0 || matches!(along, Some(Axis::Choice { .. } | Axis::Range { .. } | Axis::Prefix { .. }))
        };
        (0..self.nodes.len() as u32).any(|id| {
            let node = &self.nodes[id as usize];
            matches!(node.state, State::Heavy | State::Moved)
                && !node.slice
                && self.total_of(node.total).is_some_and(|total| node.lower.max(node.size.rows) < total)
                && self.ancestors(id).all(is_part)
                && !self.is_abandoned(id)
        })
    }

    /// Parts that should be everything, by what is known of the field, and whose totals come to less: records lack a value after
    /// all, or bounds do not mean what they say.
    fn parts_fall_short(&self) -> bool {
        let whole = |node: &Node| (node.state == State::Whole).then_some(node.size.rows);
        let mut totals: Vec<Option<u64>> = self.nodes.iter().map(|node| node.total.or(whole(node))).collect();
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let State::Split(axis) = node.state else { continue };
            let mut parts = node.children.iter().map(|child| totals[*child as usize]);
            let sum = parts.try_fold(0_u64, |sum, part| Some(sum.saturating_add(part?)));
            let Some(sum) = sum else { continue };
            if self.axes[axis].is_closed() && self.total_of(node.total).is_some_and(|total| sum < total) {
                return true;
            }
            totals[id] = totals[id].or(Some(sum));
        }
        false
    }

    fn explain(&self, proved: &[bool], reasons: &mut std::collections::BTreeSet<Reason>) {
        let mut left = false;
        for (id, node) in self.nodes.iter().enumerate() {
            if proved[id]
                || node.slice
                || self.is_abandoned(id as u32)
                || self.ancestors(id as u32).any(|above| proved[above as usize])
            {
                continue;
            }
            match node.state {
                State::Waiting | State::Asked => left = true,
                State::Heavy => drop(reasons.insert(Reason::Heavy)),
                State::Undecided => drop(reasons.insert(Reason::Undecided)),
                State::Moved => drop(reasons.insert(Reason::Moved)),
                State::Failed => drop(reasons.insert(Reason::Failed)),
                State::Split(axis) if !self.axes[axis].is_closed() => drop(reasons.insert(Reason::MayLack(axis))),
                State::Split(_)
                | State::Whole
                | State::Covered(_)
                | State::Spared
                | State::Counted
                | State::Dropped => {}
            }
        }
        let useless = (0..self.axes.len()).filter(|axis| self.useless[*axis]);
        reasons.extend(useless.map(Reason::Ignored));
        if left {
            let spent = self.waiting_for == 0 && !self.has_budget();
            reasons.insert(if spent { Reason::Budget } else { Reason::Unfinished });
        }
    }

    /// The total of the open question, if nothing contradicts that it counts.
    fn total_of_all(&self) -> Option<u64> {
        let root = &self.nodes[0];
        let is_open = root.question.parts.iter().all(|part| *part == Part::Open);
        root.total.filter(|total| self.limit.may_count(*total) && is_open && *total >= root.lower)
    }

    /// About how many questions and pages it will take in all, from what is known now.
    ///
    /// With n rows to come, a split that is even leaves answers that are between half full and full, hence n/K to 2 n/K leaves,
    /// and as many questions again that were cut. Each question costs a page, each page of a leaf at least its rows.
    pub fn forecast(&self) -> Forecast {
        let Settings { questions: most_questions, pages: most_pages, .. } = self.settings;
        let values = self.axes.iter().map(|axis| match axis {
            Axis::Choice { values, .. } | Axis::Several { values, .. } | Axis::Words { values, .. } => {
                values.len() as u64
            }
            Axis::Range { .. } | Axis::Prefix { .. } => 0,
        });
        let values = values.max().unwrap_or(0);
        let Some(rows) =
            self.nodes[0].total.or_else(|| (self.nodes[0].state == State::Whole).then_some(self.ledger.distinct()))
        else {
            let capped = |most: Option<u64>, done: u64| most.map(|most| (done, most));
            return Forecast {
                questions: capped(most_questions, self.questions),
                pages: capped(most_pages, self.pages),
            };
        };
        let per_answer = self.limit.rows().unwrap_or(rows).max(1);
        let per_page = if self.page > 0 { self.page } else { per_answer };
        let answers = rows.div_ceil(per_answer);
        let within = |low: u64, high: u64, done: u64, most: Option<u64>| {
            let most = most.unwrap_or(u64::MAX);
            (low.max(done).min(most), high.max(done).min(most))
        };
        let questions = if answers <= 1 {
            (1, 3 + values)
        } else {
            (answers, answers.saturating_mul(4).saturating_add(values + 1))
        };
        let pages = rows.div_ceil(per_page);
        let pages = (pages, pages.saturating_add(questions.1));
        Forecast {
            questions: Some(within(questions.0, questions.1, self.questions, most_questions)),
            pages: Some(within(pages.0, pages.1, self.pages, most_pages)),
        }
    }
}

fn is_point(state: State) -> bool {
    matches!(state, State::Heavy | State::Undecided | State::Moved)
}
