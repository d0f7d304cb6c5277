//! Random databases behind random forms: a certificate may never be wrong, and must come where it can.

mod dice;
mod form;
mod habits;
mod limits;
mod several;

use std::collections::HashSet;

use groma_gather::cover::{Axis, Cover, Reason, Settings, Space, Statement, Value, Verdict};

use dice::Dice;
use form::{Form, Joins, Record, Totals};

/// Asks until nothing is left, and tells the statement and the keys that were seen.
fn survey(form: &mut Form, settings: Settings, dice: &mut Dice, failures: usize) -> (Statement, HashSet<u128>) {
    let mut cover = Cover::new(Space { fields: form.axes.clone() }, settings);
    let mut seen = HashSet::new();
    let mut asked = 0;
    loop {
        let questions = cover.next(1 + dice.below(4));
        if questions.is_empty() {
            break;
        }
        for (id, question) in questions {
            asked += 1;
            assert!(asked < 20_000, "no end of questions: {form:?}");
            if failures > 0 && dice.once_in(failures) {
                cover.failed(id);
                continue;
            }
            if form.fades && dice.once_in(6) && !form.records.is_empty() {
                let gone = dice.below(form.records.len());
                form.records.remove(gone);
            }
            let answer = form.ask(&question, dice, |heard| cover.peek(id, heard) == Verdict::ReadOn);
            seen.extend(answer.pages.iter().flatten().map(|row| row.key));
            cover.hear(id, &answer.heard());
        }
    }
    let statement = cover.statement();
    assert_eq!(statement.rows, seen.len() as u64);
    assert!(!statement.reasons.contains(&Reason::Unfinished), "{statement:?}");
    assert!(statement.certified == statement.reasons.is_empty(), "{statement:?}");
    (statement, seen)
}

const LETTERS: [char; 6] = ['a', 'b', 'c', 'ä', 'B', '-'];

fn value(axis: &Axis, dice: &mut Dice) -> Value {
    match axis {
        Axis::Choice { values, .. } => Value::Is(dice.below(values.len()).min(dice.below(values.len()))),
        Axis::Several { values, .. } => {
            let often = 1 + dice.below(4);
            let set = (0..values.len()).filter(|_| dice.once_in(often));
            Value::Text(set.map(|index| char::from(b'A' + index as u8)).collect())
        }
        Axis::Range { low, high, .. } => {
            let (low, high) = (low.unwrap_or(-40), high.unwrap_or(60));
            Value::Number(low + dice.below((high - low + 1) as usize) as i64)
        }
        Axis::Prefix { .. } | Axis::Words { .. } => {
            let length = 1 + dice.below(5);
            Value::Text((0..length).map(|_| LETTERS[dice.below(LETTERS.len())]).collect())
        }
    }
}

fn axis(dice: &mut Dice) -> Axis {
    let any = !dice.once_in(8);
    match dice.below(9) {
        8 => Axis::Several { values: (0..2 + dice.below(7)).map(|v| v.to_string()).collect(), any },
        0..=2 => {
            Axis::Choice { values: (0..2 + dice.below(6)).map(|v| v.to_string()).collect(), any, exhaustive: false }
        }
        3..=5 => {
            let low = dice.below(40) as i64 - 20;
            let width = if dice.once_in(3) { 4 } else { 200 };
            let high = low + dice.below(width) as i64;
            let open = any;
            let known = !open || dice.once_in(2);
            Axis::Range { low: known.then_some(low), high: known.then_some(high), open, every: false }
        }
        6 => Axis::Prefix { letters: LETTERS[..2 + dice.below(5)].to_vec(), any },
        _ => Axis::Words { values: vec!["a".into(), "b".into(), "ab".into(), "ä".into()], any },
    }
}

/// What is wrong with a database and its form.
#[derive(Debug)]
struct Troubles {
    /// One record in so many lacks a value; 0: none.
    nulls: usize,
    copies: bool,
    lies: bool,
    failures: usize,
}

fn database(dice: &mut Dice, troubles: &Troubles) -> Form {
    let mut axes: Vec<Axis> = (0..1 + dice.below(3)).map(|_| axis(dice)).collect();
    let size = if dice.once_in(4) { dice.below(12) } else { dice.below(90) };
    let mut records: Vec<Record> = Vec::new();
    for number in 0..size {
        let mut record = Record { key: number as u128, values: Vec::new() };
        for axis in &axes {
            let lacks = troubles.nulls > 0 && dice.once_in(troubles.nulls);
            record.values.push((!lacks).then(|| value(axis, dice)));
        }
        if troubles.copies && dice.once_in(8) && !records.is_empty() {
            let other = &records[dice.below(records.len())];
            record.key = other.key;
            if dice.once_in(2) {
                record.values.clone_from(&other.values);
            }
        }
        records.push(record);
    }
    // What is claimed is true.
    for (index, axis) in axes.iter_mut().enumerate() {
        let all = records.iter().all(|record| record.values[index].is_some());
        let claim = all && dice.once_in(2);
        match axis {
            Axis::Choice { exhaustive, .. } => *exhaustive = claim,
            Axis::Range { every, .. } => *every = claim,
            Axis::Several { .. } | Axis::Prefix { .. } | Axis::Words { .. } => {}
        }
    }
    match dice.below(3) {
        0 => dice.shuffle(&mut records),
        1 => records.sort_by_key(|record| record.values[0].as_ref().map_or((1, 0), order)),
        _ => {}
    }
    let page = 1 + dice.below(6);
    let totals = [Totals::Honest, Totals::Capped, Totals::Absent][dice.below(3)];
    let mut form = Form {
        shows: axes.iter().map(|_| !dice.once_in(3)).collect(),
        limit: page * (1 + dice.below(4)) + if dice.once_in(3) { dice.below(page) } else { 0 },
        page,
        totals: if troubles.lies { totals } else { Totals::Honest },
        sign: dice.once_in(3),
        links: !dice.once_in(4),
        ignores: (troubles.lies && dice.once_in(5)).then(|| dice.below(axes.len())),
        folds: dice.once_in(2),
        unstable: troubles.lies && dice.once_in(8),
        excludes_end: false,
        joins: [Joins::And, Joins::Or, Joins::Or, Joins::First, Joins::Last, Joins::Some(2), Joins::Confused]
            [dice.below(7)],
        fades: troubles.lies && dice.once_in(10),
        axes,
        records,
    };
    // Bounds that do not mean what they say can be noticed where rows show the numbers or totals are counted.
    let ranges = || form.axes.iter().zip(&form.shows).filter(|(axis, _)| matches!(axis, Axis::Range { .. }));
    if troubles.lies && ranges().all(|(axis, shows)| (*shows || form.totals == Totals::Honest) && axis_is_open(axis)) {
        form.excludes_end = dice.once_in(6);
    }
    form
}

fn axis_is_open(axis: &Axis) -> bool {
    match axis {
        Axis::Choice { any, .. } | Axis::Several { any, .. } | Axis::Prefix { any, .. } | Axis::Words { any, .. } => {
            *any
        }
        Axis::Range { open, .. } => *open,
    }
}

fn order(value: &Value) -> (u8, i64) {
    match value {
        Value::Number(number) => (0, *number),
        Value::Is(index) => (0, *index as i64),
        Value::Text(text) => (0, text.chars().next().map_or(0, |letter| i64::from(u32::from(letter)))),
        Value::Lacking => (1, 0),
    }
}

fn settings(form: &Form, dice: &mut Dice) -> Settings {
    let reach = if form.links { form.limit } else { form.limit.min(form.page) };
    Settings { limit: dice.once_in(3).then_some(reach as u64), ..Settings::default() }
}

/// How many databases: more where the environment asks for it.
fn rounds() -> u64 {
    std::env::var("GROMA_COVER_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2500)
}

#[test]
fn no_certificate_is_wrong() {
    let (mut certified, mut errors, mut held) = (0, Vec::new(), 0);
    for round in 0..rounds() {
        let mut dice = Dice(round);
        let nulls = [0, 0, 20, 5][dice.below(4)];
        let troubles =
            Troubles { nulls, copies: dice.once_in(2), lies: dice.once_in(2), failures: [0, 0, 0, 15][dice.below(4)] };
        let mut form = database(&mut dice, &troubles);
        let settings = settings(&form, &mut dice);
        let (statement, seen) = survey(&mut form, settings, &mut dice, troubles.failures);
        let all: HashSet<u128> = form.records.iter().map(|record| record.key).collect();
        if statement.certified {
            certified += 1;
            assert!(
                seen.is_superset(&all),
                "round {round}: {} of {} certified\n{settings:?}\n{form:?}",
                seen.len(),
                all.len()
            );
        } else if let Some(estimate) = statement.estimate
            && !all.is_empty()
        {
            assert!(estimate.low <= estimate.share && estimate.share <= estimate.high && estimate.low >= 0.0);
            assert!(estimate.high <= 1.0, "{estimate:?}");
            let truth = seen.len() as f64 / all.len() as f64;
            // Of what changes while it is read nothing holds.
            if form.fades || form.unstable {
                continue;
            }
            let holds = estimate.low - 1e-9 <= truth && truth <= estimate.high + 1e-9;
            held += usize::from(holds);
            if !holds && std::env::var_os("GROMA_COVER_ROUNDS").is_some() {
                println!(
                    "round {round}: {truth} {estimate:?} {:?} {troubles:?}",
                    (form.totals, form.ignores, form.excludes_end)
                );
            }
            errors.push((estimate.share - truth).abs());
        }
    }
    errors.sort_by(f64::total_cmp);
    let median = errors[errors.len() / 2];
    println!("{certified} certified, {} estimated, {held} of them true, median error {median:.4}", errors.len());
    assert!(held * 10 >= errors.len() * 9, "{held} of {} intervals hold", errors.len());
    assert!(certified * 6 > rounds(), "only {certified} certified");
    assert!(median <= 0.03, "{median}");
}

/// The most records at one point of the space.
fn heaviest(form: &Form) -> usize {
    let most = form.records.iter().map(|one| form.records.iter().filter(|other| other.values == one.values).count());
    most.max().unwrap_or(0)
}

#[test]
fn what_can_be_certified_is() {
    let mut tried = 0;
    for round in 0..3000 {
        let mut dice = Dice(round);
        let mut form = database(&mut dice, &Troubles { nulls: 0, copies: false, lies: false, failures: 0 });
        if form.axes.iter().any(|axis| matches!(axis, Axis::Several { .. } | Axis::Prefix { .. } | Axis::Words { .. }))
        {
            continue;
        }
        let reach = if form.links { form.limit } else { form.limit.min(form.page) };
        let closed = round % 2 == 0;
        // Either it is known that records have values and the form says when it cuts, or it shows totals and has once shown one
        // above what it lists.
        if closed {
            for axis in &mut form.axes {
                match axis {
                    Axis::Choice { exhaustive, .. } => *exhaustive = true,
                    Axis::Range { every, .. } => *every = true,
                    Axis::Several { .. } | Axis::Prefix { .. } | Axis::Words { .. } => {}
                }
            }
            form.totals = Totals::Absent;
            form.sign = true;
        }
        let open = form.axes.iter().all(axis_is_open);
        if heaviest(&form) > reach || form.records.len() <= reach || !open {
            continue;
        }
        tried += 1;
        let (statement, _) = survey(&mut form, Settings::default(), &mut dice, 0);
        assert!(statement.certified, "round {round}: {statement:?}\n{form:?}");
        assert_eq!(statement.rows, form.records.len() as u64);
    }
    assert!(tried > 500, "{tried}");
}

/// The hardest case: what no question but the open one can find stands at the end of the list, and the rest fills it exactly.
#[test]
fn a_list_filled_exactly_by_what_has_values_is_not_certified() {
    for round in 0..600 {
        let mut dice = Dice(round);
        let mut form = database(&mut dice, &Troubles { nulls: 6, copies: false, lies: true, failures: 0 });
        form.records.sort_by_key(|record| record.values.iter().any(Option::is_none));
        form.ignores = None;
        form.fades = false;
        form.limit = form.records.iter().filter(|record| record.values.iter().all(Option::is_some)).count();
        form.page = form.limit.max(1);
        if form.limit == form.records.len() || form.limit == 0 {
            continue;
        }
        let (statement, seen) = survey(&mut form, Settings::default(), &mut dice, 0);
        let all: HashSet<u128> = form.records.iter().map(|record| record.key).collect();
        assert!(!statement.certified || seen == all, "round {round}: {statement:?}\n{form:?}");
    }
}

/// A form with twenty lists of fifty values, all of which must be chosen from: more questions than there are atoms. Those that are asked
/// are made; a plan, and the first questions, cost next to nothing.
#[test]
fn the_product_of_many_lists_is_made_as_it_is_asked() {
    let list = || Axis::Choice { values: (0..50).map(|n| n.to_string()).collect(), any: false, exhaustive: true };
    let begun = std::time::Instant::now();
    let mut cover = Cover::new(Space { fields: (0..20).map(|_| list()).collect() }, Settings::default());
    let mut seen = HashSet::new();
    for _ in 0..200 {
        for (id, question) in cover.next(8) {
            assert!(question.parts.iter().all(|part| matches!(part, groma_gather::cover::Part::Is(_))), "{question:?}");
            assert!(seen.insert(question), "asked twice");
            cover.failed(id);
        }
    }
    assert_eq!(seen.len(), 1600);
    assert!(!cover.statement().certified);
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
}
