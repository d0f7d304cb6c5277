//! The task `extract`.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use groma_extract::{Column, ColumnError, Columns, ValueType};
use groma_model::url::pattern::Pattern;
use groma_settings::Fault;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::wording::{COLUMN_HINT, COLUMNS_HINT, LIKE_HINT, NO_COLUMNS, column_hint, likes_and_pages};
use crate::bounds::ScopeName;
use crate::task::forms::forms;
use crate::task::scalar::{Line, Text, by_text, listed, ticked};

/// Read values out of the pages of a survey: named columns by CSS, XPath, regex, JSON path or HEL, or by example
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ExtractTask))]
#[serde(default, deny_unknown_fields)]
pub struct Extract {
    /// Only these pages; with --like the pages on which the values stand
    #[arg(value_name = "URL")]
    #[serde(deserialize_with = "listed")]
    pub page: Vec<String>,
    /// A column, as NAME=css:SELECTOR or xpath:, regex:, json:, hel:; NAME:TYPE has values of a type (text, number, date, url, list) and
    /// NAME@URLS holds on pages at such URLs (several)
    #[arg(long, value_name = "COLUMN")]
    #[serde(deserialize_with = "lines")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub column: Vec<ColumnLine>,
    /// Make the column from this value: it stands on the first of the pages, the next one on the second; two values of one page make a list
    #[arg(long, value_name = "VALUE")]
    #[serde(deserialize_with = "lines")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub like: Vec<ValueLine>,
    /// What a column made from examples is called, with its type if it is not text, such as price:number [default: value]
    #[arg(long, value_name = "NAME")]
    pub name: Option<Line>,
    /// Only pages at such URLs: a glob or re:REGEX, as --include takes it
    #[arg(long, value_name = "PATTERN")]
    pub urls: Option<UrlPattern>,
    /// Write pages on which nothing was found, too
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub empty: bool,
    /// Ask again for pages whose bodies were not kept, politely, one after the other
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub ask: bool,
    /// Look at the whole survey, or at the site that was found last: survey, auto
    #[arg(long, value_name = "SCOPE", default_value_t)]
    pub scope: ScopeName,
}

forms! {
    /// A form of extracted values.
    Csv, "csv", "csv", "text/csv; charset=utf-8", "a table, for spreadsheets; the values of a list are joined by ` | `";
    Jsonl, "jsonl", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: an object a page";
    Parquet, "parquet", "parquet", "application/vnd.apache.parquet", "Parquet: columns with their types, for analysis";
}

/// A column as it was written; it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLine(String);

impl ColumnLine {
    /// Of a column that was read elsewhere.
    pub fn of_column(column: &Column) -> ColumnLine {
        ColumnLine(column.to_string())
    }

    fn column(&self) -> Result<Column, Fault> {
        self.0.parse().map_err(|error: ColumnError| column_fault(&error))
    }
}

impl FromStr for ColumnLine {
    type Err = String;

    fn from_str(text: &str) -> Result<ColumnLine, String> {
        text.parse::<Column>().map(|column| ColumnLine(column.to_string())).map_err(|error| error.to_string())
    }
}

/// A value that is shown as an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueLine(String);

impl ValueLine {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl FromStr for ValueLine {
    type Err = String;

    fn from_str(text: &str) -> Result<ValueLine, String> {
        if text.trim().is_empty() {
            return Err("the value is empty".to_owned());
        }
        text.parse::<Text<2_000>>().map(|text| ValueLine(text.to_string()))
    }
}

/// A pattern of URLs as it was written; it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlPattern(String);

impl UrlPattern {
    pub(crate) fn pattern(&self) -> Result<Pattern, Fault> {
        Pattern::parse(&self.0).map_err(|error| Fault::new(error.to_string(), COLUMN_HINT))
    }
}

impl FromStr for UrlPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<UrlPattern, String> {
        let text = text.trim();
        Pattern::parse(text).map(|_| UrlPattern(text.to_owned())).map_err(|error| error.to_string())
    }
}

macro_rules! written {
    ($($name:ident),*) => { $(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                by_text(deserializer)
            }
        }
    )* };
}

written!(ColumnLine, ValueLine, UrlPattern);

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use crate::extract::task::UrlPattern;

    impl PartialSchema for UrlPattern {
        fn schema() -> RefOr<Schema> {
            let says = "A glob on path and query or on the whole URL, or `re:` and a regular expression.";
            ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).description(Some(says)).into()
        }
    }

    impl ToSchema for UrlPattern {
        fn name() -> Cow<'static, str> {
            "UrlPattern".into()
        }
    }
}

/// A list of JSON, or a text with one in each line: what is listed here may have blanks in it.
fn lines<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Lines {
        Text(String),
        List(Vec<String>),
    }
    let lines = match Lines::deserialize(deserializer)? {
        Lines::Text(text) => text.lines().map(str::to_owned).collect(),
        Lines::List(list) => list,
    };
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    filled.map(|line| line.parse()).collect::<Result<_, String>>().map_err(serde::de::Error::custom)
}

/// A column that is none, with what to write instead.
pub(crate) fn column_fault(error: &ColumnError) -> Fault {
    Fault::new(error.to_string(), column_hint(error))
}

impl Extract {
    /// What is asked for makes sense: columns, or examples of values on pages.
    pub fn check(&self) -> Result<(), Fault> {
        if self.like.is_empty() {
            if self.column.is_empty() {
                return Err(Fault::new(NO_COLUMNS, COLUMNS_HINT));
            }
            return self.columns().map(|_| ());
        }
        let (values, pages) = (self.like.len(), self.page.len());
        if pages == 0 || (pages > 1 && values > 1 && values != pages) {
            return Err(Fault::new(likes_and_pages(values, pages), LIKE_HINT));
        }
        if !self.column.is_empty() {
            self.columns()?;
        }
        self.wanted().map(|_| ())
    }

    /// The columns that were written.
    pub(crate) fn columns(&self) -> Result<Columns, Fault> {
        let columns = self.column.iter().map(ColumnLine::column).collect::<Result<Vec<_>, Fault>>()?;
        Columns::new(columns).map_err(|error| column_fault(&error))
    }

    /// Name and type of the column that is made from examples; no type if none is said.
    pub(crate) fn wanted(&self) -> Result<(String, Option<ValueType>), Fault> {
        let written = self.name.as_deref().filter(|name| !name.is_empty()).unwrap_or("value");
        // Whatever can be a column of this name and type.
        let column: Column = format!("{written}=css:*").parse().map_err(|error: ColumnError| column_fault(&error))?;
        let has_type = written.contains(':');
        Ok((column.name.clone(), has_type.then_some(column.r#type)))
    }
}
