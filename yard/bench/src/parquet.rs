//! How fast does a survey become Parquet, in how much memory, and is it the same graph?
//!
//! Input: the real web graph cnr-2000, where it lies beside the project (links alone); and made-up surveys of 50,000 and 200,000
//! pages on 500 hosts, 40 links each with texts, every page with a text. Each is written by `groma export parquet` into 16 parts.
//! Answer: the links read back are as many as the store has, with the same checksum (a sum over all links, so that the order does
//! not matter); after kill -9 at random moments there is either no export or a whole one, and the next one is whole and leaves
//! nothing beside. Figure: at least 200,000 links for each second of CPU time (the clock is told
//! too; it is that of whoever else is at work); peak memory at 200,000 pages at most 1.3 times that at 50,000.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use groma_model::{Block, BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_parquet::{Aim, TableError, read_links};
use groma_store::batch::Content;
use groma_store::codec::{Mark, pack_details, pack_targets, unpack_links};
use groma_store::{FetchFacts, Folder, NewAddress, NewHost, Settled, Snapshot, Store, WriteBatch};
use groma_testweb::prose::{self, mix};

use crate::groma::{Groma, said};
use crate::measure;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const CNR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/graphs/cnr-2000.edges.bin.zst");
const LINKS_EACH: u32 = 40;
const HOSTS: u32 = 500;
/// Pages written to the made-up survey at once.
const STEP: u32 = 5000;
/// Links for each second of CPU time.
const PACE: f64 = 200_000.0;
/// Peak memory, the large survey of the small one.
const RATIO: f64 = 1.3;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let kills: u64 = options.take("kills", 10)?;
    let seed: u64 = options.take("seed", 1)?;
    let groma = Groma::find()?;
    let scratch = Scratch::new("columns")?;
    let table = Table::new(&[
        "survey",
        "pages",
        "links",
        "with",
        "CPU s",
        "wall s",
        "links/CPU s",
        "peak MB",
        "MB",
        "bytes/link",
    ]);
    if Path::new(CNR).exists() {
        let store = scratch.join("cnr.groma");
        let imported = Command::new(groma.path())
            .args(["import", "graph", "-q", "--edges", CNR, "--store"])
            .arg(&store)
            .output()
            .context("cannot run groma import")?;
        if !imported.status.success() {
            bail!("groma import failed: {}", said(&imported));
        }
        let bench = Bench { groma: &groma, store: &store, to: &scratch.join("cnr"), name: "cnr-2000" };
        bench.once(&[], &table, &scratch, report)?;
    }
    let mut first = None;
    for pages in [50_000, 200_000] {
        let store = scratch.join(&format!("made-{pages}.groma"));
        make(&store, pages)?;
        let bench =
            Bench { groma: &groma, store: &store, to: &scratch.join(&format!("made-{pages}")), name: "made up" };
        let peak = bench.once(&[], &table, &scratch, report)?;
        bench.once(&["--with-text"], &table, &scratch, report)?;
        let ratio = peak / *first.get_or_insert(peak);
        report.at_most(&format!("{pages} pages: peak, of that at 50,000"), ratio, RATIO);
        if pages == 200_000 {
            bench.killed(kills, seed, report)?;
        }
    }
    Ok(())
}

struct Bench<'a> {
    groma: &'a Groma,
    store: &'a Path,
    to: &'a Path,
    name: &'a str,
}

impl Bench<'_> {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.groma.path());
        command.args(["export", "parquet", "-q", "-f", "json", "--store"]).arg(self.store).arg("--to").arg(self.to);
        command.args(words);
        command
    }

    /// Exports, measures, reads back; gives the peak of memory.
    fn once(&self, words: &[&str], table: &Table, scratch: &Scratch, report: &mut Report) -> anyhow::Result<f64> {
        let (output, cost) = measure::run(&self.command(words), &scratch.join("cost"))?;
        if !output.status.success() {
            bail!("groma export failed: {}", said(&output));
        }
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).context("groma export said no JSON")?;
        let number = |table: &str, key: &str| told[table][key].as_u64().unwrap_or_default();
        let (links, pages) = (number("links", "rows"), number("pages", "rows"));
        let name = format!("{} {words:?}", self.name);
        let stored = of_store(self.store)?;
        report.equal(&format!("{name}: links told"), links, stored.count);
        let back = of_export(self.to)?;
        report.equal(&format!("{name}: links read back"), back.count, stored.count);
        report.equal(&format!("{name}: checksum read back"), back.sum, stored.sum);
        let pace = links as f64 / cost.cpu.max(0.01);
        report.check(pace >= PACE, || format!("{name}: {pace:.0} links per CPU second, at least {PACE} wanted"));
        table.row(&[
            self.name.to_owned(),
            pages.to_string(),
            links.to_string(),
            words.join(" ").replace("--with-", ""),
            format!("{:.2}", cost.cpu),
            format!("{:.2}", cost.wall),
            format!("{pace:.0}"),
            format!("{:.0}", cost.peak_mb),
            format!("{:.1}", told["bytes"].as_u64().unwrap_or_default() as f64 / 1e6),
            format!("{:.2}", number("links", "bytes") as f64 / links.max(1) as f64),
        ]);
        Ok(cost.peak_mb)
    }

    /// Kills exports at random moments, onto nothing and onto an earlier export by turns.
    fn killed(&self, kills: u64, seed: u64, report: &mut Report) -> anyhow::Result<()> {
        let stored = of_store(self.store)?;
        let begun = Instant::now();
        self.command(&[]).stdout(Stdio::null()).status().context("cannot run groma export")?;
        let usual = begun.elapsed();
        let (mut whole, mut none) = (0, 0);
        for kill in 0..kills {
            if kill % 2 == 0 && self.to.exists() {
                std::fs::remove_dir_all(self.to)?;
            }
            let mut child = self.command(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
            // The end, where names change, is where it matters: half of the kills fall into its neighbourhood.
            let random = (mix(seed, kill) % 1000) as f64 / 1000.0;
            let share = if kill % 4 < 2 { random } else { 0.95 + random / 10.0 };
            std::thread::sleep(Duration::from_secs_f64(usual.as_secs_f64() * share));
            child.kill()?;
            child.wait()?;
            match of_export(self.to) {
                Ok(found) => {
                    whole += 1;
                    report.check(found == stored, || format!("after kill {kill}: an export that is not whole"));
                }
                Err(error) if is_missing(&error) => {
                    none += 1;
                    report.check(!self.to.exists(), || {
                        format!("after kill {kill}: {} is there: {error}", self.to.display())
                    });
                }
                Err(error) => report.check(false, || format!("after kill {kill}: {error}")),
            }
        }
        let status = self.command(&[]).stdout(Stdio::null()).status()?;
        report.check(status.success(), || format!("after {kills} kills: {status}"));
        report.check(of_export(self.to)? == stored, || format!("after {kills} kills the export is not whole"));
        let beside = std::fs::read_dir(self.to.parent().context("a folder")?)?.flatten();
        let left: Vec<_> = beside.map(|entry| entry.path()).filter(|path| is_left(path)).collect();
        report.check(left.is_empty(), || format!("left beside: {left:?}"));
        println!("\nKilled {kills} times: {whole} times a whole export was there, {none} times none.");
        Ok(())
    }
}

fn is_left(path: &Path) -> bool {
    let name = path.to_string_lossy();
    [".partial", ".replaced", ".lock"].iter().any(|end| name.ends_with(end))
}

fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(TableError::NotWhole(_)))
}

/// Links, and a sum over them that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    count: u64,
    sum: u64,
}

impl Sum {
    fn add(&mut self, source: u32, target: u32) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(mix(u64::from(source), u64::from(target)));
    }
}

fn of_store(store: &Path) -> anyhow::Result<Sum> {
    let mut sum = Sum::default();
    let (mut links, mut sound) = (Vec::new(), true);
    Folder::new(store).read()?.each_targets(&mut |page, packed| {
        sound &= unpack_links(packed, &mut links).is_some();
        links.iter().for_each(|(target, _)| sum.add(page.0, *target));
    })?;
    if sound { Ok(sum) } else { bail!("{} is damaged", store.display()) }
}

fn of_export(to: &Path) -> anyhow::Result<Sum> {
    let mut sum = Sum::default();
    for link in read_links(&Aim::Path(to.to_owned()))? {
        let (source, target) = link?;
        sum.add(source.0, target.0);
    }
    Ok(sum)
}

/// A survey as a crawl leaves it: pages with links, texts of links, texts and facts.
fn make(store: &Path, pages: u32) -> anyhow::Result<()> {
    let (mut store, _lock) = Folder::new(store).open()?;
    let host = |n: u32| NewHost { id: HostId(n + 1), origin: format!("https://www.host-{n}.example") };
    store.commit(&WriteBatch {
        now: 1,
        run: 1,
        hosts: (0..HOSTS).map(host).collect(),
        run_begins: Some("crawl".to_owned()),
        ..WriteBatch::default()
    })?;
    let mut from = 0;
    while from < pages {
        let to = (from + STEP).min(pages);
        let addresses = (from..to).map(address).collect();
        let settled = (from..to).map(|page| page_of(page, pages)).collect();
        store.commit(&WriteBatch { now: 1, run: 1, addresses, settled, ..WriteBatch::default() })?;
        from = to;
    }
    store.commit(&WriteBatch { now: 2, run: 1, run_ends: Some("finished".to_owned()), ..WriteBatch::default() })?;
    Ok(())
}

fn address(page: u32) -> NewAddress {
    // Hosts come by turns, as they do in a crawl of many.
    let host = page % HOSTS;
    let url = format!("https://www.host-{host}.example/section-{}/article-{page}.html", page % 97);
    NewAddress {
        id: PageId(page + 1),
        fp: Fp::hash_bytes(url.as_bytes()),
        host: HostId(host + 1),
        url,
        reason: Reason::Waiting,
        depth: Depth(page % 12),
        via: None,
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: Some((0, 0)),
        run: 0,
    }
}

fn page_of(page: u32, pages: u32) -> Settled {
    let random = |n: u32, below: u32| (mix(u64::from(page), u64::from(n)) % u64::from(below)) as u32;
    let words = |n: u32, count: usize| prose::words(mix(u64::from(page), u64::from(n)), count);
    let link = |n: u32| {
        let menu = n < 10;
        Link {
            target: Target::Malformed(String::new()),
            kind: if n % 13 == 12 { LinkKind::Image } else { LinkKind::Anchor },
            text: if menu { format!("Menu item {n}") } else { words(n, 3) },
            rel: if n % 11 == 10 { Rel::NOFOLLOW } else { Rel::default() },
            block: if menu { BlockKind::Navigation } else { BlockKind::Paragraph },
        }
    };
    let links: Vec<Link> = (0..LINKS_EACH).map(link).collect();
    // A menu leads to the same pages everywhere, the rest near by and anywhere.
    let target = |n: u32| match n {
        0..10 => n,
        10..30 => (page + 1 + random(n, 100) * HOSTS) % pages,
        _ => random(n, pages),
    };
    let targets: Vec<PageId> = (0..LINKS_EACH).map(|n| PageId(target(n) + 1)).collect();
    let packed = pack_targets(&targets, links.iter().map(Mark::from_link));
    let blocks = (0..10).map(|n| Block { kind: BlockKind::Paragraph, text: words(1000 + n, 25) }).collect();
    let parsed = ParsedPage { links, blocks, ..ParsedPage::default() };
    let facts = FetchFacts {
        status: 200,
        media_type: "text/html".to_owned(),
        charset: "utf-8".to_owned(),
        language: "en".to_owned(),
        size: 20_000 + u64::from(random(1, 9000)),
        title: words(500, 6),
        text_fp: Some(Fp::hash_bytes(&page.to_le_bytes())),
        body_fp: Some(Fp::hash_bytes(&page.to_be_bytes())),
        near_fp: mix(7, u64::from(page)),
        words: 250,
        elapsed_ms: 20 + random(2, 200),
        fetched_at: 1_700_000_000 + i64::from(page / 50),
        ..FetchFacts::default()
    };
    Settled {
        id: PageId(page + 1),
        reason: Reason::Fetched,
        alias_of: None,
        facts,
        content: Content::Put { targets: packed, details: pack_details(&parsed), body: None },
        changed: true,
    }
}
