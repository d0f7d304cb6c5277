//! A made-up survey: hosts, pages with texts and links of every sort, another name, a broken URL, a page nobody fetched.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use groma_model::{Block, BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_parquet::{Aim, Exported, Options, Place, TableError, export};
use groma_store::batch::Content;
use groma_store::codec::{Mark, compress, pack_details, pack_targets};
use groma_store::{FetchFacts, Folder, NewAddress, NewHost, Settled, Snapshot, Store, WriteBatch};
use groma_url::Url;

/// A folder of its own for each test; it goes with the test.
pub(crate) struct Desk(pub(crate) PathBuf);

impl Desk {
    pub(crate) fn new() -> Desk {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("groma-parquet-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Desk(path)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn aim(&self, name: &str) -> Aim {
        Aim::Path(self.join(name))
    }

    /// A survey of so many pages on so many hosts, opened for reading.
    pub(crate) fn survey(&self, pages: u32, hosts: u32) -> Box<dyn Snapshot> {
        let folder = Folder::new(self.join("made.groma"));
        let (mut store, _lock) = folder.open().expect("a survey");
        store.commit(&batch(pages, hosts)).expect("a batch");
        drop(store);
        folder.read().expect("reads")
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Exports without a word.
pub(crate) fn written(store: &mut dyn Snapshot, to: &Aim, options: &Options<'_>) -> Result<Exported, TableError> {
    export(store, Place::begin(to)?, options, &mut |_| ControlFlow::Continue(()))
}

/// The files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found.sort();
    found
}

fn host(page: u32, hosts: u32) -> u32 {
    page % hosts
}

fn address(page: u32, hosts: u32) -> NewAddress {
    let url = match page {
        3 => "http://[broken".to_owned(),
        _ => format!("https://h{}.example.org/p/{page}?q=\u{fc}", host(page, hosts)),
    };
    NewAddress {
        id: PageId(page),
        fp: Fp::hash_bytes(url.as_bytes()),
        host: HostId(host(page, hosts) + 1),
        url,
        reason: if page == 3 { Reason::Malformed } else { Reason::OutOfScope },
        depth: if page.is_multiple_of(5) { Depth::LOOSE } else { Depth(page % 4) },
        via: (page > 1).then_some(PageId(1)),
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: None,
        run: 0,
    }
}

/// The links of a page: where to, and what sort.
pub(crate) fn links(page: u32, pages: u32) -> Vec<(u32, Link)> {
    let count = (page * 7) % 12;
    let link = |n: u32| {
        let target = (page * 31 + n * n * 17) % pages + 1;
        let web = Url::parse(&format!("https://example.org/{target}#part-{n}")).expect("a URL");
        let kind = LinkKind::ALL[(n as usize) % LinkKind::ALL.len()];
        let rel = if n % 3 == 1 { Rel(Rel::NOFOLLOW.0 | Rel::UGC.0) } else { Rel::default() };
        let block = if n.is_multiple_of(2) { BlockKind::Navigation } else { BlockKind::Paragraph };
        let text = if n == 5 { String::new() } else { format!("link \u{1f517} {n}") };
        (target, Link { target: Target::Web(web), kind, text, rel, block })
    };
    (0..count).map(link).collect()
}

/// The body of a page.
pub(crate) fn body(page: u32) -> Vec<u8> {
    format!("<title>Page {page}</title>").into_bytes()
}

fn settled(page: u32, pages: u32) -> Settled {
    let (targets, links): (Vec<u32>, Vec<Link>) = links(page, pages).into_iter().unzip();
    let targets: Vec<PageId> = targets.into_iter().map(PageId).collect();
    let packed = pack_targets(&targets, links.iter().map(Mark::from_link));
    let blocks = vec![
        Block { kind: BlockKind::Title, text: format!("Page {page}") },
        Block { kind: BlockKind::Paragraph, text: "Gr\u{fc}\u{df}e, \u{4f60}\u{597d}".repeat(page as usize % 5) },
    ];
    let parsed = ParsedPage { links, blocks, ..ParsedPage::default() };
    // One page has links and nothing else, as of an imported graph.
    let details = if page == 4 { Vec::new() } else { pack_details(&parsed) };
    Settled {
        id: PageId(page),
        reason: Reason::Fetched,
        alias_of: None,
        facts: FetchFacts {
            status: 200,
            media_type: "text/html".into(),
            language: if page.is_multiple_of(2) { "de".into() } else { String::new() },
            size: 1000 + u64::from(page),
            title: format!("Page {page}"),
            text_fp: Some(Fp(u128::from(page))),
            near_fp: u64::MAX - u64::from(page),
            words: page,
            elapsed_ms: 12,
            fetched_at: 1_700_000_000 + i64::from(page),
            canonical: page.is_multiple_of(3).then_some(PageId(1)),
            noindex: page.is_multiple_of(7),
            ..FetchFacts::default()
        },
        content: Content::Put { targets: packed, details, body: page.is_multiple_of(2).then(|| compress(&body(page))) },
        changed: true,
    }
}

fn batch(pages: u32, hosts: u32) -> WriteBatch {
    let made = (0..hosts).map(|n| NewHost { id: HostId(n + 1), origin: format!("https://h{n}.example.org") });
    // Page 2 is known, but was never asked for; 3 is no URL.
    let fetched = (1..=pages).filter(|page| !matches!(page, 2 | 3));
    WriteBatch {
        now: 1_700_000_000,
        run: 1,
        hosts: made.collect(),
        addresses: (1..=pages).map(|page| address(page, hosts)).collect(),
        settled: fetched.map(|page| settled(page, pages)).collect(),
        run_begins: Some("crawl".into()),
        ..WriteBatch::default()
    }
}
