//! Link graphs: who links to whom, how much weight that gives, and the tree that shows a site at a glance.
//!
//! Pure and deterministic: the same arcs give the same ranks and the same tree, bit for bit, on any number of cores.

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
pub use tree::{Step, Tree};
pub use weighted::Weighted;
