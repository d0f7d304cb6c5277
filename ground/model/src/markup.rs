//! What the markup of a page and the header of its answer show beyond text and links: what checks look at.

/// Something seen in the markup of a page. Whether it is a fault, a check decides. The codes are kept in stores: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Symptom {
    /// Any element.
    Element = 0,
    /// A `title` of the page.
    TitleElement = 1,
    /// An `img`, or an `input` that is one.
    Image = 2,
    /// ... without an `alt` attribute, an `aria-label` or a `title`. Example: its URL.
    ImageWithoutAlt = 3,
    /// ... of which neither width nor height is said. Example: its URL.
    ImageWithoutSize = 4,
    /// A link with neither text nor a name for those who cannot see it. Example: its URL.
    LinkWithoutName = 5,
    /// A button with neither text nor such a name. Example: its id, class or value.
    ButtonWithoutName = 6,
    /// A field of a form that no label names. Example: its name.
    FieldWithoutLabel = 7,
    /// An `iframe` without a title. Example: its URL.
    FrameWithoutTitle = 8,
    /// A `tabindex` above 0. Example: its value.
    PositiveTabindex = 9,
    /// An id that another element has. Example: the id.
    RepeatedId = 10,
    /// A heading of level 1. Example: its text.
    FirstHeading = 11,
    /// A heading without text. Example: its level.
    EmptyHeading = 12,
    /// A heading more than one level below the one before it. Example: the two levels.
    SkippedHeading = 13,
    /// Sound or pictures that begin to play by themselves. Example: the URL.
    Autoplay = 14,
    /// A video with sound and without captions. Example: the URL.
    VideoWithoutCaptions = 15,
    /// A table of data without a header cell. Example: its size.
    TableWithoutHeaders = 16,
    /// An element that the standard has given up. Example: its name.
    ObsoleteElement = 17,
    /// A mailto: link whose address is none. Example: the link.
    MalformedMail = 18,
    /// A tel: link whose number is none. Example: the link.
    MalformedPhone = 19,
    /// A link to a file of somebody's disk. Example: the link.
    FileLink = 20,
    /// A link that only a script can follow. Example: the link.
    ScriptLink = 21,
    /// A script of another host without `integrity`. Example: its URL.
    ScriptWithoutIntegrity = 22,
    /// A script in the head that the page waits for. Example: its URL.
    BlockingScript = 23,
    /// The page does not begin with a document type: browsers take it for one of the nineties.
    NoDoctype = 24,
    /// Something that counts only in the head, in the body. Example: what.
    HeadElementInBody = 25,
    /// A `role` that there is not. Example: the role.
    UnknownRole = 26,
    /// A `main` element or role.
    MainLandmark = 27,
    /// An `area` of an image map without a name. Example: its URL.
    AreaWithoutAlt = 28,
    /// A label for an element that there is not. Example: the id it names.
    LabelForNothing = 29,
    /// A reference of ARIA to an element that there is not. Example: the id it names.
    DanglingReference = 30,
    /// An element that declares a language that is none. Example: the value.
    UnknownLanguage = 31,
    /// The character set that a `meta` declares. Example: its name.
    MetaCharset = 32,
    /// ... and where it stands, if beyond the first 1,024 bytes: the count is the place.
    LateCharset = 33,
    /// A field for a password.
    PasswordField = 34,
    /// A `meta refresh` with a pause. Example: its content.
    TimedRefresh = 35,
    /// Something else than items stands directly in a list (`ul`, `ol`). Example: its name.
    BrokenList = 36,
    /// The text is clearly of another language than the page declares. Example: that language.
    OtherLanguage = 37,
}

impl Symptom {
    /// All of them, in the order of their codes.
    pub const ALL: [Symptom; 38] = [
        Symptom::Element,
        Symptom::TitleElement,
        Symptom::Image,
        Symptom::ImageWithoutAlt,
        Symptom::ImageWithoutSize,
        Symptom::LinkWithoutName,
        Symptom::ButtonWithoutName,
        Symptom::FieldWithoutLabel,
        Symptom::FrameWithoutTitle,
        Symptom::PositiveTabindex,
        Symptom::RepeatedId,
        Symptom::FirstHeading,
        Symptom::EmptyHeading,
        Symptom::SkippedHeading,
        Symptom::Autoplay,
        Symptom::VideoWithoutCaptions,
        Symptom::TableWithoutHeaders,
        Symptom::ObsoleteElement,
        Symptom::MalformedMail,
        Symptom::MalformedPhone,
        Symptom::FileLink,
        Symptom::ScriptLink,
        Symptom::ScriptWithoutIntegrity,
        Symptom::BlockingScript,
        Symptom::NoDoctype,
        Symptom::HeadElementInBody,
        Symptom::UnknownRole,
        Symptom::MainLandmark,
        Symptom::AreaWithoutAlt,
        Symptom::LabelForNothing,
        Symptom::DanglingReference,
        Symptom::UnknownLanguage,
        Symptom::MetaCharset,
        Symptom::LateCharset,
        Symptom::PasswordField,
        Symptom::TimedRefresh,
        Symptom::BrokenList,
        Symptom::OtherLanguage,
    ];

    /// The symptom a number stands for.
    pub fn from_code(code: u8) -> Option<Symptom> {
        Symptom::ALL.get(usize::from(code)).copied()
    }
}

/// How often a symptom was seen on a page, with the first example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub symptom: Symptom,
    pub count: u32,
    /// As crawled (untrusted text), cut.
    pub example: String,
}

/// A page in another language that a page names (`link rel=alternate hreflang`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// Which of the page's links it is.
    pub link: u32,
    /// As written.
    pub hreflang: String,
}

/// Fields of an answer's header that checks look at. The codes are kept in stores: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum HeaderField {
    /// No field: "HTTP/1.1", "HTTP/2".
    Version = 0,
    ContentType = 1,
    ContentEncoding = 2,
    CacheControl = 3,
    Expires = 4,
    Etag = 5,
    LastModified = 6,
    StrictTransportSecurity = 7,
    ContentSecurityPolicy = 8,
    ContentTypeOptions = 9,
    FrameOptions = 10,
    ReferrerPolicy = 11,
    PermissionsPolicy = 12,
    Server = 13,
    PoweredBy = 14,
    RobotsTag = 15,
    /// Name and attributes of a cookie; its value is left out.
    SetCookie = 16,
    AllowOrigin = 17,
    ContentLanguage = 18,
    Vary = 19,
}

impl HeaderField {
    /// All of them, in the order of their codes.
    pub const ALL: [HeaderField; 20] = [
        HeaderField::Version,
        HeaderField::ContentType,
        HeaderField::ContentEncoding,
        HeaderField::CacheControl,
        HeaderField::Expires,
        HeaderField::Etag,
        HeaderField::LastModified,
        HeaderField::StrictTransportSecurity,
        HeaderField::ContentSecurityPolicy,
        HeaderField::ContentTypeOptions,
        HeaderField::FrameOptions,
        HeaderField::ReferrerPolicy,
        HeaderField::PermissionsPolicy,
        HeaderField::Server,
        HeaderField::PoweredBy,
        HeaderField::RobotsTag,
        HeaderField::SetCookie,
        HeaderField::AllowOrigin,
        HeaderField::ContentLanguage,
        HeaderField::Vary,
    ];

    /// The field a number stands for.
    pub fn from_code(code: u8) -> Option<HeaderField> {
        HeaderField::ALL.get(usize::from(code)).copied()
    }

    /// The field a name in lower case stands for.
    pub fn named(name: &str) -> Option<HeaderField> {
        Some(match name {
            "content-type" => HeaderField::ContentType,
            "content-encoding" => HeaderField::ContentEncoding,
            "cache-control" => HeaderField::CacheControl,
            "expires" => HeaderField::Expires,
            "etag" => HeaderField::Etag,
            "last-modified" => HeaderField::LastModified,
            "strict-transport-security" => HeaderField::StrictTransportSecurity,
            "content-security-policy" => HeaderField::ContentSecurityPolicy,
            "x-content-type-options" => HeaderField::ContentTypeOptions,
            "x-frame-options" => HeaderField::FrameOptions,
            "referrer-policy" => HeaderField::ReferrerPolicy,
            "permissions-policy" => HeaderField::PermissionsPolicy,
            "server" => HeaderField::Server,
            "x-powered-by" => HeaderField::PoweredBy,
            "x-robots-tag" => HeaderField::RobotsTag,
            "set-cookie" => HeaderField::SetCookie,
            "access-control-allow-origin" => HeaderField::AllowOrigin,
            "content-language" => HeaderField::ContentLanguage,
            "vary" => HeaderField::Vary,
            _ => return None,
        })
    }
}

/// Bytes kept of a field's value, and fields kept of a header.
const VALUE_BYTES: usize = 1024;
const FIELDS: usize = 64;

/// What a page shows beyond text and links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup {
    /// The language that the `html` element declares, as written; nothing without the attribute.
    pub lang: Option<String>,
    pub alternates: Vec<Alternate>,
    /// In the order of their codes, each symptom once.
    pub observations: Vec<Observation>,
    /// Fields of the answer's header, in their order.
    pub header: Vec<(HeaderField, String)>,
}

impl Markup {
    /// How often a symptom was seen.
    pub fn count(&self, symptom: Symptom) -> u32 {
        self.observation(symptom).map_or(0, |observation| observation.count)
    }

    /// The first example of a symptom; empty if there is none.
    pub fn example(&self, symptom: Symptom) -> &str {
        self.observation(symptom).map_or("", |observation| observation.example.as_str())
    }

    fn observation(&self, symptom: Symptom) -> Option<&Observation> {
        self.observations.iter().find(|observation| observation.symptom == symptom)
    }

    /// The first value of a header field.
    pub fn field(&self, field: HeaderField) -> Option<&str> {
        self.header.iter().find(|(kept, _)| *kept == field).map(|(_, value)| value.as_str())
    }

    /// All values of a header field.
    pub fn fields(&self, field: HeaderField) -> impl Iterator<Item = &str> {
        self.header.iter().filter(move |(kept, _)| *kept == field).map(|(_, value)| value.as_str())
    }

    /// Keeps what checks look at of an answer's header; names of fields are in lower case.
    pub fn keep_header(&mut self, version: &str, headers: &[(String, String)]) {
        self.header = vec![(HeaderField::Version, version.to_owned())];
        for (name, value) in headers {
            let Some(field) = HeaderField::named(name) else { continue };
            if self.header.len() >= FIELDS {
                return;
            }
            let value = if field == HeaderField::SetCookie { without_value(value) } else { value.trim().to_owned() };
            self.header.push((field, cut_at(&value, VALUE_BYTES).to_owned()));
        }
    }
}

/// A cookie without what it holds, which may open a door: `name; Secure; HttpOnly`.
fn without_value(cookie: &str) -> String {
    let (pair, attributes) = cookie.split_once(';').unwrap_or((cookie, ""));
    let name = pair.split('=').next().unwrap_or_default().trim();
    format!("{name};{attributes}")
}

fn cut_at(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_lists_agree() {
        for (code, symptom) in Symptom::ALL.into_iter().enumerate() {
            assert_eq!((symptom as usize, Symptom::from_code(code as u8)), (code, Some(symptom)));
        }
        for (code, field) in HeaderField::ALL.into_iter().enumerate() {
            assert_eq!((field as usize, HeaderField::from_code(code as u8)), (code, Some(field)));
        }
        assert_eq!((Symptom::from_code(200), HeaderField::from_code(200)), (None, None));
    }

    #[test]
    fn what_a_cookie_holds_is_not_kept() {
        let mut markup = Markup::default();
        let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        markup.keep_header(
            "HTTP/1.1",
            &[
                of("set-cookie", "sid=secret; Path=/; HttpOnly"),
                of("x-other", "y"),
                of("server", &"\u{e9}".repeat(2_000)),
            ],
        );
        assert_eq!(markup.field(HeaderField::SetCookie), Some("sid; Path=/; HttpOnly"));
        assert_eq!(markup.field(HeaderField::Version), Some("HTTP/1.1"));
        assert_eq!(markup.field(HeaderField::Server).map(str::len), Some(1024));
        assert_eq!(markup.header.len(), 3);
    }
}
