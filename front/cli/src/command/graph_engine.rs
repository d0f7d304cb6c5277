//! `--engine`: who computes.

use groma_settings::Fault;
use groma_store::Folder;
use groma_tasks::graph_engine::{InParts, Request};

use crate::args::{EngineArgs, PartArgs};

/// The cluster that was asked for; nothing if this machine computes.
pub(crate) fn request(args: &EngineArgs, folder: &Folder) -> Result<Option<Request>, Fault> {
    Request::parse(&args.engine, args.work.as_deref(), folder)
}

/// The same where the survey is looked at in parts.
pub(crate) fn in_parts(args: &PartArgs, folder: &Folder) -> Result<Option<InParts>, Fault> {
    Ok(request(&args.engine, folder)?.map(|at| InParts { at, largest: args.part }))
}
