//! The pages that all kinds of results have: a list with the form that asks for another, and one in full. A kind says what is its own.

mod list;
mod one;
mod table;

pub(super) use list::{AtWork, ListHead, ListPages, Listing, at_work_on, list_routes};
pub(super) use one::{OneHead, OnePages, OneWords, one_routes};
pub(super) use table::{ResultCell, ResultRow, ResultTable};
