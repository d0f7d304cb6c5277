//! How fast and how large? Our index beside a plain run of the same engine on the same texts, and questions over many pages.
//!
//! ```text
//! cargo run --release -p groma-search --example speed -- DIR                   a survey that was crawled: index, beside the plain run
//! cargo run --release -p groma-search --example speed -- --pages 100000        a made-up survey: index, and questions
//! cargo run --release -p groma-search --example speed -- --records 100000      records of a database behind a form: index, and questions
//! ... --make N DIR       the made-up survey alone, kept
//! ... --ours DIR         our index alone: seconds of the processor (for a profiler, or a machine with company: in turns with --plain)
//! ... --plain DIR        the plain run alone
//! ... --fields DIR       the plain run with our fields alone
//! ... --ask DIR          the questions alone, of a made-up survey that was indexed
//! ```
//!
//! Seconds are those of the processor (all threads), so that a busy machine says the same as an idle one.
//!
//! The plain run: title and body, the engine's own words, positions; with and without the texts kept. It writes less than we do: no
//! texts of links, URLs, folders and numbers. So there is another one with our fields: the same texts in the same fields, the
//! engine's own words, nothing kept; it is given the texts of links (gathering them is our work), and it neither stems nor
//! counts words, nor ranks pages. What we need beyond that one is what we add to the engine. All sides read the texts from the store,
//! use as many threads and as much memory, and end with everything on the disk.

mod fields;

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use groma_model::{Block, BlockKind, Depth, Fp, HostId, Link, LinkKind, PageId, ParsedPage, Reason, Rel, Target};
use groma_search::{Ask, Index, Weights};
use groma_store::batch::Content;
use groma_store::codec::{Mark, pack_details, pack_targets, unpack_details};
use groma_store::gathers::{Harvest, NewGather, RecordRow};
use groma_store::{Change, ChangeKind, FetchFacts, Folder, NewAddress, NewHost, Settled, Snapshot, Store, WriteBatch};
use tantivy::TantivyDocument;
use tantivy::schema::{STORED, Schema, TEXT};

type Done<T> = Result<T, Box<dyn Error>>;

fn main() -> Done<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [key, count, folder] if key == "--make" => made_up(Path::new(folder), count.parse()?),
        [key, folder] if key == "--ours" => ours(Path::new(folder)).map(|(cpu, ..)| println!("{cpu:.2}")),
        [key, folder] if key == "--plain" => {
            alone(Path::new(folder), Plain::Kept).map(|(cpu, ..)| println!("{cpu:.2}"))
        }
        [key, folder] if key == "--fields" => {
            alone(Path::new(folder), Plain::Fields).map(|(cpu, ..)| println!("{cpu:.2}"))
        }
        [key, folder] if key == "--ask" => ask(Path::new(folder)),
        [key, count] if key == "--pages" => {
            let count: u32 = count.parse()?;
            let folder = std::env::temp_dir().join(format!("groma-speed-{}", std::process::id()));
            std::fs::create_dir_all(&folder)?;
            let done = made_up(&folder, count).and_then(|()| compare(&folder)).and_then(|()| ask(&folder));
            std::fs::remove_dir_all(&folder)?;
            done
        }
        [key, count] if key == "--records" => {
            let count: u32 = count.parse()?;
            let folder = std::env::temp_dir().join(format!("groma-speed-{}", std::process::id()));
            std::fs::create_dir_all(&folder)?;
            let done = made_up(&folder, 1_000).and_then(|()| records(&folder, count)).and_then(|()| ask(&folder));
            std::fs::remove_dir_all(&folder)?;
            done
        }
        [folder] => compare(Path::new(folder)),
        _ => Err("speed DIR, or speed --pages N (see the head of this file)".into()),
    }
}

/// Processor time of this thread so far, in seconds. The system keeps the books when a thread gives way; else only every few
/// milliseconds.
fn thread_seconds() -> f64 {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Processor time of all our threads so far, in seconds, in steps of 10 ms.
fn all_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    after.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn size(folder: &Path) -> Done<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}

/// Seconds of the processor and of the clock, pages, megabytes.
type Timing = (f64, f64, u64, f64);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Plain {
    /// Title and body, kept.
    Kept,
    /// Title and body, not stored.
    Lost,
    /// The fields of Groma.
    Fields,
}

/// The same work with the full-text engine alone.
fn alone(folder: &Path, which: Plain) -> Done<Timing> {
    let target = folder.join("plain");
    let _ = std::fs::remove_dir_all(&target);
    std::fs::create_dir_all(&target)?;
    let said = if which == Plain::Fields { fields::said(folder)? } else { Vec::new() };
    let (begun, used) = (Instant::now(), all_seconds());
    let pages = match which {
        Plain::Fields => fields::write(folder, &target, &said)?,
        _ => plain(folder, &target, which == Plain::Kept)?,
    };
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), all_seconds() - used);
    let megabytes = size(&target)? as f64 / 1e6;
    std::fs::remove_dir_all(&target)?;
    Ok((cpu, wall, pages, megabytes))
}

/// Our index, made anew.
fn ours(folder: &Path) -> Done<Timing> {
    let mut store = Folder::new(folder).read()?;
    let (begun, used) = (Instant::now(), all_seconds());
    let followed = Index::follow(folder, &mut store, true, &AtomicBool::new(false), &mut |_| {})?;
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), all_seconds() - used);
    Ok((cpu, wall, followed.pages, size(&folder.join("index"))? as f64 / 1e6))
}

/// Both runs; a row each.
fn compare(folder: &Path) -> Done<()> {
    println!("| run | pages | CPU s | wall s | MB |\n|---|---|---|---|---|");
    let say = |name: &str, (cpu, wall, pages, megabytes): Timing| {
        println!("| {name} | {pages} | {cpu:.2} | {wall:.2} | {megabytes:.2} |");
    };
    say("plain, text kept", alone(folder, Plain::Kept)?);
    say("plain, text not kept", alone(folder, Plain::Lost)?);
    say("plain, our fields", alone(folder, Plain::Fields)?);
    say("ours", ours(folder)?);
    let mut store = Folder::new(folder).read()?;
    let (begun, used) = (Instant::now(), all_seconds());
    Index::follow(folder, &mut store, false, &AtomicBool::new(false), &mut |_| {})?;
    println!("| ours, nothing new | 0 | {:.2} | {:.2} | |", all_seconds() - used, begun.elapsed().as_secs_f64());
    Ok(())
}

/// A survey with a gathered database beside it: what the records add to its index.
fn records(folder: &Path, count: u32) -> Done<()> {
    println!("| run | documents | CPU s | wall s | per CPU second | MB |\n|---|---|---|---|---|---|");
    let step = |name: &str, rebuild: bool| -> Done<()> {
        let mut store = Folder::new(folder).read()?;
        let (begun, used) = (Instant::now(), all_seconds());
        let followed = Index::follow(folder, &mut store, rebuild, &AtomicBool::new(false), &mut |_| {})?;
        let (wall, cpu) = (begun.elapsed().as_secs_f64(), all_seconds() - used);
        let (written, megabytes) = (followed.written + followed.removed, size(&folder.join("index"))? as f64 / 1e6);
        let rate = written as f64 / cpu.max(0.01);
        println!("| {name} | {written} | {cpu:.2} | {wall:.2} | {rate:.0} | {megabytes:.2} |");
        Ok(())
    };
    step("pages alone", false)?;
    let mut gathers = Folder::new(folder).gathers()?;
    let mut gather = |round: u32| -> Done<()> {
        let mut dice = Dice(7);
        let new =
            NewGather { key: "k".into(), address: "http://made.test/da/1.html".into(), asked: "{}".into(), at: 1 };
        let id = gathers.begin(&new)?.id;
        for part in 0..count.div_ceil(10_000) {
            let mut record = |place: u32| {
                let mut text = |words: u64| (0..words).map(|_| dice.word()).collect::<Vec<_>>().join(" ");
                // One in a hundred is another one in each round.
                let number = if place.is_multiple_of(100) { place + round } else { place };
                let values = [
                    ("number", number.to_string()),
                    ("name", text(3)),
                    ("place", text(1)),
                    ("street", text(2)),
                    ("about", text(12)),
                ];
                let values = serde_json::to_string(&values).unwrap_or_default();
                RecordRow { place, values, link: String::new(), question: format!("place = {}", place / 50) }
            };
            let records = (part * 10_000..count.min(part * 10_000 + 10_000)).map(&mut record).collect();
            gathers.add(
                id,
                &Harvest { form: Some("http://made.test/da/1.html".into()), records, at: 1, ..Harvest::default() },
            )?;
        }
        gathers.end(id, "certified", "{}", 2)?;
        Ok(())
    };
    gather(0)?;
    step("records, all new", false)?;
    step("nothing new", false)?;
    gather(1)?;
    step("gathered again, 1 % are others", false)?;
    step("made anew, pages and records", true)
}

/// The engine as it comes: title and body.
fn plain(folder: &Path, target: &Path, stored: bool) -> Done<u64> {
    let mut builder = Schema::builder();
    let text = if stored { TEXT | STORED } else { TEXT };
    let (title, body) = (builder.add_text_field("title", text.clone()), builder.add_text_field("body", text));
    let index = tantivy::Index::create_in_dir(target, builder.build())?;
    let mut writer = index.writer_with_num_threads::<TantivyDocument>(2, 160_000_000)?;
    let mut store = Folder::new(folder).read()?;
    let mut all = Vec::new();
    store.each_page(&mut |address, page| {
        if let Some(page) = page.filter(|_| address.reason == Reason::Fetched) {
            all.push((address.id, page.facts.title.clone()));
        }
    })?;
    let mut pages = 0;
    for (id, name) in all {
        let Some(details) = store.details(id)?.and_then(|packed| unpack_details(&packed)) else { continue };
        let mut document = TantivyDocument::default();
        document.add_text(title, name);
        let texts =
            details.blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Title | BlockKind::Navigation));
        document.add_text(body, texts.map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n"));
        writer.add_document(document)?;
        pages += 1;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(pages)
}

/// Numbers that are always the same.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A word by Zipf's law, roughly: the n-th word is n times rarer than the first.
    fn word(&mut self) -> String {
        let share = (self.next() % 1_000_000) as f64 / 1e6;
        spelled((50_000f64.powf(share) - 1.0) as u64)
    }
}

/// The n-th word of a language that nobody speaks.
fn spelled(mut n: u64) -> String {
    const HEAD: [&str; 16] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "tr"];
    const TAIL: [&str; 6] = ["a", "e", "i", "o", "u", "an"];
    let mut word = String::new();
    loop {
        word.push_str(HEAD[(n % 16) as usize]);
        n /= 16;
        word.push_str(TAIL[(n % 6) as usize]);
        n /= 6;
        if n == 0 {
            return word;
        }
    }
}

/// A survey of so many pages of about 300 words, ten links each.
fn made_up(folder: &Path, count: u32) -> Done<()> {
    let (mut store, _lock) = Folder::new(folder).open()?;
    let mut dice = Dice(7);
    let url = |n: u32| format!("http://made.test/{}/{}.html", spelled(u64::from(n % 40)), n);
    let mut first = WriteBatch { now: 1, run: 1, run_begins: Some("crawl".into()), ..WriteBatch::default() };
    first.hosts.push(NewHost { id: HostId(1), origin: "http://made.test".into() });
    for n in 1..=count {
        first.addresses.push(NewAddress {
            id: PageId(n),
            fp: Fp::hash_bytes(url(n).as_bytes()),
            host: HostId(1),
            url: url(n),
            reason: Reason::Waiting,
            depth: Depth(u32::from(n > 1)),
            via: None,
            via_kind: LinkKind::Anchor,
            alias_of: None,
            queue: Some((0, n)),
            run: 0,
        });
    }
    store.commit(&first)?;
    for from in (1..=count).step_by(1_000) {
        let mut batch = WriteBatch { now: 2, run: 1, ..WriteBatch::default() };
        for n in from..(from + 1_000).min(count + 1) {
            let mut text = |words: u64| (0..words).map(|_| dice.word()).collect::<Vec<_>>().join(" ");
            let title = text(4);
            let mut blocks = vec![Block { kind: BlockKind::Heading1, text: title.clone() }];
            blocks.extend((0..6).map(|_| Block { kind: BlockKind::Paragraph, text: text(50) }));
            let whole = blocks.iter().map(|block| block.text.as_str()).collect::<String>();
            let link = |text: String| Link {
                target: Target::Malformed(String::new()),
                kind: LinkKind::Anchor,
                text,
                rel: Rel::default(),
                block: BlockKind::Paragraph,
            };
            let links: Vec<Link> = (0..10).map(|_| link(text(2))).collect();
            let mut targets: Vec<PageId> =
                (0..9).map(|_| PageId((dice.next() % u64::from(count)) as u32 + 1)).collect();
            targets.push(PageId(n % count + 1));
            let parsed = ParsedPage { links: links.clone(), blocks, ..ParsedPage::default() };
            batch.settled.push(Settled {
                id: PageId(n),
                reason: Reason::Fetched,
                alias_of: None,
                facts: FetchFacts {
                    status: 200,
                    media_type: "text/html".into(),
                    language: "en".into(),
                    title,
                    text_fp: Some(Fp::hash_bytes(whole.as_bytes())),
                    fetched_at: 2,
                    ..FetchFacts::default()
                },
                content: Content::Put {
                    targets: pack_targets(&targets, links.iter().map(Mark::from_link)),
                    details: pack_details(&parsed),
                    body: None,
                },
                changed: true,
            });
            let page = PageId(n);
            batch.changes.push(Change { seq: 0, run: 1, at: 2, page, kind: ChangeKind::Added, amount: 0, to: None });
        }
        store.commit(&batch)?;
    }
    let ends = WriteBatch { now: 3, run: 1, run_ends: Some("done".into()), ..WriteBatch::default() };
    Ok(store.commit(&ends)?)
}

/// Questions of several kinds, one after another.
fn ask(folder: &Path) -> Done<()> {
    let index = Index::open(folder)?.ok_or("no index")?;
    let count = index.extent()?.0 + index.records();
    let mut store = Folder::new(folder).read()?;
    let weights = Weights::default();
    let mut dice = Dice(99);
    let mut two = || format!("{} {}", dice.word(), dice.word());
    let typical: Vec<String> = (0..1_000).map(|_| two()).collect();
    let common: Vec<String> = (0..200).map(|n| format!("{} {}", spelled(n % 5), spelled(n % 7))).collect();
    let phrases: Vec<String> = (0..200).map(|n| format!("\"{} {}\"", spelled(n % 20), spelled(n % 23))).collect();
    let many: Vec<String> = (0..50).map(|n| (0..32).map(|m| spelled(n + m)).collect::<Vec<_>>().join(" OR ")).collect();
    let slips: Vec<String> = (0..200).map(|n| format!("{}q{}", spelled(n * 7), spelled(n))).collect();
    println!(
        "\n| questions over {count} documents, one thread | p50 ms CPU | p99 ms CPU | p99 ms wall | questions per CPU second |\n|---|---|---|---|---|"
    );
    for (name, questions, facets) in [
        ("two words", &typical, false),
        ("two words, with facets", &typical, true),
        ("two of the commonest words", &common, true),
        ("phrases of common words", &phrases, true),
        ("32 words with OR", &many, true),
        ("words nobody wrote", &slips, true),
    ] {
        let (mut times, mut walls) = (Vec::new(), Vec::new());
        for text in questions {
            let (begun, used) = (Instant::now(), thread_seconds());
            index.search(&Ask { text, first: 0, most: 10, facets, weights: &weights, within: None }, &mut store)?;
            times.push((thread_seconds() - used) * 1e3);
            walls.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        walls.sort_by(f64::total_cmp);
        let (middle, late, wall) =
            (times[times.len() / 2], times[times.len() * 99 / 100], walls[walls.len() * 99 / 100]);
        let rate = times.len() as f64 / times.iter().sum::<f64>() * 1e3;
        println!("| {name} | {middle:.2} | {late:.2} | {wall:.2} | {rate:.0} |");
    }
    Ok(())
}
