//! What a crawler with no sense of its own would see of a web: every link followed, every URL its own page.
//!
//! Breadth first from `/`, no sockets. It reads only the links that [`prose::Page`](crate::prose::Page) writes
//! (`href="..."`, an absolute or relative path) and the `Location` of redirects; links to other hosts are not followed.
//! It is an oracle for sites of this crate, not a crawler. Cost: one answer for each URL, up to the limit.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::prose::hash;
use crate::{Ask, Web};

/// What a walk through a web has met.
#[derive(Debug, Default)]
pub struct Walk {
    /// The distance of every path that was asked for, redirects counting nothing.
    pub depth: HashMap<String, u32>,
    /// Paths by status.
    pub by_status: HashMap<u16, Vec<String>>,
    /// How many different bodies came with a 200.
    pub contents: usize,
    /// URLs that were seen and not asked for when the limit was reached.
    pub left: usize,
}

impl Walk {
    /// How many paths answered with a status.
    pub fn count(&self, status: u16) -> usize {
        self.by_status.get(&status).map_or(0, Vec::len)
    }
}

/// Walks a web, asking for at most so many paths.
pub fn naive(web: &impl Web, limit: usize) -> Walk {
    let mut walk = Walk::default();
    let mut bodies = HashSet::new();
    let mut seen = HashSet::from(["/".to_owned()]);
    let mut queue = VecDeque::from([("/".to_owned(), 0)]);
    while walk.depth.len() < limit {
        let Some((path, depth)) = queue.pop_front() else { break };
        let answer = web.answer(&Ask { serial: walk.depth.len() as u64, ..Ask::get(&path) });
        let body = String::from_utf8_lossy(&answer.body);
        if answer.status == 200 {
            bodies.insert(hash(&body));
        }
        if let Some(to) = answer.header("location").and_then(|to| resolve(&path, to))
            && seen.insert(to.clone())
        {
            queue.push_front((to, depth));
        }
        for to in hrefs(&body).filter_map(|href| resolve(&path, href)) {
            if seen.insert(to.clone()) {
                queue.push_back((to, depth + 1));
            }
        }
        walk.by_status.entry(answer.status).or_default().push(path.clone());
        walk.depth.insert(path, depth);
    }
    walk.contents = bodies.len();
    walk.left = queue.len();
    walk
}

/// The links a page writes, as they stand.
pub fn hrefs(body: &str) -> impl Iterator<Item = &str> {
    body.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"').map(|(href, _)| href))
}

/// A link of a page as a path; `None` if it leads to another host or is none of http.
pub fn resolve(base: &str, href: &str) -> Option<String> {
    let href = href.split('#').next().unwrap_or_default();
    if href.contains(':') || href.starts_with("//") {
        return None;
    }
    let base = base.split('?').next().unwrap_or_default();
    if href.is_empty() {
        return Some(base.to_owned());
    }
    if href.starts_with('/') {
        return Some(href.to_owned());
    }
    if href.starts_with('?') {
        return Some(format!("{base}{href}"));
    }
    let mut segments: Vec<&str> = base.split('/').collect();
    segments.pop();
    let mut rest = href;
    while let Some(up) = rest.strip_prefix("../") {
        if segments.len() > 1 {
            segments.pop();
        }
        rest = up;
    }
    Some(format!("{}/{rest}", segments.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;

    #[test]
    fn links_resolve_like_paths() {
        for (base, href, path) in [
            ("/", "a/b/", "/a/b/"),
            ("/a/b/", "a/b/", "/a/b/a/b/"),
            ("/a/b.html?x=1", "c.html", "/a/c.html"),
            ("/a/b", "?y=2", "/a/b?y=2"),
            ("/a/b", "/c#d", "/c"),
            ("/a/b/c", "../../../d", "/d"),
        ] {
            assert_eq!(resolve(base, href).as_deref(), Some(path), "{base} {href}");
        }
        assert_eq!(resolve("/", "http://other.example/"), None);
        assert_eq!(resolve("/", "mailto:x@example.org"), None);
    }

    #[test]
    fn a_walk_counts_pages_statuses_and_contents() {
        let web = |ask: &Ask| match ask.path.as_str() {
            "/" => Answer::html("<a href=\"/a\"></a><a href=\"/b\"></a><a href=\"/c\"></a>"),
            "/a" | "/b" => Answer::html("same"),
            "/c" => Answer::redirect(301, "/d"),
            _ => Answer::status(404),
        };
        let walk = naive(&web, 100);
        assert_eq!((walk.count(200), walk.count(301), walk.count(404), walk.contents), (3, 1, 1, 2));
        assert_eq!((walk.depth["/a"], walk.depth["/d"], walk.left), (1, 1, 0));
        assert_eq!(naive(&web, 2).left, 2);
    }
}
