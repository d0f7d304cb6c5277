//! Reading gatherings, their answers and their records.

use groma_model::Reason;

use super::OF_GENERATION;
use crate::StoreError;
use crate::codec::decompress;
use crate::gathers::{AnswerRow, GatherId, GatherRow, RecordRow};
use crate::sql::{Speak, SqlRow, args, bits, damaged};

pub(super) const GATHER: &str = "id, key, address, form, title, asked, begun, last, generation, shown,
    (SELECT CAST(coalesce(sum(requests), 0) AS BIGINT) FROM answer a WHERE a.gather = g.id AND a.generation = g.generation),
    (SELECT coalesce(max(place) + 1, 0) FROM record r WHERE r.gather = g.id AND r.generation = g.shown), ended, statement, report";
pub(super) const ANSWER: &str =
    "key, about, at, reason, status, address, media_type, charset, etag, last_modified, cut, unchanged, requests";

/// The answer to a question, so many generations ago.
pub(super) fn answer(db: &mut dyn Speak, id: GatherId, key: &str, ago: u32) -> Result<Option<AnswerRow>, StoreError> {
    let same = db.dialect().same_text("key", "?2");
    let sql = format!(
        "SELECT {ANSWER}, body FROM answer WHERE gather = ?1 AND {same}
         AND generation = (SELECT generation FROM gather WHERE id = ?1) - ?3"
    );
    let row = db.first(&sql, &args![bits(id.0), key, ago], |row| Ok((answer_of(row)?, row.get::<Vec<u8>>(13)?)))?;
    let Some((answer, packed)) = row else { return Ok(None) };
    let body = decompress(&packed).ok_or_else(|| damaged("an answer cannot be unpacked"))?;
    Ok(Some(AnswerRow { body, ..answer }))
}

pub(super) fn answer_about(db: &mut dyn Speak, id: GatherId, about: &str) -> Result<Option<AnswerRow>, StoreError> {
    let same = db.dialect().same_text("about", "?2");
    let sql = format!(
        "SELECT {ANSWER} FROM answer WHERE gather = ?1 AND generation = (SELECT shown FROM gather WHERE id = ?1)
         AND {same} ORDER BY place LIMIT 1"
    );
    db.first(&sql, &args![bits(id.0), about], answer_of)
}

pub(super) fn gather(db: &mut dyn Speak, id: GatherId) -> Result<Option<GatherRow>, StoreError> {
    db.first(&format!("SELECT {GATHER} FROM gather g WHERE id = ?1"), &args![bits(id.0)], gather_of)
}

pub(super) fn gathers(db: &mut dyn Speak) -> Result<Vec<GatherRow>, StoreError> {
    db.all(&format!("SELECT {GATHER} FROM gather g ORDER BY last DESC, id DESC"), &[], gather_of)
}

pub(super) fn answers(db: &mut dyn Speak, id: GatherId, from: u32, most: usize) -> Result<Vec<AnswerRow>, StoreError> {
    let sql = format!(
        "SELECT {ANSWER} FROM answer WHERE gather = ?1 AND generation = (SELECT generation FROM gather WHERE id = ?1)
         AND place >= ?2 ORDER BY place LIMIT ?3"
    );
    db.all(&sql, &args![bits(id.0), from, most], answer_of)
}

pub(super) fn records(db: &mut dyn Speak, id: GatherId, from: u32, most: usize) -> Result<Vec<RecordRow>, StoreError> {
    let sql = "SELECT place, said, link, question FROM record WHERE gather = ?1
        AND generation = (SELECT shown FROM gather WHERE id = ?1) AND place >= ?2 ORDER BY place LIMIT ?3";
    db.all(sql, &args![bits(id.0), from, most], |row| {
        Ok(RecordRow { place: row.get(0)?, values: row.get(1)?, link: row.get(2)?, question: row.get(3)? })
    })
}

pub(super) fn attributes(db: &mut dyn Speak, id: GatherId) -> Result<Vec<(String, u32)>, StoreError> {
    let sql = "SELECT attribute, count(*) FROM value WHERE gather = ?1
        AND generation = (SELECT shown FROM gather WHERE id = ?1) GROUP BY attribute ORDER BY attribute";
    db.all(sql, &args![bits(id.0)], |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(super) fn values(
    db: &mut dyn Speak,
    id: GatherId,
    attribute: &str,
    from: u32,
    most: usize,
) -> Result<Vec<String>, StoreError> {
    let same = db.dialect().same_text("attribute", "?2");
    let sql = format!(
        "SELECT value FROM value WHERE gather = ?1 AND generation = (SELECT shown FROM gather WHERE id = ?1)
         AND {same} AND place >= ?3 ORDER BY place LIMIT ?4"
    );
    db.all(&sql, &args![bits(id.0), attribute, from, most], |row| row.get(0))
}

/// Requests and records, point by point.
pub(super) fn curve(db: &mut dyn Speak, id: GatherId) -> Result<Vec<(u32, u32)>, StoreError> {
    let sql = "SELECT requests, records FROM point WHERE gather = ?1
        AND generation = (SELECT shown FROM gather WHERE id = ?1) ORDER BY requests";
    db.all(sql, &args![bits(id.0)], |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(super) fn complaints(db: &mut dyn Speak) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    for table in OF_GENERATION {
        let sql = format!("SELECT count(*) FROM {table} WHERE gather NOT IN (SELECT id FROM gather)");
        let orphans = db.number(&sql, &[])?;
        if orphans > 0 {
            found.push(format!("{orphans} rows of {table} of no gathering"));
        }
    }
    for (table, by) in [("record", ""), ("value", ", attribute"), ("answer", "")] {
        let sql = format!(
            "SELECT gather FROM {table} GROUP BY gather, generation{by} HAVING count(*) <> max(place) + 1 LIMIT 10"
        );
        for id in db.all(&sql, &[], |row| row.get::<i64>(0))? {
            found.push(format!("gathering {id}: a {table} is missing"));
        }
    }
    Ok(found)
}

pub(super) fn gather_of(row: &SqlRow<'_>) -> Result<GatherRow, StoreError> {
    Ok(GatherRow {
        id: GatherId(row.get::<i64>(0)? as u64),
        key: row.get(1)?,
        address: row.get(2)?,
        form: row.get(3)?,
        title: row.get(4)?,
        asked: row.get(5)?,
        begun: row.get(6)?,
        last: row.get(7)?,
        generation: row.get(8)?,
        shown: row.get(9)?,
        requests: row.get(10)?,
        records: row.get(11)?,
        end: row.get(12)?,
        statement: row.get(13)?,
        report: row.get(14)?,
    })
}

pub(super) fn answer_of(row: &SqlRow<'_>) -> Result<AnswerRow, StoreError> {
    Ok(AnswerRow {
        key: row.get(0)?,
        about: row.get(1)?,
        at: row.get(2)?,
        reason: Reason::from_code(row.get(3)?).unwrap_or(Reason::BadAnswer),
        status: row.get(4)?,
        address: row.get(5)?,
        media_type: row.get(6)?,
        charset: row.get(7)?,
        etag: row.get(8)?,
        last_modified: row.get(9)?,
        cut: row.get(10)?,
        unchanged: row.get(11)?,
        requests: row.get(12)?,
        body: Vec::new(),
    })
}
