//! Focused crawls in a SQLite file beside the survey: `focus.db`.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use groma_model::PageId;

use super::beside::{Beside, Kind};
use crate::StoreError;
use crate::focuses::{FOCUSES, FocusId, FocusRow, Focuses, NewFocus, StepRow};

/// "GRFO": Groma's focused crawls.
const KIND: Kind = Kind { of: "focused crawls", application: 0x4752_464f, format: 1, tables: TABLES };

/// Numbers of crawls are never given out twice: people name them.
const TABLES: &str = "
CREATE TABLE focus (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, topic TEXT NOT NULL, strategy TEXT NOT NULL, asked TEXT NOT NULL,
    begun INTEGER NOT NULL, last INTEGER NOT NULL, steps INTEGER NOT NULL DEFAULT 0, relevant INTEGER NOT NULL DEFAULT 0,
    ended TEXT NOT NULL DEFAULT ''
);
CREATE TABLE step (
    focus INTEGER NOT NULL, place INTEGER NOT NULL, page INTEGER NOT NULL, address TEXT NOT NULL, score REAL NOT NULL,
    relevant INTEGER NOT NULL, found INTEGER NOT NULL, said TEXT NOT NULL, PRIMARY KEY (focus, place)
) WITHOUT ROWID;
CREATE INDEX step_page ON step (focus, page);
CREATE INDEX step_best ON step (focus, score DESC, place) WHERE relevant;
";

const FOCUS: &str = "id, key, topic, strategy, asked, begun, last, steps, relevant, ended";
const STEP: &str = "place, page, address, score, relevant, found, said";

/// Focused crawls in a SQLite file.
pub struct SqliteFocuses {
    file: Beside,
}

impl SqliteFocuses {
    /// Opens them, or begins them.
    pub fn open(path: &Path) -> Result<SqliteFocuses, StoreError> {
        Beside::open(path, &KIND).map(|file| SqliteFocuses { file })
    }

    /// Opens those that are there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteFocuses, StoreError> {
        Beside::open_reading(path, &KIND).map(|file| SqliteFocuses { file })
    }

    /// Nothing, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteFocuses, StoreError> {
        Beside::nothing_at(path, &KIND).map(|file| SqliteFocuses { file })
    }

    fn some_steps(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<StepRow>, StoreError> {
        self.file.read(|db| {
            let mut find = db.prepare_cached(sql)?;
            Ok(find.query_map(params, step_of)?.collect::<Result<_, _>>()?)
        })
    }
}

impl Focuses for SqliteFocuses {
    fn begin(&mut self, new: &NewFocus) -> Result<FocusRow, StoreError> {
        self.file.write(|tx| {
            tx.execute(
                "INSERT INTO focus (key, topic, strategy, asked, begun, last) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
                 ON CONFLICT (key) DO UPDATE SET asked = ?4, last = max(last, ?5), ended = ''",
                params![new.key, new.topic, new.strategy, new.asked, new.at],
            )?;
            let sql = format!("SELECT {FOCUS} FROM focus WHERE key = ?1");
            let row = tx.query_row(&sql, [&new.key], focus_of)?;
            forget_the_rest(tx, row.id)?;
            Ok(row)
        })
    }

    fn add_steps(&mut self, id: FocusId, steps: &[StepRow], at: i64) -> Result<bool, StoreError> {
        let done = self.file.write_if(|tx| {
            let sql = "SELECT steps FROM focus WHERE id = ?1";
            let Some(known) = tx.query_row(sql, [bits(id)], |row| row.get::<_, u32>(0)).optional()? else {
                return Ok(None);
            };
            let Some(first) = steps.first() else { return Ok(Some(())) };
            let gapless = steps.iter().zip(first.order..).all(|(step, place)| step.order == place);
            if first.order > known || !gapless {
                return Ok(None);
            }
            tx.execute("DELETE FROM step WHERE focus = ?1 AND place >= ?2", params![bits(id), first.order])?;
            put_steps(tx, id, steps)?;
            tx.execute(
                "UPDATE focus SET last = max(last, ?2), steps = ?3, relevant = ?4 WHERE id = ?1",
                params![
                    bits(id),
                    at,
                    i64::from(first.order) + steps.len() as i64,
                    steps.last().map_or(0, |step| step.found)
                ],
            )?;
            Ok(Some(()))
        })?;
        Ok(done.is_some())
    }

    fn end(&mut self, id: FocusId, why: &str, at: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE focus SET ended = ?2, last = max(last, ?3) WHERE id = ?1";
        self.file.write(|tx| Ok(tx.execute(sql, params![bits(id), why, at])? > 0))
    }

    fn focus(&mut self, id: FocusId) -> Result<Option<FocusRow>, StoreError> {
        let sql = format!("SELECT {FOCUS} FROM focus WHERE id = ?1");
        self.file.read(|db| Ok(db.query_row(&sql, [bits(id)], focus_of).optional()?))
    }

    fn focuses(&mut self) -> Result<Vec<FocusRow>, StoreError> {
        let sql = format!("SELECT {FOCUS} FROM focus ORDER BY last DESC, id DESC");
        self.file.read(|db| {
            let mut find = db.prepare_cached(&sql)?;
            Ok(find.query_map([], focus_of)?.collect::<Result<_, _>>()?)
        })
    }

    fn steps(&mut self, id: FocusId, from: u32, most: usize, relevant: bool) -> Result<Vec<StepRow>, StoreError> {
        let only = if relevant { "AND relevant" } else { "" };
        let sql = format!("SELECT {STEP} FROM step WHERE focus = ?1 AND place >= ?2 {only} ORDER BY place LIMIT ?3");
        self.some_steps(&sql, params![bits(id), from, most as i64])
    }

    fn best(&mut self, id: FocusId, skip: usize, most: usize) -> Result<Vec<StepRow>, StoreError> {
        let sql = format!(
            "SELECT {STEP} FROM step WHERE focus = ?1 AND relevant ORDER BY score DESC, place LIMIT ?2 OFFSET ?3"
        );
        self.some_steps(&sql, params![bits(id), most as i64, skip as i64])
    }

    fn step_of(&mut self, id: FocusId, page: PageId) -> Result<Option<StepRow>, StoreError> {
        let sql = format!("SELECT {STEP} FROM step WHERE focus = ?1 AND page = ?2 ORDER BY place LIMIT 1");
        Ok(self.some_steps(&sql, params![bits(id), page.0])?.pop())
    }

    fn curve(&mut self, id: FocusId, points: usize) -> Result<Vec<(u32, u32)>, StoreError> {
        let Some(steps) = self.focus(id)?.map(|row| row.steps).filter(|steps| *steps > 0) else {
            return Ok(Vec::new());
        };
        let points = u32::try_from(points.max(1)).unwrap_or(u32::MAX).min(steps);
        // The last step of each of as many equal stretches.
        let ends = (1..=points).map(|n| u64::from(steps) * u64::from(n) / u64::from(points));
        self.file.read(|db| {
            let mut find = db.prepare_cached("SELECT found FROM step WHERE focus = ?1 AND place = ?2")?;
            let mut curve = Vec::new();
            for end in ends {
                let found = find.query_row(params![bits(id), end as i64 - 1], |row| row.get(0)).optional()?;
                curve.extend(found.map(|found| (end as u32, found)));
            }
            Ok(curve)
        })
    }

    fn forget(&mut self, id: FocusId) -> Result<bool, StoreError> {
        self.file.write(|tx| forget(tx, id))
    }

    fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        self.file.read(complaints)
    }
}

fn put_steps(tx: &Transaction<'_>, id: FocusId, steps: &[StepRow]) -> Result<(), StoreError> {
    let mut put =
        tx.prepare_cached(&format!("INSERT INTO step (focus, {STEP}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"))?;
    for step in steps {
        let StepRow { order, page, address, score, relevant, found, said } = step;
        put.execute(params![bits(id), order, page.0, address, score, relevant, found, said])?;
    }
    Ok(())
}

fn forget(tx: &Transaction<'_>, id: FocusId) -> Result<bool, StoreError> {
    tx.execute("DELETE FROM step WHERE focus = ?1", [bits(id)])?;
    Ok(tx.execute("DELETE FROM focus WHERE id = ?1", [bits(id)])? > 0)
}

/// Those that rested longest go when there are too many, but not the one that has just begun.
fn forget_the_rest(tx: &Transaction<'_>, but: FocusId) -> Result<(), StoreError> {
    let sql = "SELECT id FROM focus WHERE id <> ?1 ORDER BY last DESC, id DESC LIMIT -1 OFFSET ?2";
    let mut find = tx.prepare(sql)?;
    let old = find.query_map(params![bits(but), FOCUSES as i64 - 1], |row| row.get::<_, i64>(0))?;
    for id in old.collect::<Result<Vec<_>, _>>()? {
        forget(tx, FocusId(id as u64))?;
    }
    Ok(())
}

fn complaints(db: &Connection) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let mut look = db.prepare(
        "SELECT f.id, f.steps, f.relevant, count(s.place), coalesce(max(s.place) + 1, 0), coalesce(sum(s.relevant), 0)
         FROM focus f LEFT JOIN step s ON s.focus = f.id GROUP BY f.id",
    )?;
    let mut rows = look.query([])?;
    while let Some(row) = rows.next()? {
        let numbers: [i64; 6] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?];
        let [id, steps, relevant, there, places, sum] = numbers;
        if steps != there || steps != places {
            found.push(format!("focused crawl {id} has {there} steps of {steps}"));
        }
        if relevant != sum {
            found.push(format!("focused crawl {id} says {relevant} relevant pages, its steps say {sum}"));
        }
    }
    let orphans: i64 =
        db.query_row("SELECT count(*) FROM step WHERE focus NOT IN (SELECT id FROM focus)", [], |row| row.get(0))?;
    if orphans > 0 {
        found.push(format!("{orphans} steps of no focused crawl"));
    }
    Ok(found)
}

fn bits(id: FocusId) -> i64 {
    id.0 as i64
}

fn focus_of(row: &Row<'_>) -> rusqlite::Result<FocusRow> {
    Ok(FocusRow {
        id: FocusId(row.get::<_, i64>(0)? as u64),
        key: row.get(1)?,
        topic: row.get(2)?,
        strategy: row.get(3)?,
        asked: row.get(4)?,
        begun: row.get(5)?,
        last: row.get(6)?,
        steps: row.get(7)?,
        relevant: row.get(8)?,
        end: row.get(9)?,
    })
}

fn step_of(row: &Row<'_>) -> rusqlite::Result<StepRow> {
    Ok(StepRow {
        order: row.get(0)?,
        page: PageId(row.get(1)?),
        address: row.get(2)?,
        score: row.get(3)?,
        relevant: row.get(4)?,
        found: row.get(5)?,
        said: row.get(6)?,
    })
}
