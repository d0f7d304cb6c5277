//! Fields of which several values can be chosen: they are asked together where the form joins them by OR, narrowed where it joins
//! them by AND, and asked one by one where it cannot be told or does not hold.

use std::collections::HashSet;

use groma_gather::cover::probe::Joined;
use groma_gather::cover::{Axis, Cover, Settings, Space, Statement, Value, Verdict};

use super::dice::Dice;
use super::form::{Form, Joins, Record, Totals};

/// 40 values; a set of them per record, written as letters.
fn form(joins: Joins, sets: impl Iterator<Item = String>) -> Form {
    let records = sets.enumerate().map(|(key, set)| Record { key: key as u128, values: vec![Some(Value::Text(set))] });
    Form {
        axes: vec![Axis::Several { values: (0..40).map(|value| value.to_string()).collect(), any: true }],
        records: records.collect(),
        limit: 50,
        page: 10,
        totals: Totals::Honest,
        sign: false,
        links: true,
        ignores: None,
        shows: vec![false],
        folds: false,
        unstable: false,
        fades: false,
        joins,
        excludes_end: false,
    }
}

fn survey(form: &Form) -> (Statement, Option<Joined>, usize) {
    let mut cover = Cover::new(Space { fields: form.axes.clone() }, Settings::default());
    let (mut dice, mut seen) = (Dice(1), HashSet::new());
    while let Some((id, question)) = cover.next(1).pop() {
        let answer = form.ask(&question, &mut dice, |heard| cover.peek(id, heard) == Verdict::ReadOn);
        seen.extend(answer.pages.iter().flatten().map(|row| row.key));
        cover.hear(id, &answer.heard());
    }
    (cover.statement(), cover.joined(0), seen.len())
}

fn letter(index: usize) -> char {
    char::from(b'A' + index as u8)
}

/// Two values each, next to each other: 8 records a value.
fn pairs() -> impl Iterator<Item = String> {
    (0..160).map(|number| [letter(number % 40), letter((number + 1) % 40)].iter().collect())
}

#[test]
fn values_joined_by_or_are_asked_together() {
    let (statement, joined, seen) = survey(&form(Joins::Or, pairs()));
    assert_eq!((joined, seen, statement.certified), (Some(Joined::Or), 160, true), "{statement:?}");
    // One by one it would be 41.
    assert!(statement.questions <= 18, "{statement:?}");
}

#[test]
fn a_form_that_forgets_values_is_asked_one_by_one() {
    let (statement, joined, seen) = survey(&form(Joins::Some(3), pairs()));
    assert_eq!((joined, seen, statement.certified), (Some(Joined::Or), 160, true), "{statement:?}");
    for (joins, told) in [(Joins::First, Joined::First), (Joins::Last, Joined::Last), (Joins::And, Joined::And)] {
        let (statement, joined, seen) = survey(&form(joins, pairs()));
        assert_eq!((joined, seen, statement.certified), (Some(told), 160, true), "{statement:?}");
    }
    let (statement, joined, seen) = survey(&form(Joins::Confused, pairs()));
    assert_eq!((joined, seen, statement.certified), (None, 160, true), "{statement:?}");
}

#[test]
fn values_joined_by_and_narrow_what_is_cut() {
    // Everything has the first value: more than can be shown, and nothing else to split by. 8 have nothing else.
    let sets = (0..320).map(|number| {
        let second = 1 + number % 40;
        if second == 40 { "A".to_owned() } else { [letter(0), letter(second)].iter().collect() }
    });
    let (statement, joined, seen) = survey(&form(Joins::And, sets));
    assert_eq!(joined, Some(Joined::And));
    assert!(seen >= 312, "{seen} {statement:?}");
}

#[test]
fn a_record_without_any_value_is_no_part_of_a_proof() {
    let sets = pairs().chain((0..60).map(|_| String::new()));
    let (statement, _, seen) = survey(&form(Joins::Or, sets));
    assert!(seen < 220 && !statement.certified, "{seen} {statement:?}");
}
