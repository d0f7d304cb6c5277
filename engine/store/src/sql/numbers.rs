//! Numbers without a sign on their way into and out of databases, whose numbers have one.

use super::{Arg, Cell, Column};
use crate::jobs::{JobId, PackageId, ScheduleId};

/// A count that has no type of its own; what is beyond `i64` is kept as its greatest value.
#[derive(Clone, Copy)]
pub(crate) struct Whole(pub(crate) u64);

macro_rules! numbers {
    ($($name:ident),*) => { $(
        impl From<$name> for Arg<'_> {
            fn from(number: $name) -> Self {
                // What is beyond is larger than anything in the tables, and stays so.
                Arg::Int(Some(i64::try_from(number.0).unwrap_or(i64::MAX)))
            }
        }

        impl From<Option<$name>> for Arg<'_> {
            fn from(number: Option<$name>) -> Self {
                number.map_or(Arg::Int(None), Arg::from)
            }
        }

        impl Column for $name {
            fn from_cell(cell: Cell<'_>) -> Option<$name> {
                u64::try_from(i64::from_cell(cell)?).ok().map($name)
            }
        }
    )* };
}

numbers!(Whole, JobId, PackageId, ScheduleId);

/// All 64 bits of a number, as databases keep them.
pub(crate) fn bits(number: u64) -> i64 {
    number as i64
}
