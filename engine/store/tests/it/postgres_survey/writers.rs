//! One writer at a time; readers see one moment; older formats are led on, newer ones refused.

use std::time::{Duration, Instant};

use tokio_postgres::SimpleQueryMessage;

use groma_store::{PgStore, Snapshot, Store, StoreError, WriteBatch};

use super::place::{Place, address};

fn values(key: &str, value: &str) -> WriteBatch {
    WriteBatch { run: 1, values: vec![(key.into(), value.into())], ..WriteBatch::default() }
}

/// Does something to a survey that no groma would.
fn meddle(place: &Place, sql: &str) {
    ask(place, sql);
}

/// Asks the server behind everybody's back: the first word of the answer.
fn ask(place: &Place, sql: &str) -> Option<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(&address().unwrap(), tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        let answer = client.simple_query(&format!("SET search_path = \"{}\"; {sql}", place.survey)).await.unwrap();
        answer.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        })
    })
}

#[test]
fn a_second_writer_is_refused_and_a_reader_is_not() {
    let Some(place) = Place::new("second") else { return };
    assert!(matches!(PgStore::open_reading(&place.server, &place.survey), Err(StoreError::Missing(_))));
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    store.commit(&values("a", "b")).unwrap();
    let begun = Instant::now();
    assert!(matches!(PgStore::open(&place.server, &place.survey), Err(StoreError::Busy(_))));
    assert!(begun.elapsed() < Duration::from_secs(10), "who is alive is not waited for");
    let mut reader = PgStore::open_reading(&place.server, &place.survey).unwrap();
    assert_eq!(reader.value("a").unwrap().as_deref(), Some("b"));
    store.commit(&values("a", "c")).unwrap();
    assert_eq!(reader.value("a").unwrap().as_deref(), Some("b"), "a reader sees one moment");
    reader.renew().unwrap();
    assert_eq!(reader.value("a").unwrap().as_deref(), Some("c"));
    drop(store);
    let begun = Instant::now();
    drop(PgStore::open(&place.server, &place.survey).unwrap());
    assert!(begun.elapsed() < Duration::from_secs(10), "who has let go is not waited for");
}

#[test]
fn of_many_who_begin_a_survey_one_writes() {
    let Some(place) = Place::new("many") else { return };
    let all = std::thread::scope(|scope| {
        let begin = || PgStore::open(&place.server, &place.survey);
        let threads: Vec<_> = (0..6).map(|_| scope.spawn(begin)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let busy = all.iter().filter(|opened| matches!(opened, Err(StoreError::Busy(_)))).count();
    let open = all.iter().filter(|opened| opened.is_ok()).count();
    assert_eq!((open, busy), (1, 5));
}

#[test]
fn a_writer_whose_place_was_taken_writes_nothing() {
    let Some(place) = Place::new("taken") else { return };
    let mut first = PgStore::open(&place.server, &place.survey).unwrap();
    first.commit(&values("a", "first")).unwrap();
    // Its time runs out without a word from it.
    meddle(&place, "UPDATE writer SET expires = now() - interval '1 second'");
    let mut second = PgStore::open(&place.server, &place.survey).unwrap();
    second.commit(&values("b", "second")).unwrap();
    let error = first.commit(&values("a", "late")).unwrap_err();
    assert!(matches!(error, StoreError::TakenOver(_)), "{error}");
    assert!(!error.hint().is_empty());
    assert!(matches!(first.shelve(groma_model::Reason::PageLimit, 1), Err(StoreError::TakenOver(_))));
    // Letting go of what it no longer has must not free the place.
    drop(first);
    assert_eq!(second.value("a").unwrap().as_deref(), Some("first"));
    second.commit(&values("a", "second")).unwrap();
    assert!(matches!(PgStore::open(&place.server, &place.survey), Err(StoreError::Busy(_))));
}

#[test]
fn a_writer_that_was_not_seen_for_a_while_goes_on_if_nobody_took_its_place() {
    let Some(place) = Place::new("late") else { return };
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    meddle(&place, "UPDATE writer SET expires = now() - interval '1 hour'");
    store.commit(&values("a", "b")).unwrap();
    assert!(matches!(PgStore::open(&place.server, &place.survey), Err(StoreError::Busy(_))));
}

#[test]
fn a_writer_that_was_killed_is_waited_for_until_its_time_is_over() {
    let Some(place) = Place::new("killed") else { return };
    drop(PgStore::open(&place.server, &place.survey).unwrap());
    let left =
        "UPDATE writer SET token = gen_random_uuid(), session = 0, expires = clock_timestamp() + interval '3 seconds'";
    meddle(&place, left);
    let begun = Instant::now();
    drop(PgStore::open(&place.server, &place.survey).unwrap());
    assert!(begun.elapsed() > Duration::from_secs(2), "its time was not over");
}

#[test]
fn a_writer_with_nothing_to_write_gives_signs_of_life() {
    let Some(place) = Place::new("beat") else { return };
    let store = PgStore::open(&place.server, &place.survey).unwrap();
    let expires = || ask(&place, "SELECT expires FROM writer").unwrap();
    let (first, begun) = (expires(), Instant::now());
    while expires() == first {
        assert!(begun.elapsed() < Duration::from_secs(15), "no sign of life");
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(store);
    // A beat that comes late must not bring the dead back.
    std::thread::sleep(Duration::from_millis(200));
    drop(PgStore::open(&place.server, &place.survey).unwrap());
}

#[test]
fn a_server_that_forgot_a_batch_is_not_written_on() {
    let Some(place) = Place::new("forgot") else { return };
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    store.commit(&values("a", "1")).unwrap();
    store.commit(&values("a", "2")).unwrap();
    meddle(&place, "UPDATE writer SET batch = 1; UPDATE survey SET value = '1'");
    assert!(matches!(store.commit(&values("a", "3")), Err(StoreError::Damaged(_))));
    assert_eq!(store.value("a").unwrap().as_deref(), Some("1"));
}

#[test]
fn a_cut_connection_is_made_again() {
    let Some(place) = Place::new("cut") else { return };
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    for round in 0..5 {
        meddle(&place, "SELECT pg_terminate_backend(session) FROM writer");
        store.commit(&values("a", &round.to_string())).unwrap();
        meddle(&place, "SELECT pg_terminate_backend(session) FROM writer");
        assert_eq!(store.value("a").unwrap(), Some(round.to_string()));
    }
}

#[test]
fn an_older_survey_is_led_on_and_a_newer_one_refused() {
    let Some(place) = Place::new("formats") else { return };
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    store.commit(&values("a", "of old")).unwrap();
    drop(store);
    // As the first format was.
    meddle(
        &place,
        "DROP TABLE writer, crew, lease, server, number_given, linked; DROP INDEX host_origin;
         UPDATE room SET format = 1 WHERE name = 'survey'",
    );
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    assert_eq!(store.value("a").unwrap().as_deref(), Some("of old"));
    store.commit(&values("a", "of now")).unwrap();
    drop(store);
    meddle(&place, "UPDATE room SET format = 99 WHERE name = 'survey'");
    assert!(matches!(PgStore::open(&place.server, &place.survey), Err(StoreError::Version { found: 99, .. })));
    assert!(matches!(PgStore::open_reading(&place.server, &place.survey), Err(StoreError::Version { found: 99, .. })));
}

#[test]
fn damage_is_found() {
    let Some(place) = Place::new("damage") else { return };
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    assert_eq!(store.damage().unwrap(), [""; 0]);
    meddle(&place, "INSERT INTO content VALUES (7, '', ''); INSERT INTO queue VALUES (9, 1, 1, 1)");
    assert_eq!(store.damage().unwrap(), ["number 7: content without a URL", "number 9: a turn without a URL"]);
}
