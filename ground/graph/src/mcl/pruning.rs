//! Which entries of a new column stay, and what they become.
//!
//! Rule, per page (an entry of a class of c twins counts as c equal ones): values below the cutoff go; if then less than the recovery
//! share of the flow is left, on fewer pages than the recovery number, the greatest values come back until that number is reached;
//! if otherwise more pages are left than the selection number, the greatest of them stay, or if these hold less than the
//! recovery share, as many as the recovery number. What stays is made to sum up to 1, raised to the inflation, and made to sum up to 1 again.
//! Entries that are *faint* after that may go too; they are what high inflation leaves of small flows.
//! Two departures from mcl, both for the sake of time, both of what inflation leaves next to nothing of (less than [`FADES`] of a
//! column): values do not come back if all that could come back would hold less than that; and where the number of pages ends
//! within a group of equal values, mcl keeps the whole group. A page linked from everywhere makes such groups of thousands, which
//! are the greater part of all its work. Here such a group goes as a whole if it would hold less than that; otherwise its first
//! classes stay, until the number is reached.
//! Source: manual of mcl 22-282, PRUNING OPTIONS.
//! Cost: linear in the entries of the column; the border is found by halving (quickselect).
//! Not guaranteed: the same column after a renumbering of the nodes, where a tie is cut within.

use super::Settings;
use super::matrix::Entry;

/// The share of a column, after inflation, that is next to nothing.
const FADES: f64 = 0.01;

/// What stays on a page itself, where that differs from what goes to its twins: a row of no class.
pub(super) const SELF: u32 = u32::MAX;

/// A candidate for a place in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) row: u32,
    /// The flow to each page.
    pub(super) value: f32,
    /// How many pages there are.
    pub(super) pages: u32,
}

/// What was found of a column before any of it was pruned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// The flow to all pages that get the cutoff or more, and the number of these pages.
    pub(super) flow: f64,
    pub(super) pages: u64,
    /// The greatest value, and the sum of the squares of all.
    pub(super) greatest: f32,
    pub(super) squares: f64,
}

impl Tally {
    pub(super) fn add(&mut self, item: &Item, cutoff: f32) {
        let flow = f64::from(item.value) * f64::from(item.pages);
        if item.value >= cutoff {
            self.flow += flow;
            self.pages += u64::from(item.pages);
        }
        self.greatest = self.greatest.max(item.value);
        self.squares += flow * f64::from(item.value);
    }
}

/// What is to become of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Everything from the cutoff on stays.
    Cut,
    /// The greatest values come back, up to so many pages.
    Recover(u64),
    /// Of what the cutoff left, so many pages stay, or the second number if the first hold too little.
    Select(u64, u64),
}

/// Numbers of pages: 0 means that there is no such step.
pub(super) fn fate(tally: &Tally, settings: &Settings) -> Fate {
    let (selection, recovery) = (settings.selection as u64, settings.recovery as u64);
    if tally.flow < settings.recovery_share && tally.pages < recovery && !drowns(tally, recovery, settings) {
        Fate::Recover(recovery)
    } else if selection > 0 && tally.pages > selection {
        Fate::Select(selection, recovery)
    } else {
        Fate::Cut
    }
}

/// Would all that can come back to a column, each below the cutoff, go again or hold next to nothing after inflation?
fn drowns(tally: &Tally, recovery: u64, settings: &Settings) -> bool {
    // Beside the greatest, which is a lower bound of all that is there.
    let each = (settings.cutoff / f64::from(tally.greatest)).powf(settings.inflation);
    tally.pages > 0 && (each <= settings.faint || (recovery - tally.pages) as f64 * each <= FADES)
}

/// Room for one column at a time.
#[derive(Default)]
pub(super) struct Pruner {
    /// The candidates, in order of their rows; what is left of them after [`prune`](Pruner::prune).
    pub(super) items: Vec<Item>,
    spare: Vec<Item>,
    ranked: Vec<(f32, u32)>,
}

impl Pruner {
    /// Lets go what does not stay. The items are those from the cutoff on, or all if something is to come back.
    pub(super) fn prune(&mut self, fate: Fate, settings: &Settings) {
        match fate {
            Fate::Cut => {}
            Fate::Recover(most) => self.keep(most, settings.inflation),
            Fate::Select(most, recovery) => {
                self.spare.clear();
                self.spare.extend_from_slice(&self.items);
                self.keep(most, settings.inflation);
                let flow: f64 = self.items.iter().map(|item| f64::from(item.value) * f64::from(item.pages)).sum();
                let pages: u64 = self.items.iter().map(|item| u64::from(item.pages)).sum();
                if flow < settings.recovery_share && pages < recovery {
                    std::mem::swap(&mut self.items, &mut self.spare);
                    self.keep(recovery, settings.inflation);
                }
            }
        }
    }

    /// Keeps the greatest, so many pages.
    fn keep(&mut self, most: u64, inflation: f64) {
        if self.items.iter().map(|item| u64::from(item.pages)).sum::<u64>() <= most {
            return;
        }
        self.ranked.clear();
        self.ranked.extend(self.items.iter().map(|item| (item.value, item.pages)));
        let border = border(&mut self.ranked, most);
        let above = self.items.iter().filter(|item| item.value > border);
        let above: u64 = above.map(|item| u64::from(item.pages)).sum();
        let mut room = most.saturating_sub(above);
        if self.items.iter().filter(|item| item.value == border).nth(1).is_some() && self.fades(border, room, inflation)
        {
            room = 0;
        }
        self.items.retain(|item| {
            // A class that begins within the number stays as a whole: it costs one entry.
            let stays = item.value > border || (item.value == border && room > 0);
            if item.value == border {
                room = room.saturating_sub(item.pages.into());
            }
            stays
        });
    }

    /// Would so many pages with the border's value drown among those above it?
    fn fades(&self, border: f32, room: u64, inflation: f64) -> bool {
        let wanted = room as f64 / FADES;
        let mut flow = 0.0;
        // Few great ones are enough in most cases, so this ends early.
        self.items.iter().filter(|item| item.value > border).any(|item| {
            flow += f64::from(item.pages) * f64::from(item.value / border).powf(inflation);
            flow >= wanted
        })
    }

    /// Makes a column of what stayed: raised to the inflation, summing up to 1, in order of the rows. Returns the gap between
    /// what stays on a page of this class and what goes to each of its twins, and the number of pages before faint ones went.
    pub(super) fn inflate(&mut self, class: u32, settings: &Settings, column: &mut Vec<Entry>) -> (f32, u64) {
        column.clear();
        let greatest = self.items.iter().map(|item| item.value).fold(0.0, f32::max);
        if greatest <= 0.0 {
            // Nothing is left of the flow: it stays where it is.
            column.push(Entry { row: class, value: 1.0 });
            return (1.0, 1);
        }
        let (mut pages, mut sum) = (0u64, 0.0f64);
        for item in &mut self.items {
            // Relative to the greatest, which thus becomes 1: high powers leave something.
            item.value = power(item.value / greatest, settings.inflation);
            pages += u64::from(item.pages);
            sum += f64::from(item.value) * f64::from(item.pages);
        }
        // Never the greatest itself, which is 1.
        let bar = ((settings.faint * sum) as f32).min(1.0);
        if bar > 0.0 {
            self.items.retain(|item| item.value >= bar);
            sum = self.items.iter().map(|item| f64::from(item.value) * f64::from(item.pages)).sum();
        }
        let (mut on_itself, mut on_each_twin, mut at_home) = (0.0, 0.0, 0.0);
        for item in &self.items {
            let each = f64::from(item.value) / sum;
            let value = each * f64::from(item.pages);
            if item.row == SELF || item.row == class {
                *if item.row == SELF { &mut on_itself } else { &mut on_each_twin } = each;
                at_home += value;
            } else {
                column.push(Entry { row: item.row, value: value as f32 });
            }
        }
        if at_home > 0.0 {
            let at = column.partition_point(|entry| entry.row < class);
            column.insert(at, Entry { row: class, value: at_home as f32 });
        }
        ((on_itself - on_each_twin) as f32, pages)
    }
}

/// A number between 0 and 1 to some power; the powers that are common are quick.
#[inline]
fn power(base: f32, exponent: f64) -> f32 {
    if exponent == 2.0 { base * base } else { base.powf(exponent as f32) }
}

/// The value down to which there are at least so many pages, and above which there are fewer.
fn border(ranked: &mut [(f32, u32)], most: u64) -> f32 {
    let (mut rest, mut most) = (ranked, most);
    while rest.len() > 1 {
        let middle = rest.len() / 2;
        rest.select_nth_unstable_by(middle, |a, b| b.0.total_cmp(&a.0));
        let (upper, lower) = rest.split_at_mut(middle);
        let pages: u64 = upper.iter().map(|item| u64::from(item.1)).sum();
        if pages >= most {
            rest = upper;
        } else {
            most -= pages;
            rest = lower;
        }
    }
    rest.first().map_or(0.0, |item| item.0)
}
