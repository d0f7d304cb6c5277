//! Page limits and depth limits hold exactly, whatever happens beside them.

use groma_crawl::End;
use groma_model::{Depth, Reason};

use super::shop;
use crate::mock::{Ask, Survey, html, links, missing};

#[test]
fn a_page_limit_that_fits_exactly_is_not_reached() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html(&links(["/1", "/2"])),
        "/1" | "/2" => html("leaf"),
        _ => missing(),
    });
    survey.pages = Some(3);
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.with_reason(Reason::Fetched).len(), 3);
}

#[test]
fn a_limit_of_one_page_fits_a_site_of_one_page() {
    let mut survey = Survey::for_web(|ask| if ask.path == "/" { html("home") } else { missing() });
    survey.pages = Some(1);
    assert_eq!(survey.crawl(), End::Finished);
}

/// A site of two pages, to which a long chain of pages is added.
fn growing() -> Survey {
    Survey::for_web(|ask: &Ask<'_>| match (ask.path, ask.path.strip_prefix("/z").and_then(|n| n.parse::<u32>().ok())) {
        ("/", _) if ask.epoch == 0 => html(&links(["/old"])),
        ("/", _) => html(&links(["/old", "/z1"])),
        ("/old", _) => html("old"),
        (_, Some(n)) if n < 20 => html(&(format!("word{n} ") + &links([format!("/z{}", n + 1)]))),
        (_, Some(_)) => html("end"),
        _ => missing(),
    })
}

#[test]
fn an_update_adds_no_more_pages_than_the_limit_allows() {
    let mut survey = growing();
    survey.pages = Some(5);
    survey.crawl();
    survey.next_epoch();
    survey.update();
    assert_eq!([survey.count("/"), survey.count("/old")], [2, 2]);
    assert_eq!(survey.with_reason(Reason::Fetched).len(), 5);
    assert_eq!(survey.reason("/z4"), Reason::PageLimit);
    assert_eq!(survey.count("/z4"), 0);
}

#[test]
fn an_update_of_a_full_survey_asks_again_for_all_it_has_and_adds_nothing() {
    let mut survey = growing();
    survey.pages = Some(2);
    survey.crawl();
    survey.next_epoch();
    survey.update();
    assert_eq!([survey.count("/"), survey.count("/old")], [2, 2]);
    assert_eq!(survey.reason("/z1"), Reason::PageLimit);
    assert_eq!(survey.count("/z1"), 0);
    survey.pages = None;
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.with_reason(Reason::Fetched).len(), 22);
}

#[test]
fn unfolding_does_not_pass_the_depth_limit() {
    let mut survey = shop::survey(|ask| match (ask.path, ask.number("id"), ask.number("sid")) {
        ("/", ..) => shop::home(),
        ("/more", ..) => html(&shop::variants(1000..1020, &[1, 2])),
        ("/colours", ..) => html(&shop::variants(shop::FAMILIAR, &[91, 92, 93, 94])),
        (_, Some(id), Some(sid)) if sid > 90 => html(&format!("product {id} in colour{sid}")),
        (_, Some(id), Some(_)) => shop::product(id),
        _ => missing(),
    });
    survey.depth = Some(1);
    survey.crawl();
    let deep = |reason| survey.addresses().into_values().filter(move |r| r.depth > Depth(1) && r.reason == reason);
    assert!(deep(Reason::Folded).count() > 0);

    survey.seeds.push("http://a.test/colours");
    survey.crawl();
    assert_eq!(shop::standing_of_sessions(&survey), Some(2));
    let beyond: Vec<_> = survey.addresses().into_values().filter(|row| row.depth > Depth(1)).collect();
    assert_eq!(beyond.len(), 40);
    for row in beyond {
        assert_eq!(row.reason, Reason::DepthLimit, "{}", row.url);
    }
    let indexed = survey.with_reason(Reason::Fetched);
    for (id, sid) in shop::FAMILIAR.flat_map(|id| [(id, 91), (id, 92), (id, 93), (id, 94)]) {
        assert!(indexed.contains(&shop::address(id, sid)), "{id} {sid}");
    }
}
