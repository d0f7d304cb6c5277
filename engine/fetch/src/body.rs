//! How much of a body is read, and what is done with the rest.
//!
//! | answer | read | beyond |
//! |---|---|---|
//! | 2xx of a type somebody reads | `limits.wire_bytes` | cut as too large, connection closed |
//! | 2xx of an office document or PDF | `limits.document_bytes` | cut as too large, connection closed |
//! | 2xx of a picture | 64 KB, enough to see how large it is | [`Cut::HeaderOnly`] |
//! | 2xx of another type | nothing | [`Cut::HeaderOnly`] |
//! | redirect | 8 KB | [`Cut::HeaderOnly`]: it is its header that counts |
//! | anything else | 64 KB, enough to see what kind of error page it is | [`Cut::HeaderOnly`] |
//!
//! What is not wanted is still taken off the wire where it is short, since the connection is worth more; else the
//! connection is closed, or the stream where there are many on it.

use groma_model::outcome::Cut;
use groma_model::{Failure, Limits, Response};
use groma_page::{Appeal, appeal};
use http::{HeaderMap, StatusCode, header};
use hyper::body::{Body, Incoming};

use crate::fault;
use crate::line::Line;
use crate::watch::Watch;

/// Kept of the body of a redirect, and of an error page.
const REDIRECT: u64 = 8 * 1024;
const ERROR_PAGE: u64 = 64 * 1024;
/// Read of a picture.
const PICTURE: u64 = 64 * 1024;
/// A body that nobody wants is read away if it is known to be no longer than this.
const READ_AWAY: u64 = 64 * 1024;
/// Room made beforehand on a server's word that a body will be long.
const ROOM: u64 = 1 << 20;

/// How many bytes of a body are read, and what it is called if there are more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyLimit {
    bytes: u64,
    beyond: Cut,
}

/// How the caller wants bodies read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Appetite {
    /// As the table above says.
    Page,
    /// Of whatever type, up to so many bytes.
    Whole(u64),
}

impl Appetite {
    /// How many bytes of this response are read, and what it is called if there are more.
    pub(crate) fn body_limit(self, status: StatusCode, fields: &HeaderMap, limits: &Limits) -> BodyLimit {
        match (status.is_success(), self) {
            (true, Appetite::Whole(bytes)) => BodyLimit { bytes, beyond: Cut::TooLarge },
            (true, Appetite::Page) => match appeal_of(fields) {
                Appeal::Page => BodyLimit { bytes: limits.wire_bytes, beyond: Cut::TooLarge },
                Appeal::Document => BodyLimit { bytes: limits.document_bytes, beyond: Cut::TooLarge },
                Appeal::Head => BodyLimit { bytes: PICTURE, beyond: Cut::HeaderOnly },
                Appeal::Nothing => BodyLimit { bytes: 0, beyond: Cut::HeaderOnly },
            },
            (false, _) if status.is_redirection() => BodyLimit { bytes: REDIRECT, beyond: Cut::HeaderOnly },
            (false, _) => BodyLimit { bytes: ERROR_PAGE, beyond: Cut::HeaderOnly },
        }
    }

    /// What of it for a record: as much as any page may have, whatever its type.
    pub(crate) fn for_record(self, wanted: BodyLimit, limits: &Limits) -> BodyLimit {
        BodyLimit { bytes: wanted.bytes.max(limits.wire_bytes), ..wanted }
    }
}

impl BodyLimit {
    /// What the caller sees of a body that was read for a record: what it would have seen without one.
    pub(crate) fn cut(self, response: &mut Response) {
        let most = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        let unread = self.beyond == Cut::HeaderOnly && response.cut.is_some();
        if unread || response.body.len() > most {
            response.body.truncate(most);
            response.body.shrink_to_fit();
            response.cut = Some(self.beyond);
        }
    }
}

/// A whole answer as a fetch of a page would have given it: bodies that nobody reads left out, and so on.
pub fn as_asked(mut response: Response, limits: &Limits) -> Response {
    let mut fields = HeaderMap::new();
    if let Some(value) = response.header("content-type").and_then(|value| value.parse().ok()) {
        fields.insert(header::CONTENT_TYPE, value);
    }
    if let Ok(status) = StatusCode::from_u16(response.status) {
        Appetite::Page.body_limit(status, &fields, limits).cut(&mut response);
    }
    response
}

/// What of a body of this type is of use.
fn appeal_of(fields: &HeaderMap) -> Appeal {
    let value = fields.get(header::CONTENT_TYPE).map_or(&b""[..], |v| v.as_bytes());
    let value = String::from_utf8_lossy(value).to_ascii_lowercase();
    appeal(value.split(';').next().unwrap_or_default().trim())
}

/// A body as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    pub(crate) body: Vec<u8>,
    pub(crate) cut: Option<Cut>,
    /// The connection is where it was before: another request may follow.
    pub(crate) clean: bool,
}

/// Reads a body. Fails if nothing of it came although something should have.
pub(crate) async fn read(
    line: &mut Line,
    mut incoming: Incoming,
    wanted: BodyLimit,
    watch: &mut Watch,
    limits: &Limits,
) -> Result<Taken, Failure> {
    let length = incoming.size_hint().exact();
    let mut taken = Taken::default();
    if length == Some(0) || incoming.is_end_stream() {
        return Ok(Taken { clean: true, ..taken });
    }
    if length.is_none_or(|length| length > READ_AWAY) && wanted.bytes == 0 {
        return Ok(Taken { cut: Some(wanted.beyond), ..taken });
    }
    let room = length.unwrap_or(0).min(wanted.bytes).min(ROOM);
    taken.body.reserve_exact(usize::try_from(room).unwrap_or(0));
    let most = usize::try_from(wanted.bytes).unwrap_or(usize::MAX);
    loop {
        let failure = match watch.over(line.frame(&mut incoming)).await {
            Ok(None) => {
                taken.clean = true;
                return Ok(taken);
            }
            Ok(Some(Ok(frame))) => {
                let Some(data) = frame.data_ref() else { continue };
                let left = most - taken.body.len();
                taken.body.extend_from_slice(&data[..data.len().min(left)]);
                if data.len() <= left {
                    continue;
                }
                taken.cut = Some(wanted.beyond);
                if length.is_some_and(|length| length <= READ_AWAY) {
                    continue;
                }
                return Ok(taken);
            }
            Ok(Some(Err(error))) => fault::of_http(&error, limits),
            Err(late) => Failure::TimeOut(late),
        };
        // What was not wanted has not been missed.
        if taken.cut.is_some() {
            return Ok(taken);
        }
        if taken.body.is_empty() && wanted.beyond == Cut::TooLarge {
            return Err(failure);
        }
        taken.cut = Some(if matches!(failure, Failure::TimeOut(_)) { Cut::Late } else { Cut::Broken });
        return Ok(taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(status: u16, media_type: &str) -> BodyLimit {
        let mut fields = HeaderMap::new();
        if !media_type.is_empty() {
            fields.insert(header::CONTENT_TYPE, media_type.parse().unwrap());
        }
        Appetite::Page.body_limit(StatusCode::from_u16(status).unwrap(), &fields, &Limits::default())
    }

    #[test]
    fn only_types_that_somebody_reads_are_read() {
        let whole = BodyLimit { bytes: Limits::default().wire_bytes, beyond: Cut::TooLarge };
        let read = [
            "",
            "text/html; charset=utf-8",
            "Text/Plain",
            "application/xhtml+xml",
            "application/rss+xml",
            "application/xml",
            "application/json",
            "nonsense",
            "*/*",
            "unknown/unknown",
        ];
        for media_type in read {
            assert_eq!(wanted(200, media_type), whole, "{media_type}");
        }
        for media_type in ["application/octet-stream", "application/zip", "video/mp4"] {
            assert_eq!(wanted(200, media_type), BodyLimit { bytes: 0, beyond: Cut::HeaderOnly }, "{media_type}");
        }
        for media_type in ["image/png", "image/svg+xml"] {
            assert_eq!(wanted(200, media_type), BodyLimit { bytes: PICTURE, beyond: Cut::HeaderOnly }, "{media_type}");
        }
        let document = BodyLimit { bytes: Limits::default().document_bytes, beyond: Cut::TooLarge };
        for media_type in ["application/pdf", "Application/VND.oasis.opendocument.text; x=y"] {
            assert_eq!(wanted(200, media_type), document, "{media_type}");
        }
    }

    #[test]
    fn redirects_and_error_pages_are_read_a_little() {
        assert_eq!(wanted(302, "text/html").bytes, REDIRECT);
        assert_eq!(wanted(404, "image/png").bytes, ERROR_PAGE);
        assert_eq!(wanted(503, "").beyond, Cut::HeaderOnly);
    }
}
