//! What a survey consists of: its rooms, their tables and columns, the same on both sides.
//!
//! Rows are compared and carried as these columns, whatever each side keeps besides. Where a side keeps a table in another way there
//! is a mark: the queue of a file is part of its URLs, a pair of long texts has a fingerprint as its key on a server, and what
//! counts how far the index of a file has come is no part of the survey. Who writes, which writes were applied and how far the rooms
//! have come is no part of it either: the other side has its own.

use crate::SideStore;
use crate::bounds::BoundsStore;
use crate::focuses::Focuses;
use crate::gathers::Gathers;
use crate::jobs::Queue;
use crate::outside::Outside;
use crate::postgres::ServerSchema;
use crate::sqlite::FileSchema;

/// Tables that lie in one file, or were made together on a server.
pub(super) struct Chamber {
    /// The file in the folder of a survey; nothing: the survey itself.
    pub(super) beside: Option<&'static FileSchema>,
    /// The tables on a server.
    pub(super) server: &'static ServerSchema,
    pub(super) tables: &'static [Table],
}

impl Chamber {
    /// The name of the file in the folder of a survey.
    pub(super) fn file(&self) -> &'static str {
        self.beside.map_or("survey.db", |schema| schema.file)
    }
}

/// A table, as both sides know it.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [&'static str],
    /// The columns by which it is read: an index of both sides has them. Empty: in any order.
    pub(super) order: &'static str,
    /// Where the sides differ.
    pub(super) mark: TableMark,
}

/// In what the sides differ about a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableMark {
    Plain,
    /// Its numbers are given out by the database and never twice.
    Numbered,
    /// On a server there is a fingerprint of its first two columns before them.
    Paired,
    /// URLs: a file has an index of their fingerprints that nobody keeps up to date for us.
    Printed,
    /// Sums: one of those in a file says how far that index has come.
    Sums,
    /// The queue: in a file it is part of the URLs.
    Turns,
}

const fn table(name: &'static str, columns: &'static [&'static str], order: &'static str, mark: TableMark) -> Table {
    Table { name, columns, order, mark }
}

/// Everything. The survey comes first.
pub(super) const CHAMBERS: [Chamber; 6] = [
    Chamber { beside: None, server: &crate::postgres::SURVEY_SCHEMA, tables: &SURVEY },
    Chamber { beside: Some(Queue::FILE), server: Queue::SERVER, tables: &JOBS },
    Chamber { beside: Some(BoundsStore::FILE), server: BoundsStore::SERVER, tables: &BOUNDS },
    Chamber { beside: Some(Focuses::FILE), server: Focuses::SERVER, tables: &FOCUSES },
    Chamber { beside: Some(Gathers::FILE), server: Gathers::SERVER, tables: &GATHERS },
    Chamber { beside: Some(Outside::FILE), server: Outside::SERVER, tables: &OUTSIDE },
];

static SURVEY: [Table; 16] = [
    table("survey", &["key", "value"], "", TableMark::Plain),
    table("counter", &["key", "value"], "", TableMark::Sums),
    table("limit_hit", &["key", "count"], "", TableMark::Plain),
    table("run", &["id", "kind", "started", "ended", "outcome"], "id", TableMark::Plain),
    table("host", &["id", "origin", "robots_at", "robots_status", "robots"], "id", TableMark::Plain),
    table(
        "address",
        &["id", "fp", "host", "url", "reason", "depth", "via", "via_kind", "alias_of", "run", "since"],
        "id",
        TableMark::Printed,
    ),
    table("linked", &["id", "urls"], "id", TableMark::Plain),
    table("queue", &["id", "host", "round", "rank"], "id", TableMark::Turns),
    table(
        "page",
        &[
            "id",
            "status",
            "media_type",
            "charset",
            "language",
            "content_language",
            "size",
            "title",
            "last_modified",
            "etag",
            "expires",
            "text_fp",
            "body_fp",
            "near_fp",
            "words",
            "elapsed_ms",
            "fetched_at",
            "changed_at",
            "canonical",
            "noindex",
            "nofollow",
            "cuts",
            "note",
        ],
        "id",
        TableMark::Plain,
    ),
    table("content", &["id", "targets", "details"], "id", TableMark::Plain),
    table("body", &["id", "bytes"], "id", TableMark::Plain),
    table("variant", &["key", "page", "text"], "key", TableMark::Plain),
    table("fold", &["key", "page"], "key", TableMark::Plain),
    table(
        "learned",
        &["shape", "param", "equal", "differ", "standing", "folded", "samples", "example"],
        "",
        TableMark::Paired,
    ),
    table("finding", &["kind", "subject", "detail", "since"], "", TableMark::Paired),
    table("change", &["seq", "run", "at", "page", "kind", "amount", "moved_to"], "seq", TableMark::Plain),
];

static JOBS: [Table; 5] = [
    table(
        "job",
        &[
            "id",
            "kind",
            "args",
            "priority",
            "package",
            "state",
            "wish",
            "felled",
            "owner",
            "fence",
            "lease_until",
            "heard",
            "deaths",
            "made_at",
            "not_before",
            "started_at",
            "ended_at",
            "progress",
            "memo",
            "outcome",
            "schedule",
        ],
        "id",
        TableMark::Numbered,
    ),
    table("log", &["job", "seq", "at", "text"], "job, seq", TableMark::Plain),
    table("curve", &["job", "at_ms", "done", "still"], "job, at_ms", TableMark::Plain),
    table(
        "schedule",
        &[
            "id",
            "name",
            "period",
            "zone",
            "jitter",
            "jobs",
            "priority",
            "enabled",
            "next_at",
            "last_at",
            "last_package",
        ],
        "id",
        TableMark::Numbered,
    ),
    table("notice", &["id", "at", "run", "title", "body", "delivery"], "id", TableMark::Numbered),
];

static BOUNDS: [Table; 3] = [
    table(
        "clustering",
        &[
            "id",
            "inflation",
            "selection",
            "largest",
            "sigma",
            "links",
            "directions",
            "survey",
            "change",
            "graph",
            "at",
            "rounds",
            "converged",
            "count",
            "pages",
            "packed",
            "overlaps",
        ],
        "id",
        TableMark::Numbered,
    ),
    table("decision", &["id", "site", "kind", "subject", "undoes", "at", "who"], "id", TableMark::Numbered),
    table(
        "site",
        &["id", "start", "at", "settings", "header", "survey", "change", "graph", "inside", "packed"],
        "id",
        TableMark::Numbered,
    ),
];

static FOCUSES: [Table; 2] = [
    table(
        "focus",
        &["id", "key", "topic", "strategy", "asked", "begun", "last", "steps", "relevant", "ended"],
        "id",
        TableMark::Numbered,
    ),
    table(
        "step",
        &["focus", "place", "page", "address", "score", "relevant", "found", "said"],
        "focus, place",
        TableMark::Plain,
    ),
];

static GATHERS: [Table; 6] = [
    table(
        "gather",
        &[
            "id",
            "key",
            "address",
            "form",
            "title",
            "asked",
            "begun",
            "last",
            "generation",
            "shown",
            "ended",
            "statement",
            "report",
        ],
        "id",
        TableMark::Numbered,
    ),
    table(
        "answer",
        &[
            "gather",
            "generation",
            "place",
            "key",
            "about",
            "at",
            "reason",
            "status",
            "address",
            "media_type",
            "charset",
            "etag",
            "last_modified",
            "cut",
            "unchanged",
            "requests",
            "body",
        ],
        "gather, generation, place",
        TableMark::Plain,
    ),
    table(
        "record",
        &["gather", "generation", "place", "said", "link", "question"],
        "gather, generation, place",
        TableMark::Plain,
    ),
    table("value", &["gather", "generation", "attribute", "place", "value"], "", TableMark::Plain),
    table("point", &["gather", "generation", "requests", "records"], "gather, generation, requests", TableMark::Plain),
    table("robots", &["origin", "at", "status", "body"], "", TableMark::Plain),
];

static OUTSIDE: [Table; 2] = [
    table(
        "outside",
        &["print", "url", "at", "since", "reason", "status", "leads_to", "by_get", "etag", "last_modified", "elapsed"],
        "print",
        TableMark::Plain,
    ),
    table("outside_robots", &["print", "origin", "at", "status", "body"], "print", TableMark::Plain),
];

impl Table {
    /// How it is read on a server.
    pub(super) fn select_there(&self) -> String {
        self.select(&self.quoted(), self.name, "")
    }

    /// How it is read in a file.
    pub(super) fn select_here(&self) -> String {
        match self.mark {
            TableMark::Turns => self.select(&self.columns.join(", "), "address", " WHERE round IS NOT NULL"),
            TableMark::Sums => self.select(&self.columns.join(", "), self.name, " WHERE key <> 'printed'"),
            _ => self.select(&self.columns.join(", "), self.name, ""),
        }
    }

    /// A server knows some of our names as words of its own. (A file takes a name in quotes that it does not know for a text.)
    fn quoted(&self) -> String {
        let quoted: Vec<String> = self.columns.iter().map(|column| format!("\"{column}\"")).collect();
        quoted.join(", ")
    }

    fn select(&self, columns: &str, name: &str, filter: &str) -> String {
        let order = if self.order.is_empty() { String::new() } else { format!(" ORDER BY {}", self.order) };
        format!("SELECT {columns} FROM {name}{filter}{order}")
    }

    /// How a row is written into a file.
    pub(super) fn insert_here(&self) -> String {
        if self.mark == TableMark::Turns {
            return "UPDATE address SET round = ?3, rank = ?4 WHERE id = ?1 AND host = ?2".to_owned();
        }
        let places: Vec<String> = (1..=self.columns.len()).map(|at| format!("?{at}")).collect();
        format!("INSERT INTO {} ({}) VALUES ({})", self.name, self.columns.join(", "), places.join(", "))
    }

    /// The columns that are written on a server.
    pub(super) fn columns_there(&self) -> String {
        let columns = self.quoted();
        if self.mark == TableMark::Paired { format!("key, {columns}") } else { columns }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rusqlite::Connection;

    use super::*;
    use crate::SqliteStore;
    use crate::sqlite::SqliteFile;

    /// Whoever adds a table or a column to a survey has to say here how it is copied.
    #[test]
    fn no_table_and_no_column_is_forgotten() {
        let dir = std::env::temp_dir().join(format!("groma-copy-tables-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        for chamber in &CHAMBERS {
            let path = dir.join(chamber.file());
            match chamber.beside {
                None => SqliteStore::begin(&path).unwrap(),
                Some(kind) => drop(SqliteFile::open(&path, kind).unwrap()),
            }
            let db = Connection::open(&path).unwrap();
            let sql = "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
                       WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'";
            let mut columns = db.prepare(sql).unwrap();
            let found = columns.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            let found: BTreeSet<(String, String)> = found.map(Result::unwrap).collect();
            let mut copied: BTreeSet<(String, String)> = BTreeSet::new();
            for table in chamber.tables {
                let holds = if table.mark == TableMark::Turns { "address" } else { table.name };
                copied.extend(table.columns.iter().map(|column| (holds.to_owned(), (*column).to_owned())));
            }
            // The index of fingerprints is made anew.
            let left: Vec<_> = found.difference(&copied).filter(|(table, _)| table != "print").collect();
            assert!(left.is_empty(), "{} has {left:?}", chamber.file());
            assert!(copied.is_subset(&found), "{}", chamber.file());
        }
        std::fs::remove_dir_all(dir).unwrap();
    }
}
