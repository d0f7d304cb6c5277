//! A survey of which something was lost is made consistent again: what cannot be known any more is queued, to be fetched again.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use groma_model::{Depth, PageId, Reason, State};
use groma_sqlite_checksums::{open, writing};
use rusqlite::{Connection, params};

use super::salvage::Salvaged;
use crate::{StoreError, codec};

/// Fingerprints entered at a time.
const PRINTS: usize = 1 << 20;

/// What was lost for good, and what will be fetched again.
#[derive(Debug, Default)]
pub(crate) struct Requeued {
    /// URLs of which something was lost.
    pub(crate) queued: Vec<String>,
    /// URLs that are not known any more: how many, as far as links name them.
    pub(crate) forgotten: u64,
}

/// Makes the survey at this path consistent after [`super::salvage`] filled it. The index of fingerprints is made anew.
pub(crate) fn repair(path: &Path, salvaged: &[Salvaged], now: i64) -> Result<Requeued, StoreError> {
    let mut db = open(path, writing())?;
    let tx = db.transaction()?;
    let mut known = HashSet::new();
    let mut indexed = Vec::new();
    let mut origins: BTreeMap<u32, String> = BTreeMap::new();
    {
        let mut all = tx.prepare("SELECT id, reason, host, url FROM address ORDER BY id")?;
        let mut all = all.query([])?;
        while let Some(row) = all.next()? {
            let (id, host): (u32, u32) = (row.get(0)?, row.get(2)?);
            known.insert(id);
            let reason = super::read::reason(row, 1)?;
            if reason.state() == State::Fetched && reason != Reason::Imported {
                indexed.push(id);
            }
            let url: String = row.get(3)?;
            origins.entry(host).or_insert_with(|| origin(&url).to_owned());
        }
    }
    for (host, origin) in &origins {
        tx.execute("INSERT OR IGNORE INTO host (id, origin) VALUES (?1, ?2)", params![host, origin])?;
    }
    let mut lost: BTreeSet<u32> = BTreeSet::new();
    for table in salvaged.iter().filter(|of| ["page", "content", "body"].contains(&of.table.as_str())) {
        for (after, before) in &table.gaps {
            lost.extend(indexed.iter().filter(|id| (*after + 1..*before).contains(&i64::from(**id))));
        }
    }
    let stored: HashSet<u32> = numbers(&tx, "SELECT id FROM page")?.into_iter().collect();
    lost.extend(indexed.iter().filter(|id| !stored.contains(id)));
    lost.extend(numbers(&tx, "SELECT id FROM address WHERE alias_of NOT IN (SELECT id FROM address)")?);
    let (mut forgotten, mut links) = (BTreeSet::new(), Vec::new());
    {
        let mut all = tx.prepare("SELECT id, targets, details FROM content")?;
        let mut all = all.query([])?;
        while let Some(row) = all.next()? {
            let (targets, details): (Vec<u8>, Vec<u8>) = (row.get(1)?, row.get(2)?);
            links.clear();
            let sound = codec::unpack_links(&targets, &mut links).is_some()
                && (details.is_empty()
                    || codec::unpack_details(&details).is_some_and(|of| of.links.len() == links.len()));
            let missing: Vec<u32> = links.iter().map(|link| link.0).filter(|to| !known.contains(to)).collect();
            if !sound || !missing.is_empty() {
                lost.insert(row.get(0)?);
            }
            forgotten.extend(missing);
        }
    }
    for table in ["page", "content", "body"] {
        tx.execute(&format!("DELETE FROM {table} WHERE id NOT IN (SELECT id FROM address)"), [])?;
    }
    tx.execute("UPDATE address SET via = NULL WHERE via NOT IN (SELECT id FROM address)", [])?;
    let queued = forget(&tx, &lost, now)?;
    prints(&tx)?;
    tx.commit()?;
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    db.close().map_err(|(_, error)| error)?;
    Ok(Requeued { queued, forgotten: forgotten.len() as u64 })
}

/// What is stored of these goes, and they wait to be fetched as if for the first time: asked conditionally, a server would say that
/// nothing has changed.
fn forget(db: &Connection, pages: &BTreeSet<u32>, now: i64) -> Result<Vec<String>, StoreError> {
    let mut urls = Vec::new();
    for id in pages.iter().copied().map(PageId) {
        for table in ["page", "content", "body"] {
            db.prepare_cached(&format!("DELETE FROM {table} WHERE id = ?1"))?.execute([id.0])?;
        }
        let sql = "UPDATE address SET reason = ?2, since = ?3, alias_of = NULL, round = ifnull(depth, ?4), rank = 0
                   WHERE id = ?1 RETURNING url";
        let mut queue = db.prepare_cached(sql)?;
        let waiting = params![id.0, Reason::Waiting.code(), now, Depth::LOOSE.0];
        urls.extend(queue.query_map(waiting, |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(urls)
}

fn numbers(db: &Connection, sql: &str) -> Result<Vec<u32>, StoreError> {
    let mut all = db.prepare(sql)?;
    Ok(all.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

fn prints(db: &Connection) -> Result<(), StoreError> {
    db.execute("DELETE FROM print", [])?;
    db.execute("DELETE FROM counter WHERE key = 'printed'", [])?;
    let mut after = -1i64;
    loop {
        let mut rows: Vec<(i64, i64)> = {
            let mut next = db.prepare_cached("SELECT fp, id FROM address WHERE id > ?1 ORDER BY id LIMIT ?2")?;
            let key = |fp: [u8; 16]| (u128::from_be_bytes(fp) >> 64) as i64;
            let rows = next.query_map(params![after, PRINTS as i64], |row| Ok((key(row.get(0)?), row.get(1)?)))?;
            rows.collect::<Result<_, _>>()?
        };
        let Some((_, last)) = rows.last() else { return Ok(()) };
        after = *last;
        super::prints::enter(db, &mut rows)?;
    }
}

/// Scheme, name and port of a URL.
fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..].find(['/', '?', '#']).map_or(url, |at| &url[..start + at])
}
