//! Writing gatherings, their answers and their records.

use std::collections::HashMap;

use super::OF_GENERATION;
use super::reading::{ANSWER, GATHER, gather_of};
use crate::StoreError;
use crate::gathers::{AnswerRow, GATHERINGS, GatherId, GatherRow, Harvest, NewGather, RecordRow};
use crate::sql::{Arg, Speak, args, bits, damaged};

/// The later of what is known and a moment.
const LATER: &str = "last = CASE WHEN last < ?2 THEN ?2 ELSE last END";

pub(super) fn begin(db: &mut dyn Speak, new: &NewGather) -> Result<GatherRow, StoreError> {
    let NewGather { key, address, asked, at } = new;
    let again = format!(
        "UPDATE gather SET asked = ?3, {LATER}, generation = generation + CASE WHEN ended <> '' THEN 1 ELSE 0 END,
             ended = '' WHERE key = ?1"
    );
    if db.run(&again, &args![key, *at, asked])? == 0 {
        let first = "INSERT INTO gather (key, address, asked, begun, last) VALUES (?1, ?2, ?3, ?4, ?4)";
        db.run(first, &args![key, address, asked, *at])?;
    }
    let find = format!("SELECT {GATHER} FROM gather g WHERE key = ?1");
    let gone = || damaged("a gathering is gone");
    let row = db.first(&find, &args![key], gather_of)?.ok_or_else(gone)?;
    for table in ["record", "value", "point"] {
        let sql = format!("DELETE FROM {table} WHERE gather = ?1 AND generation = ?2");
        db.run(&sql, &args![bits(row.id.0), row.generation])?;
    }
    forget_the_rest(db, row.id)?;
    db.first(&find, &args![key], gather_of)?.ok_or_else(gone)
}

pub(super) fn keep(db: &mut dyn Speak, id: GatherId, row: &AnswerRow, packed: &[u8]) -> Result<Option<()>, StoreError> {
    let Some(generation) = generation(db, id)? else { return Ok(None) };
    let same = db.dialect().same_text("key", "?3");
    let sql = format!("SELECT place FROM answer WHERE gather = ?1 AND generation = ?2 AND {same}");
    let known = db.first(&sql, &args![bits(id.0), generation, &row.key], |row| row.get::<u32>(0))?;
    let place = match known {
        Some(place) => place,
        None => next(db, "answer", id, generation)?,
    };
    let sql = format!(
        "INSERT INTO answer (gather, generation, place, {ANSWER}, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
         ON CONFLICT (gather, generation, place) DO UPDATE SET key = excluded.key, about = excluded.about,
             at = excluded.at, reason = excluded.reason, status = excluded.status, address = excluded.address,
             media_type = excluded.media_type, charset = excluded.charset, etag = excluded.etag,
             last_modified = excluded.last_modified, cut = excluded.cut, unchanged = excluded.unchanged,
             requests = excluded.requests, body = excluded.body"
    );
    let fields = args![
        bits(id.0),
        generation,
        place,
        &row.key,
        &row.about,
        row.at,
        row.reason.code(),
        row.status,
        &row.address,
        &row.media_type,
        &row.charset,
        &row.etag,
        &row.last_modified,
        row.cut,
        row.unchanged,
        row.requests,
        packed,
    ];
    db.run(&sql, &fields)?;
    db.run(&format!("UPDATE gather SET {LATER} WHERE id = ?1"), &args![bits(id.0), row.at])?;
    Ok(Some(()))
}

pub(super) fn add(db: &mut dyn Speak, id: GatherId, found: &Harvest) -> Result<Option<()>, StoreError> {
    let Some(generation) = generation(db, id)? else { return Ok(None) };
    let mut place = next(db, "record", id, generation)?;
    let mut fields: Vec<Arg<'_>> = Vec::with_capacity(found.records.len() * 6);
    for RecordRow { values, link, question, .. } in &found.records {
        fields.extend(args![bits(id.0), generation, place, values, link, question]);
        place += 1;
    }
    let sql = "INSERT INTO record (gather, generation, place, said, link, question) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    db.run_each(sql, 6, &fields)?;
    add_values(db, id, generation, &found.values)?;
    db.run(
        "INSERT INTO point (gather, generation, requests, records) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (gather, generation, requests) DO UPDATE SET records = excluded.records",
        &args![bits(id.0), generation, found.requests, place],
    )?;
    db.run(
        &format!("UPDATE gather SET {LATER}, form = coalesce(?3, form), title = coalesce(?4, title) WHERE id = ?1"),
        &args![bits(id.0), found.at, found.form.as_deref(), found.title.as_deref()],
    )?;
    Ok(Some(()))
}

/// Each value gets the first free place of its attribute; which that is, is asked once an attribute.
fn add_values(
    db: &mut dyn Speak,
    id: GatherId,
    generation: u32,
    values: &[(String, String)],
) -> Result<(), StoreError> {
    let same = db.dialect().same_text("attribute", "?3");
    let free =
        format!("SELECT coalesce(max(place) + 1, 0) FROM value WHERE gather = ?1 AND generation = ?2 AND {same}");
    let mut places: HashMap<&str, i64> = HashMap::new();
    let mut fields: Vec<Arg<'_>> = Vec::with_capacity(values.len() * 5);
    for (attribute, value) in values {
        if !places.contains_key(attribute.as_str()) {
            places.insert(attribute, db.number(&free, &args![bits(id.0), generation, attribute])?);
        }
        let place = places.entry(attribute).or_default();
        fields.extend(args![bits(id.0), generation, attribute, *place, value]);
        *place += 1;
    }
    let sql = "INSERT INTO value (gather, generation, attribute, place, value) VALUES (?1, ?2, ?3, ?4, ?5)";
    db.run_each(sql, 5, &fields)
}

pub(super) fn end(db: &mut dyn Speak, id: GatherId, why: &str, statement: &str, at: i64) -> Result<bool, StoreError> {
    let sql = format!("UPDATE gather SET {LATER}, ended = ?3, statement = ?4, shown = generation WHERE id = ?1");
    let known = db.run(&sql, &args![bits(id.0), at, why, statement])? > 0;
    for table in OF_GENERATION {
        let sql = format!(
            "DELETE FROM {table} WHERE gather = ?1 AND generation < (SELECT generation FROM gather WHERE id = ?1)"
        );
        db.run(&sql, &args![bits(id.0)])?;
    }
    Ok(known)
}

pub(super) fn forget(db: &mut dyn Speak, id: GatherId) -> Result<bool, StoreError> {
    for table in OF_GENERATION {
        db.run(&format!("DELETE FROM {table} WHERE gather = ?1"), &args![bits(id.0)])?;
    }
    Ok(db.run("DELETE FROM gather WHERE id = ?1", &args![bits(id.0)])? > 0)
}

/// The generation at work; nothing if there is no such gathering.
fn generation(db: &mut dyn Speak, id: GatherId) -> Result<Option<u32>, StoreError> {
    db.first("SELECT generation FROM gather WHERE id = ?1", &args![bits(id.0)], |row| row.get(0))
}

/// The first free place of a table.
fn next(db: &mut dyn Speak, table: &str, id: GatherId, generation: u32) -> Result<u32, StoreError> {
    let sql = format!("SELECT coalesce(max(place) + 1, 0) FROM {table} WHERE gather = ?1 AND generation = ?2");
    let found = db.first(&sql, &args![bits(id.0), generation], |row| row.get(0))?;
    found.ok_or_else(|| damaged("a place is missing"))
}

/// Those that rested longest go when there are too many, but not the one that has just begun.
fn forget_the_rest(db: &mut dyn Speak, but: GatherId) -> Result<(), StoreError> {
    let sql = "SELECT id FROM gather WHERE id <> ?1 ORDER BY last DESC, id DESC LIMIT ?3 OFFSET ?2";
    let old = db.all(sql, &args![bits(but.0), GATHERINGS - 1, i64::MAX], |row| row.get::<i64>(0))?;
    for id in old {
        forget(db, GatherId(id as u64))?;
    }
    Ok(())
}
