//! `groma`, the binary: reads what was typed, finds out what it means, lets the engine work, and says what came of it.
//!
//! Exit codes: 0 ok, 1 findings, 2 usage or I/O, 3 nothing fetched, 4 limit reached (state saved), 130 interrupted (state saved).

mod args;
mod balance;
mod command;
mod demo;
#[cfg(test)]
mod doors;
mod exit;
mod output;
mod paint;
mod results;
mod signals;
mod survey;
mod terminal;
mod watch;
mod wording;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use groma_settings::address;

use crate::args::Cli;
use crate::exit::report_usage_error;
use crate::output::tell;

pub(crate) use crate::exit::Exit;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Stack of the thread that works, whatever the first one was given (`ulimit -s`).
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new().name("groma".into()).stack_size(STACK).spawn(run);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // It panicked, and has said so.
        Ok(Err(_)) => ExitCode::from(101),
        // No thread to be had: this one will do.
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    groma_fetch::take_all_files();
    let typed: Vec<_> = std::env::args_os().collect();
    if let Ok(program) = std::env::current_exe() {
        #[cfg(feature = "odbc")]
        groma_summary::odbc::read_odbc_by(program.clone(), vec![groma_summary::odbc::COMMAND.into()]);
        groma_crawl::apart::read_apart_by(program);
    }
    let result = match Cli::try_parse_from(with_command(typed)) {
        Ok(cli) => command::run(&cli),
        Err(error) => report_usage_error(&error),
    };
    match result {
        Ok(exit) => ExitCode::from(exit as u8),
        // Whoever read our output has seen enough.
        Err(fault) if fault.quiet => ExitCode::SUCCESS,
        Err(fault) => {
            tell(&format!("groma: {}", fault.says));
            tell(&format!("hint: {}", fault.hint));
            ExitCode::from(2)
        }
    }
}

/// `groma URL` means `groma survey URL`.
fn with_command(mut typed: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let first = typed.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let known = Cli::command().get_subcommands().any(|command| command.get_name() == first);
    if !known && address::looks_like_one(first) {
        typed.insert(1, "survey".into());
    }
    typed
}
