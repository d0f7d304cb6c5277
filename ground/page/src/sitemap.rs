//! Which URLs does a sitemap name?
//!
//! Read are: XML sitemaps and their indexes (sitemaps.org 0.9, with `xhtml:link` alternates), text sitemaps (one
//! URL a line), RSS and Atom feeds used as sitemaps; each plain or in gzip. Namespaces are ignored: an element is
//! what its local name says, in the element it stands in, so that the `loc` of an image is an image's. Of the extensions
//! read are pictures and films (`image`, `video`: their files, with the texts that stand for them) and news (title and date).
//!
//! Total: broken XML gives what was read before the break. No entity is expanded but the five of XML and numbers, so a
//! DTD can blow nothing up. Cost: linear in the decoded bytes; memory: what is kept, and the decoded bytes if they
//! were compressed or not UTF-8. Not guaranteed: that a URL is one (the caller parses it), or on the same host.

mod extras;
mod listing;
mod records;

#[cfg(test)]
mod tests;

use crate::inflate::gunzip;
use crate::xml::decoded;
use groma_model::Limits;

pub(crate) use listing::Listing;

/// What a sitemap file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Pages that are listed.
    pub entries: Vec<Entry>,
    /// Other sitemap files, if it is an index.
    pub children: Vec<String>,
    /// Keys of the limits that were hit: something is missing.
    pub cuts: Vec<&'static str>,
    /// What is wrong with the file, if anything is: what was read before that is there.
    pub broken: Option<&'static str>,
}

const NO_SITEMAP: &str = "it is no sitemap";
const BREAKS_OFF: &str = "it breaks off";
const NO_XML: &str = "its XML is broken";
const NOT_UNPACKED: &str = "it cannot be unpacked to its end";

/// A page of a sitemap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its URL as written, without the spaces around it and with entities decoded.
    pub loc: String,
    /// When it was changed last, as written.
    pub lastmod: Option<String>,
    /// The same page in other languages or for other devices.
    pub alternates: Vec<String>,
    /// The pictures and films on it.
    pub media: Vec<Medium>,
    /// Its title as news, and when it was published, as written.
    pub news: Option<News>,
}

/// A picture or a film of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Medium {
    /// The URL of its file, as written.
    pub loc: String,
    /// The text that stands for it: its title, else its caption or description.
    pub text: String,
}

/// What a news sitemap says of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    pub title: String,
    /// When it was published.
    pub published: String,
}

impl Sitemap {
    fn cut(&mut self, key: &'static str) {
        if !self.cuts.contains(&key) {
            self.cuts.push(key);
        }
    }
}

/// Reads a sitemap file of whatever kind. Hit limits (`sitemap_bytes`, `sitemap_urls`, `url_bytes`) stand in `cuts`;
/// entries, children, alternates and media are each bounded by `sitemap_urls`.
pub fn read(bytes: &[u8], limits: &Limits) -> Sitemap {
    let mut map = Sitemap::default();
    let unpacked;
    let mut bytes = bytes;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        unpacked = gunzip(bytes, limits.sitemap_bytes);
        if unpacked.cut {
            map.cut("sitemap_bytes");
        }
        map.broken = (unpacked.broken && !unpacked.cut).then_some(NOT_UNPACKED);
        bytes = &unpacked.bytes;
    }
    let limit = usize::try_from(limits.sitemap_bytes).unwrap_or(usize::MAX);
    if bytes.len() > limit {
        map.cut("sitemap_bytes");
        bytes = &bytes[..limit];
    }
    let text = decoded(bytes);
    let text = text.trim_start();
    if text.starts_with('<') {
        records::read(text, limits, &mut map);
    } else {
        lines(text, limits, &mut map);
    }
    if !map.cuts.is_empty() {
        // What is missing at its end is missing because it was cut.
        map.broken = None;
    }
    map
}

/// A text sitemap; lines that are not full URLs are of some other kind of file.
fn lines(text: &str, limits: &Limits, map: &mut Sitemap) {
    for line in text.split(['\n', '\r']).map(str::trim) {
        let web = ["http://", "https://"].iter().any(|scheme| {
            line.as_bytes().get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme.as_bytes()))
        });
        if !web {
            continue;
        }
        if line.len() as u64 > limits.url_bytes {
            map.cut("url_bytes");
        } else if map.entries.len() as u64 >= limits.sitemap_urls {
            map.cut("sitemap_urls");
            return;
        } else {
            map.entries.push(Entry { loc: line.to_owned(), ..Entry::default() });
        }
    }
    if map.entries.is_empty() && !text.is_empty() {
        map.broken = map.broken.or(Some(NO_SITEMAP));
    }
}
