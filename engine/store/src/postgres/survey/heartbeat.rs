//! A sign of life of a writer that has nothing to write, so that nobody takes its place.
//!
//! Batches renew the writer's row themselves; a connection of its own is made only when none came for a while, so that a long silence
//! (a slow site, a long look through the survey) costs a connection and a busy writer none.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::print::Print;
use crate::StoreError;
use crate::postgres::driver::{Link, Live, Server};

/// What the writer and its heartbeat share: when the row was renewed last.
type Renewed = Arc<Mutex<Instant>>;

pub(super) struct Heartbeat {
    renewed: Renewed,
    stop: Option<Sender<()>>,
}

impl Heartbeat {
    /// Begins. Without a thread to spare the batches alone have to do.
    pub(super) fn begin(server: &Server, schema: &str, seat: (i32, Print), lease: u32) -> Heartbeat {
        let renewed: Renewed = Arc::new(Mutex::new(Instant::now()));
        let (stop, stopped) = mpsc::channel();
        let beat = Duration::from_secs(u64::from(lease)) / 8;
        let (server, schema, last) = (server.with_patience(beat), schema.to_owned(), renewed.clone());
        let run = move || {
            let mut link = None;
            while stopped.recv_timeout(beat) == Err(RecvTimeoutError::Timeout) {
                if is_fresh(&last, beat) {
                    link = None;
                    continue;
                }
                let sent = Instant::now();
                // Whoever was given up has no row any more.
                if renew(&mut link, (&server, &schema), seat, lease).is_ok_and(|renewed| renewed) {
                    set(&last, sent);
                }
            }
        };
        let thread = std::thread::Builder::new().name("groma-heartbeat".into());
        Heartbeat { renewed, stop: thread.spawn(run).is_ok().then_some(stop) }
    }

    /// A batch that was sent at this moment renewed the row.
    pub(super) fn renewed(&self, sent: Instant) {
        set(&self.renewed, sent);
    }

    /// Was the row renewed within this time?
    pub(super) fn is_fresh(&self, time: Duration) -> bool {
        is_fresh(&self.renewed, time)
    }

    /// Ends it; it is not waited for.
    pub(super) fn end(&mut self) {
        self.stop = None;
    }
}

fn set(renewed: &Renewed, sent: Instant) {
    let mut last = renewed.lock().unwrap_or_else(PoisonError::into_inner);
    *last = sent.max(*last);
}

fn is_fresh(renewed: &Renewed, beat: Duration) -> bool {
    renewed.lock().unwrap_or_else(PoisonError::into_inner).elapsed() < beat
}

/// If the server cannot be reached, the next batch will say so.
fn renew(
    link: &mut Option<Link>,
    (server, schema): (&Server, &str),
    (row, token): (i32, Print),
    lease: u32,
) -> Result<bool, StoreError> {
    let link = match link {
        Some(link) => link,
        None => link.insert(Link::open(server, schema)?),
    };
    let sql = "UPDATE writer SET session = pg_backend_pid(), expires = clock_timestamp() + $2 * interval '1 second'
        WHERE place = $3 AND token = $1";
    let rows = link.read(|live| {
        let statement = live.statement(sql, &[])?;
        Live::call(live.client().execute(&statement, &[&token, &f64::from(lease), &row]))
    })?;
    Ok(rows == 1)
}
