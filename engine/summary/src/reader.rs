//! One seam for several databases: what the role may, what is there, and the values of a column as they come.
//!
//! Nothing but names of the catalogue and numbers of ours is ever put into the text of a question.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::catalogue::{Column, Relation};
use crate::error::SummaryError;

/// How long a database may take to let us in.
pub(crate) const CONNECT: Duration = Duration::from_secs(10);

/// What takes values as they come, and says when it has had enough.
pub(crate) type Take<'t> = dyn FnMut(&[u8]) -> Result<ControlFlow<()>, SummaryError> + 't;

/// How much is read of a column.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct ColumnLimit {
    /// Most rows that are asked for.
    pub(crate) rows: u64,
    /// Most characters of each.
    pub(crate) letters: u64,
    /// Octets that are taken of all of them, for readers that hold values in memory.
    pub(crate) octets: u64,
}

/// A connection for one reading.
pub(crate) trait Reader: Send {
    /// What the role may do beyond reading.
    fn excess(&mut self) -> Result<Vec<String>, SummaryError>;

    /// Begins: everything that follows is read from one state of the database where the database can do that without
    /// keeping others from writing, and ends at this moment.
    fn begin(&mut self, until: Instant) -> Result<(), SummaryError>;

    /// The sign of the state that is read: equal signs mean equal rows in all tables. None where the database has no such thing.
    fn sign(&mut self) -> Result<Option<String>, SummaryError>;

    /// The tables and views that can be read, without those of the system.
    fn relations(&mut self) -> Result<Vec<Relation>, SummaryError>;

    /// The columns of a table that can be read.
    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, SummaryError>;

    /// The distinct values of a column as texts, in the order of their octets, without NULL.
    fn values(
        &mut self,
        relation: &Relation,
        column: &Column,
        wanted: ColumnLimit,
        take: &mut Take<'_>,
    ) -> Result<(), SummaryError>;
}

/// A name that came from the catalogue and yet cannot be quoted.
pub(crate) fn unquotable() -> SummaryError {
    SummaryError::Database("a name in the catalogue cannot be quoted".into())
}

/// What is left until then, never nothing: zero means "no limit" to databases.
pub(crate) fn left(until: Instant) -> Result<Duration, SummaryError> {
    let left = until.saturating_duration_since(Instant::now());
    if left < Duration::from_millis(1) { Err(SummaryError::Time(0)) } else { Ok(left) }
}
