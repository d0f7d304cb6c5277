//! Gatherings in a SQLite file beside the survey: `gather.db`.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use groma_model::Reason;

use super::beside::{Beside, Kind, damaged};
use crate::StoreError;
use crate::codec::{compress, decompress};
use crate::gathers::{AnswerRow, GATHERINGS, GatherId, GatherRow, Gathers, Harvest, NewGather, RecordRow, RobotsKept};

/// "GRGA": Groma's gatherings.
const KIND: Kind = Kind { of: "gatherings", application: 0x4752_4741, format: 1, tables: TABLES };

/// Numbers of gatherings are never given out twice: people name them.
const TABLES: &str = "
CREATE TABLE gather (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, address TEXT NOT NULL, form TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '', asked TEXT NOT NULL, begun INTEGER NOT NULL, last INTEGER NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0, shown INTEGER NOT NULL DEFAULT 0, ended TEXT NOT NULL DEFAULT '',
    statement TEXT NOT NULL DEFAULT '', report TEXT NOT NULL DEFAULT ''
);
CREATE TABLE answer (
    gather INTEGER NOT NULL, generation INTEGER NOT NULL, place INTEGER NOT NULL, key TEXT NOT NULL, about TEXT NOT NULL,
    at INTEGER NOT NULL, reason INTEGER NOT NULL, status INTEGER NOT NULL, address TEXT NOT NULL, media_type TEXT NOT NULL,
    charset TEXT NOT NULL, etag TEXT NOT NULL, last_modified TEXT NOT NULL, cut INTEGER NOT NULL, unchanged INTEGER NOT NULL,
    requests INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (gather, generation, place)
);
CREATE UNIQUE INDEX answer_key ON answer (gather, generation, key);
CREATE INDEX answer_about ON answer (gather, generation, about, place);
CREATE TABLE record (
    gather INTEGER NOT NULL, generation INTEGER NOT NULL, place INTEGER NOT NULL, said TEXT NOT NULL, link TEXT NOT NULL,
    question TEXT NOT NULL, PRIMARY KEY (gather, generation, place)
) WITHOUT ROWID;
CREATE TABLE value (
    gather INTEGER NOT NULL, generation INTEGER NOT NULL, attribute TEXT NOT NULL, place INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (gather, generation, attribute, place)
) WITHOUT ROWID;
CREATE TABLE point (
    gather INTEGER NOT NULL, generation INTEGER NOT NULL, requests INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (gather, generation, requests)
) WITHOUT ROWID;
CREATE TABLE robots (origin TEXT PRIMARY KEY, at INTEGER NOT NULL, status INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
";

/// The tables that hold what belongs to a generation.
const OF_GENERATION: [&str; 4] = ["answer", "record", "value", "point"];

const GATHER: &str = "id, key, address, form, title, asked, begun, last, generation, shown,
    (SELECT coalesce(sum(requests), 0) FROM answer a WHERE a.gather = g.id AND a.generation = g.generation),
    (SELECT coalesce(max(place) + 1, 0) FROM record r WHERE r.gather = g.id AND r.generation = g.shown), ended, statement, report";
const ANSWER: &str =
    "key, about, at, reason, status, address, media_type, charset, etag, last_modified, cut, unchanged, requests";

/// Gatherings in a SQLite file.
pub struct SqliteGathers {
    file: Beside,
}

impl SqliteGathers {
    /// Opens them, or begins them.
    pub fn open(path: &Path) -> Result<SqliteGathers, StoreError> {
        Beside::open(path, &KIND).map(|file| SqliteGathers { file })
    }

    /// Opens those that are there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteGathers, StoreError> {
        Beside::open_reading(path, &KIND).map(|file| SqliteGathers { file })
    }

    /// Nothing, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteGathers, StoreError> {
        Beside::nothing_at(path, &KIND).map(|file| SqliteGathers { file })
    }

    /// The answer to a question, so many generations ago.
    fn find(&self, id: GatherId, key: &str, ago: u32) -> Result<Option<AnswerRow>, StoreError> {
        let sql = format!(
            "SELECT {ANSWER}, body FROM answer WHERE gather = ?1 AND key = ?2
             AND generation = (SELECT generation FROM gather WHERE id = ?1) - ?3"
        );
        let row = self.file.read(|db| {
            let mut find = db.prepare_cached(&sql)?;
            Ok(find.query_row(params![bits(id), key, ago], |row| Ok((answer_of(row)?, row.get(13)?))).optional()?)
        })?;
        let Some((answer, packed)): Option<(AnswerRow, Vec<u8>)> = row else { return Ok(None) };
        let body = decompress(&packed).ok_or_else(|| damaged("an answer cannot be unpacked"))?;
        Ok(Some(AnswerRow { body, ..answer }))
    }
}

impl Gathers for SqliteGathers {
    fn begin(&mut self, new: &NewGather) -> Result<GatherRow, StoreError> {
        self.file.write(|tx| {
            tx.execute(
                "INSERT INTO gather (key, address, asked, begun, last) VALUES (?1, ?2, ?3, ?4, ?4)
                 ON CONFLICT (key) DO UPDATE SET asked = ?3, last = max(last, ?4),
                     generation = generation + (ended <> ''), ended = ''",
                params![new.key, new.address, new.asked, new.at],
            )?;
            let find = format!("SELECT {GATHER} FROM gather g WHERE key = ?1");
            let row = tx.query_row(&find, [&new.key], gather_of)?;
            for table in ["record", "value", "point"] {
                let sql = format!("DELETE FROM {table} WHERE gather = ?1 AND generation = ?2");
                tx.execute(&sql, params![bits(row.id), row.generation])?;
            }
            forget_the_rest(tx, row.id)?;
            Ok(tx.query_row(&find, [&new.key], gather_of)?)
        })
    }

    fn answer(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.find(id, key, 0)
    }

    fn answer_before(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.find(id, key, 1)
    }

    fn answer_about(&mut self, id: GatherId, about: &str) -> Result<Option<AnswerRow>, StoreError> {
        let sql = format!(
            "SELECT {ANSWER} FROM answer WHERE gather = ?1 AND generation = (SELECT shown FROM gather WHERE id = ?1)
             AND about = ?2 ORDER BY place LIMIT 1"
        );
        self.file.read(|db| Ok(db.prepare_cached(&sql)?.query_row(params![bits(id), about], answer_of).optional()?))
    }

    fn keep(&mut self, id: GatherId, answer: &AnswerRow) -> Result<bool, StoreError> {
        let packed = compress(&answer.body);
        let done = self.file.write_if(|tx| {
            let Some(generation) = generation(tx, id)? else { return Ok(None) };
            let sql = "SELECT place FROM answer WHERE gather = ?1 AND generation = ?2 AND key = ?3";
            let known = tx.query_row(sql, params![bits(id), generation, answer.key], |row| row.get(0)).optional()?;
            let place: u32 = match known {
                Some(place) => place,
                None => next(tx, "answer", id, generation)?,
            };
            let sql = format!(
                "INSERT OR REPLACE INTO answer (gather, generation, place, {ANSWER}, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
            );
            let row = answer;
            tx.prepare_cached(&sql)?.execute(params![
                bits(id),
                generation,
                place,
                row.key,
                row.about,
                row.at,
                row.reason.code(),
                row.status,
                row.address,
                row.media_type,
                row.charset,
                row.etag,
                row.last_modified,
                row.cut,
                row.unchanged,
                row.requests,
                packed,
            ])?;
            tx.execute("UPDATE gather SET last = max(last, ?2) WHERE id = ?1", params![bits(id), row.at])?;
            Ok(Some(()))
        })?;
        Ok(done.is_some())
    }

    fn add(&mut self, id: GatherId, found: &Harvest) -> Result<bool, StoreError> {
        let done = self.file.write_if(|tx| {
            let Some(generation) = generation(tx, id)? else { return Ok(None) };
            let mut place = next(tx, "record", id, generation)?;
            let mut put = tx.prepare_cached(
                "INSERT INTO record (gather, generation, place, said, link, question) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            for RecordRow { values, link, question, .. } in &found.records {
                put.execute(params![bits(id), generation, place, values, link, question])?;
                place += 1;
            }
            let mut put = tx.prepare_cached(
                "INSERT INTO value (gather, generation, attribute, place, value) VALUES (?1, ?2, ?3,
                 (SELECT coalesce(max(place) + 1, 0) FROM value WHERE gather = ?1 AND generation = ?2 AND attribute = ?3), ?4)",
            )?;
            for (attribute, value) in &found.values {
                put.execute(params![bits(id), generation, attribute, value])?;
            }
            tx.execute(
                "INSERT OR REPLACE INTO point (gather, generation, requests, records) VALUES (?1, ?2, ?3, ?4)",
                params![bits(id), generation, found.requests, place],
            )?;
            tx.execute(
                "UPDATE gather SET last = max(last, ?2), form = coalesce(?3, form), title = coalesce(?4, title) WHERE id = ?1",
                params![bits(id), found.at, found.form, found.title],
            )?;
            Ok(Some(()))
        })?;
        Ok(done.is_some())
    }

    fn tell(&mut self, id: GatherId, report: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE gather SET report = ?2 WHERE id = ?1";
        self.file.write(|tx| Ok(tx.execute(sql, params![bits(id), report])? > 0))
    }

    fn end(&mut self, id: GatherId, why: &str, statement: &str, at: i64) -> Result<bool, StoreError> {
        self.file.write(|tx| {
            let sql = "UPDATE gather SET ended = ?2, statement = ?3, last = max(last, ?4), shown = generation WHERE id = ?1";
            let known = tx.execute(sql, params![bits(id), why, statement, at])? > 0;
            for table in OF_GENERATION {
                let sql = format!(
                    "DELETE FROM {table} WHERE gather = ?1 AND generation < (SELECT generation FROM gather WHERE id = ?1)"
                );
                tx.execute(&sql, [bits(id)])?;
            }
            Ok(known)
        })
    }

    fn gather(&mut self, id: GatherId) -> Result<Option<GatherRow>, StoreError> {
        let sql = format!("SELECT {GATHER} FROM gather g WHERE id = ?1");
        self.file.read(|db| Ok(db.query_row(&sql, [bits(id)], gather_of).optional()?))
    }

    fn gathers(&mut self) -> Result<Vec<GatherRow>, StoreError> {
        let sql = format!("SELECT {GATHER} FROM gather g ORDER BY last DESC, id DESC");
        self.file.read(|db| {
            let mut find = db.prepare_cached(&sql)?;
            Ok(find.query_map([], gather_of)?.collect::<Result<_, _>>()?)
        })
    }

    fn answers(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<AnswerRow>, StoreError> {
        let sql = format!(
            "SELECT {ANSWER} FROM answer WHERE gather = ?1 AND generation = (SELECT generation FROM gather WHERE id = ?1)
             AND place >= ?2 ORDER BY place LIMIT ?3"
        );
        self.file.read(|db| {
            let mut find = db.prepare_cached(&sql)?;
            Ok(find.query_map(params![bits(id), from, most as i64], answer_of)?.collect::<Result<_, _>>()?)
        })
    }

    fn records(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<RecordRow>, StoreError> {
        let sql = "SELECT place, said, link, question FROM record WHERE gather = ?1
            AND generation = (SELECT shown FROM gather WHERE id = ?1) AND place >= ?2 ORDER BY place LIMIT ?3";
        self.file.read(|db| {
            let mut find = db.prepare_cached(sql)?;
            let record = |row: &Row<'_>| {
                Ok(RecordRow { place: row.get(0)?, values: row.get(1)?, link: row.get(2)?, question: row.get(3)? })
            };
            Ok(find.query_map(params![bits(id), from, most as i64], record)?.collect::<Result<_, _>>()?)
        })
    }

    fn attributes(&mut self, id: GatherId) -> Result<Vec<(String, u32)>, StoreError> {
        let sql = "SELECT attribute, count(*) FROM value WHERE gather = ?1
            AND generation = (SELECT shown FROM gather WHERE id = ?1) GROUP BY attribute ORDER BY attribute";
        self.file.read(|db| {
            let mut find = db.prepare_cached(sql)?;
            Ok(find.query_map([bits(id)], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
        })
    }

    fn values(&mut self, id: GatherId, attribute: &str, from: u32, most: usize) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT value FROM value WHERE gather = ?1 AND generation = (SELECT shown FROM gather WHERE id = ?1)
            AND attribute = ?2 AND place >= ?3 ORDER BY place LIMIT ?4";
        self.file.read(|db| {
            let mut find = db.prepare_cached(sql)?;
            let params = params![bits(id), attribute, from, most as i64];
            Ok(find.query_map(params, |row| row.get(0))?.collect::<Result<_, _>>()?)
        })
    }

    fn curve(&mut self, id: GatherId, points: usize) -> Result<Vec<(u32, u32)>, StoreError> {
        let sql = "SELECT requests, records FROM point WHERE gather = ?1
            AND generation = (SELECT shown FROM gather WHERE id = ?1) ORDER BY requests";
        let all: Vec<(u32, u32)> = self.file.read(|db| {
            let mut find = db.prepare_cached(sql)?;
            Ok(find.query_map([bits(id)], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
        })?;
        let points = points.max(1).min(all.len());
        // The last of each of as many equal stretches.
        Ok((1..=points).map(|n| all[all.len() * n / points - 1]).collect())
    }

    fn robots(&mut self, origin: &str) -> Result<Option<RobotsKept>, StoreError> {
        let sql = "SELECT at, status, body FROM robots WHERE origin = ?1";
        let kept = |row: &Row<'_>| Ok(RobotsKept { at: row.get(0)?, status: row.get(1)?, body: row.get(2)? });
        self.file.read(|db| Ok(db.query_row(sql, [origin], kept).optional()?))
    }

    fn keep_robots(&mut self, origin: &str, said: &RobotsKept) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO robots (origin, at, status, body) VALUES (?1, ?2, ?3, ?4)";
        self.file.write(|tx| Ok(tx.execute(sql, params![origin, said.at, said.status, said.body]).map(|_| ())?))
    }

    fn forget(&mut self, id: GatherId) -> Result<bool, StoreError> {
        self.file.write(|tx| forget(tx, id))
    }

    fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        self.file.read(complaints)
    }
}

/// The generation at work; nothing if there is no such gathering.
fn generation(tx: &Transaction<'_>, id: GatherId) -> Result<Option<u32>, StoreError> {
    Ok(tx.query_row("SELECT generation FROM gather WHERE id = ?1", [bits(id)], |row| row.get(0)).optional()?)
}

/// The first free place of a table.
fn next(tx: &Transaction<'_>, table: &str, id: GatherId, generation: u32) -> Result<u32, StoreError> {
    let sql = format!("SELECT coalesce(max(place) + 1, 0) FROM {table} WHERE gather = ?1 AND generation = ?2");
    Ok(tx.query_row(&sql, params![bits(id), generation], |row| row.get(0))?)
}

fn forget(tx: &Transaction<'_>, id: GatherId) -> Result<bool, StoreError> {
    for table in OF_GENERATION {
        tx.execute(&format!("DELETE FROM {table} WHERE gather = ?1"), [bits(id)])?;
    }
    Ok(tx.execute("DELETE FROM gather WHERE id = ?1", [bits(id)])? > 0)
}

/// Those that rested longest go when there are too many, but not the one that has just begun.
fn forget_the_rest(tx: &Transaction<'_>, but: GatherId) -> Result<(), StoreError> {
    let sql = "SELECT id FROM gather WHERE id <> ?1 ORDER BY last DESC, id DESC LIMIT -1 OFFSET ?2";
    let mut find = tx.prepare(sql)?;
    let old = find.query_map(params![bits(but), GATHERINGS as i64 - 1], |row| row.get::<_, i64>(0))?;
    for id in old.collect::<Result<Vec<_>, _>>()? {
        forget(tx, GatherId(id as u64))?;
    }
    Ok(())
}

fn complaints(db: &Connection) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    for table in OF_GENERATION {
        let orphans: i64 = db.query_row(
            &format!("SELECT count(*) FROM {table} WHERE gather NOT IN (SELECT id FROM gather)"),
            [],
            |row| row.get(0),
        )?;
        if orphans > 0 {
            found.push(format!("{orphans} rows of {table} of no gathering"));
        }
    }
    for (table, by) in [("record", ""), ("value", ", attribute"), ("answer", "")] {
        let sql = format!(
            "SELECT gather FROM {table} GROUP BY gather, generation{by} HAVING count(*) <> max(place) + 1 LIMIT 10"
        );
        let mut look = db.prepare(&sql)?;
        for id in look.query_map([], |row| row.get::<_, i64>(0))? {
            found.push(format!("gathering {}: a {table} is missing", id?));
        }
    }
    Ok(found)
}

fn bits(id: GatherId) -> i64 {
    id.0 as i64
}

fn gather_of(row: &Row<'_>) -> rusqlite::Result<GatherRow> {
    Ok(GatherRow {
        id: GatherId(row.get::<_, i64>(0)? as u64),
        key: row.get(1)?,
        address: row.get(2)?,
        form: row.get(3)?,
        title: row.get(4)?,
        asked: row.get(5)?,
        begun: row.get(6)?,
        last: row.get(7)?,
        generation: row.get(8)?,
        shown: row.get(9)?,
        requests: row.get(10)?,
        records: row.get(11)?,
        end: row.get(12)?,
        statement: row.get(13)?,
        report: row.get(14)?,
    })
}

fn answer_of(row: &Row<'_>) -> rusqlite::Result<AnswerRow> {
    Ok(AnswerRow {
        key: row.get(0)?,
        about: row.get(1)?,
        at: row.get(2)?,
        reason: Reason::from_code(row.get(3)?).unwrap_or(Reason::BadAnswer),
        status: row.get(4)?,
        address: row.get(5)?,
        media_type: row.get(6)?,
        charset: row.get(7)?,
        etag: row.get(8)?,
        last_modified: row.get(9)?,
        cut: row.get(10)?,
        unchanged: row.get(11)?,
        requests: row.get(12)?,
        body: Vec::new(),
    })
}
