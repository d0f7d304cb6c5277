//! What happens when the disk is full?
//!
//! Input: a site of 5,000 pages crawled into a file system in memory that is far too small; then the file system is made
//! larger and the same command given again. Needs the right to mount (root on Linux); says so and ends well where it is
//! not had. Answer: exit code 2 with a line that speaks of the disk, never a panic; afterwards every page is there, the
//! store's own check and the balance hold. Figure: pages fetched again.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use groma_testweb::Server;
use groma_testweb::sites::Lattice;

use crate::groma::{Groma, IN_FLIGHT, said};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const PAGES: usize = 5000;

pub(crate) fn run(_options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let groma = Groma::find()?;
    let table = Table::new(&["disk MB", "says", "fetched", "after more space", "fetched again"]);
    for megabytes in [1, 3, 6] {
        let scratch = Scratch::new("disk")?;
        let Some(disk) = SmallDisk::mount(scratch.path(), megabytes)? else {
            println!("\nLeft out: mounting is not allowed here (run as root on Linux).");
            return Ok(());
        };
        let server = Server::start(Lattice { words: 200, ..Lattice::new(PAGES, 10) });
        let store = disk.0.join("site.groma");
        let crawl = || groma.crawl(&format!("{}/", server.base()), &store).arg("-q").output().context("groma crawl");

        let full = crawl()?;
        let says = said(&full);
        report.check(full.status.code() == Some(2), || format!("{megabytes} MB: exit code 2, not {says}"));
        let spoken = says.to_lowercase();
        report.check(spoken.contains("disk") && spoken.contains("full"), || format!("{megabytes} MB: it says {says}"));
        report.check(!spoken.contains("panicked"), || format!("{megabytes} MB: it panics: {says}"));
        let before = groma.status(&store).and_then(|status| status.number("fetched"));

        disk.resize(200)?;
        let done = crawl()?;
        report.check(matches!(done.status.code(), Some(0 | 1)), || {
            format!("{megabytes} MB, then space: {}", said(&done))
        });
        let status = groma.status(&store)?;
        report.equal(&format!("{megabytes} MB: indexed in the end"), status.number("fetched")?, PAGES as u64);
        report.equal(&format!("{megabytes} MB: invalid in the end"), status.number("broken")?, 0);
        report.check(status.balances()?, || format!("{megabytes} MB: the balance"));
        let complaint = groma.verify(&store)?;
        report.check(complaint.is_none(), || format!("{megabytes} MB: verify: {complaint:?}"));
        let pages = server.asked().into_iter().filter(|(path, _)| path == "/" || path.starts_with("/p/"));
        let again: u64 = pages.map(|(_, times)| times - 1).sum();
        table.row(&[
            megabytes.to_string(),
            says.split(" / ").next().unwrap_or_default().to_owned(),
            before.map_or_else(|_| "no store yet".to_owned(), |count| count.to_string()),
            status.number("fetched")?.to_string(),
            again.to_string(),
        ]);
        // What was fetched and could not be written is fetched again; it never reached the store.
        report.check(again <= IN_FLIGHT, || format!("{megabytes} MB: {again} pages fetched again"));
    }
    Ok(())
}

/// A file system in memory, unmounted when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one, if that is allowed here.
    fn mount(folder: &Path, megabytes: u32) -> anyhow::Result<Option<SmallDisk>> {
        let place = folder.join("disk");
        std::fs::create_dir_all(&place)?;
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "groma-bench"]).arg(&place);
        let mounted = command.output().is_ok_and(|output| output.status.success());
        Ok(mounted.then_some(SmallDisk(place)))
    }

    fn resize(&self, megabytes: u32) -> anyhow::Result<()> {
        let mut command = Command::new("mount");
        command.args(["-o", &format!("remount,size={megabytes}m")]).arg(&self.0);
        let output = command.output().context("cannot run mount")?;
        anyhow::ensure!(output.status.success(), "cannot enlarge the disk: {}", said(&output));
        Ok(())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let lazily = Command::new("umount").arg("-l").arg(&self.0).status();
        if !lazily.is_ok_and(|status| status.success()) {
            eprintln!("could not unmount {}", self.0.display());
        }
    }
}
