//! Sites as rows: one per start, the pages packed.

use super::mark_of;
use crate::StoreError;
use crate::bounds::pack::{pack_members, unpack_members};
use crate::bounds::{SITES, Side, SiteHead, SiteRow, TEXT_BYTES};
use crate::sql::{Speak, SqlRow, args, bits, damaged};

const HEAD: &str = "start, at, settings, header, survey, change, graph, inside";

pub(super) fn keep(db: &mut dyn Speak, site: &SiteRow) -> Result<(), StoreError> {
    if site.start.len() > TEXT_BYTES {
        let refusal = rusqlite::Error::ToSqlConversionFailure("the start of a site is too long".into());
        return Err(StoreError::Database(refusal));
    }
    db.run("DELETE FROM site WHERE start = ?1", &args![&site.start])?;
    let inside = site.members.iter().filter(|member| member.side == Side::In).count();
    db.run(
        &format!("INSERT INTO site ({HEAD}, packed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"),
        &args![
            &site.start,
            site.at,
            &site.settings,
            &site.header,
            bits(site.mark.survey),
            bits(site.mark.change),
            bits(site.mark.graph),
            inside,
            &pack_members(&site.members),
        ],
    )?;
    let oldest = "DELETE FROM site WHERE id NOT IN (SELECT id FROM site ORDER BY id DESC LIMIT ?1)";
    db.run(oldest, &args![SITES])?;
    Ok(())
}

fn head_of(row: &SqlRow<'_>) -> Result<SiteHead, StoreError> {
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
pub(super) fn find_site(db: &mut dyn Speak, start: Option<&str>) -> Result<Option<SiteRow>, StoreError> {
    let sql = format!("SELECT {HEAD}, packed FROM site WHERE ?1 IS NULL OR start = ?1 ORDER BY id DESC LIMIT 1");
    let row = db.first(&sql, &args![start], |row| Ok((head_of(row)?, row.get::<Vec<u8>>(8)?)))?;
    let Some((head, packed)) = row else { return Ok(None) };
    let members = unpack_members(&packed).ok_or_else(|| damaged("the pages of a site"))?;
    let SiteHead { start, at, settings, header, mark, .. } = head;
    Ok(Some(SiteRow { start, at, settings, header, mark, members }))
}

pub(super) fn heads(db: &mut dyn Speak) -> Result<Vec<SiteHead>, StoreError> {
    db.all(&format!("SELECT {HEAD} FROM site ORDER BY id DESC"), &[], head_of)
}

pub(super) fn complaints(db: &mut dyn Speak) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    db.each("SELECT start, packed, inside FROM site ORDER BY id", &[], &mut |row| {
        let (start, packed, inside): (String, Vec<u8>, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
        match unpack_members(&packed) {
            None => found.push(format!("bounds: the pages of the site of {start} cannot be read")),
            Some(members) if members.iter().filter(|m| m.side == Side::In).count() as u32 != inside => {
                found.push(format!("bounds: the site of {start} is not of the size it says"));
            }
            Some(_) => {}
        }
        Ok(true)
    })?;
    Ok(found)
}
