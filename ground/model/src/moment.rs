//! Moments as people and scripts read them: seconds since 1970 as RFC 3339 in UTC, durations in words.
//!
//! Days to dates: the era method (400 years have 146,097 days; years begin in March, so that the leap day comes last).

use std::time::Duration;

const DAY: i64 = 86_400;

/// `2026-01-31T12:34:56Z`.
pub fn rfc3339(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    if !(0..10_000).contains(&year) {
        return format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    }
    // Said of every page that is archived, several times: digit by digit it takes a third of the time.
    let pairs = [year / 100, year % 100, month, day, hour, minute, second];
    let mut text = String::with_capacity(20);
    for (pair, mark) in pairs.into_iter().zip(["", "-", "-", "T", ":", ":", "Z"]) {
        text.extend([pair / 10, pair % 10].map(|digit| char::from(b'0' + digit as u8)));
        text.push_str(mark);
    }
    text
}

/// `2026-01-31`.
pub fn day(seconds: i64) -> String {
    let (year, month, day) = date(seconds.div_euclid(DAY));
    format!("{year:04}-{month:02}-{day:02}")
}

/// Year, month and day of a number of days since 1970.
pub fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468; // from 0000-03-01
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// `42 ms`, `0.4 s`, `57 s`, `3 min 20 s`, `2 h 5 min`.
pub fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 if duration.as_millis() < 100 => format!("{} ms", duration.as_millis()),
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_704_067_200, "2024-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "10000-01-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds), text);
        }
    }

    #[test]
    fn durations_are_short() {
        let of = |seconds: f64| spoken(Duration::from_secs_f64(seconds));
        assert_eq!(of(0.042), "42 ms");
        assert_eq!([of(0.44), of(57.9), of(200.0), of(7500.0)], ["0.4 s", "57 s", "3 min 20 s", "2 h 5 min"]);
    }
}
