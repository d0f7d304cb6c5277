//! What we ask of a server and what comes back. A dead server is a finding, not a failure of ours: [`Outcome`] has no error.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use groma_url::Url;

/// One thing to ask of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What to fetch; http or https.
    pub url: Url,
    /// How to ask for it.
    pub method: Method,
    /// What we kept from last time, to be told only of a change. Has no meaning for what is posted.
    pub validators: Option<Validators>,
    /// Header fields of this request alone; they replace what would be said otherwise.
    pub headers: Vec<(String, String)>,
    /// How its URL was come by, for whoever keeps a record.
    pub trail: Option<Arc<Trail>>,
}

/// How a URL was come by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The page that links to it.
    pub via: Option<Arc<str>>,
    /// Links from the start page to it; nothing if no link leads there.
    pub hops: Option<u32>,
}

/// How something is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// To read: may be asked again at will.
    #[default]
    Get,
    /// To know whether it is there: the answer has a header and no body.
    Head,
    /// To hand something in: sent once, and again only if it is certain that the server has not seen it.
    Post {
        /// The media type of the body.
        media_type: String,
        /// What is handed in.
        body: Vec<u8>,
    },
}

impl Request {
    /// An ordinary, unconditional fetch.
    pub fn get(url: Url) -> Request {
        Request { url, method: Method::Get, validators: None, headers: Vec::new(), trail: None }
    }

    /// A request for the header of the answer alone.
    pub fn head(url: Url) -> Request {
        Request { method: Method::Head, ..Request::get(url) }
    }

    /// A request that sends a body.
    pub fn post(url: Url, media_type: impl Into<String>, body: impl Into<Vec<u8>>) -> Request {
        let method = Method::Post { media_type: media_type.into(), body: body.into() };
        Request { method, ..Request::get(url) }
    }

    /// The same with one more header field.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Request {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// What a server gave us to recognise an unchanged page by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The ETag, as it came.
    pub etag: Option<String>,
    /// The Last-Modified date, as it came.
    pub last_modified: Option<String>,
}

/// What became of a request.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The server answered, whatever it said.
    Answer(Box<Response>),
    /// No answer that can be used.
    Failed(Failure),
}

impl Outcome {
    /// How long before its end it was asked for. What came to nothing may have been asked for until it did.
    pub fn took(&self) -> Duration {
        match self {
            Outcome::Answer(response) => response.elapsed,
            Outcome::Failed(_) => Duration::ZERO,
        }
    }
}

/// An HTTP response, its body still compressed.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    /// Header fields in the order they came, names in lower case, values as text (bytes outside ASCII read as Latin-1).
    pub headers: Vec<(String, String)>,
    /// The body as it came over the wire, still compressed.
    pub body: Vec<u8>,
    /// The body was not read to its end, and why.
    pub cut: Option<Cut>,
    /// Address of the server.
    pub remote: Option<IpAddr>,
    /// "HTTP/1.1", "HTTP/2".
    pub version: &'static str,
    /// From sending the request to the last byte read.
    pub elapsed: Duration,
}

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Nothing here reads this type: only the header was wanted.
    HeaderOnly,
    /// Larger than the limit.
    TooLarge,
    /// The connection broke off after part of the body, or the body breaks the rules of HTTP from there on.
    Broken,
    /// The server was too slow with the rest of the body.
    Late,
}

impl Cut {
    /// Did less come than the server had?
    pub fn is_partial(self) -> bool {
        matches!(self, Cut::Broken | Cut::Late)
    }
}

impl Response {
    /// The first value of a header field; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// All values of a header field.
    pub fn header_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// The media type without parameters, in lower case; empty if there is none.
    pub fn media_type(&self) -> String {
        let value = self.header("content-type").unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// Where a redirect leads, as the server wrote it. `None` if this is no redirect or it names no place.
    pub fn location(&self) -> Option<Cow<'_, str>> {
        let location = matches!(self.status, 301 | 302 | 303 | 307 | 308).then(|| self.header("location")).flatten();
        location.map(url_in_header)
    }
}

/// A URL in the value of a header field. Values are kept as Latin-1, but a URL whose bytes are valid UTF-8 is UTF-8, as browsers read it;
/// bytes that are not stay the bytes they are, percent-encoded.
pub fn url_in_header(value: &str) -> Cow<'_, str> {
    if value.is_ascii() {
        return Cow::Borrowed(value);
    }
    let bytes: Result<Vec<u8>, _> = value.chars().map(|c| u8::try_from(u32::from(c))).collect();
    // No byte of a header: it was read as text already.
    let Ok(bytes) = bytes else { return Cow::Borrowed(value) };
    Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|error| {
        let each = error.as_bytes().iter();
        each.map(|&b| if b.is_ascii() { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
    }))
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// The name does not exist.
    NoSuchHost,
    /// The name could not be resolved just now.
    DnsTrouble(String),
    /// Nobody listens there, or no route leads there.
    Refused,
    /// The connection broke off before an answer was complete.
    Reset,
    /// No secure connection: a bad certificate, no common protocol.
    Tls(String),
    /// No connection in time, silence, or the total deadline.
    TimeOut(&'static str),
    /// The name or address is private and was not named by the user, or not with this port.
    PrivateAddress(IpAddr),
    /// What came is not HTTP, or passes a limit (too many headers, say).
    BadAnswer(String),
    /// The proxy did not do its part.
    Proxy(String),
    /// It is not in the archive that is asked in place of its server.
    NotArchived,
    /// Not a URL we ever fetch.
    Unsupported(String),
    /// Not requested: the login that it needs is unavailable, or does not hold.
    NoLogin,
    /// It was not asked for: the system has no more of this for us. That says nothing about the server.
    Scarce(&'static str),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoSuchHost => f.write_str("there is no such host"),
            Failure::DnsTrouble(why) => write!(f, "the host name could not be resolved: {why}"),
            Failure::Refused => f.write_str("no server accepts connections there"),
            Failure::Reset => f.write_str("the connection broke off"),
            Failure::Tls(why) => write!(f, "no secure connection: {why}"),
            Failure::TimeOut("connect") => f.write_str("no connection in time"),
            Failure::TimeOut("idle") => f.write_str("the server stopped answering"),
            Failure::TimeOut(_) => f.write_str("the answer took too long"),
            Failure::PrivateAddress(ip) => {
                write!(f, "{ip} is a private address, and its host and port were not named on the command line")
            }
            Failure::BadAnswer(why) | Failure::Unsupported(why) => f.write_str(why),
            Failure::Proxy(why) => write!(f, "the proxy does not work: {why}"),
            Failure::NotArchived => f.write_str("it is not in the archive"),
            Failure::NoLogin => f.write_str("it needs a login, and there is none"),
            Failure::Scarce(what) => write!(f, "this system has no more {what} for groma"),
        }
    }
}

impl Failure {
    /// Worth another try a little later?
    pub fn passing(&self) -> bool {
        matches!(
            self,
            Failure::DnsTrouble(_)
                | Failure::Refused
                | Failure::Reset
                | Failure::TimeOut(_)
                | Failure::Proxy(_)
                | Failure::Scarce(_)
        )
    }

    /// The state of a page that failed so for good.
    pub fn reason(&self) -> crate::Reason {
        use crate::Reason;
        match self {
            Failure::NoSuchHost | Failure::DnsTrouble(_) => Reason::DnsFailure,
            Failure::Refused | Failure::Proxy(_) => Reason::Refused,
            Failure::Reset => Reason::Reset,
            Failure::Tls(_) => Reason::Tls,
            Failure::TimeOut(_) => Reason::TimeOut,
            Failure::PrivateAddress(_) => Reason::PrivateAddress,
            Failure::BadAnswer(_) => Reason::BadAnswer,
            Failure::NotArchived => Reason::NotArchived,
            Failure::Unsupported(_) => Reason::Malformed,
            Failure::NoLogin => Reason::Unauthorized,
            Failure::Scarce(_) => Reason::Waiting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_in_a_header_is_read_as_utf_8_where_it_is() {
        let as_kept = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect::<String>();
        assert_eq!(url_in_header("/plain?x=%C3%A9"), "/plain?x=%C3%A9");
        assert_eq!(url_in_header(&as_kept("/caf\u{e9}/\u{65e5}\u{672c}".as_bytes())), "/caf\u{e9}/\u{65e5}\u{672c}");
        assert_eq!(url_in_header(&as_kept(b"/caf\xe9")), "/caf%E9", "Latin-1 stays the byte it is");
        assert_eq!(url_in_header(&as_kept(b"/\xc3\xa9/\xe9")), "/%C3%A9/%E9");
        assert_eq!(url_in_header("/\u{65e5}"), "/\u{65e5}", "what is text already stays as it is");
    }

    #[test]
    fn failures_are_told_in_words() {
        let private = Failure::PrivateAddress(IpAddr::from([127, 0, 0, 1]));
        for failure in [
            Failure::NoSuchHost,
            Failure::DnsTrouble("try again".into()),
            Failure::Tls("no".into()),
            Failure::TimeOut("idle"),
            private,
            Failure::BadAnswer("the size of a chunk is no number".into()),
        ] {
            let says = failure.to_string();
            assert!(!says.contains(['{', '(', '"']) && says.contains(' '), "{says}");
        }
    }
}
