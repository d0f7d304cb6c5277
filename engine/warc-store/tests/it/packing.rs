//! WACZ: packed, listed by others' zip tools, and read in place.

use std::fs;
use std::io::Cursor;

use groma_archive::zip;
use groma_warc_store::{Page, pack};

use crate::answering::open;
use crate::{Scratch, long, page, record, warc_store};

#[test]
fn a_wacz_holds_the_archive_its_index_and_its_pages() {
    let scratch = Scratch::new();
    let archive = warc_store(&scratch.0);
    for n in 0..3 {
        record(&archive, &page(&format!("http://a.test/{n}"), n, &long(&format!("w{n}"))));
    }
    archive.finish().unwrap();
    let listed = |n: i64| {
        Ok(Page {
            url: format!("http://a.test/{n}"),
            title: format!("w{n}"),
            at: n,
            text: (n == 1).then(|| "t".into()),
        })
    };
    let mut out = Vec::new();
    let packed = pack(&scratch.0, "T", "http://a.test/0", &mut (0..3).map(listed), &mut out).unwrap();
    assert_eq!((packed.files, packed.pages), (1, 3));
    let mut input = Cursor::new(&out);
    let entries = zip::entries(&mut input).unwrap();
    let read = |name: &str| {
        let entry = entries.iter().find(|entry| entry.name == name).unwrap_or_else(|| panic!("{name}"));
        String::from_utf8(entry.read(&mut Cursor::new(&out), 1 << 20).unwrap()).unwrap()
    };
    assert!(entries.iter().all(|entry| entry.method == 0));
    assert_eq!(read("indexes/index.cdxj").lines().count(), 3);
    assert_eq!(read("pages/pages.jsonl").lines().count(), 4);
    assert!(read("datapackage-digest.json").contains("sha256:"));
    let told: serde_json::Value = serde_json::from_str(&read("datapackage.json")).unwrap();
    assert_eq!((&told["mainPageUrl"], told["resources"].as_array().unwrap().len()), (&"http://a.test/0".into(), 3));
    let place = Scratch::new();
    let file = place.0.join("x.wacz");
    fs::write(&file, &out).unwrap();
    let archive = open(&[file]);
    assert_eq!((archive.told().answers, archive.told().wrong.len()), (3, 0));
}
