//! A rule before it is tried.

use crate::selector::Language;

/// A rule that may be right.
pub(super) struct RuleDraft {
    pub(super) language: Language,
    pub(super) selector: String,
    pub(super) cost: f64,
    /// Only a part of what the selector gives is meant.
    pub(super) is_part: bool,
}
