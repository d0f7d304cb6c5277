//! Is the endpoint still there while we wait for it?
//!
//! Rule: a statement may take hours, an endpoint that is gone takes none; the client does not tell them apart for ten minutes, since it tries
//! again. So a statement runs on a thread of its own, and while it does, the endpoint is asked every LOOK what columns a small table would have,
//! which it answers by itself, however busy its machines are. Whatever it says, it is there; nothing within SILENCE: it is gone.
//! Cost: a thread a statement, a small question every LOOK.
//! Not guaranteed: that the statement has ended on the cluster when we have given up; its folder is one that nobody reads (see `rounds.rs`).

#![allow(
    clippy::result_large_err,
    reason = "the error of the client is as large as it is, and goes no further than here"
)]

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use spark_connect::{SparkError, SparkSession};

/// Time between two questions whether the server still answers.
const LOOK: Duration = Duration::from_secs(5);

/// How long one may stay without an answer.
const SILENCE: Duration = Duration::from_secs(30);

/// Why there is no answer.
pub(super) struct Gone;

/// A question that an endpoint answers without its machines.
pub(super) fn sign_of_life(session: &SparkSession) -> Result<(), SparkError> {
    session.range(1)?.schema().map(drop)
}

/// Does something with a session while looking whether it is still there.
pub(super) fn asked<T: Send + 'static>(
    session: &SparkSession,
    work: impl FnOnce(&SparkSession) -> T + Send + 'static,
) -> Result<T, Gone> {
    let answer = aside(session, work);
    let mut sign: Option<(Receiver<()>, Instant)> = None;
    loop {
        match answer.recv_timeout(LOOK) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let heard = sign.as_ref().map(|(word, since)| (word.try_recv(), since.elapsed()));
        match heard {
            None | Some((Ok(()), _)) => {
                // A refusal is a word too: an endpoint that is gone gives none before the client gives up.
                sign = Some((aside(session, |session| drop(sign_of_life(session))), Instant::now()));
            }
            Some((Err(TryRecvError::Empty), waited)) if waited < SILENCE => {}
            Some(_) => return Err(Gone),
        }
    }
}

/// The same within a time.
pub(super) fn within<T: Send + 'static>(
    time: Duration,
    session: &SparkSession,
    work: impl FnOnce(&SparkSession) -> T + Send + 'static,
) -> Result<T, Gone> {
    aside(session, work).recv_timeout(time).map_err(|_| Gone)
}

fn aside<T: Send + 'static>(
    session: &SparkSession,
    work: impl FnOnce(&SparkSession) -> T + Send + 'static,
) -> Receiver<T> {
    let (told, answer) = mpsc::channel();
    let session = session.clone();
    // Nobody listens any more if we gave up.
    std::thread::spawn(move || told.send(work(&session)).is_ok());
    answer
}
