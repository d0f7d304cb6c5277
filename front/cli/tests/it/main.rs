//! The binary from outside: what is typed, what comes out, and with which exit code.

mod archive;
mod bad_input;
mod bounds;
mod browser;
mod catalogue;
mod content;
mod crawl;
mod damage;
mod databases;
mod demo;
mod engine;
mod explain;
#[cfg(feature = "parquet")]
mod export;
mod exports;
mod extract;
mod faults;
mod focus;
mod gather;
mod hostile;
mod jobs;
mod lasting;
mod login;
mod museum;
mod readme;
mod report;
mod results;
mod scarce;
mod scenarios;
mod search;
mod search_box;
mod serve;
mod settings;
mod summarize;
mod update;
mod workers;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// A folder of its own for each test; it goes with the test.
struct Desk {
    path: PathBuf,
}

/// Are surveys kept on a server? Then a test that looks at files, or at what people read about them, has nothing to look at.
fn is_on_server() -> bool {
    std::env::var_os("GROMA_TEST_ON_SERVER").is_some()
}

/// What a command came to.
struct Done {
    code: i32,
    out: String,
    err: String,
}

impl Desk {
    fn new() -> Desk {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("groma-it-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        groma_testweb::keep_on_server(&path);
        Desk { path }
    }

    /// The command, to be changed before it is run. Nothing of the environment has a say in it.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_groma"));
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("GROMA_") || name.to_ascii_lowercase().ends_with("_proxy") {
                command.env_remove(name);
            }
        }
        // Pages of tests link to hosts that are no business of ours.
        command.env("GROMA_OUTSIDE", "no");
        command.current_dir(&self.path).args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Done {
        Done::from_output(&self.command(args).output().expect("the binary runs"))
    }

    /// Runs a command that must end well, and reads its lines as JSON.
    fn json(&self, args: &[&str]) -> Vec<Value> {
        let done = self.run(args);
        assert_eq!(done.code, 0, "{args:?}: {}", done.err);
        done.json()
    }

    fn status(&self, store: &str) -> Value {
        self.json(&["status", "-f", "json", "--store", store]).remove(0)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path.join(name), text).expect("a file for the test");
    }
}

impl Done {
    fn from_output(output: &Output) -> Done {
        Done {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }

    /// A mistake is told in two lines and nothing else.
    fn is_mistake(&self, says: &str) {
        assert_eq!(self.code, 2, "{} {}", self.out, self.err);
        let lines: Vec<&str> = self.err.lines().filter(|line| !line.starts_with("note: ")).collect();
        assert_eq!(lines.len(), 2, "{}", self.err);
        assert!(lines[0].starts_with("groma: ") && lines[0].contains(says), "{says}: {}", self.err);
        assert!(lines[1].starts_with("hint: ") && lines[1].len() > 10, "{}", self.err);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The balance of the spec holds.
fn assert_balance(status: &Value) {
    let n = |key: &str| status[key].as_u64().unwrap_or_else(|| panic!("{key} in {status}"));
    assert_eq!(n("discovered"), n("fetched") + n("skipped") + n("excluded") + n("broken") + n("queued"), "{status}");
    let parts = &status["broken_parts"];
    let part = |key: &str| parts[key].as_u64().unwrap_or_else(|| panic!("{key} in {status}"));
    assert_eq!(n("broken"), part("gone") + part("unreachable") + part("malformed"), "{status}");
}

fn exists(path: &Path, name: &str) -> bool {
    path.join(name).exists()
}
