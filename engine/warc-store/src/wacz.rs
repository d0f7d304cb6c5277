//! A survey's archive as one file to hand to somebody: WACZ 1.1.1.
//!
//! ```text
//! archive/*.warc.gz        the files of the folder, as they are
//! indexes/index.cdxj       their index
//! pages/pages.jsonl        the pages, with titles, and their texts if wanted
//! datapackage.json         what is in it, with digests (SHA-256)
//! datapackage-digest.json  the digest of that
//! ```
//!
//! Everything is stored as it is, so that a record can be read in place; memory holds a line at a time.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use groma_archive::zip::Writer;
use groma_fetch::clock;
use groma_model::moment::rfc3339;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::library::INDEX;
use crate::merge::{merge, rebuild};
use crate::{WarcStoreError, is_warc, names, repair};

/// A page, as the list of pages tells of it.
#[derive(Clone, Debug)]
pub struct Page {
    pub url: String,
    pub title: String,
    /// When it was fetched, in seconds since 1970.
    pub at: i64,
    /// Its text, if it is to be searched without the archive.
    pub text: Option<String>,
}

/// Counts of what was packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// WARC files.
    pub files: u64,
    /// Pages in the list.
    pub pages: u64,
    /// Bytes of the WARC files.
    pub bytes: u64,
}

/// Packs a folder of WARC files as one WACZ file.
pub fn pack(
    dir: &Path,
    title: &str,
    start: &str,
    pages: &mut dyn Iterator<Item = io::Result<Page>>,
    out: &mut dyn Write,
) -> Result<Packed, WarcStoreError> {
    let refused = WarcStoreError::at_path(dir);
    repair(dir)?;
    merge(dir)?;
    let files = names(dir, is_warc).map_err(&refused)?;
    if files.is_empty() {
        return Err(refused(io::Error::new(io::ErrorKind::NotFound, "there are no finished WARC files in it")));
    }
    if !dir.join(INDEX).exists() {
        rebuild(dir)?;
    }
    let mut zip = Writer::new(out);
    let mut resources = Vec::new();
    let mut packed = Packed { files: 0, pages: 0, bytes: 0 };
    for name in &files {
        let path = dir.join(name);
        let mut file = File::open(&path).map_err(WarcStoreError::at_path(&path))?;
        packed.bytes += put(&mut zip, &format!("archive/{name}"), &mut file, &mut resources).map_err(&refused)?;
        packed.files += 1;
    }
    let mut index = File::open(dir.join(INDEX)).map_err(&refused)?;
    put(&mut zip, "indexes/index.cdxj", &mut index, &mut resources).map_err(&refused)?;
    let first = json!({ "format": "json-pages-1.0", "id": "pages", "title": "All Pages" });
    let mut listed = Lines { pages, rest: format!("{first}\n").into_bytes(), at: 0, count: 0 };
    put(&mut zip, "pages/pages.jsonl", &mut listed, &mut resources).map_err(&refused)?;
    packed.pages = listed.count;
    let told = json!({
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "software": concat!("groma/", env!("CARGO_PKG_VERSION")),
        "created": rfc3339(clock::now()),
        "title": title,
        "mainPageUrl": start,
        "resources": resources,
    });
    let told = serde_json::to_vec_pretty(&told).unwrap_or_default();
    let digest = json!({ "path": "datapackage.json", "hash": hash_text(&Sha256::digest(&told)) });
    zip.put("datapackage.json", &mut told.as_slice()).map_err(&refused)?;
    let digest = serde_json::to_vec_pretty(&digest).unwrap_or_default();
    zip.put("datapackage-digest.json", &mut digest.as_slice()).map_err(&refused)?;
    zip.finish().map_err(&refused)?;
    Ok(packed)
}

fn put(
    zip: &mut Writer<&mut dyn Write>,
    path: &str,
    from: &mut dyn Read,
    resources: &mut Vec<Value>,
) -> io::Result<u64> {
    let mut hashing = Hashing { from, hash: Sha256::new() };
    let bytes = zip.put(path, &mut hashing)?;
    let name = path.rsplit('/').next().unwrap_or(path);
    resources.push(json!({ "name": name, "path": path, "hash": hash_text(&hashing.hash.finalize()), "bytes": bytes }));
    Ok(bytes)
}

fn hash_text(hash: &[u8]) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(hash))
}

struct Hashing<'r> {
    from: &'r mut dyn Read,
    hash: Sha256,
}

impl Read for Hashing<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(room)?;
        self.hash.update(&room[..read]);
        Ok(read)
    }
}

/// The list of pages, a line at a time.
struct Lines<'p> {
    pages: &'p mut dyn Iterator<Item = io::Result<Page>>,
    rest: Vec<u8>,
    at: usize,
    count: u64,
}

impl Read for Lines<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.at == self.rest.len() {
            let Some(page) = self.pages.next().transpose()? else { return Ok(0) };
            self.count += 1;
            let mut line = json!({
                "id": format!("page-{}", self.count), "url": page.url, "title": page.title, "ts": rfc3339(page.at),
            });
            if let Some(text) = page.text {
                line["text"] = Value::String(text);
            }
            self.rest = format!("{line}\n").into_bytes();
            self.at = 0;
        }
        let rest = &self.rest[self.at..];
        let taken = rest.len().min(room.len());
        room[..taken].copy_from_slice(&rest[..taken]);
        self.at += taken;
        Ok(taken)
    }
}
