//! A sitemap for search engines, by the protocol of sitemaps.org (0.9).
//!
//! Listed are indexed pages that answered with 200 to 299, over http or https, on one host (the protocol's rule), unless their
//! author asked not to list them. A file holds at most 50,000 URLs and 52,428,800 bytes before compression; further ones
//! are `sitemap-2.xml`, `sitemap-3.xml`, ..., and `sitemap-index.xml` names them all. A URL has fewer than 2,048 characters;
//! longer ones are left out and counted, as is everything else that is not listed: listed + left out = pages asked for.
//!
//! `lastmod` is what the server said, or else when the text was seen to change; never the time of the crawl, and never later
//! than the map itself. Characters that no URL may have are written as percent escapes.
//!
//! Cost: linear, one label and one entry in memory. Not guaranteed: more than 50,000 files (one index), and that the files are
//! put where [`Options::base`] says.

mod file;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use groma_model::State;
use groma_model::escape::Xml;

use crate::value::written;
use crate::{Label, Labels};
use file::File;

/// Where an output file comes from: called with its name.
pub type Files<'f> = dyn FnMut(&str) -> io::Result<Box<dyn Write>> + 'f;

/// How the sitemap is written.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// When the map is drawn, in seconds since 1970: what changed later did not.
    pub drawn: i64,
    /// The URL of the folder where the files will be published; the root of the host if nothing is said.
    pub base: Option<String>,
    /// What the names of the files begin with; `sitemap` if nothing is said.
    pub stem: Option<String>,
    /// Compresses the files (not the index) and names them `.xml.gz`.
    pub gzip: bool,
    /// Writes an index even if there is only one file.
    pub always_index: bool,
    /// Lists pages of any host: right if each host's robots.txt names this sitemap.
    pub any_host: bool,
}

/// What was written, and what not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The names of the files in the order in which they were begun, the index last. None if no page can be listed.
    pub files: Vec<String>,
    /// URLs that the sitemap lists.
    pub listed: u64,
    /// Left out: the URL has 2,048 characters or more.
    pub too_long: u64,
    /// Left out: on another host than the sitemap.
    pub elsewhere: u64,
    /// Left out: not indexed, not answered with 2xx, not on the web, or its author asks not to list it.
    pub unfit: u64,
}

/// The protocol's limits; smaller ones in tests.
struct Bounds {
    addresses: u32,
    bytes: u64,
}

const PROTOCOL: Bounds = Bounds { addresses: 50_000, bytes: 52_428_800 };
const LONGEST_ADDRESS: usize = 2_047;
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Writes the sitemap of these nodes, in this order.
pub fn render(
    nodes: &mut dyn Iterator<Item = u32>,
    labels: &mut dyn Labels,
    files: &mut Files<'_>,
    options: &Options,
) -> io::Result<Summary> {
    within(&PROTOCOL, nodes, labels, files, options)
}

fn within(
    bounds: &Bounds,
    nodes: &mut dyn Iterator<Item = u32>,
    labels: &mut dyn Labels,
    files: &mut Files<'_>,
    options: &Options,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut base = options.base.clone().map(|base| if base.ends_with('/') { base } else { base + "/" });
    let mut file: Option<File> = None;
    let mut changes: Vec<Option<i64>> = Vec::new();
    let mut entry = Vec::new();
    for node in nodes {
        let label = labels.label(node)?;
        if !is_fit(&label) {
            summary.unfit += 1;
            continue;
        }
        let url = escaped(&label.url);
        if url.len() > LONGEST_ADDRESS {
            summary.too_long += 1;
            continue;
        }
        let base = base.get_or_insert_with(|| format!("{}/", origin(&url)));
        if !options.any_host && !origin(base).eq_ignore_ascii_case(origin(&url)) {
            summary.elsewhere += 1;
            continue;
        }
        let changed = last_change(&label, options.drawn);
        entry.clear();
        write_entry("url", &url, changed, &mut entry)?;
        if file.as_ref().is_some_and(|file| !file.has_room(bounds, entry.len())) {
            file.take().map_or(Ok(()), File::close)?;
        }
        if file.is_none() {
            let name = name(options, summary.files.len());
            file = Some(File::open(files(&name)?, options.gzip)?);
            summary.files.push(name);
            changes.push(None);
        }
        if let (Some(file), Some(latest)) = (&mut file, changes.last_mut()) {
            file.add(&entry)?;
            *latest = (*latest).max(changed);
        }
        summary.listed += 1;
    }
    file.take().map_or(Ok(()), File::close)?;
    if summary.files.len() > 1 || (options.always_index && !summary.files.is_empty()) {
        let index = format!("{}-index.xml", stem(options));
        write_index(&summary.files, &changes, base.as_deref().unwrap_or_default(), &mut *files(&index)?)?;
        summary.files.push(index);
    }
    Ok(summary)
}

fn stem(options: &Options) -> &str {
    options.stem.as_deref().unwrap_or("sitemap")
}

fn name(options: &Options, at: usize) -> String {
    let number = if at == 0 { String::new() } else { format!("-{}", at + 1) };
    format!("{}{number}.xml{}", stem(options), if options.gzip { ".gz" } else { "" })
}

fn is_fit(label: &Label) -> bool {
    let on_the_web = ["http://", "https://"].iter().any(|scheme| {
        label.url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && label.url.len() > scheme.len()
    });
    label.reason.state() == State::Fetched && (200..=299).contains(&label.status) && !label.unlisted && on_the_web
}

/// When the page last changed, as far as somebody saw it and it makes sense: a moment of 1970 is a clock that was never set.
fn last_change(label: &Label, drawn: i64) -> Option<i64> {
    [label.modified, label.changed].into_iter().flatten().find(|&seconds| seconds >= 86_400 && seconds <= drawn)
}

/// Scheme and host of a URL.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// The URL with nothing but visible ASCII, as URLs are written.
fn escaped(url: &str) -> String {
    let mut text = String::with_capacity(url.len());
    for &byte in url.as_bytes() {
        match byte {
            0x21..=0x7e => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn write_entry(element: &str, address: &str, changed: Option<i64>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<{element}><loc>{}</loc>", Xml(address))?;
    if let Some(moment) = changed.and_then(written) {
        write!(out, "<lastmod>{moment}</lastmod>")?;
    }
    writeln!(out, "</{element}>")
}

fn write_index(names: &[String], changes: &[Option<i64>], base: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{NAMESPACE}\">\n")?;
    let base = escaped(base);
    for (name, &changed) in names.iter().zip(changes) {
        write_entry("sitemap", &format!("{base}{name}"), changed, out)?;
    }
    out.write_all(b"</sitemapindex>\n")?;
    out.flush()
}
