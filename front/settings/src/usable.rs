//! Can a crawl work with these settings? Asked by `groma crawl` and `groma update` before anything happens, and by
//! `groma config`, so that both say the same.

use groma_fetch::FetchError;

use crate::meaning::{Settings, blamed};
use crate::wording::help_of;
use crate::{Book, Entry, Fault, Origin};

/// Limits with which nothing could be fetched or kept if they were 0.
const NEEDED: [&str; 10] = [
    "url_bytes",
    "headers",
    "header_bytes",
    "page_bytes",
    "wire_bytes",
    "connect_ms",
    "idle_ms",
    "total_ms",
    "robots_bytes",
    "pattern_fetches",
];

/// Finds what no crawl could work with, and says where it comes from.
pub fn check(settings: &Settings, book: &Book) -> Result<(), Fault> {
    if let Some(key) = NEEDED.into_iter().find(|key| settings.limits().get(key) == Some(0)) {
        let entry = book.entry(&format!("limits.{key}"));
        let help = help_of(&entry.row.key, entry.row.help);
        return Err(blamed(entry, "a number above 0 is expected: nothing could be fetched otherwise", &help));
    }
    settings.fetch_config(&[], None).check().map_err(|error| match culprit(&error, book) {
        Some(entry) => blamed(entry, &error.to_string(), error.hint()),
        None => error.into(),
    })
}

/// The setting that an error is about; nothing if nobody set it (a proxy out of the system's own variables, say).
fn culprit<'a>(error: &FetchError, book: &'a Book) -> Option<&'a Entry> {
    let keys: &[&str] = match error {
        FetchError::Header(_) | FetchError::OwnHeader(_) => &["headers"],
        // Without a name of its own the contact makes the name.
        FetchError::UserAgent(_) => &["user_agent", "contact"],
        FetchError::Proxy(_) => &["proxy"],
        FetchError::Resolve(_) => &["resolve"],
        FetchError::HostName(_) => &["own"],
        FetchError::Files { .. } | FetchError::Memory { .. } => &[],
    };
    keys.iter().map(|key| book.entry(key)).find(|entry| entry.origin != Origin::Default)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Given;

    fn wrong(key: &str, value: &str) -> Option<Fault> {
        let mut book = Book::of_flags(&[Given::flag(key, "-s", value), Given::flag("proxy", "-x", "none")]).unwrap();
        if key == "proxy" {
            book = Book::of_flags(&[Given::flag(key, "-s", value)]).unwrap();
        }
        let settings = Settings::from_book(&mut book).ok()?;
        check(&settings, &book).err()
    }

    #[test]
    fn what_no_crawl_can_work_with_is_told_with_its_origin() {
        for (key, value) in [
            ("proxy", "::"),
            ("proxy", "socks5://a"),
            ("headers", "X: a\nb"),
            ("headers", "Host: x"),
            ("user_agent", "a\nb"),
            ("contact", "a\nb"),
            ("timeout", "0"),
            ("limits.total_ms", "0"),
            ("limits.url_bytes", "0"),
            ("limits.page_bytes", "0"),
        ] {
            let fault = wrong(key, value).unwrap_or_else(|| panic!("{key} = {value:?} passes"));
            assert!(fault.says.starts_with("command line -s: "), "{}", fault.says);
            assert!(!fault.says.contains('\n') && !fault.hint.is_empty(), "{}", fault.says);
        }
        for (key, value) in [("proxy", "http://a:1"), ("proxy", "none"), ("limits.retries", "0"), ("headers", "X: a")] {
            assert_eq!(wrong(key, value), None, "{key} = {value}");
        }
    }

    #[test]
    fn secrets_are_not_told() {
        let fault = wrong("headers", "X-Key: sec\nret").unwrap();
        assert!(!fault.says.contains("ret") && fault.says.contains("X-Key"), "{}", fault.says);
    }
}
