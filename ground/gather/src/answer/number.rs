//! Which numbers stand in a line, and as what? Words, marks and numbers, with separators of thousands.
//!
//! `1,234` `1.234` `1'234` `1 234` and `12,34,567` are one number if the groups are right; `3.5`, `90,00` and `12.03.1999` are
//! none that could count records, and so are numbers beside a sign of money or a percent, and numbers that begin with a
//! zero (codes). Cost: linear in the line.

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// In lower case.
    Word(String),
    /// A whole number that may count something.
    Number(u64),
    /// A number that counts nothing: a price, a date, a decimal, a code.
    Other,
    /// Anything else but blanks.
    Mark(char),
}

/// Signs and short words of money and measures, directly beside a number.
const UNITS: [&str; 32] = [
    "€",
    "$",
    "£",
    "¥",
    "%",
    "eur",
    "euro",
    "usd",
    "chf",
    "dm",
    "gbp",
    "kč",
    "zł",
    "km",
    "m",
    "m²",
    "kg",
    "cm",
    "mm",
    "s",
    "sec",
    "seconds",
    "sekunden",
    "ms",
    "mb",
    "kb",
    "°",
    "gb",
    "min",
    "sek",
    "секунд",
    "秒",
];

fn digit(c: char) -> Option<u32> {
    let code = c as u32;
    match code {
        0x30..=0x39 => Some(code - 0x30),
        0xff10..=0xff19 => Some(code - 0xff10),
        0x660..=0x669 => Some(code - 0x660),
        0x6f0..=0x6f9 => Some(code - 0x6f0),
        0x966..=0x96f => Some(code - 0x966),
        _ => None,
    }
}

/// The tokens of a line.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let letters: Vec<char> = line.chars().collect();
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let c = letters[at];
        if digit(c).is_some() {
            // A number that hangs on a word is part of a name.
            let joined = at > 0 && is_letter(letters[at - 1]) && letters[at - 1].is_ascii();
            let (token, next) = number(&letters, at);
            tokens.push(if joined { Token::Other } else { token });
            at = next;
        } else if is_letter(c) {
            let end = (at..letters.len()).find(|end| !is_letter(letters[*end])).unwrap_or(letters.len());
            tokens.push(Token::Word(letters[at..end].iter().flat_map(|c| c.to_lowercase()).collect()));
            at = end;
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Mark(c));
            }
            at += 1;
        }
    }
    without_measures(tokens)
}

fn is_letter(c: char) -> bool {
    (c.is_alphabetic() || c == '²') && digit(c).is_none()
}

/// The number that begins here, and where it ends.
fn number(letters: &[char], start: usize) -> (Token, usize) {
    let run = |from: usize| (from..letters.len()).find(|at| digit(letters[*at]).is_none()).unwrap_or(letters.len());
    let mut end = run(start);
    let mut groups = vec![(start, end)];
    let mut separators: Vec<char> = Vec::new();
    while let Some(&separator) = letters.get(end)
        && matches!(separator, ',' | '.' | '\'' | '\u{2019}' | '٬' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
        && letters.get(end + 1).is_some_and(|c| digit(*c).is_some())
    {
        let next = run(end + 1);
        let length = next - end - 1;
        if separator.is_whitespace() {
            // A blank may also part two numbers: only groups of three go on.
            let first = groups.first().map_or(0, |group| group.1 - group.0);
            let so_far = separators.iter().all(|known| *known == separator) && first <= 3;
            let leading = digit(letters[start]) == Some(0);
            if length != 3 || !so_far || leading {
                break;
            }
        }
        separators.push(separator);
        groups.push((end + 1, next));
        end = next;
    }
    let lengths: Vec<usize> = groups.iter().map(|group| group.1 - group.0).collect();
    let is_grouped = match separators.first() {
        None => true,
        Some(first) => {
            let same = separators.iter().all(|separator| separator == first);
            let threes = lengths.iter().skip(1).all(|length| *length == 3) && lengths[0] <= 3;
            let indian = *first == ','
                && lengths.len() > 2
                && lengths[0] <= 2
                && lengths.last() == Some(&3)
                && lengths[1..lengths.len() - 1].iter().all(|length| *length == 2);
            same && (threes || indian)
        }
    };
    let code = digit(letters[start]) == Some(0) && end - start > 1;
    if !is_grouped || code {
        return (Token::Other, end);
    }
    let mut digits = letters[start..end].iter().filter_map(|c| digit(*c));
    let value = digits.try_fold(0u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit)));
    (value.map_or(Token::Other, Token::Number), end)
}

/// Numbers beside signs of money, percents and measures count nothing.
fn without_measures(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_unit = |token: Option<&Token>| match token {
        Some(Token::Word(word)) => UNITS.contains(&word.as_str()),
        Some(Token::Mark(mark)) => UNITS.iter().any(|unit| unit.chars().eq([*mark])),
        _ => false,
    };
    for at in 0..tokens.len() {
        if !matches!(tokens[at], Token::Number(_)) {
            continue;
        }
        // Before a number only signs and codes of money stand.
        let money_before = at > 0
            && match &tokens[at - 1] {
                Token::Mark(mark) => matches!(mark, '€' | '$' | '£' | '¥'),
                Token::Word(word) => matches!(word.as_str(), "eur" | "euro" | "usd" | "chf" | "gbp" | "dm"),
                _ => false,
            };
        let slash_date = matches!(tokens.get(at + 1), Some(Token::Mark('/')))
            && matches!(tokens.get(at + 2), Some(Token::Number(_)))
            && matches!(tokens.get(at + 3), Some(Token::Mark('/')));
        let dash = |at: usize| matches!(tokens.get(at), Some(Token::Mark('-' | '–' | '.')));
        let digits = |at: usize| matches!(tokens.get(at), Some(Token::Number(_) | Token::Other));
        let dashed_date = dash(at + 1) && digits(at + 2) && dash(at + 3) && digits(at + 4)
            || at > 1 && dash(at - 1) && tokens[at - 2] == Token::Other;
        if money_before || is_unit(tokens.get(at + 1)) || slash_date || dashed_date {
            tokens[at] = Token::Other;
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_of_thousands_are_read_and_other_numbers_are_not() {
        for (text, number) in [
            ("1,234", 1234),
            ("1.234.567", 1_234_567),
            ("1'234", 1234),
            ("1’234", 1234),
            ("1 234", 1234),
            ("12,34,567", 1_234_567),
            ("243", 243),
            ("２４３", 243),
            ("0", 0),
        ] {
            assert_eq!(tokens(text), [Token::Number(number)], "{text}");
        }
        for text in ["3.5", "90,00", "12.03.1999", "007", "18347 €", "99999999999999999999999", "1,23", "€ 18", "45 %"]
        {
            assert!(!tokens(text).iter().any(|token| matches!(token, Token::Number(_))), "{text}: {:?}", tokens(text));
        }
        assert_eq!(tokens("10 20"), [Token::Number(10), Token::Number(20)]);
        let both =
            [Token::Number(1), Token::Mark('–'), Token::Number(10), Token::Word("von".into()), Token::Number(1234)];
        assert_eq!(tokens("1–10 von 1.234"), both);
    }
}
