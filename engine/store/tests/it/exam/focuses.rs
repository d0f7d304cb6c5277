//! What every keeper of focused crawls must hold to, whatever database it is on.

use groma_model::PageId;

use groma_store::StoreError;
use groma_store::focuses::{FOCUSES, FocusId, Focuses, NewFocus, StepRow};

/// A case: it is given an empty keeper.
pub(crate) type Case = fn(&mut Focuses) -> Result<(), StoreError>;

/// All cases with their names.
pub(crate) const CASES: [(&str, Case); 4] = [
    ("the same words are the same crawl", the_same_words_are_the_same_crawl),
    ("steps have no gap and replace what follows", steps_have_no_gap_and_replace_what_follows),
    ("relevant pages and the curve", relevant_pages_and_the_curve),
    ("those that rested longest go first", those_that_rested_longest_go_first),
];

fn asked(key: &str, at: i64) -> NewFocus {
    NewFocus { key: key.into(), topic: "parsing".into(), strategy: "arms".into(), asked: "{}".into(), at }
}

/// Steps `from..to`, every third page relevant.
fn steps(from: u32, to: u32) -> Vec<StepRow> {
    let step = |order: u32| StepRow {
        order,
        page: PageId(100 + order),
        address: format!("http://a.test/{order}"),
        score: f64::from(order % 10) / 10.0,
        relevant: order.is_multiple_of(3),
        found: order / 3 + 1,
        said: format!("{{\"n\":{order}}}"),
    };
    (from..to).map(step).collect()
}

fn the_same_words_are_the_same_crawl(focuses: &mut Focuses) -> Result<(), StoreError> {
    let first = focuses.begin(&asked("a", 10))?;
    assert!(focuses.end(first.id, "budget", 20)?);
    let other = focuses.begin(&asked("b", 25))?;
    assert_ne!(first.id, other.id);
    assert_eq!(focuses.focus(first.id)?.map(|row| (row.end, row.last)), Some(("budget".to_owned(), 20)));
    let again = focuses.begin(&asked("a", 30))?;
    assert_eq!((again.id, again.begun, again.last, again.end.as_str()), (first.id, 10, 30, ""));
    assert_eq!(focuses.focuses()?.iter().map(|row| row.id).collect::<Vec<_>>(), [first.id, other.id]);
    assert!(focuses.forget(first.id)?);
    assert!(!focuses.forget(first.id)?);
    assert_eq!(focuses.focus(first.id)?, None);
    assert!(!focuses.end(FocusId(9_999), "", 0)?);
    assert_eq!(focuses.complaints()?, Vec::<String>::new());
    Ok(())
}

fn steps_have_no_gap_and_replace_what_follows(focuses: &mut Focuses) -> Result<(), StoreError> {
    let id = focuses.begin(&asked("a", 10))?.id;
    assert!(!focuses.add_steps(id, &steps(1, 3), 11)?, "a gap before");
    assert!(focuses.add_steps(id, &steps(0, 10), 12)?);
    let mut gap = steps(10, 13);
    gap.remove(1);
    assert!(!focuses.add_steps(id, &gap, 13)?, "a gap within");
    assert!(!focuses.add_steps(FocusId(id.0 + 7), &steps(0, 1), 13)?);
    assert_eq!(focuses.steps(id, 0, 99, false)?, steps(0, 10));
    assert!(focuses.add_steps(id, &steps(4, 6), 14)?);
    assert_eq!(focuses.steps(id, 0, 99, false)?, steps(0, 6));
    let row = focuses.focus(id)?.map(|row| (row.steps, row.relevant, row.last));
    assert_eq!(row, Some((6, 2, 14)));
    assert!(focuses.add_steps(id, &[], 15)?);
    assert_eq!(focuses.steps(id, 2, 2, false)?, steps(2, 4));
    assert_eq!(focuses.step_of(id, PageId(103))?, steps(3, 4).pop());
    assert_eq!(focuses.step_of(id, PageId(1))?, None);
    assert_eq!(focuses.complaints()?, Vec::<String>::new());
    Ok(())
}

fn relevant_pages_and_the_curve(focuses: &mut Focuses) -> Result<(), StoreError> {
    let id = focuses.begin(&asked("a", 10))?.id;
    assert_eq!(focuses.curve(id, 5)?, []);
    assert!(focuses.add_steps(id, &steps(0, 100), 12)?);
    let orders = |rows: Vec<StepRow>| rows.into_iter().map(|row| row.order).collect::<Vec<_>>();
    assert_eq!(orders(focuses.steps(id, 1, 3, true)?), [3, 6, 9]);
    // Of equal scores the one that came first is first.
    assert_eq!(orders(focuses.best(id, 0, 3)?), [9, 39, 69]);
    assert_eq!(orders(focuses.best(id, 2, 2)?), [69, 99]);
    let curve = focuses.curve(id, 5)?;
    assert!(curve.len() <= 5, "{curve:?}");
    assert_eq!(curve.last(), Some(&(100, 34)));
    assert!(curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{curve:?}");
    assert_eq!(focuses.curve(id, 1_000)?.len(), 100);
    Ok(())
}

fn those_that_rested_longest_go_first(focuses: &mut Focuses) -> Result<(), StoreError> {
    let first = focuses.begin(&asked("0", 0))?.id;
    let second = focuses.begin(&asked("1", 1))?.id;
    focuses.add_steps(first, &steps(0, 2), 1_000)?;
    for number in 2..=FOCUSES as i64 {
        focuses.begin(&asked(&number.to_string(), number))?;
    }
    assert_eq!(focuses.focuses()?.len(), FOCUSES);
    assert!(focuses.focus(first)?.is_some(), "it was at work since");
    assert_eq!(focuses.focus(second)?, None);
    assert_eq!(focuses.complaints()?, Vec::<String>::new());
    Ok(())
}
