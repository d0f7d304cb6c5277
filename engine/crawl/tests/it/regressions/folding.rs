//! Variants fold into one URL, and no page is lost by it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use groma_model::{PageId, Reason};
use groma_store::{Change, ChangeKind, Snapshot};

use super::shop;
use crate::mock::{Survey, html, links, missing, redirect};

#[test]
fn a_redirect_to_a_variant_of_itself_is_followed() {
    let survey = shop::survey(|ask| match (ask.path, ask.number("id"), ask.number("sid")) {
        ("/", ..) => shop::home(),
        ("/more", ..) => html(&shop::variants(1000..1020, &[1])),
        (_, Some(id), Some(1)) if id >= 1000 => redirect(&shop::address(id, 7)),
        (_, Some(id), Some(_)) => shop::product(id),
        _ => missing(),
    });
    survey.crawl();
    assert_eq!(shop::standing_of_sessions(&survey), Some(1));
    assert_eq!(shop::lost(&survey, 1000..1020), Vec::<u32>::new());
}

#[test]
fn a_missing_variant_does_not_stand_for_living_ones() {
    let survey = shop::survey(|ask| match (ask.path, ask.number("id"), ask.number("sid")) {
        ("/", ..) => shop::home(),
        ("/more", ..) => html(&shop::variants(1000..1020, &[1, 2, 3])),
        (_, Some(id), Some(1)) if id >= 1000 => missing(),
        (_, Some(id), Some(_)) => shop::product(id),
        _ => missing(),
    });
    survey.crawl();
    assert_eq!(shop::lost(&survey, 1000..1020), Vec::<u32>::new());
}

#[test]
fn sessions_that_expire_before_an_update_take_no_page_along() {
    let survey = shop::survey(|ask| match (ask.path, ask.number("id"), ask.number("sid")) {
        ("/", ..) if ask.epoch == 0 => html(&shop::variants(shop::FAMILIAR, &[1, 2, 3])),
        ("/", ..) => html(&shop::variants(shop::FAMILIAR, &[9])),
        (_, Some(id), Some(sid)) if ask.epoch == 0 || sid == 9 => shop::product(id),
        _ => missing(),
    });
    survey.crawl();
    assert_eq!(survey.with_reason(Reason::Fetched).len(), 1 + shop::FAMILIAR.len());
    survey.next_epoch();
    survey.update();
    let mut now: BTreeSet<String> = shop::FAMILIAR.map(|id| shop::address(id, 9)).collect();
    now.insert("/".into());
    assert_eq!(survey.with_reason(Reason::Fetched), now);
}

#[test]
fn pages_named_by_words_are_learned_from_together() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.path.split_once('?')) {
        ("/", _) => {
            html(&links((0..1000).flat_map(|page| (0..3).map(move |sid| format!("/{}?sid={sid}", word(page))))))
        }
        (_, Some((name, _))) => html(&format!("page {name}")),
        _ => missing(),
    });
    survey.crawl();
    let requests = survey.web.asked().len();
    assert!(requests <= 1150, "{requests} requests");
    let indexed: BTreeSet<String> = survey
        .with_reason(Reason::Fetched)
        .iter()
        .filter_map(|path| path.split_once('?').map(|(name, _)| name.to_string()))
        .collect();
    assert_eq!(indexed.len(), 1000);
}

/// A word of four letters, another for each number below 160,000.
fn word(number: u32) -> String {
    (0..4).map(|place| char::from(b'g' + (number / 20_u32.pow(place) % 20) as u8)).collect()
}

#[test]
fn a_page_that_is_folded_after_it_was_fetched_is_logged_as_moved() {
    let survey = shop::survey(|ask| match (ask.path, ask.number("id")) {
        ("/", _) => shop::home(),
        (_, Some(id)) => shop::product(id),
        _ => missing(),
    });
    survey.crawl();
    let log: Vec<Change> = survey.read().changes(0, 10_000).unwrap();
    let said = |page: PageId, kind: ChangeKind| log.iter().filter(move |c| c.page == page && c.kind == kind);
    let aliases = survey.addresses().into_values().filter(|row| row.reason == Reason::Folded);
    let fetched_once: Vec<_> = aliases.filter(|row| said(row.id, ChangeKind::Added).count() > 0).collect();
    assert!(!fetched_once.is_empty());
    for row in fetched_once {
        let moves: Vec<_> = said(row.id, ChangeKind::Moved).map(|change| change.to).collect();
        assert_eq!(moves, [row.alias_of], "{}", row.url);
    }
}

/// How long a crawl takes in which one page has so many links.
fn placing(many: u32) -> Duration {
    let mut survey = shop::survey(move |ask| match (ask.path, ask.number("id")) {
        ("/", _) => shop::home(),
        ("/more", _) => html(&shop::variants(1000..1000 + many, &[1])),
        (_, Some(id)) => shop::product(id),
        _ => missing(),
    });
    survey.pages = Some(2 + 2 * shop::FAMILIAR.len() as u64);
    let start = Instant::now();
    survey.crawl();
    let took = start.elapsed();
    assert_eq!(shop::standing_of_sessions(&survey), Some(1));
    assert!(survey.addresses().len() > many as usize);
    took
}

#[test]
fn many_links_on_one_page_are_placed_in_linear_time() {
    // Six times the links: 36 times as long if each were held against all others. Machines are busy, so the factor is generous.
    let (few, many) = (placing(5_000), placing(30_000));
    assert!(many < few * 15 + Duration::from_secs(3), "{few:?}, {many:?}");
}
