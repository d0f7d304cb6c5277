//! What was typed, cut into pieces: words, quoted phrases, what is not wanted, and keys with values. Total and linear.

/// Characters of a question that count.
pub(super) const LETTERS: usize = 2_000;

/// A piece of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// Pages with it are not wanted.
    pub(super) not: bool,
    /// The word before the colon, in lower case.
    pub(super) key: Option<String>,
    pub(super) text: String,
    /// It stood in quotes.
    pub(super) quoted: bool,
}

/// Cuts. True if something was left out.
pub(super) fn cut(typed: &str) -> (Vec<Piece>, bool) {
    let end = typed.char_indices().nth(LETTERS).map_or(typed.len(), |(at, _)| at);
    let mut rest = &typed[..end];
    let mut pieces = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
        if rest.is_empty() {
            return (pieces, end < typed.len());
        }
        let mut piece = Piece::default();
        // A lone dash is no "not".
        if let Some(after) = rest.strip_prefix(['-', '−']).filter(|after| after.starts_with(|c: char| !is_end(c))) {
            (piece.not, rest) = (true, after);
        }
        if let Some((key, after)) = key(rest) {
            (piece.key, rest) = (Some(key), after);
        }
        (piece.text, piece.quoted, rest) = value(rest);
        pieces.push(piece);
    }
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// A word of letters before a colon that something follows.
fn key(text: &str) -> Option<(String, &str)> {
    let colon = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let after = text[colon..].strip_prefix(':')?;
    let sensible = (1..=12).contains(&colon) && !after.starts_with([':', '/']) && !after.starts_with(is_end);
    // `in:/docs/` and `in://` are no scheme; `http://x` is.
    let sensible = sensible || (after.starts_with('/') && !after.starts_with("//") && colon <= 12 && colon > 0);
    (sensible && !after.is_empty()).then(|| (text[..colon].to_ascii_lowercase(), after))
}

fn value(text: &str) -> (String, bool, &str) {
    let quote = text.chars().next().and_then(|c| match c {
        '"' => Some('"'),
        '“' | '„' | '”' => Some('”'),
        '«' => Some('»'),
        '「' => Some('」'),
        _ => None,
    });
    if let Some(close) = quote {
        let inside = &text[text.chars().next().map_or(0, char::len_utf8)..];
        let closes = |c: char| c == close || (close == '”' && matches!(c, '“' | '"'));
        // A quote that is never closed goes to the end.
        return match inside.find(closes) {
            Some(end) => {
                let length = inside[end..].chars().next().map_or(0, char::len_utf8);
                (inside[..end].to_owned(), true, &inside[end + length..])
            }
            None => (inside.to_owned(), true, ""),
        };
    }
    let end = text.find(|c: char| is_end(c) || c == '"').unwrap_or(text.len());
    (text[..end].to_owned(), false, &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(typed: &str) -> Vec<String> {
        let show = |piece: Piece| {
            let not = if piece.not { "-" } else { "" };
            let key = piece.key.map(|key| key + "=").unwrap_or_default();
            let quote = if piece.quoted { "'" } else { "" };
            format!("{not}{key}{quote}{}{quote}", piece.text)
        };
        cut(typed).0.into_iter().map(show).collect()
    }

    #[test]
    fn pieces() {
        assert_eq!(shown("two words"), ["two", "words"]);
        assert_eq!(shown(r#"a "b c" -d -"e f" - g"#), ["a", "'b c'", "-d", "-'e f'", "-", "g"]);
        assert_eq!(shown(r#"SITE:x.org in:"Big Part" in:/docs/ "#), ["site=x.org", "in='Big Part'", "in=/docs/"]);
        assert_eq!(shown("std::vector http://x.org/a c: 12:30"), ["std::vector", "http://x.org/a", "c:", "12:30"]);
        assert_eq!(shown("“curly” «angle» „low“ \"open"), ["'curly'", "'angle'", "'low'", "'open'"]);
        assert_eq!(shown("in:http://x.org/a"), ["in=http://x.org/a"]);
        assert!(cut(&"x".repeat(LETTERS + 1)).1);
        assert!(shown(" \t\u{0}\n").is_empty());
    }
}
