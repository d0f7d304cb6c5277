//! Without the feature `parquet` links do not leave this machine, so nobody else computes: every request is refused where it is read, and no
//! [`Request`] can be.

use groma_graph::Tree;
use groma_settings::Fault;
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{Reading, SurveyGraph};

use super::{Watch, is_elsewhere};
use crate::bounds::{self, Bounds, Clustered};

/// Has no value: this build has no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {}

/// Has no value: this build has no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InParts {
    pub at: Request,
    /// The most pages of a part.
    pub largest: u32,
}

/// Has no value: this build has no engine.
pub struct Computed {
    /// The survey with its ranks.
    pub survey_graph: SurveyGraph,
}

impl Request {
    /// Nothing: this machine is to do the work, or it is told why nobody can.
    pub fn parse(engine: &str, _work: Option<&str>, _folder: &Folder) -> Result<Option<Request>, Fault> {
        is_elsewhere(engine.trim()).map(|_| None)
    }
}

impl Computed {
    /// Cannot be called: there is no [`Request`].
    pub fn tree(&mut self, _root: u32, request: &Request, _watch: &mut Watch<'_>) -> Result<Option<Tree>, Fault> {
        match *request {}
    }
}

/// Cannot be called: there is no [`Request`].
pub fn rank(
    _store: &mut dyn Snapshot,
    _reading: &Reading,
    _within: Option<&[bool]>,
    request: &Request,
    _watch: &mut Watch<'_>,
) -> Result<Option<Computed>, Fault> {
    match *request {}
}

/// Cannot be called: there is no [`Request`].
pub fn cluster_in_parts(
    _folder: &Folder,
    _request: &bounds::Request,
    wanted: &InParts,
    _watch: &mut Watch<'_>,
) -> Result<Option<Clustered>, Fault> {
    match wanted.at {}
}

/// Cannot be called: there is no [`Request`].
pub fn find_in_parts(
    _folder: &Folder,
    _request: &bounds::Request,
    wanted: &InParts,
    _steps: &mut Watch<'_>,
    _watch: &mut bounds::Watch<'_>,
) -> Result<Option<Bounds>, Fault> {
    match wanted.at {}
}
