//! Files that are named on the command line: a task holds what stands in them.

use std::fs::File;
use std::io::Read;

use super::scalar::Text;
use crate::Fault;

/// A list of pages is not longer than this.
const LIST_BYTES: u64 = 64 << 20;

fn read(path: &str, most: u64) -> Result<String, String> {
    let says = |error: std::io::Error| Fault::of_input(path, &error).says;
    let mut bytes = Vec::new();
    if path == "-" {
        std::io::stdin().take(most).read_to_end(&mut bytes).map_err(says)?;
    } else {
        File::open(path).map_err(says)?.take(most).read_to_end(&mut bytes).map_err(says)?;
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// The text of a file; `-` is stdin.
pub(super) fn text_of_file<const MAX: usize>(path: &str) -> Result<Text<MAX>, String> {
    read(path, MAX as u64 + 1)?.parse()
}

/// Pages, one a line; lines that begin with # do not count.
pub(super) fn pages_of_file(path: &str) -> Result<super::bounds::PageList, String> {
    let text = read(path, LIST_BYTES)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let pages: Vec<String> = lines.map(str::to_owned).collect();
    if pages.is_empty() {
        return Err(crate::words::NO_SEED_PAGES.to_owned());
    }
    Ok(super::bounds::PageList { name: path.to_owned(), pages })
}
