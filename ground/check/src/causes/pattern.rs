//! What the URLs of a group have in common: `https://a.org/blog/*.html`.
//!
//! The longest beginning and the longest end that all of them share, each cut back to a mark that divides URLs (`/ . - _ ? = &` and
//! the like), so that a chance letter is no part of it. Cost: linear in the URL; memory: one beginning and one end.
//! Not guaranteed: that every URL of that pattern is in the group.

/// Bytes of a beginning or an end that are compared.
const COMPARED: usize = 1_000;

/// The common beginning and end of URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UrlPattern {
    start: String,
    end: String,
    /// Bytes of the shortest of them.
    shortest: usize,
    /// They are not all the same.
    varied: bool,
}

impl UrlPattern {
    pub(super) fn new(url: &str) -> UrlPattern {
        let start = url[..floor(url, COMPARED)].to_owned();
        let end = url[ceil(url, url.len().saturating_sub(COMPARED))..].to_owned();
        UrlPattern { start, end, shortest: url.len(), varied: false }
    }

    /// Takes in one URL more.
    pub(super) fn add(&mut self, url: &str) {
        self.join(&UrlPattern::new(url));
    }

    /// Takes in all that another stands for.
    pub(super) fn join(&mut self, other: &UrlPattern) {
        self.varied |= other.varied || self.start != other.start || self.end != other.end;
        let start = self.start.bytes().zip(other.start.bytes()).take_while(|(a, b)| a == b).count();
        self.start.truncate(floor(&self.start, start));
        let end = self.end.bytes().rev().zip(other.end.bytes().rev()).take_while(|(a, b)| a == b).count();
        let from = ceil(&self.end, self.end.len() - end);
        self.end.drain(..from);
        self.shortest = self.shortest.min(other.shortest);
    }

    /// The pattern with a star for what varies.
    pub(super) fn says(&self) -> String {
        let start = self.start.rfind(divides).map_or(0, |at| at + 1);
        let room = self.shortest.saturating_sub(start);
        let end = &self.end[ceil(&self.end, self.end.len().saturating_sub(room))..];
        let end = end.find(divides).map_or("", |at| &end[at..]);
        format!("{}*{end}", &self.start[..start])
    }
}

fn divides(c: char) -> bool {
    matches!(c, '/' | '.' | '-' | '_' | '?' | '=' | '&' | ':' | ';' | ',' | '+' | '~' | '#')
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// The folder a page stands in: its URL up to the last slash of the path, or up to its query, if it has one.
pub(super) fn folder(url: &str) -> &str {
    let bare = url.split('#').next().unwrap_or_default();
    if let Some(at) = bare.find('?') {
        return &bare[..=at];
    }
    bare.rfind('/').map_or(bare, |at| &bare[..=at])
}

/// The folder above a folder; nothing above a host, or above what is no URL of the web.
pub(super) fn parent(folder: &str) -> Option<&str> {
    let host = folder.find("://").map(|at| at + 3)?;
    let path = folder[host..].find('/').map(|at| host + at)?;
    let inner = folder.strip_suffix(['/', '?']).unwrap_or(folder);
    let at = inner.rfind('/').filter(|at| *at >= path)?;
    Some(&folder[..=at])
}

/// Scheme and host of a URL, as it was written.
pub(super) fn server(url: &str) -> &str {
    let from = url.find("://").map_or(0, |at| at + 3);
    let end = url[from..].find(['/', '?', '#']).map_or(url.len(), |at| from + at);
    &url[..end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pattern(urls: &[&str]) -> String {
        let mut pattern = UrlPattern::new(urls[0]);
        urls[1..].iter().for_each(|url| pattern.add(url));
        pattern.says()
    }

    #[test]
    fn what_varies_is_a_star_between_marks_of_urls() {
        for (urls, says) in [
            (&["https://a.org/x/1.html", "https://a.org/x/22.html"][..], "https://a.org/x/*.html"),
            (&["https://a.org/sql-select.html", "https://a.org/sql-set.html"], "https://a.org/sql-*.html"),
            (&["https://a.org/api", "https://a.org/about"], "https://a.org/*"),
            (&["https://a.org/v?t=1", "https://a.org/v?t=12"], "https://a.org/v?t=*"),
            (&["https://a.org/", "https://b.org/"], "https://*.org/"),
            (&["https://a.org/a/a/", "https://a.org/a/"], "https://a.org/a/*"),
            (&["", "x"], "*"),
            (&["\u{fc}x", "\u{fd}x"], "*"),
        ] {
            assert_eq!(pattern(urls), says, "{urls:?}");
        }
    }

    #[test]
    fn folders_lead_up_to_the_host() {
        assert_eq!(folder("https://a.org/x/y.html#z/1"), "https://a.org/x/");
        assert_eq!(folder("https://a.org/x/y?z=/1"), "https://a.org/x/y?");
        let ups: Vec<&str> = std::iter::successors(Some("https://a.org/x/y?"), |folder| parent(folder)).collect();
        assert_eq!(ups, ["https://a.org/x/y?", "https://a.org/x/", "https://a.org/"]);
        assert_eq!([parent("https://a.org"), parent("x"), parent(""), parent("/x/")], [None; 4]);
        assert_eq!(
            [server("mailto:x"), server("https://h"), server("https://h?q")],
            ["mailto:x", "https://h", "https://h"]
        );
        assert_eq!([folder("x"), folder("https://h/")], ["x", "https://h/"]);
    }

    proptest! {
        #[test]
        fn every_member_has_the_pattern(urls in proptest::collection::vec("[a/.?\u{fc}]{0,12}", 1..8)) {
            let mut common = UrlPattern::new(&urls[0]);
            urls[1..].iter().for_each(|url| common.add(url));
            let says = common.says();
            let (start, end) = says.split_once('*').unwrap();
            for url in &urls {
                prop_assert!(url.starts_with(start) && url.ends_with(end) && url.len() >= start.len() + end.len(), "{} {}", url, says);
            }
        }

        #[test]
        fn every_way_up_ends(url in "\\PC{0,40}") {
            let mut at = Some(folder(&url));
            while let Some(folder) = at {
                let up = parent(folder);
                prop_assert!(up.is_none_or(|up| up.len() < folder.len()));
                at = up;
            }
        }
    }
}
