//! The two ends of a copy. Each kind of store is both: read in one moment, and written where there is nothing yet.

use super::tables::{Chamber, Table};
use crate::StoreError;
use crate::sql::Cell;

pub(super) type Take<'a> = dyn FnMut(&[Cell<'_>]) -> Result<(), StoreError> + 'a;

/// What is read. All answers are of one moment.
pub(super) trait Source {
    /// Has this chamber ever been begun?
    fn has(&mut self, chamber: &'static Chamber) -> Result<bool, StoreError>;

    /// Calls back with every row of a table, in its order.
    fn each(&mut self, chamber: &'static Chamber, table: &'static Table, call: &mut Take<'_>)
    -> Result<(), StoreError>;

    /// The last number a table has given out, also if its row is gone; 0 if none.
    fn last(&mut self, chamber: &'static Chamber, table: &'static Table) -> Result<i64, StoreError>;
}

/// Where it is written. Nobody sees anything of it until it is whole, and it can be read before that.
pub(super) trait Target: Source {
    fn begin(&mut self, chambers: &[&'static Chamber]) -> Result<(), StoreError>;

    /// Takes the rows of a table: `feed` is called once and hands them over.
    fn take(
        &mut self,
        chamber: &'static Chamber,
        table: &'static Table,
        feed: &mut dyn FnMut(&mut Take<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Goes on counting behind this number.
    fn set_last(&mut self, chamber: &'static Chamber, table: &'static Table, last: i64) -> Result<(), StoreError>;

    /// Gives everybody what was written.
    fn finish(self: Box<Self>) -> Result<(), StoreError>;
}
