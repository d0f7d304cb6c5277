//! How the stores beside a survey are opened: one way for all of them.

use std::path::Path;

use super::Base;
use crate::postgres::ServerSchema;
use crate::sqlite::FileSchema;
use crate::{Server, StoreError, SurveyName};

/// A store beside the survey: jobs, bounds, focused crawls or gatherings. It says which tables it has; the rest is the same for all.
pub trait SideStore: Sized {
    /// Its tables in a file of the survey's folder.
    const FILE: &'static FileSchema;

    /// Its tables on a server.
    const SERVER: &'static ServerSchema;

    /// The store whose tables these are.
    fn over(base: Base) -> Self;

    /// Opens the file, or begins it.
    fn open_file(path: &Path) -> Result<Self, StoreError> {
        Base::open_file(path, Self::FILE).map(Self::over)
    }

    /// Opens a file that is there for reading. On a disk that cannot be written the file is taken as it stands.
    fn read_file(path: &Path) -> Result<Self, StoreError> {
        Base::read_file(path, Self::FILE).map(Self::over)
    }

    /// Opens the tables of a survey on a server, or begins them.
    fn open_on(server: &Server, survey: &SurveyName) -> Result<Self, StoreError> {
        Base::open_on(server, survey.as_str(), Self::SERVER).map(Self::over)
    }

    /// Opens the tables of a survey on a server if somebody has begun them.
    fn read_on(server: &Server, survey: &SurveyName) -> Result<Option<Self>, StoreError> {
        Ok(Base::read_on(server, survey.as_str(), Self::SERVER)?.map(Self::over))
    }
}
