//! What is a column? A name, a type, the URLs it is meant for, and where its value stands. As one line, and as a table of groma.toml.
//!
//! ```text
//! line  = NAME [":" TYPE] ["@" URLS] "=" LANGUAGE ":" SELECTOR [" match /" REGEX "/"]
//!
//! title=css:h1
//! price:number@/product/*=css:.price match /([\d.,]+) EUR/
//! tags:list=xpath://a[@rel='tag']
//! ```
//!
//! `match` takes a part of each value that CSS, XPath and JSON paths give (HEL has a `match` of its own). URLs are a pattern as `--include`
//! takes it. A column that is named twice takes the first of its selectors that is meant for the page and gives something there.

use std::fmt;
use std::str::FromStr;

use groma_model::url::pattern::{Pattern, PatternError};

use crate::error::SelectorError;
use crate::page::Page;
use crate::pattern::PatternRule;
use crate::selector::{Language, Selector};
use crate::value::{Cell, Value, ValueType};
use crate::work::{OutOfWork, Work};

/// Longer names are refused: they are heads of tables.
pub const NAME_BYTES: usize = 64;

/// What stands before the expression that takes a part of a value.
const MATCH: &str = " match /";

/// Where a value stands, and what it is called.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    pub r#type: ValueType,
    pub urls: Option<Pattern>,
    pub selector: Selector,
    pub part: Option<PatternRule>,
}

/// Why a column is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColumnError {
    #[error("the column `{0}` has no selector; write NAME=css:SELECTOR, or xpath:, regex:, json:, hel: before it")]
    NoSelector(String),
    #[error("`{0}` is no name of a column; take letters, digits, `_`, `-` and `.`, up to {NAME_BYTES}, and not `url`")]
    Name(String),
    #[error("the column `{name}`: {what}")]
    Type { name: String, what: String },
    #[error("the column `{name}`: {error}")]
    Urls { name: String, error: PatternError },
    #[error("the column `{name}` has a wrong selector `{}`: {error}", .error.text)]
    Selector { name: String, error: SelectorError },
    #[error("the column `{name}` has a wrong expression /{}/: {error}", .error.text)]
    Part { name: String, error: SelectorError },
    #[error("the column `{name}` is once of type {first} and once of type {second}")]
    Types { name: String, first: String, second: String },
    #[error("there are more than {0} columns")]
    Many(usize),
    #[error("there are no columns")]
    None,
}

/// What was written of a column, before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenColumn<'w> {
    pub name: &'w str,
    pub r#type: &'w str,
    pub urls: &'w str,
    pub part: &'w str,
}

impl Column {
    /// Reads a column whose parts are written apart, as in a table of groma.toml.
    pub fn read(written: &WrittenColumn<'_>, language: Language, selector: &str) -> Result<Column, ColumnError> {
        let name = written.name.trim().to_owned();
        let letters = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if name.is_empty() || name.len() > NAME_BYTES || !letters || name == "url" {
            return Err(ColumnError::Name(name));
        }
        let r#type = match written.r#type.trim() {
            "" => ValueType::default(),
            text => text.parse().map_err(|what| ColumnError::Type { name: name.clone(), what })?,
        };
        let urls = match written.urls.trim() {
            "" => None,
            text => Some(Pattern::parse(text).map_err(|error| ColumnError::Urls { name: name.clone(), error })?),
        };
        let part = match written.part {
            "" => None,
            text => {
                let read = PatternRule::parse(text);
                Some(read.map_err(|error| ColumnError::Part { name: name.clone(), error })?)
            }
        };
        let read = Selector::parse(language, selector);
        let selector = read.map_err(|error| ColumnError::Selector { name: name.clone(), error })?;
        Ok(Column { name, r#type, urls, selector, part })
    }

    /// Is it meant for this page?
    pub(crate) fn is_for(&self, page: &Page<'_>) -> bool {
        self.urls.as_ref().is_none_or(|urls| page.url().is_some_and(|url| urls.matches(url)))
    }

    /// The texts it finds on a page, before they are read as values of its type.
    pub(crate) fn texts(&self, page: &Page<'_>, work: &mut Work) -> Result<Vec<String>, OutOfWork> {
        let mut texts = self.selector.values(page, work)?;
        if let Some(part) = &self.part {
            texts = texts.iter().filter_map(|text| part.first(text)).collect();
        }
        texts.retain(|text| !text.is_empty());
        Ok(texts)
    }

    /// What it has on a page; the second is false if something was found that is none of its type.
    pub(crate) fn cell(&self, page: &Page<'_>, work: &mut Work) -> Result<(Cell, bool), OutOfWork> {
        let texts = self.texts(page, work)?;
        let found = texts.len();
        let mut values = texts.into_iter().filter_map(|text| self.r#type.item.read(text, page.base()));
        if self.r#type.is_list {
            let values: Vec<Value> = values.collect();
            let all = values.len() == found;
            return Ok((if values.is_empty() { Cell::Empty } else { Cell::Many(values) }, all));
        }
        let first = values.next();
        let all = first.is_some() || found == 0;
        Ok((first.map_or(Cell::Empty, Cell::One), all))
    }
}

impl FromStr for Column {
    type Err = ColumnError;

    fn from_str(line: &str) -> Result<Column, ColumnError> {
        let line = line.trim();
        let marks = Language::ALL.map(|language| (language, format!("={}:", language.name())));
        let places = marks.iter().filter_map(|(language, mark)| line.find(mark).map(|at| (at, *language, mark.len())));
        let Some((at, language, length)) = places.min_by_key(|(at, _, _)| *at) else {
            return Err(ColumnError::NoSelector(line.to_owned()));
        };
        let (head, mut selector) = (&line[..at], &line[at + length..]);
        let (head, urls) = head.split_once('@').unwrap_or((head, ""));
        let (name, r#type) = head.split_once(':').unwrap_or((head, ""));
        let mut part = "";
        let takes_part = matches!(language, Language::Css | Language::XPath | Language::Json);
        if let Some(inner) = selector.strip_suffix('/').filter(|_| takes_part)
            && let Some(at) = inner.rfind(MATCH)
        {
            (selector, part) = (&inner[..at], &inner[at + MATCH.len()..]);
        }
        Column::read(&WrittenColumn { name, r#type, urls, part }, language, selector)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.r#type != ValueType::default() {
            write!(f, ":{}", self.r#type)?;
        }
        if let Some(urls) = &self.urls {
            write!(f, "@{}", urls.text())?;
        }
        write!(f, "={}:{}", self.selector.language().name(), self.selector.text())?;
        match &self.part {
            Some(part) => write!(f, "{MATCH}{}/", part.source()),
            None => Ok(()),
        }
    }
}
