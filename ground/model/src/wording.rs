//! Numbers and strangers' texts as they are written down: grouped digits, sizes, text that is safe in a terminal and in a
//! spreadsheet.

use std::borrow::Cow;
use std::io::{self, Write};

/// `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `17 B`, `1.2 kB`, `3.4 MB`.
pub fn size(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB"];
    let mut amount = bytes as f64;
    let mut unit = "B";
    for next in units {
        if amount < 1000.0 {
            break;
        }
        amount /= 1000.0;
        unit = next;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{amount:.1} {unit}") }
}

/// A character that can act on a terminal, or turn the direction of what follows it: control characters (C0, DEL, C1), the marks,
/// embeddings, overrides and isolates of the bidirectional algorithm, and the separators of lines and paragraphs.
pub fn is_active(c: char) -> bool {
    let turns = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || turns
}

/// A character that no terminal shows and no script needs to join its letters: soft hyphens, invisible operators, byte order marks and
/// tags. Words can be hidden in them.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{180e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Text from strangers, fit for a terminal and for one line: without hidden characters, and a space for each [active](is_active) one.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| !is_hidden(*c)).map(|c| if is_active(c) { ' ' } else { c }).collect()
}

/// Whole lines, fit for a terminal: as [`plain`], but ends of lines and tabs stay.
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    let bad = |c: char| is_active(c) && !matches!(c, '\n' | '\t');
    if !text.contains(|c| bad(c) || is_hidden(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !is_hidden(*c)).map(|c| if bad(c) { ' ' } else { c }).collect())
}

/// A cell of a CSV row by RFC 4180, without [active](is_active) characters but for ends of lines: a space stands for each. One that a
/// spreadsheet would take for a formula gets an apostrophe in front: titles and URLs come from strangers.
pub fn write_cell(to: &mut dyn Write, cell: &str) -> io::Result<()> {
    let bad = |c: char| is_active(c) && c != '\n';
    let cell = match cell.contains(bad) {
        true => Cow::Owned(cell.chars().map(|c| if bad(c) { ' ' } else { c }).collect()),
        false => Cow::Borrowed(cell),
    };
    let guard = if cell.trim_start().starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    // Some spreadsheets part cells by semicolons.
    if cell.contains(['"', ',', ';', '\n']) {
        write!(to, "\"{guard}{}\"", cell.replace('"', "\"\""))
    } else {
        write!(to, "{guard}{cell}")
    }
}

/// A row of CSV.
pub fn write_row<S: AsRef<str>>(to: &mut dyn Write, cells: &[S]) -> io::Result<()> {
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            to.write_all(b",")?;
        }
        write_cell(to, cell.as_ref())?;
    }
    to.write_all(b"\r\n")
}

/// `1 page`, `2,000 pages`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// `one of: a, b, c`.
pub fn one_of(words: &[&str]) -> String {
    format!("one of: {}", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> String {
        let mut out = Vec::new();
        write_cell(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn cells_are_quoted_where_needed_and_never_formulas() {
        assert_eq!(cell("plain"), "plain");
        assert_eq!(cell("a,b"), "\"a,b\"");
        assert_eq!(cell("a;=1+1"), "\"a;=1+1\"");
        assert_eq!(cell("say \"x\""), "\"say \"\"x\"\"\"");
        for formula in ["=1+1", "+1", "-1", "@x", " =1"] {
            assert_eq!(cell(formula), format!("'{formula}"));
        }
        assert_eq!(cell("=A1,\"x\""), "\"'=A1,\"\"x\"\"\"");
        assert_eq!(cell("\r\u{1}=1"), "'  =1", "nothing hides what follows it");
    }

    #[test]
    fn cells_hold_no_control_characters() {
        let strange: String =
            (0..0xa0).filter_map(char::from_u32).chain("\u{202e}\u{2066}\u{61c}\u{2028}".chars()).collect();
        let written = cell(&strange);
        assert_eq!(written.matches(is_active).collect::<String>(), "\n", "{written:?}");
        assert_eq!(cell("two\r\nlines\t"), "\"two \nlines \"");
    }

    #[test]
    fn numbers_are_grouped() {
        let shown: Vec<String> = [0, 999, 1_000, 1_234_567].into_iter().map(grouped).collect();
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([size(17), size(1_234), size(3_400_000)], ["17 B", "1.2 kB", "3.4 MB"]);
    }

    #[test]
    fn a_terminal_is_safe_from_strangers() {
        assert_eq!(plain("a\x1b[31mb\n"), "a [31mb ");
        assert_eq!(plain("a\u{9b}31mb\u{202e}c\u{7f}"), "a 31mb c ");
        assert_eq!(plain_lines("a\n\tb\r\x1b]0;x\x07"), "a\n\tb  ]0;x ");
        assert_eq!(plain("Do\u{ad}nau\u{feff}\u{e0041}"), "Donau");
        assert_eq!(plain_lines("x\u{2060}\n"), "x\n");
        assert_eq!(plain("नि\u{200d}र"), "नि\u{200d}र", "letters are joined by it");
        assert!(matches!(plain_lines("caf\u{e9}\n"), Cow::Borrowed(_)));
    }
}
