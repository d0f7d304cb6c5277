//! What is a value? A text, a number, a date or a URL, or a list of such, as the type of its column says.

use std::fmt;
use std::str::FromStr;

use groma_url::Url;

use crate::date::date_of;
use crate::number::number_of;

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueType {
    pub item: ItemType,
    /// All values of the page, not only the first.
    pub is_list: bool,
}

/// The type of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItemType {
    #[default]
    Text,
    Number,
    /// ISO 8601, as far as the text says it: a year, a month, a day, a time.
    Date,
    /// Absolute, relative to the page.
    Url,
}

impl ItemType {
    const ALL: [ItemType; 4] = [ItemType::Text, ItemType::Number, ItemType::Date, ItemType::Url];

    fn name(self) -> &'static str {
        match self {
            ItemType::Text => "text",
            ItemType::Number => "number",
            ItemType::Date => "date",
            ItemType::Url => "url",
        }
    }

    /// What a text is as a value of this type; nothing if it is none.
    pub(crate) fn read(self, text: String, base: Option<&Url>) -> Option<Value> {
        match self {
            ItemType::Text => Some(Value::Text(text)),
            ItemType::Number => number_of(&text).map(Value::Number),
            ItemType::Date => date_of(&text).map(Value::Text),
            ItemType::Url => Url::parse_with_base(text.trim(), base).ok().map(|url| Value::Text(url.to_string())),
        }
    }
}

impl FromStr for ValueType {
    type Err = String;

    fn from_str(text: &str) -> Result<ValueType, String> {
        if text == "list" {
            return Ok(ValueType { item: ItemType::Text, is_list: true });
        }
        let (name, is_list) = text.strip_suffix("[]").map_or((text, false), |name| (name, true));
        let item = ItemType::ALL.into_iter().find(|item| item.name() == name);
        item.map(|item| ValueType { item, is_list }).ok_or_else(|| {
            format!("there is no type `{text}`; one of text, number, date, url, list is expected, or one with [] behind it for a list")
        })
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.item.name())?;
        f.write_str(if self.is_list { "[]" } else { "" })
    }
}

/// One value. Dates and URLs are texts of their form.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Number(f64),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Number(number) => number.fmt(f),
        }
    }
}

/// What a column has on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    #[default]
    Empty,
    One(Value),
    Many(Vec<Value>),
}

impl Cell {
    pub fn is_empty(&self) -> bool {
        match self {
            Cell::Empty => true,
            Cell::One(_) => false,
            Cell::Many(values) => values.is_empty(),
        }
    }

    /// Its values, in order.
    pub fn values(&self) -> &[Value] {
        match self {
            Cell::Empty => &[],
            Cell::One(value) => std::slice::from_ref(value),
            Cell::Many(values) => values,
        }
    }
}
