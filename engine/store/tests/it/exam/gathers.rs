//! What every keeper of gatherings must hold to, whatever database it is on.

use groma_model::Reason;

use groma_store::StoreError;
use groma_store::gathers::{AnswerRow, GATHERINGS, GatherId, Gathers, Harvest, NewGather, RecordRow, RobotsKept};

/// A case: it is given an empty keeper.
pub(crate) type Case = fn(&mut Gathers) -> Result<(), StoreError>;

/// All cases with their names.
pub(crate) const CASES: [(&str, Case); 6] = [
    ("the same words are the same gathering", the_same_words_are_the_same_gathering),
    ("answers are kept by their questions", answers_are_kept_by_their_questions),
    ("what was found is shown in its order", what_was_found_is_shown_in_its_order),
    ("a new generation replaces the old one at its end", a_new_generation_replaces_the_old_one_at_its_end),
    ("those that rested longest go first", those_that_rested_longest_go_first),
    ("texts of any length and any characters", texts_of_any_length_and_any_characters),
];

fn asked(key: &str, at: i64) -> NewGather {
    NewGather { key: key.into(), address: format!("http://a.test/{key}"), asked: "{}".into(), at }
}

fn answer(key: &str, body: &str) -> AnswerRow {
    AnswerRow {
        key: key.into(),
        about: format!("the question {key}"),
        at: 5,
        reason: Reason::Fetched,
        status: 200,
        address: format!("http://a.test/?{key}"),
        media_type: "text/html".into(),
        charset: String::new(),
        etag: "\"1\"".into(),
        last_modified: String::new(),
        cut: false,
        unchanged: false,
        requests: 1,
        body: body.as_bytes().to_vec(),
    }
}

fn found(names: &[&str], requests: u32) -> Harvest {
    let record = |name: &&str| RecordRow {
        place: 0,
        values: format!("[[\"name\",\"{name}\"]]"),
        link: String::new(),
        question: "all".into(),
    };
    Harvest {
        records: names.iter().map(record).collect(),
        values: names.iter().map(|name| ("name".to_owned(), (*name).to_owned())).collect(),
        requests,
        at: 7,
        ..Harvest::default()
    }
}

fn the_same_words_are_the_same_gathering(gathers: &mut Gathers) -> Result<(), StoreError> {
    let first = gathers.begin(&asked("a", 10))?;
    let other = gathers.begin(&asked("b", 25))?;
    assert_ne!(first.id, other.id);
    let again = gathers.begin(&asked("a", 30))?;
    assert_eq!((again.id, again.begun, again.last, again.generation), (first.id, 10, 30, 0));
    assert_eq!(gathers.gathers()?.iter().map(|row| row.id).collect::<Vec<_>>(), [first.id, other.id]);
    assert!(gathers.end(first.id, "certified", "{\"rows\":0}", 40)?);
    let row = gathers.gather(first.id)?.map(|row| (row.end, row.statement, row.last));
    assert_eq!(row, Some(("certified".to_owned(), "{\"rows\":0}".to_owned(), 40)));
    assert!(gathers.tell(first.id, "{\"planned\":1}")? && !gathers.tell(GatherId(9_999), "")?);
    assert_eq!(gathers.gather(first.id)?.map(|row| row.report), Some("{\"planned\":1}".to_owned()));
    let third = gathers.begin(&asked("a", 50))?;
    assert_eq!((third.generation, third.end.as_str(), third.statement.as_str()), (1, "", "{\"rows\":0}"));
    assert!(gathers.forget(first.id)?);
    assert!(!gathers.forget(first.id)?);
    assert_eq!(gathers.gather(first.id)?, None);
    assert!(!gathers.end(GatherId(9_999), "", "", 0)?);
    assert!(!gathers.add(GatherId(9_999), &found(&["x"], 1))?);
    assert!(!gathers.keep(GatherId(9_999), &answer("x", ""))?);
    assert_eq!(gathers.complaints()?, Vec::<String>::new());
    Ok(())
}

fn answers_are_kept_by_their_questions(gathers: &mut Gathers) -> Result<(), StoreError> {
    let id = gathers.begin(&asked("a", 10))?.id;
    assert_eq!(gathers.answer(id, "q")?, None);
    assert!(gathers.keep(id, &answer("q", "one"))?);
    assert!(gathers.keep(id, &AnswerRow { requests: 3, ..answer("r", "two") })?);
    assert_eq!(gathers.answer(id, "q")?, Some(answer("q", "one")));
    assert!(gathers.keep(id, &answer("q", "three"))?);
    assert_eq!(gathers.answer(id, "q")?.map(|row| row.body), Some(b"three".to_vec()));
    assert_eq!(gathers.answer_before(id, "q")?, None);
    assert!(gathers.keep(id, &AnswerRow { about: "the question r".into(), ..answer("s", "later") })?);
    let about = gathers.answer_about(id, "the question r")?.map(|row| (row.key, row.body));
    assert_eq!(about, Some(("r".to_owned(), Vec::new())), "the first of those with the same words");
    assert_eq!(gathers.answer_about(id, "no such question")?, None);
    let listed: Vec<String> = gathers.answers(id, 0, 9)?.into_iter().map(|row| row.key).collect();
    assert_eq!(listed, ["q", "r", "s"]);
    assert!(gathers.answers(id, 0, 9)?.iter().all(|row| row.body.is_empty()));
    assert_eq!(gathers.answers(id, 1, 9)?.len(), 2);
    assert_eq!(gathers.gather(id)?.map(|row| row.requests), Some(5));
    let large = "x".repeat(3 << 20);
    assert!(gathers.keep(id, &answer("large", &large))?);
    assert_eq!(gathers.answer(id, "large")?.map(|row| row.body.len()), Some(3 << 20));
    assert_eq!(gathers.robots("http://a.test")?, None);
    let said = RobotsKept { at: 3, status: 200, body: b"User-agent: *".to_vec() };
    gathers.keep_robots("http://a.test", &said)?;
    assert_eq!(gathers.robots("http://a.test")?, Some(said));
    assert_eq!(gathers.complaints()?, Vec::<String>::new());
    Ok(())
}

fn what_was_found_is_shown_in_its_order(gathers: &mut Gathers) -> Result<(), StoreError> {
    let id = gathers.begin(&asked("a", 10))?.id;
    assert!(
        gathers.add(id, &Harvest { form: Some("http://a.test/f".into()), title: Some("T".into()), ..found(&[], 1) })?
    );
    assert!(gathers.add(id, &found(&["x", "y"], 2))?);
    assert!(gathers.add(id, &found(&["z"], 4))?);
    let names: Vec<(u32, String)> = gathers.records(id, 1, 9)?.into_iter().map(|row| (row.place, row.values)).collect();
    assert_eq!(names, [(1, "[[\"name\",\"y\"]]".to_owned()), (2, "[[\"name\",\"z\"]]".to_owned())]);
    assert_eq!(gathers.attributes(id)?, [("name".to_owned(), 3)]);
    assert_eq!(gathers.values(id, "name", 1, 1)?, ["y"]);
    assert_eq!(gathers.curve(id, 10)?, [(1, 0), (2, 2), (4, 3)]);
    assert_eq!(gathers.curve(id, 2)?.last(), Some(&(4, 3)));
    let row = gathers.gather(id)?.map(|row| (row.records, row.form, row.title));
    assert_eq!(row, Some((3, "http://a.test/f".to_owned(), "T".to_owned())));
    // It goes on: what it found is found again, and not twice.
    gathers.begin(&asked("a", 20))?;
    assert_eq!(gathers.records(id, 0, 9)?, []);
    assert!(gathers.add(id, &found(&["x"], 2))?);
    assert_eq!(gathers.records(id, 0, 9)?.len(), 1);
    assert_eq!(gathers.complaints()?, Vec::<String>::new());
    Ok(())
}

fn a_new_generation_replaces_the_old_one_at_its_end(gathers: &mut Gathers) -> Result<(), StoreError> {
    let id = gathers.begin(&asked("a", 10))?.id;
    assert!(gathers.keep(id, &answer("q", "old"))?);
    assert!(gathers.add(id, &found(&["x", "y"], 1))?);
    assert!(gathers.end(id, "certified", "{}", 12)?);
    let row = gathers.begin(&asked("a", 20))?;
    assert_eq!((row.generation, row.shown, row.requests, row.records), (1, 0, 0, 2));
    assert_eq!(gathers.answer(id, "q")?, None, "it is asked again");
    assert_eq!(gathers.answer_before(id, "q")?.map(|row| row.body), Some(b"old".to_vec()));
    assert!(gathers.keep(id, &answer("q", "new"))?);
    assert_eq!(gathers.answer_about(id, "the question q")?.map(|row| row.at), Some(5));
    assert!(gathers.keep(id, &AnswerRow { at: 21, ..answer("q", "new") })?);
    assert_eq!(gathers.answer_about(id, "the question q")?.map(|row| row.at), Some(5), "of what is shown");
    assert!(gathers.add(id, &found(&["z"], 1))?);
    assert_eq!(gathers.values(id, "name", 0, 9)?, ["x", "y"], "the old one is shown until the new one is done");
    assert!(gathers.end(id, "estimated", "{\"new\":1}", 22)?);
    assert_eq!(gathers.values(id, "name", 0, 9)?, ["z"]);
    assert_eq!(gathers.answer_about(id, "the question q")?.map(|row| row.at), Some(21));
    assert_eq!(gathers.answer_before(id, "q")?, None);
    assert_eq!(gathers.gather(id)?.map(|row| (row.shown, row.records)), Some((1, 1)));
    assert_eq!(gathers.complaints()?, Vec::<String>::new());
    Ok(())
}

fn those_that_rested_longest_go_first(gathers: &mut Gathers) -> Result<(), StoreError> {
    let first = gathers.begin(&asked("0", 0))?.id;
    let second = gathers.begin(&asked("1", 1))?.id;
    gathers.add(first, &Harvest { at: 1_000, ..found(&["x"], 1) })?;
    for number in 2..=GATHERINGS as i64 {
        gathers.begin(&asked(&number.to_string(), number))?;
    }
    assert_eq!(gathers.gathers()?.len(), GATHERINGS);
    assert!(gathers.gather(first)?.is_some(), "it was at work since");
    assert_eq!(gathers.gather(second)?, None);
    assert_eq!(gathers.complaints()?, Vec::<String>::new());
    Ok(())
}

/// What comes from a server may be anything; no index may stumble over it, and nothing may be taken for something else.
fn texts_of_any_length_and_any_characters(gathers: &mut Gathers) -> Result<(), StoreError> {
    let long: String = (0..6_000_u32)
        .map(|n| char::from_u32(0x4e00 + n.wrapping_mul(2_654_435_761) % 20_000).unwrap_or('x'))
        .collect();
    let other = format!("{long}x");
    let odd = [
        "",
        " ",
        "'; DROP TABLE value; --",
        "a\0b",
        "a\u{10ffff}0b",
        "a\u{fffd}b",
        "\\x00",
        "\"?1\" $1",
        &long,
        &other,
    ];
    let mut ids = Vec::new();
    for text in odd {
        let id = gathers.begin(&NewGather { address: text.into(), asked: text.into(), ..asked(text, 10) })?.id;
        assert!(!ids.contains(&id), "{text:?} is a gathering of its own");
        ids.push(id);
        assert!(gathers.tell(id, text)?);
    }
    let id = ids[3];
    for (place, text) in odd.into_iter().enumerate() {
        assert!(gathers.keep(id, &AnswerRow { about: text.into(), ..answer(text, text) })?);
        assert!(gathers.keep(id, &AnswerRow { about: text.into(), ..answer(text, text) })?, "the same again");
        let mut harvest = found(&[text], place as u32);
        harvest.values.push((text.to_owned(), text.to_owned()));
        harvest.title = Some(text.to_owned());
        assert!(gathers.add(id, &harvest)?);
    }
    assert!(gathers.end(id, "done", "all", 20)?);
    assert_eq!(gathers.answers(id, 0, usize::MAX)?.len(), odd.len());
    for text in odd {
        assert_eq!(gathers.answer(id, text)?.map(|row| row.body), Some(text.as_bytes().to_vec()), "{text:?}");
        assert_eq!(gathers.answer_about(id, text)?.map(|row| row.key).as_deref(), Some(text));
        assert_eq!(gathers.values(id, text, 0, 9)?, [text]);
        gathers.keep_robots(text, &RobotsKept { at: 1, status: 200, body: text.as_bytes().to_vec() })?;
        assert_eq!(gathers.robots(text)?.map(|kept| kept.body), Some(text.as_bytes().to_vec()));
    }
    assert_eq!(gathers.values(id, "name", 0, usize::MAX)?, odd);
    assert_eq!(gathers.attributes(id)?.len(), odd.len() + 1);
    assert_eq!(gathers.gather(id)?.map(|row| row.title).as_deref(), Some(other.as_str()));
    assert_eq!(gathers.complaints()?, Vec::<String>::new());
    Ok(())
}
