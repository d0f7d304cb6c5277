//! What the last fetch of a page told.

use serde::Serialize;

use groma_store::PageRow;

use groma_model::moment::rfc3339;
use groma_model::wording::{grouped, size};

/// The facts, as programs read them.
#[derive(Serialize)]
pub(super) struct LastFetch {
    at: String,
    status: Option<u16>,
    r#type: String,
    size: u64,
    elapsed_ms: u32,
    title: String,
    language: String,
    charset: String,
    words: u32,
    etag: String,
    last_modified: String,
    /// When the text was last seen to change; nothing if never.
    changed_at: Option<String>,
    noindex: bool,
    nofollow: bool,
    cuts: String,
    note: String,
}

impl LastFetch {
    pub(super) fn of(page: &PageRow) -> LastFetch {
        let facts = &page.facts;
        LastFetch {
            at: rfc3339(facts.fetched_at),
            status: Some(facts.status).filter(|status| *status > 0),
            r#type: facts.media_type.clone(),
            size: facts.size,
            elapsed_ms: facts.elapsed_ms,
            title: facts.title.clone(),
            language: facts.language.clone(),
            charset: facts.charset.clone(),
            words: facts.words,
            etag: facts.etag.clone(),
            last_modified: facts.last_modified.clone(),
            changed_at: (page.changed_at > 0).then(|| rfc3339(page.changed_at)),
            noindex: facts.noindex,
            nofollow: facts.nofollow,
            cuts: facts.cuts.clone(),
            note: facts.note.clone(),
        }
    }

    /// The facts, as people read them; what is empty is left out.
    pub(super) fn lines(&self) -> Vec<String> {
        let status = self.status.map_or("no answer".to_owned(), |status| format!("status {status}"));
        let mut lines = vec![format!("{}: {status} after {} ms", self.at, grouped(self.elapsed_ms.into()))];
        if !self.r#type.is_empty() {
            lines.push(format!("{}, {}, {} words", self.r#type, size(self.size), grouped(self.words.into())));
        }
        let named = [
            ("title", &self.title),
            ("language", &self.language),
            ("charset", &self.charset),
            ("ETag", &self.etag),
            ("Last-Modified", &self.last_modified),
            ("cut", &self.cuts),
            ("note", &self.note),
        ];
        lines.extend(named.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name}: {text}")));
        let asks = [("noindex", self.noindex), ("nofollow", self.nofollow)];
        lines.extend(asks.iter().filter(|(_, said)| *said).map(|(word, _)| format!("its author asks robots: {word}")));
        lines
    }
}
