//! The stores beside the survey, opened from its folder.
//!
//! On a disk that cannot be written each can be read; where there is none yet, it is as if there were one with nothing in it.

use std::path::PathBuf;

use super::Folder;
use crate::bounds::BoundsStore;
use crate::focuses::Focuses;
use crate::gathers::Gathers;
use crate::jobs::Queue;
use crate::outside::Outside;
use crate::sql::Base;
use crate::sqlite::{FileSchema, SqliteFile};
use crate::{SideStore, StoreError};

/// The files of all stores beside a survey.
pub(super) const FILES: [&FileSchema; 5] =
    [Queue::FILE, BoundsStore::FILE, Focuses::FILE, Gathers::FILE, Outside::FILE];

impl Folder {
    /// Opens the queue of the survey's jobs, or begins it: also where there is no survey yet.
    pub fn queue(&self) -> Result<Queue, StoreError> {
        self.make()?;
        self.open_side()
    }

    /// The queue, if there ever was a job or a schedule: nothing is made by looking.
    pub fn queue_if_any(&self) -> Result<Option<Queue>, StoreError> {
        self.open_side_if_any(Folder::queue)
    }

    /// True if there ever was a job or a schedule, also if the server cannot be asked.
    pub fn has_jobs(&self) -> bool {
        match self.there() {
            Ok(None) => self.side_path::<Queue>().is_file(),
            Ok(Some(_)) => self.queue_if_any().map_or(true, |queue| queue.is_some()),
            Err(_) => false,
        }
    }

    /// Opens the bounds of the survey's sites, or begins them.
    pub fn bounds_store(&self) -> Result<BoundsStore, StoreError> {
        self.refuse_without_survey()?;
        self.open_side()
    }

    /// The bounds, if ever any were found or decided: nothing is made by looking.
    pub fn bounds_store_if_any(&self) -> Result<Option<BoundsStore>, StoreError> {
        self.open_side_if_any(Folder::bounds_store)
    }

    /// Opens the focused crawls of the survey, or begins them.
    pub fn focuses(&self) -> Result<Focuses, StoreError> {
        self.refuse_without_survey()?;
        self.open_side()
    }

    /// The focused crawls, if there ever was one: nothing is made by looking.
    pub fn focuses_if_any(&self) -> Result<Option<Focuses>, StoreError> {
        self.open_side_if_any(Folder::focuses)
    }

    /// Opens the gatherings of the survey, or begins them.
    pub fn gathers(&self) -> Result<Gathers, StoreError> {
        self.refuse_without_survey()?;
        self.open_side()
    }

    /// The gatherings, if there ever was one: nothing is made by looking.
    pub fn gathers_if_any(&self) -> Result<Option<Gathers>, StoreError> {
        self.open_side_if_any(Folder::gathers)
    }

    /// Opens what URLs outside the survey answered, or begins it.
    pub fn outside(&self) -> Result<Outside, StoreError> {
        self.refuse_without_survey()?;
        self.open_side()
    }

    /// The answers of URLs outside the survey, if any was ever asked: nothing is made by looking.
    pub fn outside_if_any(&self) -> Result<Option<Outside>, StoreError> {
        self.open_side_if_any(Folder::outside)
    }

    pub(super) fn side_path<S: SideStore>(&self) -> PathBuf {
        self.path.join(S::FILE.file)
    }

    /// Opens any of them, or begins it.
    fn open_side<S: SideStore>(&self) -> Result<S, StoreError> {
        match self.there()? {
            Some(there) => S::open_on(&there.server, &there.survey),
            None => self.open_or_begin(S::FILE).map(S::over),
        }
    }

    /// Looks whether there is one, and opens it as `open` does.
    fn open_side_if_any<S: SideStore>(
        &self,
        open: fn(&Folder) -> Result<S, StoreError>,
    ) -> Result<Option<S>, StoreError> {
        match self.there()? {
            Some(there) => S::read_on(&there.server, &there.survey),
            None if self.side_path::<S>().is_file() => open(self).map(Some),
            None => Ok(None),
        }
    }

    fn open_or_begin(&self, schema: &FileSchema) -> Result<Base, StoreError> {
        let path = self.path.join(schema.file);
        self.refuse_emptied(&path)?;
        match Base::open_file(&path, schema) {
            Err(StoreError::ReadOnly(_)) if path.is_file() => Base::read_file(&path, schema),
            Err(StoreError::ReadOnly(_)) => SqliteFile::nothing_at(&path, schema).map(Base::File),
            Ok(opened) => self.note_made(&path).map(|()| opened),
            other => other,
        }
    }

    /// For what can only lie beside a survey that is there.
    fn refuse_without_survey(&self) -> Result<(), StoreError> {
        self.there()?;
        if self.exists() { Ok(()) } else { Err(StoreError::Missing(self.shown())) }
    }
}
