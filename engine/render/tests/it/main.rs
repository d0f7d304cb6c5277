//! A real Chromium, pages that behave, and pages that do not. Without a Chromium nothing is tried, and that is said.

mod hostile;
mod operating;
mod ordinary;

use std::sync::{Arc, Mutex};

use groma_model::Limits;
use groma_render::{Blind, Browser, Look, Operated, Shown, SubresourceRequest, Supplied, Supply, View};
use groma_url::Url;
use tokio::runtime::Runtime;

/// A web that is a function, and remembers what it was asked for.
struct Shop {
    answer: fn(&str) -> Option<(&'static str, &'static str)>,
    asked: Mutex<Vec<String>>,
}

impl Supply for Shop {
    async fn supply(&self, wanted: SubresourceRequest) -> Option<Supplied> {
        self.asked.lock().expect("nobody broke it").push(wanted.url.to_string());
        let (kind, body) = (self.answer)(wanted.url.path())?;
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        Some(Supplied { status: 200, headers, body: body.as_bytes().to_vec() })
    }
}

/// A browser and what its pages are supplied with.
struct Stage {
    browser: Browser,
    shop: Arc<Shop>,
    runtime: Runtime,
}

impl Stage {
    /// Nothing if there is no browser.
    fn new(answer: fn(&str) -> Option<(&'static str, &'static str)>) -> Option<Stage> {
        Stage::with(answer, |_| {}, false)
    }

    fn with(
        answer: fn(&str) -> Option<(&'static str, &'static str)>,
        change: fn(&mut Limits),
        pictures: bool,
    ) -> Option<Stage> {
        if groma_render::find().is_none() {
            eprintln!("skipped: chromium is not installed");
            return None;
        }
        let mut limits = Limits { js_ms: 3_000, js_quiet_ms: 200, ..Limits::default() };
        change(&mut limits);
        let browser = Browser::new(Look { pages: 2, pictures, limits });
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
        Some(Stage { browser, shop: Arc::new(Shop { answer, asked: Mutex::default() }), runtime })
    }

    fn see(&self, html: &str) -> Result<View, Blind> {
        self.runtime.block_on(self.browser.see(&shown(html), &self.shop))
    }

    fn seen(&self, html: &str) -> View {
        self.see(html).unwrap_or_else(|blind| panic!("{blind}: {html:.200}"))
    }

    fn operated(&self, html: &str) -> Operated {
        let operated = self.runtime.block_on(self.browser.operate(&shown(html), &self.shop));
        operated.unwrap_or_else(|blind| panic!("{blind}: {html:.200}"))
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.shop.asked.lock().expect("nobody broke it"))
    }
}

fn shown(html: &str) -> Shown {
    let headers = vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    let url = Url::parse("http://site.example/folder/page?x=1").expect("a URL");
    Shown { url, status: 200, headers, body: html.as_bytes().to_vec() }
}

fn nothing(_: &str) -> Option<(&'static str, &'static str)> {
    None
}
