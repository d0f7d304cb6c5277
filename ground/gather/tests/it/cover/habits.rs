//! What a cover does besides proving: it peeks, keeps to its budget, ends, says the same twice, and survives nonsense.

use groma_gather::cover::{
    AnswerRecord, Axis, Cover, Cut, Heard, Part, QuestionId, Reason, Settings, Space, Statement, Value, Verdict,
};

use super::dice::Dice;

fn numbers(rows: std::ops::Range<i64>) -> Vec<AnswerRecord> {
    rows.map(|number| AnswerRecord { key: number as u128, values: vec![Some(Value::Number(number))] }).collect()
}

fn range(every: bool) -> Space {
    Space { fields: vec![Axis::Range { low: None, high: None, open: true, every }] }
}

/// A list of the numbers below `size`, `limit` shown, ten a page.
fn answer(part: &Part, size: i64, limit: usize) -> (Vec<Vec<AnswerRecord>>, u64) {
    let (low, high) = if let Part::Between(low, high) = part { (*low, *high) } else { (None, None) };
    let found = numbers(low.unwrap_or(0).max(0)..high.map_or(size, |high| (high + 1).min(size)));
    let shown = &found[..found.len().min(limit)];
    (shown.chunks(10).map(<[AnswerRecord]>::to_vec).collect(), found.len() as u64)
}

/// Asks until the end, one question at a time.
fn run(cover: &mut Cover, size: i64, limit: usize) -> Statement {
    while let Some((id, question)) = cover.next(1).pop() {
        let (pages, total) = answer(&question.parts[0], size, limit);
        let mut read = 1.min(pages.len());
        loop {
            let heard = Heard { pages: &pages[..read], said: Some(total), more: read < pages.len(), cut: Cut::Unknown };
            if heard.more && cover.peek(id, &heard) == Verdict::ReadOn {
                read += 1;
                continue;
            }
            cover.hear(id, &heard);
            break;
        }
    }
    cover.statement()
}

#[test]
fn a_total_above_the_limit_is_not_read_further() {
    let mut cover = Cover::new(range(false), Settings { limit: Some(50), ..Settings::default() });
    let (id, _) = cover.next(1).pop().expect("the open question");
    let (pages, total) = answer(&Part::Open, 500, 50);
    let first = Heard { pages: &pages[..1], said: Some(total), more: true, cut: Cut::Unknown };
    assert_eq!(cover.peek(id, &first), Verdict::Split);
    assert_eq!(cover.peek(id, &Heard { said: Some(40), ..first }), Verdict::ReadOn);
    assert_eq!(cover.peek(id, &Heard { said: None, ..first }), Verdict::ReadOn);
    assert_eq!(cover.peek(id, &Heard { cut: Cut::Yes, said: None, ..first }), Verdict::Split);
    assert_eq!(cover.peek(id, &Heard { more: false, ..first }), Verdict::Enough);
}

#[test]
fn a_sorted_list_costs_no_more_than_twice_the_least() {
    let statement = run(&mut Cover::new(range(false), Settings::default()), 2003, 50);
    assert!(statement.certified, "{statement:?}");
    assert_eq!((statement.rows, statement.least_pages, statement.least_questions), (2003, Some(201), Some(41)));
    assert!(statement.pages <= 400, "{statement:?}");
}

#[test]
fn the_budget_is_kept_and_the_total_tells_the_share() {
    let settings = Settings { questions: Some(20), pages: Some(60), ..Settings::default() };
    let statement = run(&mut Cover::new(range(false), settings), 2003, 50);
    assert!(statement.questions <= 20 && statement.pages <= 60, "{statement:?}");
    assert!(!statement.certified && statement.reasons.contains(&Reason::Budget), "{statement:?}");
    let estimate = statement.estimate.expect("a total was shown");
    assert!((estimate.share - statement.rows as f64 / 2003.0).abs() < 1e-9);
}

#[test]
fn fifty_of_fifty_is_not_believed() {
    // All totals are cut at 50 too: only the parts show that there is more.
    let mut cover = Cover::new(range(true), Settings::default());
    while let Some((id, question)) = cover.next(1).pop() {
        let (pages, total) = answer(&question.parts[0], 180, 50);
        cover.hear(id, &Heard { pages: &pages, said: Some(total.min(50)), more: false, cut: Cut::No });
    }
    let statement = cover.statement();
    assert!(statement.certified && statement.rows == 180, "{statement:?}");
}

#[test]
fn a_forecast_holds_what_comes() {
    let mut cover = Cover::new(range(false), Settings { limit: Some(50), page: Some(10), ..Settings::default() });
    assert_eq!(cover.forecast().questions, None);
    let (id, _) = cover.next(1).pop().expect("the open question");
    let (pages, total) = answer(&Part::Open, 2003, 50);
    cover.hear(id, &Heard { pages: &pages[..1], said: Some(total), more: true, cut: Cut::Unknown });
    let forecast = cover.forecast();
    let statement = run(&mut cover, 2003, 50);
    let within = |range: Option<(u64, u64)>, value: u64| range.is_some_and(|(low, high)| low <= value && value <= high);
    assert!(within(forecast.questions, statement.questions), "{forecast:?} {statement:?}");
    assert!(within(forecast.pages, statement.pages), "{forecast:?} {statement:?}");
}

#[test]
fn a_refused_open_question_is_split_and_a_failed_part_is_told() {
    let values = vec!["a".to_owned(), "b".to_owned()];
    let space = Space { fields: vec![Axis::Choice { values, any: true, exhaustive: true }] };
    let mut cover = Cover::new(space, Settings { limit: Some(50), ..Settings::default() });
    let (id, _) = cover.next(1).pop().expect("the open question");
    cover.failed(id);
    let parts = cover.next(5);
    assert_eq!(parts.len(), 2);
    let rows = |number: i64| vec![numbers(number..number + 3)];
    cover.hear(parts[0].0, &Heard { pages: &rows(0), said: None, more: false, cut: Cut::Unknown });
    let mut other = cover.clone();
    cover.hear(parts[1].0, &Heard { pages: &rows(5), said: None, more: false, cut: Cut::Unknown });
    assert!(cover.statement().certified, "{:?}", cover.statement());
    other.failed(parts[1].0);
    assert_eq!(other.statement().reasons, [Reason::Failed]);
}

/// A form that takes no question without a town: how many rows a page has is no such thing.
#[test]
fn where_all_parts_are_refused_another_field_is_tried() {
    let choice =
        |values: [&str; 2]| Axis::Choice { values: values.map(str::to_owned).to_vec(), any: true, exhaustive: false };
    let space = Space { fields: vec![choice(["10", "50"]), choice(["Wismar", "Barth"])] };
    let mut cover = Cover::new(space, Settings::default());
    let (id, _) = cover.next(1).pop().expect("the open question");
    cover.failed(id);
    for (id, question) in cover.next(5) {
        assert_eq!(question.parts[1], Part::Open);
        cover.failed(id);
    }
    let asked: Vec<Part> = cover.next(5).into_iter().map(|(_, question)| question.parts[1].clone()).collect();
    assert_eq!(asked, [Part::Is(0), Part::Is(1)]);
}

#[test]
fn whole_slices_spare_their_refinements() {
    // Five values each; all of A are cut, all of B are whole.
    let choice = || Axis::Choice { values: (0..5).map(|v| v.to_string()).collect(), any: true, exhaustive: true };
    let wide = Axis::Choice { values: (0..40).map(|v| v.to_string()).collect(), any: true, exhaustive: true };
    let records: Vec<(usize, usize)> = (0..400).map(|number| (number % 5, number / 10)).collect();
    let mut cover =
        Cover::new(Space { fields: vec![choice(), wide] }, Settings { limit: Some(20), ..Settings::default() });
    while let Some((id, question)) = cover.next(1).pop() {
        let is = |part: &Part, value: usize| !matches!(part, Part::Is(index) if *index != value);
        let found =
            records.iter().enumerate().filter(|(_, (a, b))| is(&question.parts[0], *a) && is(&question.parts[1], *b));
        let rows: Vec<AnswerRecord> =
            found.map(|(key, _)| AnswerRecord { key: key as u128, values: Vec::new() }).collect();
        let shown = vec![rows[..rows.len().min(20)].to_vec()];
        cover.hear(id, &Heard { pages: &shown, said: Some(rows.len() as u64), more: false, cut: Cut::Unknown });
    }
    let statement = cover.statement();
    assert!(statement.certified && statement.rows == 400, "{statement:?}");
    assert!(statement.questions <= 1 + 5 + 40 + 40, "{statement:?}");
}

#[test]
fn telling_it_the_same_again_brings_it_to_the_same_state() {
    let (mut one, mut other) =
        (Cover::new(range(false), Settings::default()), Cover::new(range(false), Settings::default()));
    loop {
        let (questions, again) = (one.next(3), other.next(3));
        assert_eq!(questions, again);
        if questions.is_empty() {
            break;
        }
        for (id, question) in questions {
            let (pages, total) = answer(&question.parts[0], 700, 30);
            let heard = Heard { pages: &pages, said: Some(total), more: false, cut: Cut::Unknown };
            assert_eq!(one.peek(id, &heard), other.peek(id, &heard));
            one.hear(id, &heard);
            other.hear(id, &heard);
        }
    }
    assert_eq!(one.statement(), other.statement());
    assert!(one.statement().certified);
}

/// Answers without any sense: nothing panics, everything ends.
#[test]
fn nonsense_is_survived() {
    for round in 0..400 {
        let mut dice = Dice(round);
        let extremes = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        let number = |dice: &mut Dice| extremes[dice.below(extremes.len())];
        let mut fields = Vec::new();
        for _ in 0..dice.below(4) {
            fields.push(match dice.below(5) {
                4 => Axis::Several { values: vec![String::new(); dice.below(9)], any: dice.once_in(2) },
                0 => Axis::Choice {
                    values: vec![String::new(); dice.below(3)],
                    any: dice.once_in(2),
                    exhaustive: dice.once_in(2),
                },
                1 => {
                    let (low, high) = (Some(number(&mut dice)), Some(number(&mut dice)).filter(|_| round % 2 == 0));
                    Axis::Range { low, high, open: dice.once_in(2), every: dice.once_in(2) }
                }
                2 => Axis::Prefix { letters: vec!['\u{0}'; dice.below(3)], any: dice.once_in(2) },
                _ => Axis::Words { values: vec![String::new(); dice.below(3)], any: dice.once_in(2) },
            });
        }
        let settings = Settings {
            limit: dice.once_in(2).then(|| dice.below(3) as u64),
            questions: Some(300),
            ..Settings::default()
        };
        let mut cover = Cover::new(Space { fields }, settings);
        cover.failed(QuestionId(9999));
        loop {
            let questions = cover.next(1 + dice.below(5));
            if questions.is_empty() {
                break;
            }
            for (id, _) in questions {
                let row = |dice: &mut Dice| {
                    let value = match dice.below(5) {
                        0 => Value::Is(dice.below(5)),
                        1 => Value::Number(number(dice)),
                        2 => Value::Text("\u{0}\u{0}ß\u{1F600}".chars().skip(dice.below(4)).collect()),
                        _ => Value::Lacking,
                    };
                    AnswerRecord { key: dice.below(40) as u128, values: vec![Some(value); dice.below(6)] }
                };
                let pages: Vec<Vec<AnswerRecord>> =
                    (0..dice.below(3)).map(|_| (0..dice.below(6)).map(|_| row(&mut dice)).collect()).collect();
                let said = [None, Some(0), Some(u64::MAX), Some(dice.below(30) as u64)][dice.below(4)];
                let cut = [Cut::No, Cut::Yes, Cut::Unknown][dice.below(3)];
                let heard = Heard { pages: &pages, said, more: dice.once_in(2), cut };
                cover.peek(id, &heard);
                cover.hear(id, &heard);
                cover.hear(id, &heard);
                cover.forecast();
            }
            cover.statement();
        }
    }
}

/// Two long lists of values: what waits for a slice must not hold up the slice.
#[test]
fn long_lists_come_to_an_end() {
    let choice = |values: usize| Axis::Choice { values: vec![String::new(); values], any: true, exhaustive: true };
    let mut cover =
        Cover::new(Space { fields: vec![choice(3), choice(2500)] }, Settings { limit: Some(4), ..Settings::default() });
    let records: Vec<(usize, usize)> = (0..30).map(|number| (number % 3, number * 80)).collect();
    while let Some((id, question)) = cover.next(1).pop() {
        let is = |part: &Part, value: usize| !matches!(part, Part::Is(index) if *index != value);
        let found = records.iter().filter(|(a, b)| is(&question.parts[0], *a) && is(&question.parts[1], *b));
        let rows: Vec<AnswerRecord> =
            found.map(|(_, b)| AnswerRecord { key: *b as u128, values: Vec::new() }).collect();
        let shown = vec![rows[..rows.len().min(4)].to_vec()];
        cover.hear(id, &Heard { pages: &shown, said: Some(rows.len() as u64), more: false, cut: Cut::Unknown });
    }
    let statement = cover.statement();
    assert!(statement.certified && statement.rows == 30, "{statement:?}");
}

#[test]
fn a_list_longer_than_the_cap_proves_nothing() {
    let space =
        Space { fields: vec![Axis::Choice { values: vec![String::new(); 10_001], any: true, exhaustive: true }] };
    let mut cover = Cover::new(space, Settings { limit: Some(2), ..Settings::default() });
    while let Some((id, question)) = cover.next(1).pop() {
        let value = if let Part::Is(value) = question.parts[0] { value } else { 0 };
        let rows = vec![if value == 0 { numbers(0..1) } else { Vec::new() }];
        cover.hear(
            id,
            &Heard { pages: &rows, said: None, more: value == 0 && question.parts[0] == Part::Open, cut: Cut::Unknown },
        );
    }
    assert!(!cover.statement().certified, "{:?}", cover.statement());
}
