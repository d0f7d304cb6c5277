//! The character sets that a page and its header name.

use groma_model::HeaderField;

use crate::catalogue::view::PageView;

/// What the header names: nothing if the header is not known, or names none.
pub(crate) fn of_header(page: &PageView<'_>) -> Option<Option<String>> {
    if !page.has_header() {
        return None;
    }
    let value = page.field(HeaderField::ContentType).unwrap_or_default().to_ascii_lowercase();
    let named = value.split(';').skip(1).find_map(|part| part.trim().strip_prefix("charset="));
    Some(named.map(|name| name.trim_matches(['"', '\'', ' ']).to_owned()).filter(|name| !name.is_empty()))
}

/// Do two names mean the same, for browsers?
pub(crate) fn are_same(one: &str, two: &str) -> bool {
    let folded = |name: &str| {
        let plain: String = name.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        match plain.as_str() {
            "latin1" | "iso88591" | "ascii" | "usascii" | "cp1252" | "windows1252" => "windows1252".to_owned(),
            "unicode11utf8" => "utf8".to_owned(),
            _ => plain,
        }
    };
    folded(one) == folded(two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_character_set_are_one() {
        assert!(
            are_same("UTF-8", "utf8") && are_same("iso-8859-1", "windows-1252") && !are_same("iso-8859-2", "utf-8")
        );
    }
}
