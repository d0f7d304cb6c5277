//! GNU wget: one request after the other, keeps files.

use std::process::Command;

use super::{Peer, html_files};

pub(super) const WGET: Peer = Peer {
    name: "wget",
    version: &["--version"],
    install: "apt install wget",
    crawl: |job| {
        let mut command = Command::new("wget");
        command.args(["-q", "-r", "--level=inf", "-P"]).arg(job.folder).args(["-R", &job.parts.join(","), job.url]);
        Ok(command)
    },
    // 8: the server answered some requests with an error, as it must.
    ends: &[0, 8],
    kept: |folder, _| html_files(folder),
};
