//! Runs the checks over a survey and streams what they find.
//!
//! Two passes: URLs, links. Then pages that findings speak of are read again for their words. Findings come in order of their
//! kind, then of the numbers of page and target. Memory: the columns ([`facts`](crate::facts)), 16 bytes a finding, 32 bytes a link
//! to a place on another page.

use std::io;

use crate::catalogue::{Judging, Thresholds};
use crate::checks::{
    canonicals, duplicates, orphans, repeated_texts, sitemaps, soft_not_found, starts, titles, unasked,
};
use crate::draft::Draft;
use crate::evidence::{Evidence, PageFacts};
use crate::facts::{Facts, RowJudges};
use crate::finding::{Finding, Kind, Kinds};
use crate::gather::gather;
use crate::summary::Summary;
use crate::wording::Wording;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// These kinds of findings.
    pub kinds: Kinds,
    /// Texts whose similarity hashes differ in so many bits at most are near-duplicates: 3 (cosine above 0.98), as the room that
    /// reads pages says. 0 looks for none.
    pub near: u32,
    /// Where the checks of the catalogue draw the line.
    pub thresholds: Thresholds,
}

impl Default for Options {
    fn default() -> Options {
        Options { kinds: Kinds::ALL, near: 3, thresholds: Thresholds::default() }
    }
}

/// Checks a survey. Findings go to `sink` one by one, which may settle whether they are new before they are counted; the first
/// error, its or the survey's, ends the check.
pub fn check(
    evidence: &mut dyn Evidence,
    options: &Options,
    sink: &mut dyn FnMut(&mut Finding) -> io::Result<()>,
) -> io::Result<Summary> {
    let wanted = options.kinds;
    let mut drafts: Vec<Draft> = Vec::new();
    let mut judging = Judging::new(wanted, &options.thresholds);
    let compressible = options.thresholds.compressible_bytes;
    let mut row = |page: &PageFacts<'_>, drafts: &mut Vec<Draft>| judging.row(page, drafts);
    let mut facts = Facts::read(evidence, &mut RowJudges { compressible, row: &mut row }, &mut drafts)?;
    let gathered = gather(evidence, &mut facts, wanted, &mut judging, &mut drafts)?;
    gathered.places.look_up(evidence, &mut drafts)?;
    // In this order: a soft 404 is no duplicate, and a duplicate is no doubled title.
    if wanted.has_any(&PAGE_KINDS) {
        soft_not_found::find(evidence, &mut facts, &gathered.headings, &mut drafts)?;
    }
    if wanted.has_any(&[Kind::Duplicate, Kind::NearDuplicate]) || wanted.has_any(&REPEATED) {
        let looked = if wanted.has_any(&REPEATED) { wanted.with(Kind::NearDuplicate) } else { wanted };
        duplicates::find(evidence, &mut facts, looked, options.near, &mut drafts)?;
    }
    if wanted.has(Kind::DoubledTitle) {
        titles::find_doubled(evidence, &facts, &mut drafts)?;
    }
    if wanted.has(Kind::DescriptionDoubled) {
        repeated_texts::find(evidence, &facts, Kind::DescriptionDoubled, |page| page.description, &mut drafts)?;
    }
    if wanted.has(Kind::H1Doubled) {
        repeated_texts::find(evidence, &facts, Kind::H1Doubled, |page| page.heading, &mut drafts)?;
    }
    titles::find_missing(&facts, &mut drafts);
    canonicals::find(&facts, &mut drafts);
    gathered.versions.find(&facts, &mut drafts);
    orphans::find(&facts, &mut drafts);
    sitemaps::find(&facts, &mut drafts);
    starts::find(&facts, &mut drafts);

    drafts.retain(|draft| wanted.has(draft.kind));
    drafts.sort_unstable();
    let mut summary = Summary { checked: wanted, ..Summary::default() };
    summary.pages = facts.pages.len() as u64;
    summary.links = gathered.links;
    summary.unasked = unasked::count(&facts);
    summary.unasked.markup = gathered.without_markup;
    summary.orphans = orphans::standing(&facts, &evidence.completeness()?);
    let mut wording = Wording::new(evidence, &facts, &judging.remarks);
    for run in drafts.chunk_by(|a, b| (a.kind, a.from) == (b.kind, b.from)) {
        for mut finding in wording.findings(run)? {
            sink(&mut finding)?;
            summary.count(&finding);
        }
    }
    Ok(summary)
}

/// Kinds that leave out what is a double by its text.
const REPEATED: [Kind; 3] = [Kind::DoubledTitle, Kind::DescriptionDoubled, Kind::H1Doubled];

/// Kinds that depend on what is a soft 404.
const PAGE_KINDS: [Kind; 9] = [
    Kind::SoftNotFound,
    Kind::Duplicate,
    Kind::NearDuplicate,
    Kind::DoubledTitle,
    Kind::DescriptionDoubled,
    Kind::H1Doubled,
    Kind::MissingTitle,
    Kind::Orphan,
    Kind::NavigationOnly,
];

#[cfg(test)]
mod tests {
    use groma_model::{LinkKind, PageId, Reason};
    use proptest::prelude::*;

    use super::*;
    use crate::memory::Survey;
    use crate::testing::{all, every};

    #[test]
    fn only_what_is_asked_for_is_told() {
        let mut survey = Survey::default();
        let (home, gone) = (survey.indexed("https://a.org/"), survey.add("https://a.org/x", Reason::NotFound));
        survey.link(home, gone, "x");
        survey.page(home).title = String::new();
        let kinds = |kinds: Kinds, survey: &mut Survey| {
            let mut found = Vec::new();
            let options = Options { kinds, ..Options::default() };
            let summary = check(survey, &options, &mut |finding| {
                found.push(finding.kind);
                Ok(())
            });
            assert_eq!(summary.unwrap().total(), found.len() as u64);
            found
        };
        let three = [Kind::InvalidLink, Kind::MissingTitle, Kind::Orphan];
        assert_eq!(kinds(three.into_iter().collect(), &mut survey), three);
        assert_eq!(kinds(Kinds::NONE.with(Kind::MissingTitle), &mut survey), [Kind::MissingTitle]);
        assert_eq!(kinds(Kinds::NONE, &mut survey), []);
    }

    #[test]
    fn an_error_of_the_reader_ends_the_check() {
        let mut survey = Survey::default();
        survey.indexed("https://a.org/");
        let error =
            check(&mut survey, &Options::default(), &mut |_| Err(io::ErrorKind::BrokenPipe.into())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn links_to_addresses_that_are_not_there_are_passed_by() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        survey.link(home, PageId(77), "x").fragment = "y".into();
        assert!(all(&mut survey).iter().all(|finding| finding.to.is_none()));
    }

    proptest! {
        /// Whatever a survey looks like, the checks come to an end, in order, with no key twice.
        #[test]
        fn any_survey_is_checked_in_order_and_without_doubles(
            pages in proptest::collection::vec((proptest::sample::select(Reason::ALL), any::<u8>(), "\\PC{0,6}"), 0..14),
            links in proptest::collection::vec((0usize..14, 0u32..16, 0usize..11, "[a-b]{0,2}"), 0..60),
        ) {
            let mut survey = Survey::default();
            for (n, (reason, bits, title)) in pages.iter().enumerate() {
                let id = survey.add(&format!("http{}://a.org/{n}", if bits & 1 == 0 { "" } else { "s" }), *reason);
                let page = survey.page(id);
                // Circles among aliases are possible here.
                page.alias_of = Some(PageId(u32::from(bits >> 1) % 16));
                page.title.clone_from(title);
                page.words = u32::from(*bits);
                page.canonical = (bits & 2 != 0).then_some(PageId(u32::from(bits >> 3)));
                page.text_fp = (bits & 4 != 0).then_some(groma_model::Fp(u128::from(bits & 24)));
                page.near_fp = u64::from(bits & 96);
                page.noindex = bits & 128 != 0;
            }
            for (from, to, kind, fragment) in links.into_iter().filter(|(from, ..)| *from < pages.len()) {
                let link = survey.link(PageId(from as u32), PageId(to), "x");
                (link.kind, link.fragment) = (LinkKind::ALL[kind], fragment);
            }
            let findings = every(&mut survey);
            prop_assert_eq!(&every(&mut survey), &findings, "the same again");
            prop_assert!(findings.is_sorted_by_key(|finding| finding.kind));
            let mut keys: Vec<_> = findings.iter().map(Finding::key).collect();
            keys.sort_unstable();
            keys.dedup();
            prop_assert_eq!(keys.len(), findings.len());
        }
    }
}
