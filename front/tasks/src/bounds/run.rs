//! Runs a search for the bounds of a site, or a clustering, on this machine or in parts that a graph engine makes.

use groma_settings::Fault;
use groma_store::Folder;

use super::clusters::cluster;
use super::find::find;
#[cfg(feature = "parquet")]
use super::parted::{cluster_in_parts, find_in_parts};
use super::{Bounds, Clustered, Request};
use crate::graph_engine::InParts;
use crate::graph_engine::wording::ENGINE_GOES_ON;
#[cfg(not(feature = "parquet"))]
use crate::graph_engine::{cluster_in_parts, find_in_parts};
use crate::observer::Observer;

/// Finds a site; nothing if somebody said stop.
pub fn run(
    folder: &Folder,
    request: &Request,
    in_parts: Option<&InParts>,
    observer: &mut dyn Observer,
) -> Result<Option<Bounds>, Fault> {
    let Some(wanted) = in_parts else {
        return find(folder, request, &mut |progress| observer.bounds(progress));
    };
    let shared = std::cell::RefCell::new(&mut *observer);
    let mut rounds = |round: &_| shared.borrow_mut().round(round);
    let found =
        find_in_parts(folder, request, wanted, &mut rounds, &mut |progress| shared.borrow_mut().bounds(progress))?;
    if found.is_none() {
        observer.note(ENGINE_GOES_ON);
    }
    Ok(found)
}

/// Clusters the pages of a survey; nothing if somebody said stop.
pub fn run_clustering(
    folder: &Folder,
    request: &Request,
    in_parts: Option<&InParts>,
    observer: &mut dyn Observer,
) -> Result<Option<Clustered>, Fault> {
    let clustered = match in_parts {
        None => cluster(folder, request, &mut |progress| observer.bounds(progress))?,
        Some(wanted) => {
            let clustered = cluster_in_parts(folder, request, wanted, &mut |round| observer.round(round))?;
            if clustered.is_none() {
                observer.note(ENGINE_GOES_ON);
            }
            clustered
        }
    };
    if clustered.as_ref().is_some_and(|clustered| !clustered.converged) {
        observer.note("the clustering did not come to rest: raise --inflation, or take it as it is");
    }
    Ok(clustered)
}
