//! Batches nobody would write, into a file and onto a server: both say the same afterwards.

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::batch::Content;
use groma_store::{
    Amend, Change, ChangeKind, FetchFacts, Finding, LearnedRow, NewAddress, NewHost, PgStore, RobotsRow, Settled,
    SqliteStore, Store, WriteBatch, codec,
};

use super::place::Place;
use crate::scratch;

/// The first number: all 32 bits are used.
const FIRST: u32 = u32::MAX - 5_000;
/// Texts that databases stumble over.
const TEXTS: [&str; 7] =
    ["", "plain", "\0", "a\0b\u{10ffff}0", "'; DROP TABLE address; --", "{\"a\",NULL}\\", "žluťoučký 馬"];

/// Numbers by chance, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(most)) as u32
    }

    fn often(&mut self) -> bool {
        self.below(3) > 0
    }

    fn text(&mut self) -> String {
        // Longer than an entry of an index may be.
        let long = if self.below(20) == 0 { "long ".repeat(3_000) } else { String::new() };
        format!("{long}{}", TEXTS[self.below(TEXTS.len() as u32) as usize])
    }

    fn reason(&mut self) -> Reason {
        Reason::ALL[self.below(Reason::ALL.len() as u32) as usize]
    }

    fn number(&mut self) -> u32 {
        [0, 1, 7, i32::MAX as u32, u32::MAX - 1, u32::MAX][self.below(6) as usize]
    }

    fn turn(&mut self) -> Option<(u32, u32)> {
        self.often().then(|| (self.number(), self.number()))
    }
}

struct Maker {
    chance: Chance,
    next: u32,
    hosts: u32,
    run: u32,
}

impl Maker {
    /// One of the URLs so far.
    fn known(&mut self) -> PageId {
        let count = (self.next - FIRST).clamp(1, 40);
        PageId(self.next - 1 - self.chance.below(count))
    }

    fn known_if_any(&mut self) -> Option<PageId> {
        (self.chance.below(3) == 0).then(|| self.known())
    }

    fn address(&mut self) -> NewAddress {
        self.next += 1;
        NewAddress {
            id: PageId(self.next - 1),
            fp: Fp::hash_bytes(&self.next.to_be_bytes()),
            host: HostId(1 + self.chance.below(self.hosts)),
            url: format!("http://h/{}{}", self.next, self.chance.text()),
            reason: self.chance.reason(),
            depth: Depth(self.chance.number()),
            via: self.known_if_any(),
            via_kind: LinkKind::Anchor,
            alias_of: self.known_if_any(),
            queue: self.chance.turn(),
            run: self.chance.below(65_536) as u16,
        }
    }

    fn settled(&mut self) -> Settled {
        let content = match self.chance.below(3) {
            0 => Content::Keep,
            1 => Content::Remove,
            _ => Content::Put {
                targets: self.chance.text().into_bytes(),
                details: vec![0xff; self.chance.below(5_000) as usize],
                body: self.chance.often().then(|| codec::compress(self.chance.text().as_bytes())),
            },
        };
        let chance = &mut self.chance;
        let mut facts = FetchFacts {
            status: chance.below(65_536) as u16,
            media_type: chance.text(),
            charset: chance.text(),
            language: chance.text(),
            content_language: chance.text(),
            size: u64::MAX - u64::from(chance.number()),
            title: chance.text(),
            last_modified: chance.text(),
            etag: chance.text(),
            expires: chance.text(),
            text_fp: chance.often().then(|| Fp(u128::MAX - u128::from(chance.number()))),
            body_fp: None,
            near_fp: u64::MAX - u64::from(chance.number()),
            words: chance.number(),
            elapsed_ms: chance.number(),
            fetched_at: i64::from(chance.number()) - 9,
            canonical: None,
            noindex: chance.often(),
            nofollow: chance.often(),
            cuts: chance.text(),
            note: chance.text(),
        };
        facts.canonical = self.known_if_any();
        let (id, reason, alias_of) = (self.known(), self.chance.reason(), self.known_if_any());
        Settled { id, reason, alias_of, facts, content, changed: self.chance.often() }
    }

    fn amend(&mut self) -> Amend {
        Amend {
            id: self.known(),
            reason: self.chance.reason(),
            queue: self.chance.turn(),
            depth: self.chance.often().then(|| Depth(self.chance.number())),
            alias_of: self.known_if_any(),
            forget: self.chance.below(4) == 0,
        }
    }

    fn batch(&mut self) -> WriteBatch {
        let mut batch = WriteBatch { now: i64::from(self.chance.number()), run: self.run, ..WriteBatch::default() };
        if self.hosts == 0 || self.chance.below(9) == 0 {
            self.hosts += 1;
            batch
                .hosts
                .push(NewHost { id: HostId(self.hosts), origin: format!("{} {}", self.chance.text(), self.hosts) });
        }
        if self.run == 0 || self.chance.below(9) == 0 {
            self.run += 1;
            batch.run = self.run;
            batch.run_begins = Some(self.chance.text());
        }
        for _ in 0..=self.chance.below(6) {
            let address = self.address();
            batch.addresses.push(address);
        }
        for _ in 0..self.chance.below(12) {
            let (settled, amend) = (self.settled(), self.amend());
            batch.settled.push(settled);
            batch.amends.push(amend);
        }
        for _ in 0..self.chance.below(5) {
            let (page, gone) = (self.known(), self.known_if_any());
            self.evidence(&mut batch, page, gone);
        }
        if self.chance.below(9) == 0 {
            batch.run_ends = Some(self.chance.text());
        }
        batch
    }

    fn evidence(&mut self, batch: &mut WriteBatch, page: PageId, to: Option<PageId>) {
        let chance = &mut self.chance;
        let key = Fp::hash_bytes(&[chance.below(6) as u8]);
        batch.evidence.variants.push((key, page, Fp(u128::from(chance.number()))));
        batch.evidence.folds.push((key, to));
        batch.evidence.learned.push(LearnedRow {
            shape: chance.text(),
            param: chance.text(),
            equal: chance.number(),
            differ: chance.number(),
            standing: chance.below(3) as u8,
            folded: u64::MAX,
            samples: chance.number(),
            example: chance.text(),
        });
        let (kind, subject, detail) = (chance.text(), chance.text(), chance.text());
        batch.findings.push(Finding { kind, subject, detail, since: i64::from(chance.number()) });
        let host = HostId(1 + chance.below(self.hosts));
        let status = chance.below(65_536) as u16;
        batch.robots.push(RobotsRow { host, at: -1, status, body: chance.text().into_bytes() });
        let kind = ChangeKind::ALL[chance.below(7) as usize];
        batch.changes.push(Change { seq: 0, run: self.run, at: -7, page, kind, amount: chance.below(101) as u8, to });
        batch.counts.fetches += 1;
        *batch.counts.limits.entry("page_bytes").or_default() += 2;
        batch.values.push((TEXTS[1 + chance.below(6) as usize].into(), chance.text()));
    }
}

/// Everything a store says, as a list of sentences.
fn said(store: &mut dyn Store) -> Vec<String> {
    let mut said = Vec::new();
    let addresses = store.addresses(None, 100_000).unwrap();
    for address in &addresses {
        said.push(format!("{address:?} {:?} {:?}", store.address(address.id), store.find(address.fp)));
        said.push(format!("{:?} {:?}", store.page(address.id), store.body(address.id)));
        said.push(format!("{:?} {:?}", store.details(address.id), store.aliases(address.id)));
    }
    let mut walked = Vec::new();
    store.each_page(&mut |address, page| walked.push(format!("{address:?} {page:?}"))).unwrap();
    store.each_standing(&mut |standing| walked.push(format!("{standing:?}"))).unwrap();
    store.each_extent(&mut |id, media_type, size| walked.push(format!("{id:?} {media_type} {size}"))).unwrap();
    store.each_content(&mut |id, packed| walked.push(format!("{id:?} {packed:?}"))).unwrap();
    store.each_targets(&mut |id, packed| walked.push(format!("{id:?} {packed:?}"))).unwrap();
    let mut sheet = |sheet: &groma_store::Sheet<'_>| {
        walked.push(format!("{sheet:?}"));
        true
    };
    store.each_sheet(true, &mut sheet).unwrap();
    said.extend(walked);
    for key in 0..6u8 {
        said.push(format!("{:?} {:?}", store.variant(Fp::hash_bytes(&[key])), store.folded(Fp::hash_bytes(&[key]))));
    }
    said.push(format!("{:?} {:?} {:?}", store.hosts(), store.learned(), store.findings()));
    said.push(format!("{:?} {:?} {:?}", store.balance(), store.cuts(), store.runs()));
    said.push(format!("{:?} {:?}", store.changes(0, 100_000), store.last_ids()));
    said.extend(TEXTS.iter().map(|key| format!("{:?}", store.value(key))));
    said.push(format!("{:?}", store.first_round()));
    for round in [0, 1, 7, i32::MAX as u32, u32::MAX - 1, u32::MAX] {
        for host in store.queued_hosts(round).unwrap() {
            said.push(format!("{host:?} {:?}", store.queued(round, host, 1_000)));
        }
    }
    said
}

#[test]
fn a_server_says_what_a_file_says() {
    let Some(place) = Place::new("twins") else { return };
    let dir = scratch("twins");
    let mut file = SqliteStore::open(&dir.join("survey.db")).unwrap();
    let mut server = PgStore::open(&place.server, &place.survey).unwrap();
    let mut maker = Maker { chance: Chance(8), next: FIRST, hosts: 0, run: 0 };
    for round in 0..120 {
        let batch = maker.batch();
        file.commit(&batch).unwrap();
        server.commit(&batch).unwrap();
        if round % 30 == 29 {
            let stores: [&mut dyn Store; 2] = [&mut file, &mut server];
            let reason = |reason: Reason| reason.code() % 3 == 1;
            let [left, right] = stores.map(|store| {
                let moved = if round == 59 { store.requeue(&reason).unwrap() } else { 0 };
                let shelved = if round == 89 { store.shelve(Reason::PageLimit, 77).unwrap() } else { 0 };
                (moved, shelved, said(store))
            });
            assert_eq!((left.0, left.1), (right.0, right.1));
            for (left, right) in left.2.iter().zip(&right.2) {
                assert!(left == right, "{left:.400}\n{right:.400}");
            }
            assert_eq!(left.2.len(), right.2.len());
        }
    }
    drop((file, server));
    std::fs::remove_dir_all(dir).unwrap();
}
