//! What is said to the cluster: look at files, write what a statement makes, tell me one row.

#![allow(
    clippy::result_large_err,
    reason = "the error of the client is as large as it is, and goes no further than here"
)]

use std::sync::Arc;
use std::time::Duration;

use spark_connect::types::DataType;
use spark_connect::{SparkError, SparkSession};
use spark_connect_core::SparkConnectClient;

use super::alive::{asked, sign_of_life, within};
use super::statement;
use crate::GraphEngineError;

pub(super) use spark_connect::row::Value;

/// How long an endpoint may take to say anything at all.
const FIRST_WORD: Duration = Duration::from_secs(30);

/// How long it may take to answer the first question: a cluster that sleeps has to wake.
const FIRST_ANSWER: Duration = Duration::from_secs(180);

/// The most letters of what the cluster says that are passed on.
const LETTERS: usize = 400;

/// A session with a cluster.
pub(super) struct Cluster {
    session: SparkSession,
    /// For what takes long.
    client: Arc<SparkConnectClient>,
    address: String,
    /// Letters and digits that no other session has: part of the names of folders it writes.
    pub(super) token: String,
}

/// A column of a table: its name, and whether it holds whole numbers or yes and no.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) is_whole: bool,
    pub(super) is_flag: bool,
    pub(super) is_text: bool,
}

impl Cluster {
    /// Connects and asks for the number one.
    pub(super) fn connect(address: &str) -> Result<Cluster, GraphEngineError> {
        let failed = |why: String| GraphEngineError::NoAnswer { address: address.to_owned(), why };
        let session = SparkSession::builder().remote(address).get_or_create();
        let session = session.map_err(|error| failed(first_line(&error)))?;
        // The client tries again for minutes where nobody listens; we give up before it does.
        let late = |time: Duration| failed(format!("nothing came within {} s", time.as_secs()));
        let word = within(FIRST_WORD, &session, sign_of_life);
        word.map_err(|_| late(FIRST_WORD))?.map_err(|error| failed(first_line(&error)))?;
        let answer = within(FIRST_ANSWER, &session, |session| session.sql("SELECT 1 AS one")?.collect().map(drop));
        answer.map_err(|_| late(FIRST_ANSWER))?.map_err(|error| failed(first_line(&error)))?;
        let client = statement::join(address, session.session_id()).map_err(|error| failed(first_line(&error)))?;
        let token = session.session_id().chars().filter(char::is_ascii_alphanumeric).collect();
        Ok(Cluster { session, client: Arc::new(client), address: address.to_owned(), token })
    }

    /// Does something with the session; an endpoint that is gone meanwhile is told.
    fn ask<T: Send + 'static>(
        &self,
        what: &str,
        work: impl FnOnce(&SparkSession) -> Result<T, SparkError> + Send + 'static,
    ) -> Result<Result<T, SparkError>, GraphEngineError> {
        let gone = |_| GraphEngineError::Lost { address: self.address.clone(), what: what.to_owned() };
        asked(&self.session, work).map_err(gone)
    }

    /// What a statement failed of. A connection that broke off is no word of the cluster's.
    fn failed(&self, what: &str, error: &SparkError) -> GraphEngineError {
        let (what, why) = (what.to_owned(), first_line(error));
        if broke_off(&why) {
            return GraphEngineError::Lost { address: self.address.clone(), what };
        }
        GraphEngineError::Cluster { what, why }
    }

    /// Calls the Parquet files of a folder by a name, with these columns (as in `id BIGINT, rank DOUBLE`). On some clusters a table without rows
    /// is a folder that is not there, so columns are told rather than looked up.
    pub(super) fn name(&self, name: &str, path: &str, columns: &str) -> Result<(), GraphEngineError> {
        let what = format!("read {path}");
        let (name, rows, client) =
            (name.to_owned(), statement::lying_in(path, Some(columns)), Arc::clone(&self.client));
        let named = self.ask(&what, move |_| statement::call(&client, &name, rows))?;
        named.map_err(|error| self.failed(&what, &error))
    }

    /// Calls the Parquet files of a folder by a name, with the columns they have, and tells these.
    pub(super) fn look(&self, name: &str, path: &str) -> Result<Vec<Field>, GraphEngineError> {
        let failed = |error: SparkError| GraphEngineError::Table { path: path.to_owned(), why: first_line(&error) };
        let (called, place, client) = (name.to_owned(), path.to_owned(), Arc::clone(&self.client));
        let seen = self.ask(&format!("read {path}"), move |session| {
            let schema = session.read().parquet(&place).schema()?;
            statement::call(&client, &called, statement::lying_in(&place, None))?;
            Ok(schema)
        })?;
        let DataType::Struct { fields } = seen.map_err(failed)? else {
            return Err(GraphEngineError::Table { path: path.to_owned(), why: "this is no table".to_owned() });
        };
        if fields.is_empty() {
            return Err(GraphEngineError::Table {
                path: path.to_owned(),
                why: "there are no Parquet files here".to_owned(),
            });
        }
        let field = |field: spark_connect::types::StructField| Field {
            is_whole: matches!(field.data_type, DataType::Byte | DataType::Short | DataType::Integer | DataType::Long),
            is_flag: matches!(field.data_type, DataType::Boolean),
            is_text: matches!(
                field.data_type,
                DataType::String { .. } | DataType::Varchar { .. } | DataType::Char { .. }
            ),
            name: field.name,
        };
        Ok(fields.into_iter().map(field).collect())
    }

    /// Calls what a statement makes by a name; it is made when it is asked for.
    pub(super) fn define(&self, name: &str, sql: &str) -> Result<(), GraphEngineError> {
        let what = format!("understand {name}");
        let (name, rows, client) = (name.to_owned(), statement::made_by(sql), Arc::clone(&self.client));
        let defined = self.ask(&what, move |_| statement::call(&client, &name, rows))?;
        defined.map_err(|error| self.failed(&what, &error))
    }

    /// Writes what a statement makes to a folder, in place of what is there.
    pub(super) fn write(&self, what: &str, sql: &str, path: &str) -> Result<(), GraphEngineError> {
        let (sql, path, client) = (sql.to_owned(), path.to_owned(), Arc::clone(&self.client));
        let written = self.ask(what, move |_| statement::write(&client, &sql, &path))?;
        written.map_err(|error| self.failed(what, &error))
    }

    /// The first row of what a statement makes. Only for what takes seconds: see `statement.rs`.
    pub(super) fn row(&self, what: &str, sql: &str) -> Result<Option<Vec<Value>>, GraphEngineError> {
        let sql = sql.to_owned();
        let rows = self.ask(what, move |session| session.sql(&sql)?.collect())?;
        let rows = rows.map_err(|error| self.failed(what, &error))?;
        Ok(rows.into_iter().next().map(spark_connect::row::Row::into_values))
    }
}

/// Is this a connection that broke off, before an answer or in the middle of one? The client makes words of it before it comes to us.
fn broke_off(why: &str) -> bool {
    ["transport error", "h2 protocol error", "error reading a body from connection"]
        .iter()
        .any(|sign| why.contains(sign))
}

/// What a cluster says, without the stack below it.
fn first_line(error: &SparkError) -> String {
    let said = error.to_string();
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it does not say why");
    line.chars().take(LETTERS).collect()
}

/// A real number as SQL: read back to the same bits.
pub(super) fn real(value: f64) -> String {
    format!("{value:e}D")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_broke_off_is_no_word_of_the_cluster() {
        // As they were seen when an endpoint died before and in the middle of an answer.
        assert!(broke_off("[Unavailable] transport error"));
        assert!(broke_off("[Unknown error] h2 protocol error: error reading a body from connection"));
        assert!(!broke_off("[TABLE_OR_VIEW_NOT_FOUND] The table or view `links` cannot be found."));
        assert!(!broke_off(
            "Job aborted due to stage failure: Task 3 failed 4 times: java.io.IOException: Connection reset by peer"
        ));
    }
}
