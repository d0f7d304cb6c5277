//! What a benchmark says: Markdown tables, and the promises that held or did not.

use std::process::ExitCode;

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    checks: u32,
    broken: Vec<String>,
}

impl Report {
    /// Notes whether a promise holds.
    pub(crate) fn check(&mut self, holds: bool, promise: impl FnOnce() -> String) {
        self.checks += 1;
        if !holds {
            self.broken.push(promise());
        }
    }

    /// Notes whether a number is what it must be.
    pub(crate) fn equal(&mut self, what: &str, found: u64, wanted: u64) {
        self.check(found == wanted, || format!("{what}: {found}, wanted {wanted}"));
    }

    /// Notes whether a number is small enough.
    pub(crate) fn at_most(&mut self, what: &str, found: f64, bound: f64) {
        self.check(found <= bound, || format!("{what}: {found:.2}, at most {bound} wanted"));
    }

    /// Takes over what another found.
    pub(crate) fn take_over(&mut self, other: Report) {
        self.checks += other.checks;
        self.broken.extend(other.broken);
    }

    /// Prints the verdict and gives the exit code.
    pub(crate) fn finish(self) -> ExitCode {
        println!();
        for promise in &self.broken {
            println!("- **broken**: {promise}");
        }
        let kept = self.checks as usize - self.broken.len();
        println!("{kept} of {} checks hold.", self.checks);
        if self.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// A Markdown table, printed as it grows: a long benchmark shows where it is.
pub(crate) struct Table;

impl Table {
    /// Prints the head of the table.
    pub(crate) fn new(columns: &[&str]) -> Table {
        println!("| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
        Table
    }

    /// Prints a row of the table.
    pub(crate) fn row(&self, cells: &[String]) {
        println!("| {} |", cells.join(" | "));
    }
}
