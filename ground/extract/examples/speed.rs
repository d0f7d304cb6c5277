//! How fast are columns read? `cargo run --release -p groma-extract --example speed -- FILE...`
//!
//! Ten columns in all five languages are read from each file, on one thread. Says what went in, what came out, and how long it took, the tree and
//! the columns apart.

use std::time::{Duration, Instant};

use groma_extract::{Columns, Page, ValueLimits};
use groma_url::Url;

const COLUMNS: [&str; 10] = [
    "title=css:title",
    "heading=css:h1, h2",
    "canonical:url=css:link[rel=canonical]::attr(href)",
    "description=css:meta[name=description]::attr(content)",
    "links:url[]=css:body a[href]::attr(href)",
    "first=xpath://p[1]",
    "cells=xpath://table//tr[2]/td[1]",
    "headline=json:$.headline",
    "year:number=regex:\\b(?:19|20)\\d\\d\\b",
    "body=hel:html.body->h2[0].txt",
];

fn main() {
    let columns = COLUMNS.map(|line| line.parse().expect("a column")).to_vec();
    let columns = Columns::new(columns).expect("columns");
    let files: Vec<String> = std::env::args().skip(1).collect();
    let url = Url::parse("https://example.org/dir/page.html").expect("a URL");
    let (mut pages, mut bytes, mut values, mut cut) = (0u64, 0usize, [0u64; 10], 0u64);
    let (mut built, mut read_took) = (Duration::ZERO, Duration::ZERO);
    for file in files {
        let Ok(source) = std::fs::read(&file) else { continue };
        let source = String::from_utf8_lossy(&source);
        let start = Instant::now();
        let page = Page::read(&source, Some(&url));
        built += start.elapsed();
        let start = Instant::now();
        let read = columns.read(&page, ValueLimits::default());
        read_took += start.elapsed();
        (pages, bytes, cut) = (pages + 1, bytes + source.len(), cut + u64::from(page.cut().is_some()));
        values.iter_mut().zip(&read).for_each(|(count, read)| *count += u64::from(!read.cell.is_empty()));
    }
    let took = built + read_took;
    println!("{pages} pages, {bytes} bytes, {cut} cut");
    println!("tree {built:.2?}, columns {read_took:.2?}: {:.0} pages/s", pages as f64 / took.as_secs_f64());
    columns.heads().zip(values).for_each(|((name, _), count)| println!("{name:12} {count}"));
}
