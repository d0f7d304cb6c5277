//! Sets of checks with a name, for `--only` and `--skip`.

use std::sync::OnceLock;

use crate::catalogue::{Family, Kind};
use crate::finding::Kinds;

/// A set of checks for one purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// All checks.
    All,
    /// Where links lead.
    Links,
    /// What search engines look at.
    Seo,
    /// What people with a disability run into.
    Accessibility,
    /// What attackers look for.
    Security,
    /// How fast pages come.
    Speed,
    /// What an archive of the site would lack.
    Archive,
}

impl Profile {
    /// All of them.
    pub const ALL: &'static [Profile] = &[
        Profile::All,
        Profile::Links,
        Profile::Seo,
        Profile::Accessibility,
        Profile::Security,
        Profile::Speed,
        Profile::Archive,
    ];

    /// The word people write.
    pub fn name(self) -> &'static str {
        match self {
            Profile::All => "all",
            Profile::Links => "links",
            Profile::Seo => "seo",
            Profile::Accessibility => "accessibility",
            Profile::Security => "security",
            Profile::Speed => "speed",
            Profile::Archive => "archive",
        }
    }

    /// What it is for, in a phrase.
    pub fn says(self) -> &'static str {
        match self {
            Profile::All => "all checks",
            Profile::Links => "where links lead",
            Profile::Seo => "what search engines look at",
            Profile::Accessibility => "what people with a disability run into, as far as it shows without a browser",
            Profile::Security => "what attackers look for",
            Profile::Speed => "how fast pages come",
            Profile::Archive => "what an archive of the site would lack",
        }
    }

    /// Is a check in the set?
    pub fn has(self, kind: Kind) -> bool {
        let family = kind.definition().family;
        match self {
            Profile::All => true,
            Profile::Links => family == Family::Links,
            Profile::Seo => {
                matches!(
                    family,
                    Family::Titles | Family::Indexing | Family::Language | Family::Structured | Family::Structure
                ) || matches!(
                    kind,
                    Kind::SoftNotFound | Kind::Duplicate | Kind::NearDuplicate | Kind::Thin | Kind::PlaceholderText
                ) || matches!(kind, Kind::InvalidLink | Kind::RedirectChain | Kind::Redirect | Kind::LinkTextGeneric)
                    || matches!(
                        kind,
                        Kind::NofollowInside | Kind::LinkToNoindex | Kind::LinkToCanonicalized | Kind::ImageWithoutAlt
                    )
            }
            Profile::Accessibility => {
                family == Family::Accessibility
                    || matches!(
                        kind,
                        Kind::ImageWithoutAlt | Kind::ImageAltLong | Kind::LinkWithoutName | Kind::LinkTextGeneric
                    )
                    || matches!(
                        kind,
                        Kind::LangMissing | Kind::LangInvalid | Kind::LangMismatch | Kind::LangPartInvalid
                    )
                    || matches!(kind, Kind::HeadingEmpty | Kind::HeadingSkipped | Kind::H1Missing | Kind::MissingTitle)
            }
            Profile::Security => family == Family::Security,
            Profile::Speed => {
                family == Family::Speed
                    || matches!(kind, Kind::ImageLarge | Kind::ImageWithoutSize | Kind::RedirectChain)
            }
            Profile::Archive => {
                matches!(
                    kind,
                    Kind::InvalidLink
                        | Kind::StartBroken
                        | Kind::SoftNotFound
                        | Kind::SitemapInvalid
                        | Kind::BrokenOff
                        | Kind::Cut
                ) || matches!(
                    kind,
                    Kind::Orphan | Kind::ScriptLink | Kind::FileLink | Kind::LocalLink | Kind::UrlSession
                ) || matches!(
                    kind,
                    Kind::CharsetMissing | Kind::CharsetConflict | Kind::ReplacementCharacters | Kind::MixedContent
                )
            }
        }
    }

    /// The kinds of the set.
    pub fn kinds(self) -> Kinds {
        Kind::ALL.iter().copied().filter(|kind| self.has(*kind)).collect()
    }
}

/// What people write after `--only` and `--skip`: a check, or a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckName {
    Check(Kind),
    Profile(Profile),
}

impl CheckName {
    /// All names, profiles first. (`all` is the word for all of anything, and not among them.)
    pub fn all() -> &'static [CheckName] {
        static ALL: OnceLock<Vec<CheckName>> = OnceLock::new();
        ALL.get_or_init(|| {
            let profiles = Profile::ALL.iter().filter(|profile| **profile != Profile::All);
            let profiles = profiles.map(|profile| CheckName::Profile(*profile));
            profiles.chain(Kind::ALL.iter().map(|kind| CheckName::Check(*kind))).collect()
        })
    }

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            CheckName::Check(kind) => kind.name(),
            CheckName::Profile(profile) => profile.name(),
        }
    }

    /// The name that this word is.
    pub fn named(word: &str) -> Option<CheckName> {
        CheckName::all().iter().copied().find(|name| name.name() == word)
    }

    /// The kinds it stands for.
    pub fn kinds(self) -> Kinds {
        match self {
            CheckName::Check(kind) => Kinds::NONE.with(kind),
            CheckName::Profile(profile) => profile.kinds(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_profiles_are_no_names_of_checks_and_none_is_empty() {
        for profile in Profile::ALL {
            assert_eq!(Kind::named(profile.name()), None);
            assert!(profile.kinds().iter().count() >= 5, "{}", profile.name());
        }
        assert_eq!(Profile::All.kinds().iter().count(), Kind::ALL.len());
    }
}
