//! What is asked of a web, and what a web is.

use std::sync::Arc;
use std::time::SystemTime;

use crate::Answer;

/// A web: a pure function from what is asked to what is answered.
///
/// It runs on the server's only thread: it must not block.
pub trait Web: Send + Sync + 'static {
    /// What this web says to a request.
    fn answer(&self, ask: &Ask) -> Answer;
}

impl<F: Fn(&Ask) -> Answer + Send + Sync + 'static> Web for F {
    fn answer(&self, ask: &Ask) -> Answer {
        self(ask)
    }
}

impl Web for Box<dyn Web> {
    fn answer(&self, ask: &Ask) -> Answer {
        (**self).answer(ask)
    }
}

impl<W: Web + ?Sized> Web for Arc<W> {
    fn answer(&self, ask: &Ask) -> Answer {
        (**self).answer(ask)
    }
}

/// One request as a web sees it.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// Name and port the client believes to talk to: of the request line if it has one (a proxy is asked so), else of
    /// the `Host` header.
    pub host: String,
    /// The path with its query, as it came.
    pub path: String,
    /// The method, as it came.
    pub method: String,
    /// Header fields in the order they came; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, as it came; empty if there was none.
    pub body: Vec<u8>,
    /// How often this path was asked for before.
    pub nth: u64,
    /// How many requests came to the server before this one.
    pub serial: u64,
    /// When its head was there, if it was sent.
    pub came: Option<SystemTime>,
}

impl Ask {
    /// A first GET of a path on a host called `test.example`: for looking at a web without a server.
    pub fn get(path: &str) -> Ask {
        Ask { host: "test.example".into(), path: path.into(), method: "GET".into(), ..Ask::default() }
    }

    /// A first POST of a form's data, as a browser writes them.
    pub fn post(path: &str, data: &str) -> Ask {
        let ask = Ask { method: "POST".into(), body: data.into(), ..Ask::get(path) };
        ask.with_header("content-type", "application/x-www-form-urlencoded")
    }

    /// The same with one more header.
    pub fn with_header(mut self, name: &str, value: &str) -> Ask {
        self.headers.push((name.to_ascii_lowercase(), value.into()));
        self
    }

    /// The value of a header, if it was sent; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// The path without its query.
    pub fn bare_path(&self) -> &str {
        self.path.split_once('?').map_or(self.path.as_str(), |(path, _)| path)
    }

    /// The parts of the query in order, not decoded; a part without `=` has an empty value.
    pub fn query(&self) -> impl Iterator<Item = (&str, &str)> {
        let query = self.path.split_once('?').map_or("", |(_, query)| query);
        query.split('&').filter(|part| !part.is_empty()).map(|part| part.split_once('=').unwrap_or((part, "")))
    }

    /// The first value of a query parameter, not decoded.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.query().find(|(n, _)| *n == name).map(|(_, v)| v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_is_read_in_order() {
        let ask = Ask::get("/shop?color=red&&size=l&bare");
        assert_eq!(ask.bare_path(), "/shop");
        assert_eq!(ask.query().collect::<Vec<_>>(), [("color", "red"), ("size", "l"), ("bare", "")]);
        assert_eq!(ask.param("size"), Some("l"));
        assert_eq!(Ask::get("/").query().count(), 0);
    }
}
