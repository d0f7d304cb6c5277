//! `groma serve` as a process: started, asked what it costs, killed or stopped; gone when dropped.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::groma::{Groma, said};

/// A server that needs longer than this to begin or to go home hangs.
const PATIENCE: Duration = Duration::from_secs(30);
/// Ticks of the system's clock in a second (`getconf CLK_TCK`; 100 on every Linux).
const TICKS: f64 = 100.0;

/// A running `groma serve`.
#[derive(Debug)]
pub(crate) struct Served {
    child: Child,
    address: SocketAddr,
}

/// Memory of a process, in MB (1,000,000 bytes).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Resident {
    pub(crate) all: f64,
    /// Without files that are only mapped, such as the index.
    pub(crate) own: f64,
}

impl Served {
    /// Starts it on a free port.
    pub(crate) fn start(groma: &Groma, home: &Path) -> anyhow::Result<Served> {
        Served::start_at(groma, home, (Ipv4Addr::LOCALHOST, 0).into())
    }

    /// Starts it at an address, in a folder, with loopback as a site of one's own.
    pub(crate) fn start_at(groma: &Groma, home: &Path, address: SocketAddr) -> anyhow::Result<Served> {
        let mut command = Command::new(groma.path());
        command.args(["serve", "--own", "127.0.0.1", "--listen"]).arg(address.to_string()).arg("--home").arg(home);
        command.current_dir(home).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start groma serve")?;
        let mut lines = BufReader::new(child.stderr.take().context("no stderr")?).lines();
        let mut heard = Vec::new();
        let address = loop {
            let Some(Ok(line)) = lines.next() else {
                let status = child.wait()?;
                bail!("groma serve ended ({status}): {}", heard.join(" / "));
            };
            match address_in(&line) {
                Some(address) => break address,
                None => heard.push(line),
            }
        };
        // What else it says is read, so that it never waits for us, and of no interest.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Served { child, address })
    }

    /// Address it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it in the middle of whatever it does.
    pub(crate) fn kill(mut self) -> anyhow::Result<()> {
        if let Some(status) = self.child.try_wait()? {
            bail!("groma serve ended by itself: {status}");
        }
        self.child.kill().context("cannot kill groma serve")?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks it to go home, and says how it went.
    pub(crate) fn stop(mut self) -> anyhow::Result<(bool, Duration)> {
        let start = Instant::now();
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).output().context("cannot send a signal")?;
        if !sent.status.success() {
            bail!("cannot stop groma serve: {}", said(&sent));
        }
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait()? {
                return Ok((status.success(), start.elapsed()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        bail!("groma serve does not stop");
    }

    /// What it holds in memory.
    pub(crate) fn resident(&self) -> anyhow::Result<Resident> {
        resident(self.child.id())
    }

    /// CPU seconds used so far, by what its threads are called (numbers left out).
    pub(crate) fn cpu(&self) -> anyhow::Result<BTreeMap<String, f64>> {
        let mut sums = BTreeMap::new();
        for entry in fs::read_dir(format!("/proc/{}/task", self.child.id())).context("no such process")? {
            // A thread may have ended since.
            let Ok(text) = fs::read_to_string(entry?.path().join("stat")) else { continue };
            if let Some((name, seconds)) = name_and_cpu(&text) {
                *sums.entry(name).or_insert(0.0) += seconds;
            }
        }
        Ok(sums)
    }

    /// CPU seconds of the whole process, those of ended threads included.
    pub(crate) fn cpu_in_all(&self) -> anyhow::Result<f64> {
        cpu_of(self.child.id())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself: then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// CPU seconds of a process.
pub(crate) fn cpu_of(process: u32) -> anyhow::Result<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).context("no such process")?;
    Ok(name_and_cpu(&text).with_context(|| format!("{text:?} is no line of /proc"))?.1)
}

fn resident(process: u32) -> anyhow::Result<Resident> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).context("no such process")?;
    let kilobytes = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)).with_context(|| format!("no {key}"))?;
        line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).with_context(|| line.to_owned())
    };
    Ok(Resident { all: kilobytes("VmRSS:")? * 1024.0 / 1e6, own: kilobytes("RssAnon:")? * 1024.0 / 1e6 })
}

/// A port nobody listens on just now.
pub(crate) fn free_port() -> anyhow::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|it| it.local_addr()).context("no free port")
}

fn address_in(line: &str) -> Option<SocketAddr> {
    let rest = line.split_once("http://")?.1;
    rest.split('/').next()?.parse().ok()
}

/// The name and the CPU seconds in a line of `/proc/*/stat`: `1 (a name) S ... utime stime ...`.
fn name_and_cpu(text: &str) -> Option<(String, f64)> {
    let (head, rest) = text.rsplit_once(") ")?;
    let name = head.split_once('(')?.1.trim_end_matches(|c: char| c.is_ascii_digit() || " -_".contains(c));
    let mut fields = rest.split(' ').skip(11).map(|word| word.parse::<f64>().ok());
    let mut next = || fields.next().flatten();
    Some((name.to_owned(), (next()? + next()?) / TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_system_are_read() {
        let line = "77 (crawl 12) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1 0 5 6 7";
        assert_eq!(name_and_cpu(line), Some(("crawl".to_owned(), 3.0)));
        assert_eq!(name_and_cpu("nothing"), None);
        assert_eq!(address_in("serving at http://127.0.0.1:4321/ (Ctrl-C stops)").unwrap().port(), 4321);
        assert_eq!(address_in("note: nothing yet"), None);
    }

    #[test]
    fn our_own_process_has_memory_and_time() {
        let here = std::process::id();
        let memory = resident(here).unwrap();
        assert!(memory.all > 0.5 && memory.own > 0.0 && memory.own <= memory.all);
        assert!(cpu_of(here).unwrap() >= 0.0);
    }
}
