//! The laws of rows, ranks, maps, clusters and cuts, by definition, and against independent implementations.

mod clusters;
mod facts;
mod flow;
mod maps;
mod ranks;
mod rows;
mod textbook;
