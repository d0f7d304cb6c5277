//! Archives on disk: what is written is found again, also after the worst, and what others wrote is read or told about.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod answering;
mod hostile;
mod packing;
mod writing;

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use groma_archive::Compression;
use groma_fetch::{Exchange, Recorder};
use groma_model::{Request, Response};
use groma_url::Url;
use groma_warc_store::{Plan, WarcStore};

/// A folder that goes with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("groma-warc-store-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The files of records.
    fn files(&self) -> Vec<PathBuf> {
        let is_warc = |name: &&String| name.ends_with(".warc.gz") || name.ends_with(".warc.zst");
        self.names().iter().filter(is_warc).map(|name| self.0.join(name)).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn plan(dir: &Path) -> Plan {
    Plan {
        dir: dir.to_path_buf(),
        compression: Compression::Gzip(1),
        bytes: 1_000_000,
        records: 1_000,
        known: 1_000,
        fields: vec![("software".into(), "groma".into()), ("seed".into(), "http://a.test/".into())],
    }
}

fn warc_store(dir: &Path) -> WarcStore {
    WarcStore::open(plan(dir)).unwrap()
}

/// An exchange as a fetcher tells of it.
fn exchange(url: &str, at: i64, status: u16, headers: &[(&str, &str)], body: &[u8]) -> Exchange {
    let mut head = format!("HTTP/1.1 {status} Whatever\r\n");
    headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    head.push_str("\r\n");
    Exchange {
        request: Request::get(Url::parse(url).unwrap()),
        sent: b"GET / HTTP/1.1\r\nHost: a.test\r\nCookie: secret\r\nX-Key: secret\r\n\r\n".to_vec(),
        head: head.into_bytes(),
        response: Response {
            status,
            headers: headers.iter().map(|(n, v)| (n.to_ascii_lowercase(), v.to_string())).collect(),
            body: body.to_vec(),
            cut: None,
            remote: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            version: "HTTP/1.1",
            elapsed: Duration::from_millis(7),
        },
        at,
        secrets: vec!["x-key".to_owned()].into(),
        private: true,
    }
}

fn page(url: &str, at: i64, text: &str) -> Exchange {
    exchange(url, at, 200, &[("Content-Type", "text/html"), ("Set-Cookie", "id=secret")], text.as_bytes())
}

fn record(archive: &WarcStore, exchange: &Exchange) {
    archive.record(exchange);
    archive.settle().unwrap();
}

/// A page long enough to be worth referring to.
fn long(word: &str) -> String {
    format!("<title>{word}</title>{}", format!("<p>{word} and more of it.</p>").repeat(60))
}
