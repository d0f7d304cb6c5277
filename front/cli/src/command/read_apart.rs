//! `groma read-apart`, hidden: reads documents for a crawl that does not trust them with its own time and memory. Whoever
//! starts it sets the limit on memory; the time it keeps itself.

use std::io::{stdin, stdout};

use groma_crawl::apart::{LATE, serve_read_tasks};
use groma_settings::Fault;
use groma_settings::wording::SEE_HELP;

use crate::Exit;

pub(crate) fn run() -> Result<Exit, Fault> {
    let late = || std::process::exit(i32::from(LATE));
    serve_read_tasks(stdin().lock(), stdout().lock(), late).map_err(|error| Fault::new(error.to_string(), SEE_HELP))?;
    Ok(Exit::Fine)
}
