//! A survey on a PostgreSQL server.
//!
//! A batch is one transaction of few statements, each for any number of rows, all sent at once ([`steps`], [`flight`]). One process
//! writes at a time, and every batch is applied once, whatever happens to the connection ([`fence`]). Readers see one moment
//! ([`reading`]) and walk through whole tables in flat memory ([`cursors`]).
//!
//! Numbers of URLs and hosts are given out by the writer, from [`Store::last_ids`](crate::Store::last_ids) on; what must not be
//! entered twice is a unique index here. Several processes that crawl together: see [`workers`].

mod column;
mod cursors;
mod damage;
mod evidence;
mod fence;
mod flight;
mod heartbeat;
mod print;
mod read;
mod reading;
mod rows;
mod schema;
mod steps;
mod walks;
mod waves;
mod whole;
mod workers;
mod write;

use std::path::PathBuf;
use std::time::Instant;

use crate::StoreError;
use crate::postgres::driver::{Fault, Link, Live, Server, SurveyName};

use cursors::{Cursors, Table};
pub(crate) use evidence::pair;
use fence::{Fence, Seat};
use reading::Reading;
pub(crate) use schema::SERVER_SCHEMA as SURVEY_SCHEMA;
pub(crate) use workers::doors::WANTED;
use workers::{Membership, doors};

/// A survey on a PostgreSQL server.
pub struct PgStore {
    server: Server,
    survey: SurveyName,
    /// Only who writes has one.
    fence: Option<Fence>,
    /// For whoever only reads; the writer has one while it walks through the whole survey.
    reading: Option<Reading>,
    /// Is any body kept? The writer knows.
    bodies: bool,
    /// For whoever leads a group of workers or lends a hand.
    membership: Option<Membership>,
}

impl PgStore {
    /// Opens a survey for writing, or begins it. [`StoreError::Busy`] if somebody else writes; whoever was killed while writing is
    /// waited for until their time is over, at most 20 seconds.
    pub fn open(server: &Server, survey: &SurveyName) -> Result<PgStore, StoreError> {
        let mut store = PgStore::seated(server, survey, Seat::Alone)?;
        doors::begin(&mut store)?;
        Ok(store)
    }

    /// The same, to crawl in a way in which others can lend a hand, as soon as that is [announced](crate::workers::Workers::announce). Hands
    /// that are there from before are waited for until they have finished.
    pub fn open_leading(server: &Server, survey: &SurveyName) -> Result<PgStore, StoreError> {
        let mut store = PgStore::seated(server, survey, Seat::Lead)?;
        doors::begin(&mut store)?;
        Ok(store)
    }

    /// Opens a survey to lend a hand with its crawl; nothing if nobody wants one.
    pub fn open_helping(server: &Server, survey: &SurveyName) -> Result<Option<PgStore>, StoreError> {
        let Some(mut link) = schema::SERVER_SCHEMA.open_reading(server, survey.as_str())? else { return Ok(None) };
        if link.read(|live| reading::row(live, WANTED, &[]))?.is_none() {
            return Ok(None);
        }
        PgStore::seated(server, survey, Seat::Hand).map(Some)
    }

    fn seated(server: &Server, survey: &SurveyName, seat: Seat) -> Result<PgStore, StoreError> {
        let mut link = schema::SERVER_SCHEMA.open(server, survey.as_str())?;
        check_encoding(&mut link, server)?;
        let mut fence = Fence::take(link, place(server, survey), seat)?;
        let kept = |live: &mut Live| {
            let row = reading::row(live, "SELECT EXISTS (SELECT FROM body)", &[])?;
            Ok(row.map_or(Ok(false), |row| row.try_get(0))?)
        };
        let bodies = fence.link().read(kept)?;
        let membership = (seat != Seat::Alone).then(|| Membership::new(seat));
        let (server, survey, fence) = (server.clone(), survey.clone(), Some(fence));
        Ok(PgStore { server, survey, fence, reading: None, bodies, membership })
    }

    /// Opens a survey for reading. All its answers are of one moment, that of the first question; see [`Snapshot::renew`](crate::Snapshot::renew).
    pub fn open_reading(server: &Server, survey: &SurveyName) -> Result<PgStore, StoreError> {
        let link = schema::SERVER_SCHEMA.open_reading(server, survey.as_str())?;
        let link = link.ok_or_else(|| StoreError::Missing(place(server, survey)))?;
        let reading = Some(Reading::over(link));
        Ok(PgStore {
            server: server.clone(),
            survey: survey.clone(),
            fence: None,
            reading,
            bodies: false,
            membership: None,
        })
    }

    /// Asks for something that is found by its key.
    fn ask<T>(&mut self, act: impl FnMut(&mut Live) -> Result<T, Fault>) -> Result<T, StoreError> {
        match &mut self.fence {
            Some(fence) => fence.link().read(act),
            None => self.reading()?.ask(act),
        }
    }

    /// Asks for something for which much has to be read.
    fn survey<T>(&mut self, act: impl FnMut(&mut Live) -> Result<T, Fault>) -> Result<T, StoreError> {
        let answer = self.reading()?.ask(act);
        self.rest();
        answer
    }

    /// Streams whole tables side by side, all of one moment.
    fn walk<T>(
        &mut self,
        tables: &[&'static Table],
        step: impl FnOnce(&mut Cursors<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let resumes = self.fence.is_some();
        let mut cursors = Cursors::over(self.reading()?, resumes, tables);
        let end = step(&mut cursors).and_then(|end| cursors.close().map(|()| end));
        self.rest();
        end
    }

    fn reading(&mut self) -> Result<&mut Reading, StoreError> {
        match &mut self.reading {
            Some(reading) => Ok(reading),
            none => Ok(none.insert(Reading::over(open_again(&self.server, self.survey.as_str())?))),
        }
    }

    /// The writer keeps no second connection and no moment.
    fn rest(&mut self) {
        if self.fence.is_some() {
            self.reading = None;
        }
    }
}

/// Another connection to a server that was there before: it is sought as long as a lost one.
fn open_again(server: &Server, schema: &str) -> Result<Link, StoreError> {
    let until = Instant::now() + server.patience();
    loop {
        match Link::open(server, schema) {
            Err(StoreError::Unreachable { .. }) if Instant::now() < until => {}
            opened => return opened,
        }
    }
}

/// Where a survey is, for people.
fn place(server: &Server, survey: &SurveyName) -> PathBuf {
    format!("{}?survey={survey}", server.shown()).into()
}

/// Every text has to fit.
pub(crate) fn check_encoding(link: &mut Link, server: &Server) -> Result<(), StoreError> {
    let sql = "SELECT pg_encoding_to_char(encoding)::text FROM pg_database WHERE datname = current_database()";
    let encoding: String = link.read(|live| {
        let row = reading::row(live, sql, &[])?;
        Ok(row.map_or(Ok(String::new()), |row| row.try_get(0))?)
    })?;
    if encoding == "UTF8" {
        return Ok(());
    }
    let why = format!("its database keeps texts as {encoding}; make one with ENCODING 'UTF8'");
    Err(StoreError::Denied { server: server.shown().to_owned(), why })
}
