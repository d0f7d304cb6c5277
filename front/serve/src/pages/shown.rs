//! How is a crawled page shown and linked? Its name on one line, its URL cut, a link to what is known of it, and a link out only
//! where a browser may be led.

use super::layout::{outward, query, short};

/// Letters of a name and of a URL.
const NAME: usize = 120;
const ADDRESS: usize = 160;

/// A crawled page, as other pages name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Its title, or the end of its URL.
    pub(crate) name: String,
    /// Shortened for display.
    pub(crate) address: String,
    /// Where all about it is told.
    pub(crate) href: String,
    /// Link to the page on the web.
    pub(crate) out: Option<String>,
}

impl Shown {
    /// A page with a title; without one it is called by its URL.
    pub(crate) fn titled(site: &str, address: &str, title: &str) -> Shown {
        let name = short(title, NAME);
        Shown {
            name: if name.is_empty() { short(tail(address), NAME) } else { name },
            address: short(address, ADDRESS),
            href: about(site, address),
            out: outward(address).map(str::to_owned),
        }
    }

    /// A page that is called by its whole URL.
    pub(crate) fn address(site: &str, address: &str) -> Shown {
        let name = short(address, ADDRESS);
        Shown {
            name: if name.is_empty() { "(empty URL)".to_owned() } else { name },
            ..Shown::titled(site, address, "")
        }
    }
}

/// Where all about a URL is told.
pub(crate) fn about(site: &str, address: &str) -> String {
    format!("/sites/{site}/page{}", query(&[("url", address)]))
}

/// What follows the host; the host of a home page.
pub(crate) fn tail(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    if path.len() > 1 { path } else { rest.trim_end_matches('/') }
}

/// `1 page`, `2,000 pages`.
pub(crate) use groma_model::wording::counted;

/// The day of a moment.
pub(crate) fn day(seconds: i64) -> String {
    groma_model::moment::rfc3339(seconds).chars().take(10).collect()
}

/// The day and the minute of a moment.
pub(crate) fn minute(seconds: i64) -> String {
    groma_model::moment::rfc3339(seconds).chars().take(16).collect::<String>().replace('T', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_a_title_is_called_by_its_address() {
        assert_eq!(Shown::titled("s", "https://a.example/x/y?z=1", " ").name, "/x/y?z=1");
        assert_eq!(Shown::titled("s", "https://a.example/", "").name, "a.example");
        assert_eq!(Shown::titled("s", "", "").name, "");
        assert_eq!(Shown::address("s", "").name, "(empty URL)");
    }

    #[test]
    fn strangers_texts_are_short_and_lead_nowhere_but_to_the_web() {
        let page = Shown::titled("s", "javascript:alert(1)", &"<script>\u{202e}".repeat(9_999));
        assert!(page.out.is_none() && page.name.chars().count() <= 121 && !page.name.contains('\u{202e}'));
        assert_eq!(page.href, "/sites/s/page?url=javascript%3Aalert%281%29");
    }
}
