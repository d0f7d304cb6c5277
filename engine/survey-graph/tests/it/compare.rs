//! Two surveys of one site, a change apart.

use groma_model::Reason;
use groma_survey_graph::compare::{Difference, compare};

use crate::{Page, Site, page, url};

fn differences(a: &mut Site, b: &mut Site) -> Vec<String> {
    let mut told = Vec::new();
    let mut sink = |difference: &Difference| {
        let to = difference.to.as_deref().map(|to| format!(" {}", to.trim_start_matches("http://site.test/")));
        let page = difference.url.trim_start_matches("http://site.test/");
        told.push(format!("{} {page}{} {}", difference.change.name(), to.unwrap_or_default(), difference.detail));
        Ok(())
    };
    compare(&mut a.store, &mut b.store, &mut sink).expect("both can be read");
    told
}

/// A site whose pages link to each other and have long texts of their own.
fn site(pages: Vec<Page>) -> Site {
    Site::with_pages(pages)
}

#[test]
fn a_survey_does_not_differ_from_itself() {
    let pages = || {
        vec![page(1, Reason::Fetched, 0, &[2, 3]), page(2, Reason::Fetched, 1, &[1]), page(3, Reason::NotFound, 1, &[])]
    };
    assert_eq!(differences(&mut site(pages()), &mut site(pages())), Vec::<String>::new());
}

#[test]
fn pages_links_places_and_findings_are_told() {
    let mut a = site(vec![
        page(1, Reason::Fetched, 0, &[2, 3, 4]),
        page(2, Reason::Fetched, 1, &[1, 5]),
        page(3, Reason::Fetched, 1, &[1]),
        page(4, Reason::Fetched, 1, &[1]),
        page(5, Reason::Fetched, 2, &[1]),
    ]);
    // 3 is gone, 4 asks for a login, 5 is linked from the start, 6 is new below it.
    let mut b = site(vec![
        page(1, Reason::Fetched, 0, &[2, 3, 4, 5]),
        page(2, Reason::Fetched, 1, &[1]),
        page(3, Reason::NotFound, 1, &[]),
        page(4, Reason::Unauthorized, 1, &[]),
        page(5, Reason::Fetched, 1, &[1, 6]),
        page(6, Reason::Fetched, 2, &[1]),
    ]);
    let told = differences(&mut a, &mut b);
    for expected in [
        "page-added 6 ",
        "page-gone 3 not-found",
        "page-unknown 4 unauthorized",
        "link-added 1 5 ",
        "link-removed 2 5 ",
        "link-added 5 6 ",
        "place-moved 5 1 depth 2 to 1",
        "finding-new 1 3 invalid-link",
    ] {
        assert!(told.iter().any(|line| line == expected), "{expected}: {told:#?}");
    }
    let back = differences(&mut b, &mut a);
    assert!(back.contains(&"finding-fixed 1 3 invalid-link".to_owned()), "{back:#?}");
    assert!(back.contains(&"page-unseen 6 ".to_owned()), "{back:#?}");
    assert_eq!(url(6), "http://site.test/6");
}
