//! Which day does a text name? ISO 8601 out of what people and programs write.
//!
//! ```text
//! 2024-03-05, 2024-03-05T10:00:00Z, 20240305, 2024/3/5    as they are; the time is kept where there is one
//! 5 March 2024, 5. März 2024, Mar 5th, 2024, 5 mars 2024   names of months in English, German, French, Spanish
//! Thu, 05 Mar 2024 10:00:00 GMT                            the weekday is passed over, the time kept
//! 5.3.2024                                                 day first
//! 13/3/2024, 3/13/2024                                     where one number cannot be a month; else no date, for it may be either
//! March 2024, 2024-03, 2024                                2024-03, 2024
//! ```
//!
//! The first shape that is found anywhere in the text counts, in this order but for the last line, which is tried last. Cost: linear, a fixed
//! number of passes. Not guaranteed: zones are kept as they are written (`+01:00`, `Z`), a named one but GMT and UTC is left out.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Names of months, in lower case, without a point.
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "januar", "jänner", "janvier", "janv", "enero", "ene"],
    &["february", "feb", "februar", "février", "févr", "febrero"],
    &["march", "mar", "märz", "mrz", "mars", "marzo"],
    &["april", "apr", "avril", "avr", "abril", "abr"],
    &["may", "mai", "mayo"],
    &["june", "jun", "juni", "juin", "junio"],
    &["july", "jul", "juli", "juillet", "juil", "julio"],
    &["august", "aug", "août", "agosto", "ago"],
    &["september", "sep", "sept", "septembre", "septiembre"],
    &["october", "oct", "oktober", "okt", "octobre", "octubre"],
    &["november", "nov", "novembre", "noviembre"],
    &["december", "dec", "dezember", "dez", "décembre", "déc", "diciembre", "dic"],
];

const TIME: &str = r"(?:(?:[T ]|,? (?:at )?)(?P<h>\d{1,2}):(?P<i>\d{2})(?::(?P<s>\d{2})(?:[.,]\d+)?)?\s*(?P<z>Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2})?)?";

/// The shapes of dates that name a day; `y`, `m`, `d` are numbers, `n` is the name of a month, `a` and `b` are day and month in some order.
static SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let shapes = [
        r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})",
        r"\b(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})",
        r"\b(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?:\s+de|\s+of)?[\s-]+(?P<n>\p{L}{3,10})\.?,?(?:\s+de)?[\s-]+(?P<y>\d{4})",
        r"\b(?P<n>\p{L}{3,10})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})",
        r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})",
        r"\b(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})",
        r"\b(?P<y>(?:19|20)\d{2})(?P<m>\d{2})(?P<d>\d{2})(?:T?\d{4,6}Z?)?",
    ];
    let built = shapes.iter().map(|shape| Regex::new(&format!(r"{shape}{TIME}(?:\D|$)")));
    built.filter_map(Result::ok).collect()
});

/// The shapes that name no day.
static MONTH_SHAPES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let shapes = [
        r"(?:^|[^\d\s])\s*\b(?P<n>\p{L}{3,10})\.?,?\s+(?:de\s+)?(?P<y>\d{4})\b",
        r"\b(?P<y>\d{4})-(?P<m>\d{2})(?:[^-\d]|$)",
        r"^\s*(?P<y>(?:1[5-9]|20)\d{2})\s*$",
    ];
    shapes.iter().filter_map(|shape| Regex::new(shape).ok()).collect()
});

/// The date a text names, as ISO 8601 writes it.
pub fn date_of(text: &str) -> Option<String> {
    let day = SHAPES.iter().find_map(|shape| shape.captures_iter(text).find_map(|captures| day(&captures)));
    day.or_else(|| {
        MONTH_SHAPES.iter().find_map(|shape| shape.captures_iter(text).find_map(|captures| month(&captures)))
    })
}

fn number(captures: &Captures<'_>, name: &str) -> Option<u32> {
    captures.name(name).and_then(|number| number.as_str().parse().ok())
}

fn month_number(captures: &Captures<'_>) -> Option<u32> {
    match captures.name("n") {
        Some(name) => {
            let name = name.as_str().to_lowercase();
            MONTHS.iter().position(|names| names.contains(&name.as_str())).map(|place| place as u32 + 1)
        }
        None => number(captures, "m"),
    }
}

fn day(captures: &Captures<'_>) -> Option<String> {
    let year = number(captures, "y")?;
    let (month, day) = match (number(captures, "a"), number(captures, "b")) {
        (Some(day @ 13..), Some(month)) | (Some(month), Some(day @ 13..)) => (month, day),
        (Some(day), Some(month)) if day == month => (month, day),
        (Some(_), _) => return None,
        _ => (month_number(captures)?, number(captures, "d")?),
    };
    if !(1..=12).contains(&month) || day < 1 || day > days_of(year, month) {
        return None;
    }
    let mut date = format!("{year:04}-{month:02}-{day:02}");
    if let (Some(hour @ 0..24), Some(minute @ 0..60)) = (number(captures, "h"), number(captures, "i")) {
        let second = number(captures, "s").unwrap_or(0).min(59);
        let zone = captures.name("z").map_or("", |zone| match zone.as_str() {
            "UTC" | "GMT" | "Z" => "Z",
            offset => offset,
        });
        date.push_str(&format!("T{hour:02}:{minute:02}:{second:02}"));
        date.push_str(zone);
        if zone.len() == 5 {
            date.insert(date.len() - 2, ':');
        }
    }
    Some(date)
}

fn month(captures: &Captures<'_>) -> Option<String> {
    let year = number(captures, "y")?;
    if captures.name("n").is_none() && captures.name("m").is_none() {
        return Some(format!("{year:04}"));
    }
    month_number(captures).filter(|month| (1..=12).contains(month)).map(|month| format!("{year:04}-{month:02}"))
}

fn days_of(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_people_write_them() {
        assert_eq!((SHAPES.len(), MONTH_SHAPES.len()), (7, 3));
        for (text, date) in [
            ("2024-03-05", "2024-03-05"),
            ("2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z"),
            ("2024-03-05T10:00:00.123+0100", "2024-03-05T10:00:00+01:00"),
            ("2024-03-05 10:07", "2024-03-05T10:07:00"),
            ("20240305", "2024-03-05"),
            ("2024/3/5", "2024-03-05"),
            ("posted on 5 March 2024 by us", "2024-03-05"),
            ("5. März 2024", "2024-03-05"),
            ("5 de mayo de 2024", "2024-05-05"),
            ("1er mars 2024", "2024-03-01"),
            ("Mar. 5th, 2024", "2024-03-05"),
            ("Thu, 05 Mar 2024 10:00:01 GMT", "2024-03-05T10:00:01Z"),
            ("March 5, 2024 at 9:30", "2024-03-05T09:30:00"),
            ("5.3.2024", "2024-03-05"),
            ("13/3/2024", "2024-03-13"),
            ("3/13/2024", "2024-03-13"),
            ("29-Feb-2024", "2024-02-29"),
            ("March 2024", "2024-03"),
            ("2024-03", "2024-03"),
            (" 2024 ", "2024"),
        ] {
            assert_eq!(date_of(text).as_deref(), Some(date), "{text}");
        }
        for none in ["3/4/2024", "2024-13-05", "29 February 2023", "soon", "", "5 Foo 2024", "call 5551234"] {
            assert_eq!(date_of(none), None, "{none}");
        }
    }
}
