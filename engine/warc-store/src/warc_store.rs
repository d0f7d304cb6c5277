//! What a crawl writes to: exchanges in, records out, files rolled.
//!
//! Compression and digests are done by the thread that brings the exchange, many at once; only the bytes are appended one after the
//! other, and given to the system many at a time: nobody counts on them before [`Recorder::settle`]. Whatever waits for a disk (syncing,
//! finishing a file) is done aside. A body that is kept already becomes a revisit record; which ones are is known for a bounded number
//! of bodies (`limits.warc_known`), those of earlier runs among them.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_archive::cdxj::{Entry, REVISIT};
use groma_archive::exchange::{self, Body, Earlier, Exchange as Records, Written};
use groma_archive::{Compression, Packer, digest_text, http, push_field};
use groma_fetch::{Exchange, Recorder, Trouble};
use groma_model::Response;
use groma_model::outcome::Cut;

use crate::WarcStoreError;
use crate::library::Library;
use crate::merge::merge;
use crate::repair::{media_type, repair};
use crate::warc_file::{Aside, WarcFile};

/// A shorter body is kept again rather than referred to: the reference would not be shorter.
const WORTH_REFERRING: usize = 512;

/// How a crawl is archived.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Folder to write to.
    pub dir: PathBuf,
    /// How records are compressed.
    pub compression: Compression,
    /// A file that has reached so many bytes is finished.
    pub bytes: u64,
    /// So is one with so many answers: their index is in memory until then.
    pub records: u64,
    /// Bodies that are known to be kept already.
    pub known: u64,
    /// What the first record of each file says.
    pub fields: Vec<(String, String)>,
}

/// What a body comes to (SHA-1).
type Digest = [u8; 20];
/// Where and when it came first.
type Whence = (Box<str>, i64);

/// An archive that is being written.
pub struct WarcStore {
    plan: Plan,
    library: Library,
    presses: Mutex<Vec<Press>>,
    written: Mutex<Rolls>,
    known: Mutex<HashMap<Digest, Whence>>,
    salt: AtomicU64,
    trouble: OnceLock<Trouble>,
}

/// What makes records of an exchange, and where it puts them; one for each that is at work at the same time.
struct Press {
    packer: Packer,
    records: Vec<u8>,
}

/// Room for one large exchange is not kept for many small ones.
const ROOM: usize = 1 << 20;

/// The file that is being written, and how many there were.
#[derive(Default)]
struct Rolls {
    warc_file: Option<WarcFile>,
    number: u32,
    /// The one before, if it is not finished yet.
    finishing: Option<Aside>,
}

impl WarcStore {
    /// Opens a folder for writing; finishes what others left in it.
    pub fn open(plan: Plan) -> Result<WarcStore, WarcStoreError> {
        let dir = plan.dir.clone();
        let refused = WarcStoreError::at_path(&dir);
        std::fs::create_dir_all(&plan.dir).map_err(&refused)?;
        if repair(&plan.dir)? > 0 {
            merge(&plan.dir)?;
        }
        let library = Library::open(&plan.dir).map_err(&refused)?;
        let mut known = HashMap::new();
        let most = usize::try_from(plan.known).unwrap_or(usize::MAX);
        library
            .each(&mut |entry| {
                if let Some(digest) = digest_of(&entry.digest).filter(|_| entry.mime != REVISIT && entry.length > 0) {
                    known.insert(digest, (entry.url.into(), entry.at));
                }
                known.len() < most
            })
            .map_err(&refused)?;
        let salt =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
        Ok(WarcStore {
            plan,
            library,
            presses: Mutex::default(),
            written: Mutex::default(),
            known: Mutex::new(known),
            salt: AtomicU64::new(salt ^ u64::from(std::process::id()) << 40),
            trouble: OnceLock::new(),
        })
    }

    /// Folder of the archive.
    pub fn dir(&self) -> &Path {
        &self.plan.dir
    }

    /// Finishes the file that is being written, and the index of the folder.
    pub fn finish(&self) -> Result<(), WarcStoreError> {
        let (warc_file, before) = {
            let mut written = lock(&self.written);
            (written.warc_file.take(), written.finishing.take())
        };
        let refused = WarcStoreError::at_path(&self.plan.dir);
        before.map_or(Ok(()), Aside::end).map_err(&refused)?;
        warc_file.map_or(Ok(()), WarcFile::finish).map_err(&refused)?;
        merge(&self.plan.dir)
    }

    fn keep(&self, exchange: &Exchange) -> io::Result<()> {
        let new = || Press { packer: Packer::new(self.plan.compression), records: Vec::new() };
        let mut press = lock(&self.presses).pop().unwrap_or_else(new);
        let kept = self.keep_with(exchange, &mut press);
        if press.records.capacity() > ROOM {
            press.records = Vec::new();
        }
        lock(&self.presses).push(press);
        kept
    }

    fn keep_with(&self, exchange: &Exchange, press: &mut Press) -> io::Result<()> {
        let Press { packer, records: out } = press;
        out.clear();
        let response = &exchange.response;
        let url = exchange.request.url.as_str();
        let payload = exchange::payload_digest(&response.body);
        let same = self.same_as(exchange, &payload);
        let earlier = if response.status == 304 { self.library.find(url)? } else { Vec::new() };
        let earlier = earlier.iter().find(|entry| entry.status == 200 && !entry.digest.is_empty());
        let body = match (&same, earlier, response.status) {
            (_, earlier, 304) => Body::NotModified(
                earlier.map(|entry| (Earlier { url: &entry.url, at: entry.at }, entry.digest.as_str())),
            ),
            (Some((url, at)), ..) => Body::Same(Earlier { url, at: *at }),
            _ => Body::Here,
        };
        let kind = media_type(response.header("content-type").unwrap_or_default());
        let info = self.info(packer)?;
        let records = Records {
            url,
            at: exchange.at,
            remote: response.remote,
            protocol: (response.version == "HTTP/2").then_some("h2"),
            request: &http::fit_to_keep(&exchange.sent, |name| exchange.is_secret(name)),
            posted: exchange.posted(),
            head: &http::fit_to_keep(&exchange.head, |name| exchange.is_secret(name)),
            body: &response.body,
            dense: is_dense(response, &kind),
            truncated: response.cut.map(truncated),
            notes: &notes(exchange),
            info: &info,
            salt: self.salt.fetch_add(1, Ordering::Relaxed),
        };
        let written = exchange::write(&records, body, &payload, packer, out)?;
        let mime = if matches!(body, Body::Here) { kind } else { REVISIT.to_owned() };
        let digest = match body {
            Body::NotModified(earlier) => earlier.map_or_else(String::new, |(_, digest)| digest.to_owned()),
            _ => digest_text(&payload),
        };
        let entry =
            Entry { url: url.to_owned(), at: exchange.at, mime, status: response.status, digest, ..Entry::default() };
        self.append(out, written, entry, packer)?;
        if matches!(body, Body::Here) && is_worth_referring(exchange) {
            let mut known = lock(&self.known);
            if (known.len() as u64) < self.plan.known {
                known.entry(payload).or_insert_with(|| (url.into(), exchange.at));
            }
        }
        Ok(())
    }

    /// From the first trouble on nothing is kept.
    fn give_up(&self, error: &io::Error) {
        let trouble = Trouble { path: self.plan.dir.clone(), kind: error.kind(), says: error.to_string() };
        let _ = self.trouble.set(trouble);
    }

    /// Where the same body was kept before.
    fn same_as(&self, exchange: &Exchange, payload: &[u8; 20]) -> Option<(Box<str>, i64)> {
        if !is_worth_referring(exchange) {
            return None;
        }
        lock(&self.known).get(payload).cloned()
    }

    /// The number of the record that opens the file.
    fn info(&self, packer: &mut Packer) -> io::Result<Arc<str>> {
        let mut written = lock(&self.written);
        self.opened(&mut written, packer).map(|warc_file| Arc::clone(&warc_file.info))
    }

    fn opened<'w>(&self, written: &'w mut Rolls, packer: &mut Packer) -> io::Result<&'w mut WarcFile> {
        if written.warc_file.is_none() {
            let fields: Vec<(&str, &str)> =
                self.plan.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            written.number += 1;
            let ending = self.plan.compression.ending();
            written.warc_file = Some(WarcFile::begin(&self.plan.dir, ending, written.number, &fields, packer)?);
        }
        written.warc_file.as_mut().ok_or_else(|| io::Error::other("no file is open"))
    }

    fn append(&self, records: &[u8], length: Written, entry: Entry, packer: &mut Packer) -> io::Result<()> {
        let mut written = lock(&self.written);
        if let Some(trouble) = self.trouble.get() {
            return Err(io::Error::new(trouble.kind, trouble.says.clone()));
        }
        // What others have in line may be lost with this, so nobody settles before it is known.
        self.add(&mut written, records, length, entry, packer).inspect_err(|error| self.give_up(error))
    }

    fn add(
        &self,
        written: &mut Rolls,
        records: &[u8],
        length: Written,
        entry: Entry,
        packer: &mut Packer,
    ) -> io::Result<()> {
        let warc_file = self.opened(written, packer)?;
        let offset = warc_file.length;
        warc_file.append(records)?;
        warc_file.entries.push(Entry { length: length.answer, offset, ..entry });
        let is_full = warc_file.length >= self.plan.bytes || warc_file.entries.len() as u64 >= self.plan.records;
        if is_full {
            // Before anything of the next file: that is all that is settled from now on.
            warc_file.write_out()?;
        }
        if let Some(full) = written.warc_file.take_if(|_| is_full) {
            written.finishing.take().map_or(Ok(()), Aside::end)?;
            written.finishing = Some(Aside::begin(move || full.finish())?);
        }
        Ok(())
    }
}

impl Recorder for WarcStore {
    fn record(&self, exchange: &Exchange) {
        if self.trouble.get().is_some() {
            return;
        }
        if let Err(error) = self.keep(exchange) {
            self.give_up(&error);
        }
    }

    fn settle(&self) -> Result<(), Trouble> {
        let mut written = lock(&self.written);
        if self.trouble.get().is_none()
            && let Some(Err(error)) = written.warc_file.as_mut().map(WarcFile::write_out)
        {
            self.give_up(&error);
        }
        self.trouble.get().cloned().map_or(Ok(()), Err)
    }
}

/// How an exchange came to be, for its metadata record.
fn notes(exchange: &Exchange) -> String {
    let mut notes = String::with_capacity(256);
    if let Some(trail) = &exchange.request.trail {
        trail.via.iter().for_each(|via| push_field(&mut notes, "via", via));
        trail.hops.iter().for_each(|hops| push_field(&mut notes, "hopsFromSeed", &hops.to_string()));
    }
    push_field(&mut notes, "fetchTimeMs", &exchange.response.elapsed.as_millis().to_string());
    notes
}

fn is_worth_referring(exchange: &Exchange) -> bool {
    let response = &exchange.response;
    response.body.len() >= WORTH_REFERRING && response.cut.is_none() && (200..300).contains(&response.status)
}

/// Has the body been compressed by its server, or is it of a kind that is compressed in itself?
fn is_dense(response: &Response, kind: &str) -> bool {
    let coded =
        response.header("content-encoding").is_some_and(|coding| !coding.trim().eq_ignore_ascii_case("identity"));
    let pressed = kind.starts_with("image/") && !kind.contains("svg") && !kind.contains("bmp");
    coded || pressed || kind.starts_with("video/") || kind.starts_with("audio/") || kind.contains("zip")
}

/// In the words of the standard.
fn truncated(cut: Cut) -> &'static str {
    match cut {
        Cut::HeaderOnly | Cut::TooLarge => "length",
        Cut::Broken => "disconnect",
        Cut::Late => "time",
    }
}

fn digest_of(text: &str) -> Option<[u8; 20]> {
    let coded = text.strip_prefix("sha1:")?;
    data_encoding::BASE32.decode(coded.as_bytes()).ok()?.try_into().ok()
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
