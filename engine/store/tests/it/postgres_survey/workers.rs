//! Several processes that write to one survey: doors, numbers, leases, and those who are given up.

use std::collections::{BTreeMap, HashSet};
use std::process::Command;
use std::time::{Duration, Instant};

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::batch::Content;
use groma_store::codec::{Mark, pack_targets};
use groma_store::workers::{Handed, Sign, Workers};
use groma_store::{
    Change, ChangeKind, FetchFacts, NewAddress, NewHost, PgStore, Settled, Snapshot, Store, StoreError, WriteBatch,
};

use super::place::{Place, address};

fn lead(place: &Place) -> PgStore {
    let mut store = PgStore::open_leading(&place.server, &place.survey).unwrap();
    workers(&mut store).announce("crawl").unwrap();
    store
}

fn hand(place: &Place) -> PgStore {
    PgStore::open_helping(&place.server, &place.survey).unwrap().expect("a hand is wanted")
}

fn workers(store: &mut PgStore) -> &mut dyn Workers {
    store.workers().expect("a group of workers")
}

fn new_address(id: u32, host: u32, url: &str) -> NewAddress {
    NewAddress {
        id: PageId(id),
        fp: Fp::hash_bytes(url.as_bytes()),
        host: HostId(host),
        url: url.to_owned(),
        reason: Reason::Waiting,
        depth: Depth(0),
        via: None,
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: Some((0, 0)),
        run: 0,
    }
}

/// A survey with so many hosts, each with one URL in the queue.
fn hosts(store: &mut PgStore, count: u32) {
    let hosts = (1..=count).map(|id| NewHost { id: HostId(id), origin: format!("http://h{id}") }).collect();
    let addresses = (1..=count).map(|id| new_address(id, id, &format!("http://h{id}/"))).collect();
    store.commit(&WriteBatch { hosts, addresses, ..WriteBatch::default() }).unwrap();
}

/// A lead and a hand behind open doors. The lead has given everything back.
fn two(place: &Place, count: u32) -> (PgStore, PgStore) {
    let mut first = lead(place);
    hosts(&mut first, count);
    let second = hand(place);
    let company = workers(&mut first).look(Sign::default()).unwrap();
    assert!(company.open && company.others == 1, "{company:?}");
    let all: Vec<HostId> = (1..=count).map(HostId).collect();
    workers(&mut first).give_back(&all, &[]).unwrap();
    (first, second)
}

fn sql(place: &Place, text: &str) {
    let text = format!("SET search_path = \"{}\"; {text}", place.survey);
    let done = Command::new("psql").arg(address().unwrap()).args(["-qc", &text]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// Nobody is given up in the first seconds of a server.
fn wait_for_uptime() {
    let up = "SELECT (clock_timestamp() - pg_postmaster_start_time() > interval '21 seconds')::text";
    let since = Instant::now();
    loop {
        let said = Command::new("psql").arg(address().unwrap()).args(["-Atc", up]).output().unwrap();
        if said.stdout == b"true\n" || since.elapsed() > Duration::from_secs(30) {
            return;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn hands_are_let_in_by_whoever_leads_and_by_nobody_else() {
    let Some(place) = Place::new("doors") else { return };
    assert!(PgStore::open_helping(&place.server, &place.survey).unwrap().is_none(), "there is no survey");
    let alone = PgStore::open(&place.server, &place.survey).unwrap();
    assert!(PgStore::open_helping(&place.server, &place.survey).unwrap().is_none(), "whoever is alone wants none");
    drop(alone);
    let mut first = lead(&place);
    assert!(!workers(&mut first).look(Sign::default()).unwrap().open, "nobody is outside");
    let mut second = hand(&place);
    assert!(!workers(&mut second).leads() && workers(&mut first).leads());
    assert!(!workers(&mut second).look(Sign::default()).unwrap().open, "a hand does not open");
    assert!(workers(&mut first).look(Sign::default()).unwrap().open);
    let company = workers(&mut second).look(Sign::default()).unwrap();
    assert!(company.open && company.led && company.others == 1, "{company:?}");
    // Whoever wants to be alone is refused; whoever leads next waits until the hands of the one before have gone.
    drop(first);
    assert!(matches!(PgStore::open(&place.server, &place.survey), Err(StoreError::Busy(_))));
    let (server, survey) = (place.server.clone(), place.survey.clone());
    let next = std::thread::spawn(move || PgStore::open_leading(&server, &survey).unwrap());
    let since = Instant::now();
    while workers(&mut second).look(Sign::default()).unwrap().open {
        assert!(since.elapsed() < Duration::from_secs(10), "the doors are closed");
    }
    assert!(!next.is_finished(), "a hand is still there");
    drop(second);
    let mut next = next.join().unwrap();
    let company = workers(&mut next).look(Sign::default()).unwrap();
    assert!(!company.open && !company.wanted, "{company:?}");
    assert!(PgStore::open_helping(&place.server, &place.survey).unwrap().is_none(), "nothing is announced yet");
    assert!(workers(&mut next).close().unwrap());
    drop(next);
    assert!(PgStore::open(&place.server, &place.survey).is_ok());
}

#[test]
fn what_two_meet_at_once_has_one_number() {
    let Some(place) = Place::new("numbers") else { return };
    let (mut first, mut second) = two(&place, 1);
    let (a, b) = (workers(&mut first).numbers().unwrap(), workers(&mut second).numbers().unwrap());
    assert!(a.pages.end <= b.pages.start && a.hosts.end <= b.hosts.start, "{a:?} {b:?}");
    assert!(a.pages.start == 2 && a.hosts.start == 2);
    let batch = |page: u32, host: u32, own: &str| {
        let mut both = new_address(page, host, "http://both/");
        both.queue = None;
        both.reason = Reason::NoFollow;
        let targets = [PageId(1), PageId(page), PageId(page + 1)];
        let facts = FetchFacts { status: 200, canonical: Some(PageId(page)), ..FetchFacts::default() };
        let content = Content::Put {
            targets: pack_targets(&targets, [Mark::plain(LinkKind::Anchor); 3]),
            details: Vec::new(),
            body: None,
        };
        WriteBatch {
            hosts: vec![NewHost { id: HostId(host), origin: "http://both".into() }],
            addresses: vec![both, NewAddress { via: Some(PageId(page)), ..new_address(page + 1, host, own) }],
            settled: vec![Settled {
                id: PageId(1),
                reason: Reason::Fetched,
                alias_of: None,
                facts,
                content,
                changed: false,
            }],
            ..WriteBatch::default()
        }
    };
    let renamed = workers(&mut first).write(&batch(a.pages.start, a.hosts.start, "http://both/a")).unwrap();
    assert!(renamed.pages.is_empty() && renamed.hosts.is_empty());
    let mut wanted = batch(b.pages.start, b.hosts.start, "http://both/b");
    wanted.addresses[0].queue = Some((1, 0));
    wanted.addresses[0].reason = Reason::Waiting;
    let renamed = workers(&mut second).write(&wanted).unwrap();
    assert_eq!(renamed.hosts[&HostId(b.hosts.start)], HostId(a.hosts.start));
    let found = renamed.pages[&PageId(b.pages.start)];
    assert!(found.id == PageId(a.pages.start) && found.soft);
    let links: Vec<u32> = second.targets(PageId(1)).unwrap().iter().map(|page| page.0).collect();
    assert_eq!(links, [1, a.pages.start, b.pages.start + 1]);
    assert_eq!(second.page(PageId(1)).unwrap().unwrap().facts.canonical, Some(PageId(a.pages.start)));
    let own = second.address(PageId(b.pages.start + 1)).unwrap().unwrap();
    assert_eq!((own.host.0, own.via), (a.hosts.start, Some(PageId(a.pages.start))));
    // Registered by the first, wanted by the second: it is fetched.
    let both = second.address(PageId(a.pages.start)).unwrap().unwrap();
    assert!(both.queued && both.reason == Reason::Waiting);
    let report = groma_store::verify::verify(&mut second).unwrap();
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
}

#[test]
fn a_host_and_a_server_have_one_owner() {
    let Some(place) = Place::new("leases") else { return };
    let (mut first, mut second) = two(&place, 5);
    let ids = |rows: Vec<groma_store::HostRow>| rows.iter().map(|row| row.id.0).collect::<HashSet<u32>>();
    let one = ids(workers(&mut first).lease(0, 2).unwrap());
    let other = ids(workers(&mut second).lease(0, 10).unwrap());
    assert!((one.len(), other.len()) == (2, 3) && one.is_disjoint(&other), "{one:?} {other:?}");
    assert!(workers(&mut first).lease(0, 10).unwrap().is_empty());
    assert!(workers(&mut first).lease(1, 10).unwrap().is_empty(), "there is nothing in that round");
    assert_eq!(workers(&mut first).leased(0).unwrap().len(), 2);
    let (mine, yours) = (*one.iter().min().unwrap(), *other.iter().min().unwrap());
    assert_eq!(workers(&mut first).take_server(HostId(mine), "192.0.2.1").unwrap(), Handed::After(Duration::ZERO));
    // The same server behind another host: that host goes back, and only the owner of the server may have it.
    assert_eq!(workers(&mut second).take_server(HostId(yours), "192.0.2.1").unwrap(), Handed::Taken);
    assert!(workers(&mut second).lease(0, 10).unwrap().is_empty());
    assert_eq!(ids(workers(&mut first).lease(0, 10).unwrap()), HashSet::from([yours]));
    // Given back, with a rest.
    let both = [HostId(mine), HostId(yours)];
    let rest = Duration::from_secs(7);
    workers(&mut first).give_back(&both, &[("192.0.2.1".into(), rest)]).unwrap();
    assert_eq!(ids(workers(&mut second).lease_these(&both).unwrap()), both.iter().map(|host| host.0).collect());
    let handed = workers(&mut second).take_server(HostId(mine), "192.0.2.1").unwrap();
    assert!(matches!(handed, Handed::After(left) if left > rest / 2 && left <= rest), "{handed:?}");
}

#[test]
fn whoever_is_given_up_can_write_nothing_and_keeps_nothing() {
    let Some(place) = Place::new("burial") else { return };
    let (mut first, mut second) = two(&place, 3);
    let lost = workers(&mut second).lease(0, 1).unwrap();
    workers(&mut second).take_server(lost[0].id, "192.0.2.9").unwrap();
    assert!(workers(&mut second).may_fetch());
    wait_for_uptime();
    sql(&place, "UPDATE writer SET expires = clock_timestamp() - interval '1 second' WHERE place = 1");
    assert_eq!(workers(&mut first).look(Sign::default()).unwrap().others, 0);
    let taken = workers(&mut first).lease(0, 10).unwrap();
    assert_eq!(taken.len(), 3, "its host is free again");
    assert_eq!(workers(&mut first).take_server(lost[0].id, "192.0.2.9").unwrap(), Handed::Abandoned);
    let late = WriteBatch { values: vec![("late".into(), "yes".into())], ..WriteBatch::default() };
    assert!(matches!(workers(&mut second).write(&late), Err(StoreError::TakenOver(_))));
    assert!(matches!(workers(&mut second).look(Sign::default()), Err(StoreError::TakenOver(_))));
    assert_eq!(first.value("late").unwrap(), None);
    workers(&mut second).give_back(&[lost[0].id], &[("192.0.2.9".into(), Duration::ZERO)]).unwrap();
    assert!(
        workers(&mut first).lease_these(&[lost[0].id]).unwrap().is_empty(),
        "what is no longer ours is not given back"
    );
    // A second life begins with nothing.
    let mut again = hand(&place);
    assert!(workers(&mut again).leased(0).unwrap().is_empty());
}

#[test]
fn many_at_once_lease_no_host_twice_and_their_log_has_no_gaps() {
    let Some(place) = Place::new("many") else { return };
    const HOSTS: u32 = 300;
    let (mut first, second) = two(&place, HOSTS);
    drop(second);
    let members: Vec<PgStore> = (0..6).map(|_| hand(&place)).collect();
    workers(&mut first).look(Sign::default()).unwrap();
    let work = |mut member: PgStore| {
        let mut mine = Vec::new();
        let numbers = workers(&mut member).numbers().unwrap();
        let (mut page, mut idle) = (numbers.pages.start, 0);
        while idle < 20 {
            let hosts = workers(&mut member).lease(0, 7).unwrap();
            idle = if hosts.is_empty() { idle + 1 } else { 0 };
            for host in hosts {
                mine.push(host.id);
                // Everybody meets the same new URL each time, and one of its own.
                let same = new_address(page, host.id.0, &format!("http://same/{}", host.id.0 % 10));
                let own = new_address(page + 1, host.id.0, &format!("http://own/{}", host.id.0));
                page += 2;
                let change =
                    |page| Change { seq: 0, run: 1, at: 0, page, to: None, kind: ChangeKind::Added, amount: 0 };
                let changes = vec![change(same.id), change(own.id)];
                let batch = WriteBatch { addresses: vec![same, own], changes, ..WriteBatch::default() };
                workers(&mut member).write(&batch).unwrap();
            }
        }
        (member, mine)
    };
    // The log is followed meanwhile: whoever has read up to a place must not miss anything before it.
    let (server, survey) = (place.server.clone(), place.survey.clone());
    let follow = std::thread::spawn(move || {
        let mut reader = PgStore::open_reading(&server, &survey).unwrap();
        let (mut seen, since) = (0, Instant::now());
        while seen < u64::from(HOSTS) * 2 && since.elapsed() < Duration::from_secs(60) {
            reader.renew().unwrap();
            for change in reader.changes(seen, 1_000).unwrap() {
                assert_eq!(change.seq, seen + 1, "a place was missed");
                seen = change.seq;
            }
        }
        seen
    });
    let threads: Vec<_> = members.into_iter().map(|member| std::thread::spawn(move || work(member))).collect();
    let done: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let mut owners: BTreeMap<HostId, u32> = BTreeMap::new();
    done.iter().flat_map(|(_, mine)| mine).for_each(|host| *owners.entry(*host).or_default() += 1);
    assert_eq!(owners.len(), HOSTS as usize);
    assert!(owners.values().all(|times| *times == 1));
    assert_eq!(follow.join().unwrap(), u64::from(HOSTS) * 2);
    let count = first.addresses(None, 10_000).unwrap().len();
    assert_eq!(count, HOSTS as usize * 2 + 10, "start pages, own ones, and each of the common ones once");
}
