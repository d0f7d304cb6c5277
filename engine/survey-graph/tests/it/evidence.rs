//! What the checks are told of a stored survey.

use groma_check::Evidence;
use groma_model::{PageId, Reason, State};
use groma_store::{Amend, Store, WriteBatch};
use groma_survey_graph::StoreEvidence;

use crate::{Page, Site, page, url};

#[test]
fn pages_links_and_completeness_come_from_the_store() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::Fetched, 0, &[2, 3]),
        page(2, Reason::NotFound, 1, &[]),
        Page { alias_of: Some(1), ..page(3, Reason::Redirected, 1, &[]) },
        page(4, Reason::Fetched, 1, &[1]),
    ]);
    let shut = Amend::to(PageId(4), Reason::Forbidden);
    site.store.commit(&WriteBatch { now: 102, run: 1, amends: vec![shut], ..WriteBatch::default() }).unwrap();
    let mut evidence = StoreEvidence::new(&mut site.store).unwrap();
    let mut seen = Vec::new();
    evidence.pages(&mut |facts| seen.push((facts.id.0, facts.reason, facts.status, facts.alias_of))).unwrap();
    assert_eq!(
        seen,
        [
            (1, Reason::Fetched, 200, None),
            (2, Reason::NotFound, 0, None),
            (3, Reason::Redirected, 0, Some(PageId(1))),
            (4, Reason::Forbidden, 200, None)
        ]
    );
    let mut links = Vec::new();
    evidence.links(&mut |page| links.extend(page.links.iter().map(|link| (page.id.0, link.target.0)))).unwrap();
    assert_eq!(links, [(1, 2), (1, 3)], "4 had links once, but does not let us in any more");
    let mut again = Vec::new();
    evidence.links_of(PageId(1), &mut |page| again.extend(page.links.iter().map(|l| (page.id.0, l.target.0)))).unwrap();
    assert_eq!(again, links);
    assert_eq!(evidence.url(PageId(2)).unwrap(), url(2));
    assert!(!evidence.completeness().unwrap().finished, "the run has not ended");
}

#[test]
fn while_pages_wait_links_beyond_the_finished_layer_are_not_told() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::Fetched, 0, &[2]),
        page(2, Reason::Fetched, 1, &[3]),
        page(3, Reason::Waiting, 2, &[]),
    ]);
    site.set("finished_layer", "0");
    let mut evidence = StoreEvidence::new(&mut site.store).unwrap();
    assert_eq!(evidence.horizon(), Some(0));
    let mut indexed = 0;
    evidence.pages(&mut |facts| indexed += u32::from(facts.reason.state() == State::Fetched)).unwrap();
    assert_eq!(indexed, 1);
    let mut told = Vec::new();
    evidence.links(&mut |page| told.push(page.id.0)).unwrap();
    assert_eq!(told, [1]);
}
