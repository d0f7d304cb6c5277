//! The shape of a URL: pages of one kind mostly have URLs of one pattern.
//!
//! ```text
//! shape(u) = host + folders + last segment + names of the query's parameters
//! folder   = itself if it is a plain word; `#` if it has digits; else `*`
//! last     = `#` if it has digits, else `*`, with its extension; nothing if the path ends in a folder
//! ```
//!
//! `/people/jane-doe/` is `/people/*/`, `/2020.acl-main.10/` is `/#/`, `/wiki/Parsing` is `/wiki/*`, `/a/list.php?page=2` is `/a/*.php?page`.
//! One pass over the URL. Not guaranteed: that pages of one shape are alike; that is what arms find out.

/// Letters of a folder that still is a plain word.
const WORD: usize = 16;
/// Segments of a path that count.
const SEGMENTS: usize = 8;

/// The shape of a URL.
pub(crate) fn shape(address: &str) -> String {
    let address = address.split('#').next().unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let rest = path.split_once("://").map_or(path, |(_, rest)| rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut out = host.to_owned();
    let is_folder = path.ends_with('/');
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let count = segments.len().min(SEGMENTS);
    for (at, segment) in segments.iter().take(SEGMENTS).enumerate() {
        out.push('/');
        let is_last = at + 1 == count;
        let has_digits = segment.bytes().any(|byte| byte.is_ascii_digit());
        let is_word = segment.len() <= WORD && segment.bytes().all(|byte| byte.is_ascii_alphabetic());
        match (is_last, has_digits, is_word) {
            (false, _, true) => out.push_str(segment),
            (_, true, _) => out.push('#'),
            _ => out.push('*'),
        }
        let extension = segment.rsplit_once('.').map(|(_, end)| end).filter(|_| is_last && !is_folder);
        let is_short = |end: &&str| (1..=5).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphabetic());
        if let Some(end) = extension.filter(is_short) {
            out.push('.');
            out.push_str(end);
        }
    }
    if is_folder || count == 0 {
        out.push('/');
    }
    let mut names: Vec<&str> =
        query.split('&').filter_map(|pair| pair.split('=').next()).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    for (at, name) in names.iter().take(SEGMENTS).enumerate() {
        out.push(if at == 0 { '?' } else { '&' });
        out.push_str(name.get(..WORD).unwrap_or(name));
    }
    out
}

/// A coarser shape: host, first folder, number of segments, and whether the last has digits.
pub(crate) fn coarse(shape: &str) -> String {
    let path = shape.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    let first = if segments.len() > 2 { segments[1] } else { "" };
    let has_digits =
        segments.iter().rev().find(|segment| !segment.is_empty()).is_some_and(|last| last.starts_with('#'));
    format!("{}/{first}/{}{}", segments[0], segments.len(), if has_digits { "#" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::{coarse, shape};

    #[test]
    fn coarse_shapes() {
        assert_eq!(coarse("a.example/people/bob/*/"), coarse("a.example/people/*/*/"));
        assert_ne!(coarse("a.example/people/#/"), coarse("a.example/people/*/"));
        assert_ne!(coarse("a.example/people/*/"), coarse("a.example/venues/*/"));
        assert_eq!(coarse("/"), coarse("/"));
    }

    #[test]
    fn pages_of_one_kind_share_a_shape() {
        for (address, expected) in [
            ("http://a.example/people/jane-doe/", "a.example/people/*/"),
            ("http://a.example/people/bob/unverified/", "a.example/people/bob/*/"),
            ("http://a.example/people/jane-doe/unverified/", "a.example/people/*/*/"),
            ("http://a.example/2020.acl-main.10/", "a.example/#/"),
            ("http://a.example:81/P19-1001/", "a.example:81/#/"),
            ("http://a.example/volumes/P19-1/", "a.example/volumes/#/"),
            ("http://a.example/wiki/Parsing", "a.example/wiki/*"),
            ("http://a.example/a/list.php?page=2&b=1&page=3#x", "a.example/a/*.php?b&page"),
            ("http://a.example/item-12.html", "a.example/#.html"),
            ("http://a.example", "a.example/"),
            ("http://a.example/", "a.example/"),
            ("", "/"),
        ] {
            assert_eq!(shape(address), expected, "{address}");
        }
    }
}
