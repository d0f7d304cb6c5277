//! How fast are columns read? `cargo run --release -p groma-extract --example speed -- FILE...` (`-`: their names stand on stdin)
//!
//! Ten columns in all five languages are read from each file, on one thread. Says what went in, what came out, and the CPU time it took, and how
//! much of that the trees took; reading the files is not counted.

use groma_cpu_time::measured;
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
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    if files == ["-"] {
        files = std::io::stdin().lines().map_while(Result::ok).collect();
    }
    let url = Url::parse("https://example.org/dir/page.html").expect("a URL");
    let read = files.iter().filter_map(|file| std::fs::read(file).ok());
    let sources: Vec<String> = read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    let (pages, bytes) = (sources.len(), sources.iter().map(String::len).sum::<usize>());
    let (cut, tree_took) =
        measured(|| sources.iter().filter(|source| Page::read(source, Some(&url)).cut().is_some()).count());
    let mut values = [0u64; 10];
    let ((), took) = measured(|| {
        for source in &sources {
            let read = columns.read(&Page::read(source, Some(&url)), ValueLimits::default());
            values.iter_mut().zip(&read).for_each(|(count, read)| *count += u64::from(!read.cell.is_empty()));
        }
    });
    println!("{pages} pages, {bytes} bytes, {cut} cut");
    let speed = pages as f64 / took.as_secs_f64();
    println!("{took:.2?} of CPU time, {tree_took:.2?} of it for trees: {speed:.0} pages per second");
    columns.heads().zip(values).for_each(|((name, _), count)| println!("{name:12} on {count}"));
}
