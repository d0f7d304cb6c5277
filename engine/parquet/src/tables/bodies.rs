//! Pages as they came, for archives and for whoever reads pages anew: WARC files beside the tables, in the same parts.
//!
//! Only pages whose bodies the survey keeps (`--bodies keep`). Each is a resource record: its URL, when it was fetched, its media
//! type, its bytes; what the server's headers said is not kept. Cost: two look-ups in the store for each fetched page. Memory: one
//! body at a time.

use std::collections::BTreeMap;

use groma_archive::{Resource, Warc};
use groma_model::PageId;
use groma_store::{AddressRow, Snapshot};

use crate::error::TableError;
use crate::place::Place;
use crate::tables::export::{Options, Walk};
use crate::tables::file::Counted;
use crate::tables::host::Sites;
use crate::tables::manifest::{BODIES, FileFacts, TableFacts};
use crate::tables::table::file_name;

/// URLs read at a time.
const ROWS: usize = 1000;
/// The type of what nobody named.
const UNKNOWN: &str = "application/octet-stream";

/// A file of a part.
struct Archive {
    name: String,
    warc: Warc<Counted>,
    rows: u64,
}

/// Writes the bodies of all pages that have one.
pub(crate) fn write(
    store: &mut dyn Snapshot,
    place: &Place,
    options: &Options<'_>,
    walk: &mut Walk<'_>,
) -> Result<TableFacts, TableError> {
    let mut bodies = Bodies {
        place,
        options,
        sites: Sites::new(options.parts),
        open: BTreeMap::new(),
        begun: BTreeMap::new(),
        done: Vec::new(),
    };
    let mut after = None;
    loop {
        let addresses = store.addresses(after, ROWS)?;
        let Some(last) = addresses.last() else { break };
        after = Some(last.id);
        for address in &addresses {
            bodies.take(store, address)?;
            walk.address()?;
        }
    }
    bodies.end()
}

struct Bodies<'a> {
    place: &'a Place,
    options: &'a Options<'a>,
    sites: Sites,
    open: BTreeMap<u32, Archive>,
    /// Files begun of each part.
    begun: BTreeMap<u32, u32>,
    done: Vec<FileFacts>,
}

impl Bodies<'_> {
    fn take(&mut self, store: &mut dyn Snapshot, address: &AddressRow) -> Result<(), TableError> {
        let Some(body) = store.body(address.id)? else { return Ok(()) };
        let facts = store.page(address.id)?.map(|page| page.facts).unwrap_or_default();
        let media_type = if facts.media_type.is_empty() { UNKNOWN } else { &facts.media_type };
        let part = self.sites.for_url(&address.url).part;
        let mut archive = match self.open.remove(&part) {
            Some(archive) => archive,
            None => self.begin(part, address.id, facts.fetched_at)?,
        };
        let resource = Resource { url: &address.url, at: facts.fetched_at, media_type, bytes: &body };
        archive.warc.resource(&resource).map_err(|error| TableError::put(&archive.name, error))?;
        archive.rows += 1;
        if archive.warc.out().bytes >= self.options.sizes.file {
            self.done.push(archive.end()?);
        } else {
            self.open.insert(part, archive);
        }
        Ok(())
    }

    fn begin(&mut self, part: u32, first: PageId, at: i64) -> Result<Archive, TableError> {
        let number = self.begun.entry(part).or_default();
        let name = file_name(BODIES, part as usize, self.options.parts as usize, *number, "warc.gz");
        *number += 1;
        let out = Counted { sink: self.place.create(&name)?, bytes: 0 };
        let first = first.0.to_string();
        let fields = [
            ("software", concat!("groma/", env!("CARGO_PKG_VERSION"))),
            ("format", "WARC File Format 1.1"),
            ("first-page", &first),
        ];
        let warc = Warc::begin(out, at, &fields).map_err(|error| TableError::put(&name, error))?;
        Ok(Archive { name, warc, rows: 0 })
    }

    fn end(mut self) -> Result<TableFacts, TableError> {
        for archive in std::mem::take(&mut self.open).into_values() {
            self.done.push(archive.end()?);
        }
        self.done.sort_by(|a, b| a.name.cmp(&b.name));
        let (rows, bytes) = self.done.iter().fold((0, 0), |(rows, bytes), file| (rows + file.rows, bytes + file.bytes));
        Ok(TableFacts { name: BODIES.to_owned(), rows, bytes, files: self.done })
    }
}

impl Archive {
    fn end(self) -> Result<FileFacts, TableError> {
        let Archive { name, warc, rows } = self;
        let Counted { sink, bytes } = warc.finish().map_err(|error| TableError::put(&name, error))?;
        sink.finish()?;
        Ok(FileFacts { name, rows, bytes })
    }
}
