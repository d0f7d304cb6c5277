//! What has been reached, and what will it cost? The words in which a cover speaks about itself.

use std::fmt;

/// What has been reached so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// It is proved that every record the form can show has been seen.
    pub certified: bool,
    /// Distinct rows.
    pub rows: u64,
    /// How much of the whole that is, where something can be said about it. None when certified.
    pub estimate: Option<Estimate>,
    /// Questions answered or failed.
    pub questions: u64,
    /// Pages of answers that were read.
    pub pages: u64,
    /// No method needs fewer questions: rows / K, where K is known.
    pub least_questions: Option<u64>,
    /// No method needs fewer pages: rows / rows a page.
    pub least_pages: Option<u64>,
    /// Questions that were answered only in part and could not be split.
    pub open: u64,
    /// Why it is not certified; empty if it is.
    pub reasons: Vec<Reason>,
}

/// A share of the whole, and how it was estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Rows seen of all rows, 0 to 1.
    pub share: f64,
    /// Not less, in 19 of 20 cases.
    pub low: f64,
    /// Not more, in 19 of 20 cases.
    pub high: f64,
    /// Name of the method of estimation.
    pub method: &'static str,
}

/// Why there is no certificate. Axes are indices of [`super::Space::fields`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Questions that were not asked yet.
    Unfinished,
    /// The budget is spent.
    Budget,
    /// Questions without an answer.
    Failed,
    /// No question brought a row: the form may not have been understood.
    Nothing,
    /// More records match one point of the space than an answer shows.
    Heavy,
    /// An answer looks whole, and nothing tells whether this form says so when it cuts.
    Undecided,
    /// Answers are cut at different sizes.
    Wavering,
    /// Records may have no value, or one outside the list, in this field, and no total tells.
    MayLack(usize),
    /// Records were seen that have no value, or one outside the list, in this field.
    Lacks(usize),
    /// The form takes no notice of this field.
    Ignored(usize),
    /// Rows came that do not match what was asked for in this field.
    Mismatch(usize),
    /// A row that was seen before was missing where it belongs: the data changed, or bounds do not mean what they say.
    Missing,
    /// The totals contradict each other or the rows.
    Totals,
    /// Rows moved from page to page while they were read.
    Moved,
    /// Records that an answer showed did not come again where they had to: they may look different from question to question.
    Unsteady,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unfinished => f.write_str("there are questions left to ask"),
            Reason::Budget => f.write_str("the budget is spent"),
            Reason::Failed => f.write_str("questions were not answered"),
            Reason::Nothing => f.write_str("no question brought a record"),
            Reason::Heavy => f.write_str("more records match a question than are shown, and it cannot be split"),
            Reason::Undecided => f.write_str("the form may cut answers without saying so"),
            Reason::Wavering => f.write_str("answers are cut at different sizes"),
            Reason::MayLack(axis) => write!(f, "records without a value in field {} may exist", axis + 1),
            Reason::Lacks(axis) => write!(f, "records without a value in field {} exist", axis + 1),
            Reason::Ignored(axis) => write!(f, "the form takes no notice of field {}", axis + 1),
            Reason::Mismatch(axis) => write!(f, "rows do not match what was asked in field {}", axis + 1),
            Reason::Missing => f.write_str("a record seen before was missing later"),
            Reason::Totals => f.write_str("the totals contradict each other"),
            Reason::Moved => f.write_str("records moved from page to page while they were read"),
            Reason::Unsteady => {
                f.write_str("records look different from question to question, so that they cannot be counted")
            }
        }
    }
}

/// About how much it will cost in all, from what is known now. None: nothing is known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Questions, at least and at most about.
    pub questions: Option<(u64, u64)>,
    /// Pages, at least and at most about.
    pub pages: Option<(u64, u64)>,
}
