//! A reader: a connection that sees one moment.
//!
//! Its first question begins a transaction that only reads and sees the survey as it stood then, whatever is written meanwhile. If the
//! connection is lost, the moment is lost with it: what was read before and what would be read now need not fit together, so that is an
//! error, not a silent new moment. [`Reading::renew`] lets go of the moment; the next question begins another.
//!
//! Not guaranteed: that the server cleans up behind a reader that holds a moment for hours. Dead rows stay until it lets go.

use std::time::Instant;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::StoreError;
use crate::postgres::driver::{Fault, Link, Live};

/// A moment may rest as long as its reader lives. Rows in order come from an index, not from sorting a whole table.
const MOMENT: &str =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL enable_sort = off";

/// A connection that reads one moment of the survey.
pub(super) struct Reading {
    link: Link,
    /// A moment has been begun on the connection.
    begun: bool,
}

impl Reading {
    /// A reader over a connection.
    pub(super) fn over(link: Link) -> Reading {
        Reading { link, begun: false }
    }

    /// Sees to it that there is a moment. Has it begun just now?
    pub(super) fn begin(&mut self) -> Result<bool, StoreError> {
        if self.begun {
            return Ok(false);
        }
        self.link.read(|live| live.batch(MOMENT))?;
        self.begun = true;
        Ok(true)
    }

    /// One attempt to ask a question in the moment. Whatever goes wrong ends the moment.
    pub(super) fn attempt<T>(&mut self, act: impl FnOnce(&mut Live) -> Result<T, Fault>) -> Result<T, Fault> {
        let answer = match self.link.standing() {
            Some(live) => act(live),
            None => Err(Fault::Lost("the connection was lost in the middle of reading".into())),
        };
        if answer.is_err() {
            self.begun = false;
            self.link.let_go();
        }
        answer
    }

    /// Asks a question; the first of a moment is asked again if the connection is lost.
    pub(super) fn ask<T>(&mut self, mut act: impl FnMut(&mut Live) -> Result<T, Fault>) -> Result<T, StoreError> {
        let until = Instant::now() + self.link.server().patience();
        loop {
            let first = self.begin()?;
            match self.attempt(&mut act) {
                Ok(answer) => return Ok(answer),
                Err(Fault::Lost(_)) if first && Instant::now() < until => {}
                Err(fault) => return Err(self.error(fault)),
            }
        }
    }

    /// A fault, for whoever called the store.
    pub(super) fn error(&self, fault: Fault) -> StoreError {
        fault.into_store(self.link.server())
    }

    /// Lets go of the moment.
    pub(super) fn renew(&mut self) -> Result<(), StoreError> {
        if self.begun {
            self.attempt(|live| live.batch("COMMIT")).map_err(|fault| fault.into_store(self.link.server()))?;
            self.begun = false;
        }
        Ok(())
    }
}

/// What is sent with a question.
pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// The rows a statement gives.
pub(super) fn rows(live: &mut Live, sql: &str, params: Params<'_>) -> Result<Vec<Row>, Fault> {
    let statement = live.statement(sql, &[])?;
    Live::call(live.client().query(&statement, params))
}

/// The row a statement gives, if any.
pub(super) fn row(live: &mut Live, sql: &str, params: Params<'_>) -> Result<Option<Row>, Fault> {
    Ok(rows(live, sql, params)?.into_iter().next())
}
