//! Which way has each notice gone? One record a way, put down as soon as it is done.
//!
//! A notice goes by the ways that were configured when it was written: somebody who is added later does not get the old ones.
//! States: `waiting` (not tried, or to be tried again), `delivered`, `gone` (the receiver wants nothing more), `withdrawn` (no
//! longer configured), `given-up` (tried [`TRIES`] times, or older than [`DAYS`] days).

use std::collections::BTreeMap;

use groma_notify::NotifyError;
use groma_settings::Fault;
use groma_store::Folder;
use groma_store::jobs::{NoticeRow, Queue};
use serde::{Deserialize, Serialize};

use super::{Body, Ways, words};

/// A way that failed so often is given up.
pub const TRIES: u32 = 20;
/// What is older is no news.
pub const DAYS: i64 = 14;
/// Notices that are looked at, the latest.
const LATEST: usize = 100;

/// How a notice went one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// State of the delivery.
    pub state: State,
    /// When that was put down; 0 at first.
    #[serde(default)]
    pub at: i64,
    /// How often it was tried.
    #[serde(default)]
    pub tries: u32,
    /// What went wrong last.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub error: String,
}

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Not tried, or to be tried again.
    Waiting,
    /// Taken by the server at the other end.
    Delivered,
    /// The receiver wants nothing more.
    Gone,
    /// The way is no longer configured.
    Withdrawn,
    /// Given up after the last try.
    GivenUp,
}

/// How a notice went, by way: `mail:ADDRESS`, `webhook`.
pub type Records = BTreeMap<String, Record>;

/// How a notice went, as its row says it.
pub fn records(row: &NoticeRow) -> Records {
    serde_json::from_str(&row.delivery).unwrap_or_default()
}

/// The records of a new notice.
pub(super) fn begun(ways: &Ways) -> String {
    let waiting = || Record { state: State::Waiting, at: 0, tries: 0, error: String::new() };
    written(&ways.names().into_iter().map(|way| (way, waiting())).collect())
}

fn written(records: &Records) -> String {
    serde_json::to_string(records).unwrap_or_default()
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Sent {
    pub(super) delivered: u64,
    /// Somebody could not be told yet.
    pub(super) failure: Option<Fault>,
}

/// Sends every notice by every way it has not gone yet, the oldest first.
pub(super) fn deliver_all(
    folder: &Folder,
    ways: &Ways,
    queue: &mut Queue,
    log: &mut dyn FnMut(&str),
    now: i64,
) -> Result<Sent, Fault> {
    let mut sent = Sent::default();
    let rows = queue.notices(None, LATEST)?;
    for row in rows.iter().rev() {
        let mut records = records(row);
        let waiting = records.iter().filter(|(_, record)| record.state == State::Waiting);
        let waiting: Vec<String> = waiting.map(|(way, _)| way.clone()).collect();
        for way in waiting {
            let Some(record) = records.get_mut(&way) else { continue };
            let tried = try_one(folder, ways, row, &way, record, now);
            match &tried {
                Ok(true) => {
                    sent.delivered += 1;
                    log(&words::sent(&row.title, &way));
                }
                Ok(false) => log(&words::not_sent(&row.title, &way, record)),
                Err(error) => {
                    log(&words::failed(&row.title, &way, error));
                    sent.failure = Some(Fault::new(words::failed(&row.title, &way, error), error.hint()));
                }
            }
            queue.deliver(row.id, &written(&records))?;
        }
    }
    Ok(sent)
}

/// Whether it was delivered; an error if it is to be tried again.
fn try_one(
    folder: &Folder,
    ways: &Ways,
    row: &NoticeRow,
    way: &str,
    record: &mut Record,
    now: i64,
) -> Result<bool, NotifyError> {
    record.at = now;
    if now - row.at > DAYS * 86_400 {
        record.state = State::GivenUp;
        return Ok(false);
    }
    let Some(result) = ways.send(folder, row, &Body::from_row(row), way, now) else {
        record.state = State::Withdrawn;
        return Ok(false);
    };
    record.tries += 1;
    match result {
        Ok(()) => {
            (record.state, record.error) = (State::Delivered, String::new());
            Ok(true)
        }
        Err(error) => {
            record.error = error.to_string();
            record.state = match &error {
                NotifyError::Gone(_) => State::Gone,
                _ if record.tries >= TRIES => State::GivenUp,
                _ => State::Waiting,
            };
            if record.state == State::Waiting { Err(error) } else { Ok(false) }
        }
    }
}
