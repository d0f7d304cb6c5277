//! What a gathering would cost, said before it is begun in earnest.

use groma_strategy::forms::Outline;
use serde::Serialize;

/// What would be asked, and what it would cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Planned {
    /// Which form of the page, from 1.
    pub form: usize,
    /// Where it is sent.
    pub action: String,
    /// How it is sent.
    pub method: &'static str,
    /// Fields that are varied.
    pub fields: Vec<PlannedField>,
    /// Questions, at least and at most about.
    pub questions: Option<(u64, u64)>,
    /// Pages, at least and at most about.
    pub pages: Option<(u64, u64)>,
    /// Records, by the total that the first answer showed.
    pub total: Option<u64>,
    /// The form is fetched anew before each question.
    pub tokens: bool,
    /// Requests at which it stops by itself; the same command goes on.
    pub budget: u64,
    /// How long that takes at least and at most, at the pace that was asked for, in seconds.
    pub seconds: Option<(u64, u64)>,
}

/// A field that is varied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedField {
    /// What it is called.
    pub name: String,
    /// "choice", "several", "range", "beginning" or "words".
    pub kind: &'static str,
    /// Its values, where they can be counted.
    pub values: Option<u64>,
}

impl Planned {
    /// With the time it takes if two requests are so many milliseconds apart.
    pub(super) fn from_outline(outline: Outline, pause: u64) -> Planned {
        let requests = outline.pages.or(outline.questions);
        let twice = if outline.tokens { 2 } else { 1 };
        let seconds = |count: u64| count.saturating_mul(twice).saturating_mul(pause).div_ceil(1000);
        let field = |field: groma_strategy::forms::FieldOutline| PlannedField {
            name: field.name,
            kind: field.kind,
            values: field.values,
        };
        Planned {
            form: outline.form,
            action: outline.action,
            method: if outline.posts { "post" } else { "get" },
            fields: outline.fields.into_iter().map(field).collect(),
            questions: outline.questions,
            pages: outline.pages,
            total: outline.total,
            tokens: outline.tokens,
            budget: outline.budget,
            seconds: requests.map(|(least, most)| (seconds(least), seconds(most))),
        }
    }
}
