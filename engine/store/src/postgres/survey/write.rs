//! Writing: one batch, one transaction. And what the writer asks.

use std::sync::Arc;

use groma_model::{Depth, Fp, HostId, PageId, Reason};

use super::PgStore;
use super::print::Print;
use super::read::limit;
use super::reading::{row, rows};
use super::rows::{number, number_if_any, print, queued};
use super::steps::{BatchStatement, Param, Steps};
use crate::batch::WriteBatch;
use crate::rows::Queued;
use crate::workers::Workers;
use crate::{Store, StoreError};

impl Store for PgStore {
    fn workers(&mut self) -> Option<&mut dyn Workers> {
        if self.membership.is_some() { Some(self) } else { None }
    }

    fn commit(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        let (steps, bodies) = Steps::for_batch(batch, self.bodies);
        self.apply(&steps)?;
        self.bodies = bodies;
        Ok(())
    }

    fn last_ids(&mut self) -> Result<(u32, u32), StoreError> {
        let sql = "SELECT coalesce((SELECT max(id) FROM address), 0), coalesce((SELECT max(id) FROM host), 0)";
        match self.ask(|live| row(live, sql, &[]))? {
            Some(row) => Ok((number(&row, 0)?, number(&row, 1)?)),
            None => Ok((0, 0)),
        }
    }

    fn folded(&mut self, key: Fp) -> Result<Option<PageId>, StoreError> {
        let found = self.ask(|live| row(live, "SELECT page FROM fold WHERE key = $1", &[&Print(key)]))?;
        found.map(|row| Ok(PageId(number(&row, 0)?))).transpose()
    }

    fn variant(&mut self, key: Fp) -> Result<Option<(PageId, Fp)>, StoreError> {
        let found = self.ask(|live| row(live, "SELECT page, text FROM variant WHERE key = $1", &[&Print(key)]))?;
        found.map(|row| Ok((PageId(number(&row, 0)?), print(&row, 1)?))).transpose()
    }

    fn first_round(&mut self) -> Result<Option<u32>, StoreError> {
        let first = self.ask(|live| row(live, "SELECT min(round) FROM queue", &[]))?;
        Ok(first.map(|row| number_if_any(&row, 0)).transpose()?.flatten())
    }

    fn queued_hosts(&mut self, round: u32) -> Result<Vec<HostId>, StoreError> {
        // A plain DISTINCT would walk every queued URL; this walks the index from host to host.
        let sql = "WITH RECURSIVE next (host) AS (
                 (SELECT min(host) FROM queue WHERE round = $1)
                 UNION ALL
                 SELECT (SELECT min(q.host) FROM queue q WHERE q.round = $1 AND q.host > next.host) FROM next
                 WHERE next.host IS NOT NULL
             ) SELECT host FROM next WHERE host IS NOT NULL";
        let hosts = self.ask(|live| rows(live, sql, &[&i64::from(round)]))?;
        hosts.iter().map(|row| Ok(HostId(number(row, 0)?))).collect()
    }

    fn queued(&mut self, round: u32, host: HostId, most: usize) -> Result<Vec<Queued>, StoreError> {
        // The turns first, from the index alone; then their URLs.
        let sql = "SELECT a.id, a.url, a.depth, a.run, a.reason, a.via, l.urls FROM
                 (SELECT rank, id FROM queue WHERE round = $1 AND host = $2 ORDER BY rank, id LIMIT $3) AS turn
             JOIN address a ON a.id = turn.id LEFT JOIN linked l ON l.id = turn.id ORDER BY turn.rank, turn.id";
        let turns = self.ask(|live| rows(live, sql, &[&i64::from(round), &i64::from(host.0), &limit(most)]))?;
        turns.iter().map(queued).collect()
    }

    fn requeue(&mut self, which: &dyn Fn(Reason) -> bool) -> Result<u64, StoreError> {
        let reasons: Vec<i16> = Reason::ALL.iter().filter(|r| which(**r)).map(|r| i16::from(r.code())).collect();
        let sql = "INSERT INTO queue (id, host, round, rank)
             SELECT id, host, coalesce(depth, $2), 0 FROM address WHERE reason = ANY ($1)
             ON CONFLICT (id) DO UPDATE SET round = EXCLUDED.round, rank = EXCLUDED.rank";
        let loose = i64::from(Depth::LOOSE.0);
        self.apply_one(sql, vec![Arc::new(reasons), Arc::new(loose)])
    }

    fn shelve(&mut self, reason: Reason, now: i64) -> Result<u64, StoreError> {
        let shelve = "UPDATE address a SET reason = $1, since = $3 FROM queue q WHERE q.id = a.id AND a.reason = $2";
        let (reason, waiting) = (i16::from(reason.code()), i16::from(Reason::Waiting.code()));
        let params: Vec<Param> = vec![Arc::new(reason), Arc::new(waiting), Arc::new(now)];
        let steps =
            [BatchStatement { sql: shelve, params }, BatchStatement { sql: "DELETE FROM queue", params: Vec::new() }];
        Ok(self.apply(&steps)?.first().copied().unwrap_or(0))
    }
}

impl PgStore {
    fn apply_one(&mut self, sql: &'static str, params: Vec<Param>) -> Result<u64, StoreError> {
        Ok(self.apply(&[BatchStatement { sql, params }])?.first().copied().unwrap_or(0))
    }

    fn apply(&mut self, steps: &[BatchStatement]) -> Result<Vec<u64>, StoreError> {
        match &mut self.fence {
            Some(fence) => fence.apply(steps),
            None => Err(StoreError::ReadOnly(super::place(&self.server, &self.survey))),
        }
    }
}
