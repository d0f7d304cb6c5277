//! The extensions of a sitemap's `url`: `image:image`, `video:video`, `news:news`.
//!
//! Only what stands directly in one of them counts, so that the title of a video's publisher is no title of the video.

use super::{Entry, Medium, News, Sitemap};
use crate::fold;
use groma_model::Limits;

/// Bytes kept of a text that stands for a picture, or of the title of news.
const TEXT: usize = 512;

/// What an open element of a `url` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Image,
    Video,
    News,
}

/// The extension that is open in a record, if one is.
#[derive(Debug, Default)]
pub(super) struct Extra {
    open: Option<(Kind, u64)>,
    field: Option<Field>,
    text: String,
    found: ExtensionData,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    File,
    Thumbnail,
    Title,
    Caption,
    Published,
}

/// What an extension said.
#[derive(Debug, Default)]
pub(super) struct ExtensionData {
    files: Vec<String>,
    title: String,
    caption: String,
    published: String,
    is_news: bool,
}

impl Extra {
    /// An element begins, so deep in its record.
    pub(super) fn start(&mut self, name: &str, depth: u64) {
        self.field = None;
        self.text.clear();
        let Some((kind, at)) = self.open else {
            let kind = match name {
                "image" => Kind::Image,
                "video" => Kind::Video,
                "news" => Kind::News,
                _ => return,
            };
            self.open = Some((kind, depth));
            return;
        };
        if depth != at + 1 {
            return;
        }
        self.field = match (kind, name) {
            (Kind::Image, "loc") | (Kind::Video, "content_loc") => Some(Field::File),
            (Kind::Video, "thumbnail_loc") => Some(Field::Thumbnail),
            (_, "title") => Some(Field::Title),
            (Kind::Image, "caption") | (Kind::Video, "description") => Some(Field::Caption),
            (Kind::News, "publication_date") => Some(Field::Published),
            _ => None,
        };
    }

    /// Text of the open field.
    pub(super) fn text(&mut self, part: &str) {
        if self.field.is_some() {
            self.text.push_str(part);
        }
    }

    /// The element at this depth ends. Gives what was found if it was the extension itself.
    pub(super) fn end(&mut self, depth: u64) -> Option<ExtensionData> {
        if let Some(field) = self.field.take() {
            let text = self.text.trim();
            match field {
                Field::File | Field::Thumbnail => self.found.files.push(text.to_owned()),
                Field::Title => self.found.title = fold::folded(text, TEXT),
                Field::Caption => self.found.caption = fold::folded(text, TEXT),
                Field::Published => self.found.published = fold::folded(text, TEXT),
            }
        }
        let (kind, _) = self.open.filter(|(_, at)| *at == depth)?;
        self.open = None;
        let mut found = std::mem::take(&mut self.found);
        found.is_news = kind == Kind::News;
        Some(found)
    }
}

/// Puts what was found into the entry; gives how many media that were, `taken` being there already.
pub(super) fn keep(found: ExtensionData, entry: &mut Entry, map: &mut Sitemap, limits: &Limits, taken: u64) -> u64 {
    if found.is_news {
        let news = News { title: found.title, published: found.published };
        entry.news = Some(news).filter(|news| !news.title.is_empty() || !news.published.is_empty());
        return 0;
    }
    let mut added = 0;
    for loc in found.files.into_iter().filter(|loc| !loc.is_empty()) {
        if loc.len() as u64 > limits.url_bytes {
            map.cut("url_bytes");
        } else if taken + added >= limits.sitemap_urls {
            map.cut("sitemap_urls");
        } else {
            let text = if found.title.is_empty() { &found.caption } else { &found.title };
            entry.media.push(Medium { loc, text: text.clone() });
            added += 1;
        }
    }
    added
}
