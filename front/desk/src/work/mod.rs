//! How each kind of job is done: one file per kind. A job sees its folder, what was asked for, and a [`Bench`]; it knows nothing of
//! queues, leases and threads.

mod asking;
mod bench;
mod bound;
mod check;
mod course;
mod crawl;
mod focus;
mod gather;
mod index;
mod map;
mod notify;
mod rank;
mod result;

use std::path::Path;

use groma_store::Folder;
use groma_store::jobs::JobKind;

pub use asking::{Item, UPDATE_PACKAGE, ask, ask_items, items_of, items_text, new_jobs, standard_package};
pub(crate) use bench::{Bench, Pulse};

use crate::Fault;
use crate::order::Order;

/// How work on a job came to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done; how, in words.
    Done(String),
    /// The flag was set: it can go on.
    Stopped,
    /// The moment was bad: once more in so many seconds.
    Later {
        /// From now on.
        seconds: i64,
        /// Why.
        says: String,
    },
}

/// Does a job.
pub(crate) fn work(
    kind: JobKind,
    folder: &Folder,
    order: &Order,
    config: Option<&Path>,
    bench: &mut Bench,
) -> Result<Outcome, Fault> {
    match kind {
        JobKind::Crawl => crawl::crawl(folder, order, config, bench),
        JobKind::Update => crawl::update(folder, order, config, bench),
        JobKind::Rank => rank::rank(folder, order, bench),
        JobKind::Map => map::map(folder, order, bench),
        JobKind::Check => check::check(folder, order, bench),
        JobKind::Index => index::index(folder, order, bench),
        JobKind::Bound => bound::bound(folder, order, bench),
        JobKind::Focus => focus::focus(folder, order, config, bench),
        JobKind::Gather => gather::gather(folder, order, config, bench),
        JobKind::Notify => notify::notify(folder, order, config, bench),
    }
}
