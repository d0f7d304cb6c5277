//! Sitemaps: what is listed, how it is split, and that our own reader and others read it.

use super::*;
use groma_model::{Limits, Reason};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

struct Pages(Vec<Label>);

impl Labels for Pages {
    fn label(&mut self, node: u32) -> io::Result<Label> {
        self.0.get(node as usize).cloned().ok_or_else(|| io::Error::other("no such page"))
    }
}

fn page(url: &str) -> Label {
    Label {
        url: url.into(),
        title: String::new(),
        reason: Reason::Fetched,
        rank: 1.0,
        status: 200,
        media_type: "text/html".into(),
        size: None,
        language: String::new(),
        words: 0,
        modified: None,
        changed: None,
        fetched: Some(1_700_000_000),
        unlisted: false,
        links_in: 0,
        links_out: 0,
        broken: 0,
        cluster: None,
        database: "",
        parts: crate::Parts::default(),
    }
}

#[derive(Clone, Default)]
struct Folder(Rc<RefCell<BTreeMap<String, Vec<u8>>>>);

struct Page(Folder, String);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.borrow_mut().entry(self.1.clone()).or_default().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const DAY: i64 = 1_767_312_000; // 2026-01-02

fn written_within(bounds: &Bounds, pages: Vec<Label>, options: &Options) -> (Summary, BTreeMap<String, Vec<u8>>) {
    let folder = Folder::default();
    let mut files = |name: &str| Ok(Box::new(Page(folder.clone(), name.into())) as Box<dyn Write>);
    let mut nodes = 0..pages.len() as u32;
    let summary = within(bounds, &mut nodes, &mut Pages(pages), &mut files, options).unwrap();
    let files = folder.0.borrow().clone();
    (summary, files)
}

fn options() -> Options {
    Options { drawn: DAY, ..Options::default() }
}

#[test]
fn only_pages_that_can_be_visited_are_listed() {
    let with = |change: fn(&mut Label)| {
        let mut label = page("https://a.example/x");
        change(&mut label);
        label
    };
    let pages = vec![
        page("https://a.example/"),
        with(|l| l.reason = Reason::Robots),
        with(|l| l.status = 404),
        with(|l| l.unlisted = true),
        with(|l| l.url = "ftp://a.example/".into()),
        with(|l| l.url = "javascript:alert(1)".into()),
        with(|l| l.url = "https://b.example/".into()),
        with(|l| l.url = "http://a.example/".into()),
        with(|l| l.url = format!("https://a.example/{}", "x".repeat(2_030))),
        with(|l| l.url = format!("https://a.example/{}", "x".repeat(2_029))),
    ];
    let (summary, files) = written_within(&PROTOCOL, pages, &options());
    assert_eq!(summary, Summary { files: vec!["sitemap.xml".into()], listed: 2, too_long: 1, elsewhere: 2, unfit: 5 });
    let read = groma_page::sitemap::read(&files["sitemap.xml"], &Limits::default());
    assert_eq!(read.entries.len(), 2);
    assert_eq!(read.entries[0].loc, "https://a.example/");
}

#[test]
fn lastmod_is_what_was_seen_and_never_the_crawl_or_the_future() {
    let with = |modified, changed| Label { modified, changed, ..page("https://a.example/") };
    let pages = vec![
        with(Some(1_600_000_000), Some(1_700_000_000)),
        with(None, Some(1_700_000_000)),
        with(Some(DAY + 1), Some(1_700_000_000)),
        with(Some(0), None),
        with(Some(i64::MAX), Some(i64::MIN)),
    ];
    let (_, files) = written_within(&PROTOCOL, pages, &options());
    let read = groma_page::sitemap::read(&files["sitemap.xml"], &Limits::default());
    let dates: Vec<Option<&str>> = read.entries.iter().map(|entry| entry.lastmod.as_deref()).collect();
    assert_eq!(
        dates,
        [Some("2020-09-13T12:26:40Z"), Some("2023-11-14T22:13:20Z"), Some("2023-11-14T22:13:20Z"), None, None]
    );
}

#[test]
fn nothing_to_list_writes_no_file() {
    let (summary, files) = written_within(&PROTOCOL, vec![], &Options { always_index: true, ..options() });
    assert!(summary.files.is_empty() && files.is_empty());
}

#[test]
fn fifty_thousand_addresses_fit_and_one_more_begins_a_file_and_an_index() {
    let many = |count: u32| (0..count).map(|number| page(&format!("https://a.example/{number}"))).collect::<Vec<_>>();
    assert_eq!(written_within(&PROTOCOL, many(50_000), &options()).0.files, ["sitemap.xml"]);
    let base = Some("https://a.example/maps".to_owned());
    let (summary, files) = written_within(&PROTOCOL, many(50_001), &Options { base, gzip: true, ..options() });
    assert_eq!(summary.files, ["sitemap.xml.gz", "sitemap-2.xml.gz", "sitemap-index.xml"]);
    let index = groma_page::sitemap::read(&files["sitemap-index.xml"], &Limits::default());
    assert_eq!(index.children, ["https://a.example/maps/sitemap.xml.gz", "https://a.example/maps/sitemap-2.xml.gz"]);
    let first = groma_page::sitemap::read(&files["sitemap.xml.gz"], &Limits::default());
    let second = groma_page::sitemap::read(&files["sitemap-2.xml.gz"], &Limits::default());
    assert_eq!((first.entries.len(), second.entries.len()), (50_000, 1));
}

proptest! {
    #[test]
    fn every_page_is_listed_once_or_counted_and_no_file_is_too_large(
        paths in prop::collection::vec("[ -~é<>&'\"\\x00\\x1b\u{202e}]{0,40}", 0..60),
        addresses in 1u32..9,
        bytes in 400u64..1_500,
    ) {
        let pages: Vec<Label> = paths.iter().map(|path| page(&format!("https://a.example/{path}"))).collect();
        let count = pages.len() as u64;
        let (summary, files) = written_within(&Bounds { addresses, bytes }, pages, &options());
        prop_assert_eq!(summary.listed + summary.too_long + summary.elsewhere + summary.unfit, count);
        let mut read_back = Vec::new();
        for name in summary.files.iter().filter(|name| *name != "sitemap-index.xml") {
            prop_assert!(files[name].len() as u64 <= bytes);
            let read = groma_page::sitemap::read(&files[name], &Limits::default());
            prop_assert!(read.entries.len() as u32 <= addresses);
            read_back.extend(read.entries.into_iter().map(|entry| entry.loc));
        }
        let wanted: Vec<String> = paths.iter().map(|path| escaped(&format!("https://a.example/{path}"))).collect();
        prop_assert_eq!(read_back, wanted);
        prop_assert_eq!(files.contains_key("sitemap-index.xml"), files.len() > 1);
    }
}
