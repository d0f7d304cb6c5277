//! Which URLs are nodes, which links are arcs, and what a map shows of them.

use groma_chart::{Labels, Sort};
use groma_graph::pagerank::Settings;
use groma_model::{BlockKind, LinkKind, PageId, Reason};
use groma_survey_graph::{Counted, LinkSet, Reading, StoreLabels, SurveyGraph, SurveyGraphError};

use crate::{Page, Site, link, page, url};

fn read(site: &mut Site) -> SurveyGraph {
    SurveyGraph::read(&mut site.store, &Reading::default()).expect("a survey that can be read")
}

fn urls(nodes: impl Iterator<Item = u32>) -> Vec<u32> {
    nodes.collect()
}

#[test]
fn nodes_are_indexed_and_registered_pages_and_aliases_are_other_names() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::Fetched, 0, &[2, 2, 3, 4, 5, 6, 1]),
        page(2, Reason::Fetched, 1, &[1]),
        Page { alias_of: Some(2), ..page(3, Reason::Redirected, 1, &[]) },
        page(4, Reason::NotFound, 1, &[]),
        page(5, Reason::OutOfScope, 1, &[]),
        page(6, Reason::Excluded, 1, &[]),
    ]);
    let survey_graph = read(&mut site);
    assert_eq!(survey_graph.graph.successors(1), [2, 5], "2 once, by two links and an alias; 1 itself not at all");
    assert_eq!(survey_graph.broken[1], 1);
    assert_eq!(urls(survey_graph.by_rank()), [1, 2, 5]);
    // PR(1) = 0.15 + 0.85 PR(2); PR(2) = PR(5) = 0.15 + 0.85 PR(1) / 2.
    let one = (0.15 + 0.85 * 0.15) / (1.0 - 0.85 * 0.85 / 2.0);
    assert!((survey_graph.ranks.values[1] - one).abs() < 1e-8);
    assert!((survey_graph.ranks.values[5] - (0.15 + 0.425 * one)).abs() < 1e-8);
    let tree = survey_graph.tree(survey_graph.root(None).unwrap());
    assert_eq!((tree.len(), survey_graph.unreached(&tree)), (2, 0), "5 is outside the scope");
    assert_eq!(survey_graph.root(Some(PageId(3))).unwrap(), 2, "an alias stands for its page");
    assert!(matches!(
        survey_graph.root(Some(PageId(4))),
        Err(SurveyGraphError::RootNotIndexed { reason: Reason::NotFound, .. })
    ));
}

#[test]
fn parts_of_pages_are_no_pages_unless_asked_for() {
    let mut start = page(1, Reason::Fetched, 0, &[2, 3, 4]);
    start.links[0] = link(LinkKind::Image, BlockKind::Paragraph);
    start.links[1] = link(LinkKind::Image, BlockKind::Paragraph);
    let part = |number| Page { kind: LinkKind::Image, ..page(number, Reason::Asset, 1, &[]) };
    let both = page(4, Reason::Fetched, 1, &[3]);
    let mut site = Site::with_pages(vec![start, part(2), part(3), both]);
    let survey_graph = read(&mut site);
    assert_eq!(urls(survey_graph.by_rank()), [3, 4, 1], "2 is only shown, 3 is linked by 4 too");
    let all = SurveyGraph::read(&mut site.store, &Reading { links: LinkSet::All, ..Reading::default() }).unwrap();
    assert_eq!(all.by_rank().count(), 4);
    assert_eq!(all.graph.successors(1), [2, 3, 4]);
    let mut labels = StoreLabels::new(&mut site.store, &survey_graph, true).unwrap();
    let label = labels.label(1).unwrap();
    assert_eq!((label.title.as_str(), label.links_out, label.size), ("page 1", 1, Some(1001)));
    assert_eq!(label.parts.files[Sort::Image as usize], 2);
    assert_eq!(label.parts.bytes[Sort::Page as usize], 1004);
    assert_eq!(labels.label(3).unwrap().links_in, 1);
}

#[test]
fn while_pages_wait_only_finished_layers_count() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::Fetched, 0, &[2, 3]),
        page(2, Reason::Fetched, 1, &[4]),
        page(3, Reason::DepthLimit, 1, &[]),
        page(4, Reason::Fetched, 2, &[5, 6]),
        page(5, Reason::Waiting, 3, &[]),
        page(6, Reason::Waiting, 2, &[]),
    ]);
    let none = SurveyGraph::read(&mut site.store, &Reading::default());
    assert!(matches!(none, Err(SurveyGraphError::NoLayer)));
    site.set("finished_layer", "1");
    let survey_graph = read(&mut site);
    assert_eq!(survey_graph.horizon, Some(1));
    let tree = survey_graph.tree(survey_graph.root(None).unwrap());
    assert_eq!((tree.len(), tree.layer_count()), (4, 3), "what layer 1 links to is known, what is behind is not");
    assert!(survey_graph.is_page(4) && survey_graph.graph.successors(4).is_empty() && !survey_graph.is_page(5));
}

#[test]
fn the_first_start_page_that_was_read_is_the_root() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::NotFound, 0, &[]),
        page(2, Reason::Fetched, 0, &[3]),
        page(3, Reason::Fetched, 1, &[]),
    ]);
    let survey_graph = read(&mut site);
    assert_eq!(survey_graph.root(None).unwrap(), 2);
    let mut part = page(2, Reason::Fetched, 1, &[]);
    part.kind = LinkKind::Image;
    let mut start = page(1, Reason::Fetched, 0, &[2, 4, 4]);
    start.links[0] = link(LinkKind::Image, BlockKind::Paragraph);
    let mut site = Site::with_pages(vec![start, part, page(4, Reason::Gone, 1, &[])]);
    let survey_graph = read(&mut site);
    assert!(matches!(survey_graph.root(Some(PageId(2))), Err(SurveyGraphError::RootNoPage { .. })));
    assert_eq!(survey_graph.broken[1], 1, "two links to one invalid URL");
}

#[test]
fn navigation_links_can_weigh_less() {
    // 1 links to 2 in its navigation and to 3 in its text.
    let mut start = page(1, Reason::Fetched, 0, &[2, 3]);
    start.links[0] = link(LinkKind::Anchor, BlockKind::Navigation);
    let mut site = Site::with_pages(vec![start, page(2, Reason::Fetched, 1, &[]), page(3, Reason::Fetched, 1, &[])]);
    let ranking = Settings { navigation: 0.25, ..Settings::default() };
    let survey_graph = SurveyGraph::read(&mut site.store, &Reading { ranking, ..Reading::default() }).unwrap();
    let (two, three) = (survey_graph.ranks.values[2], survey_graph.ranks.values[3]);
    assert!((two - (0.15 + 0.85 * 0.15 * 0.2)).abs() < 1e-9, "{two}");
    assert!((three - (0.15 + 0.85 * 0.15 * 0.8)).abs() < 1e-9, "{three}");
}

#[test]
fn what_most_pages_link_to_is_navigation_wherever_it_stands() {
    // Twenty pages: all link to 1, each to the next one.
    let pages = (1..=20).map(|n| page(n, Reason::Fetched, u32::from(n > 1), &[1, n % 20 + 1]));
    let mut site = Site::with_pages(pages.collect());
    let ranking = Settings { navigation: 0.0, ..Settings::default() };
    let survey_graph = SurveyGraph::read(&mut site.store, &Reading { ranking, ..Reading::default() }).unwrap();
    assert!(
        (survey_graph.ranks.values[1] - 0.15).abs() < 1e-9,
        "only menus lead to it: {}",
        survey_graph.ranks.values[1]
    );
    assert_eq!(survey_graph.standings.names.url(7), url(7));
}

#[test]
fn a_part_of_the_survey_can_be_looked_at_alone() {
    let mut site = Site::with_pages(vec![
        page(1, Reason::Fetched, 0, &[2, 3]),
        page(2, Reason::Fetched, 1, &[4]),
        page(3, Reason::Fetched, 1, &[4]),
        page(4, Reason::Fetched, 2, &[]),
    ]);
    let mut survey_graph = read(&mut site);
    let ranks = survey_graph.ranks.values.clone();
    survey_graph.restrict(vec![false, true, false, true]);
    let tree = survey_graph.tree(1);
    assert_eq!((0..tree.len()).map(|place| tree.node(place)).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(
        (survey_graph.unreached(&tree), survey_graph.ranks.values == ranks),
        (0, true),
        "ranks are those of the whole"
    );
    assert!(!survey_graph.is_in_scope(4) && survey_graph.is_page(4));
}

#[test]
fn what_is_passed_on_is_the_graph_that_is_read() {
    // Parallel links (one of them in the text), a link to itself, to another name, to what is broken, to a part of a page.
    let mut start = page(1, Reason::Fetched, 0, &[2, 2, 1, 5, 4, 3, 6]);
    start.links[0] = link(LinkKind::Anchor, BlockKind::Navigation);
    start.links[5] = link(LinkKind::Anchor, BlockKind::Navigation);
    start.links[6] = link(LinkKind::Image, BlockKind::Paragraph);
    let other = Page { alias_of: Some(3), ..page(5, Reason::Redirected, 1, &[]) };
    let picture = Page { kind: LinkKind::Image, ..page(6, Reason::Asset, 1, &[]) };
    let pages = vec![
        start,
        page(2, Reason::Fetched, 1, &[1, 3]),
        page(3, Reason::DepthLimit, 1, &[]),
        page(4, Reason::Gone, 1, &[]),
        other,
        picture,
    ];
    let mut site = Site::with_pages(pages);
    for (links, navigation) in [(LinkSet::Pages, 1.0), (LinkSet::Pages, 0.5), (LinkSet::All, 0.5)] {
        let reading = Reading { links, ranking: Settings { navigation, ..Settings::default() } };
        let here = SurveyGraph::read(&mut site.store, &reading).unwrap();
        let counted = Counted::read(&mut site.store, &reading).unwrap();
        let mut arcs = Vec::new();
        let passed = counted.each_arc(&mut site.store, &mut |from, to, mark| arcs.push((from, to, mark))).unwrap();
        let mut rows = groma_graph::Rows::new(counted.standings.count());
        for row in arcs.chunk_by(|a, b| a.0 == b.0) {
            rows.push_marked(row[0].0, &mut row.iter().map(|arc| (arc.1, arc.2)).collect());
        }
        assert_eq!(rows.finish(), here.graph);
        assert_eq!(passed.arcs, here.graph.arc_count());
        let afar = SurveyGraph::of_ranks(counted, passed, here.ranks.clone());
        assert!(here.has_links() && !afar.has_links());
        assert!(afar.by_rank().eq(here.by_rank()));
        assert_eq!((afar.links_in(), &afar.broken), (here.links_in(), &here.broken));
        for node in 0..=6 {
            let told = |survey_graph: &SurveyGraph| {
                (survey_graph.links_out(node), survey_graph.is_page(node), survey_graph.is_in_scope(node))
            };
            assert_eq!(told(&afar), told(&here), "{node}");
        }
        assert_eq!(afar.first_root(), here.first_root());
    }
}
