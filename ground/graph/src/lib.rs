//! Link graphs: who links to whom, how much weight that gives, and the tree that shows a site at a glance.
//!
//! Pure and deterministic: the same arcs give the same ranks and the same tree, bit for bit, on any number of cores.
//!
//! ```
//! use groma_graph::{Csr, pagerank};
//!
//! // Both other pages link to the first.
//! let graph = Csr::of_arcs(3, [(1, 0), (2, 0), (0, 1)]);
//! let ranks = pagerank::rank(&graph, &pagerank::Settings::default());
//! assert!(ranks.converged() && ranks.values[0] > ranks.values[1] && ranks.values[1] > ranks.values[2]);
//! ```

mod build;
mod csr;
pub mod flow;
mod grow;
mod marks;
pub mod mcl;
mod order;
pub mod pagerank;
mod pull;
mod regrow;
mod rounds;
mod scan;
mod transpose;
mod tree;
mod weighted;

pub use build::Rows;
pub use csr::Csr;
pub use order::Order;
pub use regrow::Stand;
pub use rounds::{Going, Progress};
pub use scan::{ArcScan, MarkedRow};
pub use tree::{Tree, WalkStep};
pub use weighted::Weighted;
