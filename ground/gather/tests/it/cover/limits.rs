//! Limits that look like totals, and lists that end where a program stops: nothing is certified that was not seen.

use std::collections::HashSet;

use groma_gather::cover::{AnswerRecord, Axis, Cover, Cut, Heard, Part, Settings, Space, Statement, Value, Verdict};

/// What a form does to its answers.
struct Answers<'a> {
    /// Records that match, as numbers.
    matching: &'a dyn Fn(&[Part]) -> Vec<u128>,
    /// Rows of a list at most, and pages.
    rows: usize,
    pages: usize,
    /// Rows of each page, by its number.
    page: &'a dyn Fn(usize) -> usize,
    /// The total for so many matches and so many rows.
    total: &'a dyn Fn(usize, usize) -> Option<u64>,
}

/// Asks until nothing is left: the statement, and how many different records were seen.
fn survey(fields: Vec<Axis>, answers: &Answers<'_>) -> (Statement, usize) {
    survey_with(Settings::default(), fields, answers)
}

fn survey_with(settings: Settings, fields: Vec<Axis>, answers: &Answers<'_>) -> (Statement, usize) {
    let mut cover = Cover::new(Space { fields }, settings);
    let mut seen = HashSet::new();
    let mut asked = 0;
    while let Some((id, question)) = cover.next(1).pop() {
        asked += 1;
        assert!(asked < 5_000, "no end of questions");
        let found = (answers.matching)(&question.parts);
        let mut pages: Vec<Vec<AnswerRecord>> = Vec::new();
        let mut rest = &found[..found.len().min(answers.rows)];
        while pages.len() < answers.pages && (!rest.is_empty() || pages.is_empty()) {
            let (page, further) = rest.split_at((answers.page)(pages.len()).min(rest.len()));
            pages.push(page.iter().map(|key| AnswerRecord { key: *key, values: Vec::new() }).collect());
            rest = further;
        }
        let listed = pages.iter().map(Vec::len).sum();
        let said = (answers.total)(found.len(), listed);
        let mut read = 1;
        loop {
            let heard = Heard { pages: &pages[..read], said, more: read < pages.len(), cut: Cut::Unknown };
            if heard.more && cover.peek(id, &heard) == Verdict::ReadOn {
                read += 1;
                continue;
            }
            seen.extend(heard.pages.iter().flatten().map(|row| row.key));
            cover.hear(id, &heard);
            break;
        }
    }
    (cover.statement(), seen.len())
}

fn choice(values: usize, any: bool) -> Axis {
    Axis::Choice { values: (0..values).map(|nth| nth.to_string()).collect(), any, exhaustive: !any }
}

fn within(part: &Part, number: u128) -> bool {
    match part {
        Part::Between(low, high) => {
            low.is_none_or(|low| low <= number as i64) && high.is_none_or(|high| number as i64 <= high)
        }
        Part::Is(value) => number % 5 == *value as u128,
        _ => true,
    }
}

#[test]
fn a_form_that_counts_to_some_number_and_no_further_is_not_believed() {
    for most in [99, 100, 101, 255, 333, 501] {
        for size in (most + 1..most + 260).step_by(13) {
            for k in [5, 10] {
                let range = Axis::Range { low: None, high: None, open: true, every: false };
                let matching = |parts: &[Part]| {
                    (0..size as u128).filter(|number| parts.iter().all(|part| within(part, *number))).collect()
                };
                let total = |found: usize, _: usize| Some(found.min(most) as u64);
                let answers = Answers { matching: &matching, rows: k, pages: 9, page: &|_| k, total: &total };
                let (statement, seen) = survey(vec![choice(5, true), range], &answers);
                assert!(!statement.certified || seen == size, "{most} of {size}, {k}: {seen} {statement:?}");
                // More than that were seen, so it is no total, and the rest is asked for as well.
                assert!(seen > most, "{most} of {size}, {k}: {seen} {statement:?}");
            }
        }
    }
}

#[test]
fn as_many_rows_as_a_limit_of_counting_are_not_all() {
    // Ten values of forty each; ten of each are shown, and counting stops at a hundred.
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..40).map(|nth| (value * 1000 + nth) as u128).collect(),
        _ => (0..10).flat_map(|value| (0..40).map(move |nth| (value * 1000 + nth) as u128)).collect(),
    };
    let total = |found: usize, _: usize| Some(found.min(100) as u64);
    let answers = Answers { matching: &matching, rows: 10, pages: 1, page: &|_| 10, total: &total };
    let (statement, seen) = survey(vec![choice(10, true)], &answers);
    assert!(!statement.certified && seen < 400, "{seen} {statement:?}");
}

#[test]
fn a_list_that_ends_where_programs_stop_is_not_all() {
    // Records without a value stand last, and what is cut is called the total.
    for k in [25, 75, 99, 101, 255] {
        let matching = |parts: &[Part]| match parts[0] {
            Part::Is(0) => (0..8).collect(),
            Part::Is(1) => (8..14).collect(),
            Part::Is(_) => Vec::new(),
            _ => (0..300).collect(),
        };
        let total = |_: usize, listed: usize| Some(listed as u64);
        let answers = Answers { matching: &matching, rows: k, pages: 99, page: &|_| 10, total: &total };
        let (statement, seen) = survey(vec![choice(3, true)], &answers);
        assert!(!statement.certified, "{k}: {seen} {statement:?}");
    }
}

#[test]
fn lists_that_are_cut_by_pages_of_different_sizes_are_not_whole() {
    // Something else takes places of a page; five pages are shown, whatever is on them.
    let sizes: [usize; 3] = [97, 120, 60];
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..sizes[value]).map(|nth| (value * 1000 + nth) as u128).collect(),
        _ => Vec::new(),
    };
    let page = |nth: usize| [18, 15, 19, 16, 15][nth % 5];
    let answers = Answers { matching: &matching, rows: 1000, pages: 5, page: &page, total: &|_, _| None };
    let (statement, seen) = survey(vec![choice(3, false)], &answers);
    assert!(!statement.certified && seen < 277, "{seen} {statement:?}");
    // Pages of one size: the shorter lists are whole.
    let sizes: [usize; 3] = [37, 12, 44];
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..sizes[value]).map(|nth| (value * 1000 + nth) as u128).collect(),
        _ => Vec::new(),
    };
    let answers = Answers { matching: &matching, rows: 1000, pages: 9, page: &|_| 10, total: &|_, _| None };
    let (statement, seen) = survey(vec![choice(3, false)], &answers);
    assert!(seen == 93, "{seen} {statement:?}");
}

#[test]
fn a_long_list_of_values_is_split_where_a_total_may_be_a_limit() {
    let values = 60;
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..470_u128).filter(|number| number % values == value as u128).collect(),
        _ => (0..470).collect(),
    };
    let total = |_: usize, listed: usize| Some(listed as u64);
    let answers = Answers { matching: &matching, rows: 50, pages: 99, page: &|_| 10, total: &total };
    let (statement, seen) = survey(vec![choice(values as usize, true)], &answers);
    assert!(seen == 470 && !statement.certified, "{seen} {statement:?}");
    // The whole list, which ends where no program stops; lists of other sizes have their totals, too.
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..43_u128).filter(|number| number % values == value as u128).collect(),
        _ => (0..43).collect(),
    };
    let answers = Answers { matching: &matching, rows: 1000, pages: 99, page: &|_| 10, total: &total };
    let (statement, seen) = survey(vec![choice(values as usize, true)], &answers);
    assert!(statement.certified && seen == 43 && statement.questions < 8, "{seen} {statement:?}");
}

#[test]
fn records_that_look_different_in_each_answer_are_not_counted() {
    // 40 records, 10 shown at once; each answer calls them by other names. Whatever is counted comes to 40 sooner or later.
    for values in 2..9_usize {
        let asked = std::cell::Cell::new(0_u128);
        let matching = |parts: &[Part]| {
            asked.set(asked.get() + 1);
            let dress = asked.get() * 1000;
            match parts[0] {
                Part::Is(value) => (0..40).filter(|nth| nth % values == value).map(|nth| dress + nth as u128).collect(),
                _ => (0..43).map(|nth| dress + nth as u128).collect(),
            }
        };
        let total = |found: usize, _: usize| Some(found as u64);
        let answers = Answers { matching: &matching, rows: 10, pages: 1, page: &|_| 10, total: &total };
        let (statement, _) = survey(vec![choice(values, true)], &answers);
        assert!(!statement.certified, "{values}: {statement:?}");
    }
}

/// A list that stops after 12 of 13 records; 12 have a value. The one without stands in the list, and one with a value behind its end.
#[test]
fn as_many_records_with_a_value_as_a_cut_list_has_rows_are_no_proof() {
    let value = |number: u128| if number == 5 { None } else { Some(number as usize % 4) };
    let row = |number: u128| AnswerRecord {
        key: number,
        values: vec![Some(value(number).map_or(Value::Lacking, Value::Is))],
    };
    let mut cover = Cover::new(Space { fields: vec![choice(4, true)] }, Settings::default());
    let mut seen = HashSet::new();
    while let Some((id, question)) = cover.next(1).pop() {
        let fits = |number: &u128| match question.parts[0] {
            Part::Is(asked) => value(*number) == Some(asked),
            _ => true,
        };
        let found: Vec<AnswerRecord> = (0..13).filter(fits).take(12).map(row).collect();
        let pages: Vec<Vec<AnswerRecord>> = found.chunks(2).map(<[AnswerRecord]>::to_vec).collect();
        let heard = |read: usize| Heard {
            pages: &pages[..read],
            said: Some(found.len() as u64),
            more: read < pages.len(),
            cut: Cut::Unknown,
        };
        let read =
            (1..pages.len()).find(|read| cover.peek(id, &heard(*read)) != Verdict::ReadOn).unwrap_or(pages.len());
        seen.extend(heard(read).pages.iter().flatten().map(|row| row.key));
        cover.hear(id, &heard(read));
    }
    let statement = cover.statement();
    assert!(!statement.certified || seen.len() == 13, "{} {statement:?}", seen.len());
}

#[test]
fn a_part_is_read_to_its_end_where_a_list_of_another_size_is_wanting() {
    // Six of 56 have no value, so that nothing adds up, and no part fits a page.
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..25).map(|nth| (value * 25 + nth) as u128).collect(),
        _ => (0..56).collect(),
    };
    let total = |found: usize, _: usize| Some(found as u64);
    let answers = Answers { matching: &matching, rows: 1000, pages: 99, page: &|_| 5, total: &total };
    let (statement, seen) = survey(vec![choice(2, true)], &answers);
    assert!(statement.certified && seen == 56 && statement.pages == 12 + 2 + 5, "{seen} {statement:?}");
    // Totals that are those of cut lists: what a part shows beyond the whole, and a whole that is as long as its part, tell.
    for (rows, all) in [(56, 120_u128), (41, 80)] {
        let matching = |parts: &[Part]| match parts[0] {
            Part::Is(value) => (0..all).filter(|nth| nth % 4 == value as u128).collect(),
            _ => (0..all).collect(),
        };
        let shown = |_: usize, listed: usize| Some(listed as u64);
        let answers = Answers { matching: &matching, rows, pages: 99, page: &|_| 5, total: &shown };
        let (statement, seen) = survey(vec![choice(3, true)], &answers);
        assert!(!statement.certified || seen == all as usize, "{rows} of {all}: {seen} {statement:?}");
    }
}

#[test]
fn a_full_page_that_comes_in_another_order_with_the_same_records_is_all() {
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..55).filter(|nth| nth % 3 == value as u128).collect(),
        _ => (0..55).collect(),
    };
    let total = |found: usize, _: usize| Some(found as u64);
    let answers = Answers { matching: &matching, rows: 1000, pages: 1, page: &|_| 1000, total: &total };
    let known = |reordered| Settings { reordered, ..Settings::default() };
    let certified = |reordered| survey_with(known(reordered), vec![choice(3, true)], &answers).0.certified;
    assert!(certified(Some(55)) && !certified(None) && !certified(Some(54)));
}

/// Records with several values, of which the form shows so many at most, and counts no further.
fn of_several_values(all: u128, most: usize) -> (Statement, usize) {
    let has = |record: u128, value: usize| match value {
        0 => record.is_multiple_of(2),
        1 => record.is_multiple_of(3),
        2 => record % 5 == 1,
        _ => record % 7 < 3,
    };
    let matching = |parts: &[Part]| match parts[0] {
        Part::Is(value) => (0..all).filter(|record| has(*record, value)).collect(),
        _ => (0..all).collect(),
    };
    let total = |found: usize, _: usize| Some(found.min(most) as u64);
    let answers = Answers { matching: &matching, rows: most, pages: 100, page: &|_| 50, total: &total };
    survey(vec![choice(4, true)], &answers)
}

#[test]
fn parts_that_come_to_more_are_read_and_where_they_show_nothing_new_records_have_several_values() {
    let (statement, seen) = of_several_values(453, usize::MAX);
    assert!(statement.certified && seen == 453, "{statement:?}");
    // The list is cut: what it does not show comes on the last pages of its parts.
    for most in [453, 457, 478, 483] {
        let (statement, seen) = of_several_values(500, most);
        assert!(!statement.certified && seen > most, "{most}: {seen} {statement:?}");
    }
}

#[test]
fn parts_that_come_to_more_are_read_along_each_axis() {
    // What the list does not show has no value along the first axis, and comes on the last pages along the second one.
    let has = |record: u128, axis: usize, value: usize| match (axis, value) {
        (0, 0) => record < 453 && !record.is_multiple_of(3),
        (0, _) => record < 453 && record.is_multiple_of(2),
        (_, 0) => !record.is_multiple_of(5),
        (_, _) => record.is_multiple_of(4),
    };
    let is_asked = |record: u128, parts: &[Part]| {
        let along = |(axis, part): (usize, &Part)| !matches!(part, Part::Is(value) if !has(record, axis, *value));
        parts.iter().enumerate().all(along)
    };
    let matching = |parts: &[Part]| (0..500).filter(|record| is_asked(*record, parts)).collect();
    let total = |found: usize, _: usize| Some(found.min(453) as u64);
    let answers = Answers { matching: &matching, rows: 453, pages: 100, page: &|_| 50, total: &total };
    let (statement, seen) = survey(vec![choice(2, true), choice(2, true)], &answers);
    assert!(!statement.certified && seen > 453, "{seen} {statement:?}");
}

#[test]
fn what_a_part_shows_and_its_list_does_not_is_no_sign_of_several_values_though_another_list_has_shown_it() {
    // A value of the first field must be chosen. The list of its first value is cut: of what it does not show, its parts have what the
    // second value shows as well, and nothing has the rest.
    let matching = |parts: &[Part]| {
        let of_first: Vec<u128> = match parts[0] {
            Part::Is(0) => (0..500).collect(),
            _ => (400..490).chain(1000..1200).collect(),
        };
        let has = |record: u128, value: usize| match value {
            0 => record < 490 && !record.is_multiple_of(3),
            _ => record < 490 && !record.is_multiple_of(2),
        };
        of_first.into_iter().filter(|record| !matches!(parts[1], Part::Is(value) if !has(*record, value))).collect()
    };
    let total = |found: usize, _: usize| Some(found.min(453) as u64);
    let answers = Answers { matching: &matching, rows: 453, pages: 100, page: &|_| 50, total: &total };
    let (statement, seen) = survey(vec![choice(2, false), choice(2, true)], &answers);
    assert!(!statement.certified || seen == 700, "{seen} {statement:?}");
}

#[test]
fn a_form_that_cuts_before_it_sorts_is_not_believed_for_another_order() {
    for (rows, all) in [(55, 60), (67, 90), (97, 99)] {
        let total = |found: usize, _: usize| Some(found.min(rows) as u64);
        let known = Settings { reordered: Some(rows as u64), ..Settings::default() };
        // What it does not show has no value, or one like all others.
        for shown_have in [rows as u128, all] {
            let matching = |parts: &[Part]| match parts[0] {
                Part::Is(value) => {
                    (0..shown_have).filter(|nth| nth % 4 == value as u128 || nth % 4 == 2 && value == 0).collect()
                }
                _ => (0..all).collect(),
            };
            let answers = Answers { matching: &matching, rows, pages: 1, page: &|_| 1000, total: &total };
            let (statement, seen) = survey_with(known, vec![choice(2, true)], &answers);
            assert!(!statement.certified, "{rows} of {all}: {seen} {statement:?}");
        }
    }
}
