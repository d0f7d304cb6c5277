//! Days: what people write behind `date:`, and what servers write in Last-Modified.

/// The number of a day since 1970, by the calendar in use today (Howard Hinnant's days_from_civil).
fn number(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days that a date covers, first and last: `2026`, `2026-03`, `2026-03-15`.
pub(crate) fn span(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.split(['-', '/', '.']).map(|part| {
        let digits = !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
        if digits { part.parse::<i64>().ok() } else { None }
    });
    let year = parts.next()??;
    let month = parts.next();
    let day = parts.next();
    if parts.next().is_some() || !(1900..=9999).contains(&year) {
        return None;
    }
    match (month, day) {
        (None, _) => Some((number(year, 1, 1), number(year, 12, 31))),
        (Some(month), None) => {
            let month = month.filter(|month| (1..=12).contains(month))?;
            Some((number(year, month, 1), number(year, month, days_of(year, month))))
        }
        (Some(month), Some(day)) => {
            let month = month.filter(|month| (1..=12).contains(month))?;
            let day = day.filter(|day| (1..=days_of(year, month)).contains(day))?;
            let day = number(year, month, day);
            Some((day, day))
        }
    }
}

/// Seconds since 1970 of an HTTP date: `Wed, 21 Oct 2015 07:28:00 GMT`.
pub(crate) fn of_http(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let text = text.split_once(',').map_or(text, |(_, rest)| rest);
    let mut parts = text.split(|c: char| c.is_whitespace() || c == '-').filter(|part| !part.is_empty());
    let day: i64 = parts.next()?.parse().ok()?;
    let name = parts.next()?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|month| name.starts_with(month))? as i64 + 1;
    let year: i64 = parts.next()?.parse().ok()?;
    let year = if year < 70 {
        year + 2000
    } else if year < 100 {
        year + 1900
    } else {
        year
    };
    let clock: Vec<i64> = parts.next()?.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = clock.as_slice() else { return None };
    let sensible = (1900..=9999).contains(&year)
        && (1..=days_of(year, month)).contains(&day)
        && (0..24).contains(hours)
        && (0..60).contains(minutes)
        && (0..=60).contains(seconds);
    sensible.then(|| number(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read() {
        assert_eq!(span("1970-01-01"), Some((0, 0)));
        assert_eq!(span("2026"), Some((20_454, 20_818)));
        assert_eq!(span("2024-02"), Some((19_754, 19_782)));
        for bad in ["", "x", "2026-13", "2026-02-30", "26", "2026-1-1-1", "99999", "2026-", "٢٠٢٦"] {
            assert_eq!(span(bad), None, "{bad}");
        }
    }

    #[test]
    fn http_dates_are_read() {
        assert_eq!(of_http("Wed, 21 Oct 2015 07:28:00 GMT"), Some(1_445_412_480));
        assert_eq!(of_http("Sunday, 06-Nov-94 08:49:37 GMT"), Some(784_111_777));
        for bad in ["", "yesterday", "Wed, 99 Oct 2015 07:28:00 GMT", "1 Jan 2020", "1 Jan 2020 aa:bb:cc"] {
            assert_eq!(of_http(bad), None, "{bad}");
        }
    }
}
