//! What holds of all that was decided: the fold of the log.
//!
//! A row that is taken back counts as if it had never been, and so does a row that takes back another if it is itself taken back.
//! Of decisions about the same subject the last holds. Of decisions about subjects that lie within one another (`http://a/*` and
//! `http://a/b/*`) the longer subject holds for what lies below it, whichever was decided later.
//! Cost: linear in the log; a question to [`Decided::about`] is a look-up for each length that prefixes have.

use std::collections::{HashMap, HashSet};

use super::{DecisionId, DecisionKind, DecisionRow};

/// What was said about a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// It belongs to the site.
    pub accepted: bool,
    /// The row that says so.
    pub by: DecisionId,
}

/// The decisions that hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// By subject: a URL, or a prefix that ends in `*`.
    subjects: HashMap<String, Said>,
    /// How long the prefixes among them are, the longest first: prefixes end wherever people end them.
    lengths: Vec<usize>,
    /// Starts of sites that are the same as this one, in the order in which that was decided.
    pub merged: Vec<String>,
    /// The rows that hold, the oldest first.
    pub rows: Vec<DecisionId>,
    /// The rows that take back others, and are not taken back themselves.
    pub undoing: Vec<DecisionId>,
}

impl Decided {
    /// Of a log, or of the part of one that is about one site.
    pub fn from_log(log: &[DecisionRow]) -> Decided {
        let undone = undone(log);
        let mut decided = Decided::default();
        let undoes = log.iter().filter(|row| row.kind == DecisionKind::Undo && !undone.contains(&row.id));
        decided.undoing = undoes.map(|row| row.id).collect();
        for row in log.iter().filter(|row| row.kind != DecisionKind::Undo && !undone.contains(&row.id)) {
            decided.rows.push(row.id);
            match row.kind {
                DecisionKind::Accept | DecisionKind::Reject => {
                    let said = Said { accepted: row.kind == DecisionKind::Accept, by: row.id };
                    decided.subjects.insert(row.subject.clone(), said);
                }
                DecisionKind::Merge if !decided.merged.contains(&row.subject) => {
                    decided.merged.push(row.subject.clone());
                }
                DecisionKind::Merge | DecisionKind::Undo => {}
            }
        }
        let prefixes = decided.subjects.keys().filter_map(|subject| subject.strip_suffix('*'));
        decided.lengths = prefixes.map(str::len).collect::<HashSet<_>>().into_iter().collect();
        decided.lengths.sort_unstable_by(|a, b| b.cmp(a));
        decided
    }

    /// True if no decision holds.
    pub fn is_empty(&self) -> bool {
        self.subjects.is_empty() && self.merged.is_empty()
    }

    /// Was anything accepted or rejected?
    pub fn has_subjects(&self) -> bool {
        !self.subjects.is_empty()
    }

    /// What was decided about a URL: by its own name, else by the longest prefix.
    pub fn about(&self, address: &str) -> Option<Said> {
        if self.subjects.is_empty() {
            return None;
        }
        if let Some(said) = self.subjects.get(address) {
            return Some(*said);
        }
        let mut prefix = String::with_capacity(address.len() + 1);
        for &length in self.lengths.iter().filter(|&&length| address.is_char_boundary(length)) {
            prefix.clear();
            prefix.push_str(&address[..length]);
            prefix.push('*');
            if let Some(said) = self.subjects.get(&prefix) {
                return Some(*said);
            }
        }
        None
    }

    /// The subjects and what was said about them, in order of the decisions.
    pub fn subjects(&self) -> Vec<(&str, Said)> {
        let mut all: Vec<(&str, Said)> =
            self.subjects.iter().map(|(subject, said)| (subject.as_str(), *said)).collect();
        all.sort_by_key(|(_, said)| said.by);
        all
    }
}

/// The rows of a log that are taken back.
pub(crate) fn undone(log: &[DecisionRow]) -> HashSet<DecisionId> {
    let mut undone = HashSet::new();
    // From the end: whoever takes back comes later than what is taken back.
    for row in log.iter().rev().filter(|row| row.kind == DecisionKind::Undo) {
        if !undone.contains(&row.id) {
            undone.extend(row.undoes);
        }
    }
    undone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: u64, kind: DecisionKind, subject: &str, undoes: u64) -> DecisionRow {
        DecisionRow {
            id: DecisionId(id),
            site: "s".into(),
            kind,
            subject: subject.into(),
            undoes: (undoes > 0).then_some(DecisionId(undoes)),
            at: 0,
            who: String::new(),
        }
    }

    fn accepts(decided: &Decided, address: &str) -> Option<bool> {
        decided.about(address).map(|said| said.accepted)
    }

    #[test]
    fn the_last_word_on_a_subject_holds_and_the_longer_subject_within_it() {
        use DecisionKind::{Accept, Merge, Reject};
        let log = [
            row(1, Reject, "http://a/b/*", 0),
            row(2, Accept, "http://a/*", 0),
            row(3, Accept, "http://c/1", 0),
            row(4, Reject, "http://c/1", 0),
            row(5, Merge, "http://d/", 0),
            row(6, Merge, "http://d/", 0),
        ];
        let decided = Decided::from_log(&log);
        assert_eq!(accepts(&decided, "http://a/x"), Some(true));
        assert_eq!(
            accepts(&decided, "http://a/b/x"),
            Some(false),
            "the longer subject holds, though it was decided before"
        );
        assert_eq!(accepts(&decided, "http://c/1"), Some(false));
        assert_eq!(accepts(&decided, "http://c/12"), None, "a URL is no prefix");
        assert_eq!(decided.merged, ["http://d/"]);
        assert_eq!(decided.subjects().len(), 3);
        assert!(Decided::from_log(&[]).is_empty());
    }

    #[test]
    fn what_is_taken_back_never_was_and_taking_back_can_be_taken_back() {
        use DecisionKind::{Accept, Reject, Undo};
        let mut log = vec![row(1, Accept, "x", 0), row(2, Reject, "x", 0), row(3, Undo, "", 2)];
        assert_eq!(accepts(&Decided::from_log(&log), "x"), Some(true));
        log.push(row(4, Undo, "", 3));
        assert_eq!(accepts(&Decided::from_log(&log), "x"), Some(false));
        log.push(row(5, Undo, "", 4));
        assert_eq!(accepts(&Decided::from_log(&log), "x"), Some(true));
        assert_eq!(Decided::from_log(&log).rows, [DecisionId(1)]);
        assert_eq!(Decided::from_log(&log).undoing, [DecisionId(3), DecisionId(5)]);
    }

    #[test]
    fn a_prefix_may_end_anywhere_and_an_address_in_any_letters() {
        let log = [row(1, DecisionKind::Accept, "http://a/\u{e9}*", 0), row(2, DecisionKind::Reject, "*", 0)];
        let decided = Decided::from_log(&log);
        assert_eq!(accepts(&decided, "http://a/\u{e9}\u{e8}"), Some(true));
        assert_eq!(accepts(&decided, "http://a/"), Some(false));
    }
}
