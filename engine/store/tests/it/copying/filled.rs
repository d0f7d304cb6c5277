//! A survey in files with every kind of row.

use groma_model::{Block, BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_store::batch::Content;
use groma_store::{
    Change, ChangeKind, FetchFacts, Finding, Folder, LearnedRow, NewAddress, NewHost, RobotsRow, Settled, WriteBatch,
    codec,
};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// Numbers that look random (Steele, Lea and Flood's SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    /// A text with what databases stumble over in it.
    fn text(&mut self) -> String {
        const PIECES: [&str; 10] =
            ["\0", "\u{10ffff}", "\u{10ffff}0", "é", "\\N", "\t", "'", "\"\n", "𝄞", "a rather long word "];
        let pieces = self.next() % 12;
        (0..pieces).map(|_| PIECES[(self.next() % 10) as usize]).collect::<String>() + &self.next().to_string()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = if self.next().is_multiple_of(50) { 40_000 } else { self.next() % 60 };
        (0..length).map(|_| self.next() as u8).collect()
    }

    fn value(&mut self, declared: &str) -> Value {
        match declared {
            "INTEGER" => Value::Integer(self.next() as i64),
            "REAL" => Value::Real(self.next() as f64 / 7.0 - 1e18),
            "TEXT" => Value::Text(self.text()),
            "BLOB" => Value::Blob(self.bytes()),
            other => panic!("{other}"),
        }
    }
}

/// Begins a survey of so many URLs, with something in every room.
pub(crate) fn fill(folder: &Folder, addresses: u32) {
    let mut chance = Chance(u64::from(addresses));
    let (mut store, lock) = folder.open().unwrap();
    store.commit(&survey(addresses, &mut chance)).unwrap();
    store.commit(&WriteBatch { now: 99, run: 1, run_ends: Some("done\0".into()), ..WriteBatch::default() }).unwrap();
    // What was written after the index of fingerprints was brought up to date.
    store.commit(&WriteBatch { run: 2, run_begins: Some("update".into()), ..WriteBatch::default() }).unwrap();
    drop((store, lock));
    folder.queue().unwrap();
    folder.bounds_store().unwrap();
    folder.focuses().unwrap();
    folder.gathers().unwrap();
    folder.outside().unwrap();
    for file in ["jobs.db", "bounds.db", "focus.db", "gather.db", "outside.db"] {
        beside(
            &groma_sqlite_checksums::open(folder.path().join(file), groma_sqlite_checksums::writing()).unwrap(),
            &mut chance,
        );
    }
    let jobs = groma_sqlite_checksums::open(folder.path().join("jobs.db"), groma_sqlite_checksums::writing()).unwrap();
    jobs.execute_batch("UPDATE sqlite_sequence SET seq = 1234 WHERE name = 'job'").unwrap();
}

/// Thirty rows of anything in every table.
fn beside(db: &Connection, chance: &mut Chance) {
    let mut tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").unwrap();
    let names: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for name in names.iter().filter(|name| !name.starts_with("sqlite_")) {
        let mut columns =
            db.prepare(&format!("SELECT name, type, \"notnull\" OR pk FROM pragma_table_info('{name}')")).unwrap();
        let columns: Vec<(String, String, bool)> = columns
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let places: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
        let mut insert = db.prepare(&format!("INSERT INTO {name} VALUES ({})", places.join(", "))).unwrap();
        for row in 1..=30 {
            let value = |(column, declared, always): &(String, String, bool)| match column.as_str() {
                "id" => Value::Integer(row * 3),
                // A fingerprint is never longer.
                "print" => Value::Blob((0..16).map(|_| chance.next() as u8).collect()),
                _ if !always && chance.next().is_multiple_of(2) => Value::Null,
                _ => chance.value(declared),
            };
            insert.execute(params_from_iter(columns.iter().map(value).collect::<Vec<_>>())).unwrap();
        }
    }
}

/// One batch with everything in it.
fn survey(addresses: u32, chance: &mut Chance) -> WriteBatch {
    let mut batch = WriteBatch { now: 50, run: 1, run_begins: Some("crawl".into()), ..WriteBatch::default() };
    for host in 1..=5 {
        batch.hosts.push(NewHost { id: HostId(host), origin: format!("http://h{host}") });
        let robots = RobotsRow { host: HostId(host), at: 7, status: 200, body: chance.bytes() };
        batch.robots.extend((host > 1).then_some(robots));
    }
    for n in 1..=addresses {
        batch.addresses.push(new_address(n, chance));
        if n % 5 == 2 {
            batch.linked.push((PageId(n), format!("http://h/?b={n}&a\nhttp://h/?a&b={n}")));
        }
        match n % 4 {
            0 => batch.settled.push(settled(n, addresses, chance)),
            1 => batch.evidence.variants.push((
                Fp::hash_bytes(&chance.bytes()),
                PageId(n),
                Fp(u128::from(chance.next()) << 64),
            )),
            2 => batch.evidence.folds.push((Fp(u128::from(chance.next()) << 60), Some(PageId(n)))),
            _ => {}
        }
        let kind = [ChangeKind::Added, ChangeKind::Moved][(n % 2) as usize];
        let to = (n % 2 == 1).then_some(PageId(n / 2 + 1));
        batch.changes.push(Change { seq: 0, run: 1, at: i64::from(n), page: PageId(n), kind, amount: 3, to });
    }
    for n in 0..20 {
        batch.evidence.learned.push(LearnedRow {
            shape: chance.text(),
            param: chance.text(),
            equal: n,
            differ: u32::MAX,
            standing: (n % 3) as u8,
            folded: chance.next() >> 2,
            samples: n,
            example: chance.text(),
        });
        let (subject, detail) = (chance.text() + &"long ".repeat(2_000), chance.text());
        batch.findings.push(Finding { kind: "trap".into(), subject, detail, since: i64::from(n) });
        batch.values.push((format!("key {n}"), chance.text()));
    }
    batch.counts.fetches = 17;
    batch.counts.bytes = 1 << 40;
    batch.counts.limits.insert("html_links", 3);
    batch
}

fn new_address(n: u32, chance: &mut Chance) -> NewAddress {
    let url = format!("http://h{}/{n}?{}", n % 5 + 1, chance.text());
    let (reason, queue) = match n % 4 {
        0 => (Reason::Waiting, Some((0, 0))),
        1 => (Reason::Waiting, Some((n % 7, u32::MAX - n))),
        2 => (Reason::OutOfScope, None),
        _ => (Reason::Folded, None),
    };
    NewAddress {
        id: PageId(n),
        fp: Fp::hash_bytes(url.as_bytes()),
        host: HostId(n % 5 + 1),
        url,
        reason,
        depth: if n.is_multiple_of(3) { Depth::LOOSE } else { Depth(n) },
        via: (n > 1).then_some(PageId(n / 2)),
        via_kind: LinkKind::Anchor,
        alias_of: (reason == Reason::Folded).then_some(PageId(2)),
        queue,
        run: (n % 70_000 % 65_536) as u16,
    }
}

fn settled(n: u32, addresses: u32, chance: &mut Chance) -> Settled {
    let links = (chance.next() % 9) as usize;
    let link = |text: String| Link {
        target: Target::Malformed(String::new()),
        kind: LinkKind::Anchor,
        text,
        rel: Rel::default(),
        block: BlockKind::Paragraph,
    };
    let page = ParsedPage {
        blocks: vec![Block { kind: BlockKind::Title, text: chance.text() }],
        links: (0..links).map(|_| link(chance.text())).collect(),
        ..ParsedPage::default()
    };
    let targets: Vec<PageId> = (0..links).map(|_| PageId(chance.next() as u32 % addresses + 1)).collect();
    Settled {
        id: PageId(n),
        reason: Reason::Fetched,
        alias_of: None,
        facts: FetchFacts {
            status: u16::MAX,
            title: chance.text(),
            etag: chance.text(),
            note: chance.text(),
            text_fp: n.is_multiple_of(8).then(|| Fp::hash_bytes(&chance.bytes())),
            near_fp: chance.next(),
            size: 1 << 50,
            noindex: n.is_multiple_of(8),
            nofollow: n.is_multiple_of(3),
            canonical: n.is_multiple_of(12).then_some(PageId(n / 2)),
            ..FetchFacts::default()
        },
        content: Content::Put {
            targets: codec::pack_targets(&targets, page.links.iter().map(codec::Mark::from_link)),
            details: codec::pack_details(&page),
            body: n.is_multiple_of(8).then(|| codec::compress(&chance.bytes())),
        },
        changed: true,
    }
}

/// What comes next: a URL behind the last, and a change.
pub(crate) fn more(n: u32) -> WriteBatch {
    let address = NewAddress { queue: Some((0, 0)), ..new_address(n, &mut Chance(5)) };
    let address = NewAddress { reason: Reason::Waiting, alias_of: None, ..address };
    let change = Change { seq: 0, run: 2, at: 1, page: PageId(n), kind: ChangeKind::Added, amount: 0, to: None };
    WriteBatch { now: 100, run: 2, addresses: vec![address], changes: vec![change], ..WriteBatch::default() }
}
