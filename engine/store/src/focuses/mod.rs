//! Focused crawls of a survey: what was asked for, the pages each went to in their order and what it thought of them, how it ended.
//!
//! They live in a file of their own beside the survey (`focus.db`): the pages themselves are in the survey, where several focused
//! crawls share them. A crawl that goes on is shown its pages again and comes to the same steps; only those that are new, or that
//! came out otherwise this time, are written.
//!
//! Invariants, checked by the exam:
//! - a crawl that was asked for in the same words is the same crawl;
//! - its steps are numbered from 0 without a gap, and each says how many relevant pages there were up to it;
//! - steps that are put in take the place of all that stood there or later;
//! - whatever is kept appears as a whole or not at all.

mod rows;
pub(crate) mod schema;

pub use rows::{FocusId, FocusRow, NewFocus, StepRow};

use groma_model::PageId;

use crate::StoreError;
use crate::postgres::ServerSchema;
use crate::sql::{Base, Repeat, SideStore, Speak, SqlRow, args, bits, damaged};
use crate::sqlite::FileSchema;

/// Focused crawls that are kept; those that rested longest go first.
pub const FOCUSES: usize = 200;

const FOCUS: &str = "id, key, topic, strategy, asked, begun, last, steps, relevant, ended";
const STEP: &str = "place, page, address, score, relevant, found, said";

/// The focused crawls of one survey. Any number of processes may use them at once. Times are seconds since 1970 and come from the
/// caller.
pub struct Focuses {
    base: Base,
}

impl SideStore for Focuses {
    const FILE: &'static FileSchema = &schema::FILE_SCHEMA;
    const SERVER: &'static ServerSchema = &schema::SERVER_SCHEMA;

    fn over(base: Base) -> Focuses {
        Focuses { base }
    }
}

impl Focuses {
    /// Begins a crawl, or goes on with the one that was asked for in the same words; its end, if it had one, is taken back.
    pub fn begin(&mut self, new: &NewFocus) -> Result<FocusRow, StoreError> {
        let NewFocus { key, topic, strategy, asked, at } = new;
        self.base.write(Repeat::Harmless, |db| {
            let again = "UPDATE focus SET asked = ?2, last = CASE WHEN last < ?3 THEN ?3 ELSE last END, ended = ''
                WHERE key = ?1";
            if db.run(again, &args![key, asked, *at])? == 0 {
                let first =
                    "INSERT INTO focus (key, topic, strategy, asked, begun, last) VALUES (?1, ?2, ?3, ?4, ?5, ?5)";
                db.run(first, &args![key, topic, strategy, asked, *at])?;
            }
            let sql = format!("SELECT {FOCUS} FROM focus WHERE key = ?1");
            let row = db.first(&sql, &args![key], focus_of)?.ok_or_else(|| damaged("a focused crawl is gone"))?;
            forget_the_rest(db, row.id)?;
            Ok(row)
        })
    }

    /// Puts in steps that follow one another, in place of all that stood at the first of them or later. False, and nothing is
    /// written, if there is no such crawl or they would leave a gap.
    pub fn add_steps(&mut self, id: FocusId, steps: &[StepRow], at: i64) -> Result<bool, StoreError> {
        let done = self.base.write_if(Repeat::Harmless, |db| {
            let sql = "SELECT steps FROM focus WHERE id = ?1";
            let Some(known) = db.first(sql, &args![bits(id.0)], |row| row.get::<u32>(0))? else {
                return Ok(None);
            };
            let Some(first) = steps.first() else { return Ok(Some(())) };
            let gapless = steps.iter().zip(first.order..).all(|(step, place)| step.order == place);
            if first.order > known || !gapless {
                return Ok(None);
            }
            db.run("DELETE FROM step WHERE focus = ?1 AND place >= ?2", &args![bits(id.0), first.order])?;
            put_steps(db, id, steps)?;
            let (known, relevant) =
                (i64::from(first.order) + steps.len() as i64, steps.last().map_or(0, |step| step.found));
            db.run(
                "UPDATE focus SET last = CASE WHEN last < ?2 THEN ?2 ELSE last END, steps = ?3, relevant = ?4 WHERE id = ?1",
                &args![bits(id.0), at, known, relevant],
            )?;
            Ok(Some(()))
        })?;
        Ok(done.is_some())
    }

    /// Says why it ended. False if there is no such crawl.
    pub fn end(&mut self, id: FocusId, why: &str, at: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE focus SET ended = ?2, last = CASE WHEN last < ?3 THEN ?3 ELSE last END WHERE id = ?1";
        self.base.touch(|db| Ok(db.run(sql, &args![bits(id.0), why, at])? > 0))
    }

    /// A focused crawl by its number; nothing if it was forgotten.
    pub fn focus(&mut self, id: FocusId) -> Result<Option<FocusRow>, StoreError> {
        let sql = format!("SELECT {FOCUS} FROM focus WHERE id = ?1");
        self.base.read(|db| db.first(&sql, &args![bits(id.0)], focus_of))
    }

    /// All of them, the one that was last at work first.
    pub fn focuses(&mut self) -> Result<Vec<FocusRow>, StoreError> {
        let sql = format!("SELECT {FOCUS} FROM focus ORDER BY last DESC, id DESC");
        self.base.read(|db| db.all(&sql, &[], focus_of))
    }

    /// Steps from a place on, in their order, up to `most`; all, or the relevant pages alone.
    pub fn steps(&mut self, id: FocusId, from: u32, most: usize, relevant: bool) -> Result<Vec<StepRow>, StoreError> {
        self.base.read(|db| {
            let only = if relevant { format!("AND {}", db.dialect().is_set("relevant")) } else { String::new() };
            let sql =
                format!("SELECT {STEP} FROM step WHERE focus = ?1 AND place >= ?2 {only} ORDER BY place LIMIT ?3");
            db.all(&sql, &args![bits(id.0), from, most], step_of)
        })
    }

    /// The relevant pages, the best first, after the first `skip` of them, up to `most`.
    pub fn best(&mut self, id: FocusId, skip: usize, most: usize) -> Result<Vec<StepRow>, StoreError> {
        self.base.read(|db| {
            let relevant = db.dialect().is_set("relevant");
            let sql = format!(
                "SELECT {STEP} FROM step WHERE focus = ?1 AND {relevant} ORDER BY score DESC, place LIMIT ?2 OFFSET ?3"
            );
            db.all(&sql, &args![bits(id.0), most, skip], step_of)
        })
    }

    /// The step that went to a page.
    pub fn step_of(&mut self, id: FocusId, page: PageId) -> Result<Option<StepRow>, StoreError> {
        let sql = format!("SELECT {STEP} FROM step WHERE focus = ?1 AND page = ?2 ORDER BY place LIMIT 1");
        self.base.read(|db| db.first(&sql, &args![bits(id.0), page.0], step_of))
    }

    /// How many relevant pages there were after how many steps: at most `points` pairs, the last step among them.
    pub fn curve(&mut self, id: FocusId, points: usize) -> Result<Vec<(u32, u32)>, StoreError> {
        let Some(steps) = self.focus(id)?.map(|row| row.steps).filter(|steps| *steps > 0) else {
            return Ok(Vec::new());
        };
        let points = u32::try_from(points.max(1)).unwrap_or(u32::MAX).min(steps);
        // The last step of each of as many equal stretches.
        let ends = (1..=points).map(|n| u64::from(steps) * u64::from(n) / u64::from(points));
        let ends: Vec<u32> = ends.map(|end| end as u32).collect();
        // One question for all of them: on a server each costs a journey.
        let places: Vec<String> = ends.iter().map(|end| (end - 1).to_string()).collect();
        let places = format!("[{}]", places.join(","));
        self.base.read(|db| {
            let those = db.dialect().numbers_of("?2");
            let sql = format!("SELECT place, found FROM step WHERE focus = ?1 AND place IN {those} ORDER BY place");
            db.all(&sql, &args![bits(id.0), &places], |row| Ok((row.get::<u32>(0)? + 1, row.get(1)?)))
        })
    }

    /// Forgets a crawl; its pages stay in the survey. False if there is none.
    pub fn forget(&mut self, id: FocusId) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| forget(db, id))
    }

    /// What is wrong with what is kept, in words; for `groma verify`.
    pub fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        found.extend(self.base.read(complaints)?);
        Ok(found)
    }
}

fn put_steps(db: &mut dyn Speak, id: FocusId, steps: &[StepRow]) -> Result<(), StoreError> {
    let sql = format!("INSERT INTO step (focus, {STEP}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    let mut fields = Vec::with_capacity(steps.len() * 8);
    for StepRow { order, page, address, score, relevant, found, said } in steps {
        fields.extend(args![bits(id.0), *order, page.0, address, *score, *relevant, *found, said]);
    }
    db.run_each(&sql, 8, &fields)
}

fn forget(db: &mut dyn Speak, id: FocusId) -> Result<bool, StoreError> {
    db.run("DELETE FROM step WHERE focus = ?1", &args![bits(id.0)])?;
    Ok(db.run("DELETE FROM focus WHERE id = ?1", &args![bits(id.0)])? > 0)
}

/// Those that rested longest go when there are too many, but not the one that has just begun.
fn forget_the_rest(db: &mut dyn Speak, but: FocusId) -> Result<(), StoreError> {
    let sql = "SELECT id FROM focus WHERE id <> ?1 ORDER BY last DESC, id DESC LIMIT ?3 OFFSET ?2";
    let old = db.all(sql, &args![bits(but.0), FOCUSES - 1, i64::MAX], |row| row.get::<i64>(0))?;
    for id in old {
        forget(db, FocusId(id as u64))?;
    }
    Ok(())
}

fn complaints(db: &mut dyn Speak) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let sql = "SELECT f.id, f.steps, f.relevant, count(s.place), coalesce(max(s.place) + 1, 0),
             CAST(coalesce(sum(s.relevant), 0) AS BIGINT)
         FROM focus f LEFT JOIN step s ON s.focus = f.id GROUP BY f.id";
    db.each(sql, &[], &mut |row| {
        let numbers: [i64; 6] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?];
        let [id, steps, relevant, there, places, sum] = numbers;
        if steps != there || steps != places {
            found.push(format!("focused crawl {id} has {there} steps of {steps}"));
        }
        if relevant != sum {
            found.push(format!("focused crawl {id} says {relevant} relevant pages, its steps say {sum}"));
        }
        Ok(true)
    })?;
    let orphans = db.number("SELECT count(*) FROM step WHERE focus NOT IN (SELECT id FROM focus)", &[])?;
    if orphans > 0 {
        found.push(format!("{orphans} steps of no focused crawl"));
    }
    Ok(found)
}

fn focus_of(row: &SqlRow<'_>) -> Result<FocusRow, StoreError> {
    Ok(FocusRow {
        id: FocusId(row.get::<i64>(0)? as u64),
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

fn step_of(row: &SqlRow<'_>) -> Result<StepRow, StoreError> {
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
