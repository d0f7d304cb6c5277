//! A graph of strangers becomes a survey that passes its own check.

use groma_graph::Csr;
use groma_model::State;
use groma_store::{Snapshot, Store, WriteBatch, verify};
use groma_survey_graph::import::{EdgeFormat, Nodes, merge, read_edges, unpacked, write};
use groma_survey_graph::{Reading, SurveyGraph, SurveyGraphError};

use crate::Site;

#[test]
fn a_graph_of_addresses_is_ranked_and_mapped() {
    let text = b"http://a.test/ http://a.test/x\nhttp://a.test/ http://b.test/\nhttp://a.test/x http://b.test/#y\n";
    let packed = zstd::encode_all(text.as_slice(), 1).unwrap();
    let mut file = unpacked(Box::new(std::io::Cursor::new(packed))).unwrap();
    let list = read_edges(&mut *file, EdgeFormat::Auto).unwrap();
    let mut arcs = list.arcs;
    let (names, merged) = merge(list.names.unwrap(), &mut arcs).unwrap();
    assert_eq!(merged, 1);
    let nodes = Nodes::Addresses(names);
    let graph = Csr::of_arcs(nodes.count(), arcs);
    let mut site = Site::empty();
    let mut told = 0;
    write(&mut site.store, &graph, &nodes, 77, &mut |done| told = done).unwrap();
    assert_eq!(told, 3);
    let report = verify::verify(&mut site.store).unwrap();
    assert_eq!((report.wrong, report.links), (0, 3), "{:?}", report.complaints);
    assert_eq!(site.store.balance().unwrap().state(State::Fetched), 3);
    let survey_graph = SurveyGraph::read(&mut site.store, &Reading::default()).unwrap();
    let ranked: Vec<&str> = survey_graph.by_rank().map(|node| survey_graph.standings.names.url(node)).collect();
    assert_eq!(ranked, ["http://b.test/", "http://a.test/x", "http://a.test/"]);
    let tree = survey_graph.tree(survey_graph.root(None).unwrap());
    assert_eq!((tree.len(), tree.layer_count()), (3, 2), "the first node is the root");
}

#[test]
fn an_import_that_was_broken_off_is_not_taken_for_a_graph() {
    let mut site = Site::empty();
    let graph = Csr::of_arcs(3, [(1, 2), (2, 1)]);
    let nodes = Nodes::Numbers(vec![0, 1, 2]);
    write(&mut site.store, &graph, &nodes, 77, &mut |_| ()).unwrap();
    let survey_graph = SurveyGraph::read(&mut site.store, &Reading::default()).unwrap();
    assert_eq!(
        survey_graph.standings.names.url(survey_graph.root(None).unwrap()),
        "1",
        "a node that links to nothing is no root"
    );
    let mut half = Site::empty();
    half.store.commit(&WriteBatch { run: 1, run_begins: Some("import".into()), ..WriteBatch::default() }).unwrap();
    assert!(matches!(SurveyGraph::read(&mut half.store, &Reading::default()), Err(SurveyGraphError::HalfImported)));
}
