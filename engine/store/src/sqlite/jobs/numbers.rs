//! Numbers without a sign on their way into and out of SQLite, whose numbers have one.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::jobs::{JobId, PackageId, ScheduleId};

/// Any other count.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub(super) u64);

macro_rules! numbers {
    ($($name:ident),*) => { $(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                // What is beyond is larger than anything in the tables, and stays so.
                Ok(i64::try_from(self.0).unwrap_or(i64::MAX).into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                let number = value.as_i64()?;
                u64::try_from(number).map($name).map_err(|_| FromSqlError::OutOfRange(number))
            }
        }
    )* };
}

numbers!(Whole, JobId, PackageId, ScheduleId);
