//! Strangers' texts inside XML and JSON: nothing in them may end a string, open a tag or make the file unreadable.
//!
//! XML 1.0 has no way at all to write most control characters, U+FFFE and U+FFFF: they become U+FFFD. White space other than
//! the blank is written as a character reference, because readers fold it otherwise. Cost: linear, no copy.

use std::io::{self, Write};

use groma_model::wording::is_active;

/// Writes a text as content or attribute value of XML; the five special characters never stand as themselves.
pub(crate) fn xml(out: &mut dyn Write, text: &str) -> io::Result<()> {
    runs(out, text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => Some("\u{fffd}"),
        // Legal, but taken for line ends by readers of XML 1.1.
        '\u{85}' => Some("&#x85;"),
        '\u{2028}' => Some("&#x2028;"),
        _ => None,
    })
}

/// Writes a text as a JSON string with its quotes. `<` and whatever acts on a terminal or ends a line are written as escapes, so that the
/// document can stand inside a script of a page and be looked at.
pub(crate) fn json(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(b"\"")?;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '\\' | '<') || is_active(c)) {
        out.write_all(&rest.as_bytes()[..at])?;
        let special = rest[at..].chars().next().unwrap_or_default();
        match special {
            '"' => out.write_all(b"\\\"")?,
            '\\' => out.write_all(b"\\\\")?,
            '\n' => out.write_all(b"\\n")?,
            '\r' => out.write_all(b"\\r")?,
            '\t' => out.write_all(b"\\t")?,
            other => write!(out, "\\u{:04x}", u32::from(other))?,
        }
        rest = &rest[at + special.len_utf8()..];
    }
    out.write_all(rest.as_bytes())?;
    out.write_all(b"\"")
}

/// Writes a text with some characters replaced, in as few writes as there are replacements.
fn runs(out: &mut dyn Write, text: &str, replaced: fn(char) -> Option<&'static str>) -> io::Result<()> {
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if let Some(other) = replaced(c) {
            out.write_all(&text.as_bytes()[start..at])?;
            out.write_all(other.as_bytes())?;
            start = at + c.len_utf8();
        }
    }
    out.write_all(&text.as_bytes()[start..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn as_xml(text: &str) -> String {
        let mut out = Vec::new();
        xml(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn as_json(text: &str) -> String {
        let mut out = Vec::new();
        json(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nothing_breaks_out_of_xml() {
        assert_eq!(as_xml("a]]><b c='\"'>&amp;"), "a]]&gt;&lt;b c=&#39;&quot;&#39;&gt;&amp;amp;");
        assert_eq!(as_xml("\0\x1b[1m\u{ffff}\n"), "\u{fffd}\u{fffd}[1m\u{fffd}&#10;");
    }

    #[test]
    fn nothing_breaks_out_of_json_or_a_script() {
        assert_eq!(as_json("</script>\"\\\u{0}\u{2028}"), r#""\u003c/script>\"\\\u0000\u2028""#);
        assert_eq!(as_json("\u{9b}31m\u{202e}x\u{7f}"), r#""\u009b31m\u202ex\u007f""#);
    }

    proptest! {
        #[test]
        fn xml_readers_give_back_what_xml_can_say(text in any::<String>()) {
            let escaped = as_xml(&text);
            let read = quick_xml::escape::unescape(&escaped).unwrap();
            let legal = |c: char| match c { '\t' | '\n' | '\r' => c, '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}', c => c };
            prop_assert_eq!(read.as_ref(), text.chars().map(legal).collect::<String>());
        }

        #[test]
        fn json_readers_give_back_the_text(text in any::<String>()) {
            prop_assert_eq!(serde_json::from_str::<String>(&as_json(&text)).unwrap(), text);
        }
    }
}
