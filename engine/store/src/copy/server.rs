//! A survey on a server, as an end of a copy.
//!
//! Reading: one transaction that sees one moment; rows come as fast as they are taken, no faster. Writing: one transaction, from the
//! making of the schema to the last row, so that nobody sees anything of it before its COMMIT and a server whose client is gone undoes
//! it; rows go by `COPY`.
//!
//! Memory: some megabytes on their way, and one row. The time a statement may take is not limited here: it is the time of a whole table.
//!
//! Not guaranteed: that the server cleans up while a copy goes on (dead rows stay until its transaction ends). If the connection
//! is lost during COMMIT, nobody here knows whether the survey is there. If it is, it is whole.

use futures_util::{SinkExt, TryStreamExt};
use tokio_postgres::types::{ToSql, Type};

use super::binary::BinaryRows;
use super::side::{Source, Take, Target};
use super::tables::{Chamber, Table, TableMark};
use crate::StoreError;
use crate::postgres::driver::{Fault, Link, Live, Server, SurveyName, found_survey, rooms_of};
use crate::postgres::{SURVEY_SCHEMA, pair};
use crate::sql::{Cell, SqlRow};

/// Bytes that are sent at a time.
const CHUNK: usize = 256 << 10;

/// No limits of time; rows in order come from an index.
const SETTINGS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL enable_sort = off";

/// What says that somebody has written: see the fence of the survey.
const WRITTEN: &str = "INSERT INTO writer (place, token, owner, batch, session, expires)
    VALUES (0, gen_random_uuid(), 'a copy', 0, 0, 'epoch')";

/// A survey on a server, being read or written.
pub(super) struct OnServer {
    link: Link,
    /// The rooms that are there.
    rooms: Vec<String>,
}

impl OnServer {
    /// Begins to read a survey that is there.
    pub(super) fn read(server: &Server, survey: &SurveyName, chambers: &[Chamber]) -> Result<OnServer, StoreError> {
        let missing = || StoreError::Missing(format!("{}?survey={survey}", server.shown()).into());
        let mut link = SURVEY_SCHEMA.open_reading(server, survey.as_str())?.ok_or_else(missing)?;
        // Whatever is of an older format is led on first.
        for chamber in chambers.iter().filter(|chamber| chamber.beside.is_some()) {
            chamber.server.open_reading(server, survey.as_str())?;
        }
        let begin = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {SETTINGS}");
        let rooms = link.read(|live| {
            live.batch(&begin)?;
            rooms_of(live)
        })?;
        Ok(OnServer { link, rooms })
    }

    /// Begins to write a survey that is not there.
    pub(super) fn write(server: &Server, survey: &SurveyName) -> Result<OnServer, StoreError> {
        let mut link = Link::open(server, survey.as_str())?;
        crate::postgres::check_encoding(&mut link, server)?;
        Ok(OnServer { link, rooms: Vec::new() })
    }

    /// One call in the transaction: if its connection is lost, so is everything.
    fn call<T>(&mut self, act: impl FnOnce(&mut Live) -> Result<T, Fault>) -> Result<T, StoreError> {
        let server = self.link.server().clone();
        let done = match self.link.standing() {
            Some(live) => act(live),
            None => Err(Fault::Lost("the connection was lost in the middle of copying".into())),
        };
        done.map_err(|fault| fault.into_store(&server))
    }
}

impl Source for OnServer {
    fn has(&mut self, chamber: &'static Chamber) -> Result<bool, StoreError> {
        Ok(self.rooms.iter().any(|room| room == chamber.server.name))
    }

    fn each(&mut self, _: &'static Chamber, table: &'static Table, call: &mut Take<'_>) -> Result<(), StoreError> {
        self.call(|live| {
            let statement = live.statement(&table.select_there(), &[])?;
            let none = std::iter::empty::<&(dyn ToSql + Sync)>();
            let mut rows = Box::pin(Live::call(live.client().query_raw(&statement, none))?);
            while let Some(row) = Live::call(rows.try_next())? {
                let row = SqlRow::Postgres(&row);
                let cells: Vec<Cell<'_>> = (0..table.columns.len()).map(|at| row.cell(at)).collect::<Result<_, _>>()?;
                call(&cells)?;
            }
            Ok(())
        })
    }

    fn last(&mut self, _: &'static Chamber, table: &'static Table) -> Result<i64, StoreError> {
        let sql = format!(
            "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('{}', 'id')::regclass), 0)",
            table.name
        );
        self.call(|live| {
            let statement = live.statement(&sql, &[])?;
            Ok(Live::call(live.client().query_one(&statement, &[]))?.try_get(0)?)
        })
    }
}

impl Target for OnServer {
    fn begin(&mut self, chambers: &[&'static Chamber]) -> Result<(), StoreError> {
        let rooms: Vec<_> = chambers.iter().map(|chamber| chamber.server).collect();
        let (server, survey) = (self.link.server().clone(), self.link.schema().to_owned());
        self.call(|live| {
            live.batch(&format!("BEGIN; {SETTINGS}"))?;
            found_survey(live, &server, &survey, &rooms)?;
            live.batch(WRITTEN)
        })?;
        self.rooms = rooms.iter().map(|room| room.name.to_owned()).collect();
        Ok(())
    }

    fn take(
        &mut self,
        _: &'static Chamber,
        table: &'static Table,
        feed: &mut dyn FnMut(&mut Take<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let columns = table.columns_there();
        let select = format!("SELECT {columns} FROM {} LIMIT 0", table.name);
        let copy = format!("COPY {} ({columns}) FROM STDIN (FORMAT binary)", table.name);
        self.call(|live| {
            let types: Vec<Type> =
                live.statement(&select, &[])?.columns().iter().map(|column| column.type_().clone()).collect();
            let mut rows = BinaryRows::with_types(types);
            let mut sink = Box::pin(Live::call(live.client().copy_in(copy.as_str()))?);
            // What went wrong with the connection, whatever becomes of it on its way through the one who feeds.
            let mut fault = None;
            let fed = feed(&mut |cells| {
                match table.mark {
                    TableMark::Paired => {
                        let key = pair(text(cells, 0)?, text(cells, 1)?).to_bytes();
                        rows.push([Cell::Bytes(&key)].iter().chain(cells))?;
                    }
                    _ => rows.push(cells.iter())?,
                }
                if rows.len() < CHUNK {
                    return Ok(());
                }
                Live::call(sink.send(rows.take())).map_err(|error| {
                    fault = Some(error);
                    StoreError::Server("it was broken off".into())
                })
            });
            match (fault, fed) {
                (Some(fault), _) => return Err(fault),
                (None, fed) => fed?,
            }
            rows.end();
            Live::call(sink.send(rows.take()))?;
            Live::call(sink.as_mut().finish())?;
            live.batch(&format!("ANALYZE {}", table.name))
        })
    }

    fn set_last(&mut self, _: &'static Chamber, table: &'static Table, last: i64) -> Result<(), StoreError> {
        if last == 0 {
            return Ok(());
        }
        let sql = format!("SELECT setval(pg_get_serial_sequence('{}', 'id'), {last})", table.name);
        self.call(|live| live.batch(&sql))
    }

    fn finish(mut self: Box<Self>) -> Result<(), StoreError> {
        self.call(|live| live.batch("COMMIT"))
    }
}

fn text<'a>(cells: &'a [Cell<'_>], at: usize) -> Result<&'a str, StoreError> {
    match cells.get(at) {
        Some(Cell::Text(text)) => Ok(text),
        _ => Err(crate::sql::damaged("a key is no text")),
    }
}
