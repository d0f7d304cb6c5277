//! A server that is killed at any moment and comes back: every batch is applied once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::{NewAddress, PgStore, Server, Snapshot, Store, SurveyName, WriteBatch, verify};

use super::lines::{AFTER, BEFORE, Lines, WHOLE};
use super::place::{Cluster, Place, address};

/// How often it is killed.
const CRASHES: u32 = 20;

fn batch(number: u32) -> WriteBatch {
    let address = |n: u32| NewAddress {
        id: PageId(n),
        fp: Fp::hash_bytes(&n.to_be_bytes()),
        host: HostId(1),
        url: format!("http://h/{n}"),
        reason: Reason::OutOfScope,
        depth: Depth(1),
        via: None,
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: None,
        run: 0,
    };
    let mut batch = WriteBatch {
        now: i64::from(number),
        run: 1,
        addresses: (number * 50 + 1..number * 50 + 51).map(address).collect(),
        ..WriteBatch::default()
    };
    batch.counts.fetches = 1;
    batch
}

#[test]
fn a_batch_is_applied_once_however_often_the_server_dies() {
    let Some(cluster) = Cluster::start("crash") else { return };
    let server = Server::parse(&cluster.address).unwrap();
    let survey = SurveyName::new("crash").unwrap();
    let mut store = PgStore::open(&server, &survey).unwrap();
    let (over, written) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let writer = std::thread::spawn({
        let (over, written) = (over.clone(), written.clone());
        move || {
            while !over.load(Ordering::Relaxed) {
                store.commit(&batch(written.load(Ordering::Relaxed))).unwrap();
                written.fetch_add(1, Ordering::Relaxed);
            }
            store
        }
    });
    for crash in 0..CRASHES {
        // It is at work again, however long a slow machine takes to recover.
        let (before, until) = (written.load(Ordering::Relaxed), Instant::now() + Duration::from_secs(60));
        while written.load(Ordering::Relaxed) < before + 2 && !writer.is_finished() {
            assert!(Instant::now() < until, "nothing was written since crash {crash}");
            std::thread::sleep(Duration::from_millis(1));
        }
        // Pauses that do not repeat: 7 is prime to 20. A commit takes some milliseconds.
        std::thread::sleep(Duration::from_micros(u64::from(crash * 7 % CRASHES) * 1_700));
        cluster.crash(Duration::from_millis(u64::from(crash % 3) * 100));
        assert!(!writer.is_finished(), "the writer goes on");
    }
    over.store(true, Ordering::Relaxed);
    let mut store = writer.join().unwrap();
    let written = written.load(Ordering::Relaxed);
    assert!(written > CRASHES, "{written} batches");
    let balance = store.balance().unwrap();
    assert_eq!((balance.fetches, balance.discovered()), (u64::from(written), u64::from(written) * 50));
    let report = verify::verify(&mut store).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.complaints);
}

#[test]
fn a_batch_is_applied_once_when_its_commit_or_the_answer_is_lost() {
    let Some(place) = Place::new("lines") else { return };
    let (lines, server) = Lines::through(&address().unwrap());
    let mut store = PgStore::open(&server, &place.survey).unwrap();
    for number in 0..30 {
        lines.cut([BEFORE, AFTER, WHOLE][number as usize % 3]);
        store.commit(&batch(number)).unwrap();
    }
    assert_eq!(lines.cuts(), 20);
    let balance = store.balance().unwrap();
    assert_eq!((balance.fetches, balance.discovered()), (30, 30 * 50));
    let report = verify::verify(&mut store).unwrap();
    assert_eq!(report.wrong, 0, "{:?}", report.complaints);
}
