//! Splits: that no number between the ends is lost or asked for twice, and which axis comes first.

use super::super::space::{Axis, Part, Question, Value};
use super::{Sample, Situation, split};

fn sample(values: &[i64]) -> Vec<Sample> {
    let row = |(key, value): (usize, &i64)| Sample { key: key as u128, values: vec![Some(Value::Number(*value))] };
    values.iter().enumerate().map(row).collect()
}

fn parts(
    axes: &[Axis],
    question: Vec<Part>,
    sample: &[Sample],
    total: Option<u64>,
    lopsided: bool,
) -> Option<(usize, Vec<Part>)> {
    let question = Question { parts: question };
    let useless = vec![false; axes.len()];
    let answers = total.map(|total| total as f64 / 50.0);
    split(&Situation {
        axes,
        question: &question,
        sample,
        useless: &useless,
        totals: true,
        answers,
        total,
        seen: &[],
        lopsided,
        leaks: &[],
        joins: &[],
    })
}

fn range() -> Axis {
    Axis::Range { low: None, high: None, open: true, every: false }
}

/// The parts, in order, meet end to end and reach from end to end.
fn assert_tiles(parts: &[Part], low: Option<i64>, high: Option<i64>) {
    let mut ends: Vec<(Option<i64>, Option<i64>)> = parts
        .iter()
        .map(|part| if let Part::Between(low, high) = part { (*low, *high) } else { panic!("{part:?}") })
        .collect();
    ends.sort();
    assert_eq!((ends[0].0, ends[ends.len() - 1].1), (low, high));
    for pair in ends.windows(2) {
        assert_eq!(pair[0].1.map(|end| end + 1), pair[1].0, "{parts:?}");
    }
    assert!(ends.iter().all(|(low, high)| low.is_none() || high.is_none() || low <= high), "{parts:?}");
}

#[test]
fn ranges_are_tiled_whatever_was_seen() {
    let ends = [None, Some(-7), Some(0), Some(3), Some(40)];
    let samples: [&[i64]; 7] =
        [&[], &[3], &[3, 3, 3], &[0, 40, 9], &[5, 3, 5, 5, 2, 5], &[0, 1, 2, 3, 4, 5, 6], &[40, 30, 20, 10, 5, 3, 0]];
    for low in ends {
        for high in ends {
            if low.is_some() && high.is_some() && low >= high {
                continue;
            }
            for values in samples {
                for lopsided in [false, true] {
                    for total in [None, Some(70), Some(4000)] {
                        let at = vec![Part::Between(low, high)];
                        let (_, parts) = parts(&[range()], at, &sample(values), total, lopsided).expect("no point");
                        assert!(parts.len() > 1);
                        assert_tiles(&parts, low, high);
                    }
                }
            }
        }
    }
}

#[test]
fn a_point_is_not_split() {
    assert_eq!(parts(&[range()], vec![Part::Between(Some(4), Some(4))], &sample(&[4, 4]), None, false), None);
}

#[test]
fn a_heavy_value_becomes_its_own_question() {
    let (_, parts) = parts(&[range()], vec![Part::Open], &sample(&[7, 1, 7, 7, 9]), None, false).expect("a split");
    assert!(parts.contains(&Part::Between(Some(7), Some(7))), "{parts:?}");
}

#[test]
fn three_answers_are_split_as_one_and_two() {
    let values = [8, 1, 5, 3, 9, 2, 7, 4, 6];
    let (_, parts) = parts(&[range()], vec![Part::Open], &sample(&values), Some(120), false).expect("a split");
    assert_eq!(parts[0], Part::Between(None, Some(3)), "{parts:?}");
}

#[test]
fn the_more_even_range_is_taken_and_choices_come_before() {
    let row = |key: u128, a: i64, b: i64| Sample { key, values: vec![Some(Value::Number(a)), Some(Value::Number(b))] };
    let rows = [row(0, 1, 4), row(1, 1, 2), row(2, 1, 3), row(3, 2, 1)];
    let axes = [range(), range()];
    let (axis, _) = parts(&axes, vec![Part::Open; 2], &rows, None, false).expect("a split");
    assert_eq!(axis, 1);
    let choice = Axis::Choice { values: vec!["a".into(), "b".into()], any: true, exhaustive: false };
    let axes = [range(), range(), choice];
    let (axis, values) = parts(&axes, vec![Part::Open; 3], &rows, None, false).expect("a split");
    assert_eq!((axis, values.len()), (2, 2));
}

#[test]
fn letters_that_were_seen_come_first() {
    let axis = Axis::Prefix { letters: vec!['a', 'b', 'c'], any: true };
    let row = |text: &str| Sample { key: 0, values: vec![Some(Value::Text(text.into()))] };
    let rows = [row("Hc"), row("HC"), row("hB"), row("x")];
    let (_, parts) = parts(&[axis], vec![Part::Begins("h".into())], &rows, None, false).expect("a split");
    // Rows show large letters as often as small ones; those that were seen come as they were seen.
    assert_eq!(parts, ["hc", "hB", "ha"].map(|text| Part::Begins(text.into())));
}
