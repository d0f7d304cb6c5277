//! The parts of a document: which there are, and what is in them.
//!
//! Bounded: at most `limits.page_bytes` are unpacked of one file and `limits.document_unpacked` of all. Names are only
//! compared, never used as paths.

use std::borrow::Cow;
use std::collections::HashMap;

use groma_model::Limits;

use super::Kind;
use super::zip::Zip;
use crate::xml;

/// An office document: a ZIP archive of XML files.
pub(super) struct Package<'a> {
    archive: Zip<'a>,
    most: u64,
    left: u64,
    cuts: Vec<&'static str>,
}

impl<'a> Package<'a> {
    /// Nothing if it is no zip file.
    pub(super) fn open(bytes: &'a [u8], limits: &Limits) -> Option<Package<'a>> {
        let archive = Zip::open(bytes)?;
        Some(Package { archive, most: limits.page_bytes, left: limits.document_unpacked, cuts: Vec::new() })
    }

    /// Limits that were hit.
    pub(super) fn cuts(&self) -> &[&'static str] {
        &self.cuts
    }

    pub(super) fn kind(&self) -> Option<Kind> {
        let marks = [
            ("word/document.xml", Kind::Word),
            ("ppt/presentation.xml", Kind::Slides),
            ("xl/workbook.xml", Kind::Workbook),
            ("content.xml", Kind::Open),
        ];
        marks.into_iter().find(|(name, _)| self.archive.has(name)).map(|(_, kind)| kind)
    }

    /// The names that begin and end like this, by the number between.
    pub(super) fn numbered(&self, prefix: &str, suffix: &str) -> Vec<String> {
        let between = |name: &str| name.strip_prefix(prefix)?.strip_suffix(suffix)?.parse::<u32>().ok();
        let mut found: Vec<(u32, String)> =
            self.archive.names().filter_map(|name| Some((between(name)?, name.to_owned()))).collect();
        found.sort();
        found.into_iter().map(|(_, name)| name).collect()
    }

    /// A file as text; empty if it is not there or cannot be unpacked.
    pub(super) fn text(&mut self, name: &str) -> String {
        let room = self.most.min(self.left);
        let mut bytes = self.archive.unpack(name, room.saturating_add(1)).unwrap_or_default();
        if bytes.len() as u64 > room {
            let key = if self.left < self.most { "document_unpacked" } else { "page_bytes" };
            if !self.cuts.contains(&key) {
                self.cuts.push(key);
            }
            bytes.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        }
        self.left -= (bytes.len() as u64).min(self.left);
        match xml::decoded(&bytes) {
            Cow::Borrowed(text) => text.to_owned(),
            Cow::Owned(text) => text,
        }
    }

    /// Where the relations of a part lead outside: id to target.
    pub(super) fn relations(&mut self, name: &str) -> HashMap<String, String> {
        let text = self.text(name);
        let mut found = HashMap::new();
        xml::walk(&text, |step| {
            if let xml::XmlEvent::Start { tag, .. } = step {
                let given = |name| xml::attribute(tag, name);
                if given("Type").is_some_and(|kind| kind.ends_with("/hyperlink"))
                    && let (Some(id), Some(target)) = (given("Id"), given("Target"))
                {
                    found.insert(id, target);
                }
            }
            true
        });
        found
    }
}
