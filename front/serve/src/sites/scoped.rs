//! The logical site that was found last as a scope: which URLs belong to it. Kept until a site is found anew, something is
//! decided, or the survey has other pages.

use std::sync::{Arc, Mutex, Weak};

use groma_model::Fp;
use groma_store::{Snapshot, Stamp};
use groma_tasks::bounds::Ground;

use super::{Site, locked};
use crate::error::Problem;

/// Pages of the logical site that was found last.
#[derive(Debug)]
pub(crate) struct Inside {
    /// By number of a URL: does it belong to the site?
    pub(crate) pages: Arc<[bool]>,
    /// The number of its start page, or else of its first page.
    pub(crate) root: Option<u32>,
}

/// The last one that was made.
#[derive(Debug, Default)]
pub(super) struct Scoped(Mutex<Option<Made>>);

#[derive(Debug)]
struct Made {
    stamp: Stamp,
    ground: Weak<Ground>,
    inside: Option<Arc<Inside>>,
}

impl Scoped {
    /// The scope; nothing if no site was found. Cost: a pass over all URLs, if it is not the last one that was made.
    pub(super) fn get(&self, site: &Arc<Site>) -> Result<Option<Arc<Inside>>, Problem> {
        let Some(stamp) = site.folder.bounds_stamp() else { return Ok(None) };
        let ground = site.ground()?;
        let is_of =
            |made: &Made| made.stamp == stamp && made.ground.upgrade().is_some_and(|of| Arc::ptr_eq(&of, &ground));
        if let Some(made) = locked(&self.0).as_ref().filter(|made| is_of(made)) {
            return Ok(made.inside.clone());
        }
        let inside = match site.bounds(None)? {
            None => None,
            Some(found) => {
                let pages: Arc<[bool]> = found.inside(&ground).into();
                let holds = |page: &u32| pages.get(*page as usize).copied().unwrap_or(false);
                let named = site.read()?.find(Fp::hash_bytes(found.header.start.as_bytes()))?.map(|row| row.id.0);
                let first = || pages.iter().position(|inside| *inside).map(|at| at as u32);
                let root = named.filter(holds).or_else(first);
                Some(Arc::new(Inside { pages: Arc::clone(&pages), root }))
            }
        };
        let made = Made { stamp, ground: Arc::downgrade(&ground), inside: inside.clone() };
        *locked(&self.0) = Some(made);
        Ok(inside)
    }
}
