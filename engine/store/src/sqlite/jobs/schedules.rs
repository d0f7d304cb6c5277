//! What is asked for again and again.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::taking;
use crate::StoreError;
use crate::jobs::{JobId, NewJob, ScheduleId, ScheduleRow};

const COLUMNS: &str = "id, name, period, zone, jitter, jobs, priority, enabled, next_at, last_at, last_package";

fn row_of(row: &Row<'_>) -> rusqlite::Result<ScheduleRow> {
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

pub(super) fn all(db: &Connection) -> Result<Vec<ScheduleRow>, StoreError> {
    let mut found = db.prepare_cached(&format!("SELECT {COLUMNS} FROM schedule ORDER BY id"))?;
    let rows = found.query_map([], row_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn one(db: &Connection, id: ScheduleId) -> Result<Option<ScheduleRow>, StoreError> {
    let mut found = db.prepare_cached(&format!("SELECT {COLUMNS} FROM schedule WHERE id = ?1"))?;
    Ok(found.query_row([id], row_of).optional()?)
}

/// Whoever edits a schedule read it some time ago. If it fired since then, its moment is not set back, and what it asked for is
/// not forgotten.
pub(super) fn put(tx: &Transaction<'_>, schedule: &ScheduleRow) -> Result<ScheduleId, StoreError> {
    let mut row = schedule.clone();
    if let Some(known) = one(tx, schedule.id)? {
        if row.next_at <= known.last_at {
            row.next_at = known.next_at;
        }
        if known.last_at > row.last_at {
            (row.last_at, row.last_package) = (known.last_at, known.last_package);
        }
    }
    let id = (row.id.0 != 0).then_some(row.id);
    let sql =
        format!("INSERT OR REPLACE INTO schedule ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    tx.execute(
        &sql,
        params![
            id,
            row.name,
            row.period,
            row.zone,
            row.jitter,
            row.jobs,
            row.priority,
            row.enabled,
            row.next_at,
            row.last_at,
            row.last_package
        ],
    )?;
    Ok(id.unwrap_or(ScheduleId(tx.last_insert_rowid() as u64)))
}

pub(super) fn fire(
    tx: &Transaction<'_>,
    id: ScheduleId,
    seen: i64,
    next: i64,
    jobs: &[NewJob],
    now: i64,
) -> Result<Option<Vec<JobId>>, StoreError> {
    let Some(row) = one(tx, id)?.filter(|row| row.enabled && row.next_at == seen) else { return Ok(None) };
    tx.execute("UPDATE schedule SET next_at = ?2 WHERE id = ?1", params![id, next])?;
    let under_way = "SELECT EXISTS (SELECT 1 FROM job WHERE package = ?1 AND state < 3)";
    if tx.query_row(under_way, [row.last_package], |row| row.get(0))? {
        return Ok(Some(Vec::new()));
    }
    let ours: Vec<NewJob> = jobs.iter().map(|job| NewJob { schedule: Some(id), ..job.clone() }).collect();
    let added = taking::add(tx, &ours, true, now)?;
    let package = added.first().copied();
    tx.execute("UPDATE schedule SET last_at = ?2, last_package = ?3 WHERE id = ?1", params![id, now, package])?;
    Ok(Some(added))
}
