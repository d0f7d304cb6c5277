//! Who is here, who has been lost, and are the doors open?

use std::time::{Duration, Instant};

use groma_model::Reason;
use tokio_postgres::types::ToSql;

use super::super::reading::row;
use super::super::rows::get;
use super::super::{PgStore, place};
use crate::StoreError;
use crate::postgres::driver::{Fault, Live};
use crate::workers::{Company, Sign, Workers};

/// Those whose time is over lose their token and their leases, and so do those who have no connection and have not been heard of for 6
/// seconds; unless the server itself was away. Whoever is not heard of begins no fetch after 5 seconds.
const BURY: &str = "WITH dead AS (
         SELECT place, token FROM writer w WHERE token <> '00000000-0000-0000-0000-000000000000'
             AND pg_postmaster_start_time() < clock_timestamp() - interval '20 seconds'
             AND (expires < clock_timestamp() OR expires < clock_timestamp() + interval '14 seconds'
                 AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = w.session))
         FOR UPDATE
     ), buried AS (
         UPDATE writer w SET token = '00000000-0000-0000-0000-000000000000', expires = 'epoch', hungry = false
         FROM dead WHERE w.place = dead.place AND w.token = dead.token
     ), freed AS (
         UPDATE lease l SET token = '00000000-0000-0000-0000-000000000000' FROM dead WHERE l.token = dead.token
     )
     UPDATE server s SET token = '00000000-0000-0000-0000-000000000000', ready_at = 'infinity'
     FROM dead WHERE s.token = dead.token";

/// What is left of those who have gone without a word.
const SWEEP: &str = "UPDATE lease l SET token = '00000000-0000-0000-0000-000000000000'
     WHERE token <> '00000000-0000-0000-0000-000000000000' AND NOT EXISTS (SELECT FROM writer w WHERE w.token = l.token);
     UPDATE server s SET token = '00000000-0000-0000-0000-000000000000', ready_at = 'infinity'
     WHERE token <> '00000000-0000-0000-0000-000000000000' AND NOT EXISTS (SELECT FROM writer w WHERE w.token = s.token)";

const SIGN: &str = "UPDATE writer SET hosts = $3, fetches = $4, hungry = $5, session = pg_backend_pid(),
         expires = greatest(expires, clock_timestamp() + interval '20 seconds')
     WHERE place = $1 AND token = $2";

/// After it was cut off itself, nobody gives up others for so long.
const STEADY: Duration = Duration::from_secs(20);
/// How long hands of whoever led before may take to finish.
const LEAVING: Duration = Duration::from_secs(60);
/// A longer queue is not counted: that would cost more than it tells.
const COUNTED: i64 = 100_000;

const LOOK: &str = "SELECT c.open, count(w.place) FILTER (WHERE w.place <> $1), count(w.place) FILTER (WHERE w.hungry AND w.place <> $1),
         coalesce((SELECT last FROM number_given WHERE kind = 'indexed'), 0), coalesce(bool_or(w.place = 0), false),
         (SELECT count(*) FROM (SELECT FROM queue LIMIT $2) AS queued), c.task <> ''
     FROM crew c LEFT JOIN writer w ON w.token <> '00000000-0000-0000-0000-000000000000' AND w.expires > clock_timestamp()
     GROUP BY c.open, c.task";

/// From now on others write too: every host can be leased (whoever opens has all of them, and gives back what it does not need), and
/// everybody counts pages in one place.
const OPEN: [&str; 3] = [
    "INSERT INTO lease (host, place, token) SELECT id, 0, $1 FROM host
         ON CONFLICT (host) DO UPDATE SET place = 0, token = EXCLUDED.token",
    "INSERT INTO number_given (kind, last) SELECT 'indexed', count(*) FROM address WHERE reason = $1
         ON CONFLICT (kind) DO UPDATE SET last = EXCLUDED.last",
    "UPDATE crew SET open = true",
];

pub(super) fn look(store: &mut PgStore, sign: Sign) -> Result<Company, StoreError> {
    let (own, token) = store.seat()?;
    let leads = store.leads();
    let buries = may_bury(store);
    let sent = Instant::now();
    let here = place(&store.server, &store.survey);
    let (hosts, fetches) = (i32::try_from(sign.hosts).unwrap_or(i32::MAX), sign.fetches as i64);
    let company = store.briefly(|live| {
        let statement = live.statement(SIGN, &[])?;
        let said: [&(dyn ToSql + Sync); 5] = [&own, &token, &hosts, &fetches, &sign.hungry];
        if Live::call(live.client().execute(&statement, &said))? == 0 {
            return Err(Fault::Store(StoreError::TakenOver(here.clone())));
        }
        if buries {
            live.batch(BURY)?;
        }
        let Some(seen) = row(live, LOOK, &[&own, &COUNTED])? else { return Ok(Company::default()) };
        let mut company = Company {
            open: get(&seen, 0)?,
            others: get::<i64>(&seen, 1)? as u32,
            hungry: get::<i64>(&seen, 2)? as u32,
            indexed: get::<i64>(&seen, 3)? as u64,
            led: get(&seen, 4)?,
            wanted: get(&seen, 6)?,
            queued: Some(get::<i64>(&seen, 5)?).filter(|count| *count < COUNTED).map(|count| count as u64),
        };
        if leads && !company.open && company.others > 0 {
            let [leases, count, open] = OPEN;
            let statement = live.statement(leases, &[])?;
            Live::call(live.client().execute(&statement, &[&token]))?;
            let statement = live.statement(count, &[])?;
            let fetched = i16::from(Reason::Fetched.code());
            Live::call(live.client().execute(&statement, &[&fetched]))?;
            live.batch(open)?;
            let seen = row(live, LOOK, &[&own, &COUNTED])?;
            company.indexed = seen.map_or(Ok(0), |seen| get::<i64>(&seen, 3))? as u64;
            company.open = true;
        }
        Ok(company)
    })?;
    if let Some(fence) = &store.fence {
        fence.renewed(sent);
    }
    Ok(company)
}

pub(super) fn close(store: &mut PgStore) -> Result<bool, StoreError> {
    let left = "SELECT count(*) FROM writer WHERE place > 0 AND token <> '00000000-0000-0000-0000-000000000000'";
    store.briefly(|live| {
        live.batch("UPDATE crew SET open = false, task = ''")?;
        live.batch(BURY)?;
        let left = row(live, left, &[])?;
        Ok(left.map_or(Ok(0), |left| get::<i64>(&left, 0))? == 0)
    })
}

/// Whoever was cut off itself knows nothing of others: they may have been, too.
fn may_bury(store: &mut PgStore) -> bool {
    let fresh = store.may_fetch();
    let Some(own) = &mut store.membership else { return false };
    if !fresh {
        own.troubled = Some(Instant::now());
    }
    own.troubled.is_none_or(|at| at.elapsed() > STEADY)
}

/// Whoever begins alone, or leads, begins behind closed doors: hands of whoever led before finish what they have begun and go. What is
/// left of those who went without a word goes too.
pub(in super::super) fn begin(store: &mut PgStore) -> Result<(), StoreError> {
    let until = Instant::now() + LEAVING;
    while !close(store)? {
        if Instant::now() > until {
            return Err(StoreError::Busy(place(&store.server, &store.survey)));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    store.briefly(|live| live.batch(SWEEP))
}

pub(super) fn announce(store: &mut PgStore, task: &str) -> Result<(), StoreError> {
    store.briefly(|live| {
        let statement = live.statement("UPDATE crew SET task = $1", &[])?;
        Live::call(live.client().execute(&statement, &[&task]))
    })?;
    Ok(())
}

/// The task for which hands are wanted at this moment, if they are.
pub(crate) const WANTED: &str = "SELECT task FROM crew WHERE task <> '' AND (
         EXISTS (SELECT FROM writer WHERE place = 0 AND expires > clock_timestamp()
             AND token <> '00000000-0000-0000-0000-000000000000')
         OR open AND EXISTS (SELECT FROM queue))";
