//! Periods as people write them, and what to say when they cannot be read.

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use groma_settings::Fault;
use jiff::civil::{Time, Weekday};
use jiff::tz::TimeZone;

/// When it is time.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// Whole days by the wall clock.
    Days(i32),
    /// Seconds by the stopwatch.
    Seconds(i64),
    Daily(Time),
    Weekly(Weekday, Time),
    /// On this day, or the last one of a shorter month.
    Monthly(i8, Time),
    Cron(Box<Cron>),
}

const HINT: &str = "write \"every 7 days\", \"every 12 hours\", \"daily at 03:00\", \"weekly on monday at 4:30\", \"monthly on 1 at \
                    03:00\", or five fields as in a crontab: \"30 3 * * 1\"";
const ZONE_HINT: &str = "write its IANA name, as Europe/Prague, America/New_York or UTC";
const MOST_DAYS: i64 = 3_660;

const DAYS: [(Weekday, &str); 7] = [
    (Weekday::Monday, "monday"),
    (Weekday::Tuesday, "tuesday"),
    (Weekday::Wednesday, "wednesday"),
    (Weekday::Thursday, "thursday"),
    (Weekday::Friday, "friday"),
    (Weekday::Saturday, "saturday"),
    (Weekday::Sunday, "sunday"),
];

fn bad(text: &str, why: &str) -> Fault {
    Fault::new(format!("`{}` is no period: {why}", shown(text)), HINT)
}

fn shown(text: &str) -> String {
    let short: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(80).collect();
    short.trim().to_owned()
}

pub(super) fn too_often(text: &str) -> Fault {
    bad(text, "it comes more often than every 5 minutes")
}

pub(super) fn never(text: &str) -> Fault {
    bad(text, "it never comes")
}

pub(super) fn day_name(day: Weekday) -> &'static str {
    DAYS.iter().find(|(known, _)| *known == day).map_or("", |(_, name)| name)
}

pub(super) fn zone(name: &str) -> Result<(TimeZone, String), Fault> {
    let name = name.trim();
    if name.is_empty() || name.eq_ignore_ascii_case("utc") {
        return Ok((TimeZone::UTC, "UTC".to_owned()));
    }
    let no_zone = |_| Fault::new(format!("there is no time zone `{}`", shown(name)), ZONE_HINT);
    let zone = TimeZone::get(name).map_err(no_zone)?;
    let known = zone.iana_name().unwrap_or(name).to_owned();
    Ok((zone, known))
}

pub(super) fn rule(text: &str) -> Result<Rule, Fault> {
    let lower = text.trim().to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    match words.as_slice() {
        [] => Err(bad(text, "it is empty")),
        ["every", unit] => every(text, 1, unit),
        ["every", count, unit] => {
            let count = count.parse::<u32>().map_err(|_| bad(text, "a whole number is expected behind `every`"))?;
            every(text, count.into(), unit)
        }
        ["daily", "at", time] => Ok(Rule::Daily(clock(text, time)?)),
        ["weekly", "on", day, "at", time] => Ok(Rule::Weekly(weekday(text, day)?, clock(text, time)?)),
        ["monthly", "on", day, "at", time] => {
            let number = day.trim_end_matches('.').parse::<i8>().ok().filter(|number| (1..=31).contains(number));
            let number = number.ok_or_else(|| bad(text, "a day of the month from 1 to 31 is expected"))?;
            Ok(Rule::Monthly(number, clock(text, time)?))
        }
        ["every" | "daily" | "weekly" | "monthly", ..] => Err(bad(text, "something is missing, or too much")),
        fields if fields.len() == 5 => cron(text),
        _ => Err(bad(text, "it has not the form of any")),
    }
}

fn every(text: &str, count: i64, unit: &str) -> Result<Rule, Fault> {
    let (seconds, days) = match unit.strip_suffix('s').unwrap_or(unit) {
        "minute" | "min" => (60, 0),
        "hour" | "h" => (3_600, 0),
        "day" => (0, 1),
        "week" => (0, 7),
        _ => return Err(bad(text, "minutes, hours, days or weeks are expected")),
    };
    if count == 0 {
        return Err(bad(text, "a number above 0 is expected"));
    }
    if count * days > MOST_DAYS || count * seconds > MOST_DAYS * 86_400 {
        return Err(bad(text, "ten years are the longest"));
    }
    Ok(if days > 0 { Rule::Days((count * days) as i32) } else { Rule::Seconds(count * seconds) })
}

fn clock(text: &str, time: &str) -> Result<Time, Fault> {
    let parsed = time.split_once(':').and_then(|(hour, minute)| {
        let digits = |part: &str, most: usize| {
            !part.is_empty() && part.len() <= most && part.bytes().all(|b| b.is_ascii_digit())
        };
        if !digits(hour, 2) || minute.len() != 2 || !digits(minute, 2) {
            return None;
        }
        Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
    });
    parsed.ok_or_else(|| bad(text, "a time of day is expected, from 0:00 to 23:59"))
}

fn weekday(text: &str, day: &str) -> Result<Weekday, Fault> {
    let found = DAYS.iter().find(|(_, name)| *name == day || (day.len() == 3 && name.starts_with(day)));
    found.map(|(day, _)| *day).ok_or_else(|| bad(text, "a day of the week is expected, monday to sunday"))
}

fn cron(text: &str) -> Result<Rule, Fault> {
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    let cron = parser.parse(text.trim()).map_err(|error| bad(text, error.to_string().trim_end_matches('.')))?;
    Ok(Rule::Cron(Box::new(cron)))
}
