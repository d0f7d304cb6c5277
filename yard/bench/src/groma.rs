//! The program under test: where its binary is, how it is asked to crawl, and what it says of a survey.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context as _, bail};
use serde_json::Value;

/// Fetches under way at once, here and in the promises that speak of them.
pub(crate) const IN_FLIGHT: u64 = 16;

/// The binary, beside our own.
#[derive(Debug)]
pub(crate) struct Groma(PathBuf);

impl Groma {
    pub(crate) fn find() -> anyhow::Result<Groma> {
        let ours = std::env::current_exe().context("where are we?")?;
        let path = ours.with_file_name("groma");
        if !path.exists() {
            bail!("{} is missing; build it first: cargo build --profile dist", path.display());
        }
        Ok(Groma(path))
    }

    /// A crawl of a site on loopback at full speed, quietly, into a store.
    pub(crate) fn crawl(&self, url: &str, store: &Path) -> Command {
        let mut command = Command::new(&self.0);
        let many = IN_FLIGHT.to_string();
        command
            .args(["crawl", url, "--delay", "0", "--per-host", &many, "-c", &many, "--outside", "no", "--store"])
            .arg(store);
        command
    }

    /// Where a survey stands.
    pub(crate) fn status(&self, store: &Path) -> anyhow::Result<Status> {
        let output = self.ask("status", store, &["-f", "json"])?;
        let value: Value =
            serde_json::from_slice(&output.stdout).with_context(|| format!("groma status said: {}", said(&output)))?;
        Ok(Status(value))
    }

    /// The store's own check: nothing, or what is wrong.
    pub(crate) fn verify(&self, store: &Path) -> anyhow::Result<Option<String>> {
        let output = self.ask("verify", store, &[])?;
        Ok((!output.status.success()).then(|| said(&output)))
    }

    /// Every URL in some state, one JSON object each.
    pub(crate) fn pages(&self, store: &Path, state: &str) -> anyhow::Result<Vec<Value>> {
        let output = self.ask("pages", store, &["-f", "json", "--state", state])?;
        let text = String::from_utf8(output.stdout).context("groma pages said no UTF-8")?;
        text.lines().map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect()
    }

    /// Path of the binary.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A command about a survey.
    pub(crate) fn command(&self, what: &str, store: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(&self.0);
        command.arg(what).arg("--store").arg(store).args(words);
        command
    }

    fn ask(&self, what: &str, store: &Path, words: &[&str]) -> anyhow::Result<Output> {
        self.command(what, store, words).output().with_context(|| format!("cannot run groma {what}"))
    }
}

/// What `groma status -f json` says.
#[derive(Debug)]
pub(crate) struct Status(Value);

impl Status {
    /// A number by its key.
    pub(crate) fn number(&self, key: &str) -> anyhow::Result<u64> {
        self.0[key].as_u64().with_context(|| format!("groma status has no number `{key}`: {}", self.0))
    }

    /// Has its last run come to its end?
    pub(crate) fn is_finished(&self) -> bool {
        self.0["runs"].as_array().and_then(|runs| runs.last()).is_some_and(|run| run["outcome"] == "finished")
    }

    /// Every URL is in exactly one state (spec 1, "Page states").
    pub(crate) fn balances(&self) -> anyhow::Result<bool> {
        let mut sum = 0;
        for state in ["fetched", "skipped", "excluded", "broken", "queued"] {
            sum += self.number(state)?;
        }
        Ok(self.number("discovered")? == sum)
    }
}

/// What a program said, for people.
pub(crate) fn said(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text);
    let shown: String = text.trim().chars().take(600).collect();
    format!("{} ({})", shown.replace('\n', " / "), output.status)
}

/// Whether a crawl came to its end: with or without findings, or with URLs left beyond a limit that was asked for.
pub(crate) fn ended_well(output: &Output) -> bool {
    matches!(output.status.code(), Some(0 | 1 | 4))
}
