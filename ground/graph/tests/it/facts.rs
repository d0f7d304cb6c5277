//! Ranks against independent implementations.
//!
//! Ours: x = (1 - k) 1 + k M x, dead ends give nothing, so x = (1 - k) (I - k M)^-1 1. igraph and networkx hand the rank of
//! dead ends to all nodes alike: y = ((1 - k) / n) 1 + k M y + (k / n) (sum of y over dead ends) 1. The last and the first term are both
//! multiples of the vector 1, hence y is a multiple of (I - k M)^-1 1 too: divided by their sums, x and y are the same. This
//! holds as long as both the jumps and the dead ends go to all nodes alike, which is the default of both libraries. Parallel
//! links and self links have to be taken out before, as we do.

use std::path::Path;

use groma_graph::Csr;
use groma_graph::pagerank::{Settings, rank, rank_by_scan};

/// The numbers of the lines that begin with this word (any line if it is empty), without remarks.
fn lines<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = Vec<f64>> + 'a {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(move |line| line.strip_prefix(word))
        .map(|line| line.split_whitespace().map(|number| number.parse().expect("a number")).collect())
}

#[test]
fn a_graph_of_thirty_nodes_agrees_with_networkx_and_numpy() {
    let text = include_str!("facts/thirty.txt");
    let graph = Csr::of_arcs(30, lines(text, "arc").map(|arc| (arc[0] as u32, arc[1] as u32)));
    assert_eq!(graph.arc_count(), 84);
    let settings = Settings { tolerance: 1e-12, ..Settings::default() };
    for ranks in [rank(&graph, &settings), rank_by_scan(&graph, &settings)] {
        assert!(ranks.converged());
        let sum: f64 = ranks.values.iter().sum();
        assert_eq!(lines(text, "rank").count(), 30);
        for line in lines(text, "rank") {
            let rank = ranks.values[line[0] as usize];
            assert!((rank / sum - line[1]).abs() < 1e-12, "{line:?}: {}", rank / sum);
            assert!((rank - line[2]).abs() < 1e-11, "{line:?}: {rank}");
        }
    }
}

/// Runs where the data set stands beside the repository.
#[test]
fn cnr_2000_agrees_with_igraph() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/graphs/cnr-2000.edges.bin.zst");
    let Ok(packed) = std::fs::File::open(path) else { return };
    let bytes = zstd::decode_all(packed).unwrap();
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let graph = Csr::of_arcs(325_557, bytes.chunks_exact(8).map(|pair| (word(pair), word(&pair[4..]))));
    assert_eq!((bytes.len() / 8, graph.arc_count()), (3_216_152, 3_128_710));
    let ranks = rank(&graph, &Settings { tolerance: 1e-6, ..Settings::default() });
    assert!(ranks.converged());
    let sum: f64 = ranks.values.iter().sum();
    let text = include_str!("facts/cnr-2000.txt");
    assert_eq!(lines(text, "").count(), 200);
    for line in lines(text, "") {
        let found = ranks.values[line[0] as usize] / sum;
        assert!((found / line[1] - 1.0).abs() < 1e-6, "{line:?}: {found}");
    }
}
