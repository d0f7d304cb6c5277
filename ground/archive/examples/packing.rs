//! How fast are exchanges made into records, how long do they get, and what does the fastest level of zlib-rs do to the same bodies? Every
//! file below a folder is the body of one exchange; all in turns, the best of several rounds.
//!
//! `cargo run --release -p groma-archive --example packing -- FOLDER`

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use flate2::{Compress, FlushCompress, Status};
use groma_archive::exchange::{self, Body, Exchange};
use groma_archive::{Compression, Packer};

const ROUNDS: usize = 7;

/// Something that is done to all bodies; gives the bytes that came of it.
type Way = fn(&[Vec<u8>]) -> usize;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("packing FOLDER");
        std::process::exit(2);
    };
    let mut bodies = Vec::new();
    read_all(&PathBuf::from(folder), &mut bodies)?;
    let bytes: usize = bodies.iter().map(Vec::len).sum();
    println!("{} files, {:.1} MB\n\n{:>8}  {:>6}", bodies.len(), bytes as f64 / 1e6, "MB/s", "MB");
    let ways: [(&str, Way); 6] = [
        ("only digests", digests),
        ("records, gzip 0", |bodies| records(bodies, Compression::Gzip(0))),
        ("records, gzip 1", |bodies| records(bodies, Compression::Gzip(1))),
        ("records, gzip 6", |bodies| records(bodies, Compression::Gzip(6))),
        ("records, zstd 1", |bodies| records(bodies, Compression::Zstd(1))),
        ("zlib-rs 1, bodies alone", library),
    ];
    let mut best = [(f64::INFINITY, 0); 6];
    for _ in 0..ROUNDS {
        for ((_, way), (seconds, length)) in ways.iter().zip(&mut best) {
            let begun = Instant::now();
            *length = way(&bodies);
            *seconds = seconds.min(begun.elapsed().as_secs_f64());
        }
    }
    for ((name, _), (seconds, length)) in ways.iter().zip(best) {
        println!("{:>8.0}  {:>6.2}  {name}", bytes as f64 / 1e6 / seconds, length as f64 / 1e6);
    }
    let [_, (stored, whole), (packed, short), .., (library, theirs)] = best;
    // What is not body is the same in both.
    let ours = short + bytes - whole;
    let (longer, larger) = (library / (packed - stored), theirs as f64 / ours as f64);
    println!(
        "\nzlib-rs takes {longer:.2} times as long as gzip 1 adds to gzip 0; bodies get {larger:.2} times as long"
    );
    Ok(())
}

fn read_all(folder: &Path, bodies: &mut Vec<Vec<u8>>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => read_all(&entry.path(), bodies)?,
            kind if kind.is_file() => bodies.push(std::fs::read(entry.path())?),
            _ => {}
        }
    }
    Ok(())
}

fn digests(bodies: &[Vec<u8>]) -> usize {
    bodies.iter().map(|body| black_box(exchange::payload_digest(body)).len()).sum()
}

/// All records of each exchange, as a crawl writes them.
fn records(bodies: &[Vec<u8>], how: Compression) -> usize {
    let (mut packer, mut out, mut length) = (Packer::new(how), Vec::new(), 0);
    for body in bodies {
        out.clear();
        let exchange = Exchange {
            url: "http://www.example.org/docs/guide/chapter-one.html",
            at: 1_700_000_000,
            remote: Some([127, 0, 0, 1].into()),
            protocol: None,
            request: b"GET /docs/guide/chapter-one.html HTTP/1.1\r\nHost: www.example.org\r\nAccept: text/html\r\n\r\n",
            posted: &[],
            head: b"HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html\r\nConnection: keep-alive\r\n\r\n",
            body,
            dense: false,
            truncated: None,
            notes: "via: http://www.example.org/\r\nhopsFromSeed: 1\r\nfetchTimeMs: 2\r\n",
            info: "<urn:uuid:00000000-0000-5000-8000-000000000000>",
            salt: 0,
        };
        let payload = exchange::payload_digest(body);
        let written = exchange::write(&exchange, Body::Here, &payload, &mut packer, &mut out);
        length += written.map_or(0, |written| written.all as usize);
    }
    length
}

/// The bodies alone, compressed by the library at its fastest.
fn library(bodies: &[Vec<u8>]) -> usize {
    let mut compress = Compress::new(flate2::Compression::new(1), false);
    let (mut room, mut length) = (vec![0; 1 << 16], 0);
    for body in bodies {
        compress.reset();
        let mut rest = body.as_slice();
        loop {
            let read = compress.total_in();
            match compress.compress(rest, &mut room, FlushCompress::Finish) {
                Ok(Status::StreamEnd) | Err(_) => break,
                Ok(_) => rest = &rest[(compress.total_in() - read) as usize..],
            }
        }
        length += compress.total_out() as usize;
    }
    length
}
