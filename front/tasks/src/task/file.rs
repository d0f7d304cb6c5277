//! Files that are named on the command line: a task holds what stands in them.

use std::fs::File;
use std::io::Read;

use groma_settings::Fault;

use crate::task::scalar::Text;

/// A file up to `most` bytes; `-` is stdin.
pub(crate) fn read(path: &str, most: u64) -> Result<String, String> {
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
pub(crate) fn text_of_file<const MAX: usize>(path: &str) -> Result<Text<MAX>, String> {
    read(path, MAX as u64 + 1)?.parse()
}
