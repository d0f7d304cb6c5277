//! `groma read-apart`, hidden: reads documents for a crawl that does not trust them with its own time and memory.
//!
//! The limit on memory is the system's own (`setrlimit`, by the crate rustix, which others here bring along anyway and
//! which needs no unsafe code of ours): an allocation beyond it fails, and with it this process and nothing else. It bounds
//! what the process can write to (`RLIMIT_DATA`). The allocator takes a large piece of addresses as the program starts, so
//! the program sets the limit and then starts itself anew, which keeps it (`--memory 0`: it is set).

use std::io::{stdin, stdout};

use groma_crawl::apart::{LATE, serve_errands};
use groma_desk::{Fault, words};

use crate::Exit;

pub(crate) fn run(memory: u64) -> Result<Exit, Fault> {
    if memory > 0 {
        start_anew(memory);
    }
    let late = || std::process::exit(i32::from(LATE));
    serve_errands(stdin().lock(), stdout().lock(), late)
        .map_err(|error| Fault::new(error.to_string(), words::SEE_HELP))?;
    Ok(Exit::Fine)
}

/// Starts the program anew within the limit; comes back only where that cannot be done.
#[cfg(unix)]
fn start_anew(memory: u64) {
    use std::os::unix::process::CommandExt;

    use groma_crawl::apart::{COMMAND, MEMORY};
    use rustix::process::{Resource, Rlimit, setrlimit};
    let set = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    if set(Resource::Data, memory).is_ok() && set(Resource::Core, 0).is_ok() {
        // It does not come back.
        let program = std::env::current_exe().unwrap_or_default();
        let _ = std::process::Command::new(program).args([COMMAND, MEMORY, "0"]).exec();
    }
}

#[cfg(not(unix))]
fn start_anew(_: u64) {}
