//! Missing anchors: which links lead to a place on a page that is not there?
//!
//! Rule (HTML standard, "find a potential indicated element"): a link of kind anchor with a fragment, whose target is in the end an
//! indexed HTML page, and no id or anchor name of that page equals the fragment as written or percent-decoded. The empty fragment
//! and `top` are always there. What follows `:~:` (text fragments) is for the browser alone. Fragments that begin with `/` or `!`
//! belong to scripts, and are passed by. So are pages that were cut or broken off: the place may be in what we have not seen.
//! Not seen: places that scripts make, which gives false alarms on pages made of scripts.
//!
//! Cost: places of the linking page itself are looked up while it is read; others are kept as 32 bytes each, sorted by target, and
//! every target is read once.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;

use groma_model::{Fp, LinkKind, PageId};

use crate::draft::Draft;
use crate::evidence::{Evidence, LinkFacts, PageLinks};
use crate::facts::{Facts, Mark};
use crate::finding::Kind;

/// A place on another page that has to be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct AnchorLookup {
    /// The page the link leads to in the end.
    on: u32,
    from: u32,
    /// The URL as it is linked.
    to: u32,
    link: u32,
    /// Of the fragment as written, and decoded.
    names: [u64; 2],
}

/// The places that links lead to.
#[derive(Debug, Default)]
pub(crate) struct Places {
    wanted: Vec<AnchorLookup>,
}

impl Places {
    /// Takes the links of a page; what can be said at once goes to the drafts.
    pub(crate) fn take(&mut self, facts: &Facts, page: &PageLinks<'_>, drafts: &mut Vec<Draft>) {
        let mut own: Option<HashSet<&str>> = None;
        for (at, link) in page.links.iter().enumerate() {
            let Some(name) = place(link) else { continue };
            let Some(end) = facts.end(link.target).filter(|end| is_known(facts, *end)) else { continue };
            if end == page.id {
                let own = own.get_or_insert_with(|| page.anchors.iter().map(String::as_str).collect());
                if !own.contains(name) && !own.contains(&*decoded(name)) {
                    drafts.push(Draft::of_link(Kind::MissingAnchor, page.id, link.target, at));
                }
            } else if let Ok(at) = u32::try_from(at) {
                let names = [short(name), short(&decoded(name))];
                self.wanted.push(AnchorLookup { on: end.0, from: page.id.0, to: link.target.0, link: at, names });
            }
        }
    }

    /// Looks up what was left.
    pub(crate) fn look_up(mut self, evidence: &mut dyn Evidence, drafts: &mut Vec<Draft>) -> io::Result<()> {
        self.wanted.sort_unstable();
        for group in self.wanted.chunk_by(|a, b| a.on == b.on) {
            let mut there: Option<HashSet<u64>> = None;
            evidence.links_of(PageId(group[0].on), &mut |page| {
                there = Some(page.anchors.iter().map(|anchor| short(anchor)).collect());
            })?;
            // Nothing is kept of the page: nothing can be said.
            let Some(there) = there else { continue };
            for place in group.iter().filter(|place| !place.names.iter().any(|name| there.contains(name))) {
                let (from, to) = (PageId(place.from), PageId(place.to));
                drafts.push(Draft::of_link(Kind::MissingAnchor, from, to, place.link as usize));
            }
        }
        Ok(())
    }
}

/// All of the page has been read, and it is of a kind that has places.
fn is_known(facts: &Facts, page: PageId) -> bool {
    facts.has(page, Mark::Html) && !facts.has(page, Mark::Incomplete) && facts.page(page).is_some()
}

/// The name of the place a link leads to, if it has to be there.
fn place<'a>(link: &LinkFacts<'a>) -> Option<&'a str> {
    if link.fragment.is_empty() || link.kind != LinkKind::Anchor {
        return None;
    }
    let name = link.fragment.split(":~:").next().unwrap_or_default();
    let always_there = name.is_empty() || name.eq_ignore_ascii_case("top") || name.starts_with(['/', '!']);
    (!always_there).then_some(name)
}

fn short(name: &str) -> u64 {
    Fp::hash_bytes(name.as_bytes()).0 as u64
}

/// A fragment without its percent signs; as it is if that gives no UTF-8.
fn decoded(name: &str) -> Cow<'_, str> {
    if !name.contains('%') {
        return Cow::Borrowed(name);
    }
    let bytes = name.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let digit = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map_or(Cow::Borrowed(name), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    /// Whether a link with this fragment to a page with these places is a finding, on the page itself and from another.
    fn missing(anchors: &[&str], fragment: &str) -> bool {
        let mut survey = Survey::default();
        let (one, two) = (survey.indexed("https://a.org/1"), survey.indexed("https://a.org/2"));
        survey.page(one).anchors = anchors.iter().map(|anchor| (*anchor).to_owned()).collect();
        survey.link(one, one, "x").fragment = fragment.to_owned();
        survey.link(two, one, "x").fragment = fragment.to_owned();
        let findings = found(&mut survey, Kind::MissingAnchor);
        assert!(matches!(findings.len(), 0 | 2), "near and far are judged alike: {fragment}");
        for finding in &findings {
            assert_eq!(finding.to, Some(format!("https://a.org/1#{fragment}")));
        }
        !findings.is_empty()
    }

    #[test]
    fn places_are_found_as_written_and_decoded() {
        for fragment in [
            "a",
            "",
            "top",
            "TOP",
            "a:~:text=x",
            ":~:text=x",
            "/route",
            "!/route",
            "gr%C3%BC%C3%9Fe",
            "50%",
            "%41",
            "x%20y",
        ] {
            assert!(!missing(&["a", "gr\u{fc}\u{df}e", "50%", "%41", "x y"], fragment), "{fragment}");
        }
        for fragment in ["b", "A", "a%20", "gr%FC", "topic", "%4", "%"] {
            assert!(missing(&["a", "gr\u{fc}"], fragment), "{fragment}");
        }
    }

    #[test]
    fn pages_that_were_cut_are_given_the_benefit_of_the_doubt() {
        let mut survey = Survey::default();
        let (one, two) = (survey.indexed("https://a.org/1"), survey.indexed("https://a.org/2"));
        let alias = survey.add("https://a.org/3", Reason::Redirected);
        survey.page(alias).alias_of = Some(two);
        survey.link(one, alias, "x").fragment = "here".into();
        assert_eq!(found(&mut survey, Kind::MissingAnchor).len(), 1, "aliases are followed");
        survey.page(two).cuts = "page_bytes".into();
        assert_eq!(found(&mut survey, Kind::MissingAnchor), []);
        survey.page(two).cuts = String::new();
        survey.page(two).media_type = "application/pdf".into();
        assert_eq!(found(&mut survey, Kind::MissingAnchor), []);
        survey.page(two).reason = Reason::DepthLimit;
        assert_eq!(found(&mut survey, Kind::MissingAnchor), []);
    }

    #[test]
    fn long_names_of_places_are_cut_where_they_are_quoted() {
        let mut survey = Survey::default();
        let one = survey.indexed("https://a.org/1");
        survey.link(one, one, "x").fragment = "\u{e9}".repeat(50_000);
        let [finding] = found(&mut survey, Kind::MissingAnchor).try_into().unwrap();
        assert_eq!(finding.detail, format!("the page has no id or name `{}\u{2026}`", "\u{e9}".repeat(200)));
    }

    #[test]
    fn different_places_on_one_page_are_different_findings() {
        let mut survey = Survey::default();
        let (one, two) = (survey.indexed("https://a.org/1"), survey.indexed("https://a.org/2"));
        for fragment in ["x", "y", "x"] {
            survey.link(one, two, fragment).fragment = fragment.into();
        }
        let findings = found(&mut survey, Kind::MissingAnchor);
        let to: Vec<_> = findings.iter().map(|finding| finding.to.as_deref().unwrap()).collect();
        assert_eq!(to, ["https://a.org/2#x", "https://a.org/2#y"]);
        assert_eq!(findings[0].detail, "the page has no id or name `x`; 2 links");
        assert_eq!(findings[1].detail, "the page has no id or name `y`");
        assert_eq!(findings.iter().find_map(|finding| finding.reason), None, "that it was fetched is no reason");
        assert_eq!(findings[0].since, 1, "since the page is known");
        assert_ne!(findings[0].key(), findings[1].key());
    }
}
