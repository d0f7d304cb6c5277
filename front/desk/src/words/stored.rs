//! What people read about where surveys are kept.

use groma_model::wording::size;

use super::counted;

pub fn copied(rows: u64, bytes: u64, seconds: f64) -> String {
    let rows = counted(rows, "row", "rows");
    format!("{rows}, {}, {seconds:.1} s: the same on both sides", size(bytes))
}

pub const EXPORT_THERE_HINT: &str = "name another place, or remove it first";

pub fn is_there(path: &str) -> String {
    format!("{path} is there already")
}
