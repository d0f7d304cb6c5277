//! How fast a survey goes from a file to a server and back, and in how much memory.
//!
//! ```text
//! yard/services/postgres start DIR        prints the address
//! cargo run --release -p groma-store --example copying -- ADDRESS [ADDRESSES] [LINKS PER PAGE]
//! ```
//!
//! Every tenth URL is a page with text and links. Memory is the most this process ever had, told after each step: it should not grow
//! with the survey. Copies are verified by `copy_to` itself, and by the store's own check afterwards.

#![allow(clippy::unwrap_used, reason = "an example ends where it cannot go on")]

use std::time::Instant;

use groma_model::{Block, BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_store::batch::Content;
use groma_store::{
    Change, ChangeKind, FetchFacts, Folder, NewAddress, NewHost, Server, Settled, SurveyName, WriteBatch, codec,
    drop_survey, verify,
};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(address) = args.first() else { panic!("the address of a server comes first") };
    let number = |at: usize, otherwise: u32| args.get(at).map_or(otherwise, |arg| arg.parse().unwrap());
    let (addresses, links) = (number(1, 200_000), number(2, 20));
    let dir = std::env::temp_dir().join(format!("groma-copying-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("home")).unwrap();
    std::fs::write(dir.join("home/server"), address).unwrap();
    let survey = SurveyName::new(&format!("copying-{}", std::process::id())).unwrap();
    let here = Folder::new(dir.join("here.groma"));
    let there = Folder::new(dir.join(format!("home/{survey}.groma")));
    let back = Folder::new(dir.join("back.groma"));
    fill(&here, addresses, links);
    println!("{addresses} URLs, {} pages with {links} links; {} MB at most so far", addresses / 10, most_memory());
    for (what, from, to) in [("to the server", &here, &there), ("and back", &there, &back)] {
        let begun = Instant::now();
        let mut carried = None;
        let copied = from.copy_to(to, &mut |table, _| {
            // The last table of a survey without anything beside it.
            if table == "change" {
                carried = Some(begun.elapsed().as_secs_f64());
            }
        });
        let (copied, seconds) = (copied.unwrap(), begun.elapsed().as_secs_f64());
        println!(
            "{what}: {} rows, {:.1} MB in {seconds:.1} s (carried in {:.1} s, then verified): {:.0} rows/s, {} MB at most",
            copied.rows(),
            copied.bytes() as f64 / 1e6,
            carried.unwrap_or(0.0),
            copied.rows() as f64 / seconds,
            most_memory()
        );
    }
    for folder in [&there, &back] {
        let report = verify::verify(&mut *folder.read().unwrap()).unwrap();
        assert_eq!((report.wrong, report.addresses), (0, u64::from(addresses)), "{:?}", report.complaints);
    }
    println!("both verify");
    drop_survey(&Server::parse(address).unwrap(), &survey).unwrap();
    std::fs::remove_dir_all(dir).unwrap();
}

/// The most memory this process ever had, in MB.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn fill(folder: &Folder, addresses: u32, links: u32) {
    let (mut store, _lock) = folder.open().unwrap();
    let host = NewHost { id: HostId(1), origin: "http://site.example".into() };
    let mut batch = WriteBatch { run: 1, run_begins: Some("crawl".into()), hosts: vec![host], ..WriteBatch::default() };
    for n in 1..=addresses {
        let url = format!("http://site.example/department/{}/the-name-of-a-page-{n}.html", n % 97);
        let page = n.is_multiple_of(10);
        batch.addresses.push(NewAddress {
            id: PageId(n),
            fp: Fp::hash_bytes(url.as_bytes()),
            host: HostId(1),
            url,
            reason: Reason::Waiting,
            depth: Depth(n / 1_000),
            via: Some(PageId(n / 10 + 1)),
            via_kind: LinkKind::Anchor,
            alias_of: None,
            queue: Some((n / 1_000, 0)),
            run: 0,
        });
        if page {
            batch.settled.push(settled(n, links));
            let (page, kind) = (PageId(n), ChangeKind::Added);
            batch.changes.push(Change { seq: 0, run: 1, at: i64::from(n), page, kind, amount: 0, to: None });
        }
        if n.is_multiple_of(2_000) || n == addresses {
            store.commit(&batch).unwrap();
            batch = WriteBatch { run: 1, ..WriteBatch::default() };
        }
    }
    store.commit(&WriteBatch { run: 1, run_ends: Some("done".into()), ..WriteBatch::default() }).unwrap();
}

fn settled(n: u32, links: u32) -> Settled {
    let mut chance = u64::from(n);
    let mut next = move || {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as u32
    };
    let words: Vec<String> = (0..350).map(|_| format!("word{}", next() % 3_000)).collect();
    let link = |text: &String| Link {
        target: Target::Malformed(String::new()),
        kind: LinkKind::Anchor,
        text: text.clone(),
        rel: Rel::default(),
        block: BlockKind::Paragraph,
    };
    let page = ParsedPage {
        blocks: vec![Block { kind: BlockKind::Paragraph, text: words.join(" ") }],
        links: words.iter().cycle().take(links as usize).map(link).collect(),
        ..ParsedPage::default()
    };
    let targets: Vec<PageId> = (0..links).map(|_| PageId(next() % n + 1)).collect();
    Settled {
        id: PageId(n),
        reason: Reason::Fetched,
        alias_of: None,
        facts: FetchFacts { status: 200, title: words[..6].join(" "), fetched_at: 7, ..FetchFacts::default() },
        content: Content::Put {
            targets: codec::pack_targets(&targets, page.links.iter().map(codec::Mark::from_link)),
            details: codec::pack_details(&page),
            body: None,
        },
        changed: true,
    }
}
