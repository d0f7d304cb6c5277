//! What the last fetch of a page told.

use groma_model::Rendering;
use groma_model::moment::rfc3339;
use groma_model::wording::{grouped, size};
use groma_store::PageRow;
use groma_store::outside::OutsideAnswer;
use serde::Serialize;

/// The facts, as programs read them.
#[derive(Debug, Default, Serialize)]
pub struct LastFetch {
    /// Time of the fetch.
    pub at: String,
    /// The HTTP status; nothing if there was no answer.
    pub status: Option<u16>,
    pub r#type: String,
    /// Bytes after decompression.
    pub size: u64,
    /// How long it took.
    pub elapsed_ms: u32,
    pub title: String,
    /// As a code, `en`.
    pub language: String,
    /// The character encoding it was read with.
    pub charset: String,
    /// In the text.
    pub words: u32,
    /// ETag as it came.
    pub etag: String,
    /// Last-Modified as it came.
    pub last_modified: String,
    /// When the text was last seen to change; nothing if never.
    pub changed_at: Option<String>,
    /// Its author asks not to show it in searches.
    pub noindex: bool,
    /// Its author asks not to follow its links.
    pub nofollow: bool,
    /// What was cut, by limit keys.
    pub cuts: String,
    /// Whether a browser built it, and why; nothing if that was no question.
    pub rendered: Option<String>,
    /// The file of its picture, among the survey's.
    pub picture: Option<String>,
    /// In words: what went wrong, how large a picture is, how many pages a document has.
    pub note: String,
}

impl LastFetch {
    /// The facts of a page.
    pub fn from_row(page: &PageRow) -> LastFetch {
        let facts = &page.facts;
        let rendering = Rendering::read(&facts.note);
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
            note: if rendering.is_some() { String::new() } else { facts.note.clone() },
            picture: rendering.as_ref().and_then(|seen| seen.picture()).map(str::to_owned),
            rendered: rendering.map(|seen| seen.says()),
        }
    }

    /// What a URL outside the survey answered when it was asked whether it is there.
    pub(super) fn from_answer(answer: &OutsideAnswer) -> LastFetch {
        LastFetch {
            at: rfc3339(answer.at),
            status: Some(answer.status).filter(|status| *status > 0),
            elapsed_ms: answer.elapsed_ms,
            etag: answer.etag.clone(),
            last_modified: answer.last_modified.clone(),
            note: if answer.by_get { "asked by GET, since HEAD was not believed" } else { "asked by HEAD" }.to_owned(),
            ..LastFetch::default()
        }
    }

    /// The facts, as people read them; what is empty is left out.
    pub fn lines(&self) -> Vec<String> {
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
        lines.extend(self.rendered.iter().map(|how| format!("rendered: {how}")));
        lines.extend(self.picture.iter().map(|name| format!("picture: {name}")));
        lines.extend(named.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name}: {text}")));
        let asks = [("noindex", self.noindex), ("nofollow", self.nofollow)];
        lines.extend(asks.iter().filter(|(_, said)| *said).map(|(word, _)| format!("its author asks robots: {word}")));
        lines
    }
}
