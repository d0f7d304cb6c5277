//! The tables of the borders.

use crate::sqlite::beside::Kind;

/// "GRBB": Groma's borders.
pub(super) const KIND: Kind = Kind { of: "borders", application: 0x4752_4242, format: 1, tables: TABLES };

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
