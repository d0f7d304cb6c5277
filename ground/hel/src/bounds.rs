//! How much may be asked? The bounds of rules, trees and work, all in one place.
//!
//! A rule comes from a stranger's page, and so does the page it is tried on. Each bound is checked before memory is taken
//! or time is spent, and each that is hit is told: by a [`Fault`](crate::Fault) of the rule, by [`Tree::cut`](crate::Tree::cut),
//! or by [`Exceeded`](crate::Exceeded).

/// Bytes of a rule, and of a prefix.
pub const RULE_BYTES: usize = 4096;

/// Steps of a rule, those of its conditions and forks among them; a fork counts as a step.
pub const RULE_STEPS: usize = 64;

/// Depth of forks within forks.
pub const RULE_FORKS: usize = 8;

/// Memory that a compiled regular expression may take, in bytes.
pub const PATTERN_BYTES: usize = 1 << 20;

/// What a page may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of a page that are read.
    pub page_bytes: usize,
    /// Elements and texts of a tree.
    pub nodes: usize,
    /// Attributes of a tree.
    pub attributes: usize,
    /// Attributes of one element.
    pub element_attributes: usize,
    /// Elements open at once while a page is read.
    pub depth: usize,
    /// Work of building a tree: open elements looked at, attributes compared, children moved.
    pub building: u64,
    /// Work of one rule on one page: nodes looked at, indices tried, bytes read.
    pub work: u64,
    /// Bytes of text in the result of one rule on one page.
    pub result_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            page_bytes: 16 << 20,
            nodes: 500_000,
            attributes: 1_000_000,
            element_attributes: 256,
            depth: 512,
            building: 100_000_000,
            work: 10_000_000,
            result_bytes: 16 << 20,
        }
    }
}
