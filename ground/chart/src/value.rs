//! The value of a field at a page, for the forms that write whatever was chosen (XML, JSON, text, graphs).
//!
//! A value that is not known is [`Value::Unknown`]; each form says in its own way that there is nothing.

use std::io::{self, Write};

use groma_model::escape::Xml;
use groma_model::moment;

use crate::{Field, Label, SiteMap};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// Not known, or out of what can be written.
    Unknown,
    /// A text from a stranger or a word of ours: not yet safe for any output.
    Text(&'a str),
    Count(u64),
    /// Finite.
    Real(f64),
    /// A moment as RFC 3339 in UTC, of the years 1 to 9999.
    Moment(String),
}

/// A moment as text. Years that RFC 3339 and XML Schema cannot write are not known: a server's clock may say anything.
pub(crate) fn written(seconds: i64) -> Option<String> {
    const FIRST: i64 = -62_135_596_800; // 0001-01-01T00:00:00Z
    const LAST: i64 = 253_402_300_799; // 9999-12-31T23:59:59Z
    (FIRST..=LAST).contains(&seconds).then(|| moment::rfc3339(seconds))
}

/// A finite number with six digits behind the point; a huge one as a power of ten, which XML Schema and JSON both read.
pub(crate) fn decimal(real: f64) -> String {
    if real.abs() < 1e15 { format!("{real:.6}") } else { format!("{real:e}") }
}

impl<'a> Value<'a> {
    /// What a page has in a field. Parts are no single value and always unknown here.
    pub(crate) fn from_field(field: Field, map: &SiteMap<'_>, place: u32, label: &'a Label) -> Value<'a> {
        let text = |text: &'a str| if text.is_empty() { Value::Unknown } else { Value::Text(text) };
        let moment = |seconds: Option<i64>| seconds.and_then(written).map_or(Value::Unknown, Value::Moment);
        match field {
            Field::Title => text(&label.title),
            Field::Url => text(&label.url),
            Field::Rank if label.rank.is_finite() => Value::Real(label.rank),
            Field::Rank => Value::Unknown,
            Field::Depth => Value::Count(map.tree.depth(place).into()),
            Field::Pages => Value::Count(map.pages(place).into()),
            Field::State => Value::Text(label.reason.state().name()),
            Field::Reason => Value::Text(label.reason.name()),
            Field::Status if label.status == 0 => Value::Unknown,
            Field::Status => Value::Count(label.status.into()),
            Field::Type => text(&label.media_type),
            Field::Size => label.size.map_or(Value::Unknown, Value::Count),
            Field::Language => text(&label.language),
            Field::Words => Value::Count(label.words.into()),
            Field::Modified => moment(label.modified),
            Field::Changed => moment(label.changed),
            Field::Fetched => moment(label.fetched),
            Field::In => Value::Count(label.links_in.into()),
            Field::Out => Value::Count(label.links_out.into()),
            Field::Broken => Value::Count(label.broken.into()),
            Field::Cluster => label.cluster.map_or(Value::Unknown, |cluster| Value::Count(cluster.into())),
            Field::Database => text(label.database),
            Field::Parts => Value::Unknown,
        }
    }

    /// Writes it as content or attribute value of XML; nothing if it is not known.
    pub(crate) fn write_xml(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Value::Unknown => Ok(()),
            Value::Text(text) => write!(out, "{}", Xml(text)),
            Value::Count(count) => write!(out, "{count}"),
            Value::Real(real) => out.write_all(decimal(*real).as_bytes()),
            Value::Moment(moment) => out.write_all(moment.as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_enough_to_be_read_back() {
        assert_eq!((decimal(0.15).as_str(), decimal(1e15).as_str()), ("0.150000", "1e15"));
        assert_eq!(decimal(f64::MAX).parse(), Ok(f64::MAX));
    }

    #[test]
    fn moments_no_calendar_can_write_are_not_known() {
        assert_eq!(written(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(written(-62_135_596_800).as_deref(), Some("0001-01-01T00:00:00Z"));
        assert_eq!(written(253_402_300_799).as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!((written(i64::MIN), written(i64::MAX), written(253_402_300_800)), (None, None, None));
    }
}
