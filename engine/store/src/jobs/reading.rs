//! Rows of jobs as they are read, and what is wrong with them.

use crate::StoreError;
use crate::jobs::{Filter, JobId, JobKind, JobRequest, JobRow, JobState};
use crate::sql::{Speak, SqlRow, Whole, args, damaged};

/// The columns of a job, in the order in which [`row_of`] reads them.
pub(super) const COLUMNS: &str = "id, kind, args, priority, package, state, wish, owner, fence, lease_until, deaths, \
     made_at, not_before, started_at, ended_at, progress, memo, outcome, schedule";

pub(super) fn row_of(row: &SqlRow<'_>) -> Result<JobRow, StoreError> {
    Ok(JobRow {
        id: row.get(0)?,
        kind: JobKind::from_code(row.get(1)?).ok_or_else(|| damaged("no such kind of job"))?,
        args: row.get(2)?,
        priority: row.get(3)?,
        package: row.get(4)?,
        state: JobState::from_code(row.get(5)?).ok_or_else(|| damaged("no such state of a job"))?,
        request: JobRequest::from_code(row.get(6)?).ok_or_else(|| damaged("no such wish"))?,
        owner: row.get(7)?,
        fence: row.get::<Whole>(8)?.0,
        lease_until: row.get(9)?,
        deaths: row.get(10)?,
        made_at: row.get(11)?,
        not_before: row.get(12)?,
        started_at: row.get(13)?,
        ended_at: row.get(14)?,
        progress: row.get(15)?,
        memo: row.get(16)?,
        outcome: row.get(17)?,
        schedule: row.get(18)?,
    })
}

pub(super) fn job(db: &mut dyn Speak, id: JobId) -> Result<Option<JobRow>, StoreError> {
    db.first(&format!("SELECT {COLUMNS} FROM job WHERE id = ?1"), &args![id], row_of)
}

pub(super) fn jobs(
    db: &mut dyn Speak,
    filter: &Filter,
    before: Option<JobId>,
    most: usize,
) -> Result<Vec<JobRow>, StoreError> {
    let states: Vec<u64> = filter.states.iter().map(|state| state.code().into()).collect();
    let kinds: Vec<u64> = filter.kinds.iter().map(|kind| kind.code().into()).collect();
    let (some_states, some_kinds) = (db.dialect().numbers_of("?2"), db.dialect().numbers_of("?3"));
    let sql = format!(
        "SELECT {COLUMNS} FROM job WHERE id < ?1 AND (?2 = '[]' OR state IN {some_states})
         AND (?3 = '[]' OR kind IN {some_kinds}) AND (?4 IS NULL OR package = ?4)
         ORDER BY id DESC LIMIT ?5"
    );
    let before = before.unwrap_or(JobId(u64::MAX));
    db.all(&sql, &args![before, &list(&states), &list(&kinds), filter.package, most], row_of)
}

/// Numbers as a JSON list, as databases take them for a set.
pub(super) fn list(numbers: &[u64]) -> String {
    format!("[{}]", numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
}

/// Rules every row keeps, as questions for those that do not. ?1 is the moment.
const RULES: [(&str, &str); 9] = [
    ("is in a state that does not exist", "SELECT id FROM job WHERE state > 5 OR kind > 8 OR wish > 2"),
    ("runs and was never taken", "SELECT id FROM job WHERE state = 1 AND (fence = 0 OR owner = '')"),
    ("has ended and does not say when", "SELECT id FROM job WHERE state > 2 AND ended_at = 0"),
    ("has not ended and says when it did", "SELECT id FROM job WHERE state < 3 AND ended_at <> 0"),
    ("does not run and somebody wants it to stop", "SELECT id FROM job WHERE state <> 1 AND wish <> 0"),
    ("belongs to a package that begins later", "SELECT id FROM job WHERE package > id"),
    (
        "runs beside another job of its package",
        "SELECT b.id FROM job a JOIN job b ON a.package = b.package AND a.id < b.id WHERE a.state = 1 AND b.state = 1",
    ),
    (
        "runs beside another that may not run at the same time",
        "SELECT b.id FROM job a JOIN job b ON a.id < b.id WHERE a.state = 1 AND b.state = 1
         AND ((a.kind IN (0, 1, 8) AND b.kind IN (0, 1, 8)) OR (a.kind = 5 AND b.kind = 5))",
    ),
    ("has a lease far beyond any", "SELECT id FROM job WHERE state = 1 AND lease_until > ?1 + 86400"),
];

pub(super) fn complaints(db: &mut dyn Speak, now: i64) -> Result<Vec<String>, StoreError> {
    let mut complaints = Vec::new();
    for (says, sql) in RULES {
        let moment = args![now];
        let args = if sql.contains("?1") { &moment[..] } else { &[] };
        let ids: Vec<JobId> = db.all(sql, args, |row| row.get(0))?;
        complaints.extend(ids.iter().take(20).map(|id| format!("job {} {says}", id.0)));
    }
    for table in ["log", "curve"] {
        let sql = format!("SELECT count(*) FROM {table} WHERE job NOT IN (SELECT id FROM job)");
        let orphans = db.number(&sql, &[])?;
        if orphans > 0 {
            complaints.push(format!("{orphans} rows of {table} belong to no job"));
        }
    }
    Ok(complaints)
}
