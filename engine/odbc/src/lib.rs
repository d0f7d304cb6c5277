//! A connection through ODBC whose driver is asked to read only (`SQL_ATTR_ACCESS_MODE`), and questions as octets.
//!
//! `odbc-api` has a safe word for everything the summarizer does but these two: attributes are set with untyped values, and texts go
//! either all wide or all narrow. So these calls are unsafe. They stand here alone, and the summarizer keeps `unsafe_code = "forbid"`.
//!
//! Not guaranteed: the standard calls the access mode a hint. The driver manager hands it to the driver after connecting, and a
//! driver may ignore it (the one of SQLite does). It is no boundary; a role that cannot write is one.
//!
//! Without the feature `linked` there is nothing here.

#[cfg(feature = "linked")]
mod octets;
#[cfg(feature = "linked")]
mod reading;

#[cfg(feature = "linked")]
pub use octets::select_by_octets;
#[cfg(feature = "linked")]
pub use odbc_api;
#[cfg(feature = "linked")]
pub use reading::connect_to_read;
