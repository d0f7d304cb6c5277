//! The text content of elements whose properties are texts, which may stand in one another.
//!
//! Text is written once, however many of them it belongs to. Cost: linear, and a text is cut where its room ends, so what is held is
//! bounded by the room times the [texts that may be open](DEEPEST).

/// The texts that are open, the outermost first.
#[derive(Debug, Default)]
pub(crate) struct OpenTexts {
    written: String,
    starts: Vec<usize>,
}

/// Texts open at once; those further in are nothing.
const DEEPEST: usize = 32;
/// White space that is folded away later takes room meanwhile.
const SLACK: usize = 4;

impl OpenTexts {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A text begins. False if there is no room for one more inside the others.
    pub(crate) fn begin(&mut self) -> bool {
        let admitted = self.starts.len() < DEEPEST;
        if admitted {
            self.starts.push(self.written.len());
        }
        admitted
    }

    /// Adds text to all that are open, of which each may have so many bytes.
    pub(crate) fn push(&mut self, text: &str, room: usize) {
        if let Some(start) = self.starts.last()
            && self.written.len() - start < room.saturating_mul(SLACK)
        {
            self.written.push_str(text);
        }
    }

    /// The innermost ends: its text, white space folded; and whether all of it is there.
    pub(crate) fn end(&mut self, room: usize) -> (String, bool) {
        let Some(start) = self.starts.pop() else { return (String::new(), true) };
        let mut folded = crate::fold::Folded::default();
        let whole = folded.push(&self.written[start..], room);
        if self.starts.is_empty() {
            self.written.clear();
        }
        (folded.take(), whole)
    }
}
