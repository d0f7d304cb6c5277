//! Duplicates: which pages have the same text, or nearly the same, at different URLs?
//!
//! Looked at are indexed pages of the survey with enough words: [`ENOUGH_WORDS`] for the same text, [`ENOUGH_TO_COMPARE`] for nearly
//! the same (the similarity hash of shorter texts means little); of languages written without spaces a fraction of that. Left out
//! are pages that are aliases (they are no pages of their own), that ask not to be listed, that name another indexed page as their
//! canonical form (that one is looked at instead), and soft 404s.
//! - **Same**: equal `text_fp`.
//! - **Near**: `near_fp` differs in few bits (see [`near`]), among pages of different texts.
//!
//! A group has a first page: the nearest to the start page, then the shortest URL, then the smaller one, so that it stays the
//! same from one survey to the next. Every other page of the group is a finding that names the first one. Of pages with nearly the
//! same text the first may be too far away, since groups are joined through others: then a finding names a page of the group that
//! is within the distance, the nearest one in groups of up to [`COMPARED`] pages.
//! Cost: sorting, and at most [`COMPARED`] comparisons a page. Not seen: pages that are the same but for what changes at every visit, beyond the distance.

use std::io;

use groma_model::PageId;

use super::near;
use crate::draft::Draft;
use crate::evidence::Evidence;
use crate::facts::{Facts, Mark, Page};
use crate::finding::{Kind, Kinds};

/// Same text: so many words make a page that says something.
const ENOUGH_WORDS: u32 = 20;
/// Nearly the same text: so many words make a hash that means something.
const ENOUGH_TO_COMPARE: u32 = 50;
/// Words, as white space divides them, are this much longer where there is no white space between words.
const UNSPACED: u32 = 10;
/// In groups of so many pages the nearest one is looked for; in larger ones any that is near enough will do.
const COMPARED: usize = 300;

/// Finds both, and marks the doubles.
pub(crate) fn find(
    evidence: &mut dyn Evidence,
    facts: &mut Facts,
    wanted: Kinds,
    distance: u32,
    drafts: &mut Vec<Draft>,
) -> io::Result<()> {
    let mut pages: Vec<Page> =
        facts.pages.iter().filter(|page| is_looked_at(facts, page, ENOUGH_WORDS)).copied().collect();
    pages.sort_unstable_by_key(|page| (page.text, page.id));
    // One page for each text.
    let mut texts = Vec::new();
    for group in pages.chunk_by(|a, b| a.text == b.text) {
        texts.push(tell(evidence, facts, group, Kind::Duplicate, drafts)?);
    }
    if !wanted.has(Kind::NearDuplicate) || distance == 0 {
        return Ok(());
    }
    texts.retain(|page| page.words >= least(page, ENOUGH_TO_COMPARE));
    texts.sort_unstable_by_key(|page| (page.near, page.id));
    let mut hashes: Vec<u64> = texts.iter().map(|page| page.near).collect();
    hashes.dedup();
    let groups = near::groups(&hashes, distance);
    // Bring the pages of a group together: by the place of the first hash of their group.
    let mut at = 0;
    let mut placed: Vec<(u32, Page)> = Vec::with_capacity(texts.len());
    for page in texts {
        while hashes[at] != page.near {
            at += 1;
        }
        placed.push((groups.first[at], page));
    }
    placed.sort_unstable_by_key(|(group, page)| (*group, page.id));
    for group in placed.chunk_by(|(a, _), (b, _)| a == b) {
        let group: Vec<Page> = group.iter().map(|(_, page)| *page).collect();
        let first = first_of(evidence, &group)?;
        let beside = |page: &Page| hashes.binary_search(&page.near).map(|at| hashes[groups.neighbour[at] as usize]);
        let names = Names { first, distance, by_hash: by_hash(&group), group: &group };
        for page in group.iter().filter(|page| page.id != first.id) {
            facts.mark(page.id(), Mark::Double);
            let other = names.similar_page(page, beside(page).unwrap_or(page.near));
            drafts.push(Draft::of_double(Kind::NearDuplicate, page.id(), other));
        }
    }
    Ok(())
}

/// Which page of a group of nearly the same text a finding names.
struct Names<'a> {
    first: Page,
    distance: u32,
    group: &'a [Page],
    /// Hashes and pages in order of both, if the group is too large to compare all with all.
    by_hash: Vec<(u64, u32)>,
}

impl Names<'_> {
    /// The first page if it is near enough, or else one that is. `beside` is a hash of the group that is.
    fn similar_page(&self, page: &Page, beside: u64) -> PageId {
        let apart = |other: &Page| (page.near ^ other.near).count_ones();
        if apart(&self.first) <= self.distance {
            return self.first.id();
        }
        if self.by_hash.is_empty() {
            let others = self.group.iter().filter(|other| other.id != page.id);
            return others.min_by_key(|other| apart(other)).unwrap_or(&self.first).id();
        }
        let at = self.by_hash.partition_point(|(hash, _)| *hash < beside);
        self.by_hash.get(at).map_or(self.first.id(), |(_, id)| PageId(*id))
    }
}

/// The pages of a large group by their hashes.
fn by_hash(group: &[Page]) -> Vec<(u64, u32)> {
    if group.len() <= COMPARED {
        return Vec::new();
    }
    let mut pages: Vec<(u64, u32)> = group.iter().map(|page| (page.near, page.id)).collect();
    pages.sort_unstable();
    pages
}

fn is_looked_at(facts: &Facts, page: &Page, words: u32) -> bool {
    page.text != 0
        && page.words >= least(page, words)
        && facts.has(page.id(), Mark::InScope)
        && !facts.has(page.id(), Mark::NoIndex)
        && !facts.has(page.id(), Mark::Soft)
        && !names_another(facts, page)
}

fn least(page: &Page, words: u32) -> u32 {
    if page.unspaced { words / UNSPACED } else { words }
}

/// It says that another page, which exists, is the one to look at.
pub(crate) fn names_another(facts: &Facts, page: &Page) -> bool {
    let end = facts.end(PageId(page.canonical));
    end.is_some_and(|end| end != page.id() && facts.page(end).is_some())
}

/// Drafts the findings of a group and gives its first page.
fn tell(
    evidence: &mut dyn Evidence,
    facts: &mut Facts,
    group: &[Page],
    kind: Kind,
    drafts: &mut Vec<Draft>,
) -> io::Result<Page> {
    let first = first_of(evidence, group)?;
    for page in group.iter().filter(|page| page.id != first.id) {
        facts.mark(page.id(), Mark::Double);
        drafts.push(Draft::of_double(kind, page.id(), first.id()));
    }
    Ok(first)
}

/// The page of a group that the others are doubles of. The group is not empty.
pub(crate) fn first_of(evidence: &mut dyn Evidence, group: &[Page]) -> io::Result<Page> {
    let mut first = group[0];
    let nearest = group.iter().map(|page| page.depth).min().unwrap_or_default();
    let mut best: Option<String> = None;
    if group.len() > 1 {
        for page in group.iter().filter(|page| page.depth == nearest) {
            let url = evidence.url(page.id())?;
            if best.as_ref().is_none_or(|best| (url.len(), &url) < (best.len(), best)) {
                (first, best) = (*page, Some(url));
            }
        }
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use groma_model::{Depth, Fp};

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    /// Pages with the same text at these URLs.
    fn same(urls: &[&str]) -> Survey {
        let mut survey = Survey::default();
        for url in urls {
            let id = survey.indexed(url);
            survey.page(id).text_fp = Some(Fp(7));
            survey.page(id).near_fp = 7;
        }
        survey
    }

    fn pairs(survey: &mut Survey, kind: Kind) -> Vec<(String, String)> {
        found(survey, kind).into_iter().map(|finding| (finding.from, finding.to.unwrap())).collect()
    }

    fn pair(from: &str, to: &str) -> (String, String) {
        (from.to_owned(), to.to_owned())
    }

    #[test]
    fn every_page_of_a_group_but_the_first_is_told() {
        let mut survey = same(&["https://a.org/longer", "https://a.org/b", "https://a.org/a"]);
        let expected = [pair("https://a.org/longer", "https://a.org/a"), pair("https://a.org/b", "https://a.org/a")];
        assert_eq!(pairs(&mut survey, Kind::Duplicate), expected);
        survey.pages[0].depth = Depth(0);
        let expected =
            [pair("https://a.org/b", "https://a.org/longer"), pair("https://a.org/a", "https://a.org/longer")];
        assert_eq!(pairs(&mut survey, Kind::Duplicate), expected);
        assert_eq!(pairs(&mut survey, Kind::NearDuplicate), [], "the same is not also nearly the same");
    }

    #[test]
    fn what_the_author_has_settled_is_no_finding() {
        let settled: [fn(&mut Survey); 6] = [
            |survey| survey.pages[1].canonical = Some(PageId(0)),
            |survey| survey.pages[1].noindex = true,
            |survey| survey.pages[1].in_scope = false,
            |survey| survey.pages[1].words = 5,
            |survey| {
                (survey.pages[1].reason, survey.pages[1].alias_of) = (groma_model::Reason::Redirected, Some(PageId(0)))
            },
            |survey| {
                // Both name a third.
                let third = survey.indexed("https://a.org/third");
                survey.pages[0].canonical = Some(third);
                survey.pages[1].canonical = Some(third);
            },
        ];
        for (n, settle) in settled.iter().enumerate() {
            let mut survey = same(&["https://a.org/a", "https://a.org/b"]);
            assert_eq!(pairs(&mut survey, Kind::Duplicate).len(), 1);
            settle(&mut survey);
            assert_eq!(pairs(&mut survey, Kind::Duplicate), [], "case {n}");
        }
    }

    #[test]
    fn a_canonical_that_is_the_page_itself_or_missing_settles_nothing() {
        let mut survey = same(&["https://a.org/a", "https://a.org/b"]);
        survey.pages[1].canonical = Some(PageId(1));
        assert_eq!(pairs(&mut survey, Kind::Duplicate).len(), 1);
        let gone = survey.add("https://a.org/gone", groma_model::Reason::NotFound);
        survey.pages[1].canonical = Some(gone);
        assert_eq!(pairs(&mut survey, Kind::Duplicate).len(), 1);
    }

    #[test]
    fn near_pages_are_told_once_and_not_if_they_are_the_same() {
        let mut survey = same(&["https://a.org/a", "https://a.org/b", "https://a.org/c", "https://a.org/d"]);
        (survey.pages[2].text_fp, survey.pages[2].near_fp) = (Some(Fp(8)), 7 ^ 0b111_000);
        (survey.pages[3].text_fp, survey.pages[3].near_fp) = (Some(Fp(9)), 7 ^ 0xff00);
        assert_eq!(pairs(&mut survey, Kind::Duplicate), [pair("https://a.org/b", "https://a.org/a")]);
        assert_eq!(pairs(&mut survey, Kind::NearDuplicate), [pair("https://a.org/c", "https://a.org/a")]);
        survey.pages[2].words = 30;
        assert_eq!(pairs(&mut survey, Kind::NearDuplicate), []);
        (survey.pages[2].language, survey.pages[2].words) = ("zh".into(), 5);
        assert_eq!(pairs(&mut survey, Kind::NearDuplicate).len(), 1, "few words of Chinese are much text");
    }

    /// Pages of different texts with these similarity hashes, at URLs `https://a.org/0000`, `0001` and so on.
    fn near(hashes: impl IntoIterator<Item = u64>) -> Survey {
        let mut survey = Survey::default();
        for (n, hash) in hashes.into_iter().enumerate() {
            let id = survey.indexed(&format!("https://a.org/{n:04}"));
            survey.page(id).near_fp = hash;
        }
        survey
    }

    #[test]
    fn the_end_of_a_chain_names_a_page_that_is_near_it() {
        let mut survey = near([0b0, 0b111, 0b111_111]);
        let expected =
            [pair("https://a.org/0001", "https://a.org/0000"), pair("https://a.org/0002", "https://a.org/0001")];
        assert_eq!(pairs(&mut survey, Kind::NearDuplicate), expected);
        // Two are near enough: the nearer one. Two as near: the one that comes first.
        let mut survey = near([0b0, 0b111, 0b1_111_111, 0b1_111, 0b11_111]);
        let named = |survey: &mut Survey, from: &str| {
            pairs(survey, Kind::NearDuplicate).into_iter().find(|pair| pair.0.ends_with(from)).unwrap().1
        };
        assert_eq!(named(&mut survey, "0002"), "https://a.org/0004");
        survey.pages[3].near_fp = 0b101_111;
        survey.pages[4].near_fp = 0b110_111;
        assert_eq!(named(&mut survey, "0002"), "https://a.org/0003");
    }

    #[test]
    fn in_groups_small_and_large_every_finding_names_a_page_within_the_distance() {
        for count in [60, COMPARED, COMPARED + 1, 1_500] {
            // Neighbors differ in one bit, and now and then two pages have the same hash.
            let hashes: Vec<u64> = (0..count as u64).map(|n| n - u64::from(n % 50 == 7)).map(|n| n ^ n >> 1).collect();
            let mut survey = near(hashes.iter().copied());
            let findings = pairs(&mut survey, Kind::NearDuplicate);
            assert_eq!(findings.len(), count - 1, "one group");
            let number = |url: &str| url.rsplit('/').next().unwrap().parse::<usize>().unwrap();
            let mut others = 0;
            for (from, to) in findings.iter().map(|(from, to)| (number(from), number(to))) {
                assert!(from != to && (hashes[from] ^ hashes[to]).count_ones() <= 3, "{from} names {to}");
                others += usize::from(to != 0);
            }
            assert!(others > 0, "some are too far from the first");
        }
    }
}
