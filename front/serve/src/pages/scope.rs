//! The logical site of a survey, where a page can show it alone instead of the whole survey.

/// The choice between the two.
#[derive(Default)]
pub(super) struct SiteScope {
    /// What the logical site was found from; empty if none was found.
    pub(super) start: String,
    /// It is shown alone.
    pub(super) alone: bool,
    /// Leads to the other of the two.
    pub(super) other: String,
}
