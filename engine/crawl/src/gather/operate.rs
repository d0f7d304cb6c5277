//! The page of a form whose search box only scripts read, on its way through a browser.
//!
//! ```text
//! page as it came --> tab of the browser: a word typed, sent, the next page, each control --> requests --> a form at the end of the page
//! ```
//!
//! What the page asks for meanwhile is fetched as politely as questions are: robots.txt, lanes and pauses, the guard. The place of the page
//! in its lane is held until it is over. What is kept is the page as the browser built it, with that form; a strategy that is told of
//! it again after a kill needs no browser.

use std::sync::Arc;

use groma_gather::form::search_box::{self, SearchBox};
use groma_render::{Blind, Browser, Operated, Shown};
use groma_store::gathers::AnswerRow;
use groma_url::Url;

use crate::render::PoliteFetcher;

/// A page whose search box is operated.
pub(super) struct Operating<T> {
    /// What it holds meanwhile: its task and its place in the lane.
    pub(super) held: T,
    /// The page as it came.
    pub(super) answer: AnswerRow,
    pub(super) seen: Result<Operated, Blind>,
    /// Fetches that it took, and bytes over the wire.
    pub(super) cost: (u64, u64),
}

/// A page on its way. However that ends, even by a panic inside, it comes home.
struct OnItsWay<T, H: FnMut(Operating<T>)> {
    operating: Option<Operating<T>>,
    home: H,
}

impl<T, H: FnMut(Operating<T>)> Drop for OnItsWay<T, H> {
    fn drop(&mut self) {
        if let Some(operating) = self.operating.take() {
            (self.home)(operating);
        }
    }
}

/// Operates the search box, and brings the page home.
pub(super) async fn operate<T>(
    browser: Arc<Browser>,
    polite_fetcher: Arc<PoliteFetcher>,
    operating: Operating<T>,
    home: impl FnMut(Operating<T>),
) {
    let mut way = OnItsWay { operating: Some(operating), home };
    let Some(operating) = way.operating.as_mut() else { return };
    let Ok(url) = Url::parse(&operating.answer.address) else { return };
    let headers = vec![("content-type".to_owned(), content_type(&operating.answer))];
    let shown = Shown { url, status: operating.answer.status, headers, body: operating.answer.body.clone() };
    let supply = Arc::new(polite_fetcher.for_page());
    operating.seen = browser.operate(&shown, &supply).await;
    operating.cost = supply.cost();
}

fn content_type(answer: &AnswerRow) -> String {
    let kind = if answer.media_type.is_empty() { "text/html" } else { &answer.media_type };
    if answer.charset.is_empty() { kind.to_owned() } else { format!("{kind}; charset={}", answer.charset) }
}

impl<T> Operating<T> {
    /// The page as it is kept, and what people should know of it. `may_ask`: which URLs may be asked at all.
    pub(super) fn finish(self, may_ask: &dyn Fn(&Url) -> bool) -> (T, AnswerRow, String) {
        let (mut answer, page) = (self.answer, self.seen);
        let seen = match page {
            Ok(seen) => seen,
            Err(blind) => {
                let says = format!("{blind}: the form of {} is read as it came", answer.address);
                return (self.held, answer, says);
            }
        };
        let found = SearchBox::read(&as_operated(&seen));
        let own = found.as_ref().filter(|found| may_ask(&found.action));
        let says = told(&seen, found.as_ref(), own.is_some(), &answer.address);
        let form = own.map(SearchBox::html).unwrap_or_default();
        answer.body = format!("{}{form}", seen.view.html).into_bytes();
        "text/html".clone_into(&mut answer.media_type);
        "utf-8".clone_into(&mut answer.charset);
        // The server knows the page as it came.
        answer.etag.clear();
        answer.last_modified.clear();
        (self.held, answer, says)
    }
}

/// What came of it, in a sentence.
fn told(seen: &Operated, found: Option<&SearchBox>, is_own: bool, page: &str) -> String {
    let Some(label) = &seen.label else { return format!("{page} has no search box that a visitor could type into") };
    match (found, seen.posted.first()) {
        (Some(found), _) if is_own => format!("the search box \"{label}\" asks {}: that is asked", found.action),
        (Some(other), _) => {
            format!("the search box \"{label}\" asks {}, which is another site: that is not asked", other.action)
        }
        (None, Some(posted)) => format!("the search box \"{label}\" posts to {posted}: only what it gets is asked"),
        (None, None) => format!("the search box \"{label}\" asked for nothing with the word \"{}\" in it", seen.word),
    }
}

fn as_operated(seen: &Operated) -> search_box::Operated {
    let control = |control: &groma_render::OperatedControl| search_box::OperatedControl {
        label: control.label.clone(),
        values: control.values.clone(),
        tried: control.tried,
        is_box: control.is_box,
        asked: control.asked.clone(),
    };
    search_box::Operated {
        label: seen.label.clone().unwrap_or_default(),
        word: seen.word.clone(),
        asked: seen.asked.clone(),
        more: seen.more.clone(),
        controls: seen.controls.iter().map(control).collect(),
    }
}
