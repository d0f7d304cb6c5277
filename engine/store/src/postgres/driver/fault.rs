//! What can go wrong with a call, and what may be done about it.
//!
//! - *Lost*: the connection is gone, the server stops or starts. Nothing is known of a COMMIT that was under way; everything before
//!   it was undone.
//! - *Conflict*: another transaction was in the way, and the server undid ours or gave up waiting. It may be repeated.
//! - *Statement*: the server understood and refused. Repeating changes nothing.
//! - *Store*: what came back made no sense to us.

use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use super::Server;
use crate::StoreError;

/// A call that failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The connection is gone.
    Lost(String),
    /// Another transaction was in the way.
    Conflict(String),
    /// The statement was refused.
    Statement {
        /// The five characters by which PostgreSQL calls it.
        code: String,
        message: String,
    },
    /// Of what was done, not of the server.
    Store(StoreError),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let Some(said) = error.as_db_error() else {
            // A value we could not convert is no matter of the connection.
            let lost = error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>());
            let message = told(&error);
            return if lost { Fault::Lost(message) } else { Fault::Store(StoreError::Damaged(message)) };
        };
        let (code, message) = (said.code(), said.message().to_owned());
        match code {
            code if ends_the_connection(code) => Fault::Lost(message),
            &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::T_R_DEADLOCK_DETECTED
            // Whoever is cut off holds what it held until the server notices: that is a matter of patience.
            | &SqlState::LOCK_NOT_AVAILABLE => Fault::Conflict(message),
            _ => Fault::Statement { code: code.code().to_owned(), message },
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::Store(error)
    }
}

impl Fault {
    /// The same for whoever called the store.
    pub(crate) fn into_store(self, server: &Server) -> StoreError {
        match self {
            Fault::Lost(why) => StoreError::Unreachable { server: server.shown().to_owned(), why },
            Fault::Conflict(why) => StoreError::Server(format!("others were in the way all the time: {why}")),
            Fault::Statement { code, message } => match code.as_str() {
                "53100" => StoreError::DiskFull,
                "25006" | "42501" => StoreError::Denied { server: server.shown().to_owned(), why: message },
                "57014" => StoreError::Server("a question took too long".into()),
                "XX001" | "XX002" => StoreError::Damaged(message),
                _ => StoreError::Server(format!("{message} ({code})")),
            },
            Fault::Store(error) => error,
        }
    }
}

fn ends_the_connection(code: &SqlState) -> bool {
    // 08: connection exceptions; 57P01, 57P02, 57P03, 57P05: it stops, it crashed, it is starting, idle for too long; 25P03 and
    // 25P04: the transaction rested or lasted for too long and the session was ended.
    code.code().starts_with("08") || matches!(code.code(), "57P01" | "57P02" | "57P03" | "57P05" | "25P03" | "25P04")
}

/// Is a failed attempt to connect worth another one?
pub(crate) fn is_transient(error: &Error) -> bool {
    match error.as_db_error() {
        // 53: too many connections, no memory, no disk.
        Some(said) => ends_the_connection(said.code()) || said.code().code().starts_with("53"),
        None => error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>()),
    }
}

/// An error with its cause.
pub(super) fn told(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => said.message().to_owned(),
        (None, Some(source)) => format!("{error}: {source}").replace('\n', " "),
        (None, None) => error.to_string(),
    }
}
