//! What people were told.

use rusqlite::{Connection, Transaction, params};

use super::numbers::Whole;
use crate::StoreError;
use crate::jobs::NoticeRow;

pub(super) fn add(tx: &Transaction<'_>, notice: &NoticeRow) -> Result<u64, StoreError> {
    let id = (notice.id != 0).then_some(Whole(notice.id));
    tx.execute(
        "INSERT OR REPLACE INTO notice (id, at, run, title, body, delivery) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![id, notice.at, notice.run, notice.title, notice.body, notice.delivery],
    )?;
    Ok(id.map_or(tx.last_insert_rowid() as u64, |id| id.0))
}

pub(super) fn deliver(tx: &Transaction<'_>, notice: u64, delivery: &str) -> Result<(), StoreError> {
    tx.execute("UPDATE notice SET delivery = ?2 WHERE id = ?1", params![Whole(notice), delivery])?;
    Ok(())
}

pub(super) fn latest(db: &Connection, before: Option<u64>, most: usize) -> Result<Vec<NoticeRow>, StoreError> {
    let mut found = db.prepare_cached(
        "SELECT id, at, run, title, body, delivery FROM notice WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
    )?;
    let rows = found.query_map([Whole(before.unwrap_or(u64::MAX)), Whole(most as u64)], |row| {
        Ok(NoticeRow {
            id: row.get::<_, Whole>(0)?.0,
            at: row.get(1)?,
            run: row.get(2)?,
            title: row.get(3)?,
            body: row.get(4)?,
            delivery: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
