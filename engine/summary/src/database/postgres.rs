//! PostgreSQL: the catalogue, the rights, and values through COPY.
//!
//! A reading is one READ ONLY transaction with REPEATABLE READ: all attributes come from one snapshot. The sign of a state is
//! the snapshot itself (`pg_current_snapshot`): which rows a transaction sees is a function of its snapshot, and every change,
//! also of tables and rights, takes a transaction number of its own. So an equal snapshot means equal rows, in the whole
//! cluster; an unequal one means nothing. A crash can take numbers back (asynchronous commits) or empty tables (unlogged
//! ones): the start of the server and its last checkpoint, which every recovery makes anew, are part of the sign. Not covered,
//! and therefore without a sign: views, foreign tables and tables with row security, which may hang on more than rows.
//!
//! Values come by `COPY (SELECT DISTINCT ...) TO STDOUT`: the server makes the texts and may use its parallel plans, rows are
//! taken as they come, and the driver holds one piece at a time.

use std::io::{self, BufRead};
use std::time::{Duration, Instant};

use postgres::error::SqlState;
use postgres::{Client, Config, NoTls};

use crate::catalogue::{Column, Kind, Relation, qualified, quoted};
use crate::database::copy::unescape;
use crate::error::SummaryError;
use crate::reader::{ColumnLimit, Reader, Take, left, unquotable};

/// Most tables and columns taken from the catalogue.
const CATALOGUE: i64 = 100_000;

/// What decides how values look as texts, and how long we wait for locks.
const SESSION: &str = "SET default_transaction_read_only = on; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'iso_8601'; \
    SET TimeZone = 'UTC'; SET extra_float_digits = 1; SET client_encoding = 'UTF8'; SET jit = off; SET lock_timeout = '10s'";

/// The roles that this one is or can become, and what they may. Everything that is not reading is one line.
const EXCESS: &str = "WITH mine AS (SELECT oid, rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication \
      FROM pg_catalog.pg_roles WHERE pg_catalog.pg_has_role(SESSION_USER, oid, 'MEMBER')), \
    schemas AS (SELECT oid, nspname, nspowner FROM pg_catalog.pg_namespace \
      WHERE pg_catalog.left(nspname::pg_catalog.text, 3) <> 'pg_' AND nspname <> 'information_schema'), \
    rights AS ( \
      SELECT 1 AS n, 'it is the superuser ' || rolname::pg_catalog.text AS what FROM mine WHERE rolsuper \
      UNION ALL SELECT 2, 'it can make roles, databases or replicas' FROM mine WHERE rolcreaterole OR rolcreatedb OR rolreplication \
      UNION ALL SELECT 3, 'it is a member of ' || rolname::pg_catalog.text FROM mine \
        WHERE pg_catalog.left(rolname::pg_catalog.text, 3) = 'pg_' AND rolname NOT IN \
          ('pg_read_all_data', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables', 'pg_monitor') \
      UNION ALL SELECT 4, 'it can change the table ' || s.nspname::pg_catalog.text || '.' || c.relname::pg_catalog.text \
        FROM pg_catalog.pg_class c JOIN schemas s ON s.oid = c.relnamespace CROSS JOIN mine m \
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND (c.relowner = m.oid \
          OR pg_catalog.has_table_privilege(m.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') \
          OR pg_catalog.has_any_column_privilege(m.oid, c.oid, 'INSERT, UPDATE')) \
      UNION ALL SELECT 5, 'it can move the sequence ' || s.nspname::pg_catalog.text || '.' || c.relname::pg_catalog.text \
        FROM (SELECT oid, relname, relnamespace, relowner FROM pg_catalog.pg_class WHERE relkind = 'S' OFFSET 0) c \
        JOIN schemas s ON s.oid = c.relnamespace CROSS JOIN mine m \
        WHERE c.relowner = m.oid OR pg_catalog.has_sequence_privilege(m.oid, c.oid, 'USAGE, UPDATE') \
      UNION ALL SELECT 6, 'it can make tables in the schema ' || s.nspname::pg_catalog.text FROM schemas s CROSS JOIN mine m \
        WHERE s.nspowner = m.oid OR pg_catalog.has_schema_privilege(m.oid, s.oid, 'CREATE') \
      UNION ALL SELECT 7, 'it can make schemas' FROM mine m \
        WHERE pg_catalog.has_database_privilege(m.oid, pg_catalog.current_database()::pg_catalog.text, 'CREATE')) \
    SELECT what FROM rights GROUP BY n, what ORDER BY n, what LIMIT 5";

const RELATIONS: &str = "SELECT n.nspname, c.relname, \
      pg_catalog.array_position($1::pg_catalog.text[], n.nspname::pg_catalog.text), \
      c.relkind IN ('r', 'p', 'm') AND NOT c.relrowsecurity \
        AND (c.relkind <> 'p' OR NOT EXISTS (SELECT 1 FROM pg_catalog.pg_foreign_table)) \
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.left(n.nspname::pg_catalog.text, 3) <> 'pg_' \
      AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') \
      AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT') \
    ORDER BY 1, 2 LIMIT $2";

const COLUMNS: &str = "SELECT a.attname, t.typname, tn.nspname = 'pg_catalog' \
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace \
    WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped \
      AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') \
    ORDER BY a.attnum";

const SIGN: &str = "SELECT pg_catalog.concat_ws(' ', pg_catalog.pg_current_snapshot(), \
      pg_catalog.pg_postmaster_start_time(), (SELECT checkpoint_lsn FROM pg_catalog.pg_control_checkpoint()), \
      (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()))";

/// A connection to PostgreSQL.
pub(super) struct Server {
    client: Client,
    /// The schemas that are looked through for a bare name.
    path: Vec<String>,
    until: Instant,
}

impl Server {
    pub(super) fn connect(config: &Config) -> Result<Server, SummaryError> {
        let mut config = config.clone();
        // A server that has gone away without a word is noticed.
        config.keepalives(true).keepalives_idle(Duration::from_secs(30)).tcp_user_timeout(Duration::from_secs(60));
        let mut client = config.connect(NoTls).map_err(|error| SummaryError::Connect(told(&error)))?;
        let path = client
            .query_one("SELECT pg_catalog.current_schemas(false)::pg_catalog.text[]", &[])
            .map_err(|error| fault(&error))?;
        let path = path.try_get(0).map_err(|error| fault(&error))?;
        // From here on nothing is looked up outside the system's own schema: all our names are whole.
        client.batch_execute("SET search_path = pg_catalog").map_err(|error| fault(&error))?;
        client.batch_execute(SESSION).map_err(|error| fault(&error))?;
        Ok(Server { client, path, until: Instant::now() + Duration::from_secs(60) })
    }

    /// The time that is left is the server's time too.
    fn limit(&mut self) -> Result<(), SummaryError> {
        let left = left(self.until)?.as_millis();
        self.client.batch_execute(&format!("SET statement_timeout = {left}")).map_err(|error| fault(&error))
    }
}

impl Reader for Server {
    fn excess(&mut self) -> Result<Vec<String>, SummaryError> {
        self.limit()?;
        let rows = self.client.query(EXCESS, &[]).map_err(|error| fault(&error))?;
        rows.iter().map(|row| row.try_get(0).map_err(|error| fault(&error))).collect()
    }

    fn begin(&mut self, until: Instant) -> Result<(), SummaryError> {
        self.until = until;
        self.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").map_err(|error| fault(&error))
    }

    fn sign(&mut self) -> Result<Option<String>, SummaryError> {
        self.limit()?;
        let may = "SELECT pg_catalog.has_function_privilege('pg_catalog.pg_control_checkpoint()', 'EXECUTE')";
        if !self.client.query_one(may, &[]).and_then(|row| row.try_get(0)).map_err(|error| fault(&error))? {
            return Ok(None);
        }
        let row = self.client.query_one(SIGN, &[]).map_err(|error| fault(&error))?;
        row.try_get(0).map(Some).map_err(|error| fault(&error))
    }

    fn relations(&mut self) -> Result<Vec<Relation>, SummaryError> {
        self.limit()?;
        let rows = self.client.query(RELATIONS, &[&self.path, &CATALOGUE]).map_err(|error| fault(&error))?;
        let relation = |row: &postgres::Row| {
            Ok(Relation {
                schema: Some(row.try_get(0)?),
                name: row.try_get(1)?,
                place: row.try_get::<_, Option<i32>>(2)?.and_then(|place| u32::try_from(place).ok()),
                rows_only: row.try_get(3)?,
                of_role: true,
            })
        };
        rows.iter().map(|row| relation(row).map_err(|error| fault(&error))).collect()
    }

    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, SummaryError> {
        self.limit()?;
        let schema = relation.schema.as_deref().unwrap_or_default();
        let rows = self.client.query(COLUMNS, &[&schema, &relation.name]).map_err(|error| fault(&error))?;
        let column = |row: &postgres::Row| {
            let (kind, own): (String, bool) = (row.try_get(1)?, row.try_get(2)?);
            Ok(Column { name: row.try_get(0)?, kind: if own { kind_of(&kind) } else { Kind::Other } })
        };
        rows.iter().map(|row| column(row).map_err(|error| fault(&error))).collect()
    }

    fn values(
        &mut self,
        relation: &Relation,
        column: &Column,
        wanted: ColumnLimit,
        take: &mut Take<'_>,
    ) -> Result<(), SummaryError> {
        self.limit()?;
        let question = question(relation, column, wanted).ok_or_else(unquotable)?;
        let mut rows = self.client.copy_out(&question).map_err(|error| fault(&error))?;
        let mut line = Vec::new();
        loop {
            line.clear();
            if rows.read_until(b'\n', &mut line).map_err(broken)? == 0 {
                return Ok(());
            }
            if line.last() == Some(&b'\n') {
                line.pop();
            }
            // Whoever has had enough leaves the rest to the driver, which passes over it; there are at most so many rows.
            if unescape(&mut line) && take(&line)?.is_break() {
                return Ok(());
            }
        }
    }
}

fn question(relation: &Relation, column: &Column, wanted: ColumnLimit) -> Option<String> {
    let (table, name) = (qualified(relation, '"')?, quoted(&column.name, '"')?);
    let ColumnLimit { rows, letters, .. } = wanted;
    let as_text = format!("{name}::pg_catalog.text COLLATE pg_catalog.\"C\"");
    let distinct = |value: &str| format!("SELECT DISTINCT {value} AS v FROM {table} WHERE {name} IS NOT NULL");
    Some(match column.kind {
        // A few values are made into texts, not all rows; their order is another one then.
        Kind::Plain => format!(
            "COPY (SELECT v::pg_catalog.text COLLATE pg_catalog.\"C\" FROM ({}) AS d ORDER BY 1 LIMIT {rows}) TO STDOUT",
            distinct(&name)
        ),
        // What is distinct is in order already: one sort is enough, and only what is sent is cut.
        Kind::Text | Kind::Other | Kind::Binary => format!(
            "COPY (SELECT pg_catalog.left(v, {letters}) FROM ({} ORDER BY 1 LIMIT {rows}) AS d ORDER BY v) TO STDOUT",
            distinct(&as_text)
        ),
    })
}

fn kind_of(name: &str) -> Kind {
    match name {
        "int2" | "int4" | "int8" | "oid" | "bool" | "date" | "time" | "timestamp" | "timestamptz" | "uuid" => {
            Kind::Plain
        }
        "text" | "varchar" => Kind::Text,
        "bytea" => Kind::Binary,
        _ => Kind::Other,
    }
}

fn told(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(error) => error.message().to_owned(),
        None => {
            let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
            format!("{error}{}", cause.unwrap_or_default())
        }
    }
}

fn fault(error: &postgres::Error) -> SummaryError {
    if error.code() == Some(&SqlState::QUERY_CANCELED) {
        return SummaryError::Time(0);
    }
    SummaryError::Database(told(error))
}

fn broken(error: io::Error) -> SummaryError {
    match error.into_inner().map(|inner| inner.downcast::<postgres::Error>()) {
        Some(Ok(error)) => fault(&error),
        _ => SummaryError::Database("the connection broke".into()),
    }
}
