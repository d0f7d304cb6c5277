//! The log and the curve of a job, both bounded.

use crate::StoreError;
use crate::jobs::{CURVE_POINTS, Curve, JobId, LOG_BYTES, LOG_LINES, LogLine};
use crate::sql::{Arg, Speak, Whole, args};

pub(super) fn log(db: &mut dyn Speak, job: JobId, text: &str, now: i64) -> Result<(), StoreError> {
    let mut text = text;
    let short: String;
    if text.len() > LOG_BYTES {
        let end = (0..=LOG_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        short = format!("{}…", &text[..end]);
        text = &short;
    }
    db.run(
        "INSERT INTO log (job, seq, at, text)
         SELECT id, coalesce((SELECT max(seq) FROM log WHERE job = ?1), 0) + 1, ?2, ?3 FROM job WHERE id = ?1",
        &args![job, now, text],
    )?;
    let cut = "DELETE FROM log WHERE job = ?1 AND seq <= (SELECT max(seq) FROM log WHERE job = ?1) - ?2";
    db.run(cut, &args![job, Whole(LOG_LINES)])?;
    Ok(())
}

pub(super) fn log_of(db: &mut dyn Speak, job: JobId, after: u64, most: usize) -> Result<Vec<LogLine>, StoreError> {
    let sql = "SELECT seq, at, text FROM log WHERE job = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
    db.all(sql, &args![job, Whole(after), most], |row| {
        Ok(LogLine { seq: row.get::<Whole>(0)?.0, at: row.get(1)?, text: row.get(2)? })
    })
}

pub(super) fn plot(db: &mut dyn Speak, job: JobId, point: Curve) -> Result<(), StoreError> {
    db.run(
        "INSERT INTO curve (job, at_ms, done, still) SELECT id, ?2, ?3, ?4 FROM job WHERE id = ?1
         ON CONFLICT (job, at_ms) DO UPDATE SET done = excluded.done, still = excluded.still",
        &args![job, point.at_ms, Whole(point.done), Whole(point.left)],
    )?;
    let points = db.number("SELECT count(*) FROM curve WHERE job = ?1", &args![job])?;
    if points > CURVE_POINTS as i64 {
        let gone: Vec<Arg<'_>> = superfluous(&curve_of(db, job)?).into_iter().flat_map(|at| args![job, at]).collect();
        db.run_each("DELETE FROM curve WHERE job = ?1 AND at_ms = ?2", 2, &gone)?;
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

pub(super) fn curve_of(db: &mut dyn Speak, job: JobId) -> Result<Vec<Curve>, StoreError> {
    let sql = "SELECT at_ms, done, still FROM curve WHERE job = ?1 ORDER BY at_ms";
    db.all(sql, &args![job], |row| {
        Ok(Curve { at_ms: row.get(0)?, done: row.get::<Whole>(1)?.0, left: row.get::<Whole>(2)?.0 })
    })
}
