//! What was exported is what the store has: every URL, every link, every text.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

use groma_model::{PageId, Rel};
use groma_parquet::{Options, Sizes, part_of, read_links, read_ranks};
use groma_store::{Snapshot, codec};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::made::{Desk, body, files, links, written};

/// All rows of a table: the part they lie in, and their values by name. Read by the library alone, not by our reader.
fn rows(desk: &Desk, table: &str) -> Vec<(u32, BTreeMap<String, Field>)> {
    let mut rows = Vec::new();
    for path in files(&desk.join(&format!("out/{table}"))) {
        let part = path.parent().and_then(|folder| folder.file_name()?.to_str()?.strip_prefix("part=")?.parse().ok());
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let cells = row.get_column_iter().map(|(name, field)| (name.clone(), field.clone()));
            rows.push((part.expect("a part"), cells.collect()));
        }
    }
    rows
}

fn text(row: &BTreeMap<String, Field>, name: &str) -> Option<String> {
    match &row[name] {
        Field::Str(text) => Some(text.clone()),
        Field::Null => None,
        other => panic!("{name}: {other}"),
    }
}

fn number(row: &BTreeMap<String, Field>, name: &str) -> Option<i64> {
    match &row[name] {
        Field::Long(number) | Field::TimestampMicros(number) => Some(*number),
        Field::Int(number) => Some(i64::from(*number)),
        Field::Null => None,
        other => panic!("{name}: {other}"),
    }
}

/// Sizes so small that groups, files and the budget all come into play.
const SMALL: Sizes = Sizes { group: 4096, rows: 100, budget: 8192, file: 6000 };

#[test]
fn every_address_is_a_row_of_its_hosts_part() {
    let desk = Desk::new();
    let mut store = desk.survey(500, 9);
    let rank = |page: PageId| page.0.is_multiple_of(2).then(|| f64::from(page.0) / 8.0);
    let options = Options { parts: 5, rank: Some(&rank), sizes: SMALL, ..Options::default() };
    let exported = written(&mut store, &desk.aim("out"), &options).unwrap();
    let pages = rows(&desk, "pages");
    assert_eq!(pages.len(), 500);
    let facts = exported.table("pages").unwrap();
    assert_eq!((facts.rows, exported.table("texts")), (500, None));
    assert!(facts.files.len() > 5, "files are ended at their size: {}", facts.files.len());
    let mut seen = vec![false; 501];
    for (part, row) in &pages {
        let id = number(row, "id").unwrap() as u32;
        assert!(!std::mem::replace(&mut seen[id as usize], true), "twice: {id}");
        let address = store.address(PageId(id)).unwrap().unwrap();
        let page = store.page(PageId(id)).unwrap();
        assert_eq!(text(row, "url").unwrap(), address.url);
        assert_eq!(text(row, "state").unwrap(), address.state().name());
        assert_eq!(text(row, "reason").unwrap(), address.reason.name());
        assert_eq!(number(row, "depth"), address.depth.known().map(i64::from));
        assert_eq!(number(row, "via"), address.via.map(|id| i64::from(id.0)));
        assert_eq!(number(row, "since"), Some(address.since * 1_000_000));
        assert_eq!(text(row, "digest").unwrap(), address.fp.hex());
        assert_eq!(*part, part_of(text(row, "host").as_deref().unwrap_or(""), 5));
        let facts = page.as_ref().map(|page| &page.facts);
        assert_eq!(number(row, "status"), facts.map(|facts| i64::from(facts.status)), "{id}");
        assert_eq!(number(row, "size"), facts.map(|facts| facts.size as i64));
        assert_eq!(text(row, "title"), facts.map(|facts| facts.title.clone()));
        assert_eq!(text(row, "language"), facts.map(|f| f.language.clone()).filter(|text| !text.is_empty()));
        assert_eq!(number(row, "fetched"), facts.map(|facts| facts.fetched_at * 1_000_000));
        assert_eq!(number(row, "canonical"), facts.and_then(|f| f.canonical).map(|id| i64::from(id.0)));
        assert_eq!(text(row, "near_digest"), facts.map(|facts| format!("{:016x}", facts.near_fp)));
        let ranked = matches!(row["rank"], Field::Double(value) if Some(value) == rank(PageId(id)));
        assert!(ranked || (row["rank"] == Field::Null && id % 2 == 1), "{id}: {:?}", row["rank"]);
        let site = if id == 3 { None } else { Some(format!("h{}.example.org", id % 9)) };
        assert_eq!(text(row, "host"), site);
        assert_eq!(text(row, "domain"), site.as_ref().map(|_| "example.org".to_owned()));
        assert_eq!(text(row, "origin"), site.map(|host| format!("https://{host}")));
    }
    assert!(seen.into_iter().skip(1).all(|seen| seen));
    // The ranks come back through our own reader, from the same files.
    let back: Vec<(PageId, f64)> = read_ranks(&desk.aim("out/pages"), 500).unwrap().map(Result::unwrap).collect();
    assert_eq!(back.len(), 250);
    assert!(back.iter().all(|(page, value)| rank(*page) == Some(*value)));
}

#[test]
fn every_link_is_a_row_with_its_marks() {
    let desk = Desk::new();
    let mut store = desk.survey(400, 6);
    let options = Options { parts: 3, sizes: SMALL, ..Options::default() };
    let exported = written(&mut store, &desk.aim("out"), &options).unwrap();
    let mut wanted = BTreeMap::new();
    for page in (1..=400).filter(|page| !matches!(page, 2 | 3)) {
        for (position, (target, link)) in links(page, 400).into_iter().enumerate() {
            wanted.insert((page, position as i64), (target, link));
        }
    }
    let found = rows(&desk, "links");
    assert_eq!((found.len(), exported.table("links").unwrap().rows), (wanted.len(), wanted.len() as u64));
    for (part, row) in &found {
        let source = number(row, "source").unwrap() as u32;
        let key = (source, number(row, "position").unwrap());
        let (target, link) = wanted.remove(&key).unwrap_or_else(|| panic!("twice or unknown: {key:?}"));
        assert_eq!(number(row, "target"), Some(i64::from(target)));
        assert_eq!(text(row, "kind").unwrap(), link.kind.name());
        assert_eq!(row["navigation"], Field::Bool(link.block == groma_model::BlockKind::Navigation));
        assert_eq!(row["nofollow"], Field::Bool(link.rel.has(Rel::NOFOLLOW)));
        let bare = source == 4;
        let known = |text: &str| if bare { None } else { Some(text.to_owned()) };
        assert_eq!(text(row, "anchor"), known(&link.text));
        assert_eq!(text(row, "block"), known(link.block.name()));
        assert_eq!(text(row, "fragment"), known(&format!("part-{}", key.1)));
        assert_eq!(text(row, "rel"), known("nofollow ugc").filter(|_| link.rel.has(Rel::UGC)));
        assert_eq!(*part, part_of(&format!("h{}.example.org", source % 6), 3));
    }
    assert!(wanted.is_empty());
}

#[test]
fn our_reader_finds_the_links_of_the_store() {
    let desk = Desk::new();
    let mut store = desk.survey(3000, 40);
    written(&mut store, &desk.aim("out"), &Options::default()).unwrap();
    let mut found: Vec<(u32, u32)> =
        read_links(&desk.aim("out")).unwrap().map(|link| link.map(|(a, b)| (a.0, b.0)).unwrap()).collect();
    let mut wanted = Vec::new();
    let mut targets = Vec::new();
    store
        .each_targets(&mut |id, packed| {
            codec::unpack_links(packed, &mut targets).unwrap();
            wanted.extend(targets.iter().map(|(target, _)| (id.0, *target)));
        })
        .unwrap();
    found.sort_unstable();
    wanted.sort_unstable();
    assert!(wanted.len() > 10_000);
    assert_eq!(found, wanted);
}

#[test]
fn texts_come_with_their_pages_if_asked_for() {
    let desk = Desk::new();
    let mut store = desk.survey(60, 4);
    let options = Options { texts: true, ..Options::default() };
    written(&mut store, &desk.aim("out"), &options).unwrap();
    let found = rows(&desk, "texts");
    // Not of the page nobody fetched, the broken one and the one that came without its text.
    assert_eq!(found.len(), 57);
    for (_, row) in &found {
        let id = number(row, "id").unwrap() as usize;
        let body = "Gr\u{fc}\u{df}e, \u{4f60}\u{597d}".repeat(id % 5);
        assert_eq!(text(row, "text").unwrap(), format!("Page {id}\n{body}").trim_end());
        assert_eq!(text(row, "title").unwrap(), format!("Page {id}"));
    }
}

#[test]
fn an_empty_survey_has_tables_without_rows() {
    let desk = Desk::new();
    let folder = groma_store::Folder::new(desk.join("empty.groma"));
    drop(folder.open().unwrap());
    let exported = written(&mut folder.read().unwrap(), &desk.aim("out"), &Options::default()).unwrap();
    assert_eq!(exported.files(), 2);
    assert_eq!(rows(&desk, "links").len() + rows(&desk, "pages").len(), 0);
    assert_eq!(read_links(&desk.aim("out")).unwrap().count(), 0);
}

#[test]
fn bodies_that_are_kept_come_as_archives_in_their_hosts_part() {
    let desk = Desk::new();
    let mut store = desk.survey(60, 4);
    let options = Options { bodies: true, parts: 3, sizes: Sizes { file: 2000, ..SMALL }, ..Options::default() };
    let exported = written(&mut store, &desk.aim("out"), &options).unwrap();
    let facts = exported.table("bodies").unwrap();
    assert_eq!(facts.rows, 29);
    assert!(facts.files.len() > 3, "files are ended at their size: {}", facts.files.len());
    let mut all = String::new();
    for file in &facts.files {
        let mut text = String::new();
        let bytes = File::open(desk.join(&format!("out/{}", file.name))).unwrap();
        flate2::read::MultiGzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        assert_eq!(text.matches("WARC-Type: resource").count() as u64, file.rows);
        let part: u32 = file.name["bodies/part=".len()..][..2].parse().unwrap();
        for host in text.split("WARC-Target-URI: https://").skip(1).filter_map(|rest| rest.split('/').next()) {
            assert_eq!(part_of(host, 3), part, "{host}");
        }
        all.push_str(&text);
    }
    for page in (4..=60).step_by(2) {
        let body = String::from_utf8(body(page)).unwrap();
        assert_eq!(all.matches(&body).count(), 1, "{page}");
    }
}
