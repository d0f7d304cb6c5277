//! Programs that read our forms, where they are installed; a test that needs one that is not there says so and passes.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A file for a program to read.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Runs a program; nothing if it is not installed.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Option<Output> {
    match Command::new(program).args(arguments).output() {
        Ok(output) => Some(output),
        Err(_) => {
            eprintln!("skipped: {program} is not installed");
            None
        }
    }
}

/// Fails with what the program said, unless it was content.
pub(crate) fn content(output: &Output, what: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {}", said.chars().take(2_000).collect::<String>());
}
