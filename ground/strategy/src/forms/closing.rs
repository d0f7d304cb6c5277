//! What a gathering says of itself at its end: the statement.

use groma_gather::cover::{Reason, Statement};

use super::{Forms, Stage};

/// How far the keeper of the database helped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// A summarizer beside the database answered.
    Cooperative,
    /// The form's page describes it.
    Described,
    /// Nobody but the user helped.
    Unaided,
}

impl Degree {
    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            Degree::Cooperative => "cooperative",
            Degree::Described => "described",
            Degree::Unaided => "unaided",
        }
    }
}

/// What keeps a gathering from its questions, where somebody can do something about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The page of the form did not answer as it should.
    Unreachable,
    /// There is no form, or not the one that was named.
    NoForm,
    /// No form looks like a search.
    NoSearch,
    /// The form asks for a secret or a file.
    Secret,
    /// The form posts, and nobody allowed that.
    Posts,
    /// The form is sent to another site.
    OtherSite,
    /// What is to be varied is not in the form.
    NoControl,
}

/// Why a gathering came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) why: String,
    pub(super) obstacle: Option<Obstacle>,
}

impl Refused {
    pub(super) fn by(obstacle: Obstacle, why: impl Into<String>) -> Refused {
        Refused { why: why.into(), obstacle: Some(obstacle) }
    }
}

impl From<String> for Refused {
    fn from(why: String) -> Refused {
        Refused { why, obstacle: None }
    }
}

impl From<&str> for Refused {
    fn from(why: &str) -> Refused {
        Refused::from(why.to_owned())
    }
}

/// An estimated share of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Records seen of all, 0 to 1.
    pub share: f64,
    /// Not less, in 19 of 20 cases.
    pub low: f64,
    /// Not more, in 19 of 20 cases.
    pub high: f64,
    /// How it was estimated.
    pub method: &'static str,
}

/// What a gathering came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Closing {
    /// How far the keeper helped; nothing if it never got so far.
    pub degree: Option<Degree>,
    /// Everything the form can show has been seen, and that is proved; of a summarizer: it says so.
    pub certified: bool,
    /// Distinct records.
    pub records: u64,
    /// Distinct values over all attributes.
    pub values: u64,
    /// Where it is not certified and something can be said: how much of the whole it is.
    pub share: Option<Share>,
    /// Questions asked.
    pub questions: u64,
    /// Answer pages read.
    pub pages: u64,
    /// No method needs fewer questions.
    pub least_questions: Option<u64>,
    /// No method needs fewer pages.
    pub least_pages: Option<u64>,
    /// Why it is not certified.
    pub reasons: Vec<String>,
    /// What the user should know besides.
    pub notes: Vec<String>,
    /// Why it came to nothing, if it did.
    pub fault: Option<String>,
    /// What kept it from its questions, where somebody can do something about it.
    pub obstacle: Option<Obstacle>,
    /// There are no questions left.
    pub over: bool,
    /// It stopped because its budget is spent, and goes on with a larger one.
    pub paused: bool,
    /// A summarizer said that nothing is new.
    pub unchanged: bool,
}

impl Closing {
    pub(super) fn from_forms(forms: &Forms) -> Closing {
        let mut notes = forms.notes.clone();
        if forms.fragment.cut {
            notes.push("values that are too many or too long were left out".to_owned());
        }
        let mut closing = Closing {
            degree: forms.degree,
            certified: false,
            records: forms.fragment.records(),
            values: forms.fragment.values(),
            share: None,
            questions: 0,
            pages: 0,
            least_questions: None,
            least_pages: None,
            reasons: Vec::new(),
            notes,
            fault: forms.fault.as_ref().map(|refused| refused.why.clone()),
            obstacle: forms.fault.as_ref().and_then(|refused| refused.obstacle),
            over: matches!(forms.stage, Stage::Over(_)),
            paused: false,
            unchanged: forms.unchanged,
        };
        match forms.questions() {
            Some(questions) => {
                closing.notes.extend(questions.notes());
                closing.paused = questions.is_spent() || questions.statement().reasons.contains(&Reason::Budget);
                closing.take(&questions.statement(), &questions.reasons());
            }
            // The word of the summarizer, unless it says itself that something is missing.
            None => {
                let whole = forms.degree == Some(Degree::Cooperative) && closing.over && forms.fault.is_none();
                closing.certified = whole && closing.notes.is_empty();
                if whole && !closing.certified {
                    closing.reasons.push("the summary is not whole, or its document is odd".to_owned());
                }
                closing.questions = u64::from(whole);
                closing.pages = closing.questions;
            }
        }
        closing
    }

    fn take(&mut self, statement: &Statement, reasons: &[String]) {
        self.certified = statement.certified && reasons.is_empty() && self.fault.is_none();
        self.questions = statement.questions;
        self.pages = statement.pages;
        self.least_questions = statement.least_questions;
        self.least_pages = statement.least_pages;
        self.share = statement.estimate.map(|estimate| Share {
            share: estimate.share,
            low: estimate.low,
            high: estimate.high,
            method: estimate.method,
        });
        self.reasons = reasons.to_vec();
    }
}
