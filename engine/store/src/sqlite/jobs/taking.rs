//! Adding, taking, signs of life, ends: what workers say.
//!
//! Whose turn is it? The job that waits with the highest priority, the oldest of them, of those
//! - whose moment has come,
//! - that stand behind no open job of their package,
//! - whose kind may run beside what runs already.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::numbers::Whole;
use super::reading::{COLUMNS, job, list, row_of};
use super::wishes::fell_behind;
use crate::StoreError;
use crate::jobs::{Ending, JobId, JobRow, JobState, Lease, MOST_DEATHS, NewJob, Reply, Wish};

pub(super) fn add(tx: &Transaction<'_>, jobs: &[NewJob], package: bool, now: i64) -> Result<Vec<JobId>, StoreError> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO job (kind, args, priority, package, state, made_at, not_before, schedule)
         VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7)",
    )?;
    let mut ids: Vec<JobId> = Vec::new();
    for new in jobs {
        let first = ids.first().filter(|_| package).copied();
        insert.execute(params![new.kind.code(), new.args, new.priority, first, now, new.not_before, new.schedule])?;
        let id = tx.last_insert_rowid();
        if package && first.is_none() {
            tx.execute("UPDATE job SET package = id WHERE id = ?1", [id])?;
        }
        ids.push(JobId(id as u64));
    }
    Ok(ids)
}

/// A job that runs by its row, and whose worker is gone.
pub(super) struct Lost {
    id: JobId,
    fence: u64,
    /// It is known to be dead, whatever the lease says.
    dead: bool,
}

/// Jobs whose worker is gone.
pub(super) fn lost(db: &Connection, is_dead: &dyn Fn(&str) -> bool, now: i64) -> Result<Vec<Lost>, StoreError> {
    let mut found = db.prepare_cached("SELECT id, fence, owner, lease_until FROM job WHERE state = 1")?;
    let mut rows = found.query([])?;
    let mut lost = Vec::new();
    while let Some(row) = rows.next()? {
        let (owner, until): (String, i64) = (row.get(2)?, row.get(3)?);
        let dead = is_dead(&owner);
        if until <= now || dead {
            lost.push(Lost { id: row.get(0)?, fence: row.get::<_, Whole>(1)?.0, dead });
        }
    }
    Ok(lost)
}

/// The job whose turn it is, if those that are lost count as waiting.
pub(super) fn turn(db: &Connection, lost: &[Lost], now: i64) -> Result<Option<JobRow>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM job j
         WHERE ((state = 0 AND not_before <= ?1) OR (state = 1 AND id IN (SELECT value FROM json_each(?2))))
         AND NOT EXISTS (SELECT 1 FROM job b WHERE b.package = j.package AND b.id < j.id AND b.state < 3)
         AND NOT EXISTS (
             SELECT 1 FROM job r WHERE r.state = 1 AND r.id <> j.id AND r.id NOT IN (SELECT value FROM json_each(?2))
             AND ((j.kind IN (0, 1, 8) AND r.kind IN (0, 1, 8)) OR (j.kind = 5 AND r.kind = 5)))
         ORDER BY priority DESC, id LIMIT 1"
    );
    let mut found = db.prepare_cached(&sql)?;
    let lost: Vec<u64> = lost.iter().map(|lost| lost.id.0).collect();
    Ok(found.query_row(params![now, list(&lost)], row_of).optional()?)
}

pub(super) fn take(
    tx: &Transaction<'_>,
    owner: &str,
    seconds: i64,
    lost: &[Lost],
    now: i64,
) -> Result<Option<(Lease, JobRow)>, StoreError> {
    for lost in lost {
        bury(tx, lost, now)?;
    }
    let Some(next) = turn(tx, &[], now)? else { return Ok(None) };
    let mut taking = tx.prepare_cached(
        "UPDATE job SET state = 1, wish = 0, owner = ?2, fence = fence + 1, lease_until = ?3, heard = 0,
         started_at = CASE started_at WHEN 0 THEN ?4 ELSE started_at END WHERE id = ?1",
    )?;
    taking.execute(params![next.id, owner, now.saturating_add(seconds), now])?;
    let taken = job(tx, next.id)?.ok_or_else(|| StoreError::Damaged(format!("job {} is gone", next.id.0)))?;
    Ok(Some((Lease { job: taken.id, fence: taken.fence }, taken)))
}

/// The worker of a job is gone: the job waits again, or what somebody wanted of it happens. One whose workers die again and
/// again before they say a word would take every worker with it: it fails.
fn bury(tx: &Transaction<'_>, lost: &Lost, now: i64) -> Result<(), StoreError> {
    let mut buried = tx.prepare_cached(
        "UPDATE job SET deaths = CASE heard WHEN 0 THEN deaths + 1 ELSE 0 END
         WHERE id = ?1 AND fence = ?2 AND state = 1 AND (?3 OR lease_until <= ?4) RETURNING deaths, wish",
    )?;
    let id = lost.id;
    let row = buried
        .query_row(params![id, Whole(lost.fence), lost.dead, now], |row| {
            Ok((row.get::<_, u32>(0)?, row.get::<_, u8>(1)?))
        })
        .optional()?;
    // Somebody else was quicker, or it was only late with its sign of life.
    let Some((deaths, wish)) = row else { return Ok(()) };
    match Wish::from_code(wish) {
        Some(Wish::Cancel) => settle(tx, id, JobState::Cancelled, "cancelled", now),
        _ if deaths >= MOST_DEATHS => {
            let says = format!("its worker died {deaths} times in a row without a sign of life");
            settle(tx, id, JobState::Failed, &says, now)
        }
        Some(Wish::Pause) => settle(tx, id, JobState::Paused, "", now),
        _ => settle(tx, id, JobState::Waiting, "", now),
    }
}

/// The job leaves its worker for this state.
fn settle(tx: &Transaction<'_>, id: JobId, state: JobState, outcome: &str, now: i64) -> Result<(), StoreError> {
    let mut settled = tx.prepare_cached(
        "UPDATE job SET state = ?2, wish = 0, lease_until = 0, felled = 0, outcome = ?3, ended_at = ?4 WHERE id = ?1",
    )?;
    settled.execute(params![id, state.code(), outcome, if state.is_over() { now } else { 0 }])?;
    if matches!(state, JobState::Failed | JobState::Cancelled) {
        fell_behind(tx, id, state, now)?;
    }
    Ok(())
}

pub(super) fn beat(
    tx: &Transaction<'_>,
    lease: &Lease,
    progress: Option<&str>,
    seconds: i64,
    now: i64,
) -> Result<Reply, StoreError> {
    let mut beating = tx.prepare_cached(
        "UPDATE job SET lease_until = ?3, heard = 1, deaths = 0, progress = coalesce(?4, progress)
         WHERE id = ?1 AND fence = ?2 AND state = 1 RETURNING wish",
    )?;
    let until = now.saturating_add(seconds);
    let wish =
        beating.query_row(params![lease.job, Whole(lease.fence), until, progress], |row| row.get(0)).optional()?;
    Ok(match wish.map(Wish::from_code) {
        None => Reply::Lost,
        Some(Some(Wish::Pause)) => Reply::Pause,
        Some(Some(Wish::Cancel)) => Reply::Cancel,
        Some(_) => Reply::GoOn,
    })
}

pub(super) fn remember(tx: &Transaction<'_>, lease: &Lease, memo: &str) -> Result<bool, StoreError> {
    let mut keeping = tx.prepare_cached("UPDATE job SET memo = ?3 WHERE id = ?1 AND fence = ?2 AND state = 1")?;
    Ok(keeping.execute(params![lease.job, Whole(lease.fence), memo])? > 0)
}

pub(super) fn end(
    tx: &Transaction<'_>,
    lease: &Lease,
    ending: Ending,
    outcome: &str,
    now: i64,
) -> Result<bool, StoreError> {
    let Some(row) = job(tx, lease.job)? else { return Ok(false) };
    if row.fence != lease.fence || row.state != JobState::Running {
        return Ok(false);
    }
    let state = match (ending, row.wish) {
        (Ending::Done, _) => JobState::Done,
        (Ending::Failed, _) => JobState::Failed,
        (Ending::Cancelled, _) | (_, Wish::Cancel) => JobState::Cancelled,
        (_, Wish::Pause) => JobState::Paused,
        // Somebody changed their mind before the worker had stopped.
        (Ending::Paused | Ending::Back { .. }, Wish::None) => JobState::Waiting,
    };
    settle(tx, lease.job, state, outcome, now)?;
    // With the end, in one transaction: what is told has happened. A failure has been told with its hint.
    if !outcome.is_empty() && ending != Ending::Failed {
        super::curve::log(tx, lease.job, outcome, now)?;
    }
    let not_before = if let Ending::Back { not_before } = ending { not_before } else { 0 };
    tx.execute("UPDATE job SET deaths = 0, not_before = ?2 WHERE id = ?1", params![lease.job, not_before])?;
    Ok(true)
}
