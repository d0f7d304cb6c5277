//! What was written can be read again, record by record, also by the archives' own tool where it is installed.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::io::Read;
use std::process::Command;

use flate2::bufread::GzDecoder;
use groma_archive::{Resource, Warc};

fn written() -> Vec<u8> {
    let mut warc =
        Warc::begin(Vec::new(), 1_700_000_000, &[("software", "groma"), ("format", "WARC File Format 1.1")]).unwrap();
    for (url, bytes) in [("http://a.test/", &b"<p>one</p>"[..]), ("http://a.test/b", &[0u8, 255, 13, 10, 13, 10])] {
        warc.resource(&Resource { url, at: 1_700_000_001, media_type: "text/html", bytes }).unwrap();
    }
    warc.finish().unwrap()
}

#[test]
fn every_record_is_a_gzip_member_of_its_own() {
    let file = written();
    let (mut rest, mut types) = (file.as_slice(), Vec::new());
    while !rest.is_empty() {
        let mut member = GzDecoder::new(rest);
        let mut record = Vec::new();
        member.read_to_end(&mut record).unwrap();
        rest = member.into_inner();
        assert!(record.ends_with(b"\r\n\r\n"));
        let head = String::from_utf8_lossy(&record).into_owned();
        types.push(head.lines().nth(1).unwrap().to_owned());
    }
    assert_eq!(types, ["WARC-Type: warcinfo", "WARC-Type: resource", "WARC-Type: resource"]);
}

#[test]
fn the_archives_own_tool_finds_nothing_wrong() {
    if Command::new("warcio").arg("--version").output().is_err() {
        eprintln!("skipped: warcio is not installed");
        return;
    }
    let path = std::env::temp_dir().join(format!("groma-archive-{}.warc.gz", std::process::id()));
    std::fs::write(&path, written()).unwrap();
    let said = Command::new("warcio").args(["check", "-v"]).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}
