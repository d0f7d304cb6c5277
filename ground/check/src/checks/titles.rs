//! Titles: which pages have none, and which share one?
//!
//! Looked at are indexed HTML pages of the survey that are no soft 404s. A page without a title is `missing-title`, unless it only
//! sends its visitors on (a refresh and hardly a word). Different pages with the same title, white space and case of letters
//! aside, are `doubled-title`: every page of the group but the first (as for duplicates), left out being pages that are doubles by
//! their text already, ask not to be listed, or name another page as their canonical form.
//! Not seen: titles that scripts set.

use std::io;

use groma_model::Fp;

use super::duplicates::{first_of, names_another};
use crate::draft::Draft;
use crate::evidence::Evidence;
use crate::facts::{Facts, Mark, Page};
use crate::finding::Kind;

/// A page that sends its visitors on has no more words than this.
const HARDLY_A_WORD: u32 = 20;

/// What titles are compared by; 0 if there is none.
pub(crate) fn fingerprint(title: &str) -> u64 {
    let mut folded = String::with_capacity(title.len());
    for word in title.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().flat_map(char::to_lowercase));
    }
    if folded.is_empty() { 0 } else { (Fp::hash_bytes(folded.as_bytes()).0 as u64).max(1) }
}

/// Pages without a title.
pub(crate) fn find_missing(facts: &Facts, drafts: &mut Vec<Draft>) {
    let sends_on = |page: &Page| page.words <= HARDLY_A_WORD && facts.has(page.id(), Mark::Refreshes);
    let untitled = |page: &&Page| page.title == 0 && is_looked_at(facts, page) && !sends_on(page);
    drafts.extend(facts.pages.iter().filter(untitled).map(|page| Draft::of_page(Kind::MissingTitle, page.id())));
}

/// Pages with the title of another.
pub(crate) fn find_doubled(evidence: &mut dyn Evidence, facts: &Facts, drafts: &mut Vec<Draft>) -> io::Result<()> {
    let competes = |page: &&Page| {
        page.title != 0
            && is_looked_at(facts, page)
            && !facts.has(page.id(), Mark::NoIndex)
            && !facts.has(page.id(), Mark::Double)
            && !names_another(facts, page)
    };
    let mut pages: Vec<Page> = facts.pages.iter().filter(competes).copied().collect();
    pages.sort_unstable_by_key(|page| (page.title, page.id));
    for group in pages.chunk_by(|a, b| a.title == b.title).filter(|group| group.len() > 1) {
        let first = first_of(evidence, group)?;
        let others = group.iter().filter(|page| page.id != first.id);
        drafts.extend(others.map(|page| Draft::of_double(Kind::DoubledTitle, page.id(), first.id())));
    }
    Ok(())
}

fn is_looked_at(facts: &Facts, page: &Page) -> bool {
    facts.has(page.id(), Mark::Html) && facts.has(page.id(), Mark::InScope) && !facts.has(page.id(), Mark::Soft)
}

#[cfg(test)]
mod tests {
    use groma_model::{LinkKind, PageId};

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    fn titled(titles: &[&str]) -> Survey {
        let mut survey = Survey::default();
        for (n, title) in titles.iter().enumerate() {
            let id = survey.indexed(&format!("https://a.org/{n}"));
            survey.page(id).title = (*title).to_owned();
        }
        survey
    }

    #[test]
    fn a_page_without_a_title_is_told() {
        let mut survey = titled(&["", " \u{a0}", "x"]);
        assert_eq!(found(&mut survey, Kind::MissingTitle).len(), 2);
        survey.pages[0].media_type = "text/plain".into();
        survey.pages[1].in_scope = false;
        assert_eq!(found(&mut survey, Kind::MissingTitle), []);
    }

    #[test]
    fn a_page_that_only_sends_on_needs_no_title() {
        let mut survey = titled(&["", "x"]);
        survey.pages[0].words = 3;
        assert_eq!(found(&mut survey, Kind::MissingTitle).len(), 1);
        survey.link(PageId(0), PageId(1), "").kind = LinkKind::Refresh;
        assert_eq!(found(&mut survey, Kind::MissingTitle), []);
    }

    #[test]
    fn doubled_titles_name_the_first_page_and_the_title() {
        let mut survey = titled(&["Home", "home ", "Other", "HOME"]);
        let findings = found(&mut survey, Kind::DoubledTitle);
        let told: Vec<_> = findings.iter().map(|f| (f.from.as_str(), f.to.as_deref(), f.detail.as_str())).collect();
        assert_eq!(
            told,
            [
                ("https://a.org/1", Some("https://a.org/0"), "\u{201c}home\u{201d}"),
                ("https://a.org/3", Some("https://a.org/0"), "\u{201c}HOME\u{201d}"),
            ]
        );
    }

    #[test]
    fn doubles_by_text_and_unlisted_pages_are_not_told_twice() {
        let mut survey = titled(&["Home", "Home", "Home", "Home"]);
        survey.pages[1].text_fp = survey.pages[0].text_fp;
        survey.pages[2].noindex = true;
        survey.pages[3].canonical = Some(PageId(0));
        assert_eq!(found(&mut survey, Kind::DoubledTitle), []);
    }
}
