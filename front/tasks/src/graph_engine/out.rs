//! Pages and links that count go out as Parquet, as they pass by.

use groma_parquet::{Aim, GraphPage, GraphTables, PARTS, Place, TableError, write_graph};
use groma_settings::Fault;
use groma_survey_graph::SurveyGraphError;

use super::{Going, Progress, Request, Watch};

/// Links between two words on how far it is.
const STEP: u64 = 1 << 16;

/// Takes pages and links. After a failure, or when it is to stop, the rest is let pass: a store goes on to its end whatever we say.
pub(super) struct Outlet<'a, 'b, 'c> {
    tables: &'a mut GraphTables<'b>,
    watch: &'a mut Watch<'c>,
    went: Result<(), TableError>,
    pages: u64,
    links: u64,
}

impl Outlet<'_, '_, '_> {
    pub(super) fn page(&mut self, page: &GraphPage<'_>) {
        if self.went.is_ok() {
            self.went = self.tables.page(page);
            self.pages += 1;
        }
    }

    pub(super) fn link(&mut self, source: u32, target: u32, navigation: bool) {
        if self.went.is_err() {
            return;
        }
        self.went = self.tables.link(source, target, navigation);
        self.links += 1;
        let progress = Progress { step: "links", round: 0, change: self.links as f64 };
        if self.went.is_ok() && self.links.is_multiple_of(STEP) && (self.watch)(&progress) == Going::Stop {
            self.went = Err(TableError::Stopped);
        }
    }
}

/// What was handed to the engine.
pub(super) struct Written<T> {
    /// What whoever gave it has to say.
    pub(super) said: T,
    pub(super) pages: u64,
    pub(super) links: u64,
}

/// Writes a graph: whatever `give` puts into the outlet. Nothing if whoever watches said stop: then nothing is left there either.
pub(super) fn write<T>(
    request: &Request,
    watch: &mut Watch<'_>,
    give: &mut dyn FnMut(&mut Outlet<'_, '_, '_>) -> Result<T, SurveyGraphError>,
) -> Result<Option<Written<T>>, Fault> {
    let fault = |error: TableError| Fault::new(error.to_string(), error.hint());
    let place = Aim::parse(&request.graph()).and_then(|aim| Place::begin(&aim)).map_err(fault)?;
    // What the store says is no word of the files: kept aside until they are closed.
    let mut given = None;
    let written = write_graph(place, PARTS, &mut |tables| {
        let mut outlet = Outlet { tables, watch: &mut *watch, went: Ok(()), pages: 0, links: 0 };
        let said = give(&mut outlet);
        let Outlet { went, pages, links, .. } = outlet;
        let went = if said.is_err() { Err(TableError::Stopped) } else { went };
        given = Some(said.map(|said| Written { said, pages, links }));
        went
    });
    match (written, given.transpose()?) {
        (Ok(_), given) => Ok(given),
        (Err(TableError::Stopped), _) => Ok(None),
        (Err(error), _) => Err(fault(error)),
    }
}
