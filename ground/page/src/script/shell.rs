//! Did this page come as an empty shell, to be filled by scripts?
//!
//! ```text
//! shell  =  scripts > 0  and  ( hollow  or  (thin and promised) )
//! hollow =  words <= 15 and links <= 2                   hardly anything is there
//! thin   =  words <= 150 and links <= 20                 something is there: a menu, a footer, "loading ..."
//! promised = a mount point, or a noscript that asks for scripts, or a declared application
//! ```
//!
//! words and links are those a reader of the page as it came would see, links that can be followed only. A script counts if it is
//! code, named or written out (not data such as JSON-LD). A mount point is an element with an id that frameworks fill
//! (`root`, `app`, `__next`, ...) and nothing but white space in it.
//!
//! Source: the rule is ours. Cost: one pass over the bytes. Not guaranteed: pages that come with text *and* load more are not
//! shells; patterns ([`habit`](super::habit)) find those that have siblings which are. A short page with some unrelated script is taken
//! for a shell; its pattern shows that nothing is gained.

use groma_model::{LinkKind, ParsedPage, Target};
use memchr::memmem;

/// How far one looks ahead.
const WINDOW: usize = 256;

const HOLLOW: (u32, usize) = (15, 2);
const THIN: (u32, usize) = (150, 20);

/// Ids of elements that scripts fill.
const MOUNTS: [&str; 12] = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "___gatsby",
    "main-app",
    "app-root",
    "react-root",
    "svelte",
    "q-app",
    "ember-app",
    "application",
];

/// Elements and attributes that declare an application.
const DECLARED: [&[u8]; 6] =
    [b"ng-app", b"ng-version", b"<app-root", b"data-reactroot", b"data-server-rendered", b"data-ember-"];

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// Scripts that are code.
    pub scripts: u32,
    /// An empty element that scripts fill, or an application declared.
    pub mount: bool,
    /// A noscript that asks for scripts.
    pub asks: bool,
    /// Words of visible text.
    pub words: u32,
    /// Links that can be followed.
    pub links: usize,
}

impl Looks {
    /// Counts what a page shows and what its bytes hold.
    pub fn measure(bytes: &[u8], page: &ParsedPage) -> Looks {
        let low = bytes.to_ascii_lowercase();
        let followed =
            |link: &&groma_model::Link| link.kind == LinkKind::Anchor && matches!(link.target, Target::Web(_));
        Looks {
            scripts: scripts(&low),
            mount: has_mount(&low) || DECLARED.iter().any(|mark| memmem::find(&low, mark).is_some()),
            asks: asks_for_scripts(&low),
            words: page.words,
            links: page.links.iter().filter(followed).count(),
        }
    }

    /// Is it an empty shell?
    pub fn is_shell(&self) -> bool {
        let within = |(words, links): (u32, usize)| self.words <= words && self.links <= links;
        self.scripts > 0 && (within(HOLLOW) || (within(THIN) && (self.mount || self.asks)))
    }
}

fn scripts(low: &[u8]) -> u32 {
    let (mut count, mut at) = (0, 0);
    // Each tag is looked at once: the search goes on behind it.
    while let Some(found) = memmem::find(&low[at..], b"<script") {
        at += found + 7;
        let rest = &low[at..];
        if !rest.first().is_some_and(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/')) {
            continue;
        }
        let Some(end) = memchr::memchr(b'>', rest) else { break };
        let tag = &rest[..end];
        at += end + 1;
        let data = [&b"json"[..], b"text/template", b"text/html", b"speculationrules", b"importmap"];
        let is_data = memmem::find(tag, b"type").is_some() && data.iter().any(|kind| memmem::find(tag, kind).is_some());
        let named = memmem::find(tag, b"src").is_some();
        let inside = &low[at..low.len().min(at + WINDOW)];
        let written = !inside.trim_ascii_start().starts_with(b"</script");
        count += u32::from(!is_data && (named || written));
    }
    count
}

/// An element with the id of a mount point, and nothing in it.
fn has_mount(low: &[u8]) -> bool {
    memmem::find_iter(low, b"id=").any(|at| {
        let value = &low[at + 3..low.len().min(at + WINDOW)];
        let quote = value.first().copied().filter(|b| matches!(b, b'"' | b'\''));
        let value = if quote.is_some() { &value[1..] } else { value };
        let end = value.iter().take(32).position(|b| match quote {
            Some(quote) => *b == quote,
            None => b.is_ascii_whitespace() || *b == b'>',
        });
        let Some(end) = end else { return false };
        if !MOUNTS.iter().any(|name| name.as_bytes() == &value[..end]) {
            return false;
        }
        let Some(close) = memchr::memchr(b'>', &value[end..]) else { return false };
        let inside = value[end + close + 1..].trim_ascii_start();
        inside.starts_with(b"</") || inside.starts_with(b"<!--") || inside.is_empty()
    })
}

/// A noscript that says "JavaScript".
fn asks_for_scripts(low: &[u8]) -> bool {
    memmem::find_iter(low, b"<noscript").take(64).any(|at| {
        let rest = &low[at..low.len().min(at + 2_000)];
        let inside = &rest[..memmem::find(rest, b"</noscript").unwrap_or(rest.len())];
        [&b"javascript"[..], b"enable js", b"scripts"].iter().any(|word| memmem::find(inside, word).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Html, Input};

    fn looks(html: &str) -> Looks {
        let url = groma_url::Url::parse("http://a.example/").unwrap();
        let limits = groma_model::Limits::default();
        let input = Input { bytes: html.as_bytes(), url: &url, charset: None, limits: &limits, parts: false };
        Looks::measure(html.as_bytes(), &Html.read(&input))
    }

    #[test]
    fn shells_are_known() {
        for html in [
            "<title>App</title><div id=root></div><script src=/a.js></script>",
            "<title>App</title><script>fetch('/x')</script>",
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id='app'></div><script src=a.js></script>",
            &format!(
                "<nav>{}</nav><div id=\"__next\"><!-- --></div><script src=a.js></script>",
                "<a href=/x>menu</a> ".repeat(15)
            ),
            &format!("<body ng-app=shop>{}<script src=a.js></script>", "loading ".repeat(60)),
        ] {
            assert!(looks(html).is_shell(), "{html}");
        }
    }

    #[test]
    fn pages_with_text_or_without_scripts_are_none() {
        let text = "There is a text here, and it goes on for a while. ".repeat(5);
        for html in [
            "<title>Short</title><p>Nothing runs here.",
            "<div id=root></div>",
            "<p>x<script type='application/ld+json'>{}</script>",
            "<p>x<script></script>",
            "<p>x<scripted src=a>",
            &format!("<p>{text}<script src=analytics.js></script>"),
            &format!("<div id=root><p>{}</div><script src=a.js></script>", text.repeat(10)),
            &format!("<div id=app>{text}</div><script src=a.js></script>"),
        ] {
            assert!(!looks(html).is_shell(), "{html}");
        }
    }

    #[test]
    fn any_bytes_are_survived() {
        for bytes in
            [&b"<script"[..], b"<script src", b"id=", b"id=\"root", b"id=root>", b"<noscript", b"\xff\0<script>"]
        {
            let _ = Looks::measure(bytes, &ParsedPage::default());
        }
    }
}
