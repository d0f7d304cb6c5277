//! The log and the curve of a job, both bounded.

use rusqlite::{Connection, Transaction, params};

use super::numbers::Whole;
use crate::StoreError;
use crate::jobs::{CURVE_POINTS, Curve, JobId, LOG_BYTES, LOG_LINES, LogLine};

pub(super) fn log(tx: &Transaction<'_>, job: JobId, text: &str, now: i64) -> Result<(), StoreError> {
    let mut text = text;
    let short: String;
    if text.len() > LOG_BYTES {
        let end = (0..=LOG_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        short = format!("{}…", &text[..end]);
        text = &short;
    }
    let mut adding = tx.prepare_cached(
        "INSERT INTO log (job, seq, at, text)
         SELECT id, coalesce((SELECT max(seq) FROM log WHERE job = ?1), 0) + 1, ?2, ?3 FROM job WHERE id = ?1",
    )?;
    adding.execute(params![job, now, text])?;
    let mut cutting =
        tx.prepare_cached("DELETE FROM log WHERE job = ?1 AND seq <= (SELECT max(seq) FROM log WHERE job = ?1) - ?2")?;
    cutting.execute(params![job, Whole(LOG_LINES)])?;
    Ok(())
}

pub(super) fn log_of(db: &Connection, job: JobId, after: u64, most: usize) -> Result<Vec<LogLine>, StoreError> {
    let mut found =
        db.prepare_cached("SELECT seq, at, text FROM log WHERE job = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3")?;
    let rows = found.query_map(params![job, Whole(after), Whole(most as u64)], |row| {
        Ok(LogLine { seq: row.get::<_, Whole>(0)?.0, at: row.get(1)?, text: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn plot(tx: &Transaction<'_>, job: JobId, point: Curve) -> Result<(), StoreError> {
    let mut adding = tx.prepare_cached(
        "INSERT OR REPLACE INTO curve (job, at_ms, done, still) SELECT id, ?2, ?3, ?4 FROM job WHERE id = ?1",
    )?;
    adding.execute(params![job, point.at_ms, Whole(point.done), Whole(point.left)])?;
    let mut counting = tx.prepare_cached("SELECT count(*) FROM curve WHERE job = ?1")?;
    let points: Whole = counting.query_row([job], |row| row.get(0))?;
    if points.0 > CURVE_POINTS as u64 {
        let mut dropping = tx.prepare_cached("DELETE FROM curve WHERE job = ?1 AND at_ms = ?2")?;
        for at in superfluous(&curve_of(tx, job)?) {
            dropping.execute(params![job, at])?;
        }
    }
    Ok(())
}

/// The points that go when a curve is thinned out: what is left stands evenly in time, whenever it was drawn, with the first and
/// the last of them.
fn superfluous(points: &[Curve]) -> Vec<i64> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let step = (last.at_ms - first.at_ms) / (CURVE_POINTS as i64 / 2);
    let mut kept = first.at_ms;
    let mut gone = Vec::new();
    for point in &points[1..points.len() - 1] {
        if point.at_ms - kept > step {
            kept = point.at_ms;
        } else {
            gone.push(point.at_ms);
        }
    }
    gone
}

pub(super) fn curve_of(db: &Connection, job: JobId) -> Result<Vec<Curve>, StoreError> {
    let mut found = db.prepare_cached("SELECT at_ms, done, still FROM curve WHERE job = ?1 ORDER BY at_ms")?;
    let rows = found.query_map([job], |row| {
        Ok(Curve { at_ms: row.get(0)?, done: row.get::<_, Whole>(1)?.0, left: row.get::<_, Whole>(2)?.0 })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
