//! The borders of a site by minimum cut: which pages hang together with the seeds more than with the rest?
//!
//! Formula: the source is joined to every seed with infinite capacity, every page (seeds too) to the sink with the same capacity,
//! the *price*; so the cut around a set X that holds the seeds is cut(X) = boundary(X) + price * |X|, where boundary(X) is the
//! capacity of the arcs that leave X. The site is the largest X of least cut: all nodes that cannot reach the sink over
//! arcs with residual capacity under a maximum flow. It costs the price to take in a page, and the links cut through to leave it
//! out. A price of 0 takes in everything, also what no link leads to.
//! Sites are nested: a lower price gives a larger site. So one preflow serves a whole family: when the price falls, sink arcs
//! become smaller, what no longer fits goes back to its page as excess, and heights only rise.
//! *Soft* seeds have a source arc of finite capacity, their *pull*; cut(X) then has the pulls of seeds outside X too.
//! Source: Senellart, Identifying Websites with Flow Simulation (2005), 2.4.1, for the network; Goldberg and Tarjan 1988 for the
//! flow; Gallo, Grigoriadis and Tarjan, A Fast Parametric Maximum Flow Algorithm and Applications, SIAM J. Comput. 18, 1989, for the
//! family; Veldt, Klymko and Gleich, Flow-Based Local Graph Clustering with Better Seed Set Inclusion, 2019, for soft seeds.
//! Cost: see `preflow.rs`; a price costs O(nodes) and what it adds to the flow. Debdocs (16,135 pages, 1,041,305 edges), 24 prices:
//! `cargo run --profile dist -p groma-bench -- flow` tells.
//! Exact: whole numbers throughout (`fixed.rs`), so ties are decided for the larger site and the result hangs on nothing but the
//! network, the seeds and the prices.
//! Not guaranteed: that a site is connected, or that there is a price at which it is the one that a person means.

mod distances;
mod family;
mod fixed;
mod network;
mod preflow;
mod sweep;

pub use family::{Cut, Family};
pub use network::Network;
pub use sweep::{cut, sweep, sweep_soft};
