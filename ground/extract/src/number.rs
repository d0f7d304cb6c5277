//! Which number does a text name? `$1,234.50`, `1.234,50 €`, `−3 %`, `12 345`.
//!
//! ```text
//! the first run of digits of the text, with . , ' or a blank between digits
//! both . and ,        the last of them is the decimal mark, the other groups
//! one of them, often  it groups
//! one of them, once   `,` before exactly three digits groups, unless a single 0 stands before it; else it is the decimal mark
//! ' and blanks        group, where exactly three digits follow
//! - or − before it    or before the sign of a currency: negative
//! ```
//!
//! Cost: linear. Not guaranteed: `1,234` is 1234 and `1.234` is 1.234, as English writes them; a site that means the other gives a wrong number,
//! which a column with `match` and text sets right. Of several numbers the first is taken.

/// The number a text names, if it names one.
pub fn number_of(text: &str) -> Option<f64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let run = run_of_number(&text[start..]);
    let leads_with_point = text[..start].ends_with('.') && !text[..start - 1].ends_with(|c: char| c.is_alphanumeric());
    let plain = if leads_with_point { format!("0.{}", run.replace([',', '.'], "")) } else { plain(&run) };
    let number: f64 = plain.parse().ok()?;
    let before = text[..start].trim_end_matches(|c: char| c == '.' || c.is_whitespace() || is_currency(c));
    // A hyphen behind a word or a number joins it: `F-16`, `10-12`.
    let sign = before.chars().next_back().filter(|c| matches!(c, '-' | '\u{2212}'));
    let joins =
        sign.is_some_and(|sign| before[..before.len() - sign.len_utf8()].ends_with(|c: char| c.is_alphanumeric()));
    Some(if sign.is_some() && !joins { -number } else { number }).filter(|number| number.is_finite())
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20a0}'..='\u{20cf}')
}

/// Digits with what stands between them.
fn run_of_number(text: &str) -> String {
    let letters: Vec<char> = text.chars().take(64).collect();
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let mut run = String::new();
    for (at, letter) in letters.iter().enumerate() {
        match letter {
            '0'..='9' => run.push(*letter),
            '.' | ',' if digit(at + 1) => run.push(*letter),
            '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' => {
                let before = letters[..at].iter().rev().take_while(|c| c.is_ascii_digit()).count();
                let groups = before <= 3 && (1..=3).all(|past| digit(at + past)) && !digit(at + 4);
                if !groups || run.contains('.') {
                    break;
                }
            }
            _ => break,
        }
    }
    run
}

fn plain(run: &str) -> String {
    let (points, commas) = (run.matches('.').count(), run.matches(',').count());
    let decimal = match (points, commas) {
        (0, 0) => None,
        (0, 1) => {
            let (before, after) = run.split_once(',').unwrap_or((run, ""));
            let groups = after.len() == 3 && before != "0" && before.len() <= 3;
            (!groups).then_some(',')
        }
        (1, 0) => Some('.'),
        (0, _) | (_, 0) => None,
        _ => run.rfind(['.', ',']).and_then(|at| run[at..].chars().next()),
    };
    run.chars()
        .filter_map(|c| match c {
            '.' | ',' if Some(c) == decimal => Some('.'),
            '.' | ',' => None,
            digit => Some(digit),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("$1,234.50", 1234.5),
            ("1.234,50 €", 1234.5),
            ("1 234,5", 1234.5),
            ("12'345'678", 12_345_678.0),
            ("1,234", 1234.0),
            ("0,125", 0.125),
            ("3,5", 3.5),
            ("1.234.567", 1_234_567.0),
            ("price: -3.5 USD", -3.5),
            ("\u{2212}$7", -7.0),
            ("F-16", 16.0),
            ("pp. 10-12", 10.0),
            (".5", 0.5),
            ("2024 was", 2024.0),
            ("5 100 200", 5_100_200.0),
            ("90 %", 90.0),
            ("3.", 3.0),
        ] {
            assert_eq!(number_of(text), Some(number), "{text}");
        }
        assert_eq!(number_of("none"), None);
        assert_eq!(number_of(""), None);
        assert!(number_of(&"9".repeat(10_000)).is_some());
    }
}
