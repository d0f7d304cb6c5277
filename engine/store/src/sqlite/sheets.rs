//! Reading whole surveys for the full-text index: three tables side by side in order of their numbers, nothing copied.

use rusqlite::fallible_streaming_iterator::FallibleStreamingIterator;
use rusqlite::{Connection, Row, Rows};

use groma_model::{Fp, HostId, PageId};

use super::read::reason;
use crate::{Packed, Sheet, SheetFacts, StoreError};

const ADDRESS: &str = "SELECT id, host, url, reason, alias_of FROM address ORDER BY id";
const PAGE: &str =
    "SELECT id, media_type, language, title, last_modified, text_fp, body_fp, fetched_at, changed_at, noindex
    FROM page ORDER BY id";
const CONTENT: &str = "SELECT id, targets, details FROM content ORDER BY id";

/// See [`Snapshot::each_sheet`](crate::Snapshot::each_sheet).
pub(super) fn each(db: &Connection, packed: bool, call: &mut dyn FnMut(&Sheet<'_>) -> bool) -> Result<(), StoreError> {
    let (mut addresses, mut pages) = (db.prepare_cached(ADDRESS)?, db.prepare_cached(PAGE)?);
    let mut contents = if packed { Some(db.prepare_cached(CONTENT)?) } else { None };
    let mut addresses = addresses.query([])?;
    let mut pages = SideTable::new(pages.query([])?)?;
    let mut contents = match &mut contents {
        Some(contents) => Some(SideTable::new(contents.query([])?)?),
        None => None,
    };
    while let Some(row) = addresses.next()? {
        let number = row.get(0)?;
        let content = match &mut contents {
            Some(contents) => contents.at(number)?,
            None => None,
        };
        let sheet = Sheet {
            id: PageId(number),
            host: HostId(row.get(1)?),
            url: text(row, 2)?,
            reason: reason(row, 3)?,
            alias_of: row.get::<_, Option<u32>>(4)?.map(PageId),
            facts: pages.at(number)?.map(facts).transpose()?,
            packed: content
                .map(|row| Ok::<_, rusqlite::Error>(Packed { targets: blob(row, 1)?, details: blob(row, 2)? }))
                .transpose()?,
        };
        if !call(&sheet) {
            break;
        }
    }
    Ok(())
}

/// A table read beside another.
struct SideTable<'a> {
    rows: Rows<'a>,
    /// The number of the row it stands at.
    number: Option<u32>,
}

impl<'a> SideTable<'a> {
    fn new(rows: Rows<'a>) -> Result<SideTable<'a>, StoreError> {
        let mut side = SideTable { rows, number: None };
        side.step()?;
        Ok(side)
    }

    fn step(&mut self) -> Result<(), StoreError> {
        self.rows.advance()?;
        self.number = self.rows.get().map(|row| row.get(0)).transpose()?;
        Ok(())
    }

    /// The row with this number, if there is one; numbers only grow.
    fn at(&mut self, number: u32) -> Result<Option<&Row<'a>>, StoreError> {
        while self.number.is_some_and(|of| of < number) {
            self.step()?;
        }
        Ok(if self.number == Some(number) { self.rows.get() } else { None })
    }
}

fn facts<'a>(row: &'a Row<'_>) -> rusqlite::Result<SheetFacts<'a>> {
    let print = |column| -> rusqlite::Result<Option<Fp>> {
        Ok(row.get::<_, Option<[u8; 16]>>(column)?.map(|bytes| Fp(u128::from_be_bytes(bytes))))
    };
    Ok(SheetFacts {
        media_type: text(row, 1)?,
        language: text(row, 2)?,
        title: text(row, 3)?,
        last_modified: text(row, 4)?,
        text_fp: print(5)?,
        body_fp: print(6)?,
        fetched_at: row.get(7)?,
        changed_at: row.get(8)?,
        noindex: row.get(9)?,
    })
}

fn text<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<&'a str> {
    Ok(row.get_ref(column)?.as_str()?)
}

fn blob<'a>(row: &'a Row<'_>, column: usize) -> rusqlite::Result<&'a [u8]> {
    Ok(row.get_ref(column)?.as_blob()?)
}
