//! Decisions as rows of a log that only grows.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::unknown;
use crate::StoreError;
use crate::borders::fold::undone;
use crate::borders::{DecisionId, DecisionKind, DecisionRow, NewDecision, TEXT_BYTES};

const COLUMNS: &str = "id, site, kind, subject, undoes, at, who";

pub(super) fn add(tx: &Transaction<'_>, decision: &NewDecision) -> Result<Option<DecisionId>, StoreError> {
    if [&decision.site, &decision.subject, &decision.who].iter().any(|text| text.len() > TEXT_BYTES) {
        return Ok(None);
    }
    let (mut site, mut undoes) = (decision.site.clone(), None);
    if decision.kind == DecisionKind::Undo {
        let of = decision.undoes.and_then(|of| i64::try_from(of.0).ok());
        let row = match of {
            Some(of) => tx.query_row("SELECT site FROM decision WHERE id = ?1", [of], |row| row.get(0)).optional()?,
            None => None,
        };
        let Some(found) = row else { return Ok(None) };
        site = found;
        undoes = of;
        if undone(&log(tx, Some(&site))?).iter().any(|row| Some(*row) == decision.undoes) {
            return Ok(None);
        }
    }
    tx.execute(
        "INSERT INTO decision (site, kind, subject, undoes, at, who) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![site, decision.kind.code(), decision.subject, undoes, decision.at, decision.who],
    )?;
    Ok(Some(DecisionId(tx.last_insert_rowid() as u64)))
}

pub(super) fn log(db: &Connection, site: Option<&str>) -> Result<Vec<DecisionRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM decision WHERE ?1 IS NULL OR site = ?1 ORDER BY id");
    let mut found = db.prepare_cached(&sql)?;
    let rows = found.query_map([site], row_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn row_of(row: &Row<'_>) -> rusqlite::Result<DecisionRow> {
    let id = |at: usize| row.get::<_, Option<i64>>(at).map(|id| id.map(|id| DecisionId(id as u64)));
    Ok(DecisionRow {
        id: id(0)?.unwrap_or(DecisionId(0)),
        site: row.get(1)?,
        kind: DecisionKind::from_code(row.get(2)?).ok_or_else(|| unknown(2, "no such decision"))?,
        subject: row.get(3)?,
        undoes: id(4)?,
        at: row.get(5)?,
        who: row.get(6)?,
    })
}

pub(super) fn complaints(db: &Connection) -> Result<Vec<String>, StoreError> {
    let rules = [
        ("is of a kind that does not exist", "SELECT id FROM decision WHERE kind > 3"),
        ("takes back nothing", "SELECT id FROM decision WHERE kind = 3 AND (undoes IS NULL OR undoes >= id)"),
        (
            "takes back something and says something else",
            "SELECT id FROM decision WHERE kind <> 3 AND undoes IS NOT NULL",
        ),
        (
            "takes back a decision that is not there",
            "SELECT id FROM decision AS d WHERE undoes IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM decision AS e WHERE e.id = d.undoes AND e.site = d.site)",
        ),
    ];
    let mut found = Vec::new();
    for (what, sql) in rules {
        let mut rows = db.prepare_cached(sql)?;
        let rows = rows.query_map([], |row| row.get::<_, i64>(0))?;
        for id in rows {
            found.push(format!("borders: decision {} {what}", id?));
        }
    }
    Ok(found)
}
