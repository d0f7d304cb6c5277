//! The laws of rows, ranks and maps, by definition, and ranks against independent implementations.

mod facts;
mod maps;
mod ranks;
mod rows;
