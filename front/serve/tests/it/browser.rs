//! Can people use it? Every page in a real browser: with scripts, without, by keyboard alone, as an admin and as a reader.

mod bounds;
mod databases;
mod focus;
mod keyboard;
mod people;
mod plain;
mod survey;
mod work;

use groma_browser::Chromium;
use serde_json::{Value, json};

use crate::House;

/// A browser at a server. Every page it leaves must have been without fault.
pub(crate) struct Walk {
    pub(crate) browser: Chromium,
    pub(crate) base: String,
}

impl Walk {
    /// Nothing where no browser is installed.
    pub(crate) fn begin(name: &str, house: &House) -> Option<Walk> {
        let browser = Chromium::start(name)?;
        let mut walk = Walk { browser, base: String::new() };
        walk.enter(house);
        Some(walk)
    }

    /// Goes to a server, and is let in: a session on one is none on another.
    pub(crate) fn enter(&mut self, house: &House) {
        self.base = format!("http://{}", house.host());
        if let Some(key) = house.key() {
            self.browser.go(&format!("{}/?key={key}", self.base));
        }
        self.browser.events.clear();
    }

    /// Opens a page of the server.
    pub(crate) fn go(&mut self, path: &str) {
        self.browser.go(&format!("{}{path}", self.base));
        let is_there = path.starts_with("/login") || self.browser.value("location.pathname") != "/login";
        assert!(is_there, "{path} leads to the login");
        self.is_well(path);
    }

    /// Opens a page that is not for strangers, as one.
    pub(crate) fn is_turned_away(&mut self, path: &str) {
        self.browser.go(&format!("{}{path}", self.base));
        assert_eq!(self.browser.value("location.pathname"), "/login", "{path} is shown to strangers");
        self.is_well(path);
    }

    /// Follows a link or sends a form with the mouse.
    pub(crate) fn click(&mut self, selector: &str) {
        self.browser.click_through(selector);
        self.is_well(selector);
    }

    /// Nothing went wrong since this was last asked, and nothing sticks out of the window.
    pub(crate) fn is_well(&mut self, at: &str) {
        let troubles = self.browser.troubles(&self.base);
        assert!(troubles.is_empty(), "{at}: {troubles:#?} {}", self.text("body"));
        assert_eq!(self.too_wide(), None, "{at} is wider than its window");
        assert_eq!(self.ugly(), None, "{at}");
    }

    /// Words of tables that are broken within (only URLs and what else others wrote may be), and boxes that touch what follows.
    pub(crate) fn ugly(&mut self) -> Option<String> {
        let found = self.browser.value(
            "(() => { const wrong = []; const range = document.createRange(); \
             for (const cell of document.querySelectorAll('td, th')) { \
               const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT); \
               while (texts.nextNode()) { const text = texts.currentNode; \
                 if (text.parentElement.closest('.address, .any, code, pre')) continue; \
                 for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) { \
                   if (word[0].length > 28) continue; \
                   range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length); \
                   const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top))); \
                   if (lines.size > 1) wrong.push(`${word[0]} is broken in ${cell.outerHTML.slice(0, 120)}`); } } } \
             for (const note of document.querySelectorAll('.note')) { const next = note.nextElementSibling; \
               if (next && note.offsetHeight && next.offsetHeight && getComputedStyle(next).position === 'static') { \
                 const gap = next.getBoundingClientRect().top - note.getBoundingClientRect().bottom; \
                 if (gap >= 0 && gap < 4) wrong.push(`${note.outerHTML.slice(0, 120)} touches ${next.outerHTML.slice(0, 80)}`); } } \
             return wrong.length ? wrong.slice(0, 5) : null; })()",
        );
        (!found.is_null()).then(|| found.to_string())
    }

    /// What sticks out of the window, if the page is wider than it.
    pub(crate) fn too_wide(&mut self) -> Option<String> {
        let wide = self.browser.value(
            "(() => { const width = document.documentElement.clientWidth; \
             if (document.documentElement.scrollWidth <= width) return null; \
             return [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > width + 1) \
               .slice(0, 5).map((one) => `${one.tagName}.${one.getAttribute('class')} ${Math.round(one.getBoundingClientRect().right)}`); })()",
        );
        (!wide.is_null()).then(|| wide.to_string())
    }

    /// The text of the first element a selector names.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let quoted = json!(selector);
        let text = self.browser.value(&format!("document.querySelector({quoted})?.innerText ?? null"));
        text.as_str().unwrap_or_else(|| panic!("no {selector} on {}", self.browser.value("location.href"))).to_owned()
    }

    /// How many elements a selector names.
    pub(crate) fn count(&mut self, selector: &str) -> u64 {
        self.browser.value(&format!("document.querySelectorAll({}).length", json!(selector))).as_u64().unwrap()
    }

    /// Waits until a text stands in an element.
    pub(crate) fn until(&mut self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.browser.wait_for(&format!("document.querySelector({selector})?.innerText.includes({text})"));
    }

    /// Fetches something as a page of the server would: status, media type, and the text byte by byte.
    pub(crate) fn fetch(&mut self, href: &str) -> (u64, String, String) {
        let answer = self.browser.promised(&format!(
            "fetch({}).then(async (answer) => ({{ status: answer.status, kind: answer.headers.get('content-type') ?? '', \
             text: new TextDecoder('latin1').decode(await answer.arrayBuffer()) }}))",
            json!(href)
        ));
        let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        (answer["status"].as_u64().unwrap_or(0), text("kind"), text("text"))
    }

    /// The URLs of the links a selector names.
    pub(crate) fn hrefs(&mut self, selector: &str) -> Vec<String> {
        let list = self.browser.value(&format!(
            "[...document.querySelectorAll({})].map((one) => one.getAttribute('href'))",
            json!(selector)
        ));
        list.as_array().unwrap().iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}
