//! Brings the full-text index up to date with the survey and the gathered databases.

use std::sync::Arc;

use groma_search::{Followed, Index, IndexProgress, SearchError};
use groma_settings::Fault;
use groma_store::Folder;

use crate::observer::{Observer, Step};

/// Follows the survey; nothing if somebody else is writing to the index at this moment.
pub fn run(folder: &Folder, rebuild: bool, observer: &mut dyn Observer) -> Result<Option<Followed>, Fault> {
    let stop = Arc::clone(observer.stop());
    let mut step = |IndexProgress { done, of }: IndexProgress| observer.step(Step::Indexing { done, of });
    match Index::follow(folder.path(), &mut folder.read()?, rebuild, &stop, &mut step) {
        Ok(followed) => Ok(Some(followed)),
        Err(SearchError::Busy) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
