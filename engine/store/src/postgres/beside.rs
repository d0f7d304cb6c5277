//! What lies beside a survey on a server: jobs, bounds, focused crawls, gatherings, and the accounts of the server itself.
//!
//! A write takes its room at its beginning (a lock of the server's, until the end of the transaction), as a write to a file does. So
//! the same statements come to the same on both, and writes to a room go one after the other. What decides on one row alone takes
//! no more than that row.

use std::collections::HashMap;

use bytes::BytesMut;
use futures_util::future::try_join_all;
use tokio_postgres::Statement;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::driver::{Begin, Fault, Link, Live, Server, ServerSchema, stored_text, text_of};
use crate::StoreError;
use crate::sql::{Act, Arg, Cell, Dialect, Look, Repeat, Speak, SqlRow};

/// Statements sent before the first answer is waited for.
const AT_ONCE: usize = 256;
/// Seconds a write may rest. All others wait for it: whoever is cut off in the middle holds them up no longer.
const RESTING: u32 = 15;

/// The tables of a store on a server.
pub struct PgTables {
    link: Link,
    /// What keeps others from writing at the same time.
    turn: String,
    /// Statements as the server takes them.
    spelled: HashMap<String, String>,
}

impl PgTables {
    /// Opens it, or begins it.
    pub(crate) fn open(server: &Server, schema: &str, tables: &ServerSchema) -> Result<PgTables, StoreError> {
        Ok(PgTables::new(tables.open(server, schema)?, schema, tables))
    }

    /// Opens it if somebody has begun it.
    pub(crate) fn open_reading(
        server: &Server,
        schema: &str,
        tables: &ServerSchema,
    ) -> Result<Option<PgTables>, StoreError> {
        Ok(tables.open_reading(server, schema)?.map(|link| PgTables::new(link, schema, tables)))
    }

    fn new(link: Link, schema: &str, tables: &ServerSchema) -> PgTables {
        // The name of a survey has no quotes in it, and neither has that of its tables.
        let name = tables.name;
        let turn = format!(
            "SET LOCAL idle_in_transaction_session_timeout = '{RESTING}s'; \
             SELECT pg_advisory_xact_lock(hashtextextended('groma {schema} {name}', 0))"
        );
        PgTables { link, turn, spelled: HashMap::new() }
    }
}

/// What [`crate::sql::Base`] asks of tables on a server.
impl PgTables {
    pub(crate) fn transact(&mut self, repeat: Repeat, act: Act<'_>) -> Result<bool, StoreError> {
        let PgTables { link, turn, spelled } = self;
        let begin = Begin { begin: "BEGIN ISOLATION LEVEL READ COMMITTED", first: turn, repeat };
        link.transact(&begin, &mut |live| PgSession::hear(live, spelled, act))
    }

    pub(crate) fn look(&mut self, act: Look<'_>) -> Result<(), StoreError> {
        let PgTables { link, spelled, .. } = self;
        link.look(&mut |live| PgSession::hear(live, spelled, act))
    }
}

/// A connection to which statements are told.
struct PgSession<'a> {
    live: &'a mut Live,
    spelled: &'a mut HashMap<String, String>,
    /// What went wrong first: whoever repeats must know what it was, whatever became of it on its way.
    fault: Option<Fault>,
}

impl PgSession<'_> {
    fn hear<T>(
        live: &mut Live,
        spelled: &mut HashMap<String, String>,
        act: &mut dyn FnMut(&mut dyn Speak) -> Result<T, StoreError>,
    ) -> Result<T, Fault> {
        let mut told = PgSession { live, spelled, fault: None };
        let result = act(&mut told);
        match told.fault {
            Some(fault) => Err(fault),
            None => result.map_err(Fault::Store),
        }
    }

    fn keep<T>(&mut self, result: Result<T, Fault>) -> Result<T, StoreError> {
        result.map_err(|fault| {
            self.fault.get_or_insert(fault);
            StoreError::Server("it was broken off".into())
        })
    }

    fn statement(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Statement, Fault> {
        if !self.spelled.contains_key(sql) {
            self.spelled.insert(sql.to_owned(), numbered(sql));
        }
        let spelled = self.spelled.get(sql).map_or(sql, String::as_str);
        let types: Vec<Type> = args.iter().map(type_of).collect();
        self.live.statement(spelled, &types)
    }

    fn try_run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64, Fault> {
        let statement = self.statement(sql, args)?;
        Live::call(self.live.client().execute_raw(&statement, args))
    }

    fn try_run_each(&mut self, sql: &str, width: usize, args: &[Arg<'_>]) -> Result<(), Fault> {
        let width = width.max(1);
        let Some(first) = args.get(..width) else { return Ok(()) };
        let statement = self.statement(sql, first)?;
        let client = self.live.client();
        for some in args.chunks(width * AT_ONCE) {
            Live::call(try_join_all(some.chunks(width).map(|args| client.execute_raw(&statement, args))))?;
        }
        Ok(())
    }

    fn try_query(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<tokio_postgres::Row>, Fault> {
        let statement = self.statement(sql, args)?;
        let borrowed: Vec<&(dyn ToSql + Sync)> = args.iter().map(|arg| arg as &(dyn ToSql + Sync)).collect();
        Live::call(self.live.client().query(&statement, &borrowed))
    }
}

impl Speak for PgSession<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn run(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64, StoreError> {
        let done = self.try_run(sql, args);
        self.keep(done)
    }

    fn run_each(&mut self, sql: &str, width: usize, args: &[Arg<'_>]) -> Result<(), StoreError> {
        let done = self.try_run_each(sql, width, args);
        self.keep(done)
    }

    fn each(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        call: &mut dyn FnMut(&SqlRow<'_>) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let rows = self.try_query(sql, args);
        for row in &self.keep(rows)? {
            if !call(&SqlRow::Postgres(row))? {
                break;
            }
        }
        Ok(())
    }
}

/// `?1` as `$1`. No statement of ours has a question mark in a text.
fn numbered(sql: &str) -> String {
    sql.replace('?', "$")
}

fn type_of(arg: &Arg<'_>) -> Type {
    match arg {
        Arg::Int(_) => Type::INT8,
        Arg::Real(_) => Type::FLOAT8,
        Arg::Text(_) => Type::TEXT,
        Arg::Bytes(_) => Type::BYTEA,
    }
}

type Failure = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Arg<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
        match *self {
            Arg::Int(number) => number.to_sql(ty, out),
            Arg::Real(number) => number.to_sql(ty, out),
            Arg::Text(text) => text.map(stored_text).as_deref().to_sql(ty, out),
            Arg::Bytes(bytes) => bytes.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::FLOAT8 | Type::TEXT | Type::BYTEA)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Cell<'a>, Failure> {
        Ok(match *ty {
            Type::INT8 => Cell::Int(i64::from_sql(ty, raw)?),
            Type::INT4 => Cell::Int(i32::from_sql(ty, raw)?.into()),
            Type::INT2 => Cell::Int(i16::from_sql(ty, raw)?.into()),
            Type::BOOL => Cell::Int(bool::from_sql(ty, raw)?.into()),
            Type::FLOAT8 => Cell::Real(f64::from_sql(ty, raw)?),
            Type::BYTEA | Type::UUID => Cell::Bytes(raw),
            _ => Cell::Text(text_of(<&str>::from_sql(ty, raw)?)),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Cell<'a>, Failure> {
        Ok(Cell::Null)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(
            *ty,
            Type::INT8 | Type::INT4 | Type::INT2 | Type::BOOL | Type::FLOAT8 | Type::BYTEA | Type::UUID | Type::TEXT
        )
    }
}
