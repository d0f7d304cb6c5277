//! Names of surveys on a server. Each is the name of a schema, always quoted, and never one of the server's own.

use std::fmt;

use crate::StoreError;

/// The schema of what belongs to a whole server: its accounts.
pub const ACCOUNTS_SCHEMA: &str = "groma";

/// Most bytes of a name; what is longer, PostgreSQL would cut off in silence.
const LONGEST: usize = 63;

/// The name of a survey on a server: letters, digits, `.`, `-` and `_`, beginning with a letter, digit or `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurveyName(String);

impl SurveyName {
    /// Refuses what cannot be the name of a schema, or is one that the server needs for itself.
    pub fn new(name: &str) -> Result<SurveyName, StoreError> {
        let refused = |why: &str| Err(StoreError::Name { name: shortened(name), why: why.to_owned() });
        if name.is_empty() {
            return refused("it is empty");
        }
        if name.len() > LONGEST {
            return refused("it has more than 63 bytes");
        }
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')) {
            return refused("only letters, digits, `.`, `-` and `_` may be in it");
        }
        if name.starts_with(['.', '-']) {
            return refused("it begins with `.` or `-`");
        }
        let low = name.to_ascii_lowercase();
        if low.starts_with("pg_") || ["public", "information_schema", ACCOUNTS_SCHEMA].contains(&low.as_str()) {
            return refused("the server needs it for itself");
        }
        Ok(SurveyName(name.to_owned()))
    }

    /// As it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SurveyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As much of a name as a message should repeat, without what could disturb a terminal.
fn shortened(name: &str) -> String {
    name.chars().take(80).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A name as SQL takes it, whatever is in it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_none_are_refused() {
        for name in [
            "",
            "public",
            "PUBLIC",
            "pg_catalog",
            "Pg_temp_1",
            "information_schema",
            "groma",
            ".",
            "..",
            "-x",
            "a b",
            "a\"b",
            "a;DROP SCHEMA x",
            "a'b",
            "a\0b",
            "a/b",
            "é",
            &"x".repeat(64),
        ] {
            assert!(matches!(SurveyName::new(name), Err(StoreError::Name { .. })), "{name}");
        }
        for name in ["a", "www.example.org-8080", "_x", "2001", "A.b_c-d", &"x".repeat(63)] {
            assert_eq!(SurveyName::new(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn quoting_leaves_nothing_open() {
        assert_eq!(quoted("a\"; DROP TABLE x; --"), "\"a\"\"; DROP TABLE x; --\"");
    }
}
