//! Soft 404: which pages say that they do not exist, though the server says they do?
//!
//! Only HTML pages of the survey with status 200 (or 304: unchanged since) and at most [`FEW_WORDS`] words are
//! looked at. They get points:
//!
//! - the title says it ([`phrases`](super::phrases)): explicitly 3, barely 2;
//! - the first heading says it: explicitly 3, barely 2;
//! - at most [`HARDLY_ANY_WORDS`] words, and no heading that speaks of something else: 1;
//! - another such URL has the very same text: 1;
//! - the text is one that the server is known to give for pages that do not exist: 3.
//!
//! With [`ENOUGH`] points it is a finding, unless the page may be *about* such errors: its URL or the text of a link to it
//! speaks of them (or of a search). That excuse does not hold if the text is a known error text, or if URLs that do not
//! speak of errors are redirected to the page: then it is where the site sends visitors who are lost.
//!
//! So that a false alarm needs a short page which has nothing but the phrase for its title, at a URL, and behind links,
//! that do not mention it. Cost: linear. Not seen: error pages in wordings or languages that are not listed, error pages with
//! more words (long navigation), pages that answer with other content, such as the home page.

use std::collections::{HashMap, HashSet};
use std::io;

use groma_model::PageId;

use super::phrases::{self, Said};
use crate::draft::Draft;
use crate::evidence::Evidence;
use crate::facts::{Facts, Mark, Page};
use crate::finding::Kind;

/// An error page has no more words than this, navigation included.
pub(crate) const FEW_WORDS: u32 = 300;
/// So few that there can hardly be anything else on the page.
const HARDLY_ANY_WORDS: u32 = 60;
/// Points that make a finding.
const ENOUGH: u32 = 3;

/// Words of URLs of pages about errors, and of searches.
const TOPICS: [&str; 17] = [
    "404",
    "410",
    "error",
    "errors",
    "notfound",
    "soft404",
    "introuvable",
    "nenalezena",
    "search",
    "suche",
    "recherche",
    "buscar",
    "ricerca",
    "hledat",
    "szukaj",
    "zoeken",
    "find",
];
/// The same in two words in a row.
const TOPIC_PAIRS: [(&str, &str); 8] = [
    ("not", "found"),
    ("nicht", "gefunden"),
    ("no", "encontrada"),
    ("non", "trovata"),
    ("nie", "znaleziono"),
    ("niet", "gevonden"),
    ("nao", "encontrada"),
    ("http", "status"),
];

/// Whether a URL speaks of errors or of searches: in its path or query, not in its host.
pub(crate) fn is_topic(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
    speaks_of_topic(path)
}

/// Whether a text speaks of errors or of searches.
pub(crate) fn speaks_of_topic(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut before = "";
    for word in words {
        let hit = TOPICS.iter().any(|topic| topic.eq_ignore_ascii_case(word))
            || TOPIC_PAIRS.iter().any(|(a, b)| a.eq_ignore_ascii_case(before) && b.eq_ignore_ascii_case(word));
        if hit {
            return true;
        }
        before = word;
    }
    false
}

/// What is gathered while the links are read.
#[derive(Debug, Default)]
pub(crate) struct Headings {
    /// What first headings say, of pages that may be soft 404s, where it is anything but "something else".
    said: HashMap<u32, Said>,
}

impl Headings {
    /// Takes the first heading of a page.
    pub(crate) fn take(&mut self, facts: &Facts, id: PageId, heading: &str) {
        if facts.has(id, Mark::MaybeSoft) {
            let said = phrases::says(heading);
            if said != Said::Nothing {
                self.said.insert(id.0, said);
            }
        }
    }

    fn first_heading_says(&self, page: &Page) -> Said {
        self.said.get(&page.id).copied().unwrap_or(Said::Nothing)
    }
}

/// Finds them, and marks them.
pub(crate) fn find(
    evidence: &mut dyn Evidence,
    facts: &mut Facts,
    headings: &Headings,
    drafts: &mut Vec<Draft>,
) -> io::Result<()> {
    let known: HashSet<u128> = evidence.error_texts()?.into_iter().map(|fp| fp.0).collect();
    let speaking = |page: &Page| {
        facts.has(page.id(), Mark::MaybeSoft)
            && (page.said > Said::Silence
                || headings.first_heading_says(page) > Said::Silence
                || known.contains(&page.text))
    };
    let candidates: Vec<Page> = facts.pages.iter().filter(|page| speaking(page)).copied().collect();
    let mut same_text: HashMap<u128, u32> = HashMap::new();
    for page in candidates.iter().filter(|page| page.text != 0) {
        *same_text.entry(page.text).or_default() += 1;
    }
    let ids: HashSet<u32> = candidates.iter().map(|page| page.id).collect();
    let lost: HashSet<u32> = facts
        .redirecting()
        .filter(|id| !facts.has(*id, Mark::Topic))
        .filter_map(|id| facts.end(id).map(|end| end.0).filter(|end| ids.contains(end)))
        .collect();
    for page in candidates {
        let is_known = known.contains(&page.text);
        let is_double = same_text.get(&page.text).is_some_and(|pages| *pages > 1);
        let about = facts.has(page.id(), Mark::Topic) || facts.has(page.id(), Mark::NamedTopic);
        let excused = about && !is_known && !lost.contains(&page.id);
        if !excused && points(page.said, headings.first_heading_says(&page), page.words, is_double, is_known) >= ENOUGH
        {
            facts.mark(page.id(), Mark::Soft);
            drafts.push(Draft::of_page(Kind::SoftNotFound, page.id()));
        }
    }
    Ok(())
}

fn points(title: Said, heading: Said, words: u32, is_double: bool, is_known: bool) -> u32 {
    let worth = |said| match said {
        Said::Explicit => 3,
        Said::Bare => 2,
        Said::Nothing | Said::Silence => 0,
    };
    let short = words <= HARDLY_ANY_WORDS && heading != Said::Nothing;
    worth(title) + worth(heading) + u32::from(short) + u32::from(is_double) + if is_known { 3 } else { 0 }
}

#[cfg(test)]
mod tests {
    use groma_model::{Fp, Reason};

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    /// A page with a title, a heading and a number of words.
    fn page(survey: &mut Survey, url: &str, title: &str, heading: &str, words: u32) -> PageId {
        let id = survey.indexed(url);
        let page = survey.page(id);
        (page.title, page.heading, page.words) = (title.into(), heading.into(), words);
        id
    }

    fn soft(survey: &mut Survey) -> Vec<String> {
        found(survey, Kind::SoftNotFound).into_iter().map(|finding| finding.from).collect()
    }

    #[test]
    fn true_ones_are_found() {
        for (url, title, heading, words) in [
            ("https://a.org/gone", "Page not found | A", "Page not found", 120),
            ("https://a.org/gone", "A", "Page not found", 120),
            ("https://a.org/gone", "404 Not Found", "", 3),
            ("https://a.org/gone", "404", "Oops!", 20),
            ("https://a.org/gone", "Seite nicht gefunden \u{2013} A", "Hoppla", 200),
            ("https://a.org/gone", "404 | A", "404", 250),
            ("https://a.org/gone.html?id=7", "找不到页面", "", 2),
        ] {
            let mut survey = Survey::default();
            page(&mut survey, url, title, heading, words);
            assert_eq!(soft(&mut survey), [url], "{title} / {heading}");
        }
    }

    #[test]
    fn traps_are_passed_by() {
        for (url, title, heading, words) in [
            ("https://a.org/blog/handling", "How to handle 404 errors", "How to handle 404 errors", 200),
            ("https://a.org/shop/7", "Error 404 T-shirt | Shop", "Error 404 T-shirt", 80),
            ("https://a.org/shop/7", "Error 404 | Shop", "The shirt for lost visitors", 50),
            ("https://a.org/?s=xyzzy", "You searched for xyzzy", "Nothing found", 40),
            ("https://a.org/search?q=xyzzy", "Not found", "Not found", 10),
            ("https://a.org/films/page-not-found", "Page not found", "Page not found", 90),
            ("https://a.org/404.html", "404", "Page not found", 10),
            ("https://a.org/essay", "Page not found", "Page not found", 2_000),
            ("https://a.org/cars/peugeot", "404", "Peugeot's great saloon", 250),
            ("https://a.org/empty", "", "", 0),
        ] {
            let mut survey = Survey::default();
            page(&mut survey, url, title, heading, words);
            assert_eq!(soft(&mut survey), Vec::<String>::new(), "{url} {title} / {heading}");
        }
    }

    #[test]
    fn only_pages_that_are_served_as_pages_count() {
        let mut survey = Survey::default();
        let id = page(&mut survey, "https://a.org/gone", "Page not found", "", 10);
        survey.page(id).status = 203;
        assert_eq!(soft(&mut survey), Vec::<String>::new());
        survey.page(id).status = 200;
        survey.page(id).media_type = "application/pdf".into();
        assert_eq!(soft(&mut survey), Vec::<String>::new());
        survey.page(id).media_type = "text/html".into();
        survey.page(id).in_scope = false;
        assert_eq!(soft(&mut survey), Vec::<String>::new());
    }

    #[test]
    fn a_link_that_speaks_of_errors_excuses_the_page() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let id = page(&mut survey, "https://a.org/exhibit/9", "Page not found", "Page not found", 90);
        survey.link(home, id, "Exhibit 9");
        assert_eq!(soft(&mut survey).len(), 1);
        survey.link(home, id, "See a 404");
        assert_eq!(soft(&mut survey), Vec::<String>::new());
    }

    #[test]
    fn the_same_text_at_two_addresses_is_stronger_than_one() {
        let mut survey = Survey::default();
        for url in ["https://a.org/x", "https://a.org/y"] {
            let id = page(&mut survey, url, "404", "Dear visitor", 100);
            survey.page(id).text_fp = Some(Fp(7));
        }
        assert_eq!(soft(&mut survey), ["https://a.org/x", "https://a.org/y"]);
        survey.pages.pop();
        assert_eq!(soft(&mut survey), Vec::<String>::new());
    }

    #[test]
    fn where_lost_visitors_are_sent_has_no_excuse() {
        let mut survey = Survey::default();
        let id = page(&mut survey, "https://a.org/404", "Page not found", "Page not found", 20);
        assert_eq!(soft(&mut survey), Vec::<String>::new());
        let old = survey.add("https://a.org/old-product", Reason::Redirected);
        survey.page(old).alias_of = Some(id);
        assert_eq!(soft(&mut survey), ["https://a.org/404"]);
    }

    #[test]
    fn a_known_error_text_needs_no_title() {
        let mut survey = Survey::default();
        let id = page(&mut survey, "https://a.org/x", "Willkommen", "Guten Tag", 100);
        survey.error_texts = vec![Fp(9)];
        assert_eq!(soft(&mut survey), Vec::<String>::new());
        survey.page(id).text_fp = Some(Fp(9));
        assert_eq!(soft(&mut survey), ["https://a.org/x"]);
    }

    #[test]
    fn topics_are_words_of_the_path_and_not_of_the_host() {
        for url in [
            "https://a.org/404",
            "https://a.org/x/Error_pages?y",
            "https://a.org/x?page=not-found",
            "https://a.org?404",
        ] {
            assert!(is_topic(url), "{url}");
        }
        for url in ["https://error.org/", "https://a.org/terror", "https://a.org/1404", "https://a.org/not-lost-found"]
        {
            assert!(!is_topic(url), "{url}");
        }
    }
}
