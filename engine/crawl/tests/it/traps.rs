//! Traps are contained: the crawl ends by itself, says what it suspects, and has every real page.

use groma_model::Reason;
use groma_store::Snapshot;
use groma_testweb::sites::{Babble, Calendar, EndlessPath, Facets};
use groma_testweb::{Server, Web};

use crate::surveying::Survey;

fn contained(site: impl Web, real: Vec<String>, most: u64, finding: bool, limits: &[(&str, u64)]) -> Survey {
    let server = Server::start(site);
    let mut survey = Survey::of(&server.base());
    for (key, value) in limits {
        assert!(survey.limits.set(key, *value));
    }
    survey.crawl();
    assert!(server.total() <= most, "{} requests", server.total());
    let all = survey.addresses();
    for path in real {
        assert_eq!(all[&path].reason, Reason::Fetched, "{path}");
    }
    let traps = survey.read().findings().unwrap().into_iter().filter(|f| f.kind == "trap").count();
    assert_eq!(traps > 0, finding);
    survey
}

#[test]
fn a_calendar_without_end() {
    for in_query in [false, true] {
        let site = Calendar { in_query, ..Calendar::default() };
        contained(site, site.real_paths(), 6_000, true, &[]);
    }
}

#[test]
fn facets_in_every_combination() {
    let site = Facets::default();
    contained(site, site.real_paths(), 2_500, true, &[]);
}

#[test]
fn a_path_that_repeats_itself() {
    let site = EndlessPath::default();
    let survey = contained(site, site.real_paths(), 100, false, &[]);
    assert!(survey.balance().tally[&Reason::EndlessPath] > 0);
}

#[test]
fn babble_is_stopped_by_number() {
    let site = Babble::default();
    contained(site, site.real_paths(), 3_000, true, &[("pattern_fetches", 2_000)]);
}
