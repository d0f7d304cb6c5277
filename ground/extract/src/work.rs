//! How much may one column cost on one page? Work is counted in elements looked at, attributes and texts compared, items of JSON visited.
//!
//! Selectors come from users and pages from strangers, and some pairs of them take more than linear time (`a b c d` in a deep page, `//*//*`
//! anywhere). Whoever evaluates a selector adds what it does and stops with [`OutOfWork`] at [`WORK`]; the column then has no value on that
//! page, and the page says so. What a value may have is a limit of the user's: [`ValueLimits`].

use groma_model::Limits;

/// Work of one column on one page: a few hundred times what an honest one takes on a large page.
pub const WORK: u64 = 4_000_000;

/// A column that would take too long on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfWork;

/// What is kept of the values of one column on one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLimits {
    /// Values of a list.
    pub values: usize,
    /// Bytes of one value.
    pub value_bytes: usize,
}

impl Default for ValueLimits {
    fn default() -> ValueLimits {
        ValueLimits::of_limits(&Limits::default())
    }
}

impl ValueLimits {
    /// The limits of a survey.
    pub fn of_limits(limits: &Limits) -> ValueLimits {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        ValueLimits { values: size(limits.extract_values), value_bytes: size(limits.extract_value_bytes) }
    }
}

/// Counts the work of a column on a page.
#[derive(Debug)]
pub(crate) struct Work {
    left: u64,
    limits: ValueLimits,
    /// The limit that has left something out.
    cut: Option<&'static str>,
}

impl Work {
    pub(crate) fn new(limits: ValueLimits) -> Work {
        Work { left: WORK, limits, cut: None }
    }

    pub(crate) fn add(&mut self, work: u64) -> Result<(), OutOfWork> {
        self.left = self.left.checked_sub(work).ok_or(OutOfWork)?;
        Ok(())
    }

    /// The most values of a list.
    pub(crate) fn values(&self) -> usize {
        self.limits.values
    }

    /// The most bytes of a value.
    pub(crate) fn value_bytes(&self) -> usize {
        self.limits.value_bytes
    }

    /// Says that values were left out.
    pub(crate) fn note_values(&mut self) {
        self.cut = self.cut.or(Some("extract_values"));
    }

    /// Says that a value was too long.
    pub(crate) fn note_length(&mut self) {
        self.cut = self.cut.or(Some("extract_value_bytes"));
    }

    /// A value, no longer than it may be.
    pub(crate) fn cut_value(&mut self, value: &str) -> String {
        if value.len() <= self.limits.value_bytes {
            return value.to_owned();
        }
        self.cut = self.cut.or(Some("extract_value_bytes"));
        let mut end = self.limits.value_bytes;
        while !value.is_char_boundary(end) {
            end -= 1;
        }
        value[..end].to_owned()
    }

    /// The limit that has left something out, if one has.
    pub(crate) fn cut(&self) -> Option<&'static str> {
        self.cut
    }
}
