//! Writing: one batch, one transaction.

use rusqlite::{Connection, OptionalExtension, params};

use groma_model::{Depth, Fp, HostId, PageId, Reason};

use super::SqliteStore;
use crate::batch::{Amend, Content, NewAddress, Settled, WriteBatch};
use crate::rows::Queued;
use crate::{Store, StoreError};

/// URLs taken out of the queue at a time.
const SHELVED: usize = 50_000;

type Done = Result<(), StoreError>;

impl Store for SqliteStore {
    fn commit(&mut self, batch: &WriteBatch) -> Done {
        self.tail.check(&self.db, &batch.addresses)?;
        let tx = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let bodies = match self.bodies {
            Some(known) => known,
            None => tx.prepare_cached("SELECT 1 FROM body LIMIT 1")?.exists([])?,
        };
        let bodies = apply(&tx, batch, bodies)?;
        tx.commit()?;
        self.bodies = Some(bodies);
        self.tail.extend(&self.db, &batch.addresses)?;
        if self.tail.is_full() || batch.run_ends.is_some() {
            self.tail.settle(&mut self.db)?;
        }
        Ok(())
    }

    fn last_ids(&mut self) -> Result<(u32, u32), StoreError> {
        let last = |sql| self.db.query_row(sql, [], |row| row.get::<_, Option<u32>>(0));
        let page = last("SELECT max(id) FROM address")?;
        let host = last("SELECT max(id) FROM host")?;
        Ok((page.unwrap_or(0), host.unwrap_or(0)))
    }

    fn folded(&mut self, key: Fp) -> Result<Option<PageId>, StoreError> {
        let mut find = self.db.prepare_cached("SELECT page FROM fold WHERE key = ?1")?;
        Ok(find.query_row([key.to_bytes()], |row| row.get(0).map(PageId)).optional()?)
    }

    fn variant(&mut self, key: Fp) -> Result<Option<(PageId, Fp)>, StoreError> {
        let mut find = self.db.prepare_cached("SELECT page, text FROM variant WHERE key = ?1")?;
        let row = find.query_row([key.to_bytes()], |row| Ok((PageId(row.get(0)?), row.get::<_, [u8; 16]>(1)?)));
        Ok(row.optional()?.map(|(page, text)| (page, Fp(u128::from_be_bytes(text)))))
    }

    fn first_round(&mut self) -> Result<Option<u32>, StoreError> {
        let mut first = self.db.prepare_cached("SELECT min(round) FROM address WHERE round IS NOT NULL")?;
        Ok(first.query_row([], |row| row.get(0))?)
    }

    fn queued_hosts(&mut self, round: u32) -> Result<Vec<HostId>, StoreError> {
        // A plain DISTINCT would walk every queued URL; this walks the index from host to host.
        let mut next = self.db.prepare_cached("SELECT min(host) FROM address WHERE round = ?1 AND host > ?2")?;
        let mut hosts = Vec::new();
        let mut last = -1i64;
        while let Some(host) = next.query_row(params![round, last], |row| row.get::<_, Option<u32>>(0))? {
            hosts.push(HostId(host));
            last = i64::from(host);
        }
        Ok(hosts)
    }

    fn queued(&mut self, round: u32, host: HostId, most: usize) -> Result<Vec<Queued>, StoreError> {
        let mut find = self.db.prepare_cached(
            "SELECT a.id, url, depth, run, reason, via, urls FROM address a LEFT JOIN linked l ON l.id = a.id
             WHERE round = ?1 AND host = ?2 ORDER BY rank, a.id LIMIT ?3",
        )?;
        let rows = find.query_map(params![round, host.0, most as i64], |row| {
            Ok(Queued {
                id: PageId(row.get(0)?),
                url: row.get(1)?,
                depth: row.get::<_, Option<u32>>(2)?.map_or(Depth::LOOSE, Depth),
                run: row.get(3)?,
                reason: super::read::reason(row, 4)?,
                via: row.get::<_, Option<u32>>(5)?.map(PageId),
                linked: row.get(6)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn requeue(&mut self, which: &dyn Fn(Reason) -> bool) -> Result<u64, StoreError> {
        let tx = self.db.transaction()?;
        let mut moved = 0;
        for reason in Reason::ALL.iter().filter(|r| which(**r)) {
            moved += tx.execute(
                "UPDATE address SET round = ifnull(depth, ?1), rank = 0 WHERE reason = ?2",
                params![Depth::LOOSE.0, reason.code()],
            )?;
        }
        tx.commit()?;
        Ok(moved as u64)
    }

    fn shelve(&mut self, reason: Reason, now: i64) -> Result<u64, StoreError> {
        let tx = self.db.transaction()?;
        let waiting = Reason::Waiting.code();
        // In steps: what changes the index it is found by is held in memory until the end.
        let step = format!(
            "UPDATE address SET reason = ?1, since = ?3, round = NULL, rank = NULL WHERE id IN \
             (SELECT id FROM address WHERE round IS NOT NULL AND reason = ?2 LIMIT {SHELVED})"
        );
        let mut moved = 0;
        loop {
            let now_moved = tx.execute(&step, params![reason.code(), waiting, now])?;
            moved += now_moved;
            if now_moved < SHELVED {
                break;
            }
        }
        tx.execute("UPDATE address SET round = NULL, rank = NULL WHERE round IS NOT NULL", [])?;
        tx.commit()?;
        Ok(moved as u64)
    }
}

/// Writes a batch. `bodies`: is any body kept? Gives the answer to that afterwards.
fn apply(db: &Connection, batch: &WriteBatch, mut bodies: bool) -> Result<bool, StoreError> {
    if let Some(kind) = &batch.run_begins {
        let begin = "INSERT INTO run (id, kind, started, ended, outcome) VALUES (?1, ?2, ?3, NULL, '')";
        db.prepare_cached(begin)?.execute(params![batch.run, kind, batch.now])?;
    }
    for host in &batch.hosts {
        db.prepare_cached("INSERT INTO host (id, origin) VALUES (?1, ?2)")?.execute(params![host.id.0, host.origin])?;
    }
    insert(db, &batch.addresses, batch.now)?;
    for (id, urls) in &batch.linked {
        db.prepare_cached("INSERT OR REPLACE INTO linked (id, urls) VALUES (?1, ?2)")?.execute(params![id.0, urls])?;
    }
    for settled in &batch.settled {
        bodies |= matches!(&settled.content, Content::Put { body: Some(_), .. });
        settle(db, settled, batch.now, bodies)?;
    }
    for change in &batch.amends {
        amend(db, change, batch.now, bodies)?;
    }
    learn(db, batch)?;
    for robots in &batch.robots {
        db.prepare_cached("UPDATE host SET robots_at = ?2, robots_status = ?3, robots = ?4 WHERE id = ?1")?
            .execute(params![robots.host.0, robots.at, robots.status, robots.body])?;
    }
    for change in &batch.changes {
        let log = "INSERT INTO change (run, at, page, kind, amount, moved_to) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let to = change.to.map(|p| p.0);
        db.prepare_cached(log)?.execute(params![
            change.run,
            change.at,
            change.page.0,
            change.kind as u8,
            change.amount,
            to
        ])?;
    }
    count(db, batch)?;
    for (key, value) in &batch.values {
        db.prepare_cached("INSERT OR REPLACE INTO survey (key, value) VALUES (?1, ?2)")?.execute([key, value])?;
    }
    if let Some(outcome) = &batch.run_ends {
        db.prepare_cached("UPDATE run SET ended = ?2, outcome = ?3 WHERE id = ?1")?
            .execute(params![batch.run, batch.now, outcome])?;
    }
    Ok(bodies)
}

fn insert(db: &Connection, addresses: &[NewAddress], now: i64) -> Done {
    if addresses.is_empty() {
        return Ok(());
    }
    let mut enter = db.prepare_cached(
        "INSERT INTO address (id, fp, host, url, reason, depth, via, via_kind, alias_of, round, rank, run, since)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    for a in addresses {
        let (round, rank) = a.queue.unzip();
        enter.execute(params![
            a.id.0,
            a.fp.to_bytes(),
            a.host.0,
            a.url,
            a.reason.code(),
            a.depth.known(),
            a.via.map(|p| p.0),
            a.via_kind as u8,
            a.alias_of.map(|p| p.0),
            round,
            rank,
            a.run,
            now
        ])?;
    }
    Ok(())
}

fn settle(db: &Connection, s: &Settled, now: i64, bodies: bool) -> Done {
    db.prepare_cached(
        "UPDATE address SET since = iif(reason = ?2, since, ?4), reason = ?2, alias_of = ?3, round = NULL, rank = NULL
         WHERE id = ?1",
    )?
    .execute(params![s.id.0, s.reason.code(), s.alias_of.map(|p| p.0), now])?;
    let f = &s.facts;
    db.prepare_cached(
        "INSERT INTO page (id, status, media_type, charset, language, content_language, size, title, last_modified, etag,
             expires, text_fp, body_fp, near_fp, words, elapsed_ms, fetched_at, changed_at, canonical, noindex, nofollow, cuts,
             note)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, 0, ?18, ?19, ?20, ?21, ?22)
         ON CONFLICT (id) DO UPDATE SET status = ?2, media_type = ?3, charset = ?4, language = ?5, content_language = ?6,
             size = ?7, title = ?8, last_modified = ?9, etag = ?10, expires = ?11, text_fp = ?12, body_fp = ?13, near_fp = ?14,
             words = ?15, elapsed_ms = ?16, fetched_at = ?17, changed_at = iif(?23, ?17, changed_at), canonical = ?18,
             noindex = ?19, nofollow = ?20, cuts = ?21, note = ?22",
    )?
    .execute(params![
        s.id.0,
        f.status,
        f.media_type,
        f.charset,
        f.language,
        f.content_language,
        f.size as i64,
        f.title,
        f.last_modified,
        f.etag,
        f.expires,
        f.text_fp.map(Fp::to_bytes),
        f.body_fp.map(Fp::to_bytes),
        f.near_fp as i64,
        f.words,
        f.elapsed_ms,
        f.fetched_at,
        f.canonical.map(|p| p.0),
        f.noindex,
        f.nofollow,
        f.cuts,
        f.note,
        s.changed
    ])?;
    match &s.content {
        Content::Keep => Ok(()),
        Content::Remove => remove_content(db, s.id, bodies),
        Content::Put { targets, details, body } => {
            db.prepare_cached("INSERT OR REPLACE INTO content (id, targets, details) VALUES (?1, ?2, ?3)")?
                .execute(params![s.id.0, targets, details])?;
            match body {
                Some(bytes) => {
                    db.prepare_cached("INSERT OR REPLACE INTO body (id, bytes) VALUES (?1, ?2)")?
                        .execute(params![s.id.0, bytes])?;
                    Ok(())
                }
                None => remove_body(db, s.id, bodies),
            }
        }
    }
}

fn remove_content(db: &Connection, id: PageId, bodies: bool) -> Done {
    db.prepare_cached("DELETE FROM content WHERE id = ?1")?.execute([id.0])?;
    remove_body(db, id, bodies)
}

/// Most surveys keep no bodies: then there is none to look for.
fn remove_body(db: &Connection, id: PageId, bodies: bool) -> Done {
    if bodies {
        db.prepare_cached("DELETE FROM body WHERE id = ?1")?.execute([id.0])?;
    }
    Ok(())
}

fn amend(db: &Connection, a: &Amend, now: i64, bodies: bool) -> Done {
    let (round, rank) = a.queue.unzip();
    db.prepare_cached(
        "UPDATE address SET since = iif(reason = ?2, since, ?7), reason = ?2, round = ?3, rank = ?4, alias_of = ?5,
             depth = iif(?8, ?6, depth) WHERE id = ?1",
    )?
    .execute(params![
        a.id.0,
        a.reason.code(),
        round,
        rank,
        a.alias_of.map(|p| p.0),
        a.depth.and_then(Depth::known),
        now,
        a.depth.is_some()
    ])?;
    if a.forget {
        db.prepare_cached("DELETE FROM page WHERE id = ?1")?.execute([a.id.0])?;
        remove_content(db, a.id, bodies)?;
    }
    Ok(())
}

fn learn(db: &Connection, batch: &WriteBatch) -> Done {
    for (key, page, text) in &batch.evidence.variants {
        db.prepare_cached("INSERT OR REPLACE INTO variant (key, page, text) VALUES (?1, ?2, ?3)")?.execute(params![
            key.to_bytes(),
            page.0,
            text.to_bytes()
        ])?;
    }
    for (key, page) in &batch.evidence.folds {
        match page {
            Some(page) => db
                .prepare_cached("INSERT OR REPLACE INTO fold (key, page) VALUES (?1, ?2)")?
                .execute(params![key.to_bytes(), page.0])?,
            None => db.prepare_cached("DELETE FROM fold WHERE key = ?1")?.execute([key.to_bytes()])?,
        };
    }
    for l in &batch.evidence.learned {
        db.prepare_cached(
            "INSERT OR REPLACE INTO learned (shape, param, equal, differ, standing, folded, samples, example)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            l.shape,
            l.param,
            l.equal,
            l.differ,
            l.standing,
            l.folded as i64,
            l.samples,
            l.example
        ])?;
    }
    for f in &batch.findings {
        if f.detail.is_empty() {
            let gone = "DELETE FROM finding WHERE kind = ?1 AND subject = ?2";
            db.prepare_cached(gone)?.execute(params![f.kind, f.subject])?;
            continue;
        }
        db.prepare_cached(
            "INSERT INTO finding (kind, subject, detail, since) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (kind, subject) DO UPDATE SET detail = ?3",
        )?
        .execute(params![f.kind, f.subject, f.detail, f.since])?;
    }
    Ok(())
}

fn count(db: &Connection, batch: &WriteBatch) -> Done {
    let sum = "INSERT INTO counter (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = value + ?2";
    for (key, by) in
        [("fetches", batch.counts.fetches), ("bytes", batch.counts.bytes), ("rendered", batch.counts.rendered)]
    {
        if by > 0 {
            db.prepare_cached(sum)?.execute(params![key, by as i64])?;
        }
    }
    let hits = "INSERT INTO limit_hit (key, count) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET count = count + ?2";
    for (key, by) in batch.counts.limits.iter().filter(|(_, by)| **by > 0) {
        db.prepare_cached(hits)?.execute(params![key, *by as i64])?;
    }
    Ok(())
}
