//! A survey from one store to another, whole and verified.
//!
//! ```text
//! moment   the source is read as it stood when the copy began, whatever is written to it meanwhile; who copies a whole survey
//!          refuses to begin while somebody writes, so that files beside each other fit together and nothing stays behind
//! carry    for every table: rows in order of their keys, one after the other, a digest of them on the way
//! verify   for every table: both sides are read again; count and digest must be those of what was carried
//! finish   only now others can see it: a folder gets its name, a transaction is committed
//! ```
//!
//! Whoever is killed before the end leaves no survey. Numbers of URLs, hosts, jobs and so on, and places in the change log, stay
//! what they are, and what comes next gets the next number.
//!
//! Cost: the source is read twice, the target written and read once. Memory: flat (see [`files`] and [`server`]).
//!
//! Not copied: the full-text index and results of jobs, which are made again; leases of whoever writes.

mod binary;
mod digest;
mod files;
mod server;
mod side;
mod tables;

use std::path::Path;

use crate::{Server, StoreError, SurveyName};

use digest::{Digest, Digesting};
use files::Files;
use server::OnServer;
use side::{Source, Target};
use tables::{CHAMBERS, Chamber, Table, TableMark};

/// After so many rows somebody is told.
const TOLD: u64 = 10_000;

/// What was copied. It is the same on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Table by table, in the order in which they were copied.
    pub tables: Vec<CopiedTable>,
}

/// A table that was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedTable {
    /// What lies in it, in a word: "survey", "jobs".
    pub room: &'static str,
    /// The same on both sides.
    pub name: &'static str,
    /// How many rows there are on both sides.
    pub rows: u64,
    /// Bytes of what stands in them.
    pub bytes: u64,
    /// What they amount to: the same for the same rows, in whatever database.
    pub digest: u128,
}

impl Copied {
    /// Rows of all tables.
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.bytes).sum()
    }
}

/// Is told which table is being copied and how many of its rows have been.
pub(crate) type Progress<'a> = dyn FnMut(&str, u64) + 'a;

/// One end of a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End<'a> {
    /// Files in a folder. One that is written to is known to nobody yet.
    Here(&'a Path),
    /// A survey on a server. One that is written to is not there yet.
    There(&'a Server, &'a SurveyName),
}

impl End<'_> {
    fn source(self, chambers: &'static [Chamber]) -> Result<Box<dyn Source>, StoreError> {
        Ok(match self {
            End::Here(folder) => Box::new(Files::read(folder, chambers)?),
            End::There(server, survey) => Box::new(OnServer::read(server, survey, chambers)?),
        })
    }

    fn target(self) -> Result<Box<dyn Target>, StoreError> {
        Ok(match self {
            End::Here(folder) => Box::new(Files::write(folder)),
            End::There(server, survey) => Box::new(OnServer::write(server, survey)?),
        })
    }
}

/// A survey as it stands at this moment, to be copied.
pub(crate) struct Moment(Box<dyn Source>);

/// Takes hold of a survey as it stands.
pub(crate) fn moment(from: End<'_>) -> Result<Moment, StoreError> {
    from.source(&CHAMBERS).map(Moment)
}

/// Copies everything from one end to the other and verifies it. `last` is called when everything is the same, before anybody can see it.
pub(crate) fn whole(
    Moment(mut from): Moment,
    to: End<'_>,
    progress: &mut Progress<'_>,
    last: impl FnOnce() -> Result<(), StoreError>,
) -> Result<Copied, StoreError> {
    let mut to = to.target()?;
    let copied = carry(&mut *from, &mut *to, &CHAMBERS, progress)?;
    verify(&mut *from, &mut *to, &copied)?;
    last()?;
    to.finish()?;
    let tell = |(chamber, table, digest): (&'static Chamber, &'static Table, Digest)| CopiedTable {
        room: chamber.server.name,
        name: table.name,
        rows: digest.rows,
        bytes: digest.bytes,
        digest: digest.sum,
    };
    Ok(Copied { tables: copied.into_iter().map(tell).collect() })
}

/// Copies the survey alone into a file that will only be read. The file is whole when this returns, and not before.
pub(crate) fn to_file(server: &Server, survey: &SurveyName, file: &Path) -> Result<(), StoreError> {
    let alone = &CHAMBERS[..1];
    let mut from = OnServer::read(server, survey, alone)?;
    let mut to = Box::new(Files::write_alone(file));
    carry(&mut from, &mut *to, alone, &mut |_, _| {})?;
    to.finish()
}

type Carried = Vec<(&'static Chamber, &'static Table, Digest)>;

fn carry(
    from: &mut dyn Source,
    to: &mut dyn Target,
    chambers: &'static [Chamber],
    progress: &mut Progress<'_>,
) -> Result<Carried, StoreError> {
    let mut there = Vec::new();
    for chamber in chambers {
        if from.has(chamber)? {
            there.push(chamber);
        }
    }
    to.begin(&there)?;
    let mut carried = Vec::new();
    for (chamber, table) in there.iter().flat_map(|chamber| chamber.tables.iter().map(move |table| (*chamber, table))) {
        let mut digesting = Digesting::default();
        let done = to.take(chamber, table, &mut |take| {
            from.each(chamber, table, &mut |cells| {
                take(cells)?;
                digesting.add(cells);
                let rows = digesting.digest().rows;
                if rows % TOLD == 0 {
                    progress(table.name, rows);
                }
                Ok(())
            })
        });
        done.map_err(|error| of_table(table, error))?;
        if table.mark == TableMark::Numbered {
            let last = from.last(chamber, table)?;
            to.set_last(chamber, table, last)?;
        }
        progress(table.name, digesting.digest().rows);
        carried.push((chamber, table, digesting.digest()));
    }
    Ok(carried)
}

/// Reads both sides again.
fn verify(from: &mut dyn Source, to: &mut dyn Target, carried: &Carried) -> Result<(), StoreError> {
    for (chamber, table, expected) in carried {
        let read = |side: &mut dyn Source| {
            let mut digesting = Digesting::default();
            side.each(chamber, table, &mut |cells| {
                digesting.add(cells);
                Ok(())
            })?;
            Ok::<_, StoreError>(digesting.digest())
        };
        let (there, here) = (read(to)?, read(from)?);
        for (side, found) in [("the copy", there), ("the source", here)] {
            if found != *expected {
                let what = match found.rows == expected.rows {
                    true => format!("some of the {} rows of {side} are not those that were copied", found.rows),
                    false => format!("{side} has {} rows, {} were copied", found.rows, expected.rows),
                };
                return Err(StoreError::Differs { table: table.name.to_owned(), what });
            }
        }
        if table.mark == TableMark::Numbered && from.last(chamber, table)? != to.last(chamber, table)? {
            let what = "the next number is not the same on both sides".to_owned();
            return Err(StoreError::Differs { table: table.name.to_owned(), what });
        }
    }
    Ok(())
}

/// What is damaged is a row of this table.
fn of_table(table: &Table, error: StoreError) -> StoreError {
    match error {
        StoreError::Damaged(what) => StoreError::Damaged(format!("table {}: {what}", table.name)),
        StoreError::Server(what) => StoreError::Server(format!("table {}: {what}", table.name)),
        other => other,
    }
}
