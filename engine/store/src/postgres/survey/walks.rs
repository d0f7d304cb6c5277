//! Walks through the whole survey: what is read, and in which words it is told.

use groma_model::{Fp, HostId, PageId};
use tokio_postgres::Row;

use super::cursors::{Beside, Cursors, Table};
use super::rows::{address, depth, get, kind_if_any, number, page, page_if_any, print, print_if_any, reason, text};
use crate::rows::{AddressRow, PageRow, Standing};
use crate::{Packed, Sheet, SheetFacts, StoreError};

type Done = Result<(), StoreError>;

/// For [`standings`].
pub(super) const STANDING: Table = Table {
    name: "standing",
    sql: "SELECT id, host, url, reason, depth, via_kind, alias_of FROM address WHERE id > AFTER ORDER BY id",
};

/// For [`extents`].
pub(super) const EXTENT: Table =
    Table { name: "extent", sql: "SELECT id, media_type, size FROM page WHERE id > AFTER ORDER BY id" };

/// For [`linked`].
pub(super) const LINKED: Table =
    Table { name: "linked", sql: "SELECT id, urls FROM linked WHERE id > AFTER ORDER BY id" };

/// For [`targets`].
pub(super) const TARGETS: Table =
    Table { name: "targets", sql: "SELECT id, targets FROM content WHERE id > AFTER ORDER BY id" };

/// For [`contents`], and beside sheets.
pub(super) const CONTENT: Table =
    Table { name: "content", sql: "SELECT id, targets, details FROM content WHERE id > AFTER ORDER BY id" };

/// For [`fingerprints`].
pub(super) const FINGERPRINT: Table =
    Table { name: "fingerprint", sql: "SELECT id, fp FROM address WHERE id > AFTER ORDER BY id" };

/// For [`pages`].
pub(super) const ADDRESSES: Table = Table {
    name: "addresses",
    sql: "SELECT a.id, a.host, a.depth, a.via, a.alias_of, a.since, a.fp, a.run, a.reason, a.via_kind, a.url, q.id IS NOT NULL
          FROM address a LEFT JOIN queue q ON q.id = a.id WHERE a.id > AFTER ORDER BY a.id",
};

/// For [`pages`].
pub(super) const PAGES: Table = Table {
    name: "pages",
    sql: "SELECT id, size, near_fp, words, elapsed_ms, fetched_at, changed_at, canonical, text_fp, body_fp, status, noindex, nofollow,
              media_type, charset, language, content_language, title, last_modified, etag, expires, cuts, note
          FROM page WHERE id > AFTER ORDER BY id",
};

/// For [`sheets`].
pub(super) const SHEET: Table =
    Table { name: "sheet", sql: "SELECT id, host, url, reason, alias_of FROM address WHERE id > AFTER ORDER BY id" };

/// For [`sheets`].
pub(super) const FACTS: Table = Table {
    name: "facts",
    sql: "SELECT id, media_type, language, title, last_modified, text_fp, body_fp, fetched_at, changed_at, noindex
          FROM page WHERE id > AFTER ORDER BY id",
};

/// See [`Snapshot::each_standing`](crate::Snapshot::each_standing); over [`STANDING`].
pub(super) fn standings(cursors: &mut Cursors<'_>, call: &mut dyn FnMut(&Standing<'_>)) -> Done {
    while let Some(row) = cursors.next(0)? {
        call(&Standing {
            id: PageId(number(&row, 0)?),
            host: HostId(number(&row, 1)?),
            url: &text(&row, 2)?,
            reason: reason(&row, 3)?,
            depth: depth(&row, 4)?,
            via_kind: kind_if_any(&row, 5)?,
            alias_of: page_if_any(&row, 6)?,
        });
    }
    Ok(())
}

/// See [`Snapshot::each_extent`](crate::Snapshot::each_extent); over [`EXTENT`].
pub(super) fn extents(cursors: &mut Cursors<'_>, call: &mut dyn FnMut(PageId, &str, u64)) -> Done {
    while let Some(row) = cursors.next(0)? {
        call(PageId(number(&row, 0)?), &text(&row, 1)?, get::<i64>(&row, 2)? as u64);
    }
    Ok(())
}

/// See [`Snapshot::each_linked`](crate::Snapshot::each_linked); over [`LINKED`].
pub(super) fn linked(cursors: &mut Cursors<'_>, call: &mut dyn FnMut(PageId, &str)) -> Done {
    while let Some(row) = cursors.next(0)? {
        call(PageId(number(&row, 0)?), &text(&row, 1)?);
    }
    Ok(())
}

/// See [`Snapshot::each_targets`](crate::Snapshot::each_targets); over [`TARGETS`].
pub(super) fn targets(cursors: &mut Cursors<'_>, call: &mut dyn FnMut(PageId, &[u8])) -> Done {
    while let Some(row) = cursors.next(0)? {
        call(PageId(number(&row, 0)?), get(&row, 1)?);
    }
    Ok(())
}

/// See [`Snapshot::each_content`](crate::Snapshot::each_content); over [`CONTENT`].
pub(super) fn contents(cursors: &mut Cursors<'_>, call: &mut dyn FnMut(PageId, Packed<'_>)) -> Done {
    while let Some(row) = cursors.next(0)? {
        call(PageId(number(&row, 0)?), packed(&row)?);
    }
    Ok(())
}

/// See [`Snapshot::each_fingerprint`](crate::Snapshot::each_fingerprint); over [`FINGERPRINT`].
pub(super) fn fingerprints(cursors: &mut Cursors<'_>, call: &mut dyn FnMut(Fp)) -> Done {
    while let Some(row) = cursors.next(0)? {
        call(print(&row, 1)?);
    }
    Ok(())
}

/// See [`Snapshot::each_page`](crate::Snapshot::each_page); over [`ADDRESSES`] and [`PAGES`].
pub(super) fn pages(cursors: &mut Cursors<'_>, call: &mut dyn FnMut(&AddressRow, Option<&PageRow>)) -> Done {
    let mut beside = Beside::new(1);
    while let Some(row) = cursors.next(0)? {
        let address = address(&row)?;
        let page = beside.at(cursors, address.id.0)?.map(page).transpose()?;
        call(&address, page.as_ref());
    }
    Ok(())
}

/// See [`Snapshot::each_sheet`](crate::Snapshot::each_sheet); over [`SHEET`], [`FACTS`] and, if `packed`, [`CONTENT`].
pub(super) fn sheets(cursors: &mut Cursors<'_>, packed: bool, call: &mut dyn FnMut(&Sheet<'_>) -> bool) -> Done {
    let (mut facts, mut contents) = (Beside::new(1), packed.then(|| Beside::new(2)));
    while let Some(row) = cursors.next(0)? {
        let id = number(&row, 0)?;
        let content = match &mut contents {
            Some(contents) => contents.at(cursors, id)?,
            None => None,
        };
        let content = content.map(self::packed).transpose()?;
        let known = facts.at(cursors, id)?;
        let texts = match known {
            Some(row) => Some([text(row, 1)?, text(row, 2)?, text(row, 3)?, text(row, 4)?]),
            None => None,
        };
        let facts = match (known, &texts) {
            (Some(row), Some([media_type, language, title, last_modified])) => Some(SheetFacts {
                media_type,
                language,
                title,
                last_modified,
                text_fp: print_if_any(row, 5)?,
                body_fp: print_if_any(row, 6)?,
                fetched_at: get(row, 7)?,
                changed_at: get(row, 8)?,
                noindex: get(row, 9)?,
            }),
            _ => None,
        };
        let sheet = Sheet {
            id: PageId(id),
            host: HostId(number(&row, 1)?),
            url: &text(&row, 2)?,
            reason: reason(&row, 3)?,
            alias_of: page_if_any(&row, 4)?,
            facts,
            packed: content,
        };
        if !call(&sheet) {
            break;
        }
    }
    Ok(())
}

fn packed(row: &Row) -> Result<Packed<'_>, StoreError> {
    Ok(Packed { targets: get(row, 1)?, details: get(row, 2)? })
}
