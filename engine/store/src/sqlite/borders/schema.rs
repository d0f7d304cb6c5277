//! The tables of the borders. Changing one means a new format number.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::{cannot_open, foreign};
use crate::StoreError;

/// The format this program writes.
const FORMAT: i64 = 1;

/// "GRBB": Groma's borders.
const APPLICATION: i64 = 0x4752_4242;

/// Numbers of decisions are never given out twice: people name them.
const TABLES: &str = "
CREATE TABLE clustering (
    id INTEGER PRIMARY KEY AUTOINCREMENT, inflation REAL NOT NULL, selection INTEGER NOT NULL, largest INTEGER NOT NULL,
    sigma REAL NOT NULL,     links INTEGER NOT NULL, directions INTEGER NOT NULL, survey INTEGER NOT NULL, change INTEGER NOT NULL, graph INTEGER NOT NULL,
    at INTEGER NOT NULL, rounds INTEGER NOT NULL, converged INTEGER NOT NULL, count INTEGER NOT NULL, pages INTEGER NOT NULL,
    packed BLOB NOT NULL, overlaps BLOB NOT NULL, UNIQUE (inflation, selection, largest, sigma, links, directions)
);
CREATE TABLE decision (
    id INTEGER PRIMARY KEY AUTOINCREMENT, site TEXT NOT NULL, kind INTEGER NOT NULL, subject TEXT NOT NULL, undoes INTEGER,
    at INTEGER NOT NULL, who TEXT NOT NULL
);
CREATE INDEX decision_site ON decision (site, id);
CREATE TABLE site (
    id INTEGER PRIMARY KEY AUTOINCREMENT, start TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, settings TEXT NOT NULL,
    header TEXT NOT NULL, survey INTEGER NOT NULL, change INTEGER NOT NULL, graph INTEGER NOT NULL, inside INTEGER NOT NULL,
    packed BLOB NOT NULL
);
";

/// Makes the tables, all or none; whoever comes second finds them made.
pub(super) fn create(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if format(&tx, path)? == (0, 0) {
        let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
        if tables > 0 {
            return Err(foreign(path, "this is no file of borders"));
        }
        tx.execute_batch(TABLES)?;
        tx.pragma_update(None, "application_id", APPLICATION)?;
        tx.pragma_update(None, "user_version", FORMAT)?;
    }
    tx.commit()?;
    Ok(())
}

pub(super) fn format(db: &Connection, path: &Path) -> Result<(i64, i64), StoreError> {
    let get = |name| db.pragma_query_value(None, name, |row| row.get(0));
    let both = || Ok((get("application_id")?, get("user_version")?));
    both().map_err(|e| cannot_open(path, e))
}

pub(super) fn check(path: &Path, (application, format): (i64, i64)) -> Result<(), StoreError> {
    if application != APPLICATION {
        return Err(foreign(path, "this is no file of borders"));
    }
    if format != FORMAT {
        return Err(foreign(path, format!("borders of format {format}, this program reads {FORMAT}")));
    }
    Ok(())
}
