//! A sitemap as a page, for whoever looks at one: an item for every page it names, with its title as news or else its URL, and its date;
//! its pictures and films are among its links, with the texts that stand for them.
//!
//! Only among the filters of those that show ([`filter_to_show`](crate::filter_to_show)) and of start pages
//! ([`filter_for_start`](crate::filter_for_start)): a crawl reads other sitemaps after all links, since what they name is on no page,
//! and pages that nothing else leads to are to be found out. Cost: linear in the decoded bytes.

use groma_model::{BlockKind, LinkKind, ParsedPage};

use super::{Entry, read};
use crate::filter::{Filter, Input};
use crate::inflate::gunzip;
use crate::sheet::Sheet;
use crate::xml::{decoded, root};

/// So much of a file tells whether it is a sitemap.
const HEAD: usize = 4096;

/// Reads sitemaps in XML, plain or in gzip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listing;

impl Listing {
    /// Is this a sitemap, or an index of some?
    pub(crate) fn takes_body(bytes: &[u8]) -> bool {
        let unpacked;
        let mut head = bytes;
        if bytes.starts_with(&[0x1f, 0x8b]) {
            unpacked = gunzip(bytes, HEAD as u64);
            head = &unpacked.bytes;
        }
        let head = &head[..head.len().min(HEAD)];
        root(&decoded(head)).is_some_and(|name| matches!(name.as_str(), "urlset" | "sitemapindex"))
    }
}

impl Listing {
    /// Is this a list of URLs, one a line, and nothing else? Lines that begin with `#` are notes.
    pub(crate) fn takes_lines(bytes: &[u8]) -> bool {
        let unpacked;
        let mut head = bytes;
        if bytes.starts_with(&[0x1f, 0x8b]) {
            unpacked = gunzip(bytes, HEAD as u64);
            head = &unpacked.bytes;
        }
        let is_cut = head.len() > HEAD;
        let text = decoded(&head[..head.len().min(HEAD)]);
        let mut lines: Vec<&str> = text.trim_start_matches('\u{feff}').split(['\n', '\r']).map(str::trim).collect();
        if is_cut {
            lines.pop();
        }
        lines.retain(|line| !line.is_empty() && !line.starts_with('#'));
        let web = |line: &&str| {
            let begins = |scheme: &str| line.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme));
            (begins("http://") || begins("https://")) && !line.contains(char::is_whitespace)
        };
        !lines.is_empty() && lines.iter().all(web)
    }
}

impl Filter for Listing {
    fn takes(&self, media_type: &str) -> bool {
        matches!(media_type, "application/xml" | "text/xml" | "application/gzip")
    }

    fn read(&self, input: &Input<'_>) -> ParsedPage {
        let map = read(input.bytes, input.limits);
        let mut sheet = Sheet::new(input);
        for child in &map.children {
            sheet.block(BlockKind::ListItem, child);
            sheet.link(child, LinkKind::Sitemap, "", "", BlockKind::ListItem);
        }
        map.entries.iter().for_each(|entry| list(entry, &mut sheet));
        map.cuts.iter().for_each(|key| sheet.cut(key));
        sheet.finish(input.url)
    }
}

fn list(entry: &Entry, sheet: &mut Sheet<'_>) {
    let (title, published) = entry.news.as_ref().map_or(("", ""), |news| (&news.title, &news.published));
    let date = if published.is_empty() { entry.lastmod.as_deref().unwrap_or_default() } else { published };
    let name = if title.is_empty() { &entry.loc } else { title };
    let item = if date.is_empty() { name.to_owned() } else { format!("{name} ({date})") };
    sheet.block(BlockKind::ListItem, &item);
    sheet.link(&entry.loc, LinkKind::Sitemap, "", title, BlockKind::ListItem);
    for alternate in &entry.alternates {
        sheet.link(alternate, LinkKind::Related, "alternate", "", BlockKind::ListItem);
    }
    for medium in &entry.media {
        sheet.link(&medium.loc, LinkKind::Image, "", &medium.text, BlockKind::ListItem);
    }
}
