//! Schedules as rows: which jobs are queued again and again, and when.

use super::taking;
use crate::StoreError;
use crate::jobs::{JobId, NewJob, ScheduleId, ScheduleRow};
use crate::sql::{Speak, SqlRow, args, damaged};

const COLUMNS: &str = "id, name, period, zone, jitter, jobs, priority, enabled, next_at, last_at, last_package";

fn row_of(row: &SqlRow<'_>) -> Result<ScheduleRow, StoreError> {
    Ok(ScheduleRow {
        id: row.get(0)?,
        name: row.get(1)?,
        period: row.get(2)?,
        zone: row.get(3)?,
        jitter: row.get(4)?,
        jobs: row.get(5)?,
        priority: row.get(6)?,
        enabled: row.get(7)?,
        next_at: row.get(8)?,
        last_at: row.get(9)?,
        last_package: row.get(10)?,
    })
}

pub(super) fn all(db: &mut dyn Speak) -> Result<Vec<ScheduleRow>, StoreError> {
    db.all(&format!("SELECT {COLUMNS} FROM schedule ORDER BY id"), &[], row_of)
}

fn one(db: &mut dyn Speak, id: ScheduleId) -> Result<Option<ScheduleRow>, StoreError> {
    db.first(&format!("SELECT {COLUMNS} FROM schedule WHERE id = ?1"), &args![id], row_of)
}

/// Whoever edits a schedule read it some time ago. If it fired since then, its moment is not set back, and what it asked for is
/// not forgotten.
pub(super) fn put(db: &mut dyn Speak, schedule: &ScheduleRow) -> Result<ScheduleId, StoreError> {
    let mut row = schedule.clone();
    if let Some(known) = one(db, schedule.id)? {
        if row.next_at <= known.last_at {
            row.next_at = known.next_at;
        }
        if known.last_at > row.last_at {
            (row.last_at, row.last_package) = (known.last_at, known.last_package);
        }
    }
    let ScheduleRow { id, name, period, zone, jitter, jobs, priority, enabled, next_at, last_at, last_package } = &row;
    let fields = args![name, period, zone, *jitter, jobs, *priority, *enabled, *next_at, *last_at, *last_package];
    const FIELDS: &str = "name, period, zone, jitter, jobs, priority, enabled, next_at, last_at, last_package";
    if id.0 == 0 {
        let sql =
            format!("INSERT INTO schedule ({FIELDS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING id");
        return db.first(&sql, &fields, |row| row.get(0))?.ok_or_else(|| damaged("a schedule got no number"));
    }
    let mut all = args![*id].to_vec();
    all.extend(fields);
    let sql = format!(
        "INSERT INTO schedule (id, {FIELDS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, period = excluded.period, zone = excluded.zone,
             jitter = excluded.jitter, jobs = excluded.jobs, priority = excluded.priority, enabled = excluded.enabled,
             next_at = excluded.next_at, last_at = excluded.last_at, last_package = excluded.last_package"
    );
    db.run(&sql, &all)?;
    if let Some(sql) = db.dialect().past_chosen("schedule") {
        db.number(&sql, &[])?;
    }
    Ok(*id)
}

pub(super) fn fire(
    db: &mut dyn Speak,
    id: ScheduleId,
    seen: i64,
    next: i64,
    jobs: &[NewJob],
    now: i64,
) -> Result<Option<Vec<JobId>>, StoreError> {
    let Some(row) = one(db, id)?.filter(|row| row.enabled && row.next_at == seen) else { return Ok(None) };
    db.run("UPDATE schedule SET next_at = ?2 WHERE id = ?1", &args![id, next])?;
    let under_way = "SELECT count(*) FROM job WHERE package = ?1 AND state < 3";
    if db.number(under_way, &args![row.last_package])? > 0 {
        return Ok(Some(Vec::new()));
    }
    let ours: Vec<NewJob> = jobs.iter().map(|job| NewJob { schedule: Some(id), ..job.clone() }).collect();
    let added = taking::add(db, &ours, true, now)?;
    let package = added.first().copied();
    db.run("UPDATE schedule SET last_at = ?2, last_package = ?3 WHERE id = ?1", &args![id, now, package])?;
    Ok(Some(added))
}
