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
use super::steps::Step;
use crate::StoreError;
use crate::postgres::driver::{Begin, Fault, Link, Live, Repeat, wait};

/// For so long a writer that has not been heard of is not given up, in seconds.
const LEASE: u32 = 20;
/// Whoever has no connection for so long is given up sooner: a server that was started anew is found again, and a sign of life comes, within five seconds.
const SILENCE: Duration = Duration::from_secs(6);
/// How often somebody who waits for a dead writer's time to end looks.
const LOOK: Duration = Duration::from_millis(250);
/// How long letting go may take.
const FAREWELL: Duration = Duration::from_secs(3);
/// Settings of the writer's connection: its statements look rows up by their keys, a table of unknown size is no reason to read it.
const SESSION: &str = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";
/// Everything is sent at once: a transaction that rests is one that was cut off, and it holds the row.
const BEGIN: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'";

/// The right to write.
pub(super) struct Fence {
    link: Link,
    place: PathBuf,
    token: Print,
    /// The number of the last batch.
    batch: i64,
    heartbeat: Heartbeat,
}

/// How the row answered somebody who wants it.
enum Row {
    Ours,
    /// Its writer is connected.
    Alive,
    /// Its writer is not connected, but its time is not over.
    Silent,
}

impl Fence {
    /// Takes the right to write. If somebody has it who is not connected (killed, cut off), waits until their time is over.
    pub(super) fn take(link: Link, place: PathBuf) -> Result<Fence, StoreError> {
        let mut link = link.with_session(SESSION)?;
        let token = Print(random()?);
        let until = Instant::now() + Duration::from_secs(u64::from(LEASE) + 5);
        let silent_since = Instant::now();
        loop {
            match claim(&mut link, token, silent_since.elapsed() >= SILENCE)? {
                Row::Ours => break,
                Row::Silent if Instant::now() < until => std::thread::sleep(LOOK),
                Row::Alive | Row::Silent => return Err(StoreError::Busy(place)),
            }
        }
        let heartbeat = Heartbeat::begin(link.server(), link.schema(), token, LEASE);
        Ok(Fence { link, place, token, batch: 0, heartbeat })
    }

    /// The writer's connection, for reading single rows.
    pub(super) fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    /// Applies steps as the next batch, in one transaction, once. How many rows each touched.
    pub(super) fn apply(&mut self, steps: &[Step]) -> Result<Vec<u64>, StoreError> {
        let number = self.batch + 1;
        let (token, place) = (self.token, &self.place);
        let begin = Begin { begin: BEGIN, first: "", repeat: Repeat::Harmless };
        let mut touched = Vec::new();
        let attempt = |live: &mut Live| {
            // Whoever holds the row is a transaction of ours that was cut off: it ends soon.
            let held = |fault| match fault {
                Fault::Statement { code, message } if code == "55P03" => Fault::Conflict(message),
                other => other,
            };
            if let Some(counts) = flight::fly(live, (token, number, LEASE), steps).map_err(held)? {
                touched = counts;
                return Ok(Some(()));
            }
            // The rest of the flight may have failed for the same reason.
            live.batch("ROLLBACK; BEGIN")?;
            match standing(live, token)? {
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
        self.heartbeat.renewed();
        Ok(touched)
    }
}

impl Drop for Fence {
    /// Lets go of the row, if that can be done at once; if not, its time ends.
    fn drop(&mut self) {
        self.heartbeat.end();
        let token = self.token.0.hex();
        let sql = format!("UPDATE writer SET token = '{:032x}', expires = 'epoch' WHERE token = '{token}'", 0);
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
fn claim(link: &mut Link, token: Print, impatient: bool) -> Result<Row, StoreError> {
    let take = "INSERT INTO writer AS w (place, token, owner, batch, session, expires)
         VALUES (0, $1, 'process ' || $2::int8 || coalesce(' at ' || host(inet_client_addr()), ''), 0, pg_backend_pid(),
             clock_timestamp() + $3 * interval '1 second')
         ON CONFLICT (place) DO UPDATE SET token = EXCLUDED.token, owner = EXCLUDED.owner, batch = 0,
             session = EXCLUDED.session, expires = EXCLUDED.expires
         WHERE w.expires < clock_timestamp() OR w.token = EXCLUDED.token
             OR ($4 AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = w.session))";
    let alive = "SELECT EXISTS (SELECT FROM writer JOIN pg_stat_activity a ON a.pid = writer.session)";
    let begin = Begin { begin: "BEGIN", first: "", repeat: Repeat::Harmless };
    let process = i64::from(std::process::id());
    let row = link.write(&begin, |live| {
        let statement = live.statement(take, &[])?;
        let lease = f64::from(LEASE);
        if Live::call(live.client().execute(&statement, &[&token, &process, &lease, &impatient]))? == 1 {
            return Ok(Some(Row::Ours));
        }
        let statement = live.statement(alive, &[])?;
        let connected = Live::call(live.client().query_one(&statement, &[]))?.try_get(0)?;
        Ok(Some(if connected { Row::Alive } else { Row::Silent }))
    })?;
    Ok(row.unwrap_or(Row::Silent))
}

/// The last batch under a token; nothing if the row is somebody else's.
fn standing(live: &mut Live, token: Print) -> Result<Option<i64>, Fault> {
    let statement = live.statement("SELECT batch FROM writer WHERE place = 0 AND token = $1", &[])?;
    let row = Live::call(live.client().query_opt(&statement, &[&token]))?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
