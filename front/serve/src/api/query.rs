//! What a query may hold.

use crate::error::Problem;
use crate::words;

/// A text of a query is neither empty nor longer than this.
pub(super) fn check_length(name: &str, text: Option<&str>, most: usize) -> Result<(), Problem> {
    match text.map(|text| text.chars().count()) {
        Some(0) => Err(Problem::bad(empty(name), words::QUERY_HINT)),
        Some(letters) if letters > most => Err(Problem::bad(words::too_long(name, most), words::QUERY_HINT)),
        _ => Ok(()),
    }
}

/// A number of a query is not greater than this.
pub(super) fn check_number(name: &str, number: u32, most: u32) -> Result<usize, Problem> {
    if number > most {
        return Err(Problem::bad(too_great(name, most), words::QUERY_HINT));
    }
    Ok(number as usize)
}

fn empty(name: &str) -> String {
    format!("{name} is empty")
}

fn too_great(name: &str, most: u32) -> String {
    format!("{name} is greater than {most}")
}
