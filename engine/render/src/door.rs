//! The door of a page: what it may ask for, and of whom.
//!
//! Nothing a page asks for goes out by itself. By what it is for, a request is
//!
//! - *supplied*: scripts, styles and data (and, if a picture is wanted, images and fonts): whoever supplies decides and answers;
//! - *spared*: images that nobody will look at are answered with one transparent point, so that the page does not take them
//!   for broken; fonts, films and the like are refused; all are noted;
//! - *kept local*: `data:` and `blob:`, which the page has with it;
//! - *refused*: whatever is no GET or HEAD (a survey changes nothing on a server, and a question that needs a server's consent
//!   first is not asked), streams, sockets, pings, reports, `file:` and everything else; frames, which are pages of their own.

use groma_url::Url;
use serde_json::Value;

/// What something is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A script, or a worker.
    Script,
    Style,
    /// What a script asks for.
    Data,
    Image,
    Font,
    /// Sound or film.
    Media,
    /// A page within the page.
    Frame,
    /// Where the page wants to go on its own.
    Onward,
    /// What it would have posted, which is refused.
    Posted,
}

/// A request that a page makes while it is rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubresourceRequest {
    /// The URL; http or https.
    pub url: Url,
    /// What it is for.
    pub sort: Sort,
    /// Header fields that matter to the server.
    pub headers: Vec<(String, String)>,
    /// Only the header is wanted.
    pub bare: bool,
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supplied {
    /// The status; a redirect is not followed here, the browser asks again.
    pub status: u16,
    /// Header fields.
    pub headers: Vec<(String, String)>,
    /// Decompressed.
    pub body: Vec<u8>,
}

/// Whoever answers what a page asks for: may refuse, and takes the time that politeness demands.
pub trait Supply: Send + Sync + 'static {
    /// Answers the request; `None` refuses it.
    fn supply(&self, wanted: SubresourceRequest) -> impl Future<Output = Option<Supplied>> + Send;
}

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Supply(SubresourceRequest),
    /// Answered with next to nothing, and noted.
    Spare(Sort, Url),
    /// Refused, and noted.
    Note(Sort, Url),
    Refuse,
    Local,
}

/// Judges a request (a `Fetch.requestPaused`) that is not for the page itself. `page`: whose page it is.
pub(crate) fn judge(params: &Value, page: &Url, picture: bool) -> Verdict {
    let request = &params["request"];
    let address = request["url"].as_str().unwrap_or_default();
    if address.starts_with("data:") || address.starts_with("blob:") {
        return Verdict::Local;
    }
    let Ok(url) = Url::parse(address) else { return Verdict::Refuse };
    if !matches!(url.scheme(), "http" | "https") {
        return Verdict::Refuse;
    }
    let method = request["method"].as_str().unwrap_or_default();
    let sort = match params["resourceType"].as_str().unwrap_or_default() {
        "Script" => Sort::Script,
        "Stylesheet" => Sort::Style,
        "XHR" | "Fetch" => Sort::Data,
        "Image" => Sort::Image,
        "Font" => Sort::Font,
        "Media" | "TextTrack" => Sort::Media,
        "Document" => Sort::Frame,
        _ => return Verdict::Refuse,
    };
    // A stream never ends.
    let accepts = request["headers"]["Accept"].as_str().unwrap_or_default();
    if !matches!(method, "GET" | "HEAD") || accepts.contains("text/event-stream") {
        return Verdict::Refuse;
    }
    match sort {
        Sort::Frame | Sort::Media | Sort::Onward | Sort::Posted => return Verdict::Note(sort, url),
        Sort::Font if !picture => return Verdict::Note(sort, url),
        Sort::Image if !picture => return Verdict::Spare(sort, url),
        _ => {}
    }
    let headers = headers(&request["headers"], &url, page);
    Verdict::Supply(SubresourceRequest { url, sort, headers, bare: method == "HEAD" })
}

/// The fields that are passed on. To its own server a page may say what it likes, except what is ours to say; to others what any
/// page may say without asking first, and whose page it is.
fn headers(given: &Value, url: &Url, page: &Url) -> Vec<(String, String)> {
    let own = url.origin() == page.origin();
    let passes = |name: &str| match name {
        "accept" | "accept-language" | "content-language" | "range" => true,
        "authorization" => own,
        "origin" => !own,
        _ => own && name.starts_with("x-") && !name.starts_with("x-forwarded"),
    };
    let fields = given.as_object().into_iter().flatten();
    let fields = fields.filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned())));
    fields.filter(|(name, value)| passes(name) && value.len() < 4096 && value.is_ascii()).collect()
}

/// A GIF of one transparent point.
pub(crate) const POINT: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\0\0\0!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

/// Fields that do not hold for a body that has been unpacked and is handed over at once, or that would lead the browser elsewhere.
const DROPPED: [&str; 12] = [
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "connection",
    "content-disposition",
    "strict-transport-security",
    "alt-svc",
    "nel",
    "report-to",
    "reporting-endpoints",
    "speculation-rules",
    "clear-site-data",
];

/// The fields of an answer as the browser is told them.
pub(crate) fn told(headers: &[(String, String)]) -> Vec<Value> {
    let kept = headers.iter().filter(|(name, _)| !DROPPED.contains(&name.to_ascii_lowercase().as_str()));
    kept.map(|(name, value)| serde_json::json!({ "name": name, "value": value })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn verdict(method: &str, url: &str, kind: &str, picture: bool) -> Verdict {
        let headers = json!({ "Accept": "*/*", "X-Key": "1", "Authorization": "a", "Cookie": "c", "Origin": "o" });
        let params = json!({ "request": { "url": url, "method": method, "headers": headers }, "resourceType": kind });
        judge(&params, &Url::parse("http://a.example/page").unwrap(), picture)
    }

    #[test]
    fn pages_only_read() {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", ""] {
            assert_eq!(verdict(method, "http://a.example/x", "XHR", true), Verdict::Refuse, "{method}");
        }
        assert!(matches!(verdict("HEAD", "http://a.example/x", "XHR", false), Verdict::Supply(w) if w.bare));
    }

    #[test]
    fn what_is_no_web_address_stays_inside() {
        assert_eq!(verdict("GET", "data:text/javascript,1", "Script", false), Verdict::Local);
        assert_eq!(verdict("GET", "blob:http://a.example/1-2", "Script", false), Verdict::Local);
        for url in ["file:///etc/passwd", "ftp://a.example/", "chrome://version", "ws://a.example/", "", "http://"] {
            assert_eq!(verdict("GET", url, "Script", true), Verdict::Refuse, "{url}");
        }
    }

    #[test]
    fn images_are_taken_for_pictures_only_and_frames_never() {
        assert!(matches!(verdict("GET", "http://a.example/i", "Image", false), Verdict::Spare(Sort::Image, _)));
        assert!(matches!(verdict("GET", "http://a.example/i", "Image", true), Verdict::Supply(_)));
        assert!(matches!(verdict("GET", "http://a.example/f", "Font", false), Verdict::Note(Sort::Font, _)));
        assert!(matches!(verdict("GET", "http://b.example/", "Document", true), Verdict::Note(Sort::Frame, _)));
        for kind in
            ["WebSocket", "EventSource", "Ping", "CSPViolationReport", "Prefetch", "Preflight", "Manifest", "Other"]
        {
            assert_eq!(verdict("GET", "http://a.example/x", kind, true), Verdict::Refuse, "{kind}");
        }
    }

    #[test]
    fn secrets_of_a_page_go_to_its_own_server_only() {
        let names = |url: &str| match verdict("GET", url, "Fetch", false) {
            Verdict::Supply(wanted) => wanted.headers.into_iter().map(|(name, _)| name).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(names("http://a.example/x"), ["accept", "authorization", "x-key"]);
        assert_eq!(names("http://b.example/x"), ["accept", "origin"]);
    }

    #[test]
    fn what_held_for_the_packed_body_is_not_told() {
        let headers = [("Content-Encoding", "gzip"), ("content-length", "3"), ("content-type", "text/css")];
        let headers: Vec<_> = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        assert_eq!(told(&headers), [json!({ "name": "content-type", "value": "text/css" })]);
    }
}
