//! A batch that is written while other workers write to the same survey.
//!
//! ```text
//! fence    our row, as for every batch
//! hosts    INSERT ... ON CONFLICT DO NOTHING, in order of their keys; those that were there: their numbers
//! address  the same by fingerprint
//! rest     the batch by those numbers, all statements at once; the change log and the sums last, one process at a time
//! ```
//!
//! Everybody inserts in the same order, so that two who insert the same wait for each other in one direction only; where rows are changed
//! that others change too, the server undoes one of two who wait for each other, and it is repeated.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use groma_model::{HostId, PageId};
use tokio_postgres::types::Type;

use super::super::PgStore;
use super::super::column::Column;
use super::super::flight::{fly, follow};
use super::super::print::Print;
use super::super::reading::{row, rows};
use super::super::rows::{get, known, number, print};
use super::super::steps::{BatchStatement, Steps, address_columns};
use crate::batch::{NewAddress, WriteBatch};
use crate::postgres::driver::{Fault, Live};
use crate::workers::{Numbers, Renamed};
use crate::{KnownAddress, StoreError};

/// Numbers given out at once.
const PAGES: i64 = 500;
const HOSTS: i64 = 50;

/// Gives out numbers nobody else has.
pub(super) fn numbers(store: &mut PgStore) -> Result<Numbers, StoreError> {
    let pages = "INSERT INTO number_given AS n (kind, last) SELECT 'page', coalesce(max(id), 0) + $1 FROM address
         ON CONFLICT (kind) DO UPDATE SET last = greatest(n.last, EXCLUDED.last - $1) + $1 RETURNING last";
    let hosts = "INSERT INTO number_given AS n (kind, last) SELECT 'host', coalesce(max(id), 0) + $1 FROM host
         ON CONFLICT (kind) DO UPDATE SET last = greatest(n.last, EXCLUDED.last - $1) + $1 RETURNING last";
    let block = |live: &mut Live, sql: &str, most: i64| -> Result<std::ops::Range<u32>, Fault> {
        let last = row(live, sql, &[&most])?.map(|row| get::<i64>(&row, 0)).transpose()?.unwrap_or(0);
        let end = u32::try_from(last).map_err(|_| StoreError::Server("there are no numbers left".into()))?;
        Ok(end - (most as u32) + 1..end + 1)
    };
    store.briefly(|live| Ok(Numbers { pages: block(live, pages, PAGES)?, hosts: block(live, hosts, HOSTS)? }))
}

/// Writes a batch where others write too; what they were quicker with is renamed.
pub(super) fn write(store: &mut PgStore, batch: &WriteBatch) -> Result<Renamed, StoreError> {
    let (mut renamed, mut kept) = (Renamed::default(), store.bodies);
    let bodies = store.bodies;
    let read_only = || StoreError::ReadOnly(super::place(&store.server, &store.survey));
    let fence = match &mut store.fence {
        Some(fence) => fence,
        None => return Err(read_only()),
    };
    fence.apply_as(|live, pass| {
        if fly(live, pass, &[])?.is_none() {
            return Ok(None);
        }
        renamed = Renamed { hosts: enter_hosts(live, batch)?, ..Renamed::default() };
        renamed.pages = enter_addresses(live, batch, &renamed.hosts)?;
        let (steps, with) =
            if renamed == Renamed::default() { steps(batch, bodies) } else { steps(&batch.renamed(&renamed), bodies) };
        kept = with;
        follow(live, &steps)?;
        Ok(Some(()))
    })?;
    store.bodies = kept;
    Ok(renamed)
}

fn steps(batch: &WriteBatch, bodies: bool) -> (Vec<BatchStatement>, bool) {
    Steps::among(batch, bodies)
}

/// Enters hosts; those that others had entered, by our numbers and theirs.
fn enter_hosts(live: &mut Live, batch: &WriteBatch) -> Result<HashMap<HostId, HostId>, Fault> {
    if batch.hosts.is_empty() {
        return Ok(HashMap::new());
    }
    let enter = "WITH entered AS (
             INSERT INTO host (id, origin) SELECT u.id, u.origin FROM unnest($1::int8[], $2::text[]) AS u (id, origin)
             ORDER BY md5(u.origin) ON CONFLICT (md5(origin)) DO NOTHING RETURNING id
         ) INSERT INTO lease (host, place, token) SELECT id, 0, '00000000-0000-0000-0000-000000000000' FROM entered";
    let known = "SELECT u.id, h.id FROM unnest($1::int8[], $2::text[]) AS u (id, origin)
         JOIN host h ON md5(h.origin) = md5(u.origin) WHERE h.id <> u.id";
    let [mut id, mut origin] = [Type::INT8, Type::TEXT].map(Column::with_type);
    for host in &batch.hosts {
        id.push(host.id.0);
        origin.push(host.origin.as_str());
    }
    let statement = live.statement(enter, &[])?;
    let entered = Live::call(live.client().execute(&statement, &[&id, &origin]))?;
    if entered == batch.hosts.len() as u64 {
        return Ok(HashMap::new());
    }
    let known = rows(live, known, &[&id, &origin])?;
    known.iter().map(|row| Ok((HostId(number(row, 0)?), HostId(number(row, 1)?)))).collect()
}

/// Enters URLs; the same.
fn enter_addresses(
    live: &mut Live,
    batch: &WriteBatch,
    hosts: &HashMap<HostId, HostId>,
) -> Result<HashMap<PageId, KnownAddress>, Fault> {
    let mut renamed = HashMap::new();
    let mut sorted: Vec<NewAddress> = batch.addresses.clone();
    sorted.sort_unstable_by_key(|address| address.fp.0);
    for address in &mut sorted {
        address.host = hosts.get(&address.host).copied().unwrap_or(address.host);
    }
    for some in sorted.chunks(super::ASKED) {
        let enter = "INSERT INTO address (id, host, depth, via, alias_of, fp, run, reason, via_kind, url, since)
             SELECT u.*, $11::int8 FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::uuid[], $7::int4[],
                 $8::int2[], $9::int2[], $10::text[]) AS u
             ON CONFLICT (fp) DO NOTHING RETURNING id";
        let columns = address_columns(some, batch.now);
        let params: Vec<_> =
            columns.iter().map(|param| &**param as &(dyn tokio_postgres::types::ToSql + Sync)).collect();
        let entered = rows(live, enter, &params)?;
        if entered.len() == some.len() {
            continue;
        }
        let entered: HashSet<u32> = entered.iter().map(|row| number(row, 0)).collect::<Result<_, _>>()?;
        let ours: HashMap<u128, PageId> =
            some.iter().filter(|a| !entered.contains(&a.id.0)).map(|a| (a.fp.0, a.id)).collect();
        let prints: Vec<Print> = ours.keys().map(|fp| Print(groma_model::Fp(*fp))).collect();
        let there = "SELECT id, fp, reason, EXISTS (SELECT 1 FROM linked l WHERE l.id = a.id) FROM address a WHERE fp = ANY ($1)";
        for row in rows(live, there, &[&prints])? {
            if let Some(own) = ours.get(&print(&row, 1)?.0) {
                renamed.insert(*own, known(&row)?);
            }
        }
    }
    // Aliases and parents among the new ones are called as they were entered: what they name may have been renamed.
    if !renamed.is_empty() {
        point_anew(live, batch, &renamed)?;
    }
    Ok(renamed)
}

/// New URLs that name renamed ones.
fn point_anew(live: &mut Live, batch: &WriteBatch, renamed: &HashMap<PageId, KnownAddress>) -> Result<(), Fault> {
    let [mut id, mut alias_of, mut via] = [(); 3].map(|()| Column::with_type(Type::INT8));
    let now = |page: Option<PageId>| page.map(|page| renamed.get(&page).map_or(page, |found| found.id).0);
    for address in batch.addresses.iter().filter(|address| !renamed.contains_key(&address.id)) {
        let (alias, parent) = (now(address.alias_of), now(address.via));
        if alias != address.alias_of.map(|page| page.0) || parent != address.via.map(|page| page.0) {
            id.push(address.id.0);
            alias_of.push(alias);
            via.push(parent);
        }
    }
    if !id.is_empty() {
        let sql = "UPDATE address a SET alias_of = u.alias_of, via = u.via
             FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS u (id, alias_of, via) WHERE a.id = u.id";
        follow(live, &[BatchStatement { sql, params: vec![Arc::new(id), Arc::new(alias_of), Arc::new(via)] }])?;
    }
    Ok(())
}
