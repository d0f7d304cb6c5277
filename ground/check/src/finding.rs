//! What was found: where, how bad, since when, and what to do about it.

use std::fmt;

use groma_model::{BlockKind, Fp, LinkKind, Reason};

pub use crate::catalogue::Kind;

/// How bad a finding is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Visitors run into it.
    Error,
    /// Somebody should look at it.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

    /// The word people and scripts see.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Kind {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// It is about a link: where it stands and where it leads together say which finding it is. Otherwise the page alone does.
    pub fn is_of_link(self) -> bool {
        use Kind::*;
        matches!(self, InvalidLink | MixedContent | MixedImage | RedirectChain | Redirect | MissingAnchor)
            || self.is_of_outside()
            || self.is_of_link_alone()
    }

    /// It is about a link, whatever its target's state.
    pub(crate) fn is_of_link_alone(self) -> bool {
        use Kind::*;
        matches!(
            self,
            LocalLink
                | LinkTextGeneric
                | HttpLink
                | LinkToNoindex
                | LinkToCanonicalized
                | NofollowInside
                | PaginationUnlisted
        )
    }

    /// It is about a URL outside the survey that was asked whether it is there.
    pub fn is_of_outside(self) -> bool {
        matches!(self, Kind::OutsideBroken | Kind::OutsideUnreachable | Kind::OutsideMoved | Kind::OutsideBlocked)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Words of 64 kinds each.
const WORDS: usize = 3;

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds([u64; WORDS]);

impl Kinds {
    /// The empty set.
    pub const NONE: Kinds = Kinds([0; WORDS]);
    /// The set of all kinds.
    pub const ALL: Kinds = Kinds([u64::MAX; WORDS]);

    /// This set and one kind more.
    #[must_use]
    pub fn with(mut self, kind: Kind) -> Kinds {
        self.0[kind as usize / 64] |= 1 << (kind as usize % 64);
        self
    }

    /// What is in this set or in another.
    #[must_use]
    pub fn and(mut self, others: Kinds) -> Kinds {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word |= other);
        self
    }

    /// What is in this set and not in another.
    #[must_use]
    pub fn except(mut self, others: Kinds) -> Kinds {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word &= !other);
        self
    }

    /// Is it in the set?
    pub fn has(self, kind: Kind) -> bool {
        self.0[kind as usize / 64] >> (kind as usize % 64) & 1 == 1
    }

    /// Is any of them in the set?
    pub fn has_any(self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.has(*kind))
    }

    /// The kinds of the set, in the order in which they are told.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.iter().copied().filter(move |kind| self.has(*kind))
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<T: IntoIterator<Item = Kind>>(kinds: T) -> Kinds {
        kinds.into_iter().fold(Kinds::NONE, Kinds::with)
    }
}

/// One finding. Its texts come from strangers and are safe for no output yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: Kind,
    /// The URL of the page to act on.
    pub from: String,
    /// Where the link leads (with its fragment, where that is what is missing), or the page it is a double of.
    pub to: Option<String>,
    /// The text of the link.
    pub anchor: String,
    /// The block the link stands in.
    pub block: Option<BlockKind>,
    /// The kind of link.
    pub link: Option<LinkKind>,
    /// How many links of the page say the same.
    pub links: u64,
    /// Why the target is in its state.
    pub reason: Option<Reason>,
    /// Since when, in seconds since 1970: when the URL the finding is about came into its state.
    pub since: i64,
    /// What else there is to know.
    pub detail: String,
    /// What to do about it.
    pub next: &'static str,
    /// Not in the baseline; true without one.
    pub new: bool,
}

impl Finding {
    /// A finding about a page, so far without words.
    pub fn of_page(kind: Kind, from: String) -> Finding {
        Finding {
            kind,
            from,
            to: None,
            anchor: String::new(),
            block: None,
            link: None,
            links: 1,
            reason: None,
            since: 0,
            detail: String::new(),
            next: kind.next_step(),
            new: true,
        }
    }

    /// What makes it the same finding next time: kind and page, and for links where they lead. Not since when, which words the
    /// link has, which page of a group counts as its first, or the order of anything.
    pub fn key(&self) -> Fp {
        key(self.kind, &self.from, self.to.as_deref())
    }
}

/// The key of a finding, by what makes it up.
pub(crate) fn key(kind: Kind, from: &str, to: Option<&str>) -> Fp {
    let to = to.filter(|_| kind.is_of_link()).unwrap_or_default();
    // Lengths first: no two different triples give the same bytes.
    let mut bytes = format!("{kind} {} {} ", from.len(), to.len()).into_bytes();
    bytes.extend_from_slice(from.as_bytes());
    bytes.extend_from_slice(to.as_bytes());
    Fp::hash_bytes(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_different_and_found_again() {
        for &kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            assert!(kind.name().chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{kind}");
            assert!(Severity::ALL.iter().all(|severity| severity.name() != kind.name()));
            assert!(!kind.says().is_empty() && !kind.next_step().is_empty());
        }
        assert_eq!(Kind::named("no-such-kind"), None);
        assert!(Kind::ALL.len() <= 64 * WORDS, "a set of kinds has room for all");
        assert!(Kind::ALL.is_sorted_by_key(|kind| kind.severity()), "errors are told first");
    }

    #[test]
    fn a_set_has_what_was_put_in() {
        let set: Kinds = [Kind::Orphan, Kind::Redirect].into_iter().collect();
        assert!(set.has(Kind::Orphan) && !set.has(Kind::Duplicate));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Kind::Orphan, Kind::Redirect]);
        assert!(Kind::ALL.iter().all(|kind| Kinds::ALL.has(*kind) && !Kinds::NONE.has(*kind)));
    }

    #[test]
    fn keys_depend_on_what_is_wrong_and_on_nothing_else() {
        let one = Finding { to: Some("http://b/".into()), ..Finding::of_page(Kind::InvalidLink, "http://a/".into()) };
        let later = Finding { since: 9, anchor: "other words".into(), detail: "x".into(), new: false, ..one.clone() };
        assert_eq!(one.key(), later.key());
        assert_ne!(one.key(), Finding { to: Some("http://c/".into()), ..one.clone() }.key());
        assert_ne!(one.key(), Finding { kind: Kind::Redirect, ..one.clone() }.key());
        assert_ne!(key(Kind::Redirect, "ab", Some("c")), key(Kind::Redirect, "a", Some("bc")));
        let double = Finding { to: Some("http://b/".into()), ..Finding::of_page(Kind::Duplicate, "http://a/".into()) };
        assert_eq!(double.key(), Finding { to: Some("http://c/".into()), ..double.clone() }.key());
    }

    #[test]
    fn keys_stay_the_same_from_release_to_release() {
        let finding =
            Finding { to: Some("http://b/".into()), ..Finding::of_page(Kind::InvalidLink, "http://a/".into()) };
        assert_eq!(finding.key().hex(), Fp::hash_bytes(b"invalid-link 9 9 http://a/http://b/").hex());
    }
}
