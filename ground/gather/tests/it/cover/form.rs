//! A form over records in memory, with everything that forms do to those who ask them. It is the oracle: it knows all records.

use groma_gather::cover::{AnswerRecord, Axis, Cut, Heard, Part, Question, Value};

use super::dice::Dice;

/// One record: what tells it from others, and its value per axis; None is NULL or a value outside the list.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) key: u128,
    pub(super) values: Vec<Option<Value>>,
}

/// Which totals the form shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Totals {
    Honest,
    /// "50 of 50", though there are more.
    Capped,
    Absent,
}

/// What a form makes of several values of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joins {
    And,
    Or,
    First,
    Last,
    /// OR, of so many at most; the others are forgotten.
    Some(usize),
    /// It does not understand and lets everything through.
    Confused,
}

#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) axes: Vec<Axis>,
    pub(super) records: Vec<Record>,
    pub(super) limit: usize,
    pub(super) page: usize,
    pub(super) totals: Totals,
    /// Says so when it cuts.
    pub(super) sign: bool,
    /// Has links to further pages; without them only the first page can be read.
    pub(super) links: bool,
    /// Takes no notice of this axis.
    pub(super) ignores: Option<usize>,
    /// Rows show the value of this axis.
    pub(super) shows: Vec<bool>,
    /// Prefixes match whatever the case and the dots.
    pub(super) folds: bool,
    /// Each page is cut from a list in a new order.
    pub(super) unstable: bool,
    /// Records vanish while we ask.
    pub(super) fades: bool,
    /// How several values of one field are joined.
    pub(super) joins: Joins,
    /// The upper end of a range is not included.
    pub(super) excludes_end: bool,
}

pub(super) fn fold(text: &str) -> String {
    let plain = |letter: char| match letter {
        'ä' => 'a',
        'ö' => 'o',
        'ü' => 'u',
        other => other,
    };
    text.to_lowercase().chars().map(plain).collect()
}

/// Sets are written as letters.
pub(super) fn has(set: &str, index: usize) -> bool {
    set.bytes().any(|letter| usize::from(letter - b'A') == index)
}

impl Form {
    fn matches(&self, record: &Record, question: &Question) -> bool {
        question.parts.iter().enumerate().all(|(axis, part)| {
            if self.ignores == Some(axis) {
                return true;
            }
            match (part, &record.values[axis]) {
                (Part::Open, _) => true,
                (Part::Is(index), Some(Value::Is(value))) => index == value,
                (Part::Is(index), Some(Value::Text(set))) => has(set, *index),
                (Part::Of(chosen), Some(Value::Text(set))) => match self.joins {
                    Joins::And => chosen.iter().all(|index| has(set, *index)),
                    Joins::Or => chosen.iter().any(|index| has(set, *index)),
                    Joins::First => chosen.first().is_some_and(|index| has(set, *index)),
                    Joins::Last => chosen.last().is_some_and(|index| has(set, *index)),
                    Joins::Some(most) => chosen.iter().take(most).any(|index| has(set, *index)),
                    Joins::Confused => true,
                },
                (Part::Between(low, high), Some(Value::Number(value))) => {
                    let ends = |high: i64| if self.excludes_end { *value < high } else { *value <= high };
                    low.is_none_or(|low| low <= *value) && high.is_none_or(ends)
                }
                (Part::Begins(text), Some(Value::Text(value))) => {
                    if self.folds {
                        fold(value).starts_with(&fold(text))
                    } else {
                        value.starts_with(text.as_str())
                    }
                }
                (Part::Word(index), Some(Value::Text(value))) => {
                    let Axis::Words { values, .. } = &self.axes[axis] else { return false };
                    value.contains(values[*index].as_str())
                }
                _ => false,
            }
        })
    }

    fn row(&self, record: &Record) -> AnswerRecord {
        let shown = record.values.iter().zip(&self.shows).zip(&self.axes).map(|((value, shows), axis)| match value {
            _ if !shows => None,
            // A set is shown by its value if it has one.
            Some(Value::Text(set)) if matches!(axis, Axis::Several { .. }) => match set.as_bytes() {
                [one] => Some(Value::Is(usize::from(one - b'A'))),
                _ => None,
            },
            Some(value) => Some(value.clone()),
            None => Some(Value::Lacking),
        });
        AnswerRecord { key: record.key, values: shown.collect() }
    }

    /// The answer, read as far as `go_on` wishes.
    pub(super) fn ask(
        &self,
        question: &Question,
        dice: &mut Dice,
        mut go_on: impl FnMut(&Heard<'_>) -> bool,
    ) -> Answer {
        let mut found: Vec<&Record> = self.records.iter().filter(|record| self.matches(record, question)).collect();
        let reach = if self.links { self.limit } else { self.limit.min(self.page) };
        let shown = found.len().min(reach);
        let said = match self.totals {
            Totals::Honest => Some(found.len() as u64),
            Totals::Capped => Some(shown as u64),
            Totals::Absent => None,
        };
        let cut = if self.sign && found.len() > reach { Cut::Yes } else { Cut::Unknown };
        let mut answer = Answer { pages: Vec::new(), said, more: false, cut };
        let mut from = 0;
        loop {
            if self.unstable {
                dice.shuffle(&mut found);
            }
            let to = (from + self.page).min(shown);
            answer.pages.push(found[from..to].iter().map(|record| self.row(record)).collect());
            from = to;
            answer.more = from < shown;
            if !answer.more || !go_on(&answer.heard()) {
                return answer;
            }
        }
    }
}

/// An answer, as far as it was read.
pub(super) struct Answer {
    pub(super) pages: Vec<Vec<AnswerRecord>>,
    said: Option<u64>,
    more: bool,
    cut: Cut,
}

impl Answer {
    pub(super) fn heard(&self) -> Heard<'_> {
        Heard { pages: &self.pages, said: self.said, more: self.more, cut: self.cut }
    }
}
