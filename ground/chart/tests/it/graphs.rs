//! GEXF and GraphML: every page a node, every link an edge, every branch marked; read by a library where there is one.

use groma_chart::{Labels, SiteMap, gexf, graphml};
use groma_graph::ArcScan;

use crate::hostile::Hostile;
use crate::made_up::MadeUp;
use crate::programs::{content, file, run};
use crate::xml::{elements, legal};

fn both(map: &SiteMap<'_>, labels: &mut dyn Labels, arcs: &dyn ArcScan) -> [Vec<u8>; 2] {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    gexf::render(map, labels, arcs, &mut first).unwrap();
    graphml::render(map, labels, arcs, &mut second).unwrap();
    [first, second]
}

fn arc_count(arcs: &dyn ArcScan) -> usize {
    let mut count = 0;
    arcs.scan(&mut |_, successors| count += successors.len());
    count
}

/// Branches of a document: edges marked as such.
fn branches(bytes: &[u8]) -> usize {
    let text = std::str::from_utf8(bytes).unwrap();
    text.matches("for=\"tree\" value=\"true\"").count() + text.matches("<data key=\"tree\">true<").count()
}

#[test]
fn every_page_is_a_node_and_every_link_an_edge() {
    let site = MadeUp::site(800);
    let map = SiteMap::new(site.heading(), site.tree());
    for bytes in both(&map, &mut site.labels(), &site) {
        assert_eq!(elements(&bytes, "node", "id").0.len(), 800);
        assert_eq!(elements(&bytes, "edge", "source").0.len(), arc_count(&site));
        assert_eq!(branches(&bytes), 799);
    }
}

#[test]
fn a_layer_limit_leaves_whole_graphs() {
    let site = MadeUp::site(800);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.depth = Some(2);
    for bytes in both(&map, &mut site.labels(), &site) {
        let nodes: std::collections::HashSet<_> = elements(&bytes, "node", "id").0.into_iter().collect();
        assert_eq!(nodes.len() as u32, site.tree().layer(2).end);
        assert_eq!(branches(&bytes), nodes.len() - 1);
        for end in ["source", "target"] {
            assert!(elements(&bytes, "edge", end).0.iter().all(|node| nodes.contains(node)));
        }
    }
}

/// A graph without arcs still has its tree.
struct NoArcs;

impl ArcScan for NoArcs {
    fn node_count(&self) -> u32 {
        0
    }
    fn scan(&self, _: &mut dyn FnMut(u32, &[u32])) {}
}

#[test]
fn branches_are_there_even_without_arcs() {
    let site = MadeUp::site(50);
    let map = SiteMap::new(site.heading(), site.tree());
    for bytes in both(&map, &mut site.labels(), &NoArcs) {
        assert_eq!((elements(&bytes, "edge", "source").0.len(), branches(&bytes)), (49, 49));
    }
}

#[test]
fn hostile_labels_stay_in_their_place() {
    let hostile = Hostile::new();
    let [gexf, graphml] = both(&hostile.map(), &mut Hostile::new(), &hostile);
    let count = hostile.texts.len();
    let (labels, _) = elements(&gexf, "node", "label");
    assert!(labels.iter().flatten().any(|label| *label == legal(&hostile.texts[2].0)));
    assert_eq!((labels.len(), elements(&graphml, "node", "id").0.len()), (count, count));
    assert_eq!(elements(&graphml, "edge", "source").0.len(), count * (count - 1));
}

#[test]
fn a_library_reads_both() {
    let site = MadeUp::site(400);
    let map = SiteMap::new(site.heading(), site.tree());
    let hostile = Hostile::new();
    let sites = [
        ("site", both(&map, &mut site.labels(), &site), 400, arc_count(&site)),
        ("hostile", both(&hostile.map(), &mut Hostile::new(), &hostile), hostile.texts.len(), arc_count(&hostile)),
    ];
    if !run("python3", &["-c", "import networkx"]).is_some_and(|output| output.status.success()) {
        eprintln!("skipped: python3 has no networkx");
        return;
    }
    let program = "import sys, networkx as nx\n\
        g = nx.read_gexf(sys.argv[1]) if sys.argv[1].endswith('.gexf') else nx.read_graphml(sys.argv[1])\n\
        tree = [e for e in g.edges(data=True) if e[2]['tree'] is True]\n\
        t = nx.DiGraph(); t.add_edges_from((a, b) for a, b, _ in tree)\n\
        some = next(iter(g.nodes(data=True)))[1]\n\
        print(g.is_directed(), g.number_of_nodes(), g.number_of_edges(), nx.is_arborescence(t), isinstance(some['pages'], int))\n";
    for (name, documents, nodes, edges) in sites {
        for (bytes, form) in documents.iter().zip(["gexf", "graphml"]) {
            let path = file(&format!("library-{name}.{form}"), bytes);
            let output = run("python3", &["-c", program, path.to_str().unwrap()]).unwrap();
            content(&output, form);
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(said.trim(), format!("True {nodes} {edges} True True"), "{name}.{form}");
        }
    }
}
