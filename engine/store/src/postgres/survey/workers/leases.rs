//! Leases of hosts and servers.
//!
//! Free hosts with work are looked for along the index of the queue, from host to host, from where the last search ended, so that a
//! million hosts cost no more than a few; rows that somebody else is just leasing are skipped, not waited for. A host whose server is
//! somebody else's is left to them.

use std::time::Duration;

use groma_model::{Fp, HostId};

use super::super::PgStore;
use super::super::print::Print;
use super::super::reading::{row, rows};
use super::super::rows::{get, host, number};
use crate::StoreError;
use crate::postgres::driver::{Fault, Live};
use crate::rows::HostRow;
use crate::workers::Handed;

/// Hosts looked at for each that is wanted, and at least.
const LOOKED_AT: usize = 4;
const LEAST: usize = 64;

const NEXT: &str = "WITH RECURSIVE next (host, n) AS (
         (SELECT min(host), 1::int8 FROM queue WHERE round = $1 AND host >= $2)
         UNION ALL
         SELECT (SELECT min(q.host) FROM queue q WHERE q.round = $1 AND q.host > next.host), n + 1
         FROM next WHERE next.host IS NOT NULL AND n < $3
     ) SELECT host FROM next WHERE host IS NOT NULL";

/// What decides is in the row that is locked: where somebody else was quicker, it is looked at again as they left it.
const TAKE: &str = "WITH free AS (
         SELECT l.host FROM lease l WHERE l.host = ANY ($1) AND l.token = '00000000-0000-0000-0000-000000000000'
             AND NOT EXISTS (SELECT FROM server s WHERE s.print = l.server
                 AND s.token <> '00000000-0000-0000-0000-000000000000' AND s.token <> $4)
         LIMIT $2 FOR UPDATE OF l SKIP LOCKED
     ), taken AS (
         UPDATE lease l SET place = $3, token = $4 FROM free WHERE l.host = free.host RETURNING l.host
     ) SELECT h.id, h.origin, h.robots_at, h.robots_status, h.robots FROM taken JOIN host h ON h.id = taken.host";

/// Nothing is leased to whoever was given up.
fn stand(live: &mut Live, (place, token): (i32, Print), here: &std::path::Path) -> Result<(), Fault> {
    let ours = row(live, "SELECT 1 FROM writer WHERE place = $1 AND token = $2 FOR SHARE", &[&place, &token])?;
    match ours {
        Some(_) => Ok(()),
        None => Err(Fault::Store(StoreError::TakenOver(here.to_owned()))),
    }
}

/// Leases free hosts with work in a round.
pub(super) fn lease(store: &mut PgStore, round: u32, most: usize) -> Result<Vec<HostRow>, StoreError> {
    let seat = store.seat()?;
    let from = store.membership.as_ref().map_or(0, |own| own.cursor);
    let (round, window) = (i64::from(round), (most * LOOKED_AT).max(LEAST));
    let here = super::place(&store.server, &store.survey);
    let (taken, cursor) = store.briefly(|live| {
        stand(live, seat, &here)?;
        let mut seen = next(live, round, from, window)?;
        // The end of the hosts: on from the first.
        let cursor = if seen.len() < window { 0 } else { seen.last().map_or(0, |last| last + 1) };
        if seen.len() < window && from > 0 {
            let more = next(live, round, 0, window - seen.len())?;
            seen.extend(more.into_iter().filter(|host| *host < from));
        }
        Ok((take(live, &seen, most, seat)?, cursor))
    })?;
    if let Some(own) = &mut store.membership {
        own.cursor = cursor;
    }
    Ok(taken)
}

fn next(live: &mut Live, round: i64, from: i64, most: usize) -> Result<Vec<i64>, Fault> {
    let found = rows(live, NEXT, &[&round, &from, &(most as i64)])?;
    Ok(found.iter().map(|row| get(row, 0)).collect::<Result<_, _>>()?)
}

fn take(live: &mut Live, hosts: &[i64], most: usize, (place, token): (i32, Print)) -> Result<Vec<HostRow>, Fault> {
    if hosts.is_empty() {
        return Ok(Vec::new());
    }
    let taken = rows(live, TAKE, &[&hosts, &(most as i64), &place, &token])?;
    Ok(taken.iter().map(host).collect::<Result<_, _>>()?)
}

/// Leases these, as far as they are free.
pub(super) fn lease_these(store: &mut PgStore, hosts: &[HostId]) -> Result<Vec<HostRow>, StoreError> {
    let seat = store.seat()?;
    let ids: Vec<i64> = hosts.iter().map(|host| i64::from(host.0)).collect();
    let here = super::place(&store.server, &store.survey);
    store.briefly(|live| {
        stand(live, seat, &here)?;
        take(live, &ids, ids.len(), seat)
    })
}

/// Those we have with work in a round.
pub(super) fn leased(store: &mut PgStore, round: u32) -> Result<Vec<HostId>, StoreError> {
    let (place, token) = store.seat()?;
    let sql = "SELECT l.host FROM lease l WHERE l.token = $2 AND l.place = $1
         AND EXISTS (SELECT FROM queue q WHERE q.round = $3 AND q.host = l.host)";
    let found = store.ask(|live| rows(live, sql, &[&place, &token, &i64::from(round)]))?;
    found.iter().map(|row| Ok(HostId(number(row, 0)?))).collect()
}

/// The server of a host.
pub(super) fn take_server(store: &mut PgStore, host: HostId, name: &str) -> Result<Handed, StoreError> {
    let (place, token) = store.seat()?;
    let print = Print(Fp::hash_bytes(name.as_bytes()));
    let enter = "INSERT INTO server (print, name, place, token, ready_at)
         VALUES ($1, $2, 0, '00000000-0000-0000-0000-000000000000', 'epoch') ON CONFLICT (print) DO NOTHING";
    let take = "UPDATE server s SET place = $2, token = $3,
             ready_at = CASE WHEN s.ready_at = 'infinity' THEN clock_timestamp() ELSE s.ready_at END
         FROM (SELECT print, ready_at AS before FROM server WHERE print = $1 FOR UPDATE) AS old
         WHERE s.print = old.print AND (s.token = $3 OR s.token = '00000000-0000-0000-0000-000000000000')
         RETURNING old.before <> 'infinity', greatest(0, extract(epoch FROM s.ready_at - clock_timestamp()) * 1000)::int8";
    let note = "UPDATE lease SET server = $3,
             token = CASE WHEN $4 THEN token ELSE '00000000-0000-0000-0000-000000000000' END
         WHERE host = $1 AND token = $2";
    let id = i64::from(host.0);
    let here = super::place(&store.server, &store.survey);
    store.briefly(|live| {
        stand(live, (place, token), &here)?;
        let statement = live.statement(enter, &[])?;
        Live::call(live.client().execute(&statement, &[&print, &name]))?;
        let handed = match row(live, take, &[&print, &place, &token])? {
            None => Handed::Taken,
            Some(row) if get(&row, 0)? => Handed::After(Duration::from_millis(get::<i64>(&row, 1)? as u64)),
            Some(_) => Handed::Abandoned,
        };
        let statement = live.statement(note, &[])?;
        Live::call(live.client().execute(&statement, &[&id, &token, &print, &(handed != Handed::Taken)]))?;
        Ok(handed)
    })
}

/// Gives back leases; each server with the time for which it must not be asked yet.
pub(super) fn give_back(
    store: &mut PgStore,
    hosts: &[HostId],
    servers: &[(String, Duration)],
) -> Result<(), StoreError> {
    let (_, token) = store.seat()?;
    let free_hosts =
        "UPDATE lease SET token = '00000000-0000-0000-0000-000000000000' WHERE host = ANY ($1) AND token = $2";
    let free_servers = "UPDATE server s SET token = '00000000-0000-0000-0000-000000000000',
             ready_at = clock_timestamp() + u.wait * interval '1 millisecond'
         FROM unnest($1::uuid[], $2::int8[]) AS u (print, wait) WHERE s.print = u.print AND s.token = $3";
    let ids: Vec<i64> = hosts.iter().map(|host| i64::from(host.0)).collect();
    let prints: Vec<Print> = servers.iter().map(|(name, _)| Print(Fp::hash_bytes(name.as_bytes()))).collect();
    let waits: Vec<i64> = servers.iter().map(|(_, wait)| wait.as_millis() as i64).collect();
    store.briefly(|live| {
        let statement = live.statement(free_hosts, &[])?;
        Live::call(live.client().execute(&statement, &[&ids, &token]))?;
        let statement = live.statement(free_servers, &[])?;
        Live::call(live.client().execute(&statement, &[&prints, &waits, &token]))?;
        Ok(())
    })
}
