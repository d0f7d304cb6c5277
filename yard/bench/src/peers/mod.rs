//! Other programs on the same site in the same run: how each is asked to crawl, and how many pages it kept.
//!
//! Every one of them keeps what it found (files, rows of JSON or CSV): a program that keeps nothing does other work. They
//! are told to leave out the same endings, to stay on the host, and to ask for 16 at once where they can (wget2: 32, wget: 1).
//! One that is not installed is left out with a word.

mod linkinator;
mod scrapy;
mod wget;
mod wget2;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context as _, bail};

use crate::groma::said;
use crate::measure::{self, Cost};
use crate::scratch::Scratch;

/// What a crawl is to do.
pub(crate) struct Job<'a> {
    /// URL of the start page.
    pub(crate) url: &'a str,
    /// Where to put what is found.
    pub(crate) folder: &'a Path,
    /// Endings that are not asked for.
    pub(crate) parts: &'a [&'a str],
}

/// Another crawler to compare with.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Its name, here and on the command line.
    pub(crate) name: &'static str,
    /// What makes it say its version.
    version: &'static [&'static str],
    /// How to get it.
    install: &'static str,
    /// The command for a crawl; may write what the command needs into the folder.
    crawl: fn(&Job<'_>) -> anyhow::Result<Command>,
    /// Exit codes of a crawl that came to its end.
    ends: &'static [i32],
    /// How many HTML pages it kept.
    kept: fn(&Path, &Output) -> anyhow::Result<u64>,
}

/// The one whose CPU time is the measure.
pub(crate) const BASE: &Peer = &wget2::WGET2;
const OTHERS: [&Peer; 3] = [&wget::WGET, &scrapy::SCRAPY, &linkinator::LINKINATOR];

/// The peers of a comma-separated list (`all`: every one) that are installed, after the one that is always there.
pub(crate) fn chosen(list: &str) -> anyhow::Result<Vec<&'static Peer>> {
    let wanted: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let mut peers = vec![BASE];
    if let Some(stranger) = wanted.iter().find(|name| **name != "all" && OTHERS.iter().all(|peer| peer.name != **name))
    {
        let names: Vec<&str> = OTHERS.iter().map(|peer| peer.name).collect();
        bail!("--peer {stranger}: {} or all, separated by commas", names.join(", "));
    }
    peers.extend(OTHERS.into_iter().filter(|peer| wanted.iter().any(|name| *name == "all" || *name == peer.name)));
    peers.retain(|peer| match peer.version() {
        Some(version) => {
            println!("- {}: {version}", peer.name);
            true
        }
        None => {
            eprintln!("left out, not installed: {} (`{}`)", peer.name, peer.install);
            false
        }
    });
    if peers.first().is_none_or(|peer| peer.name != BASE.name) {
        bail!("{} is missing; `{}`", BASE.name, BASE.install);
    }
    Ok(peers)
}

impl Peer {
    /// The first line it says of its version; nothing if it cannot be run.
    fn version(&self) -> Option<String> {
        let output = Command::new(self.name).args(self.version).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
    }

    /// Crawls a site once: what it cost, and how many pages were kept.
    pub(crate) fn run(&self, url: &str, parts: &[&str], scratch: &Scratch) -> anyhow::Result<(Cost, u64)> {
        let folder = scratch.join("peer");
        std::fs::create_dir_all(&folder)?;
        let command = (self.crawl)(&Job { url, folder: &folder, parts })?;
        let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
        if !output.status.code().is_some_and(|code| self.ends.contains(&code)) {
            bail!("{} failed: {}", self.name, said(&output));
        }
        let kept = (self.kept)(&folder, &output).with_context(|| format!("what {} kept", self.name))?;
        std::fs::remove_dir_all(&folder)?;
        if kept == 0 {
            bail!("{} kept nothing: {}", self.name, said(&output));
        }
        Ok((cost, kept))
    }
}

/// Does a URL or a file name end like a page?
pub(crate) fn is_html(path: &str) -> bool {
    path.ends_with(".html") || path.ends_with(".htm") || path.ends_with('/')
}

/// HTML files below a folder.
fn html_files(folder: &Path) -> anyhow::Result<u64> {
    let mut found = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found += html_files(&entry.path())?;
        } else {
            found += u64::from(is_html(&entry.file_name().to_string_lossy()));
        }
    }
    Ok(found)
}

/// How many different URLs are pages, fragments aside.
fn html_addresses<'a>(urls: impl Iterator<Item = &'a str>) -> u64 {
    let bare = urls.map(|url| url.split(['#', '?']).next().unwrap_or_default());
    bare.filter(|url| is_html(url)).collect::<BTreeSet<_>>().len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_among_peers_are_named() {
        assert!(chosen("curl").unwrap_err().to_string().starts_with("--peer curl: wget, scrapy, linkinator or all"));
    }

    #[test]
    fn pages_are_counted_once() {
        let urls = ["http://h/a.html", "http://h/a.html#b", "http://h/", "http://h/x.pdf", "http://h/b.htm?q"];
        assert_eq!(html_addresses(urls.into_iter()), 3);
    }
}
