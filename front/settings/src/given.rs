//! A setting as somebody gave it, and where: command line, environment, file, or saved with the survey.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Fault;

/// Where a value comes from; the stronger the later.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// The survey was begun so, by a file or the environment.
    Saved,
    /// A line of a file.
    File {
        /// Which file.
        path: String,
        /// Which line.
        line: usize,
    },
    /// The survey was begun so, by its command line.
    SavedTyped,
    /// An environment variable.
    Environment(String),
    /// The command line: which flag.
    CommandLine(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::Saved | Origin::SavedTyped => f.write_str("survey"),
            Origin::File { path, line } => write!(f, "{path}:{line}"),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::CommandLine(flag) => write!(f, "command line {flag}"),
        }
    }
}

impl Origin {
    /// The stronger, the higher.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Origin::Default => 0,
            Origin::Saved => 1,
            Origin::File { .. } => 2,
            Origin::SavedTyped => 3,
            Origin::Environment(_) => 4,
            Origin::CommandLine(_) => 5,
        }
    }
}

/// A setting as somebody gave it.
#[derive(Clone, Debug)]
pub struct Given {
    pub key: String,
    /// What was written.
    pub raw: Raw,
    /// Where.
    pub origin: Origin,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Raw {
    /// One text.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Raw {
    /// The texts.
    pub(crate) fn items(&self) -> Vec<String> {
        match self {
            Raw::One(text) => vec![text.clone()],
            Raw::Many(items) => items.clone(),
        }
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        use serde_json::Value;
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Raw::One(text)),
            Value::Null => Ok(Raw::One(String::new())),
            number @ (Value::Number(_) | Value::Bool(_)) => Ok(Raw::One(number.to_string())),
            Value::Array(items) => {
                let text = |item: Value| item.as_str().map(str::to_owned);
                let items = items.into_iter().map(text).collect::<Option<_>>();
                items.map(Raw::Many).ok_or_else(|| serde::de::Error::custom("a list of texts is expected"))
            }
            Value::Object(_) => Err(serde::de::Error::custom("a text, a number, true, false or a list is expected")),
        }
    }
}

impl Given {
    /// By a flag of the command line.
    pub fn flag(key: &str, flag: &str, text: impl Into<String>) -> Given {
        Given { key: key.to_owned(), raw: Raw::One(text.into()), origin: Origin::CommandLine(flag.to_owned()) }
    }

    /// By `-s key=value`.
    pub fn set(text: &str) -> Result<Given, Fault> {
        let Some((key, value)) = text.split_once('=') else {
            return Err(Fault::new(
                set_without_value(text),
                "write -s key=value, for example -s limits.page_bytes=4MB",
            ));
        };
        Ok(Given::flag(key.trim(), "-s", value.trim()))
    }
}

fn set_without_value(text: &str) -> String {
    format!("-s {text} has no value")
}
