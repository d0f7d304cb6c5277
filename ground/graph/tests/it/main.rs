//! The laws of rows, ranks, maps and cuts, by definition, and ranks against independent implementations.

mod facts;
mod flow;
mod maps;
mod ranks;
mod rows;
