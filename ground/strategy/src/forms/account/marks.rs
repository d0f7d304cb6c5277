//! What trials have shown of each control so far.

use std::collections::BTreeSet;

use crate::forms::controls::Setting;
use crate::forms::known::Sight;

/// What is known of a control on this base.
#[derive(Clone, Debug, Default)]
pub(super) struct Mark {
    /// All that was tried has the same total.
    pub(super) is_neutral: bool,
    /// Something that was tried has a smaller total.
    pub(super) narrows: bool,
    /// What was tried before the questions, and what it showed.
    pub(super) tried: Vec<(Setting, Sight)>,
    /// Something that was tried brings no less than the base.
    pub(super) is_equaled: bool,
    /// Something that was tried brings less.
    pub(super) reacts: bool,
    /// What trials made necessary has been tried, too.
    pub(super) followed: bool,
    /// What was tried before the questions has been compared.
    pub(super) is_judged: bool,
    /// Records show two values of it.
    pub(super) shows_two: bool,
    /// The answer to a trial was the form itself.
    pub(super) came_back: bool,
}

/// Controls that do not stay as they are.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Set wider: their other values are tried all the same.
    pub(super) widened: BTreeSet<usize>,
    /// Held something that hid records, and are set to what does not.
    pub(super) lifted: BTreeSet<usize>,
    /// Nothing is chosen, and it brings what one of the values brings.
    pub(super) standing: BTreeSet<usize>,
}

/// Controls by whether trials of them were answered.
#[derive(Debug, Default)]
pub(super) struct TrialAnswers {
    pub(super) answered: BTreeSet<usize>,
    /// Texts of which no trial was so far.
    pub(super) unanswered: BTreeSet<usize>,
}
