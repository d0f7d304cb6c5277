//! What needs several rooms of the crate.

mod cover;
