//! Sites as rows: one per start, the pages packed.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{bits, damaged, mark_of};
use crate::StoreError;
use crate::borders::pack::{pack_members, unpack_members};
use crate::borders::{SITES, Side, SiteHead, SiteRow, TEXT_BYTES};

const HEAD: &str = "start, at, settings, header, survey, change, graph, inside";

pub(super) fn keep(tx: &Transaction<'_>, site: &SiteRow) -> Result<(), StoreError> {
    if site.start.len() > TEXT_BYTES {
        return Err(StoreError::Database(rusqlite::Error::ToSqlConversionFailure(
            "the start of a site is too long".into(),
        )));
    }
    tx.execute("DELETE FROM site WHERE start = ?1", [&site.start])?;
    let inside = site.members.iter().filter(|member| member.side == Side::In).count() as i64;
    tx.execute(
        &format!("INSERT INTO site ({HEAD}, packed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"),
        params![
            site.start,
            site.at,
            site.settings,
            site.header,
            bits(site.mark.survey),
            bits(site.mark.change),
            bits(site.mark.graph),
            inside,
            pack_members(&site.members),
        ],
    )?;
    let oldest = "DELETE FROM site WHERE id NOT IN (SELECT id FROM site ORDER BY id DESC LIMIT ?1)";
    tx.execute(oldest, [SITES as i64])?;
    Ok(())
}

fn head_of(row: &Row<'_>) -> rusqlite::Result<SiteHead> {
    Ok(SiteHead {
        start: row.get(0)?,
        at: row.get(1)?,
        settings: row.get(2)?,
        header: row.get(3)?,
        mark: mark_of(row, 4)?,
        inside: row.get(7)?,
    })
}

/// The site of a start, or the one found last.
pub(super) fn of(db: &Connection, start: Option<&str>) -> Result<Option<SiteRow>, StoreError> {
    let sql = format!("SELECT {HEAD}, packed FROM site WHERE ?1 IS NULL OR start = ?1 ORDER BY id DESC LIMIT 1");
    let mut found = db.prepare_cached(&sql)?;
    let row = found.query_row([start], |row| Ok((head_of(row)?, row.get::<_, Vec<u8>>(8)?)));
    let Some((head, packed)) = row.optional()? else { return Ok(None) };
    let members = unpack_members(&packed).ok_or_else(|| damaged("the pages of a site"))?;
    let SiteHead { start, at, settings, header, mark, .. } = head;
    Ok(Some(SiteRow { start, at, settings, header, mark, members }))
}

pub(super) fn heads(db: &Connection) -> Result<Vec<SiteHead>, StoreError> {
    let mut found = db.prepare_cached(&format!("SELECT {HEAD} FROM site ORDER BY id DESC"))?;
    let rows = found.query_map([], head_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn complaints(db: &Connection) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let mut rows = db.prepare_cached("SELECT start, packed, inside FROM site ORDER BY id")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (start, packed, inside): (String, Vec<u8>, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
        match unpack_members(&packed) {
            None => found.push(format!("borders: the pages of the site of {start} cannot be read")),
            Some(members) if members.iter().filter(|m| m.side == Side::In).count() as u32 != inside => {
                found.push(format!("borders: the site of {start} is not of the size it says"));
            }
            Some(_) => {}
        }
    }
    Ok(found)
}
