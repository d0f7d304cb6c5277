//! What does the worst page cost, and how fast are real ones read?
//!
//! Input: pages, robots.txt files and sitemaps made to hurt, each as large as the limits let in; and the pages of the
//! documentation packages that are installed. Answer: every one is read within its limits. Figure: at most two CPU
//! seconds each; megabytes and pages a second on real pages. All in this process and thread, without the network.

use std::path::Path;

use anyhow::Context as _;
use groma_model::Limits;
use groma_page::robots::Robots;
use groma_page::{Filter as _, Html, Input, sitemap};
use groma_url::Url;

use crate::measure::timed;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::{hostile, sites};

const SECONDS: f64 = 2.0;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let limits = Limits::default();
    let megabytes: u64 = options.take("megabytes", 1 << 20)?;
    let url = Url::parse("http://site.test/some/folder/page.html").context("a URL")?;
    let size = |limit: u64| usize::try_from(limit.min(megabytes << 20)).unwrap_or(usize::MAX);

    let table = Table::new(&["kind", "files", "MB each", "worst CPU s", "the worst"]);
    let pages = hostile::pages(size(limits.page_bytes)).map(|(name, bytes)| {
        let (cpu, page) =
            timed(|| Html.read(&Input { bytes: &bytes, url: &url, charset: None, limits: &limits, parts: false }));
        let text: usize = page.blocks.iter().map(|block| block.text.len()).sum();
        (name, bytes.len(), cpu, page.links.len() as u64 <= limits.html_links && text as u64 <= limits.html_text)
    });
    worst("page", pages, &table, report);
    let long = Url::parse(&format!("http://site.test/{}?{}", "a".repeat(3000), "a=1&".repeat(200)))?;
    let robots = hostile::robots(size(limits.robots_bytes)).map(|(name, bytes)| {
        let (cpu, asked) = timed(|| {
            let robots = Robots::parse(&bytes, "groma", &limits);
            // As often as a crawl may ask between two looks at the file, on the longest URL.
            (0..1000).filter(|_| robots.allows(&long)).count()
        });
        (name, bytes.len(), cpu, asked == 0 || asked == 1000)
    });
    worst("robots.txt, asked 1,000 times", robots, &table, report);
    let maps = hostile::sitemaps(size(limits.sitemap_bytes)).map(|(name, bytes)| {
        let (cpu, map) = timed(|| sitemap::read(&bytes, &limits));
        (name, bytes.len(), cpu, map.entries.len().max(map.children.len()) as u64 <= limits.sitemap_urls)
    });
    worst("sitemap", maps, &table, report);

    println!();
    match sites::chosen("all") {
        Ok(installed) => throughput(&installed, &url, &limits, report),
        Err(error) => println!("No real pages: {error}"),
    }
    Ok(())
}

fn worst(kind: &str, files: impl Iterator<Item = (String, usize, f64, bool)>, table: &Table, report: &mut Report) {
    let (mut count, mut largest, mut slowest) = (0, 0, (String::new(), 0.0));
    for (name, bytes, cpu, within) in files {
        count += 1;
        largest = largest.max(bytes);
        report.check(within, || format!("{kind} {name}: within its limits"));
        report.at_most(&format!("{kind} {name}: CPU s"), cpu, SECONDS);
        if cpu > slowest.1 {
            slowest = (name, cpu);
        }
    }
    let (name, cpu) = slowest;
    let name = name.replace('|', "\\|");
    let cells = [kind.to_owned(), count.to_string(), format!("{:.1}", largest as f64 / 1e6), format!("{cpu:.2}")];
    table.row(&[cells.as_slice(), &[format!("`{name}`")]].concat());
}

fn throughput(installed: &[sites::Site], url: &Url, limits: &Limits, report: &mut Report) {
    let table = Table::new(&["real pages", "pages", "MB", "links", "CPU s", "pages/s", "MB/s"]);
    for site in installed {
        let mut files = Vec::new();
        gather(Path::new(site.root), &mut files);
        let bytes: usize = files.iter().map(Vec::len).sum();
        let mut links = 0;
        let (cpu, cuts) = timed(|| {
            files
                .iter()
                .filter(|bytes| {
                    let page = Html.read(&Input { bytes, url, charset: None, limits, parts: false });
                    links += page.links.len();
                    !page.cuts.is_empty()
                })
                .count()
        });
        report.check(files.len() as u64 >= site.pages, || format!("{}: only {} pages", site.name, files.len()));
        report.check(cuts * 100 <= files.len(), || format!("{}: {cuts} pages are cut by a limit", site.name));
        let megabytes = bytes as f64 / 1e6;
        table.row(&[
            site.name.to_owned(),
            files.len().to_string(),
            format!("{megabytes:.0}"),
            links.to_string(),
            format!("{cpu:.2}"),
            format!("{:.0}", files.len() as f64 / cpu),
            format!("{:.0}", megabytes / cpu),
        ]);
    }
}

/// All HTML files below a folder, links to other folders included: openjdk's package is made of them.
fn gather(folder: &Path, files: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|end| end == "html" || end == "htm") {
            files.extend(std::fs::read(&path));
        }
    }
}
