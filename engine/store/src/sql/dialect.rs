//! The words in which the two databases differ, each in one place.

/// Which database is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// The numbers of a parameter that is a JSON list, as a set: for `IN`.
    pub(crate) fn numbers_of(self, parameter: &str) -> String {
        match self {
            Dialect::Sqlite => format!("(SELECT value FROM json_each({parameter}))"),
            Dialect::Postgres => {
                format!("(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST({parameter} AS JSON)))")
            }
        }
    }

    /// Is a flag set? Flags are numbers in both, but SQLite finds its index of them by this word only.
    pub(crate) fn is_set(self, column: &str) -> String {
        match self {
            Dialect::Sqlite => column.to_owned(),
            Dialect::Postgres => format!("{column} <> 0"),
        }
    }

    /// Is a column of texts this one? Indexes of PostgreSQL cannot hold long texts: they hold hashes of them.
    pub(crate) fn same_text(self, column: &str, parameter: &str) -> String {
        match self {
            Dialect::Sqlite => format!("{column} = {parameter}"),
            Dialect::Postgres => {
                format!("(hashtextextended({column}, 0) = hashtextextended({parameter}, 0) AND {column} = {parameter})")
            }
        }
    }

    /// After a row got a number that somebody chose: what makes sure that it is not given out again. SQLite sees to it itself.
    pub(crate) fn past_chosen(self, table: &str) -> Option<String> {
        match self {
            Dialect::Sqlite => None,
            Dialect::Postgres => Some(format!(
                "SELECT setval(pg_get_serial_sequence('{table}', 'id'), greatest((SELECT max(id) FROM {table}),
                 nextval(pg_get_serial_sequence('{table}', 'id'))))"
            )),
        }
    }
}
