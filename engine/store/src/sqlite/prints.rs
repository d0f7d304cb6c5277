//! Which URL has this fingerprint? An index that is written in sorted runs, not row by row.
//!
//! ```text
//! index  table `print`: (first 64 bits of the fingerprint, number), for every URL up to the number `printed`
//! tail   the URLs after `printed`, in memory: at most TAIL and one batch
//! find   tail, then index; the 128 bits in the URL row decide
//! ```
//!
//! Fingerprints are random, so an index that is kept up to date row by row dirties a page of its own for nearly every new
//! URL, and each batch writes all of them into the log again. Here a URL waits in the tail; when the tail is full,
//! and when a run ends, it is sorted and entered in one transaction, each page once. (The idea of a log-structured merge,
//! O'Neil et al. 1996, with a single step.) The rows themselves are committed with their batch as ever: after a kill the
//! tail is read back from the rows after `printed`.
//!
//! Cost: a page of the index is written at most once for each TAIL URLs, so a million URLs cost about eight times
//! the index (it grows meanwhile) instead of a page each. Memory: 5 MB for a full tail. Reading in the middle of a crawl,
//! or after a kill, costs one pass over the rows of the tail for the first fingerprint that the index does not have.
//!
//! Not guaranteed: beyond some ten million URLs nearly every entry of the tail meets a page of its own again, and
//! the gain is gone. That no fingerprint is entered twice is checked within the tail at once and over the whole index by
//! [`complaints`], not by a constraint.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension, params};

use groma_model::Fp;

use crate::StoreError;
use crate::batch::NewAddress;

/// URLs that wait to be entered into the index.
const TAIL: usize = 1 << 16;

/// The URLs that the index does not have yet. Read when first asked for.
#[derive(Default)]
pub(super) struct Tail(Option<HashMap<Fp, u32>>);

impl Tail {
    /// The URL with this fingerprint: its number, the code of its reason, and whether URLs are kept by which it was linked.
    pub(super) fn find(&mut self, db: &Connection, fp: Fp) -> Result<Option<(u32, u8, bool)>, StoreError> {
        let mut find = db.prepare_cached(
            "SELECT a.id, a.reason, EXISTS (SELECT 1 FROM linked l WHERE l.id = a.id)
             FROM print p JOIN address a ON a.id = p.id WHERE p.key = ?1 AND a.fp = ?2",
        )?;
        let indexed = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        // Somebody who only reads meets an empty tail as a rule: the index first spares them reading it.
        if self.0.is_none()
            && let Some(found) = find.query_row(params![key(fp), fp.to_bytes()], indexed).optional()?
        {
            return Ok(Some(found));
        }
        if let Some(&id) = self.read(db)?.get(&fp) {
            let mut waiting = db.prepare_cached(
                "SELECT id, reason, EXISTS (SELECT 1 FROM linked l WHERE l.id = a.id) FROM address a WHERE id = ?1",
            )?;
            return Ok(waiting.query_row([id], indexed).optional()?);
        }
        Ok(find.query_row(params![key(fp), fp.to_bytes()], indexed).optional()?)
    }

    /// Refuses URLs that cannot be new.
    pub(super) fn check(&mut self, db: &Connection, new: &[NewAddress]) -> Result<(), StoreError> {
        let printed = printed(db)?;
        let tail = self.read(db)?;
        let mut seen = HashSet::with_capacity(new.len());
        for address in new {
            if tail.contains_key(&address.fp) || !seen.insert(address.fp) {
                return Err(StoreError::Damaged(format!("{} was to be entered twice", address.url)));
            }
            // Whoever reads the tail back begins behind the greatest number in the index.
            if u64::from(address.id.0) <= printed as u64 && printed > 0 {
                return Err(StoreError::Damaged(format!("{} was to get a number given out before", address.url)));
            }
        }
        Ok(())
    }

    /// These URLs have been committed.
    pub(super) fn extend(&mut self, db: &Connection, new: &[NewAddress]) -> Result<(), StoreError> {
        self.read(db)?.extend(new.iter().map(|address| (address.fp, address.id.0)));
        Ok(())
    }

    /// Is it time to enter the tail into the index?
    pub(super) fn is_full(&self) -> bool {
        self.0.as_ref().is_some_and(|tail| tail.len() >= TAIL)
    }

    /// Enters the tail into the index, in one transaction.
    pub(super) fn settle(&mut self, db: &mut Connection) -> Result<(), StoreError> {
        let tail = self.read(db)?;
        if tail.is_empty() {
            return Ok(());
        }
        let mut rows: Vec<(i64, i64)> = tail.iter().map(|(fp, id)| (key(*fp), i64::from(*id))).collect();
        let tx = db.transaction()?;
        enter(&tx, &mut rows)?;
        tx.commit()?;
        tail.clear();
        Ok(())
    }

    fn read(&mut self, db: &Connection) -> Result<&mut HashMap<Fp, u32>, StoreError> {
        if self.0.is_none() {
            let mut rows = db.prepare_cached("SELECT fp, id FROM address WHERE id > ?1")?;
            let rows = rows.query_map([printed(db)?], |row| Ok((Fp(u128::from_be_bytes(row.get(0)?)), row.get(1)?)))?;
            self.0 = Some(rows.collect::<Result<_, _>>()?);
        }
        Ok(self.0.get_or_insert_default())
    }
}

/// Enters URLs (the first half of the fingerprint, the number) into the index, sorted, and empties the list. All of them come after
/// those that are in it. For whoever has begun a transaction.
pub(crate) fn enter(db: &Connection, rows: &mut Vec<(i64, i64)>) -> Result<(), StoreError> {
    let last = rows.iter().map(|(_, id)| *id).max();
    rows.sort_unstable();
    let mut enter = db.prepare_cached("INSERT INTO print (key, id) VALUES (?1, ?2)")?;
    for row in rows.drain(..) {
        enter.execute(row)?;
    }
    let mut note = db.prepare_cached("INSERT OR REPLACE INTO counter (key, value) VALUES ('printed', ?1)")?;
    note.execute([last])?;
    Ok(())
}

/// What is wrong with the index: it lacks a URL, means one that is not there, or two are the same.
///
/// Both sides are read once, in their own order, and compared by a sum over their entries.
pub(super) fn complaints(db: &Connection) -> Result<Vec<String>, StoreError> {
    let mut wrong = Vec::new();
    let mut rows = Sum::default();
    let mut all = db.prepare("SELECT fp, id FROM address WHERE id <= ?1")?;
    let mut all = all.query([printed(db)?])?;
    while let Some(row) = all.next()? {
        rows.add(key(Fp(u128::from_be_bytes(row.get(0)?))), row.get(1)?);
    }
    let mut entries = Sum::default();
    let mut group: (i64, HashMap<[u8; 16], u32>) = (0, HashMap::new());
    let mut last = None;
    let mut index = db.prepare("SELECT key, id FROM print ORDER BY key, id")?;
    let mut index = index.query([])?;
    while let Some(row) = index.next()? {
        let (key, id): (i64, u32) = (row.get(0)?, row.get(1)?);
        entries.add(key, id);
        // Two URLs may share a key, by chance once in thousands of millions: then all of their 128 bits count.
        if let Some((before, first)) = last.replace((key, id)).filter(|(before, _)| *before == key) {
            if group.0 != before || group.1.is_empty() {
                group = (before, fingerprint(db, first)?.map(|fp| (fp, first)).into_iter().collect());
            }
            if let Some(fp) = fingerprint(db, id)?
                && let Some(twin) = group.1.insert(fp, id)
            {
                wrong.push(format!("URLs {twin} and {id} have the same fingerprint"));
            }
        }
    }
    if rows != entries {
        wrong.push(format!("{} URLs, {} fingerprints, not all of them theirs", rows.count, entries.count));
    }
    Ok(wrong)
}

/// What a number of entries amounts to, in whatever order they come.
#[derive(Default, PartialEq)]
struct Sum {
    count: u64,
    sum: u64,
}

impl Sum {
    fn add(&mut self, key: i64, id: u32) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(mixed(mixed(key as u64) ^ u64::from(id)));
    }
}

/// Steele, Lea and Flood's SplitMix64: so that entries whose halves are exchanged do not have the same sum.
fn mixed(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

fn fingerprint(db: &Connection, id: u32) -> Result<Option<[u8; 16]>, StoreError> {
    let mut find = db.prepare_cached("SELECT fp FROM address WHERE id = ?1")?;
    Ok(find.query_row([id], |row| row.get(0)).optional()?)
}

fn printed(db: &Connection) -> Result<u32, StoreError> {
    let mut find = db.prepare_cached("SELECT value FROM counter WHERE key = 'printed'")?;
    Ok(find.query_row([], |row| row.get(0)).optional()?.unwrap_or(0))
}

fn key(fp: Fp) -> i64 {
    (fp.0 >> 64) as i64
}

#[cfg(test)]
mod tests {
    use groma_model::{Depth, HostId, LinkKind, PageId, Reason};

    use super::*;
    use crate::{Snapshot, SqliteStore, Store, WriteBatch};

    fn address(id: u32, fp: u128) -> NewAddress {
        NewAddress {
            id: PageId(id),
            fp: Fp(fp),
            host: HostId(1),
            url: format!("http://h/{id}"),
            reason: Reason::OutOfScope,
            depth: Depth(1),
            via: None,
            via_kind: LinkKind::Anchor,
            alias_of: None,
            queue: None,
            run: 0,
        }
    }

    fn store() -> SqliteStore {
        SqliteStore::open(std::path::Path::new(":memory:")).unwrap()
    }

    fn commit(store: &mut SqliteStore, addresses: Vec<NewAddress>, ends: bool) -> Result<(), StoreError> {
        let run_ends = ends.then(|| "done".to_owned());
        store.commit(&WriteBatch { run: 1, addresses, run_ends, ..WriteBatch::default() })
    }

    fn number(store: &mut SqliteStore, fp: u128) -> Option<u32> {
        store.find(Fp(fp)).unwrap().map(|found| found.id.0)
    }

    #[test]
    fn an_address_is_found_in_the_tail_in_the_index_and_after_a_kill() {
        let mut store = store();
        commit(&mut store, vec![address(1, 7 << 64), address(2, 5 << 64)], false).unwrap();
        assert_eq!((number(&mut store, 7 << 64), printed(&store.db).unwrap()), (Some(1), 0));
        commit(&mut store, vec![address(3, u128::MAX)], true).unwrap();
        assert_eq!((number(&mut store, u128::MAX), printed(&store.db).unwrap()), (Some(3), 3));
        commit(&mut store, vec![address(4, 1)], false).unwrap();
        // What a kill leaves: the rows, and nothing in memory.
        store.tail = Tail::default();
        let found = [5 << 64, 1, u128::MAX, 9].map(|fp| number(&mut store, fp));
        assert_eq!(found, [Some(2), Some(4), Some(3), None]);
        assert_eq!(store.damage().unwrap(), [""; 0]);
    }

    #[test]
    fn fingerprints_that_share_their_first_half_are_told_apart() {
        let mut store = store();
        commit(&mut store, vec![address(1, 1), address(2, 2), address(3, 1 << 127)], true).unwrap();
        assert_eq!([1, 2, 3, 1 << 127].map(|fp| number(&mut store, fp)), [Some(1), Some(2), None, Some(3)]);
        assert_eq!(store.damage().unwrap(), [""; 0]);
    }

    #[test]
    fn no_address_is_entered_twice_unnoticed() {
        let mut store = store();
        commit(&mut store, vec![address(1, 1)], false).unwrap();
        assert!(matches!(commit(&mut store, vec![address(2, 1)], false), Err(StoreError::Damaged(_))));
        commit(&mut store, vec![address(2, 2)], true).unwrap();
        commit(&mut store, vec![address(3, 1)], true).unwrap();
        assert_eq!(store.damage().unwrap(), ["URLs 1 and 3 have the same fingerprint"]);
    }

    #[test]
    fn an_index_that_lacks_or_swaps_entries_is_noticed() {
        let mut store = store();
        commit(&mut store, (1..100).map(|n| address(n, u128::from(n) << 70)).collect(), true).unwrap();
        assert_eq!(store.damage().unwrap(), [""; 0]);
        store.db.execute("UPDATE print SET id = 101 - id WHERE id IN (50, 51)", []).unwrap();
        assert_eq!(store.damage().unwrap().len(), 1, "two entries are swapped");
        store.db.execute("UPDATE print SET id = 101 - id WHERE id IN (50, 51)", []).unwrap();
        store.db.execute("DELETE FROM print WHERE id = 9", []).unwrap();
        assert_eq!(store.damage().unwrap(), ["99 URLs, 98 fingerprints, not all of them theirs"]);
    }

    #[test]
    fn a_full_tail_goes_into_the_index() {
        let mut store = store();
        let fp = |n: u32| u128::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let all = TAIL as u32 + 10;
        commit(&mut store, (1..=all).map(|n| address(n, fp(n))).collect(), false).unwrap();
        assert_eq!(printed(&store.db).unwrap(), all);
        assert!(store.tail.0.as_ref().is_some_and(HashMap::is_empty));
        assert!((1..=all).step_by(997).all(|n| number(&mut store, fp(n)) == Some(n)));
        assert_eq!(store.damage().unwrap(), [""; 0]);
    }
}
