//! Texts as PostgreSQL can keep them: it knows no character U+0000, and pages have it.
//!
//! U+0000 becomes U+10FFFF `0` and U+10FFFF itself becomes U+10FFFF `1`; every other text stays as it is. The rule is one to one, so
//! texts that differ stay different and equal ones equal. U+10FFFF is no character and stands in no honest text.

use std::borrow::Cow;

const MARK: char = '\u{10ffff}';
const MARK_BYTES: &str = "\u{10ffff}";

/// A text on its way in.
pub(crate) fn stored_text(text: &str) -> Cow<'_, str> {
    if !text.as_bytes().contains(&0) && !text.contains(MARK_BYTES) {
        return Cow::Borrowed(text);
    }
    let mut stored = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\0' => stored.extend([MARK, '0']),
            MARK => stored.extend([MARK, '1']),
            _ => stored.push(c),
        }
    }
    Cow::Owned(stored)
}

/// A text on its way out. What nobody here wrote comes as it is.
pub(crate) fn text_of(stored: &str) -> Cow<'_, str> {
    if !stored.contains(MARK_BYTES) {
        return Cow::Borrowed(stored);
    }
    let mut text = String::with_capacity(stored.len());
    let mut chars = stored.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            (MARK, Some('0')) => text.push('\0'),
            (MARK, Some('1')) => text.push(MARK),
            _ => {
                text.push(c);
                continue;
            }
        }
        chars.next();
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(text in "[\\x00a0-1\u{10ffff}é]{0,40}") {
            let stored = stored_text(&text);
            prop_assert!(!stored.contains('\0'));
            prop_assert_eq!(text_of(&stored), text.as_str());
        }
    }
}
