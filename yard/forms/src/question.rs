//! What is asked: from the data of a form to a condition on rows.
//!
//! A field that is left empty asks for nothing; a row without a value in a column is no answer to a question about it.
//! Texts are compared as SQLite's LIKE does: small and capital letters are the same in ASCII only.

use rusqlite::types::Value;

use crate::data_set::Pairs;
use crate::database::{BAR, quoted};
use crate::field::{Asks, Choice, Field};
use crate::table::Column;

/// A condition in SQL, and what stands for its question marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Condition {
    parts: Vec<String>,
    values: Vec<Value>,
}

impl Condition {
    pub(crate) fn sql(&self) -> String {
        if self.parts.is_empty() { "1".to_owned() } else { self.parts.join(" AND ") }
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }

    /// One more part, with a value for each of its question marks.
    pub(crate) fn and(&mut self, part: String, values: impl IntoIterator<Item = Value>) {
        self.parts.push(part);
        self.values.extend(values);
    }

    /// How a text in a column begins; `%` in what is asked stands for anything.
    pub(crate) fn begins(&mut self, column: &str, asked: &str) {
        let mut pattern = asked.replace('\\', "\\\\").replace('_', "\\_");
        if !pattern.contains('%') {
            pattern.push('%');
        }
        self.and(format!("{column} LIKE ? ESCAPE '\\'"), [Value::Text(pattern)]);
    }
}

/// A question that was understood.
#[derive(Clone, Debug, Default)]
pub(crate) struct Question {
    pub(crate) condition: Condition,
    /// The names and values that ask for something, in the order of the form.
    pub(crate) asked: Pairs,
}

/// Reads the data of a form. The error is the label of the field that cannot be understood.
pub(crate) fn read(
    pairs: &Pairs,
    fields: &[Field],
    columns: &[Column],
    ignore: Option<&str>,
) -> Result<Question, String> {
    let mut question = Question::default();
    for field in fields {
        let column = columns.get(field.column).map(|column| quoted(&column.name)).unwrap_or_default();
        let names = match &field.asks {
            Asks::Range { to, .. } => vec![field.name.as_str(), to],
            _ => vec![field.name.as_str()],
        };
        let of =
            |name: &str| pairs.iter().filter(|pair| pair.0 == name && !pair.1.trim().is_empty()).cloned().collect();
        let given: Vec<Pairs> = names.iter().map(|name| of(name)).collect();
        if !ignore.is_some_and(|name| field.is_called(name)) {
            narrow(&mut question.condition, field, &column, &given)?;
        }
        question.asked.extend(given.into_iter().flatten());
    }
    Ok(question)
}

fn narrow(condition: &mut Condition, field: &Field, column: &str, given: &[Pairs]) -> Result<(), String> {
    let first = given.first().and_then(|pairs| pairs.first()).map(|pair| pair.1.trim());
    match &field.asks {
        Asks::Select { choices, .. } | Asks::Radio { choices, .. } => match first {
            Some(value) => condition.and(format!("{column} = ?"), [meant(choices, value)]),
            // Without a choice that asks for nothing, asking for nothing is not understood.
            None if !field.asks.may_be_empty() => return Err(field.label.clone()),
            None => {}
        },
        Asks::Checks { choices, all } => {
            let asked: Vec<Value> = given.iter().flatten().map(|pair| member(choices, pair.1.trim())).collect();
            if !asked.is_empty() {
                let each = vec![format!("instr({column}, ?) > 0"); asked.len()];
                condition.and(format!("({})", each.join(if *all { " AND " } else { " OR " })), asked);
            }
        }
        Asks::Range { date, .. } => {
            for (pairs, sign) in given.iter().zip([">=", "<="]) {
                let Some(text) = pairs.first().map(|pair| pair.1.trim()) else { continue };
                let value = if *date {
                    day(text).map(Value::Text)
                } else {
                    text.replace(',', ".").parse().ok().filter(|n: &f64| n.is_finite()).map(Value::Real)
                };
                condition.and(format!("{column} {sign} ?"), [value.ok_or_else(|| field.label.clone())?]);
            }
        }
        Asks::Prefix => first.into_iter().for_each(|text| condition.begins(column, text)),
        Asks::Keyword => {
            for word in first.unwrap_or_default().split_whitespace() {
                condition.and(format!("instr(lower({column}), lower(?)) > 0"), [Value::Text(word.to_owned())]);
            }
        }
    }
    Ok(())
}

impl Asks {
    fn may_be_empty(&self) -> bool {
        !matches!(self, Asks::Select { any: None, .. } | Asks::Radio { any: None, .. })
    }
}

/// What a sent value is called in the rows; a value nobody offered is asked for as it stands, and found nowhere.
fn meant(choices: &[Choice], value: &str) -> Value {
    let choice = choices.iter().find(|choice| choice.value == value);
    Value::Text(choice.map_or_else(|| format!("{BAR}{value}"), |choice| choice.shown.clone()))
}

fn member(choices: &[Choice], value: &str) -> Value {
    let choice = choices.iter().find(|choice| choice.value == value);
    Value::Text(format!("{BAR}{}{BAR}", choice.map_or(value, |choice| &choice.shown)))
}

/// A day as it is kept: year, month, day with hyphens.
fn day(text: &str) -> Option<String> {
    let digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = text.split('-');
    let good = digits(parts.next()?, 4) && digits(parts.next()?, 2) && digits(parts.next()?, 2);
    (good && parts.next().is_none()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_one_spelling() {
        assert_eq!(day("2026-11-15").as_deref(), Some("2026-11-15"));
        for bad in ["15.11.2026", "2026-1-5", "2026-11-15-", "2026-11", "", "+026-11-15"] {
            assert_eq!(day(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_beginning_is_a_pattern_without_wild_cards_of_its_own() {
        let mut condition = Condition::default();
        condition.begins("c", "a_\\b");
        condition.begins("c", "%x");
        assert_eq!(condition.sql(), "c LIKE ? ESCAPE '\\' AND c LIKE ? ESCAPE '\\'");
        let values: Vec<_> = condition.values().cloned().collect();
        assert_eq!(values, [Value::Text("a\\_\\\\b%".into()), Value::Text("%x".into())]);
    }
}
