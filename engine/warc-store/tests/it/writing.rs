//! What a crawl writes.

use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::process::Command;

use flate2::read::MultiGzDecoder;
use groma_archive::{Bounds, Compression, Reader, Record};
use groma_fetch::Recorder;
use groma_model::Limits;
use groma_model::outcome::Cut;
use groma_warc_store::{Library, Plan, WarcStore, rebuild, repair};

use crate::{Scratch, exchange, long, page, plan, record, warc_store};

fn records(path: &std::path::Path) -> Vec<Record> {
    let bounds = Bounds { head: 1 << 16, block: 1 << 30, keep: 1 << 20 };
    let mut found = Vec::new();
    let read = Reader::new(fs::File::open(path).unwrap(), bounds).each(&mut |one| {
        found.push(one.unwrap());
        ControlFlow::Continue(())
    });
    read.unwrap();
    assert!(found.iter().all(|record| !record.short && !record.wrong_digest));
    found
}

#[test]
fn an_exchange_becomes_three_records_without_secrets_and_is_found_again() {
    let scratch = Scratch::new();
    let archive = warc_store(&scratch.0);
    let text = long("one");
    record(&archive, &page("http://a.test/", 1_700_000_000, &text));
    let open = scratch.names();
    assert!(open.iter().any(|name| name.ends_with(".warc.gz.open")), "{open:?}");
    archive.finish().unwrap();
    assert!(scratch.names().iter().all(|name| !name.ends_with(".open") && !name.ends_with(".warc.gz.cdxj")));
    let file = &scratch.files()[0];
    let records = records(file);
    assert_eq!(records.iter().map(Record::kind).collect::<Vec<_>>(), ["warcinfo", "response", "request", "metadata"]);
    let mut all = String::new();
    MultiGzDecoder::new(fs::File::open(file).unwrap()).read_to_string(&mut all).unwrap();
    assert!(!all.contains("secret"), "{all}");
    assert!(all.contains("Cookie: [redacted]") && all.contains("X-Key: [redacted]"), "{all}");
    let id = records[1].fields.get("WARC-Record-ID");
    assert_eq!(records[2].fields.get("WARC-Concurrent-To"), id);
    assert_eq!(records[3].fields.get("WARC-Concurrent-To"), id);
    assert_eq!(records[1].fields.get("WARC-Warcinfo-ID"), records[0].fields.get("WARC-Record-ID"));
    assert_eq!(records[1].fields.get("WARC-IP-Address"), Some("127.0.0.1"));
    let library = Library::open(&scratch.0).unwrap();
    let found = library.find("http://a.test/").unwrap();
    assert_eq!((found.len(), found[0].status, found[0].mime.as_str()), (1, 200, "text/html"));
    assert_eq!((found[0].offset, Some(found[0].length)), (records[1].offset, records[1].length));
    let copy = library.copy("http://a.test/", &Limits::default()).unwrap().unwrap();
    assert_eq!(String::from_utf8(copy.body).unwrap(), text);
    // The index made anew is the same.
    let before = fs::read_to_string(scratch.0.join("index.cdxj")).unwrap();
    assert_eq!(rebuild(&scratch.0).unwrap(), 1);
    assert_eq!(fs::read_to_string(scratch.0.join("index.cdxj")).unwrap(), before);
}

#[test]
fn what_comes_again_is_referred_to_also_in_a_later_run() {
    let scratch = Scratch::new();
    let first = warc_store(&scratch.0);
    record(&first, &page("http://a.test/1", 100, &long("same")));
    record(&first, &page("http://a.test/2", 200, &long("same")));
    first.finish().unwrap();
    let second = warc_store(&scratch.0);
    record(&second, &page("http://a.test/3", 300, &long("same")));
    record(&second, &exchange("http://a.test/1", 400, 304, &[("ETag", "x")], b""));
    record(&second, &exchange("http://a.test/9", 500, 304, &[], b""));
    second.finish().unwrap();
    let revisits: Vec<Record> =
        scratch.files().iter().flat_map(|f| records(f)).filter(|r| r.kind() == "revisit").collect();
    let of = |url: &str| revisits.iter().find(|record| record.url() == Some(url)).unwrap();
    for url in ["http://a.test/2", "http://a.test/3", "http://a.test/1"] {
        assert_eq!(of(url).fields.get("WARC-Refers-To-Target-URI"), Some("http://a.test/1"), "{url}");
        assert_eq!(of(url).fields.get("WARC-Refers-To-Date"), Some("1970-01-01T00:01:40Z"), "{url}");
    }
    assert!(of("http://a.test/2").fields.get("WARC-Profile").unwrap().ends_with("/identical-payload-digest"));
    assert!(of("http://a.test/1").fields.get("WARC-Profile").unwrap().ends_with("/server-not-modified"));
    assert_eq!(of("http://a.test/9").fields.get("WARC-Refers-To-Target-URI"), None);
    let library = Library::open(&scratch.0).unwrap();
    for url in ["http://a.test/1", "http://a.test/2", "http://a.test/3"] {
        let copy = library.copy(url, &Limits::default()).unwrap().unwrap();
        assert_eq!(String::from_utf8(copy.body).unwrap(), long("same"), "{url}");
    }
    assert!(library.copy("http://a.test/9", &Limits::default()).unwrap().is_none());
}

#[test]
fn files_are_rolled_and_every_one_can_be_read_alone() {
    let scratch = Scratch::new();
    let archive =
        WarcStore::open(Plan { bytes: 2_000, compression: Compression::Zstd(3), ..plan(&scratch.0) }).unwrap();
    for n in 0..20 {
        let mut one = page(&format!("http://a.test/{n}"), n, &long(&format!("w{n}")));
        if n == 3 {
            one.response.cut = Some(Cut::Broken);
        }
        record(&archive, &one);
    }
    archive.finish().unwrap();
    let files = scratch.files();
    assert!(files.len() > 2 && files.iter().all(|file| file.to_string_lossy().ends_with(".warc.zst")), "{files:?}");
    let all: Vec<Record> = files.iter().flat_map(|file| records(file)).collect();
    assert_eq!(all.iter().filter(|record| record.kind() == "warcinfo").count(), files.len());
    assert_eq!(all.iter().filter(|record| record.kind() == "response").count(), 20);
    let cut: Vec<&Record> = all.iter().filter(|record| record.fields.get("WARC-Truncated").is_some()).collect();
    assert_eq!((cut.len(), cut[0].url()), (1, Some("http://a.test/3")));
    let library = Library::open(&scratch.0).unwrap();
    assert!((0..20).all(|n| library.copy(&format!("http://a.test/{n}"), &Limits::default()).unwrap().is_some()));
}

#[test]
fn a_torn_file_keeps_every_whole_record_wherever_it_is_torn() {
    let scratch = Scratch::new();
    let archive = warc_store(&scratch.0);
    for n in 0..4 {
        record(&archive, &page(&format!("http://a.test/{n}"), n, &long(&format!("w{n}"))));
    }
    // The process dies: nobody holds the lock any more.
    drop(archive);
    let open = scratch.names().into_iter().find(|name| name.ends_with(".open")).unwrap();
    let whole = fs::read(scratch.0.join(&open)).unwrap();
    fs::remove_file(scratch.0.join(&open)).unwrap();
    for cut in (0..=whole.len()).step_by(13).chain([whole.len()]) {
        let place = Scratch::new();
        fs::write(place.0.join(&open), &whole[..cut]).unwrap();
        repair(&place.0).unwrap();
        assert!(place.names().iter().all(|name| !name.ends_with(".open")), "{:?}", place.names());
        let Some(file) = place.files().pop() else { continue };
        let kept = records(&file);
        let length = fs::metadata(&file).unwrap().len();
        assert!(length <= cut as u64);
        let last = kept.last().unwrap();
        assert_eq!(length, last.offset + last.length.unwrap());
        assert_eq!(rebuild(&place.0).unwrap() as usize, kept.iter().filter(|r| r.kind() == "response").count());
    }
    fs::write(scratch.0.join(&open), &whole).unwrap();
    assert_eq!(repair(&scratch.0).unwrap(), 1);
    assert_eq!(records(&scratch.files()[0]).len(), 1 + 4 * 3);
}

#[test]
fn what_is_settled_is_with_the_system_whatever_its_size() {
    let scratch = Scratch::new();
    let archive = warc_store(&scratch.0);
    for n in 0..6 {
        let text = long(&format!("w{n}")).repeat(if n == 3 { 2000 } else { 1 });
        archive.record(&page(&format!("http://a.test/{n}/a"), n, &text));
        archive.record(&page(&format!("http://a.test/{n}/b"), n, &long(&format!("v{n}"))));
        archive.settle().unwrap();
        let open = scratch.names().into_iter().find(|name| name.ends_with(".open")).unwrap();
        let place = Scratch::new();
        fs::copy(scratch.0.join(&open), place.0.join(&open)).unwrap();
        repair(&place.0).unwrap();
        assert_eq!(records(&place.files()[0]).len() as i64, 1 + 6 * (n + 1));
    }
}

#[test]
fn a_file_that_somebody_writes_is_left_alone() {
    let scratch = Scratch::new();
    let (one, other) = (warc_store(&scratch.0), warc_store(&scratch.0));
    record(&one, &page("http://a.test/1", 1, &long("a")));
    record(&other, &page("http://a.test/2", 2, &long("b")));
    assert_eq!(repair(&scratch.0).unwrap(), 0);
    assert_eq!(scratch.names().iter().filter(|name| name.ends_with(".open")).count(), 2);
    one.finish().unwrap();
    other.finish().unwrap();
    let library = Library::open(&scratch.0).unwrap();
    assert_eq!(library.find("http://a.test/1").unwrap().len() + library.find("http://a.test/2").unwrap().len(), 2);
}

#[test]
fn the_archives_own_tool_finds_nothing_wrong() {
    if Command::new("warcio").arg("--version").output().is_err() {
        eprintln!("skipped: warcio is not installed");
        return;
    }
    let scratch = Scratch::new();
    let archive = warc_store(&scratch.0);
    record(&archive, &page("http://a.test/1", 100, &long("same")));
    record(&archive, &page("http://a.test/2", 200, &long("same")));
    record(&archive, &exchange("http://a.test/1", 400, 304, &[("ETag", "x")], b""));
    archive.finish().unwrap();
    let said = Command::new("warcio").args(["check", "-v"]).args(scratch.files()).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}
