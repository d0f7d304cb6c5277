//! What can be varied in a form, what one question says, and what was heard?

/// What may be varied, in the form's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// One axis per field.
    pub fields: Vec<Axis>,
}

/// One field of the form.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// One of these values.
    Choice {
        /// The values, as the form sends them.
        values: Vec<String>,
        /// The field can be left open.
        any: bool,
        /// Known from outside: every record has one of these values. Then asking all of them proves that nothing is missing.
        exhaustive: bool,
    },
    /// Any of these values, several at once if that helps; a record may have several, or none.
    Several {
        /// The values, as the form sends them.
        values: Vec<String>,
        /// The field can be left open.
        any: bool,
    },
    /// Between two bounds, both ends included, in whole steps (a price in cents, a latitude in units of 0.0000001).
    Range {
        /// The lowest value, where known.
        low: Option<i64>,
        /// The highest value, where known.
        high: Option<i64>,
        /// Either end can be left open.
        open: bool,
        /// Known from outside: every record has a value, and it is a whole number of steps between `low` and `high`.
        every: bool,
    },
    /// The beginning of a text. Proves nothing by itself: only totals tell about texts that end where a prefix ends.
    Prefix {
        /// What may follow. Letters that rows show are added.
        letters: Vec<char>,
        /// The field can be left open.
        any: bool,
    },
    /// Words for a field that looks anywhere in a text. Never proves anything by itself.
    Words {
        values: Vec<String>,
        /// The field can be left open.
        any: bool,
    },
}

impl Axis {
    /// Does asking all parts prove that nothing is missing?
    pub(super) fn is_closed(&self) -> bool {
        match self {
            // What is beyond the cap is never asked for.
            Axis::Choice { values, exhaustive, .. } => *exhaustive && values.len() <= VALUES,
            Axis::Range { every, .. } => *every,
            // A text may end where the prefix ends, whatever is known of the letters.
            Axis::Several { .. } | Axis::Prefix { .. } | Axis::Words { .. } => false,
        }
    }

    /// What the field says before it was ever split; None where it must say something.
    pub(super) fn whole(&self) -> Option<Part> {
        match self {
            Axis::Choice { any, .. }
            | Axis::Several { any, .. }
            | Axis::Prefix { any, .. }
            | Axis::Words { any, .. } => any.then_some(Part::Open),
            Axis::Range { open: true, .. } => Some(Part::Open),
            Axis::Range { low, high, .. } => {
                let (low, high) = (low.unwrap_or(-FAR), high.unwrap_or(FAR));
                Some(Part::Between(Some(low.min(high)), Some(high.max(low))))
            }
        }
    }
}

/// Values of a list or letters that are asked for, at most.
pub(super) const VALUES: usize = 10_000;

/// Where a bound must be given and none is known.
pub(super) const FAR: i64 = 1 << 40;

/// What a question says about one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Nothing: the axis is left open.
    Open,
    /// The value with this index of a choice.
    Is(usize),
    /// The values with these indices at once, in order; what that means the form knows (see [`super::probe`]).
    Of(Vec<usize>),
    /// Between these bounds, both included; None is an end that is left open.
    Between(Option<i64>, Option<i64>),
    /// Begins with this text.
    Begins(String),
    /// Contains the word with this index.
    Word(usize),
}

/// One question: a part per axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// In the order of [`Space::fields`].
    pub parts: Vec<Part>,
}

/// What a row shows for an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The value with this index of a choice.
    Is(usize),
    /// A number, in steps.
    Number(i64),
    Text(String),
    /// It shows that it has none of the values of the axis: an empty cell, a value that is not in the list.
    Lacking,
}

/// One record of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRecord {
    /// A digest of the record: equal records have equal keys.
    pub key: u128,
    /// Per axis what the row shows; None where it does not show the field. May be shorter than the axes.
    pub values: Vec<Option<Value>>,
}

/// Does the answer say that it was cut?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// It says that it is all. Taken down, not believed: "50 of 50" is what a limit of 50 looks like.
    No,
    /// It says that there is more than can be shown ("more than 50 hits, please refine").
    Yes,
    /// The answer does not tell.
    #[default]
    Unknown,
}

/// An answer, as far as it was read.
///
/// Rows keep the order in which they came: a list that is sorted by a field is recognised by it.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// The rows of each page that was read. Page by page, because equal rows on two pages may be one that moved.
    pub pages: &'a [Vec<AnswerRecord>],
    /// The total that is shown.
    pub said: Option<u64>,
    /// There are further pages that were not read.
    pub more: bool,
    /// Signs of a cut.
    pub cut: Cut,
}

impl Heard<'_> {
    /// Rows on all pages.
    pub(super) fn listed(&self) -> u64 {
        self.pages.iter().map(|page| page.len() as u64).sum()
    }

    /// How many pages there are, if those before the last have different numbers of rows; else 0.
    pub(super) fn uneven(&self) -> u64 {
        let Some((_, full)) = self.pages.split_last() else { return 0 };
        let is_uneven = full.windows(2).any(|two| two[0].len() != two[1].len());
        if is_uneven { self.pages.len() as u64 } else { 0 }
    }
}

impl Part {
    /// Does a row that shows this value answer to this part? None if it cannot be told.
    pub(super) fn holds(&self, value: &Value) -> Option<bool> {
        match (self, value) {
            (Part::Open | Part::Of(_) | Part::Word(_), _) => None,
            (_, Value::Lacking) => Some(false),
            (Part::Is(index), Value::Is(shown)) => Some(index == shown),
            (Part::Between(low, high), Value::Number(shown)) => {
                Some(low.is_none_or(|low| low <= *shown) && high.is_none_or(|high| *shown <= high))
            }
            // A form may fold letters in ways we do not know: only a plain beginning is sure.
            (Part::Begins(text), Value::Text(shown)) => shown.starts_with(text.as_str()).then_some(true),
            _ => None,
        }
    }
}
