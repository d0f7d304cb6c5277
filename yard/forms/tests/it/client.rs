//! A client with just enough HTTP and HTML for the tests: asks, reads lists, walks their pages.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use groma_forms::Running;
use groma_hel::{Bounds, Node, Tree};

/// An answer.
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Got {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn tree(&self) -> Tree {
        Tree::parse(&self.text(), &Bounds::default())
    }
}

/// Asks on a connection of its own; `None` if it was reset.
pub(crate) fn try_ask(site: &Running, method: &str, path: &str, more: &str, body: &str) -> Option<Got> {
    let base = site.base();
    let address = base.trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let about = if method == "POST" { format!("{form}Content-Length: {}\r\n", body.len()) } else { String::new() };
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}{about}\r\n{body}");
    stream.write_all(head.as_bytes()).ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).ok()?;
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Got { status, head, body: bytes[end + 4..].to_vec() })
}

pub(crate) fn get(site: &Running, path: &str) -> Got {
    try_ask(site, "GET", path, "", "").expect("an answer")
}

pub(crate) fn post(site: &Running, path: &str, body: &str) -> Got {
    try_ask(site, "POST", path, "", body).expect("an answer")
}

/// All nodes of an element.
pub(crate) fn all<'t>(tree: &'t Tree, name: &str) -> &'t [Node] {
    tree.label_of(name).map_or(&[], |label| tree.nodes(label))
}

/// The text of a node.
pub(crate) fn text(tree: &Tree, node: Node) -> String {
    let texts: String = (node..tree.end(node)).map(|inner| tree.text(inner)).collect();
    groma_hel::clean(&texts)
}

/// The numbers of the rows whose links are on a page, in order.
pub(crate) fn rows(tree: &Tree) -> Vec<usize> {
    let hrefs = all(tree, "a").iter().filter_map(|a| tree.attribute(*a, "href"));
    hrefs.filter_map(|href| href.strip_prefix("/row/")?.parse().ok()).collect()
}

/// Value of a hidden element of the page.
pub(crate) fn hidden(tree: &Tree, name: &str) -> Option<String> {
    let inputs = all(tree, "input").iter().find(|node| tree.attribute(**node, "name") == Some(name));
    inputs.and_then(|node| tree.attribute(*node, "value")).map(str::to_owned)
}

/// A value in a query.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

/// How to get to the next page: method, path, data.
fn next(tree: &Tree, page: usize) -> Option<(&'static str, String, String)> {
    let links = || all(tree, "a").iter().filter_map(|a| Some((*a, tree.attribute(*a, "href")?)));
    let wanted = (page + 1).to_string();
    let is_next = |a: Node| {
        tree.attribute(a, "rel") == Some("next") || ["Next", wanted.as_str()].contains(&text(tree, a).as_str())
    };
    if let Some((_, href)) = links().find(|(a, href)| href.starts_with("/results") && is_next(*a)) {
        return Some(("GET", href.to_owned(), String::new()));
    }
    let form = *all(tree, "form").iter().find(|form| tree.attribute(**form, "class") == Some("pages"))?;
    let inside = all(tree, "input").iter().filter(|input| (form..tree.end(form)).contains(*input));
    let pairs = inside.filter_map(|i| Some((tree.attribute(*i, "name")?, tree.attribute(*i, "value")?)));
    let data = pairs.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect::<Vec<_>>().join("&");
    match tree.attribute(form, "method") {
        Some("post") => Some(("POST", "/results".into(), data)),
        _ => Some(("GET", format!("/results?{data}"), String::new())),
    }
}

/// The rows of a whole list, page by page, and how many pages there were.
pub(crate) fn walk(site: &Running, first: Got) -> (Vec<usize>, usize) {
    let (mut found, mut page, mut got) = (Vec::new(), 1, first);
    loop {
        assert_eq!(got.status, 200, "{}", got.text());
        let tree = got.tree();
        found.extend(rows(&tree));
        let Some((method, path, data)) = next(&tree, page) else { return (found, page) };
        got = try_ask(site, method, &path, "", &data).expect("an answer");
        page += 1;
        assert!(page < 1000, "the pages have no end");
    }
}
