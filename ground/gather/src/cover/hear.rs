//! What does an answer change? Rows are counted and compared with what was asked, totals with each other, and then the question is
//! whole, in doubt, or split.
//!
//! Cost: O(rows x (axes + depth)) an answer.

use std::collections::{HashMap, HashSet};

use super::ledger::{self, Entry};
use super::node::{Short, Size, State};
use super::space::{Axis, Cut, Heard, Part, Value};
use super::split::{self, Sample};
use super::statement::Reason;
use super::{Cover, QuestionId, SAMPLE, sample_of};

/// Answers equal to their parent's after which a field is held for one the form takes no notice of.
const ECHOES: u32 = 3;

/// Answers without a new row and no smaller than their parent's, one after the other, after which the same is held.
const STALE: u32 = 32;

impl Cover {
    /// The answer has been read as far as it will be.
    pub fn hear(&mut self, id: QuestionId, heard: &Heard<'_>) {
        if !self.answered(id) {
            return;
        }
        let at = id.0 as usize;
        self.pages += heard.pages.len() as u64;
        let longest = heard.pages.iter().map(Vec::len).max().unwrap_or(0) as u64;
        self.page = self.page.max(longest);
        let listed = heard.listed();
        if let Some(health) = self.nodes[at].along.and_then(|axis| self.health.get_mut(axis)) {
            health.spent += 1;
        }
        self.limit.learn(heard);
        let (keys, moved) = ledger::tally(heard.pages);
        self.repeats |= moved;
        let cut = heard.more || heard.cut == Cut::Yes || heard.said.is_some_and(|said| said > listed);
        // The open question must not be believed when it brings nothing: many forms ask for at least one word.
        let doubted = self.limit.doubts(listed, heard.uneven(), heard.said) && (listed > 0 || id.0 == 0);
        let whole = !cut && !moved && !doubted;

        if self.hear_joined(id.0, &keys, whole) {
            return;
        }
        if self.nodes[at].counted {
            self.check_rows(at, heard);
            return self.hear_counted(id.0, heard, &keys);
        }
        if let Some(axis) = self.nodes[at].again {
            self.check_rows(at, heard);
            self.enter(id.0, &keys, false);
            self.nodes[at].state = State::Split(axis);
            return;
        }
        self.nodes[at].left = heard.more;
        self.nodes[at].cut = if cut || moved { Short::Yes } else { Short::No };
        if !heard.more {
            self.count_level(at, !whole);
        }
        self.check_rows(at, heard);
        let misses = self.nodes[at].sample.iter().any(|known| !keys.contains_key(&known.key));
        let rows = self.ledger.distinct();
        self.enter(id.0, &keys, !cut && (whole || id.0 != 0));
        self.check_totals(at, heard);
        let gained = self.ledger.distinct() > rows;
        self.listen_for_echo(at, heard, gained);

        self.nodes[at].size = Size { rows: listed, uneven_pages: heard.uneven() };
        self.nodes[at].misses = misses;
        self.compare_totals(id.0);
        self.judge(id.0, heard, (whole, cut, moved));
        self.compare_joined(id.0, &keys, gained);
        if let Some(parent) = self.nodes[at].parent.filter(|_| !self.nodes[at].slice && !self.nodes[at].abandoned) {
            self.mend_leak(parent);
        }
    }

    /// Takes the answer for whole, leaves it in doubt, or splits the question.
    fn judge(&mut self, id: u32, heard: &Heard<'_>, (whole, cut, moved): (bool, bool, bool)) {
        let at = id as usize;
        if whole {
            self.believe(id);
            return;
        }
        self.keep_sample(at, heard);
        if !cut && !moved {
            // Others may have more rows, and then it is whole after all.
            self.nodes[at].state = State::Undecided;
            self.doubted.push(id);
            return;
        }
        let point = if cut { State::Heavy } else { State::Moved };
        self.nodes[at].state = point;
        if !self.is_exhausted(id) && !self.nodes[at].slice {
            self.divide(id, point);
        }
    }

    fn count_level(&mut self, at: usize, cut: bool) {
        const DEEPEST: usize = 256;
        let depth = self.nodes[at].depth as usize;
        if depth >= DEEPEST {
            return;
        }
        if self.levels.len() <= depth {
            self.levels.resize(depth + 1, (0, 0));
        }
        let (read, of_them) = &mut self.levels[depth];
        *read = read.saturating_add(1);
        *of_them = of_them.saturating_add(u32::from(cut));
    }

    /// Takes an answer for whole. Known rows that belong there must have come.
    pub(super) fn believe(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        node.state = State::Whole;
        node.sample = Vec::new();
        if node.misses {
            self.against.insert(Reason::Missing);
        }
    }

    /// Do the rows match what was asked for, and do they have a value at all?
    pub(super) fn check_rows(&mut self, at: usize, heard: &Heard<'_>) {
        for row in heard.pages.iter().flatten() {
            for (leak, part) in self.leaks.iter_mut().zip(&self.nodes[at].question.parts) {
                if matches!(part, Part::Is(_)) {
                    leak.bring(row.key);
                }
            }
            for (axis, value) in row.values.iter().enumerate().take(self.axes.len()) {
                let Some(value) = value else { continue };
                if let Value::Number(number) = value {
                    let (low, high) = self.seen[axis].unwrap_or((*number, *number));
                    self.seen[axis] = Some((low.min(*number), high.max(*number)));
                }
                if self.nodes[at].question.parts[axis].holds(value) == Some(false) {
                    self.against.insert(Reason::Mismatch(axis));
                }
                let outside = match (&self.axes[axis], value) {
                    (_, Value::Lacking) => true,
                    (Axis::Range { low, high, .. }, Value::Number(number)) => {
                        low.is_some_and(|low| *number < low) || high.is_some_and(|high| *number > high)
                    }
                    (Axis::Choice { values, .. } | Axis::Several { values, .. }, Value::Is(index)) => {
                        *index >= values.len()
                    }
                    _ => false,
                };
                if outside {
                    let in_part = matches!(self.nodes[at].question.parts[axis], Part::Is(_));
                    self.leaks[axis].lack(row.key, in_part);
                }
                if outside && self.axes[axis].is_closed() {
                    self.against.insert(Reason::Lacks(axis));
                }
                if let (Axis::Prefix { letters, .. }, Value::Text(text)) = (&mut self.axes[axis], value) {
                    learn_letters(letters, text, &self.nodes[at].question.parts[axis]);
                }
            }
        }
    }

    /// Counts the rows where they belong.
    pub(super) fn enter(&mut self, id: u32, keys: &HashMap<u128, u32>, leaf: bool) {
        for (key, copies) in keys {
            let known = self.ledger.rows.get(key).copied();
            let mut entry = known.unwrap_or(Entry { home: id, copies: 0, in_leaf: false });
            entry.in_leaf |= leaf;
            // Fewer copies than above: the others lie elsewhere, and all stay where they are.
            let moves_down = known.is_some_and(|known| {
                known.home != id && known.copies <= *copies && self.ancestors(id).any(|above| above == known.home)
            });
            if known.is_none() || entry.home == id || moves_down {
                let copies = entry.copies.max(*copies);
                // From the old home up the number is the same as before, but for the new copies.
                let stop = known.map(|known| known.home);
                let (added, more) = (u64::from(copies), u64::from(copies - entry.copies));
                let mut above = Some(id);
                let mut below_old = stop != Some(id);
                while let Some(at) = above {
                    if Some(at) == stop {
                        below_old = false;
                    }
                    let node = &mut self.nodes[at as usize];
                    node.lower += if below_old { added } else { more };
                    above = node.parent;
                }
                entry.home = id;
                entry.copies = copies;
            }
            self.ledger.rows.insert(*key, entry);
        }
    }

    fn check_totals(&mut self, at: usize, heard: &Heard<'_>) {
        self.nodes[at].total = heard.said;
        self.nodes[at].guess = heard.said;
        let (Some(said), Some(parent)) = (heard.said, self.nodes[at].parent) else { return };
        let along = self.nodes[at].along;
        let parent = &mut self.nodes[parent as usize];
        let Some(axis) = along.filter(|axis| parent.state == State::Split(*axis)) else { return };
        let Some(all) = parent.guess else { return };
        let mut clash = said > all;
        parent.parts_total = parent.parts_total.saturating_add(said);
        // Only ranges are sure to exclude each other.
        clash |= matches!(self.axes[axis], Axis::Range { .. }) && parent.parts_total > all;
        clash &= parent.total.is_some();
        let (lopsided, near) = (parent.lopsided, u128::from(said) * 20 > u128::from(all) * 17);
        if clash {
            self.limit.totals_lie = true;
        }
        self.nodes[at].lopsided = if near { lopsided.saturating_add(1) } else { 0 };
    }

    /// More records than a total above says: it is a limit of counting, or a record was read in two ways.
    fn compare_totals(&mut self, id: u32) {
        let above: Vec<u32> = self.ancestors(id).collect();
        for above in above {
            let node = &self.nodes[above as usize];
            let Some(total) = node.total.filter(|total| node.lower > *total && self.limit.counts(*total)) else {
                continue;
            };
            self.limit.revoke(total);
            self.against.insert(Reason::Totals);
        }
    }

    /// A field whose every value brings the answer of the question without it is not heeded.
    fn listen_for_echo(&mut self, at: usize, heard: &Heard<'_>, gained: bool) {
        let first = heard.pages.first().map_or(&[][..], |page| page.as_slice());
        let print = first
            .iter()
            .fold(first.len() as u128, |mixed, row| mixed.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ row.key);
        self.nodes[at].print = print;
        let Some(parent) = self.nodes[at].parent else { return };
        let above = &self.nodes[parent as usize];
        let Some(axis) = self.nodes[at].along.filter(|axis| above.state == State::Split(*axis)) else { return };
        let echo = !first.is_empty() && above.print == print && above.total == heard.said;
        let selects = match (heard.said, above.guess) {
            (Some(said), Some(all)) => said < all,
            _ => !heard.more && heard.listed() < above.size.rows,
        };
        let gained = gained || selects;
        let health = &mut self.health[axis];
        if echo {
            health.echoes += 1
        } else {
            health.differs = true
        }
        health.stale = if gained { 0 } else { health.stale + 1 };
        let echoes = health.echoes >= ECHOES && !health.differs;
        let chosen_anew = matches!(self.axes[axis], Axis::Words { .. });
        if (echoes || (health.stale >= STALE && !chosen_anew)) && !self.useless[axis] {
            self.useless[axis] = true;
            let split: Vec<u32> = (0..self.nodes.len() as u32)
                .filter(|id| self.nodes[*id as usize].state == State::Split(axis))
                .filter(|id| !self.is_needless(*id))
                .collect();
            for id in split {
                self.nodes[id as usize].children.clear();
                self.divide(id, State::Heavy);
            }
        }
    }

    fn keep_sample(&mut self, at: usize, heard: &Heard<'_>) {
        let node = &mut self.nodes[at];
        let known: HashSet<u128> = node.sample.iter().map(|row| row.key).collect();
        let rows = heard
            .pages
            .iter()
            .flatten()
            .filter(|row| !known.contains(&row.key) && row.values.iter().any(Option::is_some));
        let mut sample: Vec<Sample> = rows.take(SAMPLE).map(sample_of).collect();
        // The answer's own rows first: those of the parents may come from one end of a list.
        sample.append(&mut node.sample);
        sample.truncate(SAMPLE);
        node.sample = sample;
    }
}

/// A letter that follows what was asked for and is not among the letters.
fn learn_letters(letters: &mut Vec<char>, text: &str, part: &Part) {
    const MOST: usize = 2000;
    let beginning = if let Part::Begins(beginning) = part { beginning.as_str() } else { "" };
    if let Some(letter) = split::next_letter(text, beginning)
        && letters.len() < MOST
        && split::place_of(letter, letters).is_none()
    {
        letters.push(letter);
    }
}
