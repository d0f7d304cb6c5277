//! Pause, resume, cancel, retry: what people say.

use super::reading::job;
use crate::StoreError;
use crate::jobs::{JobId, JobRequest, JobState};
use crate::sql::{Speak, args};

pub(super) fn pause(db: &mut dyn Speak, id: JobId) -> Result<bool, StoreError> {
    match job(db, id)?.map(|row| (row.state, row.request)) {
        Some((JobState::Waiting, _)) => set(db, id, "state = 2"),
        // Nobody unsays a cancellation.
        Some((JobState::Running, JobRequest::None | JobRequest::Pause)) => set(db, id, "wish = 1"),
        _ => Ok(false),
    }
}

pub(super) fn resume(db: &mut dyn Speak, id: JobId) -> Result<bool, StoreError> {
    match job(db, id)?.map(|row| (row.state, row.request)) {
        Some((JobState::Paused, _)) => set(db, id, "state = 0, not_before = 0, outcome = ''"),
        Some((JobState::Running, JobRequest::Pause)) => set(db, id, "wish = 0"),
        _ => Ok(false),
    }
}

pub(super) fn cancel(db: &mut dyn Speak, id: JobId, now: i64) -> Result<bool, StoreError> {
    match job(db, id)?.map(|row| row.state) {
        Some(JobState::Waiting | JobState::Paused) => {
            db.run(
                "UPDATE job SET state = 5, felled = 0, outcome = 'cancelled', ended_at = ?2 WHERE id = ?1",
                &args![id, now],
            )?;
        }
        Some(JobState::Running) => {
            set(db, id, "wish = 2")?;
        }
        _ => return Ok(false),
    }
    fell_behind(db, id, JobState::Cancelled, now)?;
    Ok(true)
}

pub(super) fn retry(db: &mut dyn Speak, id: JobId) -> Result<bool, StoreError> {
    let Some(row) = job(db, id)? else { return Ok(false) };
    if !matches!(row.state, JobState::Failed | JobState::Cancelled) {
        return Ok(false);
    }
    // What an earlier attempt remembered is of no use to a new one.
    const AGAIN: &str = "UPDATE job SET state = 0, wish = 0, felled = 0, deaths = 0, not_before = 0, ended_at = 0, \
                         progress = '', memo = '', outcome = '' WHERE";
    db.run(&format!("{AGAIN} id = ?1"), &args![id])?;
    if let Some(package) = row.package {
        let sql = format!("{AGAIN} package = ?1 AND id > ?2 AND state = 5 AND felled = 1");
        db.run(&sql, &args![package, id])?;
    }
    Ok(true)
}

pub(super) fn prioritize(db: &mut dyn Speak, id: JobId, priority: i32) -> Result<bool, StoreError> {
    Ok(db.run("UPDATE job SET priority = ?2 WHERE id = ?1 AND state < 3", &args![id, priority])? > 0)
}

pub(super) fn amend(db: &mut dyn Speak, id: JobId, args: &str) -> Result<bool, StoreError> {
    Ok(db.run("UPDATE job SET args = ?2 WHERE id = ?1 AND state NOT IN (1, 3)", &args![id, args])? > 0)
}

/// What stands behind a job that was not done in its package waits no longer.
pub(super) fn fell_behind(db: &mut dyn Speak, id: JobId, state: JobState, now: i64) -> Result<(), StoreError> {
    let outcome =
        format!("job {} before it {}", id.0, if state == JobState::Failed { "failed" } else { "was cancelled" });
    db.run(
        "UPDATE job SET state = 5, felled = 1, outcome = ?2, ended_at = ?3
         WHERE package = (SELECT package FROM job WHERE id = ?1) AND id > ?1 AND state IN (0, 2)",
        &args![id, &outcome, now],
    )?;
    Ok(())
}

/// Ended jobs go; a package goes when its last job may.
pub(super) fn forget(db: &mut dyn Speak, before: i64) -> Result<u64, StoreError> {
    let gone = db.run(
        "DELETE FROM job WHERE state > 2 AND ended_at < ?1 AND NOT EXISTS (
             SELECT 1 FROM job b WHERE b.package = job.package AND (b.state < 3 OR b.ended_at >= ?1))",
        &args![before],
    )?;
    if gone > 0 {
        db.run("DELETE FROM log WHERE job NOT IN (SELECT id FROM job)", &[])?;
        db.run("DELETE FROM curve WHERE job NOT IN (SELECT id FROM job)", &[])?;
    }
    Ok(gone)
}

fn set(db: &mut dyn Speak, id: JobId, what: &str) -> Result<bool, StoreError> {
    Ok(db.run(&format!("UPDATE job SET {what} WHERE id = ?1"), &args![id])? > 0)
}
