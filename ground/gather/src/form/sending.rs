//! Where, how and in which writing is a form sent? What `action`, `method` and `enctype` of forms and buttons say.

use groma_url::Url;

use super::Enctype;
use crate::meta::Method;

/// The method that an attribute names; nothing for `dialog`.
pub(super) fn method(text: &str) -> Option<Method> {
    match text.trim() {
        text if text.eq_ignore_ascii_case("post") => Some(Method::Post),
        text if text.eq_ignore_ascii_case("dialog") => None,
        _ => Some(Method::Get),
    }
}

/// The way of writing that an attribute names.
pub(super) fn enctype(text: &str) -> Enctype {
    match text.trim() {
        text if text.eq_ignore_ascii_case("multipart/form-data") => Enctype::Multipart,
        text if text.eq_ignore_ascii_case("text/plain") => Enctype::Plain,
        _ => Enctype::UrlEncoded,
    }
}

/// Where an `action` leads: the page itself if it is empty.
pub(super) fn action(text: Option<&str>, page: &Url, base: &Url) -> Option<Url> {
    let text = text.unwrap_or_default().trim();
    let url = if text.is_empty() { page.clone() } else { base.join(text).ok()? };
    Some(url).filter(|url| matches!(url.scheme(), "http" | "https"))
}
