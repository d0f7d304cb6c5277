//! What storing a page costs, in a SQLite file and on a PostgreSQL server, in one run.
//!
//! ```text
//! yard/services/postgres start DIR        prints the address
//! cargo run --release -p groma-store --example batches -- ADDRESS [PAGES] [LINKS] [PAGES PER BATCH]...
//! ```
//!
//! Each page has LINKS links and brings three new URLs, one of which is visited later. Batches are made beforehand; what is
//! measured is committing them: CPU time of this process (all its threads) and, beside it, of the server (all its processes). Both
//! surveys are checked afterwards, and must say the same.

#![allow(clippy::unwrap_used, reason = "an example ends where it cannot go on")]

use std::path::Path;
use std::time::Instant;

use groma_model::{Block, BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_store::batch::Content;
use groma_store::{
    Change, ChangeKind, FetchFacts, NewAddress, NewHost, PgStore, Server, Settled, Snapshot, SqliteStore, Store,
    SurveyName, WriteBatch, codec, drop_survey, verify,
};

/// New URLs a page brings.
const NEW: u32 = 3;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(address) = args.first() else { panic!("the address of a server comes first") };
    let number = |at: usize, otherwise: u32| args.get(at).map_or(otherwise, |arg| arg.parse().unwrap());
    let (pages, links) = (number(1, 20_000), number(2, 20));
    let sizes: Vec<u32> = args.iter().skip(3).map(|arg| arg.parse().unwrap()).collect();
    let sizes = if sizes.is_empty() { vec![1, 8, 64, 256] } else { sizes };
    let server = Server::parse(address).unwrap();
    println!("{pages} pages with {links} links, {} URLs; us of CPU a page", pages * NEW + 1);
    println!(
        "| pages in a batch | SQLite | PostgreSQL, here | PostgreSQL, at the server | ratio here | SQLite | PostgreSQL |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut walks = Vec::new();
    for size in sizes {
        let batches = batches(pages, links, size);
        let path = std::env::temp_dir().join(format!("groma-batches-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let mut file = SqliteStore::open(&path.join("survey.db")).unwrap();
        let (here, _, seconds) = measure(&mut file, &batches, None);
        let survey = SurveyName::new(&format!("batches-{}", std::process::id())).unwrap();
        let mut shared = PgStore::open(&server, &survey).unwrap();
        let (there, served, took) = measure(&mut shared, &batches, Some(postmaster(address)));
        walks.push(compare(&mut file, &mut shared));
        drop((file, shared));
        drop_survey(&server, &survey).unwrap();
        std::fs::remove_dir_all(&path).unwrap();
        let each = |nanoseconds: u64| nanoseconds as f64 / 1e3 / f64::from(pages);
        let (ours, theirs, beside) = (each(here), each(there), each(served));
        let ratio = theirs / ours;
        println!("| {size} | {ours:.1} | {theirs:.1} | {beside:.1} | {ratio:.2} | {seconds:.1} s | {took:.1} s |");
    }
    for [file, shared] in walks {
        println!("reading all of it: SQLite {file:.2} s, PostgreSQL {shared:.2} s");
    }
}

/// CPU time here and at the server in nanoseconds, and seconds by the clock.
fn measure(store: &mut dyn Store, batches: &[WriteBatch], server: Option<u32>) -> (u64, u64, f64) {
    let (begun, here, there) = (Instant::now(), own_time(), server.map_or(0, server_time));
    for batch in batches {
        store.commit(batch).unwrap();
    }
    (own_time() - here, server.map_or(0, server_time) - there, begun.elapsed().as_secs_f64())
}

/// Both surveys have to be sound and the same. How long reading each took, in seconds.
fn compare(file: &mut SqliteStore, shared: &mut PgStore) -> [f64; 2] {
    let reports = [verify::verify(file).unwrap(), verify::verify(shared).unwrap()];
    let [left, right] = reports.map(|report| {
        assert_eq!(report.wrong, 0, "{:?}", report.complaints);
        (report.addresses, report.links)
    });
    assert_eq!(left, right);
    assert_eq!(file.balance().unwrap(), shared.balance().unwrap());
    let begun = Instant::now();
    let one = whole(file);
    let between = Instant::now();
    assert!(one == whole(shared), "they differ");
    [(between - begun).as_secs_f64(), between.elapsed().as_secs_f64()]
}

/// All there is, page by page.
fn whole(store: &mut dyn Store) -> (Vec<Fp>, Vec<Change>) {
    let mut seen = Vec::new();
    store.each_page(&mut |address, page| seen.push(Fp::hash_bytes(format!("{address:?}{page:?}").as_bytes()))).unwrap();
    store.each_content(&mut |_, packed| seen.push(Fp::hash_bytes(&[packed.targets, packed.details].concat()))).unwrap();
    (seen, store.changes(0, 10_000_000).unwrap())
}

fn batches(pages: u32, links: u32, size: u32) -> Vec<WriteBatch> {
    let mut first = WriteBatch { now: 1, run: 1, run_begins: Some("crawl".into()), ..WriteBatch::default() };
    first.hosts.push(NewHost { id: HostId(1), origin: "http://site.example".into() });
    first.addresses.push(address(1, true, 0));
    let mut batches = vec![first];
    let numbers: Vec<u32> = (0..pages).collect();
    for wave in numbers.chunks(size as usize) {
        let mut batch = WriteBatch { now: i64::from(wave[0]), run: 1, ..WriteBatch::default() };
        for &n in wave {
            let known = n * NEW + 1;
            batch.settled.push(settled(n, known + NEW, links));
            batch.addresses.extend((0..NEW).map(|new| address(known + 1 + new, new == 0, n)));
            let (page, kind) = (PageId(of_page(n)), ChangeKind::Added);
            batch.changes.push(Change { seq: 0, run: 1, at: i64::from(n), page, kind, amount: 0, to: None });
        }
        batch.counts.fetches = wave.len() as u64;
        batch.counts.bytes = wave.len() as u64 * 30_000;
        batches.push(batch);
    }
    batches
}

/// The URL that is visited as the n-th: the first of those that the visit before brought.
fn of_page(n: u32) -> u32 {
    if n == 0 { 1 } else { (n - 1) * NEW + 2 }
}

fn address(id: u32, queued: bool, via: u32) -> NewAddress {
    let url = format!("http://site.example/department/{}/the-name-of-a-page-{id}.html", id % 97);
    NewAddress {
        id: PageId(id),
        fp: Fp::hash_bytes(url.as_bytes()),
        host: HostId(1),
        url,
        reason: if queued { Reason::Waiting } else { Reason::OutOfScope },
        depth: Depth(via / 100 + 1),
        via: Some(PageId(of_page(via))),
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: queued.then_some((via / 100 + 1, 0)),
        run: 0,
    }
}

fn settled(n: u32, known: u32, links: u32) -> Settled {
    let id = of_page(n);
    let mut chance = u64::from(n) + 1;
    let mut next = move || {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as u32
    };
    let words: Vec<String> = (0..350).map(|_| format!("word{}", next() % 3_000)).collect();
    let link = |text: String| Link {
        target: Target::Malformed(String::new()),
        kind: LinkKind::Anchor,
        text,
        rel: Rel::default(),
        block: BlockKind::Paragraph,
    };
    let page = ParsedPage {
        blocks: vec![
            Block { kind: BlockKind::Title, text: words[..6].join(" ") },
            Block { kind: BlockKind::Paragraph, text: words.join(" ") },
        ],
        links: (0..links).map(|at| link(words[at as usize % words.len()].clone())).collect(),
        ..ParsedPage::default()
    };
    let targets: Vec<PageId> = (0..links).map(|_| PageId(next() % known + 1)).collect();
    Settled {
        id: PageId(id),
        reason: Reason::Fetched,
        alias_of: None,
        facts: FetchFacts {
            status: 200,
            media_type: "text/html".into(),
            charset: "utf-8".into(),
            language: "en".into(),
            size: 30_000,
            title: words[..6].join(" "),
            last_modified: "Sun, 15 Nov 2026 12:00:00 GMT".into(),
            etag: format!("\"{id:x}-5f3\""),
            text_fp: Some(Fp::hash_bytes(words.join(" ").as_bytes())),
            body_fp: Some(Fp::hash_bytes(&id.to_be_bytes())),
            near_fp: u64::from(id) << 32,
            words: 350,
            elapsed_ms: 12,
            fetched_at: i64::from(n),
            ..FetchFacts::default()
        },
        content: Content::Put {
            targets: codec::pack_targets(&targets, page.links.iter().map(codec::Mark::from_link)),
            details: codec::pack_details(&page),
            body: None,
        },
        changed: true,
    }
}

/// CPU time of all threads of this process, in nanoseconds.
fn own_time() -> u64 {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let time = |path: &Path| {
        let stat = std::fs::read_to_string(path.join("schedstat")).ok()?;
        stat.split(' ').next()?.parse::<u64>().ok()
    };
    threads.filter_map(|thread| time(&thread.path())).sum()
}

/// The process all processes of the server stem from.
fn postmaster(address: &str) -> u32 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        let pid: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
        let parent = stat(pid as u32).unwrap().0;
        drop(client);
        connection.await.unwrap().unwrap();
        parent
    })
}

/// CPU time of a server, in nanoseconds, in steps of a hundredth of a second. Those of its processes that have ended are in the first.
fn server_time(postmaster: u32) -> u64 {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse::<u32>().ok());
    let ticks = |pid: u32| {
        let (parent, own, ended) = stat(pid)?;
        (pid == postmaster).then_some(own + ended).or((parent == postmaster).then_some(own))
    };
    numbers.filter_map(ticks).sum::<u64>() * 10_000_000
}

/// Parent, own ticks, and those of children that have ended.
fn stat(pid: u32) -> Option<(u32, u64, u64)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some((field(1)? as u32, field(11)? + field(12)?, field(13)? + field(14)?))
}
