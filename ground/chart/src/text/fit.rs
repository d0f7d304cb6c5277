//! Text in cells of a terminal: how wide it is, and what of it fits.

use unicode_width::UnicodeWidthChar;

fn cells(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// How many cells a text takes.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(cells).sum()
}

/// What fits into a number of cells, with a sign at its end if something was cut.
pub(super) fn cut(text: &str, room: usize, sign: &str) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let Some(mut left) = room.checked_sub(width(sign)) else { return String::new() };
    let mut kept = String::new();
    for c in text.chars() {
        let Some(rest) = left.checked_sub(cells(c)) else { break };
        left = rest;
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    kept.push_str(sign);
    kept
}

/// What of the end of a text fits into a number of cells, with a sign in front if something was cut.
pub(super) fn cut_front(text: &str, room: usize, sign: &str) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let Some(mut left) = room.checked_sub(width(sign)) else { return String::new() };
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        let Some(rest) = left.checked_sub(cells(c)) else { break };
        left = rest;
        start = at;
    }
    format!("{sign}{}", &text[start..])
}

/// A text in lines of at most so many cells, broken between words, and inside a word that is longer than a line.
pub(super) fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let wide = width(word);
        if used > 0 && used + 1 + wide > room {
            lines.push(String::new());
            used = 0;
        }
        let Some(mut line) = lines.pop() else { break };
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        for c in word.chars() {
            if used > 0 && used + cells(c) > room {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += cells(c);
        }
        lines.push(line);
    }
    lines
}

/// At least so many cells: blanks before or after it.
pub(super) fn padded(text: &str, room: usize, right: bool) -> String {
    let blanks = " ".repeat(room.saturating_sub(width(text)));
    if right { blanks + text } else { format!("{text}{blanks}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("地図地", 3), ["地", "図", "地"]);
        assert_eq!(wrapped("", 5), [""]);
    }

    #[test]
    fn wide_characters_take_two_cells() {
        assert_eq!((width("abc"), width("地図"), width("e\u{301}")), (3, 4, 1));
        assert_eq!(cut("地図の本", 6, "…"), "地図…");
        assert_eq!(cut("abcdef", 6, "…"), "abcdef");
        assert_eq!(cut("abc defg", 5, "…"), "abc…");
        assert_eq!(cut("abcdef", 0, "…"), "");
        assert_eq!((cut_front("/a/bcd", 5, "…").as_str(), cut_front("/a/地図", 4, "…").as_str()), ("…/bcd", "…図"));
        assert_eq!((cut_front("abc", 3, "…").as_str(), cut_front("abc", 0, "…").as_str()), ("abc", ""));
        assert_eq!((padded("a", 3, true).as_str(), padded("a", 3, false).as_str()), ("  a", "a  "));
    }
}
