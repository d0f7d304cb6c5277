//! Schemas: one a survey, and one for what belongs to the server. Each says of itself what it is, in its comment, so that nobody takes
//! somebody else's schema for a survey.
//!
//! In a schema there are *rooms*: the survey, the jobs, the bounds and so on. Each has numbered steps that lead from one format to
//! the next; the table `room` says how far each has come. An older one is led on when it is opened, a newer one is refused.

use super::fault::Fault;
use super::live::Live;
use super::{ACCOUNTS_SCHEMA, Begin, Link, Repeat, Server, SurveyName, quoted};
use crate::StoreError;

/// What the comment of a survey's schema says.
pub(super) const SURVEY: &str = "a survey of groma";
/// What the comment of the server's own schema says.
const ACCOUNTS: &str = "accounts of groma";

/// What every schema has: which writes were applied, and how far the rooms have come.
const TABLES: &str = "CREATE TABLE commits (token BYTEA PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now());
    CREATE INDEX commits_at ON commits (at);
    CREATE TABLE room (name TEXT PRIMARY KEY, format BIGINT NOT NULL);";

/// Tables on a server that belong together: a room of its schema.
pub struct ServerSchema {
    /// What they hold, in a word.
    pub(crate) name: &'static str,
    /// The steps from no tables to today's: the first leads to format 1.
    pub(crate) steps: &'static [&'static str],
}

/// Everybody who makes or changes tables waits for their turn.
const TURN: &str = "SELECT pg_advisory_xact_lock(7165070541029)";

impl ServerSchema {
    /// Opens the room for writing: makes what is missing, the schema included, all or nothing.
    pub(crate) fn open(&self, server: &Server, schema: &str) -> Result<Link, StoreError> {
        let mut link = Link::open(server, schema)?;
        if link.read(|live| self.format(live, schema))? != Some(self.newest()) {
            let begin = Begin { begin: "BEGIN", first: TURN, repeat: Repeat::Harmless };
            link.write(&begin, |live| self.prepare(live, server, schema).map(Some))?;
        }
        Ok(link)
    }

    /// Opens the room for reading: nothing if nobody has begun it.
    pub(crate) fn open_reading(&self, server: &Server, schema: &str) -> Result<Option<Link>, StoreError> {
        let mut link = Link::open(server, schema)?;
        match link.read(|live| self.format(live, schema))? {
            None | Some(0) => Ok(None),
            Some(format) if format == self.newest() => Ok(Some(link)),
            // Somebody has to lead it on; whoever only reads may not.
            Some(format) if format < self.newest() => self.open(server, schema).map(Some),
            Some(format) => Err(self.newer(server, schema, format)),
        }
    }

    fn newest(&self) -> i64 {
        self.steps.len() as i64
    }

    fn newer(&self, server: &Server, schema: &str, found: i64) -> StoreError {
        let path = format!("{}, {} of {schema}", server.shown(), self.name).into();
        StoreError::Version { path, found, expected: self.newest() }
    }

    /// How far it has come; nothing if there is no such schema of ours.
    fn format(&self, live: &mut Live, schema: &str) -> Result<Option<i64>, Fault> {
        if says(live, schema)?.as_deref() != Some(comment(schema)) {
            return Ok(None);
        }
        // The schema is part of the name: if it is gone, nothing of the same name elsewhere may be taken for it.
        let sql = format!("SELECT format FROM {}.room WHERE name = $1", quoted(schema));
        let statement = live.statement(&sql, &[])?;
        let row = Live::call(live.client().query_opt(&statement, &[&self.name]))?;
        Ok(Some(row.map_or(Ok(0), |row| row.try_get(0))?))
    }

    fn prepare(&self, live: &mut Live, server: &Server, schema: &str) -> Result<(), Fault> {
        match says(live, schema)? {
            None => {
                let comment = comment(schema);
                live.batch(&format!(
                    "CREATE SCHEMA {0}; COMMENT ON SCHEMA {0} IS '{comment}'; {TABLES}",
                    quoted(schema)
                ))?;
            }
            Some(found) if found == comment(schema) => {}
            Some(_) => {
                return Err(Fault::Store(StoreError::NotASurvey(
                    format!("{}, schema {schema}", server.shown()).into(),
                )));
            }
        }
        let format = self.format(live, schema)?.unwrap_or(0);
        if format > self.newest() {
            return Err(Fault::Store(self.newer(server, schema, format)));
        }
        for step in self.steps.iter().skip(format as usize) {
            live.batch(step)?;
        }
        let (name, newest) = (self.name, self.newest());
        live.batch(&format!(
            "INSERT INTO room (name, format) VALUES ('{name}', {newest}) ON CONFLICT (name) DO UPDATE SET format = {newest}"
        ))
    }
}

/// Makes the schema of a survey that is not there yet, with these rooms, in the transaction that the connection is in.
pub(crate) fn found_survey(
    live: &mut Live,
    server: &Server,
    schema: &str,
    rooms: &[&ServerSchema],
) -> Result<(), Fault> {
    let taken = |fault| match fault {
        // Somebody made it a moment ago.
        Fault::Statement { code, .. } if code == "42P06" || code == "23505" => {
            Fault::Store(StoreError::Occupied(format!("{}?survey={schema}", server.shown()).into()))
        }
        other => other,
    };
    live.batch(&format!("CREATE SCHEMA {}", quoted(schema))).map_err(taken)?;
    live.batch(&format!("COMMENT ON SCHEMA {} IS '{SURVEY}'; {TABLES}", quoted(schema)))?;
    rooms.iter().try_for_each(|room| room.prepare(live, server, schema))
}

/// The rooms of the connection's schema that somebody has begun.
pub(crate) fn rooms_of(live: &mut Live) -> Result<Vec<String>, Fault> {
    let statement = live.statement("SELECT name FROM room WHERE format > 0", &[])?;
    let rows = Live::call(live.client().query(&statement, &[]))?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

fn comment(schema: &str) -> &'static str {
    if schema == ACCOUNTS_SCHEMA { ACCOUNTS } else { SURVEY }
}

/// What a schema says of itself; nothing if there is none.
fn says(live: &mut Live, schema: &str) -> Result<Option<String>, Fault> {
    let sql = "SELECT coalesce(obj_description(oid, 'pg_namespace'), '') FROM pg_namespace WHERE nspname = $1";
    let statement = live.statement(sql, &[])?;
    let row = Live::call(live.client().query_opt(&statement, &[&schema]))?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// Is there such a survey?
pub fn survey_exists(server: &Server, survey: &SurveyName) -> Result<bool, StoreError> {
    let mut link = Link::open(server, survey.as_str())?;
    link.read(|live| Ok(says(live, survey.as_str())?.as_deref() == Some(SURVEY)))
}

/// The names of the surveys on a server, in order.
pub fn surveys(server: &Server) -> Result<Vec<SurveyName>, StoreError> {
    let mut link = Link::open(server, ACCOUNTS_SCHEMA)?;
    let names: Vec<String> = link.read(|live| {
        let sql = "SELECT nspname::text FROM pg_namespace WHERE obj_description(oid, 'pg_namespace') = $1 ORDER BY 1";
        let statement = live.statement(sql, &[])?;
        let rows = Live::call(live.client().query(&statement, &[&SURVEY]))?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
    })?;
    Ok(names.iter().filter_map(|name| SurveyName::new(name).ok()).collect())
}

/// Removes a survey with everything that lies beside it. False if there is none.
pub fn drop_survey(server: &Server, survey: &SurveyName) -> Result<bool, StoreError> {
    let mut link = Link::open(server, survey.as_str())?;
    let begin = Begin { begin: "BEGIN", first: TURN, repeat: Repeat::Harmless };
    let done = link.write(&begin, |live| {
        if says(live, survey.as_str())?.as_deref() != Some(SURVEY) {
            return Ok(None);
        }
        live.batch(&format!("DROP SCHEMA {} CASCADE", quoted(survey.as_str()))).map(Some)
    })?;
    Ok(done.is_some())
}
