//! Whole surveys are walked in flat memory, and a walk sees one moment.

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::{NewAddress, NewHost, PgStore, Server, Snapshot, Store, StoreError, SurveyName, WriteBatch};

use super::lines::Lines;
use super::place::{Place, address};

/// URLs with these numbers, with texts that need care.
fn addresses(numbers: std::ops::Range<u32>) -> Vec<NewAddress> {
    let new = |n: u32| NewAddress {
        id: PageId(n),
        fp: Fp(u128::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)),
        host: HostId(1),
        url: format!("http://h/{n}/\0\u{10ffff}0{}", "x".repeat(n as usize % 200)),
        reason: Reason::OutOfScope,
        depth: Depth(1),
        via: None,
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: None,
        run: 0,
    };
    numbers.map(new).collect()
}

fn store(place: &Place) -> PgStore {
    let mut store = PgStore::open(&place.server, &place.survey).unwrap();
    let host = NewHost { id: HostId(1), origin: "http://h".into() };
    store.commit(&WriteBatch { run: 1, hosts: vec![host], ..WriteBatch::default() }).unwrap();
    store
}

/// The most memory this process had so far, in kilobytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Set for a process that walks through a survey and looks at its own memory: the survey.
const WALKS: &str = "GROMA_TEST_WALKS";

/// The last number and the bytes of all URLs.
fn walked(store: &mut PgStore) -> (u32, usize) {
    let (mut last, mut bytes) = (0, 0);
    let mut look = |standing: &groma_store::Standing<'_>| {
        assert_eq!(standing.id.0, last + 1);
        assert!(standing.url.contains("/\0\u{10ffff}0"));
        (last, bytes) = (standing.id.0, bytes + standing.url.len());
    };
    store.each_standing(&mut look).unwrap();
    (last, bytes)
}

/// The part of the test below that runs in a process of its own: the other tests need memory too.
#[test]
fn a_process_that_walks() {
    let Ok(survey) = std::env::var(WALKS) else { return };
    let server = Server::parse(&address().unwrap()).unwrap();
    let mut reader = PgStore::open_reading(&server, &SurveyName::new(&survey).unwrap()).unwrap();
    let before = peak();
    let (last, bytes) = walked(&mut reader);
    let after = peak();
    assert_eq!(last, 200_000);
    assert!(bytes > 20 << 20, "{bytes} bytes of URLs");
    assert!(after - before < 8 << 10, "{before} kB before, {after} kB after");
}

#[test]
fn two_hundred_thousand_addresses_are_walked_in_flat_memory() {
    let Some(place) = Place::new("walk") else { return };
    let mut store = store(&place);
    for part in 0..20 {
        let addresses = addresses(part * 10_000 + 1..part * 10_000 + 10_001);
        store.commit(&WriteBatch { run: 1, addresses, ..WriteBatch::default() }).unwrap();
    }
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "postgres_survey::streams::a_process_that_walks"])
        .env(WALKS, place.survey.as_str())
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert_eq!(walked(&mut store).0, 200_000, "the writer sees the same");
    let mut prints = 0;
    store.each_fingerprint(&mut |_| prints += 1).unwrap();
    assert_eq!(prints, 200_000);
}

#[test]
fn a_walk_that_ends_early_does_not_disturb_the_next() {
    let Some(place) = Place::new("early") else { return };
    let mut store = store(&place);
    store.commit(&WriteBatch { run: 1, addresses: addresses(1..5_000), ..WriteBatch::default() }).unwrap();
    let mut reader = PgStore::open_reading(&place.server, &place.survey).unwrap();
    for most in [1, 2_500, 9_999] {
        let mut seen = 0;
        let mut read = |_: &groma_store::Sheet<'_>| {
            seen += 1;
            seen < most
        };
        reader.each_sheet(true, &mut read).unwrap();
        assert_eq!(seen, most.min(4_999));
    }
}

#[test]
fn a_walk_that_is_cut_off_goes_on_for_the_writer_and_is_an_error_for_a_reader() {
    let Some(place) = Place::new("cut-walk") else { return };
    let (lines, server) = Lines::through(&address().unwrap());
    let mut store = PgStore::open(&server, &place.survey).unwrap();
    store.commit(&WriteBatch { run: 1, addresses: addresses(1..20_001), ..WriteBatch::default() }).unwrap();
    let mut reader = PgStore::open_reading(&server, &place.survey).unwrap();
    let walk = |store: &mut PgStore| {
        let mut seen = Vec::new();
        let mut look = |sheet: &groma_store::Sheet<'_>| {
            seen.push(sheet.id.0);
            if seen.len() % 5_000 == 10 {
                lines.sever();
            }
            true
        };
        let end = store.each_sheet(true, &mut look);
        (seen, end)
    };
    let (seen, end) = walk(&mut store);
    end.unwrap();
    assert!(seen.into_iter().eq(1..20_001));
    let (seen, end) = walk(&mut reader);
    assert!(seen.len() < 20_000 && matches!(end, Err(StoreError::Unreachable { .. })), "{} {end:?}", seen.len());
    // Another moment is another beginning.
    reader.renew().unwrap();
    assert_eq!(reader.balance().unwrap().discovered(), 20_000);
}

#[test]
fn a_reader_sees_whole_batches_while_others_are_written() {
    let Some(place) = Place::new("moment") else { return };
    let mut store = store(&place);
    let (server, survey) = (place.server.clone(), place.survey.clone());
    let writer = std::thread::spawn(move || {
        for part in 0..40u32 {
            let batch = WriteBatch {
                run: 1,
                addresses: addresses(part * 500 + 1..part * 500 + 501),
                values: vec![("batches".into(), (part + 1).to_string())],
                ..WriteBatch::default()
            };
            store.commit(&batch).unwrap();
        }
        store
    });
    let mut moments = std::collections::BTreeSet::new();
    while !writer.is_finished() {
        let mut reader = PgStore::open_reading(&server, &survey).unwrap();
        let mut count = 0;
        reader.each_fingerprint(&mut |_| count += 1).unwrap();
        let batches: u64 = reader.value("batches").unwrap().map_or(0, |value| value.parse().unwrap());
        assert_eq!(count, batches * 500);
        assert_eq!(reader.balance().unwrap().discovered(), count);
        moments.insert(batches);
    }
    drop(writer.join().unwrap());
    assert!(moments.len() > 3, "{moments:?}");
}
