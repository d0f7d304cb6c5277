//! wget2: many threads, keeps files. Told what to leave out by endings: a regular expression costs it up to a third more.

use std::process::Command;

use super::{Peer, html_files};

pub(super) const WGET2: Peer = Peer {
    name: "wget2",
    version: &["--version"],
    install: "apt install wget2",
    crawl: |job| {
        let mut command = Command::new("wget2");
        command.args(["-q", "-r", "--level=inf", "--max-threads=32", "--filter-urls", "-P"]).arg(job.folder);
        command.args(["-R", &job.parts.join(","), job.url]);
        Ok(command)
    },
    // 8: the server answered some requests with an error, as it must.
    ends: &[0, 8],
    kept: |folder, _| html_files(folder),
};
