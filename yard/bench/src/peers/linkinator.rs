//! linkinator: checks every link on the host and keeps a row of CSV for each. It reads on only below the URL it is given,
//! taken as a prefix, so it is given the folder of the start page.

use std::process::Command;

use super::{Peer, html_addresses};

pub(super) const LINKINATOR: Peer = Peer {
    name: "linkinator",
    version: &["--version"],
    install: "npm install linkinator, with node_modules/.bin on the PATH",
    crawl: |job| {
        let origin = groma_url::Url::parse(job.url)?.origin().ascii_serialization();
        let mut command = Command::new("linkinator");
        let folder = job.url.rfind('/').map_or(job.url, |slash| &job.url[..=slash]);
        command.args([folder, "--recurse", "--format", "csv", "--concurrency", "16"]);
        command.args(["--skip", &format!("^(?!{origin}/)"), "--skip", &format!(r"\.({})$", job.parts.join("|"))]);
        Ok(command)
    },
    // 1: there are broken links, as there must be.
    ends: &[0, 1],
    kept: |_, output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let good = text.lines().filter_map(|line| {
            let mut cells = line.split(',').map(|cell| cell.trim_matches('"'));
            let (url, status) = (cells.next()?, cells.next()?);
            (status == "200").then_some(url)
        });
        Ok(html_addresses(good))
    },
};
