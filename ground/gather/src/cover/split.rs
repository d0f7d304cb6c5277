//! Into which questions is a question split whose answer was cut?
//!
//! ```text
//! choice   each value once, those seen on rows first                                       (slice-cover)
//! several  each value once; of several joined by OR the halves; of a value joined by AND each value after it too   (see `several`)
//! range    [lo, c] and [c+1, hi], c the median of the values seen on rows; a value v that more than half of the rows have:
//!          [lo, v-1], [v, v], [v+1, hi]; no values seen: the middle; an open end: eight times as far out   (rank-shrink)
//! prefix   the text and one letter more, letters seen on rows first, and in their case
//! words    each word once
//! which    the axis that can prove most and loses no record that we know of; then choice before range before prefix before several before words; of ranges the most even split
//! ```
//!
//! Source: Sheng, Zhang, Tao, Jin, Optimal Algorithms for Crawling a Hidden Database in the Web, VLDB 2012. Medians there are those
//! of all rows of a cut answer. We often have the first page only, and if the list is sorted by the field its median
//! is far off: such a list is split where it would be even if it went on as it begins. A range that got nearly everything of its
//! parent is split in the middle, every other time.
//! Cost: O(s log s) for s rows of a sample, and what is made. Not guaranteed: that the parts are even.

use std::collections::HashMap;

use super::leak::Leak;
use super::probe::Joined;
use super::several::{self, Joins};
use super::space::{Axis, Part, Question, VALUES, Value};

/// Letters of a prefix.
const LETTERS: usize = 40;

/// Values in order from the first on that make a list sorted.
const RUN: usize = 6;

/// How many times as far out the next border of an open end is.
const STRIDE: i64 = 7;

/// How full the answers are that a split aims at.
const FILLED: f64 = 0.8;

/// A row that is kept for the sake of splits.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) key: u128,
    pub(super) values: Vec<Option<Value>>,
}

/// What a split is decided from.
pub(super) struct Situation<'a> {
    pub(super) axes: &'a [Axis],
    pub(super) question: &'a Question,
    pub(super) sample: &'a [Sample],
    /// Axes that are of no use.
    pub(super) useless: &'a [bool],
    /// Whether totals can be relied upon in proofs.
    pub(super) totals: bool,
    /// About how many full answers the question makes, where known.
    pub(super) answers: Option<f64>,
    /// How many records match it, where known.
    pub(super) total: Option<u64>,
    /// The lowest and highest numbers seen.
    pub(super) seen: &'a [Option<(i64, i64)>],
    /// Not to trust medians.
    pub(super) lopsided: bool,
    pub(super) leaks: &'a [Leak],
    /// How several values of a field are joined.
    pub(super) joins: &'a [Joins],
}

/// Cannot prove anything; kind of axis; how uneven. Less is better.
type Rank = (bool, u8, u32);

/// The axis, and what the parts say about it. None: the question is a point.
pub(super) fn split(at: &Situation<'_>) -> Option<(usize, Vec<Part>)> {
    let mut best: Option<(Rank, usize, Vec<Part>)> = None;
    for (index, axis) in at.axes.iter().enumerate() {
        let Some(part) = at.question.parts.get(index) else { continue };
        if at.useless.get(index).copied().unwrap_or(false) {
            continue;
        }
        // What an axis costs or misses decides before it is worked out.
        let lacking = |row: &Sample| matches!(row.values.get(index), Some(Some(Value::Lacking)));
        let leaks = at.leaks.get(index).is_some_and(Leak::is_known) || at.sample.iter().any(lacking);
        let joined = at.joins.get(index).and_then(Joins::known);
        // A record that has this value alone comes with no other one.
        let narrows = joined == Some(Joined::And) && *part != Part::Open;
        let weak = !axis.is_closed() && (!at.totals || leaks || narrows);
        let found = match (axis, part) {
            (Axis::Choice { values, .. }, Part::Open) if !values.is_empty() => {
                let many = at.answers.is_some_and(|answers| values.len() as f64 > 16.0 + 4.0 * answers);
                Some((if many { 2 } else { 0 }, 0, choices(values.len(), index, at.sample)))
            }
            (Axis::Range { low, high, .. }, Part::Open | Part::Between(..)) => {
                let (from, to) = if let Part::Between(from, to) = part { (*from, *to) } else { (None, None) };
                range((from, to), (*low, *high), index, at).map(|(even, parts)| (1, 1000 - even, parts))
            }
            (Axis::Prefix { letters, .. }, Part::Open | Part::Begins(_)) => {
                let text = if let Part::Begins(text) = part { text.as_str() } else { "" };
                (text.chars().count() < LETTERS)
                    .then(|| (3, 0, prefixes(text, letters, index, at.sample)))
                    .filter(|(_, _, parts)| !parts.is_empty())
            }
            (Axis::Words { values, .. }, Part::Open) if !values.is_empty() => {
                Some((5, 0, (0..values.len().min(VALUES)).map(Part::Word).collect()))
            }
            (Axis::Several { values, .. }, part) => {
                several::parts(values.len(), part, joined).map(|parts| (4, 0, parts))
            }
            _ => None,
        };
        if let Some((kind, uneven, parts)) = found {
            let key = (weak, kind, uneven);
            if best.as_ref().is_none_or(|(known, ..)| key < *known) {
                best = Some((key, index, parts));
            }
        }
    }
    best.map(|(_, axis, parts)| (axis, parts))
}

fn choices(values: usize, axis: usize, sample: &[Sample]) -> Vec<Part> {
    let mut seen: HashMap<usize, usize> = HashMap::new();
    for row in sample {
        if let Some(Some(Value::Is(index))) = row.values.get(axis) {
            *seen.entry(*index).or_insert(0) += 1;
        }
    }
    let mut order: Vec<usize> = (0..values.min(VALUES)).collect();
    order.sort_by_key(|index| std::cmp::Reverse(seen.get(index).copied().unwrap_or(0)));
    order.into_iter().map(Part::Is).collect()
}

type Ends = (Option<i64>, Option<i64>);

/// How even the split is, in thousandths of one half, and the parts.
fn range(ends: Ends, hints: Ends, axis: usize, at: &Situation<'_>) -> Option<(u32, Vec<Part>)> {
    let (low, high) = ends;
    if let (Some(low), Some(high)) = ends
        && low >= high
    {
        return None;
    }
    let inside = |value: i64| low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high);
    let mut values: Vec<i64> = Vec::new();
    for row in at.sample {
        if let Some(Some(Value::Number(value))) = row.values.get(axis)
            && inside(*value)
        {
            values.push(*value);
        }
    }
    let run = run(&values);
    let sorted = run >= RUN;
    let ahead = if sorted { extrapolated(&values[..run], at) } else { None };
    if let Some(cut) = ahead.filter(|cut| !at.lopsided && inside(*cut) && high != Some(*cut)) {
        return Some((260, two(ends, cut)));
    }
    values.sort_unstable();
    if values.is_empty() || at.lopsided || sorted {
        let seen = at.seen.get(axis).copied().flatten();
        let hints = (hints.0.or(seen.map(|seen| seen.0)), hints.1.or(seen.map(|seen| seen.1)));
        if let Some(cut) = middle(ends, hints, &values) {
            return Some((250, two(ends, cut)));
        }
    }
    if values.is_empty() {
        return None;
    }
    let half = ((values.len() as f64 * share(at.answers)) as usize).min(values.len() - 1);
    let median = values[half];
    let before = values.partition_point(|value| *value < median);
    let after = values.partition_point(|value| *value <= median);
    let weight = after - before;
    if weight * 2 > values.len() || values.first() == values.last() {
        let rest = ((values.len() - weight) * 1000 / values.len()) as u32;
        return Some((rest / 2, three(ends, median)));
    }
    // The border that comes nearer to the half; the part below it ends at a value that was seen.
    let (cut, left) =
        if after - half <= half - before || before == 0 { (median, after) } else { (values[before - 1], before) };
    if high == Some(cut) {
        return Some((0, three(ends, cut)));
    }
    let smaller = left.min(values.len() - left);
    Some(((smaller * 2000 / values.len()) as u32, two(ends, cut)))
}

/// How many values from the first on are in order, up or down: rows in the order of the field are from one end of the list, and
/// their median is no median.
fn run(values: &[i64]) -> usize {
    let up = values.windows(2).take_while(|pair| pair[0] <= pair[1]).count() + 1;
    let down = values.windows(2).take_while(|pair| pair[0] >= pair[1]).count() + 1;
    let run = up.max(down).min(values.len());
    if run > 0 && values[0] == values[run - 1] { 0 } else { run }
}

/// Where the border would be if the list went on as it begins.
fn extrapolated(run: &[i64], at: &Situation<'_>) -> Option<i64> {
    let (first, last) = (*run.first()?, *run.last()?);
    let times = at.total.map_or(4.0, |total| total as f64 * share(at.answers) / run.len() as f64);
    let far = (i128::from(last) - i128::from(first)) as f64 * times.max(1.5);
    let cut = first as f64 + far;
    // Beyond this, floating numbers are no whole numbers any more, and nothing is looked for.
    (cut.abs() < (1_i64 << 53) as f64).then_some(cut as i64)
}

/// Where to split so that the parts come to whole answers that are well filled: 3 answers as 1 and 2, not as 1.5 and 1.5.
fn share(answers: Option<f64>) -> f64 {
    let ways = answers.map_or(2.0, |answers| (answers / FILLED).ceil().clamp(2.0, 1e6));
    (ways / 2.0).floor() / ways
}

fn two((low, high): Ends, cut: i64) -> Vec<Part> {
    vec![Part::Between(low, Some(cut)), Part::Between(Some(cut.saturating_add(1)), high)]
}

fn three((low, high): Ends, value: i64) -> Vec<Part> {
    let mut parts = vec![Part::Between(Some(value), Some(value))];
    if low.is_none_or(|low| low < value) && value > i64::MIN {
        parts.push(Part::Between(low, Some(value - 1)));
    }
    if high.is_none_or(|high| value < high) && value < i64::MAX {
        parts.push(Part::Between(Some(value + 1), high));
    }
    parts
}

/// A border without the help of a median, strictly below the upper end.
fn middle((low, high): Ends, hints: Ends, values: &[i64]) -> Option<i64> {
    // Further out nothing is looked for.
    const EDGE: i64 = 1 << 60;
    let inside = |value: &i64| low.is_none_or(|low| low < *value) && high.is_none_or(|high| *value < high);
    let from = low.or(hints.0.filter(inside)).or(values.first().copied().filter(inside));
    let to = high.or(hints.1.filter(inside)).or(values.last().copied().filter(inside));
    match (from, to) {
        (Some(from), Some(to)) if from < to => {
            i64::try_from(i128::from(from) + (i128::from(to) - i128::from(from)) / 2).ok()
        }
        (Some(from), _) => {
            let out = from.saturating_add(from.saturating_abs().max(1).saturating_mul(STRIDE));
            (out < EDGE && inside(&out)).then_some(out)
        }
        (None, Some(to)) => {
            let out = to.saturating_sub(to.saturating_abs().max(1).saturating_mul(STRIDE)).saturating_sub(1);
            (out > -EDGE).then_some(out)
        }
        (None, None) => Some(0),
    }
}

/// The letter that follows a beginning, upper and lower case being the same.
pub(super) fn next_letter(text: &str, beginning: &str) -> Option<char> {
    let mut rest = text.chars();
    for letter in beginning.chars() {
        let other = rest.next()?;
        if letter != other && !letter.to_lowercase().eq(other.to_lowercase()) {
            return None;
        }
    }
    rest.next()
}

/// The place of a letter among letters, the other case counting as the same.
pub(super) fn place_of(letter: char, letters: &[char]) -> Option<usize> {
    letters
        .iter()
        .position(|known| *known == letter)
        .or_else(|| letters.iter().position(|known| known.to_lowercase().eq(letter.to_lowercase())))
}

/// One letter more, in the case in which rows show it: where case counts, another would bring nothing.
fn prefixes(text: &str, letters: &[char], axis: usize, sample: &[Sample]) -> Vec<Part> {
    let mut seen = vec![0usize; letters.len()];
    let mut shown: Vec<Option<char>> = vec![None; letters.len()];
    let (mut lower, mut upper) = (0, 0);
    for row in sample {
        if let Some(Some(Value::Text(value))) = row.values.get(axis)
            && let Some(letter) = next_letter(value, text)
            && let Some(place) = place_of(letter, letters)
        {
            seen[place] += 1;
            shown[place].get_or_insert(letter);
            lower += usize::from(letter.is_lowercase());
            upper += usize::from(letter.is_uppercase());
        }
    }
    let usual = |letter: char| {
        let small: Vec<char> = letter.to_lowercase().collect();
        match small[..] {
            [small] if !text.is_empty() && lower > upper && !letters.contains(&small) => small,
            _ => letter,
        }
    };
    let mut order: Vec<usize> = (0..letters.len().min(VALUES)).collect();
    order.sort_by_key(|place| std::cmp::Reverse(seen[*place]));
    let letter = |place: usize| match shown[place] {
        // Both cases are among the letters: each is asked as it is.
        Some(shown) if shown == letters[place] || !letters.contains(&shown) => shown,
        Some(_) => letters[place],
        None => usual(letters[place]),
    };
    order.into_iter().map(|place| Part::Begins(format!("{text}{}", letter(place)))).collect()
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
