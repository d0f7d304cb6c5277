//! Learned rules: variants fold, and no page is lost.

use groma_model::{Reason, State};
use groma_store::Snapshot;
use groma_testweb::Server;
use groma_testweb::sites::{IdIn, Meaning, Sessions, Variants};

use crate::surveying::Survey;

#[test]
fn two_thousand_pages_in_three_variants_cost_few_fetches_more() {
    for id_in in [IdIn::Query, IdIn::Path] {
        let site = Variants::new(2000, 3).id_in(id_in);
        let pages = site.contents() as u64;
        let server = Server::start(site);
        let survey = Survey::for_site(&server.base());
        survey.crawl();
        let balance = survey.balance();
        assert!(balance.fetches <= 2150, "{} fetches", balance.fetches);
        assert_eq!(balance.state(State::Fetched), pages);
        assert_eq!(balance.state(State::Broken), 0);
        let learned = survey.read().learned().unwrap();
        let strong: Vec<_> = learned.iter().filter(|l| l.standing == 1).collect();
        assert_eq!(strong.len(), 1);
        assert_eq!(strong[0].folded, balance.state(State::Alias), "{strong:?}");
        assert!(strong[0].folded > 3900);
    }
}

#[test]
fn a_parameter_that_changes_pages_loses_none() {
    let site = Variants::new(400, 3).meaning(Meaning::All);
    let (pages, server) = (site.contents() as u64, Server::start(site));
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.count(State::Fetched), pages);
    assert_eq!(survey.count(State::Alias), 0);
}

#[test]
fn a_parameter_that_changes_some_pages_loses_none() {
    for every in [2, 5] {
        let site = Variants::new(600, 3).meaning(Meaning::Every(every));
        let addresses = site.addresses() as u64;
        let server = Server::start(site);
        let survey = Survey::for_site(&server.base());
        survey.crawl();
        assert_eq!(survey.count(State::Fetched), addresses, "every {every}");
    }
}

#[test]
fn sessions_without_end_end() {
    let site = Sessions::default();
    let server = Server::start(site.clone());
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    let found: std::collections::BTreeSet<String> =
        survey.indexed().into_iter().map(|path| path.split('?').next().unwrap().to_string()).collect();
    let expected: std::collections::BTreeSet<String> = site.real_paths().into_iter().collect();
    assert_eq!(found, expected);
    assert!(server.total() < 1_000, "{}", server.total());
    assert!(survey.addresses().values().any(|row| row.reason == Reason::Folded));
}
