//! Writes the documents of records: those of gatherings that moved, as far as their digests differ, and takes out those of
//! gatherings that are forgotten.
//!
//! The title of a record's document is the value it is called by, its body all the others; what is said of a database, and the values
//! that stand in no record, have one document more ([`Whole`]). Work: linear in the records of the gatherings that moved.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_store::gathers::{Gathers, RecordRow};

use super::desk::Desk;
use super::document::{folders, join};
use super::gathered::{DatabaseToIndex, Gathered, Seal, Twins, digest_of_record};
use super::leaf::{Leaf, Room};
use super::survey::Mark;
use super::whole::{Recorded, Whole};
use crate::databases::{Database, Databases};
use crate::key::{self, Key};
use crate::record::Said;
use crate::schema::{Class, Fields, language_code};
use crate::text::Language;
use crate::{IndexProgress, SearchError};

/// Records read at a time.
const ROWS: usize = 1_000;

/// What a gathering has in the index when all is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    /// Nothing changes.
    TheSame,
    /// So many records from the first on, and perhaps a document for the whole.
    Documents { records: u32, whole: bool },
}

/// The records that the index should hold, and those it holds.
pub(super) struct Records<'a> {
    pub(super) gathers: &'a mut Gathers,
    pub(super) gathered: &'a mut Gathered,
    /// Keys and digests of the records in the index.
    pub(super) held: &'a mut HashMap<Key, u64>,
    /// What was known of the databases before.
    pub(super) before: Databases,
    /// Documents looked at before, for those who watch.
    pub(super) done: u64,
}

/// Records of gatherings that moved since that mark.
pub(super) fn to_look_at(gathered: &Gathered, mark: &Mark) -> u64 {
    let moved = gathered.list.iter().filter(|wanted| mark.seal(wanted.database.gather) != Some(&wanted.seal));
    moved.map(|wanted| u64::from(wanted.take.max(1))).sum()
}

impl Records<'_> {
    /// Brings the records up to date, unless it is stopped.
    pub(super) fn write(
        mut self,
        desk: &mut Desk<'_>,
        stop: &AtomicBool,
        step: &mut dyn FnMut(IndexProgress),
    ) -> Result<(), SearchError> {
        let of = self.done + to_look_at(self.gathered, &desk.before);
        let mut has: HashMap<u32, Has> = HashMap::new();
        let mut twins = Twins::from_gathered(self.gathered);
        let mut list = std::mem::take(&mut self.gathered.list);
        for wanted in &mut list {
            twins.settle();
            let gather = wanted.database.gather;
            if desk.before.seal(gather) == Some(&wanted.seal) {
                // What there was no room for is known from then.
                wanted.database.left_out = self.before.by_gather(gather).map_or(0, |database| database.left_out);
                has.insert(gather, Has::TheSame);
                self.remember(wanted, &mut twins)?;
                continue;
            }
            let mut recorded = Recorded::default();
            let step = &mut |done| step(IndexProgress { done, of });
            let records = self.records(desk, wanted, (&mut twins, &mut recorded), stop, step)?;
            if desk.followed.interrupted {
                break;
            }
            let whole = self.whole(desk, wanted, &recorded, &mut twins)?;
            has.insert(gather, Has::Documents { records, whole });
            // Somebody gathers at this moment: it is looked at again next time.
            if !wanted.stands(self.gathers)? {
                wanted.seal = Seal { sum: 0, ..wanted.seal.clone() };
            }
        }
        self.gathered.list = list;
        if !desk.followed.interrupted {
            self.sweep(desk, &has);
            step(IndexProgress { done: of, of });
        }
        Ok(())
    }

    /// Remembers what a gathering has that stays as it is, if another one of its form may have the same.
    fn remember(&mut self, wanted: &DatabaseToIndex, twins: &mut Twins) -> Result<(), SearchError> {
        let database = &wanted.database;
        if !twins.has(&database.form) {
            return Ok(());
        }
        each_record(self.gathers, wanted, &mut |row| {
            twins.is_known(&database.form, row);
        })?;
        Whole::read(self.gathers, wanted, &Recorded::default(), twins).map(drop)
    }

    fn records(
        &mut self,
        desk: &mut Desk<'_>,
        wanted: &DatabaseToIndex,
        (twins, recorded): (&mut Twins, &mut Recorded),
        stop: &AtomicBool,
        step: &mut dyn FnMut(u64),
    ) -> Result<u32, SearchError> {
        let database = &wanted.database;
        let composer = Composer::new(database, desk);
        let mut next = 0;
        while next < wanted.take {
            step(self.done);
            desk.followed.interrupted = stop.load(Ordering::Relaxed);
            if desk.followed.interrupted {
                break;
            }
            let most = ROWS.min((wanted.take - next) as usize);
            let rows = self.gathers.records(key::long(database.gather), next, most)?;
            if rows.is_empty() {
                break;
            }
            self.done += rows.len() as u64;
            for row in rows {
                let (key, digest) = (Key::Record(database.gather, row.place), digest_of_record(database, &row));
                next = row.place.saturating_add(1);
                recorded.add(&row);
                if twins.is_known(&database.form, &row) {
                    if self.held.remove(&key).is_some() {
                        desk.remove(key);
                    }
                    continue;
                }
                let old = self.held.insert(key, digest);
                if old != Some(digest) {
                    let said = Said::read(&row.values);
                    let leaf = composer.leaf(key, digest, said.title(), said.others().map(|(_, value)| value));
                    desk.put(key, leaf, old.is_some())?;
                }
            }
        }
        Ok(next)
    }

    /// The document of the database as a whole; is there one?
    fn whole(
        &mut self,
        desk: &mut Desk<'_>,
        wanted: &mut DatabaseToIndex,
        recorded: &Recorded,
        twins: &mut Twins,
    ) -> Result<bool, SearchError> {
        self.done += u64::from(wanted.take == 0);
        let Some(whole) = Whole::read(self.gathers, wanted, recorded, twins)? else { return Ok(false) };
        let database = &wanted.database;
        let key = Key::Whole(database.gather);
        let old = self.held.insert(key, whole.digest);
        if old != Some(whole.digest) {
            let values = whole.values.iter().map(|(_, value)| value.as_str());
            let about = if whole.has_about { database.about.as_str() } else { "" };
            let leaf =
                Composer::new(database, desk).leaf(key, whole.digest, &database.title, about.lines().chain(values));
            desk.put(key, leaf, old.is_some())?;
        }
        wanted.database.left_out += whole.left_out;
        Ok(true)
    }

    /// Takes out what no longer belongs.
    fn sweep(&self, desk: &mut Desk<'_>, has: &HashMap<u32, Has>) {
        for &key in self.held.keys() {
            let stays = match key {
                Key::Page(_) => true,
                Key::Record(gather, place) => match has.get(&gather) {
                    Some(Has::TheSame) => true,
                    Some(Has::Documents { records, .. }) => place < *records,
                    None => false,
                },
                Key::Whole(gather) => {
                    matches!(has.get(&gather), Some(Has::TheSame | Has::Documents { whole: true, .. }))
                }
            };
            if !stays {
                desk.remove(key);
            }
        }
    }
}

/// Every record of a gathering that is to be taken up, in its order.
pub(super) fn each_record(
    gathers: &mut Gathers,
    wanted: &DatabaseToIndex,
    visit: &mut dyn FnMut(&RecordRow),
) -> Result<(), SearchError> {
    let mut next = 0;
    while next < wanted.take {
        let most = ROWS.min((wanted.take - next) as usize);
        let rows = gathers.records(key::long(wanted.database.gather), next, most)?;
        let Some(last) = rows.last() else { break };
        next = last.place.saturating_add(1);
        rows.iter().for_each(&mut *visit);
    }
    Ok(())
}

/// Makes the documents of one database.
struct Composer<'a> {
    database: &'a Database,
    fields: Fields,
    room: Arc<Room>,
}

impl<'a> Composer<'a> {
    fn new(database: &'a Database, desk: &Desk<'_>) -> Composer<'a> {
        Composer { database, fields: desk.fields, room: desk.room.clone() }
    }

    fn leaf<'v>(&self, key: Key, digest: u64, title: &str, values: impl Iterator<Item = &'v str>) -> Leaf {
        let mark = Language::from_code(&self.database.language).mark();
        let of_mark = || String::from(mark);
        let (mut name, mut body) = (of_mark(), of_mark());
        join(&mut name, title);
        values.for_each(|value| join(&mut body, value));
        let space = name.len() + body.len() + folders(&self.database.form).map(str::len).sum::<usize>();
        let mut leaf = Leaf::with_space(space, &self.room);
        for (field, text) in [(self.fields.title, &name), (self.fields.body, &body)] {
            if text.len() > mark.len_utf8() {
                leaf.text(field, text);
            }
        }
        folders(&self.database.form).for_each(|folder| leaf.text(self.fields.under, folder));
        leaf.number(self.fields.page, key.number());
        leaf.number(self.fields.digest, digest);
        leaf.number(self.fields.class, u64::from(Class::RECORD.0));
        leaf.number(self.fields.language, language_code(&self.database.language));
        leaf
    }
}
