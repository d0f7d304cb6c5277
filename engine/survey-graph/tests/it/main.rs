//! Surveys written by hand, read as graphs.

mod compare;
mod evidence;
mod import;
mod reading;
mod web;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use groma_model::{BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_store::batch::Content;
use groma_store::codec::{Mark, pack_details, pack_targets};
use groma_store::{FetchFacts, NewAddress, NewHost, Settled, SqliteStore, Store, WriteBatch};

/// A store of its own for each test; it goes with the test.
struct Site {
    store: SqliteStore,
    path: PathBuf,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A URL of a survey.
struct Page {
    number: u32,
    reason: Reason,
    depth: u32,
    alias_of: Option<u32>,
    kind: LinkKind,
    links: Vec<Link>,
    targets: Vec<u32>,
}

/// A page with plain links to others.
fn page(number: u32, reason: Reason, depth: u32, targets: &[u32]) -> Page {
    let links = targets.iter().map(|_| link(LinkKind::Anchor, BlockKind::Paragraph)).collect();
    Page { number, reason, depth, alias_of: None, kind: LinkKind::Anchor, links, targets: targets.to_vec() }
}

fn link(kind: LinkKind, block: BlockKind) -> Link {
    Link { target: Target::Malformed(String::new()), kind, text: "a link".into(), rel: Rel::default(), block }
}

fn url(number: u32) -> String {
    format!("http://site.test/{number}")
}

impl Site {
    fn empty() -> Site {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("groma-survey-graph-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        let store = SqliteStore::open(&path.join("survey.db")).expect("a new store");
        Site { store, path }
    }

    fn with_pages(pages: Vec<Page>) -> Site {
        let mut site = Site::empty();
        let mut batch = WriteBatch { now: 100, run: 1, run_begins: Some("crawl".into()), ..WriteBatch::default() };
        batch.hosts.push(NewHost { id: HostId(1), origin: "http://site.test".into() });
        for page in pages {
            let waits = page.reason == Reason::Waiting;
            batch.addresses.push(NewAddress {
                id: PageId(page.number),
                fp: Fp::hash_bytes(url(page.number).as_bytes()),
                host: HostId(1),
                url: url(page.number),
                reason: page.reason,
                depth: Depth(page.depth),
                via: None,
                via_kind: page.kind,
                alias_of: page.alias_of.map(PageId),
                queue: waits.then_some((page.depth, page.number)),
                run: 0,
            });
            if page.reason == Reason::Fetched {
                batch.settled.push(settled(&page));
            }
        }
        site.store.commit(&batch).expect("a proper batch");
        site
    }

    fn set(&mut self, key: &str, value: &str) {
        let values = vec![(key.to_owned(), value.to_owned())];
        self.store.commit(&WriteBatch { now: 101, run: 1, values, ..WriteBatch::default() }).expect("a proper batch");
    }
}

fn settled(page: &Page) -> Settled {
    let targets: Vec<PageId> = page.targets.iter().copied().map(PageId).collect();
    let parsed = ParsedPage { links: page.links.clone(), anchors: vec!["top".into()], ..ParsedPage::default() };
    Settled {
        id: PageId(page.number),
        reason: Reason::Fetched,
        alias_of: None,
        facts: FetchFacts {
            status: 200,
            media_type: "text/html".into(),
            size: 1000 + u64::from(page.number),
            title: format!("page {}", page.number),
            fetched_at: 100,
            ..FetchFacts::default()
        },
        content: Content::Put {
            targets: pack_targets(&targets, page.links.iter().map(Mark::from_link)),
            details: pack_details(&parsed),
            body: None,
        },
        changed: true,
    }
}
