//! `groma read-odbc`, hidden: holds a driver of ODBC for a summarizer that does not trust it with its own time and memory.

use std::io::{stdin, stdout};

use groma_settings::Fault;
use groma_settings::wording::SEE_HELP;
use groma_summary::odbc::serve_odbc;

use crate::Exit;

pub(crate) fn run() -> Result<Exit, Fault> {
    serve_odbc(stdin(), stdout().lock()).map_err(|error| Fault::new(error.to_string(), SEE_HELP))?;
    Ok(Exit::Fine)
}
