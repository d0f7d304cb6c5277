//! A PostgreSQL of our own, and workers on its surveys.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, bail};
use groma_testweb::Neighbours;

use crate::groma::Groma;
use crate::scratch::Scratch;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../services/postgres");

/// A server that goes when we go.
pub(crate) struct Service {
    folder: PathBuf,
    pub(super) address: String,
}

impl Service {
    pub(crate) fn start(scratch: &Scratch) -> anyhow::Result<Service> {
        let folder = scratch.join("postgres");
        let done = Command::new(SCRIPT).arg("start").arg(&folder).output().context("yard/services/postgres")?;
        if !done.status.success() {
            bail!("no PostgreSQL: {}", String::from_utf8_lossy(&done.stderr).trim());
        }
        let address = String::from_utf8(done.stdout)?.trim().to_owned();
        Ok(Service { folder, address })
    }

    /// The URL of a survey on it.
    pub(crate) fn survey(&self, name: &str) -> PathBuf {
        format!("{}?survey={name}", self.address).into()
    }

    /// Calls the script: `crash` or `again`.
    pub(super) fn tell(&self, what: &str) -> anyhow::Result<()> {
        let done = Command::new(SCRIPT).arg(what).arg(&self.folder).output()?;
        if !done.status.success() {
            bail!("postgres {what}: {}", String::from_utf8_lossy(&done.stderr).trim());
        }
        Ok(())
    }

    /// CPU seconds of all its processes so far, those that have ended included.
    pub(super) fn cpu(&self) -> f64 {
        let place = std::fs::read_to_string(self.folder.join("place")).unwrap_or_default();
        let first = std::fs::read_to_string(Path::new(place.trim()).join("postmaster.pid")).unwrap_or_default();
        let master: u32 = first.lines().next().and_then(|line| line.trim().parse().ok()).unwrap_or(0);
        let children = std::fs::read_to_string(format!("/proc/{master}/task/{master}/children")).unwrap_or_default();
        let living: f64 =
            children.split_whitespace().filter_map(|pid| pid.parse().ok()).map(|pid| ticks(pid, false)).sum();
        living + ticks(master, true)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = Command::new(SCRIPT).arg("stop").arg(&self.folder).output();
    }
}

/// CPU seconds of a process; with those of its children that have ended.
fn ticks(pid: u32, children: bool) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<f64> =
        stat.rsplit(") ").next().unwrap_or_default().split(' ').filter_map(|field| field.parse().ok()).collect();
    // After the name and the state: utime, stime, cutime, cstime are the 11th to the 14th number.
    let from = |at: usize| fields.get(at).copied().unwrap_or(0.0);
    (from(10) + from(11) + if children { from(12) + from(13) } else { 0.0 }) / 100.0
}

/// CPU seconds of a process that lives.
pub(super) fn cpu_of(child: &Child) -> f64 {
    ticks(child.id(), false)
}

/// A worker on one survey, with a home of its own, as if on a machine of its own.
pub(super) fn worker(groma: &Groma, survey: &Path, home: &Path) -> anyhow::Result<Child> {
    let mut command = Command::new(groma.path());
    command.env("XDG_CACHE_HOME", home).arg("worker").arg("--store").arg(survey);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().context("groma worker")
}

/// Asks for a crawl of all sites, each asked at this pause.
pub(super) fn ask(groma: &Groma, survey: &Path, sites: &Neighbours, pause: &str, home: &Path) -> anyhow::Result<()> {
    let mut command = Command::new(groma.path());
    command
        .env("XDG_CACHE_HOME", home)
        .args(["jobs", "add", "crawl", "--alone"])
        .args(sites.seeds())
        .arg("--store")
        .arg(survey);
    for setting in ["scope=any", "per_host=1", "sitemaps=false", "concurrency=32", &format!("delay={pause}")] {
        command.args(["-s", setting]);
    }
    let done = command.output()?;
    if !done.status.success() {
        bail!("groma jobs add: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(())
}
