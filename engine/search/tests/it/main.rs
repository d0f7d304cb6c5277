//! Surveys written by hand, indexed and asked.

mod changing;
mod facets;
mod hostile;
mod languages;
mod questions;
mod records;
mod safety;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use groma_model::{Block, BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_search::{Answer, Ask, Followed, Index, Piece, SearchError, Weights};
use groma_store::batch::Content;
use groma_store::codec::{Mark, pack_details, pack_targets};
use groma_store::{
    Change, ChangeKind, FetchFacts, Folder, NewAddress, NewHost, Settled, SqliteStore, Store, WriteBatch,
};

/// A survey in a folder of its own; it goes with the test.
struct Site {
    store: SqliteStore,
    folder: PathBuf,
    numbers: BTreeMap<String, u32>,
    run: u32,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A page to be written.
#[derive(Clone)]
struct Page {
    path: String,
    title: String,
    language: String,
    media_type: String,
    blocks: Vec<(BlockKind, String)>,
    links: Vec<(String, String)>,
    last_modified: String,
    noindex: bool,
}

fn page(path: &str, title: &str, text: &str) -> Page {
    Page {
        path: path.into(),
        title: title.into(),
        language: "en".into(),
        media_type: "text/html".into(),
        blocks: vec![(BlockKind::Paragraph, text.into())],
        links: Vec::new(),
        last_modified: String::new(),
        noindex: false,
    }
}

impl Page {
    fn language(mut self, code: &str) -> Page {
        self.language = code.into();
        self
    }

    fn block(mut self, kind: BlockKind, text: &str) -> Page {
        self.blocks.push((kind, text.into()));
        self
    }

    fn link(mut self, path: &str, text: &str) -> Page {
        self.links.push((path.into(), text.into()));
        self
    }
}

fn url(path: &str) -> String {
    if path.contains("://") { path.to_owned() } else { format!("http://site.test{path}") }
}

fn host(url: &str) -> u32 {
    if url.starts_with("http://site.test/") { 1 } else { 2 }
}

impl Site {
    fn empty() -> Site {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("groma-search-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let mut store = SqliteStore::open(&folder.join("survey.db")).expect("a new store");
        let mut batch = WriteBatch { now: 100, run: 1, run_begins: Some("crawl".into()), ..WriteBatch::default() };
        batch.hosts.push(NewHost { id: HostId(1), origin: "http://site.test".into() });
        batch.hosts.push(NewHost { id: HostId(2), origin: "https://other.test:8443".into() });
        store.commit(&batch).expect("a proper batch");
        Site { store, folder, numbers: BTreeMap::new(), run: 1 }
    }

    fn with_pages(pages: &[Page]) -> Site {
        let mut site = Site::empty();
        site.write(pages);
        site
    }

    /// The number of a URL, new or old.
    fn number(&mut self, path: &str, batch: &mut WriteBatch) -> PageId {
        let address = url(path);
        let next = self.numbers.len() as u32 + 1;
        let number = *self.numbers.entry(address.clone()).or_insert(next);
        if number == next {
            batch.addresses.push(NewAddress {
                id: PageId(number),
                fp: Fp::hash_bytes(address.as_bytes()),
                host: HostId(host(&address)),
                url: address,
                reason: Reason::DepthLimit,
                depth: Depth(u32::from(number > 1)),
                via: None,
                via_kind: LinkKind::Anchor,
                alias_of: None,
                queue: None,
                run: 0,
            });
        }
        PageId(number)
    }

    /// Fetches these pages, as a crawl would.
    fn write(&mut self, pages: &[Page]) {
        let mut batch = WriteBatch { now: 200, run: self.run, ..WriteBatch::default() };
        for page in pages {
            let known = self.numbers.contains_key(&url(&page.path));
            let id = self.number(&page.path, &mut batch);
            let targets: Vec<PageId> = page.links.iter().map(|(path, _)| self.number(path, &mut batch)).collect();
            let links: Vec<Link> = page
                .links
                .iter()
                .map(|(_, text)| Link {
                    target: Target::Malformed(String::new()),
                    kind: LinkKind::Anchor,
                    text: text.clone(),
                    rel: Rel::default(),
                    block: BlockKind::Paragraph,
                })
                .collect();
            let blocks: Vec<Block> =
                page.blocks.iter().map(|(kind, text)| Block { kind: *kind, text: text.clone() }).collect();
            let whole: String = blocks.iter().map(|block| block.text.as_str()).collect();
            let parsed = ParsedPage { links: links.clone(), blocks, ..ParsedPage::default() };
            batch.settled.push(Settled {
                id,
                reason: Reason::Fetched,
                alias_of: None,
                facts: FetchFacts {
                    status: 200,
                    media_type: page.media_type.clone(),
                    language: page.language.clone(),
                    title: page.title.clone(),
                    last_modified: page.last_modified.clone(),
                    text_fp: Some(Fp::hash_bytes(whole.as_bytes())),
                    body_fp: Some(Fp::hash_bytes(format!("{whole}{:?}", page.links).as_bytes())),
                    noindex: page.noindex,
                    fetched_at: 1_790_000_000,
                    ..FetchFacts::default()
                },
                content: Content::Put {
                    targets: pack_targets(&targets, links.iter().map(Mark::from_link)),
                    details: pack_details(&parsed),
                    body: None,
                },
                changed: true,
            });
            let kind = if known { ChangeKind::Changed } else { ChangeKind::Added };
            batch.changes.push(Change { seq: 0, run: 1, at: 200, page: id, kind, amount: 0, to: None });
        }
        self.store.commit(&batch).expect("a proper batch");
    }

    /// A visit that brought no page.
    fn fail(&mut self, path: &str, reason: Reason, alias_of: Option<&str>) {
        let mut batch = WriteBatch { now: 300, run: self.run, ..WriteBatch::default() };
        let id = self.number(path, &mut batch);
        let alias_of = alias_of.map(|path| self.number(path, &mut batch));
        let gone = matches!(reason, Reason::NotFound | Reason::Gone) || alias_of.is_some();
        use groma_store::Snapshot;
        let last = self.store.page(id).expect("a store").map(|page| page.facts).unwrap_or_default();
        batch.settled.push(Settled {
            id,
            reason,
            alias_of,
            facts: if gone { FetchFacts { text_fp: last.text_fp, ..FetchFacts::default() } } else { last },
            content: if gone { Content::Remove } else { Content::Keep },
            changed: false,
        });
        self.store.commit(&batch).expect("a proper batch");
    }

    fn follow(&mut self) -> Followed {
        self.try_follow(false).expect("an index")
    }

    fn try_follow(&mut self, rebuild: bool) -> Result<Followed, SearchError> {
        let mut reader = Folder::new(&self.folder).read().expect("a survey to read");
        Index::follow(&self.folder, &mut reader, rebuild, &AtomicBool::new(false), &mut |_| {})
    }

    fn open(&self) -> Index {
        Index::open(&self.folder).expect("an index").expect("there is one")
    }

    fn ask(&mut self, text: &str) -> Answer {
        let index = self.open();
        self.ask_of(&index, text)
    }

    fn ask_of(&mut self, index: &Index, text: &str) -> Answer {
        let weights = Weights::default();
        let ask = Ask { text, first: 0, most: 20, facets: true, weights: &weights, within: None };
        index.search(&ask, &mut self.store).expect("an answer")
    }

    /// The paths of the hits, best first.
    fn found(&mut self, text: &str) -> Vec<String> {
        paths(&self.ask(text))
    }

    fn complaints(&mut self) -> Vec<String> {
        Index::complaints(&self.folder, &mut self.store).expect("an index to look at")
    }
}

fn paths(answer: &Answer) -> Vec<String> {
    answer.hits.iter().map(|hit| hit.url.replace("http://site.test", "")).collect()
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

fn shown(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| if piece.hit { format!("[{}]", piece.text) } else { piece.text.clone() }).collect()
}
