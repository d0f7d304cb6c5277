//! Periods against calendars, wall clocks that jump, and bad input.

use super::*;

fn at(text: &str) -> i64 {
    text.parse::<Zoned>().unwrap().timestamp().as_second()
}

fn prague(text: &str) -> i64 {
    at(&format!("{text}[Europe/Prague]"))
}

fn shown(moment: i64) -> String {
    let zoned = Timestamp::from_second(moment).unwrap().in_tz("Europe/Prague").unwrap();
    zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn period(text: &str) -> Period {
    Period::read(text, "Europe/Prague", 0).unwrap()
}

/// The moments of a schedule in whose queue somebody looks in time.
fn moments(text: &str, from: i64, count: usize) -> Vec<String> {
    let period = period(text);
    let mut next = period.first("s", from);
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(shown(next));
        next = period.next("s", next, next + 1);
    }
    all
}

#[test]
fn every_form_comes_when_it_says() {
    let from = prague("2026-11-15T10:20:00");
    for (text, expected) in [
        ("every 7 days", ["2026-11-22T10:20:00+01:00", "2026-11-29T10:20:00+01:00"]),
        ("every week", ["2026-11-22T10:20:00+01:00", "2026-11-29T10:20:00+01:00"]),
        ("Every 12 Hours", ["2026-11-15T22:20:00+01:00", "2026-11-16T10:20:00+01:00"]),
        ("every 30 minutes", ["2026-11-15T10:50:00+01:00", "2026-11-15T11:20:00+01:00"]),
        ("daily at 03:00", ["2026-11-16T03:00:00+01:00", "2026-11-17T03:00:00+01:00"]),
        ("daily at 10:21", ["2026-11-15T10:21:00+01:00", "2026-11-16T10:21:00+01:00"]),
        ("weekly on monday at 4:30", ["2026-11-16T04:30:00+01:00", "2026-11-23T04:30:00+01:00"]),
        ("weekly on sun at 10:20", ["2026-11-22T10:20:00+01:00", "2026-11-29T10:20:00+01:00"]),
        ("monthly on 1 at 03:00", ["2026-12-01T03:00:00+01:00", "2027-01-01T03:00:00+01:00"]),
        ("monthly on 31 at 03:00", ["2026-11-30T03:00:00+01:00", "2026-12-31T03:00:00+01:00"]),
        ("30 3 * * 1", ["2026-11-16T03:30:00+01:00", "2026-11-23T03:30:00+01:00"]),
        ("0 */6 * * *", ["2026-11-15T12:00:00+01:00", "2026-11-15T18:00:00+01:00"]),
        ("0 0 29 2 *", ["2028-02-29T00:00:00+01:00", "2032-02-29T00:00:00+01:00"]),
    ] {
        assert_eq!(moments(text, from, 2), expected, "{text}");
    }
}

#[test]
fn a_time_the_night_does_not_have_comes_once_and_one_it_has_twice_too() {
    // Clocks go from 2:00 to 3:00 on 28 March 2027, and from 3:00 back to 2:00 on 31 October 2027.
    for text in ["daily at 02:30", "30 2 * * *"] {
        let spring = moments(text, prague("2027-03-26T12:00:00"), 4);
        assert_eq!(spring[0], "2027-03-27T02:30:00+01:00", "{text}");
        assert!(spring[1].starts_with("2027-03-28T03:"), "{text}: {spring:?}");
        assert_eq!(spring[2..], ["2027-03-29T02:30:00+02:00", "2027-03-30T02:30:00+02:00"], "{text}");
        let autumn = moments(text, prague("2027-10-29T12:00:00"), 4);
        let expected = [
            "2027-10-30T02:30:00+02:00",
            "2027-10-31T02:30:00+02:00",
            "2027-11-01T02:30:00+01:00",
            "2027-11-02T02:30:00+01:00",
        ];
        assert_eq!(autumn, expected, "{text}");
    }
    // Looked at in the hour that comes twice, from either side.
    let daily = period("daily at 02:30");
    let (first, second) =
        (at("2027-10-31T02:30:00+02:00[Europe/Prague]"), at("2027-10-31T02:30:00+01:00[Europe/Prague]"));
    assert_eq!(second - first, 3600);
    for now in [first, first + 60, second, second + 60] {
        assert_eq!(shown(daily.next("s", first, now)), "2027-11-01T02:30:00+01:00");
    }
    // Days are those of the wall clock, hours those of a stopwatch.
    let before = prague("2027-03-27T12:00:00");
    assert_eq!(shown(period("every 1 day").first("s", before)), "2027-03-28T12:00:00+02:00");
    assert_eq!(shown(period("every 24 hours").first("s", before)), "2027-03-28T13:00:00+02:00");
}

#[test]
fn what_was_missed_counts_once() {
    let seen = prague("2026-11-15T03:00:00");
    let now = prague("2027-06-20T12:34:56");
    for text in
        ["every 7 days", "every 12 hours", "every 5 minutes", "daily at 03:00", "weekly on friday at 1:00", "0 3 1 * *"]
    {
        let period = period(text);
        let next = period.next("s", seen, now);
        assert!(next > now, "{text}");
        assert!(next - now <= 31 * 86_400, "{text}: {}", shown(next));
        // The same rhythm as if somebody had looked every time.
        let mut step = seen;
        while step <= now {
            step = period.next("s", step, step);
        }
        assert_eq!(shown(next), shown(step), "{text}");
    }
    // A clock that was set back does not make it fire again.
    for text in ["every 7 days", "every 12 hours", "daily at 03:00"] {
        assert!(period(text).next("s", seen, seen - 86_400) > seen, "{text}");
    }
}

#[test]
fn jitter_is_bounded_known_beforehand_and_spread() {
    let base = prague("2026-11-16T03:00:00");
    let jittered = |name: &str| Period::read("daily at 03:00", "Europe/Prague", 600).unwrap().first(name, base - 100);
    let delays: Vec<i64> = (0..200).map(|n| jittered(&format!("site {n}")) - base).collect();
    assert!(delays.iter().all(|delay| (0..=600).contains(delay)));
    let early = delays.iter().filter(|delay| **delay < 300).count();
    assert!((60..140).contains(&early), "{early} of 200 in the first half");
    assert_eq!(jittered("a"), jittered("a"));
    // At most half the period, whatever is asked for.
    let huge = Period::read("every 1 hour", "UTC", u32::MAX).unwrap();
    for n in 0..50 {
        let delay = huge.first(&format!("{n}"), 0) - 3600;
        assert!((0..=1800).contains(&delay), "{delay}");
    }
    // Each moment of the wall clock once, on time, never wandering; "every" keeps its distance.
    let daily = Period::read("daily at 03:00", "UTC", u32::MAX).unwrap();
    let mut next = daily.first("x", 0);
    for day in 0..400 {
        let base = day * 86_400 + 10_800;
        assert!((0..=43_200).contains(&(next - base)), "day {day}: {}", next - base);
        next = daily.next("x", next, next + 7);
    }
    let first = huge.first("x", 0);
    assert_eq!(huge.next("x", first, first + 5), first + 3600);
}

#[test]
fn it_says_what_it_is() {
    let period = Period::read("every 7 days", "Europe/Prague", 0).unwrap();
    let next = period.first("s", prague("2026-11-15T03:12:00"));
    assert_eq!(period.says(next), "every 7 days, next on Sunday 22 November 2026 03:12 Europe/Prague");
    for (text, says) in [
        ("every 120 minutes", "every 2 hours"),
        ("weekly on mon at 4:30", "weekly on monday at 04:30"),
        ("monthly on 15. at 0:05", "monthly on 15 at 00:05"),
        ("*/30 * * * *", "by `*/30 * * * *`"),
    ] {
        let period = Period::read(text, "", 0).unwrap();
        assert!(
            period.says(0).starts_with(&format!("{says}, next on Thursday 1 January 1970 00:00 UTC")),
            "{}",
            period.says(0)
        );
    }
}

#[test]
fn bad_input_is_told_with_examples() {
    for text in [
        "",
        "   ",
        "sometimes",
        "every",
        "every 0 days",
        "every -3 days",
        "every 2.5 hours",
        "every 7 moons",
        "every 99999999999 days",
        "every 4 minutes",
        "every 4000000000 days",
        "daily",
        "daily at noon",
        "daily at 24:00",
        "daily at 3:5",
        "daily at +3:05",
        "weekly on someday at 3:00",
        "weekly on monday",
        "monthly on 0 at 3:00",
        "monthly on 32 at 3:00",
        "* * * * *",
        "*/4 * * * *",
        "0,2 * * * *",
        "0 0 30 2 *",
        "61 * * * *",
        "a b c d e",
        "0 0 * *",
        "0 0 0 * * *",
        "\u{0}\u{1b}[2J every 7 days",
    ] {
        let fault = Period::read(text, "Europe/Prague", 0).map(|_| ()).expect_err(text);
        assert!(fault.says.contains("is no period: ") && !fault.says.contains('\n'), "{}", fault.says);
        assert!(fault.hint.contains("every 7 days") && fault.hint.contains("daily at 03:00"), "{}", fault.hint);
        assert!(!fault.says.contains('\u{1b}'), "{}", fault.says);
    }
    for zone in ["Middle/Earth", "Europe", "../etc/passwd", "+01:00\n"] {
        let fault = Period::read("every 7 days", zone, 0).map(|_| ()).expect_err(zone);
        assert!(fault.says.contains("no time zone") && fault.hint.contains("Europe/Prague"), "{}", fault.says);
    }
    assert!(Period::read("every 7 days", "europe/prague", 0).unwrap().says(0).ends_with("Europe/Prague"));
}
