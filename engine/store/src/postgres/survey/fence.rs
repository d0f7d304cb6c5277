//! One writer at a time, and every batch once.
//!
//! ```text
//! take     the writer's row gets a new random token, if it is free, its time is over, or its writer has no connection for 6 s
//! batch n  UPDATE writer SET batch = n, expires = now + LEASE WHERE token = ours AND batch = n - 1     first in the transaction
//! lost     the connection breaks, COMMIT or not: batch is read again; n: it was applied; n - 1: it is sent again
//! ```
//!
//! Whoever was taken for dead and is not finds another token in the row: the statement touches nothing and the transaction is undone, so
//! two writers never mix. A batch that was applied finds its own number and is not applied again. A transaction of ours that a cut
//! connection left running on the server holds the row until it ends, and only then is it decided. The time is the server's.
//!
//! Several processes that crawl together have a row each, with a token each: see [`Seat`] and [`super::workers`].
//!
//! Cost: one row a batch, in the same round trip as everything else; a heartbeat when nothing is written.
//!
//! Not guaranteed: a server that forgets what it confirmed (a failover to a replica that lagged behind) is noticed at the next batch,
//! which is refused; what it forgot has to be fetched again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use groma_model::Fp;

use super::flight;
use super::heartbeat::Heartbeat;
use super::print::Print;
use super::steps::BatchStatement;
use crate::StoreError;
use crate::postgres::driver::{Begin, Fault, Link, Live, Repeat, wait};

/// For so long a writer that has not been heard of is not given up, in seconds.
const LEASE: u32 = 20;
/// Whoever has no connection for so long is given up sooner: a server that was started anew is found again, and a sign of life comes, within five seconds.
const SILENCE: Duration = Duration::from_secs(6);
/// Whoever has not been heard of for so long begins nothing new: nobody can have taken its place yet.
const FRESH: Duration = Duration::from_secs(5);
/// How often somebody who waits for a dead writer's time to end looks.
const LOOK: Duration = Duration::from_millis(250);
/// How long letting go may take.
const FAREWELL: Duration = Duration::from_secs(3);
/// Settings of the writer's connection: its statements look rows up by their keys, a table of unknown size is no reason to read it.
const SESSION: &str = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";
/// Everything is sent at once: a transaction that rests is one that was cut off, and it holds the row.
const BEGIN: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'";

/// In which capacity somebody writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Nobody else may write.
    Alone,
    /// Hands may write too.
    Lead,
    Hand,
}

/// The right to write.
pub(super) struct Fence {
    link: Link,
    place: PathBuf,
    /// Which row: 0 for whoever is alone or leads.
    row: i32,
    token: Print,
    /// The number of the last batch.
    batch: i64,
    heartbeat: Heartbeat,
}

/// How the row answered somebody who wants it.
enum FenceAnswer {
    Ours,
    /// Its writer is connected.
    Alive,
    /// Its writer is not connected, but its time is not over.
    Silent,
}

impl Fence {
    /// Takes the right to write. If somebody has it who is not connected (killed, cut off), waits until their time is over.
    pub(super) fn take(link: Link, place: PathBuf, seat: Seat) -> Result<Fence, StoreError> {
        let mut link = link.with_session(SESSION)?;
        let token = Print(random()?);
        if seat == Seat::Hand {
            let row = sit_down(&mut link, token)?;
            let heartbeat = Heartbeat::begin(link.server(), link.schema(), (row, token), LEASE);
            return Ok(Fence { link, place, row, token, batch: 0, heartbeat });
        }
        let until = Instant::now() + Duration::from_secs(u64::from(LEASE) + 5);
        let silent_since = Instant::now();
        loop {
            match claim(&mut link, token, silent_since.elapsed() >= SILENCE, seat)? {
                FenceAnswer::Ours => break,
                FenceAnswer::Silent if Instant::now() < until => std::thread::sleep(LOOK),
                FenceAnswer::Alive | FenceAnswer::Silent => return Err(StoreError::Busy(place)),
            }
        }
        let heartbeat = Heartbeat::begin(link.server(), link.schema(), (0, token), LEASE);
        Ok(Fence { link, place, row: 0, token, batch: 0, heartbeat })
    }

    /// Which row is ours, and the token in it.
    pub(super) fn seat(&self) -> (i32, Print) {
        (self.row, self.token)
    }

    /// Have we been heard of so lately that nobody can have taken us for dead?
    pub(super) fn is_fresh(&self) -> bool {
        self.heartbeat.is_fresh(FRESH)
    }

    /// The row was renewed by something sent at this moment.
    pub(super) fn renewed(&self, sent: Instant) {
        self.heartbeat.renewed(sent);
    }

    /// The writer's connection, for reading single rows.
    pub(super) fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    /// Applies steps as the next batch, in one transaction, once. How many rows each touched.
    pub(super) fn apply(&mut self, steps: &[BatchStatement]) -> Result<Vec<u64>, StoreError> {
        let mut touched = Vec::new();
        self.apply_as(|live, fence| {
            let counts = flight::fly(live, fence, steps)?;
            Ok(counts.map(|counts| touched = counts))
        })?;
        Ok(touched)
    }

    /// Does something as the next batch, in one transaction, once. It begins with the fence ([`flight::fly`]), and says so if the fence
    /// did not let it pass.
    pub(super) fn apply_as(
        &mut self,
        mut act: impl FnMut(&mut Live, flight::Pass) -> Result<Option<()>, Fault>,
    ) -> Result<(), StoreError> {
        let number = self.batch + 1;
        let (row, token, place) = (self.row, self.token, &self.place);
        let pass = flight::Pass { row, token, number, lease: LEASE };
        let sent = Instant::now();
        let begin = Begin { begin: BEGIN, first: "", repeat: Repeat::Harmless };
        let attempt = |live: &mut Live| {
            // Whoever holds the row is a transaction of ours that was cut off: it ends soon.
            let held = |fault| match fault {
                Fault::Statement { code, message } if code == "55P03" => Fault::Conflict(message),
                other => other,
            };
            if act(live, pass).map_err(held)?.is_some() {
                return Ok(Some(()));
            }
            // The rest of the flight may have failed for the same reason.
            live.batch("ROLLBACK; BEGIN")?;
            match standing(live, row, token)? {
                Some(batch) if batch == number => Ok(None),
                Some(batch) if batch == number - 1 => Err(Fault::Conflict("the row of the writer was held".into())),
                Some(_) => {
                    let lost = "the server has lost batches that it had confirmed";
                    Err(Fault::Store(StoreError::Damaged(lost.into())))
                }
                None => Err(Fault::Store(StoreError::TakenOver(place.clone()))),
            }
        };
        self.link.write(&begin, attempt)?;
        self.batch = number;
        self.heartbeat.renewed(sent);
        Ok(())
    }
}

impl Drop for Fence {
    /// Lets go of the row, if that can be done at once; if not, its time ends.
    fn drop(&mut self) {
        self.heartbeat.end();
        let token = self.token.0.hex();
        let sql = format!(
            "UPDATE writer SET token = '{0:032x}', expires = 'epoch' WHERE token = '{token}';
             UPDATE lease SET token = '{0:032x}' WHERE token = '{token}';
             UPDATE server SET token = '{0:032x}', ready_at = 'infinity' WHERE token = '{token}'",
            0
        );
        if let Some(live) = self.link.standing() {
            let _ = wait(live.client().batch_execute(&sql), FAREWELL);
        }
    }
}

fn random() -> Result<Fp, StoreError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Server(format!("no random numbers: {error}")))?;
    Ok(Fp(u128::from_be_bytes(bytes)))
}

/// Asks for the row.
fn claim(link: &mut Link, token: Print, impatient: bool, seat: Seat) -> Result<FenceAnswer, StoreError> {
    let take = "INSERT INTO writer AS w (place, token, owner, batch, session, expires)
         SELECT 0, $1::uuid, 'process ' || $2::int8 || coalesce(' at ' || host(inet_client_addr()), ''), 0, pg_backend_pid(),
             clock_timestamp() + $3 * interval '1 second'
         WHERE $5 OR NOT EXISTS (SELECT FROM writer h WHERE h.place > 0 AND h.expires > clock_timestamp())
         ON CONFLICT (place) DO UPDATE SET token = EXCLUDED.token, owner = EXCLUDED.owner, batch = 0,
             session = EXCLUDED.session, expires = EXCLUDED.expires, since = clock_timestamp(), hosts = 0, fetches = 0, hungry = false
         WHERE w.expires < clock_timestamp() OR w.token = EXCLUDED.token
             OR ($4 AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = w.session))";
    let alive = "SELECT EXISTS (SELECT FROM writer JOIN pg_stat_activity a ON a.pid = writer.session
         WHERE writer.expires > clock_timestamp() AND (writer.place = 0 OR NOT $1))";
    // A hand whose time is over is given up: it must not come back among numbers that are counted on.
    let give_up = "UPDATE writer SET token = '00000000-0000-0000-0000-000000000000', expires = 'epoch'
         WHERE place > 0 AND expires < clock_timestamp()";
    let led = seat == Seat::Lead;
    let begin = Begin { begin: "BEGIN", first: "", repeat: Repeat::Harmless };
    let process = i64::from(std::process::id());
    let row = link.write(&begin, |live| {
        live.batch(give_up)?;
        let statement = live.statement(take, &[])?;
        let lease = f64::from(LEASE);
        if Live::call(live.client().execute(&statement, &[&token, &process, &lease, &impatient, &led]))? == 1 {
            return Ok(Some(FenceAnswer::Ours));
        }
        let statement = live.statement(alive, &[])?;
        let connected = Live::call(live.client().query_one(&statement, &[&led]))?.try_get(0)?;
        Ok(Some(if connected { FenceAnswer::Alive } else { FenceAnswer::Silent }))
    })?;
    Ok(row.unwrap_or(FenceAnswer::Silent))
}

/// A row for a hand: that of one who has gone, or a new one.
fn sit_down(link: &mut Link, token: Print) -> Result<i32, StoreError> {
    let free = "UPDATE writer SET token = $1, owner = 'process ' || $2::int8 || coalesce(' at ' || host(inet_client_addr()), ''),
             batch = 0, session = pg_backend_pid(), expires = clock_timestamp() + $3 * interval '1 second',
             since = clock_timestamp(), hosts = 0, fetches = 0, hungry = false
         WHERE place = (SELECT place FROM writer WHERE place > 0 AND token = '00000000-0000-0000-0000-000000000000' ORDER BY place LIMIT 1
             FOR UPDATE SKIP LOCKED) RETURNING place";
    let new = "INSERT INTO writer (place, token, owner, batch, session, expires)
         SELECT coalesce(max(greatest(place, 0)), 0) + 1, $1::uuid,
             'process ' || $2::int8 || coalesce(' at ' || host(inet_client_addr()), ''), 0, pg_backend_pid(),
             clock_timestamp() + $3 * interval '1 second' FROM writer
         ON CONFLICT DO NOTHING RETURNING place";
    let begin = Begin { begin: "BEGIN", first: "", repeat: Repeat::Harmless };
    let process = i64::from(std::process::id());
    let lease = f64::from(LEASE);
    let row = link.write(&begin, |live| {
        for sql in [free, new] {
            let statement = live.statement(sql, &[])?;
            if let Some(row) = Live::call(live.client().query_opt(&statement, &[&token, &process, &lease]))? {
                return Ok(Some(row.try_get::<_, i32>(0)?));
            }
        }
        Err(Fault::Conflict("others sat down at the same moment".into()))
    })?;
    row.ok_or_else(|| StoreError::Server("no row for another writer".into()))
}

/// The last batch under a token; nothing if the row is somebody else's.
fn standing(live: &mut Live, row: i32, token: Print) -> Result<Option<i64>, Fault> {
    let statement = live.statement("SELECT batch FROM writer WHERE place = $2 AND token = $1", &[])?;
    let row = Live::call(live.client().query_opt(&statement, &[&token, &row]))?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
