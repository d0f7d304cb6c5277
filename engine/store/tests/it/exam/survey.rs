//! The exam every store must pass: whoever writes another one gets it with the trait.
//!
//! `each` is called with the name of a case and a function that opens (again) the store of that case, so that reopening is part
//! of the exam.

use groma_model::{Block, BlockKind, Depth, Fp, HostId, LinkKind, PageId, ParsedPage, Reason, State};

use groma_store::batch::{Amend, Content, NewAddress, NewHost, Settled, WriteBatch};
use groma_store::{Change, ChangeKind, FetchFacts, Finding, LearnedRow, RobotsRow};
use groma_store::{Packed, Sheet, Store, StoreError, codec, verify};

/// Opens the store of a case; called again, it opens the same one.
pub(crate) type Open<'a> = dyn FnMut() -> Box<dyn Store> + 'a;

/// A case: its name and what is done.
pub(crate) type Case = (&'static str, fn(&mut Open<'_>));

pub(crate) const CASES: &[Case] = &[
    ("an empty store is empty", empty),
    ("what is committed is there after reopening", reopen),
    ("a failed batch leaves nothing behind", all_or_nothing),
    ("the queue gives turns by round, host and rank", queue),
    ("settling takes a URL out of the queue", settling),
    ("amending moves a URL and can forget its content", amending),
    ("shelving empties the queue", shelving),
    ("requeueing asks again and keeps the standing", requeueing),
    ("the URLs by which a URL was linked are kept", linked),
    ("evidence and findings are kept", evidence),
    ("the change log is in order", change_log),
    ("sums add up", sums),
    ("since says when the state changed, not when it was confirmed", since),
];

fn fp(n: u32) -> Fp {
    Fp::hash_bytes(format!("http://h/{n}").as_bytes())
}

fn address(n: u32, round: Option<u32>) -> NewAddress {
    NewAddress {
        id: PageId(n),
        fp: fp(n),
        host: HostId(1),
        url: format!("http://h/{n}"),
        reason: if round.is_some() { Reason::Waiting } else { Reason::OutOfScope },
        depth: round.map_or(Depth::LOOSE, Depth),
        via: None,
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: round.map(|r| (r, 0)),
        run: 0,
    }
}

fn begun(addresses: Vec<NewAddress>) -> WriteBatch {
    let host = NewHost { id: HostId(1), origin: "http://h".into() };
    WriteBatch {
        now: 100,
        run: 1,
        hosts: vec![host],
        addresses,
        run_begins: Some("crawl".into()),
        ..WriteBatch::default()
    }
}

fn fetched(n: u32, links: &[u32]) -> Settled {
    let link = |_| groma_model::Link {
        target: groma_model::Target::Malformed(String::new()),
        kind: LinkKind::Anchor,
        text: "a link".into(),
        rel: groma_model::Rel::default(),
        block: BlockKind::Paragraph,
    };
    let page = ParsedPage {
        blocks: vec![Block { kind: BlockKind::Title, text: format!("page {n}") }],
        links: links.iter().map(link).collect(),
        ..ParsedPage::default()
    };
    let targets: Vec<PageId> = links.iter().copied().map(PageId).collect();
    Settled {
        id: PageId(n),
        reason: Reason::Fetched,
        alias_of: None,
        facts: FetchFacts { status: 200, title: format!("page {n}"), text_fp: Some(fp(n)), ..FetchFacts::default() },
        content: Content::Put {
            targets: codec::pack_targets(&targets, page.links.iter().map(codec::Mark::from_link)),
            details: codec::pack_details(&page),
            body: Some(codec::compress(b"<p>body")),
        },
        changed: true,
    }
}

fn amend(n: u32, reason: Reason) -> Amend {
    Amend::to(PageId(n), reason)
}

fn good(result: Result<(), StoreError>) {
    result.expect("the store takes a proper batch");
}

fn empty(open: &mut Open<'_>) {
    let mut store = open();
    assert_eq!(store.last_ids().expect("reads"), (0, 0));
    assert_eq!(store.first_round().expect("reads"), None);
    assert_eq!(store.balance().expect("reads").discovered(), 0);
    assert!(store.find(fp(1)).expect("reads").is_none());
    assert!(verify::verify(&mut *store).expect("verifies").complaints.is_empty());
}

fn reopen(open: &mut Open<'_>) {
    let mut store = open();
    good(store.commit(&begun(vec![address(1, Some(0)), address(2, Some(1))])));
    let mut settled = fetched(1, &[2, 1]);
    settled.facts.cuts = "html_links,broken".into();
    good(store.commit(&WriteBatch { now: 101, run: 1, settled: vec![settled], ..WriteBatch::default() }));
    drop(store);
    let mut store = open();
    assert_eq!(store.cuts().expect("reads"), [("html_links,broken".to_owned(), 1)]);
    let found = store.find(fp(1)).expect("reads").expect("is known");
    assert_eq!(found.id, PageId(1));
    let row = store.address(PageId(1)).expect("reads").expect("is there");
    assert_eq!((row.state(), row.depth, row.since), (State::Fetched, Depth(0), 101));
    assert_eq!(store.targets(PageId(1)).expect("reads"), [PageId(2), PageId(1)]);
    assert_eq!(store.page(PageId(1)).expect("reads").expect("is there").facts.title, "page 1");
    assert_eq!(store.body(PageId(1)).expect("reads").as_deref(), Some(&b"<p>body"[..]));
    assert_eq!(store.last_ids().expect("reads"), (2, 1));
    assert_eq!(store.addresses(Some(PageId(1)), 10).expect("reads").len(), 1);
    let mut seen = 0;
    store.each_fingerprint(&mut |_| seen += 1).expect("reads");
    assert_eq!(seen, 2);
    let mut standings = Vec::new();
    store.each_standing(&mut |standing| standings.push((standing.id.0, standing.reason))).expect("reads");
    assert_eq!(standings, [(1, Reason::Fetched), (2, Reason::Waiting)]);
    let (mut lists, mut links) = (0, Vec::new());
    let mut unpacked = |id, packed: &[u8]| {
        lists += u32::from(id == PageId(1) && codec::unpack_links(packed, &mut links).is_some());
    };
    store.each_targets(&mut unpacked).expect("reads");
    let plain = codec::Mark::plain(LinkKind::Anchor);
    assert_eq!((lists, links.as_slice()), (1, &[(2, plain), (1, plain)][..]));
    let mut whole = Vec::new();
    let mut read =
        |id, packed: Packed<'_>| whole.push((id, codec::unpack_details(packed.details).map(|d| d.links.len())));
    store.each_content(&mut read).expect("reads");
    assert_eq!(whole, [(PageId(1), Some(2))]);
    let mut pages = Vec::new();
    store.each_page(&mut |row, page| pages.push((row.id.0, page.map(|p| p.facts.title.clone())))).expect("reads");
    assert_eq!(pages, [(1, Some("page 1".to_owned())), (2, None)]);
    let mut sheets = |packed, most| {
        let mut seen = Vec::new();
        let mut read = |sheet: &Sheet<'_>| {
            seen.push((sheet.id.0, sheet.facts.map(|facts| facts.title.to_owned()), sheet.packed.is_some()));
            seen.len() < most
        };
        store.each_sheet(packed, &mut read).expect("reads");
        seen
    };
    assert_eq!(sheets(true, 9), [(1, Some("page 1".to_owned()), true), (2, None, false)]);
    assert_eq!(sheets(false, 1), [(1, Some("page 1".to_owned()), false)]);
    let (row, page) = (store.address(PageId(1)).expect("reads"), store.page(PageId(1)).expect("reads"));
    let (row, page) = (row.expect("is there"), page.expect("is there"));
    let alone = Sheet::from_rows(&row, &page, None);
    let mut same = 0;
    let mut compare = |sheet: &Sheet<'_>| {
        same += u32::from(sheet.facts == alone.facts && sheet.url == alone.url && sheet.reason == alone.reason);
        true
    };
    store.each_sheet(false, &mut compare).expect("reads");
    assert_eq!(same, 1);
    let report = verify::verify(&mut *store).expect("verifies");
    assert_eq!((report.wrong, report.addresses, report.links), (0, 2, 2), "{:?}", report.complaints);
}

fn all_or_nothing(open: &mut Open<'_>) {
    let mut store = open();
    good(store.commit(&begun(vec![address(1, Some(0))])));
    let twice =
        WriteBatch { now: 5, run: 1, addresses: vec![address(2, None), address(1, None)], ..WriteBatch::default() };
    assert!(store.commit(&twice).is_err(), "a URL cannot be new twice");
    assert!(store.find(fp(2)).expect("reads").is_none());
    good(store.commit(&WriteBatch { now: 6, run: 1, addresses: vec![address(2, None)], ..WriteBatch::default() }));
}

fn queue(open: &mut Open<'_>) {
    let mut store = open();
    let mut late = address(1, Some(2));
    late.queue = Some((2, 9));
    late.via = Some(PageId(3));
    let mut other_host = address(4, Some(2));
    other_host.host = HostId(2);
    let mut batch = begun(vec![late, address(2, Some(2)), address(3, Some(3)), other_host, address(5, None)]);
    batch.hosts.push(NewHost { id: HostId(2), origin: "http://g".into() });
    good(store.commit(&batch));
    assert_eq!(store.first_round().expect("reads"), Some(2));
    assert_eq!(store.queued_hosts(2).expect("reads"), [HostId(1), HostId(2)]);
    let ids = |rows: Vec<groma_store::Queued>| rows.into_iter().map(|q| q.id.0).collect::<Vec<_>>();
    assert_eq!(ids(store.queued(2, HostId(1), 10).expect("reads")), [2, 1]);
    assert_eq!(ids(store.queued(2, HostId(1), 1).expect("reads")), [2]);
    let found_on: Vec<_> = store.queued(2, HostId(1), 10).expect("reads").into_iter().map(|q| q.via).collect();
    assert_eq!(found_on, [None, Some(PageId(3))]);
    assert_eq!(store.queued_hosts(7).expect("reads"), []);
    assert_eq!(store.balance().expect("reads").queued, 4);
}

fn settling(open: &mut Open<'_>) {
    let mut store = open();
    good(store.commit(&begun(vec![address(1, Some(0)), address(2, Some(0))])));
    let mut gone = fetched(2, &[]);
    gone.reason = Reason::NotFound;
    gone.content = Content::Remove;
    good(store.commit(&WriteBatch { now: 7, run: 1, settled: vec![fetched(1, &[]), gone], ..WriteBatch::default() }));
    assert_eq!(store.first_round().expect("reads"), None);
    let balance = store.balance().expect("reads");
    assert_eq!((balance.state(State::Fetched), balance.state(State::Broken), balance.queued), (1, 1, 0));
    assert!(store.details(PageId(2)).expect("reads").is_none());
}

fn amending(open: &mut Open<'_>) {
    let mut store = open();
    good(store.commit(&begun(vec![address(1, Some(0)), address(2, Some(3)), address(3, None)])));
    good(store.commit(&WriteBatch { now: 7, run: 1, settled: vec![fetched(1, &[])], ..WriteBatch::default() }));
    let folded = Amend { alias_of: Some(PageId(2)), forget: true, ..amend(1, Reason::Folded) };
    let sooner = Amend { queue: Some((1, 0)), depth: Some(Depth(1)), ..amend(2, Reason::Waiting) };
    let loose = Amend { queue: Some((9, 0)), ..amend(3, Reason::Waiting) };
    good(store.commit(&WriteBatch { now: 8, run: 1, amends: vec![folded, sooner, loose], ..WriteBatch::default() }));
    assert!(store.page(PageId(1)).expect("reads").is_none());
    assert_eq!(store.aliases(PageId(2)).expect("reads").len(), 1);
    assert_eq!(store.aliases(PageId(1)).expect("reads").len(), 0);
    assert_eq!(store.first_round().expect("reads"), Some(1));
    assert_eq!(store.address(PageId(2)).expect("reads").expect("is there").depth, Depth(1));
    assert_eq!(store.address(PageId(3)).expect("reads").expect("is there").depth, Depth::LOOSE);
    let report = verify::verify(&mut *store).expect("verifies");
    assert_eq!(report.wrong, 0, "{:?}", report.complaints);
}

fn shelving(open: &mut Open<'_>) {
    let mut store = open();
    good(store.commit(&begun(vec![address(1, Some(0)), address(2, Some(1)), address(3, None)])));
    assert_eq!(store.shelve(Reason::PageLimit, 9).expect("writes"), 2);
    assert_eq!(store.first_round().expect("reads"), None);
    assert_eq!(store.balance().expect("reads").tally[&Reason::PageLimit], 2);
}

fn requeueing(open: &mut Open<'_>) {
    let mut store = open();
    good(store.commit(&begun(vec![address(1, Some(4)), address(2, None)])));
    good(store.commit(&WriteBatch { now: 7, run: 1, settled: vec![fetched(1, &[])], ..WriteBatch::default() }));
    assert_eq!(store.requeue(&|reason| reason == Reason::Fetched).expect("writes"), 1);
    assert_eq!(store.first_round().expect("reads"), Some(4));
    assert_eq!(store.queued(4, HostId(1), 5).expect("reads")[0].reason, Reason::Fetched);
    assert_eq!(store.balance().expect("reads").state(State::Fetched), 1);
    assert_eq!(store.shelve(Reason::PageLimit, 9).expect("writes"), 0, "what was fetched once is not shelved");
    assert_eq!(store.balance().expect("reads").queued, 0);
}

fn linked(open: &mut Open<'_>) {
    let mut store = open();
    let urls = |page: u32, urls: &str| (PageId(page), urls.to_owned());
    let (one, two) = ("http://h/?b&a", "http://h/?b&a\nhttp://h/?a&b");
    let batch = WriteBatch {
        linked: vec![urls(1, one), urls(3, one)],
        ..begun((1..=4).map(|n| address(n, Some(0))).collect())
    };
    good(store.commit(&batch));
    good(store.commit(&WriteBatch {
        now: 101,
        run: 1,
        linked: vec![urls(3, "x"), urls(3, two)],
        ..WriteBatch::default()
    }));
    drop(store);
    let mut store = open();
    assert_eq!(store.linked(PageId(1)).expect("reads").as_deref(), Some(one));
    assert_eq!(store.linked(PageId(2)).expect("reads"), None);
    let queued = store.queued(0, HostId(1), 10).expect("reads");
    let known: Vec<Option<&str>> = queued.iter().map(|row| row.linked.as_deref()).collect();
    assert_eq!(known, [Some(one), None, Some(two), None]);
    let mut all = Vec::new();
    store.each_linked(&mut |id, urls| all.push((id, urls.to_owned()))).expect("reads");
    assert_eq!(all, [urls(1, one), urls(3, two)]);
    let doubtful = |store: &mut Box<dyn Store>, n: u32| store.find(fp(n)).expect("reads").expect("is known").doubtful;
    assert!(doubtful(&mut store, 1) && !doubtful(&mut store, 2));
    let amends = vec![amend(2, Reason::Robots), amend(3, Reason::Trap)];
    let settled = vec![fetched(1, &[])];
    good(store.commit(&WriteBatch { now: 102, run: 1, settled, amends, ..WriteBatch::default() }));
    assert!(!doubtful(&mut store, 1) && doubtful(&mut store, 2) && !doubtful(&mut store, 3));
    assert!(verify::verify(&mut *store).expect("verifies").complaints.is_empty());
    good(store.commit(&WriteBatch { now: 103, run: 1, linked: vec![urls(9, one)], ..WriteBatch::default() }));
    assert!(!verify::verify(&mut *store).expect("verifies").complaints.is_empty());
}

fn evidence(open: &mut Open<'_>) {
    let mut store = open();
    let learned = LearnedRow {
        shape: "h/#".into(),
        param: "x".into(),
        equal: 3,
        differ: 0,
        standing: 1,
        folded: 12,
        samples: 2,
        example: "a = b".into(),
    };
    let finding =
        |detail: &str| Finding { kind: "trap".into(), subject: "h/#".into(), detail: detail.into(), since: 5 };
    let robots = RobotsRow { host: HostId(1), at: 9, status: 200, body: b"User-agent: *".to_vec() };
    let mut batch = begun(vec![address(1, Some(0))]);
    batch.evidence.learned = vec![learned.clone()];
    batch.findings = vec![finding("first"), finding("second")];
    batch.robots = vec![robots.clone()];
    batch.evidence.variants = vec![(fp(50), PageId(1), fp(51)), (fp(50), PageId(2), fp(52))];
    batch.evidence.folds = vec![(fp(60), Some(PageId(1))), (fp(61), Some(PageId(1))), (fp(61), None)];
    batch.values = vec![("scope".into(), "host".into())];
    good(store.commit(&batch));
    assert_eq!(store.learned().expect("reads"), [learned]);
    assert_eq!(store.findings().expect("reads"), [finding("second")]);
    good(store.commit(&WriteBatch { findings: vec![finding("third"), finding("")], ..WriteBatch::default() }));
    assert_eq!(store.findings().expect("reads"), []);
    assert_eq!(store.hosts().expect("reads")[0].robots.as_ref(), Some(&robots));
    assert_eq!(store.variant(fp(50)).expect("reads"), Some((PageId(2), fp(52))));
    assert_eq!(store.folded(fp(60)).expect("reads"), Some(PageId(1)));
    assert_eq!(store.folded(fp(61)).expect("reads"), None);
    assert_eq!(store.value("scope").expect("reads").as_deref(), Some("host"));
}

fn change_log(open: &mut Open<'_>) {
    let mut store = open();
    let change = |page, kind| Change { seq: 0, run: 1, at: 4, page: PageId(page), kind, amount: 30, to: None };
    let mut batch = begun(vec![]);
    batch.changes = vec![change(3, ChangeKind::Added), change(1, ChangeKind::Moved)];
    good(store.commit(&batch));
    good(store.commit(&WriteBatch { run: 1, changes: vec![change(2, ChangeKind::Gone)], ..WriteBatch::default() }));
    let all = store.changes(0, 10).expect("reads");
    assert_eq!(all.iter().map(|c| c.page.0).collect::<Vec<_>>(), [3, 1, 2]);
    assert!(all.windows(2).all(|w| w[0].seq < w[1].seq));
    assert_eq!(store.changes(all[1].seq, 10).expect("reads").len(), 1);
    good(store.commit(&WriteBatch { now: 9, run: 1, run_ends: Some("done".into()), ..WriteBatch::default() }));
    let runs = store.runs().expect("reads");
    assert_eq!((runs[0].kind.as_str(), runs[0].ended, runs[0].outcome.as_str()), ("crawl", Some(9), "done"));
}

fn sums(open: &mut Open<'_>) {
    let mut store = open();
    for _ in 0..3 {
        let mut batch = WriteBatch::default();
        batch.counts.fetches = 2;
        batch.counts.bytes = 10;
        batch.counts.rendered = 1;
        batch.counts.limits.insert("page_bytes", 1);
        good(store.commit(&batch));
    }
    let balance = store.balance().expect("reads");
    assert_eq!((balance.fetches, balance.bytes, balance.rendered, balance.limits["page_bytes"]), (6, 30, 3, 3));
}

fn since(open: &mut Open<'_>) {
    let mut store = open();
    good(store.commit(&begun(vec![address(1, Some(0))])));
    for now in [200, 300] {
        let settled = Settled { content: Content::Keep, reason: Reason::NotFound, ..fetched(1, &[]) };
        good(store.commit(&WriteBatch { now, run: 1, settled: vec![settled], ..WriteBatch::default() }));
    }
    assert_eq!(store.address(PageId(1)).expect("reads").expect("is there").since, 200);
}
