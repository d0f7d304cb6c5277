//! What is said to the cluster: look at files, write what a statement makes, tell me one row.

use std::sync::mpsc;
use std::time::Duration;

use spark_connect::types::DataType;
use spark_connect::{DataFrame, SparkError, SparkSession};

use crate::ReckonError;

pub(super) use spark_connect::row::Value;

/// How long an endpoint may take to answer the first question: a cluster that sleeps has to wake.
const FIRST_ANSWER: Duration = Duration::from_secs(180);

/// The most letters of what the cluster says that are passed on.
const LETTERS: usize = 400;

/// A session with a cluster.
pub(super) struct Cluster {
    session: SparkSession,
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
    pub(super) fn connect(address: &str) -> Result<Cluster, ReckonError> {
        let failed = |why: String| ReckonError::NoAnswer { address: address.to_owned(), why };
        let url = address.to_owned();
        let (told, answer) = mpsc::channel();
        // The client tries again for minutes where nobody listens. A thread of its own lets us give up before it does.
        std::thread::spawn(move || {
            let greeted = SparkSession::builder().remote(&url).get_or_create().map_err(|error| first_line(&error));
            let greeted = greeted.and_then(|session| {
                let question = session.sql("SELECT 1 AS one").map_err(|error| first_line(&error))?;
                question.collect().map_err(|error| first_line(&error))?;
                Ok(session)
            });
            // Nobody listens any more if we gave up.
            let _ = told.send(greeted);
        });
        match answer.recv_timeout(FIRST_ANSWER) {
            Ok(Ok(session)) => {
                let token = session.session_id().chars().filter(char::is_ascii_alphanumeric).collect();
                Ok(Cluster { session, token })
            }
            Ok(Err(why)) => Err(failed(why)),
            Err(_) => Err(failed(format!("nothing came within {} s", FIRST_ANSWER.as_secs()))),
        }
    }

    /// Calls the Parquet files of a folder by a name, with these columns (as in `id BIGINT, rank DOUBLE`). On some clusters a table without rows
    /// is a folder that is not there, so columns are told rather than looked up.
    pub(super) fn name(&self, name: &str, path: &str, columns: &str) -> Result<(), ReckonError> {
        let failed = |error| cluster_error(&format!("read {path}"), &error);
        self.session.read().schema(columns.to_owned()).parquet(path).create_or_replace_temp_view(name).map_err(failed)
    }

    /// Calls the Parquet files of a folder by a name, with the columns they have, and tells these.
    pub(super) fn look(&self, name: &str, path: &str) -> Result<Vec<Field>, ReckonError> {
        let failed = |error: SparkError| ReckonError::Table { path: path.to_owned(), why: first_line(&error) };
        let frame = self.session.read().parquet(path);
        let DataType::Struct { fields } = frame.schema().map_err(failed)? else {
            return Err(ReckonError::Table { path: path.to_owned(), why: "this is no table".to_owned() });
        };
        if fields.is_empty() {
            return Err(ReckonError::Table {
                path: path.to_owned(),
                why: "there are no Parquet files here".to_owned(),
            });
        }
        frame.create_or_replace_temp_view(name).map_err(failed)?;
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
    pub(super) fn define(&self, name: &str, sql: &str) -> Result<(), ReckonError> {
        let what = format!("understand {name}");
        self.frame(&what, sql)?.create_or_replace_temp_view(name).map_err(|error| cluster_error(&what, &error))
    }

    /// Writes what a statement makes to a folder, in place of what is there.
    pub(super) fn write(&self, what: &str, sql: &str, path: &str) -> Result<(), ReckonError> {
        let written = self.frame(what, sql)?.write().mode("overwrite").parquet(path);
        written.map_err(|error| cluster_error(what, &error))
    }

    /// The first row of what a statement makes.
    pub(super) fn row(&self, what: &str, sql: &str) -> Result<Option<Vec<Value>>, ReckonError> {
        let rows = self.frame(what, sql)?.collect().map_err(|error| cluster_error(what, &error))?;
        Ok(rows.into_iter().next().map(spark_connect::row::Row::into_values))
    }

    fn frame(&self, what: &str, sql: &str) -> Result<DataFrame, ReckonError> {
        self.session.sql(sql).map_err(|error| cluster_error(what, &error))
    }
}

fn cluster_error(what: &str, error: &SparkError) -> ReckonError {
    ReckonError::Cluster { what: what.to_owned(), why: first_line(error) }
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
