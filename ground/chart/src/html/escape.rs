//! Strangers' texts made safe for the lists of the page: what a title or a URL may bring into a document, and
//! what not.
//!
//! Rule: `& < > "` become references, so nothing can open or close an element, an attribute or a raw text such as
//! `noscript`; control characters and other line ends become spaces, so one page stays one line; marks that turn the
//! direction of what follows (embeddings, overrides, isolates) are dropped. In a URL the same characters are
//! percent- encoded instead, which is what a browser would do with them, so the link still leads where it did. Cost:
//! linear. Not guaranteed: that a title is fit to be trusted; a page may call itself anything.

use groma_model::escape::reference;

/// Appends a text, escaped.
pub(crate) fn push_text(to: &mut String, text: &str) {
    for c in text.chars() {
        match reference(c) {
            Some(reference) => to.push_str(reference),
            None if is_unwritable(c) => to.push(' '),
            None if turns_direction(c) => {}
            None => to.push(c),
        }
    }
}

/// Appends a URL for an attribute: still the same URL.
pub(crate) fn push_address(to: &mut String, address: &str) {
    for c in address.chars() {
        if is_unwritable(c) || turns_direction(c) {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                to.push('%');
                for digit in [byte >> 4, byte & 15] {
                    to.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
                }
            }
        } else {
            push_text(to, c.encode_utf8(&mut [0; 4]));
        }
    }
}

/// Does this URL lead to the web? Only such a one may become a link: `javascript:` and its like must not.
pub(crate) fn is_web(address: &str) -> bool {
    let starts = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    starts("http://") || starts("https://")
}

/// Is a part of this text written from right to left?
pub(crate) fn has_right_to_left(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
            || matches!(c, '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    })
}

fn is_unwritable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

fn turns_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> String {
        let mut to = String::new();
        push_text(&mut to, text);
        to
    }

    fn address(text: &str) -> String {
        let mut to = String::new();
        push_address(&mut to, text);
        to
    }

    #[test]
    fn nothing_can_be_opened_or_closed() {
        assert_eq!(text("</noscript><b a=\"1\">&"), "&lt;/noscript&gt;&lt;b a=&quot;1&quot;&gt;&amp;");
        assert_eq!(text("a\0b\r\nc\u{85}d\u{202e}e\u{2028}"), "a b  c de ");
    }

    #[test]
    fn an_address_stays_the_same_address() {
        assert_eq!(address("http://a/?x=1&y=\"\n\u{202e}"), "http://a/?x=1&amp;y=&quot;%0A%E2%80%AE");
    }

    #[test]
    fn only_the_web_is_linked() {
        for (address, web) in [
            ("https://a/", true),
            ("HTTP://a", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            (" http://a", false),
            ("http:/a", false),
            ("", false),
            ("ﬁﬁ", false),
        ] {
            assert_eq!(is_web(address), web, "{address}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_one_line_without_markup(input in any::<String>()) {
            for written in [text(&input), address(&input)] {
                prop_assert!(!written.contains(['<', '>', '"', '\n', '\r', '\0']));
            }
        }
    }
}
