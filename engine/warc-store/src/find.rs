//! What did this page look like? Its copy, out of the archive.

use std::fs::File;
use std::io;
use std::path::{Component, Path};

use groma_archive::cdxj::{Entry, REVISIT};
use groma_archive::{Bounds, Reader, Record, http, moment_of};
use groma_model::Limits;
use groma_page::inflate::{inflate, true_coding};

use crate::library::Library;
use crate::repair::ANY;

/// A page as it was kept.
#[derive(Clone, Debug)]
pub struct Copy {
    /// Decompressed.
    pub body: Vec<u8>,
    /// When it was fetched, in seconds since 1970.
    pub at: i64,
}

impl Library {
    /// The latest copy of a page that was there.
    pub fn copy(&self, url: &str, limits: &Limits) -> io::Result<Option<Copy>> {
        for entry in self.find(url)? {
            let seen = (200..300).contains(&entry.status) || (entry.status == 304 && entry.mime == REVISIT);
            if !seen {
                continue;
            }
            let Some(mut record) = self.record(&entry, limits)? else { continue };
            if record.kind() == "revisit" {
                match self.referred(&entry, &record, limits)? {
                    Some(original) => record = original,
                    None => continue,
                }
            }
            let answer = match record.kind() {
                "resource" => http::Answer { status: 200, body: record.block, ..http::Answer::default() },
                _ => http::answer(&record.block),
            };
            let coding = true_coding(answer.header("content-encoding").unwrap_or_default(), &answer.body).to_owned();
            let body = inflate(answer.body, &coding, limits.page_bytes).bytes;
            return Ok(Some(Copy { body, at: entry.at }));
        }
        Ok(None)
    }

    /// The record that another refers to.
    fn referred(&self, entry: &Entry, record: &Record, limits: &Limits) -> io::Result<Option<Record>> {
        let url = record.fields.get("WARC-Refers-To-Target-URI").unwrap_or(&entry.url);
        let at = record.fields.get("WARC-Refers-To-Date").and_then(moment_of);
        let mut all = self.find(url)?;
        all.retain(|one| one.mime != REVISIT && (entry.digest.is_empty() || one.digest == entry.digest));
        let best = all.iter().find(|one| Some(one.at) == at).or(all.first());
        best.map_or(Ok(None), |best| self.record(best, limits))
    }

    fn record(&self, entry: &Entry, limits: &Limits) -> io::Result<Option<Record>> {
        // An index is a file like any other: what it names must lie here.
        let mut parts = Path::new(&entry.file).components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Ok(None);
        }
        let keep = limits.header_bytes.saturating_add(limits.wire_bytes);
        let bounds = Bounds { head: limits.header_bytes, block: ANY, keep };
        match File::open(self.dir().join(&entry.file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            file => Reader::new(file?, bounds).at(entry.offset, 0),
        }
    }
}
