//! Goes through a survey and writes its tables.
//!
//! Passes over one snapshot: URLs with what is known of them (`pages`), contents (`links`, `texts`), bodies if asked for; each in
//! the order of the URLs' numbers. Cost: linear in what is read; memory: see `table.rs`.

use std::ops::ControlFlow;

use groma_model::PageId;
use groma_store::codec::{self, Mark};
use groma_store::{Sheet, Snapshot, StoreError};

use crate::error::TableError;
use crate::place::Place;
use crate::tables::bodies;
use crate::tables::host::Sites;
use crate::tables::links::{self, LINKS};
use crate::tables::manifest::{Manifest, TableFacts};
use crate::tables::pages::{self, PAGES};
use crate::tables::table::{Sizes, TableWriter};
use crate::tables::texts::{self, TEXTS};
use crate::{MOST_PARTS, PARTS};

/// URLs between two words on how far it is.
const STEP: u64 = 4096;

/// What is exported, and how.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How many parts each table has.
    pub parts: u32,
    /// Write the texts of pages too.
    pub texts: bool,
    /// Write the bodies of pages too, where the survey keeps them.
    pub bodies: bool,
    /// The ranks of pages, where they are known.
    pub rank: Option<&'a dyn Fn(PageId) -> Option<f64>>,
    /// When rows are written and files ended.
    pub sizes: Sizes,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { parts: PARTS, texts: false, bodies: false, rank: None, sizes: Sizes::default() }
    }
}

/// How far an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportProgress {
    /// URLs looked at, over all passes.
    pub done: u64,
    /// Of how many, over all passes.
    pub of: u64,
    /// Links written so far.
    pub links: u64,
}

/// Counts of a finished export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// What the export says of itself.
    pub manifest: Manifest,
}

impl Exported {
    /// What was written of a table, if it was.
    pub fn table(&self, name: &str) -> Option<&TableFacts> {
        self.manifest.tables.iter().find(|table| table.name == name)
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.manifest.tables.iter().map(|table| table.bytes).sum()
    }

    /// Files of all tables.
    pub fn files(&self) -> usize {
        self.manifest.tables.iter().map(|table| table.files.len()).sum()
    }
}

/// Writes a survey to a place. Calls back with how far it is; told to break, it stops and leaves nothing.
pub fn export(
    store: &mut dyn Snapshot,
    place: Place,
    options: &Options<'_>,
    step: &mut dyn FnMut(ExportProgress) -> ControlFlow<()>,
) -> Result<Exported, TableError> {
    if !(1..=MOST_PARTS).contains(&options.parts) {
        return Err(TableError::Parts(options.parts));
    }
    let addresses: u64 = store.balance()?.tally.values().sum();
    let passes = if options.bodies { 3 } else { 2 };
    let mut walk = Walk { step, now: ExportProgress { done: 0, of: addresses * passes, links: 0 } };
    let mut tables = vec![write_pages(store, &place, options, &mut walk)?];
    tables.extend(write_contents(store, &place, options, &mut walk)?);
    if options.bodies {
        tables.push(bodies::write(store, &place, options, &mut walk)?);
    }
    walk.tell()?;
    let manifest = Manifest::new(options.parts, tables);
    place.finish(&manifest)?;
    Ok(Exported { manifest })
}

/// How far it is, and whether to go on.
pub(crate) struct Walk<'a> {
    step: &'a mut dyn FnMut(ExportProgress) -> ControlFlow<()>,
    now: ExportProgress,
}

impl Walk<'_> {
    /// Another URL is done.
    pub(crate) fn address(&mut self) -> Result<(), TableError> {
        self.now.done += 1;
        if self.now.done.is_multiple_of(STEP) { self.tell() } else { Ok(()) }
    }

    fn tell(&mut self) -> Result<(), TableError> {
        match (self.step)(self.now) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(TableError::Stopped),
        }
    }
}

fn write_pages(
    store: &mut dyn Snapshot,
    place: &Place,
    options: &Options<'_>,
    walk: &mut Walk<'_>,
) -> Result<TableFacts, TableError> {
    let mut table = TableWriter::begin(place, &PAGES, options.parts, options.sizes);
    let mut sites = Sites::new(options.parts);
    // The store goes on to its end whatever we say; after a failure it is let pass.
    let mut went = Ok(());
    store.each_page(&mut |address, page| {
        if went.is_ok() {
            let site = sites.for_url(&address.url);
            let rank = options.rank.and_then(|rank| rank(address.id));
            went =
                table.row(site.part, |row| pages::fill(row, address, site, page, rank)).and_then(|()| walk.address());
        }
    })?;
    went?;
    table.end()
}

/// Links and, if asked for, texts: they lie together in the store.
fn write_contents(
    store: &mut dyn Snapshot,
    place: &Place,
    options: &Options<'_>,
    walk: &mut Walk<'_>,
) -> Result<Vec<TableFacts>, TableError> {
    let mut contents = Contents {
        links: TableWriter::begin(place, &LINKS, options.parts, options.sizes),
        texts: options.texts.then(|| TableWriter::begin(place, &TEXTS, options.parts, options.sizes)),
        sites: Sites::new(options.parts),
        targets: Vec::new(),
        buffer: Vec::new(),
        text: String::new(),
        rel: String::new(),
    };
    let mut went = Ok(());
    store.each_sheet(true, &mut |sheet| {
        went = contents.take(sheet);
        walk.now.links = contents.links.rows();
        went = std::mem::replace(&mut went, Ok(())).and_then(|()| walk.address());
        went.is_ok()
    })?;
    went?;
    let mut tables = vec![contents.links.end()?];
    if let Some(texts) = contents.texts {
        tables.push(texts.end()?);
    }
    Ok(tables)
}

struct Contents<'a> {
    links: TableWriter<'a>,
    texts: Option<TableWriter<'a>>,
    sites: Sites,
    /// What follows is there to be used again for every page.
    targets: Vec<(u32, Mark)>,
    buffer: Vec<u8>,
    text: String,
    rel: String,
}

impl Contents<'_> {
    fn take(&mut self, sheet: &Sheet<'_>) -> Result<(), TableError> {
        let Some(packed) = sheet.packed else { return Ok(()) };
        let damaged = |what: &str| StoreError::Damaged(format!("the {what} of page {}", sheet.id.0));
        codec::unpack_links(packed.targets, &mut self.targets).ok_or_else(|| damaged("links"))?;
        let part = self.sites.for_url(sheet.url).part;
        let Contents { links, texts, targets, buffer, text, rel, .. } = self;
        let mut position = 0;
        let mut went = Ok(());
        text.clear();
        if !packed.details.is_empty() {
            let lent = codec::lend_details(
                packed.details,
                buffer,
                |link| {
                    // Details beyond the targets lead nowhere.
                    if let (Some((target, mark)), true) = (targets.get(position), went.is_ok()) {
                        went = links
                            .row(part, |row| links::fill(row, sheet.id, *target, position, *mark, Some(link), rel));
                        position += 1;
                    }
                },
                |_, block| {
                    if texts.is_some() {
                        text.push_str(block);
                        text.push('\n');
                    }
                },
            );
            went?;
            lent.ok_or_else(|| damaged("texts"))?;
        }
        for (at, (target, mark)) in targets.iter().enumerate().skip(position) {
            links.row(part, |row| links::fill(row, sheet.id, *target, at, *mark, None, rel))?;
        }
        if let Some(texts) = texts.as_mut().filter(|_| !text.is_empty()) {
            let said = text.trim_end_matches('\n');
            texts.row(part, |row| texts::fill(row, sheet.id, sheet.url, sheet.facts.as_ref(), said))?;
        }
        Ok(())
    }
}
