//! The tables of links that lead out. Changing one means a new format number, and on a server a new step.

use crate::postgres::ServerSchema;
use crate::sqlite::FileSchema;

/// The application id spells "GROU": Groma's outside links.
pub(crate) const FILE_SCHEMA: FileSchema = FileSchema {
    file: "outside.db",
    what: "outside links",
    application: 0x4752_4f55,
    format: 1,
    tables: SQLITE,
    careful: false,
};

/// The same on a server, in the schema that the survey shares with all that lies beside it.
pub(crate) const SERVER_SCHEMA: ServerSchema = ServerSchema { name: "outside", steps: &[POSTGRES] };

const SQLITE: &str = "
CREATE TABLE outside (
    print BLOB PRIMARY KEY, url TEXT NOT NULL, at INTEGER NOT NULL, since INTEGER NOT NULL, reason INTEGER NOT NULL,
    status INTEGER NOT NULL, leads_to TEXT NOT NULL, by_get INTEGER NOT NULL, etag TEXT NOT NULL, last_modified TEXT NOT NULL,
    elapsed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE outside_robots (
    print BLOB PRIMARY KEY, origin TEXT NOT NULL, at INTEGER NOT NULL, status INTEGER NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID;
";

const POSTGRES: &str = r#"
CREATE TABLE outside (
    print BYTEA PRIMARY KEY, url TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL, since BIGINT NOT NULL, reason BIGINT NOT NULL,
    status BIGINT NOT NULL, leads_to TEXT COLLATE "C" NOT NULL, by_get BIGINT NOT NULL, etag TEXT COLLATE "C" NOT NULL,
    last_modified TEXT COLLATE "C" NOT NULL, elapsed BIGINT NOT NULL
);
CREATE TABLE outside_robots (
    print BYTEA PRIMARY KEY, origin TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL, status BIGINT NOT NULL, body BYTEA NOT NULL
);
"#;
