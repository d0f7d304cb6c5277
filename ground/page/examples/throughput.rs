//! How fast are pages read? Reads all `.html` files below a folder into memory, then measures reading them.
//!
//!     cargo run --release -p groma-page --example throughput -- FOLDER [PASSES]

use std::path::Path;
use std::time::Duration;

use groma_model::Limits;
use groma_page::{Filter, Html, Input};
use groma_url::Url;

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| ".".to_owned());
    let passes: u32 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut files = Vec::new();
    gather(Path::new(&folder), &mut files);
    let bytes: usize = files.iter().map(Vec::len).sum();
    let url = Url::parse("http://site.test/some/folder/page.html").expect("a valid URL");
    let limits = Limits::default();
    let (mut blocks, mut links, mut words, mut cuts) = (0, 0, 0u64, 0);
    let start = cpu_time();
    for _ in 0..passes {
        for file in &files {
            let page = Html.read(&Input { bytes: file, url: &url, charset: None, limits: &limits, parts: false });
            blocks += page.blocks.len();
            links += page.links.len();
            words += u64::from(page.words);
            cuts += page.cuts.len();
        }
    }
    let seconds = cpu_time().saturating_sub(start).as_secs_f64();
    let pages = files.len() as f64 * f64::from(passes);
    let megabytes = bytes as f64 * f64::from(passes) / 1e6;
    println!(
        "{pages} pages, {megabytes:.1} MB: {seconds:.3} CPU s, {:.0} pages/s, {:.0} MB/s",
        pages / seconds,
        megabytes / seconds
    );
    println!("{blocks} blocks, {links} links, {words} words, {cuts} cuts");
}

fn gather(folder: &Path, files: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            gather(&path, files);
        } else if path.extension().is_some_and(|end| end == "html" || end == "htm") {
            files.extend(std::fs::read(&path));
        }
    }
}

/// CPU time of this thread where the system tells it (Linux), else the time of day.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.as_deref().and_then(|stat| stat.split(' ').next()?.parse().ok());
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    nanoseconds.map_or_else(now, Duration::from_nanos)
}
