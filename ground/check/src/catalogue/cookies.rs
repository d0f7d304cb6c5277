//! The cookies that a page sets.

use groma_model::HeaderField;

use crate::catalogue::view::PageView;

/// The name of the first cookie without an attribute (in lower case). Cookies that are taken back are left out.
pub(crate) fn without<'a>(page: &PageView<'a>, attribute: &str) -> Option<&'a str> {
    let cookies = page.markup()?.fields(HeaderField::SetCookie);
    let mut named = cookies.filter(|cookie| !is_taken_back(cookie) && !has(cookie, attribute));
    named.next().map(|cookie| cookie.split(';').next().unwrap_or_default().trim())
}

fn has(cookie: &str, attribute: &str) -> bool {
    let mut attributes = cookie.split(';').skip(1).map(|part| part.split('=').next().unwrap_or_default().trim());
    attributes.any(|name| name.eq_ignore_ascii_case(attribute))
}

fn is_taken_back(cookie: &str) -> bool {
    let lower = cookie.to_ascii_lowercase();
    lower.split(';').any(|part| matches!(part.trim(), "max-age=0" | "max-age=-1"))
        || lower.contains("01-jan-1970")
        || lower.contains("01 jan 1970")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_whatever_their_case() {
        assert!(has("sid; Path=/; HTTPONLY", "httponly") && has("sid; SameSite=Lax", "samesite"));
        assert!(!has("secure; Path=/", "secure"), "a name is no attribute");
        assert!(is_taken_back("sid; Max-Age=0") && !is_taken_back("sid; Max-Age=05"));
    }
}
