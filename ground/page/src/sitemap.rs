//! Which addresses does a sitemap name?
//!
//! Read are: XML sitemaps and their indexes (sitemaps.org 0.9, with `xhtml:link` alternates), text sitemaps (one
//! address a line), RSS and Atom feeds used as sitemaps; each plain or in gzip. Namespaces are ignored: an element is
//! what its local name says, in the element it stands in, so that the `loc` of an image is none of ours.
//!
//! Total: broken XML gives what was read before the break. No entity is expanded but the five of XML and numbers, so a
//! DTD can blow nothing up. Cost: linear in the decoded bytes; memory: what is kept, and the decoded bytes if they
//! were compressed or not UTF-8. Not guaranteed: that an address is one (the caller parses it), or on the same host.

mod xml;

#[cfg(test)]
mod tests;

use crate::inflate::gunzip;
use encoding_rs::{Encoding, UTF_8};
use groma_model::Limits;
use std::borrow::Cow;

/// What a sitemap file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Its pages.
    pub entries: Vec<Entry>,
    /// Other sitemap files, if it is an index.
    pub children: Vec<String>,
    /// Keys of the limits that were hit: something is missing.
    pub cuts: Vec<&'static str>,
}

/// A page of a sitemap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its address as written, without the spaces around it and with entities decoded.
    pub loc: String,
    /// When it was changed last, as written.
    pub lastmod: Option<String>,
    /// The same page in other languages or for other devices.
    pub alternates: Vec<String>,
}

impl Sitemap {
    fn cut(&mut self, key: &'static str) {
        if !self.cuts.contains(&key) {
            self.cuts.push(key);
        }
    }
}

/// Reads a sitemap file of whatever kind. Hit limits (`sitemap_bytes`, `sitemap_urls`, `url_bytes`) stand in `cuts`;
/// entries, children and alternates are each bounded by `sitemap_urls`.
pub fn read(bytes: &[u8], limits: &Limits) -> Sitemap {
    let mut map = Sitemap::default();
    let unpacked;
    let mut bytes = bytes;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        unpacked = gunzip(bytes, limits.sitemap_bytes);
        if unpacked.cut {
            map.cut("sitemap_bytes");
        }
        bytes = &unpacked.bytes;
    }
    let limit = usize::try_from(limits.sitemap_bytes).unwrap_or(usize::MAX);
    if bytes.len() > limit {
        map.cut("sitemap_bytes");
        bytes = &bytes[..limit];
    }
    let text = decode(bytes);
    let text = text.trim_start();
    if text.starts_with('<') {
        xml::read(text, limits, &mut map);
    } else {
        lines(text, limits, &mut map);
    }
    map
}

/// The text: by its byte order mark, as UTF-8, or as its XML declaration says.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode_with_bom_removal(bytes).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => declared(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// The encoding named in an XML declaration.
fn declared(bytes: &[u8]) -> &'static Encoding {
    let declaration = bytes.trim_ascii_start().split(|&byte| byte == b'>').next().unwrap_or_default();
    let label = declaration.starts_with(b"<?xml").then(|| {
        let at = memchr::memmem::find(declaration, b"encoding")?;
        let mut quoted = declaration[at..].split(|&byte| byte == b'"' || byte == b'\'');
        quoted.nth(1)
    });
    label.flatten().and_then(Encoding::for_label).unwrap_or(UTF_8)
}

/// A text sitemap; lines that are not full addresses are of some other kind of file.
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
}
