//! Archives that are broken, or made to break us: told, never a panic, never a path outside.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use groma_archive::zip::Writer;
use groma_warc_store::Told;

use crate::Scratch;
use crate::answering::{ask, open};

fn record(head: &str, block: &str) -> String {
    format!("WARC/1.0\r\n{head}\r\n\r\n{block}\r\n\r\n")
}

fn answer(url: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    let head = format!(
        "WARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: {}",
        block.len()
    );
    record(&head, &block)
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn told(bytes: &[u8]) -> Told {
    let scratch = Scratch::new();
    let file = scratch.0.join("x");
    fs::write(&file, bytes).unwrap();
    open(&[file]).told().clone()
}

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_the_rest_is_read() {
    let good = |n: u32| member(answer(&format!("http://a.test/{n}"), "x").as_bytes());
    let mut torn = good(1);
    torn.truncate(torn.len() / 2);
    let file = [good(0), torn, good(2)].concat();
    let found = told(&file);
    assert_eq!((found.answers, found.wrong.len()), (2, 1), "{found:?}");
    assert_eq!(found.wrong[0].offset, good(0).len() as u64);
    let plain = [answer("http://a.test/1", "x"), "garbage\r\n".into(), answer("http://a.test/2", "y")].concat();
    let found = told(plain.as_bytes());
    assert_eq!((found.answers, found.wrong.len()), (2, 1), "{found:?}");
    let lying = answer("http://a.test/1", "x").replace("Content-Length: ", "Content-Length: 99");
    let found = told([lying, answer("http://a.test/2", "y")].concat().as_bytes());
    assert_eq!((found.answers, found.wrong.len()), (1, 1), "{found:?}");
    // All records in one member.
    let both = member([answer("http://a.test/1", "x"), answer("http://a.test/2", "y")].concat().as_bytes());
    assert_eq!(told(&both).answers, 2);
}

#[test]
fn hostile_archives_are_told_about() {
    let digest = "WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\nContent-Length";
    let wrong = answer("http://a.test/", "x").replace("Content-Length", digest);
    assert_eq!(told(wrong.as_bytes()).counts.get("a record is not what its digest says"), Some(&1));
    // Of the body alone, where there is none of the whole; bodies in chunks are let pass.
    let of_body = wrong.replace("Block", "Payload");
    assert_eq!(told(of_body.as_bytes()).counts.get("a record is not what its digest says"), Some(&1));
    let right = of_body.replace(&"A".repeat(32), "CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS");
    assert_eq!(told(right.as_bytes()).counts.get("a record is not what its digest says"), None);
    for bad in [
        record("WARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: 0", ""),
        record("WARC-Type: response\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: 0", ""),
        record("WARC-Type: response\r\nContent-Length: minus", ""),
        record("WARC-Type: response\r\nContent-Length: 18446744073709551615", ""),
        format!("WARC/1.0\r\nX: {}", "y".repeat(1 << 20)),
        "WARC/1.0\r\n".to_owned(),
        "not an archive".to_owned(),
    ] {
        let found = told(bad.as_bytes());
        assert_eq!((found.answers, found.wrong.is_empty()), (0, false), "{bad:.60}: {found:?}");
    }
    assert_eq!(told(b"").answers, 0);
    // Bombs: a head of 50 MB, and a block of 50 MB that nobody keeps.
    let head = member(format!("WARC/1.0\r\nX: {}", "y".repeat(50 << 20)).as_bytes());
    assert_eq!(told(&head).counts.get("the head of a record is too long"), Some(&1));
    let block = member(answer("http://a.test/", &" ".repeat(50 << 20)).as_bytes());
    assert_eq!(told(&block).answers, 1);
    // A body whose chunks lie, in an archive that is asked for it.
    let chunked =
        answer("http://a.test/", "ffffffff\r\nabc").replace("text/html", "text/html\r\nTransfer-Encoding: chunked");
    assert_eq!(told(chunked.as_bytes()).wrong.len(), 1, "its length is wrong now");
}

#[test]
fn names_in_a_container_are_names() {
    let scratch = Scratch::new();
    let mut zip = Writer::new(Vec::new());
    let inner = member(answer("http://a.test/", "x").as_bytes());
    zip.put("../../escaped.warc.gz", &mut inner.as_slice()).unwrap();
    zip.put("/etc/passwd", &mut &b"x"[..]).unwrap();
    zip.put("archive/broken.warc.gz", &mut &b"\x1f\x8bnonsense"[..]).unwrap();
    let file = scratch.0.join("x.wacz");
    let bytes = zip.finish().unwrap();
    fs::write(&file, &bytes).unwrap();
    let archive = open(std::slice::from_ref(&file));
    assert_eq!((archive.told().answers, archive.told().wrong.len()), (1, 1), "{:?}", archive.told());
    assert_eq!(scratch.names(), ["x.wacz"]);
    assert!(!scratch.0.parent().unwrap().join("escaped.warc.gz").exists());
    for cut in (4..bytes.len()).step_by(11) {
        fs::write(&file, &bytes[..cut]).unwrap();
        let limits = groma_model::Limits::default();
        let canonizer = groma_model::url::Canonizer::new(groma_model::url::RuleBook::default(), &limits);
        let opened = groma_warc_store::Archive::open(std::slice::from_ref(&file), canonizer, &limits, &mut |_| {
            std::ops::ControlFlow::Continue(())
        });
        assert!(opened.is_err() || opened.is_ok_and(|archive| !archive.told().wrong.is_empty()), "{cut}");
    }
}

#[test]
fn versions_that_nobody_knows_are_named() {
    let page = |n: u32| answer(&format!("http://a.test/{n}"), "x");
    let newer = page(2).replace("WARC/1.0", "WARC/1.2");
    let other = page(3).replace("WARC/1.0", "WARC/2.0");
    for file in [
        [page(1), newer.clone(), other.clone(), page(4)].concat().into_bytes(),
        [page(1), newer, other, page(4)].iter().flat_map(|record| member(record.as_bytes())).collect(),
    ] {
        let found = told(&file);
        assert_eq!((found.records, found.answers), (4, 3), "{found:?}");
        let count =
            |version: &str| found.counts.iter().filter(|(what, _)| what.contains(version)).map(|(_, n)| n).sum::<u64>();
        assert_eq!((count("version 1.2"), count("version 2.0")), (1, 1), "{found:?}");
    }
    // A file that is of another version altogether.
    let found = told(page(3).replace("WARC/1.0", "WARC/2.0").as_bytes());
    assert_eq!((found.answers, found.counts.len()), (0, 1), "{found:?}");
    let found = told(b"WARC/9.9\r\nlength=7;x\r\n\r\n");
    assert_eq!((found.answers, found.counts.len()), (0, 1), "{found:?}");
}

#[test]
fn revisits_without_their_original_are_named_and_counted() {
    let revisit = |url: &str, of: &str| {
        let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let head = format!(
            "WARC-Type: revisit\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-02-01T00:00:00Z\r\n\
             WARC-Refers-To-Target-URI: {of}\r\nWARC-Refers-To-Date: 2024-01-01T00:00:00Z\r\nContent-Length: {}",
            block.len()
        );
        record(&head, block)
    };
    let file = [
        answer("http://a.test/1", "x"),
        revisit("http://a.test/2", "http://a.test/1"),
        revisit("http://a.test/3", "http://a.test/elsewhere"),
        revisit("http://a.test/4", "http://a.test/3"),
    ];
    let found = told(file.concat().as_bytes());
    assert_eq!((found.answers, found.lost_revisits, found.wrong.len()), (4, 2, 2), "{found:?}");
    assert!(found.wrong.iter().any(|wrong| wrong.file.ends_with("http://a.test/3")), "{found:?}");
}

#[test]
fn arc_files_are_read_like_any_other() {
    let page = |url: &str, body: &str| {
        let answer = format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        format!("{url} 192.0.2.1 20010203040506 text/html {}\n{answer}\n", answer.len())
    };
    let says = "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n";
    let info = format!("filedesc://old.arc 0.0.0.0 20010203040506 text/plain {}\n{says}\n", says.len());
    let file = [info, page("http://a.test/", "<p>first"), page("http://a.test/b", "<p>second")];
    for bytes in [file.concat().into_bytes(), file.iter().flat_map(|record| member(record.as_bytes())).collect()] {
        let scratch = Scratch::new();
        let path = scratch.0.join("old.arc.gz");
        fs::write(&path, bytes).unwrap();
        let archive = open(&[path]);
        let found = archive.told();
        assert_eq!((found.answers, found.wrong.len()), (2, 0), "{found:?}");
        assert_eq!(found.starts, ["http://a.test/"]);
        let answer = crate::answering::ask(&archive, "http://a.test/b").unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (200, &b"<p>second"[..]));
    }
}

/// A member of a few hundred kilobytes that unpacks to hundreds of megabytes.
#[test]
fn bombs_take_no_more_memory_than_a_page_may() {
    let scratch = Scratch::new();
    let file = scratch.0.join("bomb.warc.gz");
    let length = 300 << 20;
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    let total = head.len() + length;
    write!(out, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\n").unwrap();
    write!(out, "WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: {total}\r\n\r\n{head}").unwrap();
    let zeros = vec![b' '; 1 << 20];
    (0..length >> 20).for_each(|_| out.write_all(&zeros).unwrap());
    write!(out, "\r\n\r\n").unwrap();
    // Nothing but ends of lines, without end.
    let mut lines = GzEncoder::new(Vec::new(), Compression::fast());
    let blank = vec![b'\n'; 1 << 20];
    (0..100).for_each(|_| lines.write_all(&blank).unwrap());
    fs::write(&file, [out.finish().unwrap(), lines.finish().unwrap()].concat()).unwrap();
    let archive = open(&[file]);
    assert_eq!((archive.told().answers, archive.told().wrong.len()), (1, 1), "{:?}", archive.told());
    let answer = ask(&archive, "http://a.test/").unwrap();
    let most = groma_model::Limits::default().wire_bytes as usize;
    assert_eq!((answer.body.len(), answer.cut), (most, Some(groma_model::outcome::Cut::TooLarge)));
    assert!(answer.body.capacity() < most + (1 << 20), "{}", answer.body.capacity());
}
