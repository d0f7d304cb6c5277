//! The sites as a client on the other side of a socket sees them: each switch does what it says.

mod cityworld;
mod client;
mod drawn;
mod random;
mod switches;
