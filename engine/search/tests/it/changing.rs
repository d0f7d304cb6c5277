//! The index follows the store: what comes, what changes, what goes, and what stays although it could not be had.

use groma_model::{PageId, Reason};
use groma_store::{Amend, Store, WriteBatch};

use crate::{Page, Site, page, sorted};

#[test]
fn gone_pages_leave_and_unreachable_ones_stay() {
    let names = ["/gone", "/missing", "/down", "/late", "/closed", "/moved", "/out", "/hidden", "/kept"];
    let pages: Vec<Page> = names.iter().map(|path| page(path, "Title", "walnut")).collect();
    let mut site = Site::with_pages(&pages);
    let first = site.follow();
    assert_eq!((first.written, first.removed, first.pages, first.watermark), (9, 0, 9, 9));
    let again = site.follow();
    assert_eq!((again.written, again.removed, again.pages, again.watermark), (0, 0, 9, 9), "nothing new");
    site.fail("/gone", Reason::Gone, None);
    site.fail("/missing", Reason::NotFound, None);
    site.fail("/down", Reason::ServerError, None);
    site.fail("/late", Reason::TimeOut, None);
    site.fail("/closed", Reason::Forbidden, None);
    site.fail("/moved", Reason::Redirected, Some("/kept"));
    site.write(&[Page { noindex: true, ..page("/hidden", "Title", "walnut") }]);
    // A rule written since: no row of the log tells of it.
    let number = site.numbers["http://site.test/out"];
    let amends = vec![Amend::to(PageId(number), Reason::Excluded)];
    site.store.commit(&WriteBatch { now: 400, run: 1, amends, ..WriteBatch::default() }).unwrap();
    let next = site.follow();
    assert_eq!((next.written, next.removed, next.pages), (0, 5, 4));
    assert_eq!(sorted(site.found("walnut")), ["/closed", "/down", "/kept", "/late"]);
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

#[test]
fn never_seen_and_other_things_are_no_documents() {
    let mut site = Site::with_pages(&[
        page("/", "Home", "walnut")
            .link("/never", "walnut never seen")
            .link("/style", "walnut")
            .link("/paper", "The walnut paper"),
        Page { media_type: "text/css".into(), ..page("/style", "", "walnut") },
        Page { media_type: "application/pdf".into(), blocks: Vec::new(), ..page("/paper", "", "") },
    ]);
    site.fail("/never", Reason::ServerError, None);
    site.follow();
    assert_eq!(sorted(site.found("walnut")), ["/", "/paper"], "what is not read is found by what others call it");
}

#[test]
fn only_what_changed_is_written_again() {
    let mut site = Site::with_pages(&[page("/a", "A", "almond"), page("/b", "B", "almond"), page("/c", "C", "almond")]);
    site.follow();
    site.write(&[page("/b", "B", "chestnut")]);
    let next = site.follow();
    assert_eq!((next.written, next.removed, next.pages), (1, 0, 3));
    assert_eq!(sorted(site.found("almond")), ["/a", "/c"]);
    assert_eq!(site.found("chestnut"), ["/b"]);
    assert!(site.complaints().is_empty());
}

#[test]
fn texts_of_links_come_and_go_with_the_pages_that_have_them() {
    let source = |text: &str| page("/source", "Source", "some text").link("/target", text).link("/source", "myself");
    let mut site = Site::with_pages(&[source("the hazelnut page"), page("/target", "Target", "nothing of that kind")]);
    site.follow();
    assert_eq!(site.found("hazelnut"), ["/target"]);
    assert!(site.found("myself").is_empty(), "what a page says of itself");
    site.write(&[source("the cashew page")]);
    assert_eq!(site.follow().written, 2, "the target, and the source, which has another date now");
    assert!(site.found("hazelnut").is_empty());
    assert_eq!(site.found("cashew"), ["/target"]);
    site.fail("/source", Reason::Gone, None);
    site.follow();
    assert!(site.found("cashew").is_empty());
    assert!(site.complaints().is_empty());
}

#[test]
fn a_link_to_another_name_is_a_link_to_the_page() {
    let mut site = Site::with_pages(&[
        page("/", "Home", "text").link("/old-name", "pecan"),
        page("/new-name", "Renamed", "some words"),
    ]);
    site.fail("/old-name", Reason::Redirected, Some("/new-name"));
    site.follow();
    assert_eq!(site.found("pecan"), ["/new-name"]);
}

#[test]
fn an_open_index_sees_what_is_written() {
    let mut site = Site::with_pages(&[page("/a", "A", "almond")]);
    site.follow();
    let index = site.open();
    assert_eq!(index.extent().unwrap(), (1, 1));
    site.write(&[page("/b", "B", "almond")]);
    site.follow();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(site.ask_of(&index, "almond").total, 2);
    assert_eq!(index.extent().unwrap(), (2, 2));
}

#[test]
fn a_survey_started_over_gets_a_new_index() {
    let mut site = Site::with_pages(&[page("/a", "A", "almond"), page("/b", "B", "almond")]);
    site.follow();
    let mut other = Site::with_pages(&[page("/z", "Z", "chestnut")]);
    for name in ["survey.db", "survey.db-wal", "survey.db-shm"] {
        let (from, to) = (other.folder.join(name), site.folder.join(name));
        let _ = std::fs::remove_file(&to);
        if from.exists() {
            std::fs::copy(from, to).unwrap();
        }
    }
    assert!(!crate::Index::complaints(&site.folder, &mut other.store).unwrap().is_empty());
    let followed = site.follow();
    assert_eq!((followed.written, followed.pages), (1, 1));
    let index = site.open();
    assert_eq!(crate::paths(&other.ask_of(&index, "chestnut")), ["/z"]);
    assert_eq!(other.ask_of(&index, "almond").total, 0);
}
