//! Decisions as rows of a log that only grows.

use crate::StoreError;
use crate::bounds::fold::undone;
use crate::bounds::{DecisionId, DecisionKind, DecisionRow, NewDecision, TEXT_BYTES};
use crate::sql::{Speak, SqlRow, args, damaged};

const COLUMNS: &str = "id, site, kind, subject, undoes, at, who";

pub(super) fn add(db: &mut dyn Speak, decision: &NewDecision) -> Result<Option<DecisionId>, StoreError> {
    if [&decision.site, &decision.subject, &decision.who].iter().any(|text| text.len() > TEXT_BYTES) {
        return Ok(None);
    }
    let (mut site, mut undoes) = (decision.site.clone(), None);
    if decision.kind == DecisionKind::Undo {
        let of = decision.undoes.and_then(|of| i64::try_from(of.0).ok());
        let row = match of {
            Some(of) => db.first("SELECT site FROM decision WHERE id = ?1", &args![of], |row| row.get(0))?,
            None => None,
        };
        let Some(found) = row else { return Ok(None) };
        site = found;
        undoes = of;
        if undone(&log(db, Some(&site))?).iter().any(|row| Some(*row) == decision.undoes) {
            return Ok(None);
        }
    }
    let id: i64 = db.number(
        "INSERT INTO decision (site, kind, subject, undoes, at, who) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
        &args![&site, decision.kind.code(), &decision.subject, undoes, decision.at, &decision.who],
    )?;
    Ok(Some(DecisionId(id as u64)))
}

pub(super) fn log(db: &mut dyn Speak, site: Option<&str>) -> Result<Vec<DecisionRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM decision WHERE ?1 IS NULL OR site = ?1 ORDER BY id");
    db.all(&sql, &args![site], row_of)
}

fn row_of(row: &SqlRow<'_>) -> Result<DecisionRow, StoreError> {
    let id = |at: usize| row.get::<Option<i64>>(at).map(|id| id.map(|id| DecisionId(id as u64)));
    Ok(DecisionRow {
        id: id(0)?.unwrap_or(DecisionId(0)),
        site: row.get(1)?,
        kind: DecisionKind::from_code(row.get(2)?).ok_or_else(|| damaged("no such decision"))?,
        subject: row.get(3)?,
        undoes: id(4)?,
        at: row.get(5)?,
        who: row.get(6)?,
    })
}

pub(super) fn complaints(db: &mut dyn Speak) -> Result<Vec<String>, StoreError> {
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
        for id in db.all(sql, &[], |row| row.get::<i64>(0))? {
            found.push(format!("bounds: decision {id} {what}"));
        }
    }
    Ok(found)
}
