//! The side that holds the driver: a process of its own, which answers requests on its stdin until that ends.
//!
//! Everything is asked with the wide functions of ODBC, so texts are UTF-16 on the way and UTF-8 here, whatever the locale.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use groma_odbc::odbc_api::buffers::Indicator;
use groma_odbc::odbc_api::handles::StatementRef;
use groma_odbc::odbc_api::parameter::{VarCell, WideText};
use groma_odbc::odbc_api::{Connection, Cursor, CursorImpl, CursorRow, Error};
use groma_odbc::{connect_to_read, select_by_octets};

use super::dialect::{Dialect, is_readable, kind_of};
use super::smallest::Smallest;
use super::wire::{GREETING, REPLY, Reply, Request, VALUE, send};
use crate::catalogue::{Column, Relation};
use crate::reader::ColumnLimit;

/// Units of UTF-16 of a name of the catalogue.
const NAME: usize = 1024;
/// What is listed: an empty list means none to some drivers.
const TABLE_TYPES: &str = "TABLE,VIEW,MATERIALIZED VIEW,MATVIEW,FOREIGN TABLE,PARTITIONED TABLE,SYNONYM,ALIAS,NICKNAME";
/// Tables that are looked at.
const TABLES: usize = 100_000;
/// Rows between two looks at the clock.
const LOOK: u64 = 1024;
/// When stdin has ended, a driver has so long to come back.
const FAREWELL: Duration = Duration::from_secs(1);

/// Answers requests until there are no more. When stdin ends while the driver works, the process ends: nobody waits for the answer.
pub fn serve_odbc(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, requests) = sync_channel::<Request>(1);
    std::thread::Builder::new().name("requests".into()).spawn(move || {
        for line in BufReader::new(input).lines() {
            let Some(request) = line.ok().and_then(|line| serde_json::from_str(&line).ok()) else { break };
            if sender.send(request).is_err() {
                return;
            }
        }
        drop(sender);
        std::thread::sleep(FAREWELL);
        std::process::exit(1);
    })?;
    let mut output = BufWriter::with_capacity(1 << 16, output);
    output.write_all(GREETING)?;
    output.flush()?;
    let mut session = None;
    for request in requests {
        let reply = match answer(&mut session, request, &mut output) {
            Ok(reply) => reply,
            Err(Unanswered::Odbc(error)) if is_late(&error) => Reply::Late,
            Err(Unanswered::Odbc(error)) => Reply::Failed(error.to_string()),
            Err(Unanswered::Name) => Reply::Failed("a name in the catalogue cannot be quoted".into()),
            Err(Unanswered::Late) => Reply::Late,
            Err(Unanswered::Output(error)) => return Err(error),
        };
        send(&mut output, REPLY, &serde_json::to_vec(&reply)?)?;
        output.flush()?;
    }
    Ok(())
}

/// Why there is no answer.
enum Unanswered {
    Odbc(Error),
    Name,
    Late,
    Output(io::Error),
}

impl From<Error> for Unanswered {
    fn from(error: Error) -> Self {
        Unanswered::Odbc(error)
    }
}

impl From<io::Error> for Unanswered {
    fn from(error: io::Error) -> Self {
        Unanswered::Output(error)
    }
}

fn answer(session: &mut Option<Session>, request: Request, out: &mut impl Write) -> Result<Reply, Unanswered> {
    if let Request::Open { text, user, seconds } = request {
        return Ok(match Session::open(&text, user, seconds) {
            Ok(opened) => {
                *session = Some(opened);
                Reply::Done
            }
            Err(error) => Reply::Refused(error.to_string()),
        });
    }
    let Some(session) = session else { return Ok(Reply::Failed("there is no connection".into())) };
    match request {
        Request::Open { .. } => Ok(Reply::Done),
        Request::Begin { millis } => session.begin(Duration::from_millis(millis)).map(|()| Reply::Done),
        Request::Relations => session.relations().map(Reply::Relations),
        Request::Columns { relation } => session.columns(&relation).map(Reply::Columns),
        Request::Values { relation, column, wanted } => {
            for value in session.values(&relation, &column, wanted)?.iter() {
                send(out, VALUE, value.as_bytes())?;
            }
            Ok(Reply::Done)
        }
    }
}

/// SQLSTATE: a limit of time, a statement that was cancelled (PostgreSQL; MariaDB).
fn is_late(error: &Error) -> bool {
    let Error::Diagnostics { record, .. } = error else { return false };
    matches!(record.state.as_str(), "HYT00" | "HYT01" | "57014" | "70100" | "HY008" | "S1T00")
}

/// A connection in the process of its own.
struct Session {
    conn: Connection<'static>,
    dialect: Dialect,
    quote: Option<char>,
    catalog: String,
    user: Option<String>,
    /// Catalogs of the tables that were listed, where they have one.
    catalogs: Vec<(Relation, String)>,
    until: Instant,
}

impl Session {
    fn open(text: &str, user: Option<String>, seconds: u32) -> Result<Session, Error> {
        let conn = connect_to_read(text, seconds)?;
        let dialect = Dialect::of_dbms(&conn.database_management_system_name()?);
        let quote = conn.identifier_quote_char()?;
        // Not every driver has catalogs.
        let catalog = conn.current_catalog().unwrap_or_default().trim_matches('\0').to_owned();
        let until = Instant::now() + Duration::from_secs(60);
        Ok(Session { conn, dialect, quote, catalog, user, catalogs: Vec::new(), until })
    }

    fn begin(&mut self, time: Duration) -> Result<(), Unanswered> {
        self.until = Instant::now() + time;
        if let Some(statement) = self.dialect.one_state() {
            self.conn.set_autocommit(false)?;
            self.conn.execute(statement, (), None)?;
        }
        Ok(())
    }

    fn relations(&mut self) -> Result<Vec<Relation>, Unanswered> {
        let mut listed: Vec<(Relation, String)> = Vec::new();
        // To some drivers an empty name means "tables without one", to others nothing at all.
        for (catalog, schemas) in [(self.catalog.as_str(), "%"), ("", "%"), (self.catalog.as_str(), ""), ("", "")] {
            let mut statement = self.conn.preallocate()?;
            each_row(statement.tables_cursor(catalog, schemas, "%", TABLE_TYPES)?, |row| {
                let catalog = name(row, 1)?.unwrap_or_default();
                let schema = name(row, 2)?.unwrap_or_default();
                let table = name(row, 3)?.unwrap_or_default();
                let table_type = name(row, 4)?.unwrap_or_default();
                if !table.is_empty() && is_readable(&table_type, &schema) && listed.len() < TABLES {
                    listed.push((self.relation(schema, table), catalog));
                }
                Ok(())
            })?;
            if !listed.is_empty() {
                break;
            }
        }
        keep_current(&mut listed, &self.catalog);
        listed.sort_by(|(a, _), (b, _)| (&a.schema, &a.name).cmp(&(&b.schema, &b.name)));
        listed.dedup_by(|(a, _), (b, _)| a.schema == b.schema && a.name == b.name);
        place_what_is_named_once(&mut listed);
        self.catalogs = listed;
        Ok(self.catalogs.iter().map(|(relation, _)| relation.clone()).collect())
    }

    fn relation(&self, schema: String, name: String) -> Relation {
        let is_own = self.user.as_deref().is_some_and(|user| user.eq_ignore_ascii_case(&schema));
        let place = match schema.to_ascii_lowercase().as_str() {
            "" => Some(1),
            _ if is_own => Some(1),
            "public" | "dbo" => Some(2),
            _ => None,
        };
        let schema = (!schema.is_empty()).then_some(schema);
        Relation { schema, name, place, rows_only: false, of_role: self.dialect.has_roles() }
    }

    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, Unanswered> {
        let same = |(listed, _): &&(Relation, String)| listed.schema == relation.schema && listed.name == relation.name;
        let catalog = self.catalogs.iter().find(same).map(|(_, catalog)| catalog.clone()).unwrap_or_default();
        let schema = relation.schema.as_deref().unwrap_or_default();
        // Names are patterns here, and drivers differ in how they are escaped and in what they call the place of a table. What was
        // asked for too widely is left out again.
        let of_schema = if schema.is_empty() { "%".to_owned() } else { pattern(schema) };
        let asked = [
            (catalog.as_str(), of_schema.as_str(), pattern(&relation.name)),
            (catalog.as_str(), "", pattern(&relation.name)),
            ("", "%", "%".to_owned()),
            ("", "", "%".to_owned()),
        ];
        for (catalog, schema_pattern, table_pattern) in asked {
            let mut columns = Vec::new();
            let mut statement = self.conn.preallocate()?;
            each_row(statement.columns_cursor(catalog, schema_pattern, &table_pattern, "%")?, |row| {
                let its_schema = name(row, 2)?.unwrap_or_default();
                let its_table = name(row, 3)?.unwrap_or_default();
                let its_name = name(row, 4)?.unwrap_or_default();
                let code = name(row, 5)?.and_then(|code| code.trim().parse().ok()).unwrap_or_default();
                let type_name = name(row, 6)?.unwrap_or_default();
                if its_schema == schema && its_table == relation.name && !its_name.is_empty() {
                    columns.push(Column { name: its_name, kind: kind_of(code, &type_name) });
                }
                Ok(())
            })?;
            if !columns.is_empty() {
                return Ok(columns);
            }
        }
        Ok(Vec::new())
    }

    fn values(&self, relation: &Relation, column: &Column, wanted: ColumnLimit) -> Result<Smallest, Unanswered> {
        let question = self.dialect.question(relation, column, self.quote).ok_or(Unanswered::Name)?;
        let mut smallest = Smallest::new(wanted);
        let mut statement = self.conn.preallocate()?;
        // Where a driver cannot count seconds, whoever asks ends this process.
        let left = self.until.saturating_duration_since(Instant::now());
        let _ = statement.set_query_timeout_sec(usize::try_from(left.as_secs().max(1)).unwrap_or(usize::MAX));
        for setting in self.dialect.time_limit(left) {
            if self.conn.execute(&setting, (), None).is_ok() {
                break;
            }
        }
        let cursor = if self.dialect.takes_octets() {
            select_by_octets(&mut statement, &question.text)?
        } else {
            let Some(cursor) = statement.execute(&question.text, ())? else { return Ok(smallest) };
            cursor
        };
        let letters = usize::try_from(wanted.letters).unwrap_or(usize::MAX);
        // A letter is one unit or two, and one is for the end.
        let mut units = vec![0_u16; letters.saturating_mul(2) + 1];
        let (mut text, mut rows) = (String::new(), 0_u64);
        each_row(cursor, |row| {
            rows += 1;
            if rows.is_multiple_of(LOOK) && Instant::now() >= self.until {
                return Err(Unanswered::Late);
            }
            if read_text(row, question.column, &mut units, letters, &mut text)? {
                smallest.push(&text);
            }
            Ok(())
        })?;
        Ok(smallest)
    }
}

/// Leaves the tables of the current catalog. Drivers differ in how they tell it: if none is of that name, those of the only one there is.
fn keep_current(listed: &mut Vec<(Relation, String)>, current: &str) {
    let first = listed.first().map(|(_, catalog)| catalog.clone()).unwrap_or_default();
    if listed.iter().any(|(_, catalog)| catalog.eq_ignore_ascii_case(current)) {
        listed.retain(|(_, catalog)| catalog.is_empty() || catalog.eq_ignore_ascii_case(current));
    } else if listed.iter().any(|(_, catalog)| *catalog != first) {
        listed.clear();
    }
}

/// Tables in schemas of others count by their bare name too, where no other table is called the same.
fn place_what_is_named_once(listed: &mut [(Relation, String)]) {
    let names: Vec<String> = listed.iter().map(|(relation, _)| relation.name.to_lowercase()).collect();
    let mut often = std::collections::HashMap::<&str, u32>::new();
    for name in &names {
        *often.entry(name).or_default() += 1;
    }
    for ((relation, _), name) in listed.iter_mut().zip(&names) {
        if relation.place.is_none() && often.get(name.as_str()) == Some(&1) {
            relation.place = Some(3);
        }
    }
}

/// A pattern that fits a name and little else: what could be a sign of patterns, or escape one, stands for any letter.
fn pattern(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

fn each_row(
    mut cursor: CursorImpl<StatementRef<'_>>,
    mut each: impl FnMut(&mut CursorRow<'_>) -> Result<(), Unanswered>,
) -> Result<(), Unanswered> {
    while let Some(mut row) = cursor.next_row()? {
        each(&mut row)?;
    }
    Ok(())
}

fn name(row: &mut CursorRow<'_>, column: u16) -> Result<Option<String>, Unanswered> {
    let (mut units, mut text) = ([0; NAME], String::new());
    Ok(read_text(row, column, &mut units, NAME, &mut text)?.then_some(text))
}

/// Reads at most so many letters of a value; false: it is NULL. What is left of it is never fetched.
fn read_text(
    row: &mut CursorRow<'_>,
    column: u16,
    units: &mut [u16],
    letters: usize,
    text: &mut String,
) -> Result<bool, Error> {
    // The cell wants an end where the value may have been cut.
    if let Some(end) = units.last_mut() {
        *end = 0;
    }
    let mut cell = VarCell::<&mut [u16], WideText>::from_buffer(units, Indicator::NoTotal);
    row.get_data(column, &mut cell)?;
    text.clear();
    let Some(units) = cell.as_slice() else { return Ok(false) };
    let read = char::decode_utf16(units.iter().copied()).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
    text.extend(read.take(letters));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_no_signs_of_its_own_but_any_letter() {
        assert_eq!(pattern("hotel"), "hotel");
        assert_eq!(pattern("a%b\\c_d e\"f\u{df}"), "a_b_c_d_e_f_");
    }

    #[test]
    fn a_bare_name_means_a_table_of_others_if_there_is_one_only() {
        let relation = |schema: &str, name: &str, place| {
            (Relation { schema: Some(schema.into()), name: name.into(), place, ..Relation::default() }, String::new())
        };
        let mut listed = [
            relation("CITYWORLD", "HOTEL", None),
            relation("CITYWORLD", "REGION", None),
            relation("OTHER", "Region", None),
            relation("OWN", "ORT", Some(1)),
        ];
        place_what_is_named_once(&mut listed);
        assert_eq!(listed.map(|(relation, _)| relation.place), [Some(3), None, None, Some(1)]);
    }
}
