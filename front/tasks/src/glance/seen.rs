//! What is told of a page that was looked at.

use groma_model::{LinkPart, ParsedPage, PartKind, Parts};
use serde::Serialize;

/// Where a page came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Asked for just now.
    Fetched,
    /// Out of a survey.
    Stored,
    /// Out of a file.
    File,
}

/// A content part of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartSeen {
    /// Kind of part: title, abstract, main text and so on.
    pub kind: &'static str,
    pub text: String,
    /// How sure we are, 0 to 1.
    pub confidence: f64,
}

/// A link and the part it stands in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkSeen {
    pub url: String,
    /// What a reader sees of it.
    pub text: String,
    /// The part it stands in.
    pub block: &'static str,
    /// How sure we are, 0 to 1.
    pub confidence: f64,
    /// What kind of link it is.
    pub kind: &'static str,
    /// Links that are set alike share it.
    pub path: String,
}

/// A page that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    pub url: String,
    /// The URLs that redirected to it, in order.
    pub through: Vec<String>,
    /// Where it came from.
    pub from: Source,
    /// The status it came with; 0 for a file.
    pub status: u16,
    /// Its title, as its head says.
    pub title: String,
    /// As a code, `en`.
    pub language: Option<String>,
    /// What it is: article, book, list, other.
    pub r#type: &'static str,
    /// How sure we are of that, 0 to 1.
    pub confidence: f64,
    /// Its content parts, in document order.
    pub blocks: Vec<PartSeen>,
    pub links: Vec<LinkSeen>,
    /// Main text.
    pub main: String,
}

/// Per cent as a share.
fn share(confidence: u8) -> f64 {
    f64::from(confidence) / 100.0
}

impl Seen {
    /// Out of a page that was read with its parts. `targets`: where its links lead, one for one.
    pub(super) fn from_page(page: &ParsedPage, targets: &[String], from: Source) -> Seen {
        let none = Parts::default();
        let parts = page.parts.as_deref().unwrap_or(&none);
        let blocks = parts.content.iter().map(|part| PartSeen {
            kind: part.kind.name(),
            text: part.text.clone(),
            confidence: share(part.confidence),
        });
        let links = page.links.iter().zip(targets).enumerate().map(|(place, (link, target))| {
            // Links of the header were added after the parts were told.
            let part =
                parts.links.get(place).copied().unwrap_or(LinkPart { kind: PartKind::Noise, ..LinkPart::default() });
            LinkSeen {
                url: target.clone(),
                text: link.text.clone(),
                block: part.kind.name(),
                confidence: share(part.confidence),
                kind: link.kind.name(),
                path: format!("{:08x}", part.path),
            }
        });
        let main = parts.main.iter().filter_map(|&place| page.blocks.get(place as usize));
        let main: Vec<&str> = main.map(|block| block.text.as_str()).collect();
        Seen {
            url: String::new(),
            through: Vec::new(),
            from,
            status: 0,
            title: page.title.clone(),
            language: page.language.clone(),
            r#type: parts.page_type.name(),
            confidence: share(parts.confidence),
            blocks: blocks.collect(),
            links: links.collect(),
            main: main.join("\n\n"),
        }
    }
}
