//! Notices as rows: what was sent to people, and how its delivery went.

use crate::StoreError;
use crate::jobs::NoticeRow;
use crate::sql::{Speak, Whole, args, damaged};

pub(super) fn add(db: &mut dyn Speak, notice: &NoticeRow) -> Result<u64, StoreError> {
    let NoticeRow { id, at, run, title, body, delivery } = notice;
    if *id == 0 {
        let sql = "INSERT INTO notice (at, run, title, body, delivery) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id";
        let added = db.first(sql, &args![*at, *run, title, body, delivery], |row| row.get::<Whole>(0))?;
        return added.map(|id| id.0).ok_or_else(|| damaged("a notice got no number"));
    }
    db.run(
        "INSERT INTO notice (id, at, run, title, body, delivery) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at, run = excluded.run, title = excluded.title,
             body = excluded.body, delivery = excluded.delivery",
        &args![Whole(*id), *at, *run, title, body, delivery],
    )?;
    if let Some(sql) = db.dialect().past_chosen("notice") {
        db.number(&sql, &[])?;
    }
    Ok(*id)
}

pub(super) fn deliver(db: &mut dyn Speak, notice: u64, delivery: &str) -> Result<(), StoreError> {
    db.run("UPDATE notice SET delivery = ?2 WHERE id = ?1", &args![Whole(notice), delivery])?;
    Ok(())
}

pub(super) fn latest(db: &mut dyn Speak, before: Option<u64>, most: usize) -> Result<Vec<NoticeRow>, StoreError> {
    let sql = "SELECT id, at, run, title, body, delivery FROM notice WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
    db.all(sql, &args![Whole(before.unwrap_or(u64::MAX)), most], |row| {
        Ok(NoticeRow {
            id: row.get::<Whole>(0)?.0,
            at: row.get(1)?,
            run: row.get(2)?,
            title: row.get(3)?,
            body: row.get(4)?,
            delivery: row.get(5)?,
        })
    })
}
