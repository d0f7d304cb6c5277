//! SQLite: a file that is opened to be read and nothing else.
//!
//! Four fences, each of them enough: the handle is read only; `query_only`; an authorizer that lets only SELECT through, so
//! neither ATTACH (through which a read only handle could write elsewhere), nor PRAGMA, nor any change; and the limit of
//! attached files is 0. The schema is not trusted: functions with effects cannot be called from views, and there are no
//! extensions.
//!
//! The sign of a state is what the file system says about the file and its log (device, number, size, the time of the last
//! change, which a user cannot set back for the file) and how they begin. Where the last change is younger than [`SETTLED`] there is none, for two changes
//! may fall into one tick of the clock. Not for file systems that keep such facts back (some network file systems do).
//!
//! In a file with a write-ahead log all attributes come from one state. Elsewhere a long reading would keep everybody from writing,
//! so each attribute is read for itself. Values that are blobs are passed over.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use data_encoding::HEXLOWER;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::catalogue::{Column, Kind, Relation, qualified, quoted};
use crate::error::SummaryError;
use crate::reader::{ColumnLimit, Reader, Take, left, unquotable};

/// How old the last change must be.
const SETTLED: Duration = Duration::from_secs(2);

/// How long we wait for somebody who writes.
const BUSY: Duration = Duration::from_secs(5);

/// Steps of SQLite's machine between two looks at the clock.
const STEPS: i32 = 100_000;

/// Octets at the beginning of a file that tell of changes.
const HEAD: u64 = 100;

/// A file that is open.
pub(super) struct File {
    path: PathBuf,
    conn: Connection,
    until: Instant,
    sign: Option<String>,
}

impl File {
    pub(super) fn open(path: &Path) -> Result<File, SummaryError> {
        let refuse = |error: rusqlite::Error| SummaryError::Connect(error.to_string());
        // SQLite gives some names a meaning of their own (`:memory:`, the empty one); we mean files.
        let path = path.canonicalize().map_err(|error| SummaryError::Connect(error.to_string()))?;
        if !path.is_file() {
            return Err(SummaryError::Connect("it is no file".into()));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut conn = Connection::open_with_flags(&path, flags).map_err(refuse)?;
        fence(&mut conn).map_err(refuse)?;
        Ok(File { path, conn, until: Instant::now() + Duration::from_secs(60), sign: None })
    }
}

/// Everything that makes the handle a reader's.
fn fence(conn: &mut Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(BUSY)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    conn.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    // Memory for pages is bounded, what is sorted beyond it goes to files.
    conn.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -16384; PRAGMA temp_store = FILE;")?;
    conn.authorizer(Some(judge))
}

fn judge(context: AuthContext<'_>) -> Authorization {
    let allowed = match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive | AuthAction::Transaction { .. } => true,
        AuthAction::Function { function_name } => !function_name.eq_ignore_ascii_case("load_extension"),
        AuthAction::Pragma { pragma_name, pragma_value } => match pragma_name {
            "table_xinfo" => true,
            // Looking, not setting.
            "journal_mode" => pragma_value.is_none(),
            _ => false,
        },
        _ => false,
    };
    if allowed { Authorization::Allow } else { Authorization::Deny }
}

impl Reader for File {
    fn excess(&mut self) -> Result<Vec<String>, SummaryError> {
        // The fences stand whoever we are; that they stand is tried, not believed.
        let writes =
            ["CREATE TEMP TABLE groma_was_here (a)", "ATTACH ':memory:' AS groma_was_here", "PRAGMA query_only = OFF"];
        let stands = writes.iter().all(|write| self.conn.execute_batch(write).is_err());
        Ok(if stands { Vec::new() } else { vec!["SQLite let us write".into()] })
    }

    fn begin(&mut self, until: Instant) -> Result<(), SummaryError> {
        left(until)?;
        self.until = until;
        // Before anything is read: whatever is written from now on makes another sign.
        self.sign = facts(&self.path);
        self.conn.progress_handler(STEPS, Some(move || Instant::now() >= until)).map_err(|error| fault(&error))?;
        let mode = self
            .conn
            .query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0))
            .map_err(|error| fault(&error))?;
        if mode.eq_ignore_ascii_case("wal") {
            self.conn.execute_batch("BEGIN").map_err(|error| fault(&error))?;
        }
        Ok(())
    }

    fn sign(&mut self) -> Result<Option<String>, SummaryError> {
        Ok(self.sign.clone())
    }

    fn relations(&mut self) -> Result<Vec<Relation>, SummaryError> {
        let question = "SELECT name, coalesce(rootpage, 0) > 0 FROM main.sqlite_schema \
            WHERE type IN ('table', 'view') AND lower(substr(name, 1, 7)) <> 'sqlite_' ORDER BY name LIMIT 100000";
        let mut statement = self.conn.prepare(question).map_err(|error| fault(&error))?;
        let relation = |row: &rusqlite::Row<'_>| {
            Ok(Relation {
                schema: Some("main".into()),
                name: row.get(0)?,
                place: Some(1),
                rows_only: row.get(1)?,
                of_role: false,
            })
        };
        statement
            .query_map([], relation)
            .map_err(|error| fault(&error))?
            .collect::<Result<_, _>>()
            .map_err(|error| fault(&error))
    }

    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, SummaryError> {
        let question = "SELECT name, type FROM pragma_table_xinfo(?1, 'main') WHERE hidden <> 1 ORDER BY cid";
        let mut statement = self.conn.prepare(question).map_err(|error| fault(&error))?;
        let column = |row: &rusqlite::Row<'_>| {
            let kind = kind_of(&row.get::<_, String>(1)?, relation.rows_only);
            Ok(Column { name: row.get(0)?, kind })
        };
        statement
            .query_map([&relation.name], column)
            .map_err(|error| fault(&error))?
            .collect::<Result<_, _>>()
            .map_err(|error| fault(&error))
    }

    fn values(
        &mut self,
        relation: &Relation,
        column: &Column,
        wanted: ColumnLimit,
        take: &mut Take<'_>,
    ) -> Result<(), SummaryError> {
        left(self.until)?;
        let question = question(relation, column, wanted).ok_or_else(unquotable)?;
        let mut statement = self.conn.prepare(&question).map_err(|error| fault(&error))?;
        let mut rows = statement.query([]).map_err(|error| fault(&error))?;
        while let Some(row) = rows.next().map_err(|error| fault(&error))? {
            if let ValueRef::Text(octets) = row.get_ref(0).map_err(|error| fault(&error))?
                && take(octets)?.is_break()
            {
                break;
            }
        }
        Ok(())
    }
}

/// Ordering what is distinct makes SQLite sort once, outside memory if need be; DISTINCT alone would fill a tree in random order.
fn question(relation: &Relation, column: &Column, wanted: ColumnLimit) -> Option<String> {
    let (table, name) = (qualified(relation, '"')?, quoted(&column.name, '"')?);
    let ColumnLimit { rows, letters, .. } = wanted;
    let distinct =
        format!("SELECT DISTINCT {name} COLLATE BINARY AS v FROM {table} WHERE {name} IS NOT NULL ORDER BY 1");
    Some(match column.kind {
        // All that is not a blob is a text, and blobs come last: one sort is enough.
        Kind::Text => format!("{distinct} LIMIT {rows}"),
        // A LIMIT that limits nothing keeps the order within.
        Kind::Plain | Kind::Other | Kind::Binary => format!(
            "SELECT substr(CAST(v AS TEXT), 1, {letters}) AS w FROM ({distinct} LIMIT -1) WHERE typeof(v) <> 'blob' \
             ORDER BY w COLLATE BINARY LIMIT {rows}"
        ),
    })
}

/// By SQLite's own rules of affinity. What a view or a virtual table calls a text need not be one.
fn kind_of(declared: &str, is_table: bool) -> Kind {
    let declared = declared.to_ascii_uppercase();
    let says = |word: &str| declared.contains(word);
    if says("INT") {
        Kind::Other
    } else if says("CHAR") || says("CLOB") || says("TEXT") {
        if is_table { Kind::Text } else { Kind::Other }
    } else if says("BLOB") {
        Kind::Binary
    } else {
        Kind::Other
    }
}

/// What the file system says about the file, its log and its journal, and their first octets: SQLite counts changes there.
#[cfg(unix)]
fn facts(path: &Path) -> Option<String> {
    use std::fmt::Write;
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;

    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let mut facts = String::new();
    for ending in ["", "-wal", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        match std::fs::metadata(&name) {
            // An empty log says nothing, and a reader may be the one who made it.
            Ok(about) if ending.is_empty() || about.len() > 0 => {
                // SQLite gives a log its owner when root opens it, and that counts as a change: its own time and its
                // head, which is new whenever it begins anew, say the same.
                let (since, nanos) = if ending == "-wal" { (0, 0) } else { (about.ctime(), about.ctime_nsec()) };
                let changed = since.max(about.mtime());
                if i128::from(changed) + i128::from(SETTLED.as_secs()) >= i128::from(now.as_secs()) {
                    return None;
                }
                let (dev, ino, len) = (about.dev(), about.ino(), about.len());
                let times = [about.mtime(), about.mtime_nsec(), since, nanos];
                let mut head = Vec::new();
                std::fs::File::open(&name).and_then(|file| file.take(HEAD).read_to_end(&mut head)).ok()?;
                write!(facts, "{ending} {dev} {ino} {len} {times:?} {};", HEXLOWER.encode(&head)).ok()?;
            }
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !ending.is_empty() => {}
            Err(_) => return None,
        }
    }
    Some(facts)
}

#[cfg(not(unix))]
fn facts(_path: &Path) -> Option<String> {
    None
}

fn fault(error: &rusqlite::Error) -> SummaryError {
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => SummaryError::Time(0),
        _ => SummaryError::Database(error.to_string()),
    }
}

#[cfg(test)]
#[path = "sqlite_tests.rs"]
mod tests;
