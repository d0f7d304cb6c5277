//! Strangers' texts inside HTML, XML and JSON: nothing in them may end a string, open a tag or make the file unreadable.
//!
//! ```text
//! Html        & < > "    as references: between tags and within double quotes, in HTML and in XML
//! Xml         these and ' as references; white space other than the blank too, since readers fold it otherwise;
//!             what XML 1.0 cannot say at all (most control characters, U+FFFE, U+FFFF) becomes U+FFFD
//! XmlLines    as Xml, but ends of lines and tabs stay: for content that people read in the file
//! Json        a JSON string with its quotes; < and what acts on a terminal as escapes, so that it can stand inside a script element
//! JsonInert   JSON that is written already, with what acts on a terminal as escapes
//! ```
//!
//! All are written by `{}`, piece by piece: no copy, linear. Not guaranteed: that a text is fit to be shown. What turns the direction
//! of its neighbors, or is too long, is for [`wording`](crate::wording) or the caller to treat before.
//!
//! ```
//! use groma_model::escape::{Html, Json};
//!
//! assert_eq!(format!("<b>{}</b>", Html("R&D <x>")), "<b>R&amp;D &lt;x&gt;</b>");
//! assert_eq!(Json("</script>\"").to_string(), r#""\u003c/script>\"""#);
//! ```

use std::fmt::{self, Display, Formatter, Write};

use crate::wording::is_active;

/// The reference for a character that means something in markup, even within double quotes.
pub fn reference(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    }
}

/// A text between tags or within double quotes. Characters that XML does not allow stay.
#[derive(Clone, Copy, Debug)]
pub struct Html<'t>(pub &'t str);

/// A text as content or attribute value of XML, within either kind of quotes.
#[derive(Clone, Copy, Debug)]
pub struct Xml<'t>(pub &'t str);

/// A text as content of XML, its ends of lines and tabs as they are.
#[derive(Clone, Copy, Debug)]
pub struct XmlLines<'t>(pub &'t str);

/// A text as a JSON string, its quotes included. It is a string of JavaScript as well.
#[derive(Clone, Copy, Debug)]
pub struct Json<'t>(pub &'t str);

/// JSON, whole or a fragment of a string, made safe to be looked at. Between strings JSON has no such characters but white space, so
/// it must be on one line.
#[derive(Clone, Copy, Debug)]
pub struct JsonInert<'t>(pub &'t str);

impl Display for Html<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        with_references(to, self.0, reference)
    }
}

impl Display for Xml<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        with_references(to, self.0, xml_reference)
    }
}

impl Display for XmlLines<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        with_references(to, self.0, |c| if matches!(c, '\t' | '\n') { None } else { xml_reference(c) })
    }
}

impl Display for Json<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        to.write_char('"')?;
        with_escapes(to, self.0, |c| matches!(c, '"' | '\\' | '<') || acts(c))?;
        to.write_char('"')
    }
}

impl Display for JsonInert<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        with_escapes(to, self.0, acts)
    }
}

fn xml_reference(c: char) -> Option<&'static str> {
    match c {
        '\'' => Some("&#39;"),
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => Some("\u{fffd}"),
        // Legal, but taken for line ends by readers of XML 1.1.
        '\u{85}' => Some("&#x85;"),
        '\u{2028}' => Some("&#x2028;"),
        _ => reference(c),
    }
}

/// Acts on a terminal, or is taken for the mark of an encoding where a file begins with it. All of these are below U+10000.
fn acts(c: char) -> bool {
    is_active(c) || c == '\u{feff}'
}

/// Writes a text with some characters replaced, in as few writes as there are replacements.
fn with_references(to: &mut Formatter<'_>, text: &str, replaced: impl Fn(char) -> Option<&'static str>) -> fmt::Result {
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if let Some(other) = replaced(c) {
            to.write_str(&text[start..at])?;
            to.write_str(other)?;
            start = at + c.len_utf8();
        }
    }
    to.write_str(&text[start..])
}

fn with_escapes(to: &mut Formatter<'_>, text: &str, escaped: impl Fn(char) -> bool) -> fmt::Result {
    let mut start = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| escaped(*c)) {
        to.write_str(&text[start..at])?;
        match c {
            '"' => to.write_str("\\\"")?,
            '\\' => to.write_str("\\\\")?,
            '\n' => to.write_str("\\n")?,
            '\r' => to.write_str("\\r")?,
            '\t' => to.write_str("\\t")?,
            other => write!(to, "\\u{:04x}", u32::from(other))?,
        }
        start = at + c.len_utf8();
    }
    to.write_str(&text[start..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_breaks_out_of_markup() {
        assert_eq!(Html("a]]><b c='\"'>&amp;\n").to_string(), "a]]&gt;&lt;b c='&quot;'&gt;&amp;amp;\n");
        assert_eq!(Xml("a]]><b c='\"'>&amp;").to_string(), "a]]&gt;&lt;b c=&#39;&quot;&#39;&gt;&amp;amp;");
        assert_eq!(Xml("\0\x1b[1m\u{ffff}\n").to_string(), "\u{fffd}\u{fffd}[1m\u{fffd}&#10;");
        assert_eq!(XmlLines("\0a\n\tb\r").to_string(), "\u{fffd}a\n\tb&#13;");
    }

    #[test]
    fn nothing_breaks_out_of_json_or_a_script() {
        assert_eq!(Json("</script>\"\\\u{0}\u{2028}").to_string(), r#""\u003c/script>\"\\\u0000\u2028""#);
        assert_eq!(Json("\u{9b}31m\u{202e}x\u{7f}\u{feff}").to_string(), r#""\u009b31m\u202ex\u007f\ufeff""#);
    }

    #[test]
    fn json_that_is_written_stays_what_it_says() {
        let value = serde_json::json!({"a\u{9b}": "\u{202e}\n\"\\<\u{10ffff}\u{feff}"});
        let inert = JsonInert(&value.to_string()).to_string();
        assert!(!inert.contains(acts), "{inert:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&inert).unwrap(), value);
    }

    proptest! {
        #[test]
        fn xml_readers_give_back_what_xml_can_say(text in any::<String>()) {
            let legal = |c: char| match c { '\t' | '\n' | '\r' => c, '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}', c => c };
            for escaped in [Xml(&text).to_string(), XmlLines(&text).to_string()] {
                prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
                let read = quick_xml::escape::unescape(&escaped).unwrap();
                prop_assert_eq!(read.as_ref(), text.chars().map(legal).collect::<String>());
            }
        }

        #[test]
        fn json_readers_give_back_the_text(text in any::<String>()) {
            let written = Json(&text).to_string();
            prop_assert!(!written.contains(|c| c == '<' || acts(c)));
            prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }
}
