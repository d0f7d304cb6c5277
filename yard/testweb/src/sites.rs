//! Sites as functions. Each file holds one site and says its truth: how many pages it has, which links are broken, what
//! a crawler without sense would do in it.
//!
//! | site | question |
//! |---|---|
//! | [`Lattice`] | is every page found once, and every dead link? |
//! | [`Wide`] | how much does a known address cost? |
//! | [`Library`] | does a search find the right page, and what does it cost? |
//! | [`Variants`] | is a meaningless parameter found out, and a meaningful one kept? |
//! | [`Calendar`], [`Facets`], [`EndlessPath`], [`Sessions`], [`Babble`] | is a trap left, and the real site still found? |
//! | [`Redirects`], [`Statuses`] | is every kind of answer understood? |
//! | [`Sitemaps`] | are loose pages found, and disallowed ones left alone? |
//! | [`Forbidden`] | is robots.txt obeyed, whatever the spelling of a link? |
//! | [`Scripted`] | are pages found that scripts build, and no others built? |
//! | [`Members`] | is a login kept, renewed, and never ended by ourselves? |
//! | [`Changing`] | is a change seen, and only a change downloaded? |

mod babble;
mod calendar;
mod changing;
mod endless_path;
mod facets;
mod forbidden;
mod lattice;
mod library;
mod members;
mod redirects;
mod scripted;
mod sessions;
mod sitemaps;
mod slowed;
mod statuses;
mod variants;
mod wide;

pub use babble::Babble;
pub use calendar::Calendar;
pub use changing::{Changing, Keeps};
pub use endless_path::EndlessPath;
pub use facets::Facets;
pub use forbidden::{FORBIDDEN_TO, Forbidden, Judgement};
pub use lattice::Lattice;
pub use library::Library;
pub use members::{Done, Members, Memory, Refuses};
pub use redirects::Redirects;
pub use scripted::Scripted;
pub use sessions::Sessions;
pub use sitemaps::Sitemaps;
pub use slowed::Slowed;
pub use statuses::Statuses;
pub use variants::{IdIn, Meaning, Variants};
pub use wide::Wide;

/// The number in a path between a prefix and a suffix, written as people write numbers; `None` if it is none.
fn number_in(path: &str, prefix: &str, suffix: &str) -> Option<usize> {
    number(path.strip_prefix(prefix)?.strip_suffix(suffix)?)
}

/// A number without sign and leading zeros: one number has one URL.
fn number(digits: &str) -> Option<usize> {
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if plain { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_spelling() {
        assert_eq!(number_in("/p/17.html", "/p/", ".html"), Some(17));
        for bad in ["/p/.html", "/p/017.html", "/p/+7.html", "/p/7", "/q/7.html", "/p/99999999999999999999999.html"] {
            assert_eq!(number_in(bad, "/p/", ".html"), None, "{bad}");
        }
    }
}
