//! Connections to a PostgreSQL server, for callers that are not asynchronous.
//!
//! One background thread (begun when the first connection is made) moves bytes for all connections of the process. A call is
//! made and waited for on the caller's own thread ([`wait`]): requests and answers cross to the other thread as whole messages,
//! so what is sent may be borrowed, and a caller inside an asynchronous program needs no runtime and disturbs none.
//!
//! A [`Link`] is one connection that comes back: when it is lost, the next attempt makes a new one, with growing pauses, until the
//! patience of its [`Server`] is at an end. What was asked in vain is asked again by whoever knows that this is harmless:
//! [`Link::read`] and [`Link::write`] do.
//!
//! A write is applied once, also when the answer to its COMMIT is lost: see [`Repeat::Once`]. Not guaranteed: a server that
//! forgets what it confirmed (a failover to a replica that lagged behind) forgets it here too.

mod address;
mod fault;
mod link;
mod live;
mod names;
mod place;
mod sizes;
mod text;
mod tls;
mod wait;

pub use address::Server;
pub(crate) use fault::{Fault, is_transient};
pub(crate) use link::{Begin, Link, Repeat};
pub(crate) use live::Live;
pub(crate) use names::quoted;
pub use names::{ACCOUNTS_SCHEMA, SurveyName};
pub(crate) use place::{ServerSchema, found_survey, rooms_of};
pub use place::{drop_survey, survey_exists, surveys};
pub use sizes::{SurveySize, survey_sizes};
pub(crate) use text::{stored_text, text_of};
pub(crate) use wait::wait;
