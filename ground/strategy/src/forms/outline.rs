//! What would be asked and what would it cost? Said before the questions are asked.

use groma_gather::cover::{Axis, Forecast};
use groma_gather::form::Form;
use groma_gather::meta::Method;

use super::axes::Axes;
use super::settings::How;

/// What would be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Which form of the page, from 1.
    pub form: usize,
    /// Where it is sent.
    pub action: String,
    /// Whether it is sent by POST.
    pub posts: bool,
    /// Fields that are varied.
    pub fields: Vec<FieldOutline>,
    /// Questions, at least and at most about; nothing: nobody can say yet.
    pub questions: Option<(u64, u64)>,
    /// Pages to be fetched, at least and at most about.
    pub pages: Option<(u64, u64)>,
    /// The total that the first answer showed.
    pub total: Option<u64>,
    /// The form is asked for anew before each question.
    pub tokens: bool,
    /// Requests at which it stops by itself.
    pub budget: u64,
}

/// A field that is varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldOutline {
    /// What it is called for people.
    pub name: String,
    /// "choice", "several", "range", "beginning" or "words".
    pub kind: &'static str,
    /// Its values, where they can be counted.
    pub values: Option<u64>,
}

/// A list or a box that stayed as it was, but for trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its internal name.
    pub name: String,
    /// What people read beside it.
    pub label: String,
}

impl Outline {
    pub(super) fn from_form(
        form: &Form,
        axes: &Axes,
        how: How,
        forecast: Option<Forecast>,
        product: u64,
        total: Option<u64>,
        tokens: usize,
    ) -> Outline {
        let field = |(axis, names): (&Axis, &Vec<String>)| {
            let (kind, values) = match axis {
                Axis::Choice { values, .. } => ("choice", Some(values.len() as u64)),
                Axis::Several { values, .. } => ("several", Some(values.len() as u64)),
                Axis::Range { .. } => ("range", None),
                Axis::Prefix { letters, .. } => ("beginning", Some(letters.len() as u64)),
                Axis::Words { values, .. } => ("words", Some(values.len() as u64)),
            };
            let name = names.iter().find(|name| !name.is_empty()).cloned().unwrap_or_default();
            FieldOutline { name, kind, values }
        };
        // What varies and over which values is said by the description: fewer questions are never asked.
        let described = (product > 1).then_some((product, product));
        let (questions, pages) = match (how, forecast) {
            (How::Paper, _) => (Some((product, product)), None),
            (How::Whole, Some(forecast)) => (forecast.questions.or(described), forecast.pages),
            (How::Whole, None) => (described, None),
        };
        Outline {
            form: form.nth + 1,
            action: form.action.as_ref().map(ToString::to_string).unwrap_or_default(),
            posts: form.method == Method::Post,
            fields: axes.space.fields.iter().zip(&axes.names).map(field).collect(),
            questions,
            pages,
            total,
            tokens: tokens > 0,
            budget: 0,
        }
    }
}
