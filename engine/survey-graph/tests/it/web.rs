//! Which pages bounds are found on, and by which links.

use groma_graph::Csr;
use groma_model::{BlockKind, LinkKind, PageId, Reason};
use groma_store::{Store, WriteBatch};
use groma_survey_graph::{LinkSet, PageWeb, SurveyGraphError};

use crate::{Page, Site, link, page, url};

fn read(site: &mut Site) -> PageWeb {
    PageWeb::read(&mut site.store, LinkSet::Pages, None).expect("a survey that can be read")
}

#[test]
fn pages_that_were_read_take_part_and_aliases_are_other_names() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::Fetched, 0, &[2, 3, 4, 5, 1, 6]),
        page(2, Reason::Fetched, 1, &[1]),
        Page { alias_of: Some(2), ..page(3, Reason::Redirected, 1, &[]) },
        page(4, Reason::NotFound, 1, &[]),
        page(5, Reason::OutOfScope, 1, &[]),
        page(6, Reason::Waiting, 1, &[]),
    ]);
    let web = read(&mut site);
    assert_eq!(web.nodes().collect::<Vec<_>>(), [1, 2], "what was not read takes no part");
    assert_eq!(web.graph.successors(1), [2], "by a link and an alias; nothing waits for a layer to be finished");
    assert_eq!((web.first_page(), web.address(2)), (Some(1), url(2).as_str()));
    let tokens = web.tokens();
    assert_eq!(tokens.len(), 7, "numbers of URLs are numbers of lists");
    assert_eq!((tokens.url_tokens(1).len(), tokens.url_tokens(5).len()), (3, 0));
    assert_eq!(tokens.distance(1, 2, 9), 1);
}

#[test]
fn images_and_scripts_lead_nowhere_unless_they_are_asked_for() {
    let part = |number, kind, targets: &[u32]| Page { kind, ..page(number, Reason::Fetched, 1, targets) };
    let mut first = page(1, Reason::Fetched, 0, &[2, 3, 4]);
    first.links = vec![
        link(LinkKind::Image, BlockKind::Paragraph),
        link(LinkKind::Image, BlockKind::Paragraph),
        link(LinkKind::Anchor, BlockKind::Paragraph),
    ];
    let pages =
        vec![first, part(2, LinkKind::Image, &[]), part(3, LinkKind::Image, &[]), part(4, LinkKind::Anchor, &[3])];
    let mut site = Site::with_pages(pages);
    let web = read(&mut site);
    assert_eq!(web.nodes().collect::<Vec<_>>(), [1, 3, 4], "3 is linked like a page too");
    assert_eq!(web.graph.successors(1), [4]);
    let all = PageWeb::read(&mut site.store, LinkSet::All, None).expect("a survey that can be read");
    assert_eq!(all.graph.successors(1), [2, 3, 4]);
    assert_ne!(all.mark.graph, web.mark.graph);
}

#[test]
fn the_mark_is_another_when_a_link_is() {
    let mut site = Site::with_pages(vec![page(1, Reason::Fetched, 0, &[2]), page(2, Reason::Fetched, 1, &[])]);
    let mut same = Site::with_pages(vec![page(1, Reason::Fetched, 0, &[2]), page(2, Reason::Fetched, 1, &[])]);
    let mut other = Site::with_pages(vec![page(1, Reason::Fetched, 0, &[2]), page(2, Reason::Fetched, 1, &[1])]);
    let (mark, again) = (read(&mut site).mark, read(&mut same).mark);
    assert_eq!(mark, again);
    assert_ne!(mark.graph, read(&mut other).mark.graph, "the change log says nothing of it, the graph does");
    site.set("some", "thing");
    let seen = PageWeb::read(&mut site.store, LinkSet::Pages, Some(&mark)).expect("can be read").mark;
    assert_eq!(mark, seen);
}

#[test]
fn texts_of_links_are_lent_with_both_ends() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::Fetched, 0, &[2, 3, 1, 4]),
        page(2, Reason::Fetched, 1, &[]),
        Page { alias_of: Some(2), ..page(3, Reason::Redirected, 1, &[]) },
        page(4, Reason::OutOfScope, 1, &[]),
    ]);
    let web = read(&mut site);
    let mut found = Vec::new();
    web.each_anchor(&mut site.store, &mut |from, to, text| found.push((from, to, text.to_owned()))).expect("reads");
    let expected = [(1, 2), (1, 2), (1, 4)].map(|(from, to)| (from, to, "a link".to_owned()));
    assert_eq!(found, expected, "a link to itself says nothing");
}

#[test]
fn an_imported_graph_takes_part_as_a_whole_once_it_is_whole() {
    let mut site = Site::empty();
    let graph = Csr::of_arcs(3, [(1, 2), (2, 0)]);
    let names = ["http://a.test/", "http://b.test/", "http://b.test/x"].map(str::to_owned).to_vec();
    let nodes = groma_survey_graph::import::Nodes::Addresses(names);
    groma_survey_graph::import::write(&mut site.store, &graph, &nodes, 100, &mut |_| {}).expect("can be written");
    let web = read(&mut site);
    assert_eq!(web.nodes().collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(web.first_page(), Some(2), "the first node that links to another");
    let mut links = 0;
    web.each_anchor(&mut site.store, &mut |_, _, _| links += 1).expect("reads");
    assert_eq!(links, 0, "no texts are known");
    let mut half = Site::empty();
    let begins = WriteBatch { now: 1, run: 1, run_begins: Some("import".into()), ..WriteBatch::default() };
    half.store.commit(&begins).expect("a proper batch");
    assert!(matches!(PageWeb::read(&mut half.store, LinkSet::Pages, None), Err(SurveyGraphError::HalfImported)));
    let mut empty = Site::empty();
    let web = read(&mut empty);
    assert_eq!((web.first_page(), web.nodes().count()), (None, 0));
    assert!(!web.is_page(PageId(0).0));
}
