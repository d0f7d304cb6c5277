//! Adding, taking, signs of life, ends: what workers say.
//!
//! Whose turn is it? The job that waits with the highest priority, the oldest of them, of those
//! - whose moment has come,
//! - that stand behind no open job of their package,
//! - whose kind may run beside what runs already.
//!
//! Cost: one look at each open job. `state < 3` stands beside `state = 1` because SQLite finds its index of open jobs by these very words;
//! without it every look would read all jobs there ever were.

use super::reading::{COLUMNS, job, list, row_of};
use super::requests::fell_behind;
use crate::StoreError;
use crate::jobs::{Ending, JobId, JobRequest, JobRow, JobState, Lease, MOST_DEATHS, NewJob, Reply};
use crate::sql::{Speak, Whole, args, damaged};

pub(super) fn add(db: &mut dyn Speak, jobs: &[NewJob], package: bool, now: i64) -> Result<Vec<JobId>, StoreError> {
    const ADD: &str = "INSERT INTO job (kind, args, priority, package, state, made_at, not_before, schedule)
         VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7) RETURNING id";
    let mut ids: Vec<JobId> = Vec::new();
    for new in jobs {
        let first = ids.first().filter(|_| package).copied();
        let fields = args![new.kind.code(), &new.args, new.priority, first, now, new.not_before, new.schedule];
        let id: JobId = db.first(ADD, &fields, |row| row.get(0))?.ok_or_else(|| damaged("a job got no number"))?;
        if package && first.is_none() {
            db.run("UPDATE job SET package = id WHERE id = ?1", &args![id])?;
        }
        ids.push(id);
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
pub(super) fn lost(db: &mut dyn Speak, is_dead: &dyn Fn(&str) -> bool, now: i64) -> Result<Vec<Lost>, StoreError> {
    let sql = "SELECT id, fence, owner, lease_until FROM job WHERE state = 1 AND state < 3";
    let running = db.all(sql, &[], |row| {
        let (owner, until): (String, i64) = (row.get(2)?, row.get(3)?);
        let dead = is_dead(&owner);
        Ok((until <= now || dead, Lost { id: row.get(0)?, fence: row.get::<Whole>(1)?.0, dead }))
    })?;
    Ok(running.into_iter().filter(|(gone, _)| *gone).map(|(_, lost)| lost).collect())
}

/// The job whose turn it is, if those that are lost count as waiting.
pub(super) fn turn(db: &mut dyn Speak, lost: &[Lost], now: i64) -> Result<Option<JobRow>, StoreError> {
    let those = db.dialect().numbers_of("?2");
    let sql = format!(
        "SELECT {COLUMNS} FROM job j
         WHERE state < 3 AND ((state = 0 AND not_before <= ?1) OR (state = 1 AND id IN {those}))
         AND NOT EXISTS (SELECT 1 FROM job b WHERE b.package = j.package AND b.id < j.id AND b.state < 3)
         AND NOT EXISTS (
             SELECT 1 FROM job r WHERE r.state = 1 AND r.state < 3 AND r.id <> j.id AND r.id NOT IN {those}
             AND ((j.kind IN (0, 1, 8) AND r.kind IN (0, 1, 8)) OR (j.kind = 5 AND r.kind = 5)))
         ORDER BY priority DESC, id LIMIT 1"
    );
    let lost: Vec<u64> = lost.iter().map(|lost| lost.id.0).collect();
    db.first(&sql, &args![now, &list(&lost)], row_of)
}

pub(super) fn take(
    db: &mut dyn Speak,
    owner: &str,
    seconds: i64,
    lost: &[Lost],
    now: i64,
) -> Result<Option<(Lease, JobRow)>, StoreError> {
    for lost in lost {
        bury(db, lost, now)?;
    }
    let Some(next) = turn(db, &[], now)? else { return Ok(None) };
    db.run(
        "UPDATE job SET state = 1, wish = 0, owner = ?2, fence = fence + 1, lease_until = ?3, heard = 0,
         started_at = CASE started_at WHEN 0 THEN ?4 ELSE started_at END WHERE id = ?1",
        &args![next.id, owner, now.saturating_add(seconds), now],
    )?;
    let taken = job(db, next.id)?.ok_or_else(|| StoreError::Damaged(format!("job {} is gone", next.id.0)))?;
    Ok(Some((Lease { job: taken.id, fence: taken.fence }, taken)))
}

/// The worker of a job is gone: the job waits again, or what somebody wanted of it happens. One whose workers die again and
/// again before they say a word would take every worker with it: it fails.
fn bury(db: &mut dyn Speak, lost: &Lost, now: i64) -> Result<(), StoreError> {
    let id = lost.id;
    let row = db.first(
        "UPDATE job SET deaths = CASE heard WHEN 0 THEN deaths + 1 ELSE 0 END
         WHERE id = ?1 AND fence = ?2 AND state = 1 AND (?3 <> 0 OR lease_until <= ?4) RETURNING deaths, wish",
        &args![id, Whole(lost.fence), lost.dead, now],
        |row| Ok((row.get::<u32>(0)?, row.get::<u8>(1)?)),
    )?;
    // Somebody else was quicker, or it was only late with its sign of life.
    let Some((deaths, request)) = row else { return Ok(()) };
    match JobRequest::from_code(request) {
        Some(JobRequest::Cancel) => settle(db, id, JobState::Cancelled, "cancelled", now),
        _ if deaths >= MOST_DEATHS => {
            let says = format!("its worker died {deaths} times in a row without a sign of life");
            settle(db, id, JobState::Failed, &says, now)
        }
        Some(JobRequest::Pause) => settle(db, id, JobState::Paused, "", now),
        _ => settle(db, id, JobState::Waiting, "", now),
    }
}

/// The job leaves its worker for this state.
fn settle(db: &mut dyn Speak, id: JobId, state: JobState, outcome: &str, now: i64) -> Result<(), StoreError> {
    db.run(
        "UPDATE job SET state = ?2, wish = 0, lease_until = 0, felled = 0, outcome = ?3, ended_at = ?4 WHERE id = ?1",
        &args![id, state.code(), outcome, if state.is_over() { now } else { 0 }],
    )?;
    if matches!(state, JobState::Failed | JobState::Cancelled) {
        fell_behind(db, id, state, now)?;
    }
    Ok(())
}

pub(super) fn beat(
    db: &mut dyn Speak,
    lease: &Lease,
    progress: Option<&str>,
    seconds: i64,
    now: i64,
) -> Result<Reply, StoreError> {
    let request = db.first(
        "UPDATE job SET lease_until = ?3, heard = 1, deaths = 0, progress = coalesce(?4, progress)
         WHERE id = ?1 AND fence = ?2 AND state = 1 RETURNING wish",
        &args![lease.job, Whole(lease.fence), now.saturating_add(seconds), progress],
        |row| row.get(0),
    )?;
    Ok(match request.map(JobRequest::from_code) {
        None => Reply::Lost,
        Some(Some(JobRequest::Pause)) => Reply::Pause,
        Some(Some(JobRequest::Cancel)) => Reply::Cancel,
        Some(_) => Reply::GoOn,
    })
}

pub(super) fn remember(db: &mut dyn Speak, lease: &Lease, memo: &str) -> Result<bool, StoreError> {
    let sql = "UPDATE job SET memo = ?3 WHERE id = ?1 AND fence = ?2 AND state = 1";
    Ok(db.run(sql, &args![lease.job, Whole(lease.fence), memo])? > 0)
}

pub(super) fn end(
    db: &mut dyn Speak,
    lease: &Lease,
    ending: Ending,
    outcome: &str,
    now: i64,
) -> Result<bool, StoreError> {
    let Some(row) = job(db, lease.job)? else { return Ok(false) };
    if row.fence != lease.fence || row.state != JobState::Running {
        return Ok(false);
    }
    let state = match (ending, row.request) {
        (Ending::Done, _) => JobState::Done,
        (Ending::Failed, _) => JobState::Failed,
        (Ending::Cancelled, _) | (_, JobRequest::Cancel) => JobState::Cancelled,
        (_, JobRequest::Pause) => JobState::Paused,
        // Somebody changed their mind before the worker had stopped.
        (Ending::Paused | Ending::Back { .. }, JobRequest::None) => JobState::Waiting,
    };
    settle(db, lease.job, state, outcome, now)?;
    // With the end, in one transaction: what is told has happened. A failure has been told with its hint.
    if !outcome.is_empty() && ending != Ending::Failed {
        super::curve::log(db, lease.job, outcome, now)?;
    }
    let not_before = if let Ending::Back { not_before } = ending { not_before } else { 0 };
    db.run("UPDATE job SET deaths = 0, not_before = ?2 WHERE id = ?1", &args![lease.job, not_before])?;
    Ok(true)
}
