//! A survey as an archive for others: WARC, WACZ.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use groma_archive::{Resource, Warc};
use groma_model::{PageId, Reason};
use groma_settings::Fault;
use groma_settings::clock::now;
use groma_settings::saved::Saved;
use groma_store::{AddressRow, Folder, Snapshot, StoreError, codec};
use groma_warc_store::{Library, Packed, Page, pack};

use super::keep::{fetched_as, place};

/// URLs read at a time.
const STEP: usize = 1_000;

/// Counts of what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Files of the survey's own archive that were put together; none if the pages come from the survey.
    pub files: u64,
    /// Pages that were written, if they come from the survey.
    pub pages: u64,
    /// Pages the survey has no bytes of.
    pub without: u64,
}

/// How a WACZ is packed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packing {
    /// With the texts of pages, for those who search without the archive.
    pub texts: bool,
}

/// Writes one WARC file: the files of the survey's archive one after the other, or the pages it keeps as resource records.
pub fn warc(folder: &Folder, out: &mut dyn Write) -> Result<Written, Fault> {
    let mut store = folder.read()?;
    match place(&mut store)? {
        Some(dir) => joined(&dir, out),
        None => of_bodies(&mut store, out),
    }
}

/// Files of records one after the other are a file of records, as long as they are compressed alike.
fn joined(dir: &Path, out: &mut dyn Write) -> Result<Written, Fault> {
    let files = Library::files(dir)?;
    if files.is_empty() {
        return Err(Fault::new(
            empty_shelf(dir),
            "run the crawl with --warc first; files still being written do not count",
        ));
    }
    let ending = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    if files.iter().any(|name| ending(name) != ending(&files[0])) {
        return Err(Fault::new(
            mixed_shelf(dir),
            "use the files as they are, or `groma export wacz`, which takes both",
        ));
    }
    for name in &files {
        let path = dir.join(name);
        let mut file = File::open(&path).map_err(|error| Fault::of_input(&path.display().to_string(), &error))?;
        io::copy(&mut file, out)?;
    }
    out.flush()?;
    Ok(Written { files: files.len() as u64, pages: 0, without: 0 })
}

fn of_bodies(store: &mut dyn Snapshot, out: &mut dyn Write) -> Result<Written, Fault> {
    let agent = concat!("groma/", env!("CARGO_PKG_VERSION"));
    let mut warc = Warc::begin(out, now(), &[("software", agent), ("format", "WARC File Format 1.1")])?;
    let (mut written, mut after) = (Written { files: 0, pages: 0, without: 0 }, None);
    loop {
        let rows = store.addresses(after, STEP)?;
        let Some(last) = rows.last() else { break };
        after = Some(last.id);
        for row in rows.iter().filter(|row| row.reason == Reason::Fetched) {
            let (Some(bytes), Some(page)) = (store.body(row.id)?, store.page(row.id)?) else {
                written.without += 1;
                continue;
            };
            let facts = page.facts;
            let media_type = if facts.media_type.is_empty() { "application/octet-stream" } else { &facts.media_type };
            warc.resource(&Resource { url: &row.url, at: facts.fetched_at, media_type, bytes: &bytes })?;
            written.pages += 1;
        }
    }
    warc.finish()?.flush()?;
    if written.pages == 0 {
        return Err(Fault::new(NOTHING_ARCHIVED, "crawl with --warc DIR, or with --bodies keep"));
    }
    Ok(written)
}

/// Packs the survey's archive with a list of its pages.
pub fn wacz(folder: &Folder, packing: Packing, out: &mut dyn Write) -> Result<Packed, Fault> {
    let mut store = folder.read()?;
    let Some(dir) = place(&mut store)? else {
        return Err(Fault::new(
            NOTHING_ARCHIVED,
            "crawl with --warc DIR: a WACZ is made of the exchanges as they were",
        ));
    };
    let start = Saved::load(&mut store)?.and_then(|saved| saved.seeds.first().cloned()).unwrap_or_default();
    let title = archive_title(&start);
    let library = Library::open(&dir).map_err(|error| Fault::of_input(&dir.display().to_string(), &error))?;
    let mut pages = Pages { store, library, packing, after: None, loaded: VecDeque::new() };
    Ok(pack(&dir, &title, &start, &mut pages, out)?)
}

/// The pages of a survey, in the order in which they were found.
struct Pages {
    store: Box<dyn Snapshot>,
    library: Library,
    packing: Packing,
    after: Option<PageId>,
    loaded: VecDeque<AddressRow>,
}

impl Pages {
    fn next_page(&mut self) -> Result<Option<Page>, StoreError> {
        loop {
            let Some(row) = self.loaded.pop_front() else {
                let rows = self.store.addresses(self.after, STEP)?;
                let Some(last) = rows.last() else { return Ok(None) };
                self.after = Some(last.id);
                let wanted = |row: &AddressRow| row.reason == Reason::Fetched;
                self.loaded = rows.into_iter().filter(wanted).collect();
                continue;
            };
            let Some(page) = self.store.page(row.id)? else { continue };
            let facts = page.facts;
            if facts.text_fp.is_none() {
                continue;
            }
            let text = if self.packing.texts { self.text(row.id)? } else { None };
            // Whoever replays the archive looks a page up by the URL it was fetched by.
            let archived = |url: &String| self.library.find(url).is_ok_and(|entries| !entries.is_empty());
            let url = fetched_as(&mut *self.store, &row)?.into_iter().find(archived).unwrap_or(row.url);
            return Ok(Some(Page { url, title: facts.title, at: facts.fetched_at, text }));
        }
    }

    fn text(&mut self, id: PageId) -> Result<Option<String>, StoreError> {
        let details = self.store.details(id)?.and_then(|packed| codec::unpack_details(&packed));
        let blocks = details.iter().flat_map(|details| details.blocks.iter().map(|block| block.text.as_str()));
        Ok(Some(blocks.collect::<Vec<_>>().join("\n")))
    }
}

impl Iterator for Pages {
    type Item = io::Result<Page>;

    fn next(&mut self) -> Option<io::Result<Page>> {
        self.next_page().map_err(io::Error::other).transpose()
    }
}

fn empty_shelf(dir: &Path) -> String {
    format!("there are no finished WARC files in {}", dir.display())
}

fn mixed_shelf(dir: &Path) -> String {
    format!("the files in {} are compressed in different ways and cannot be joined", dir.display())
}

fn archive_title(start: &str) -> String {
    format!("Survey of {start}")
}

const NOTHING_ARCHIVED: &str = "the survey keeps no pages as they came";
