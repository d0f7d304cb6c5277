//! When is it time again? "every 7 days", "daily at 03:00", or five fields as in a crontab, meant in a time zone.
//!
//! Pure: the moment that is now comes in, the next one comes out. Wall clocks jump: a time of day that a day does not have is put
//! off to the first one after the gap, and one that a day has twice counts the first time, so each day has each of its moments
//! once. Moments that were missed while nobody looked count once: the next moment always lies after now.
//!
//! Jitter keeps a hundred schedules from beginning in the same second. The delay is a hash of the schedule's name and the moment,
//! at most half the period, so that whoever computes it, wherever, finds the same. "every ..." counts from the moment before
//! and would wander if each moment were put off anew: there the delay is one for all its moments.

mod read;

use std::hash::Hasher as _;

use groma_settings::Fault;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp, ToSpan, Zoned};

use self::read::Rule;

/// Least time between two moments.
pub const LEAST: i64 = 300;
/// Moments of a crontab line that are looked at to find how close they stand.
const LOOKED_AT: usize = 64;

/// A period, read and found good.
#[derive(Clone, Debug)]
pub struct Period {
    rule: Rule,
    zone: TimeZone,
    zone_name: String,
    /// In seconds, at most.
    jitter: i64,
}

impl Period {
    /// Reads a period as people write it. An empty zone is UTC.
    pub fn read(text: &str, zone: &str, jitter: u32) -> Result<Period, Fault> {
        let (zone, zone_name) = read::zone(zone)?;
        let rule = read::rule(text)?;
        let mut period = Period { rule, zone, zone_name, jitter: 0 };
        let length = period.least_length(text)?;
        if length < LEAST {
            return Err(read::too_often(text));
        }
        period.jitter = i64::from(jitter).min(length / 2);
        Ok(period)
    }

    /// The first moment of a schedule that begins now.
    pub fn first(&self, name: &str, now: i64) -> i64 {
        match self.rule {
            Rule::Days(_) | Rule::Seconds(_) => self.step(now).saturating_add(self.delay(name, 0)),
            _ => self.put_off(name, self.after(now)),
        }
    }

    /// The moment after `seen`, and after now: what was missed counts once.
    pub fn next(&self, name: &str, seen: i64, now: i64) -> i64 {
        match self.rule {
            Rule::Seconds(seconds) => {
                let missed = now.saturating_sub(seen).max(0) / seconds;
                seen.saturating_add((missed + 1).saturating_mul(seconds))
            }
            Rule::Days(days) => {
                // Far behind, a leap over whole periods; a day of the wall clock is never shorter than 20 hours.
                let missed = now.saturating_sub(seen).max(0) / (i64::from(days) * 90_000);
                let mut next = self.leap(seen, missed);
                while next <= now {
                    next = self.step(next);
                }
                next.max(self.step(seen))
            }
            // One that was put off beyond the base of the moment after it, or is about to be, has had its turn.
            _ => self.put_off(name, self.after(now.max(seen))),
        }
    }

    /// For people: "every 7 days, next on Sunday 22 November 2026 03:12 Europe/Prague".
    pub fn says(&self, next: i64) -> String {
        format!("{}, next on {}", self.rule_says(), self.moment_says(next))
    }

    /// A moment in the zone of the period, for people.
    pub fn moment_says(&self, moment: i64) -> String {
        let at = self.zoned(moment);
        format!("{} {}", at.strftime("%A %-d %B %Y %H:%M"), self.zone_name)
    }

    fn rule_says(&self) -> String {
        let clock = |at: Time| format!("{:02}:{:02}", at.hour(), at.minute());
        match &self.rule {
            Rule::Days(1) => "every day".to_owned(),
            Rule::Days(days) => format!("every {days} days"),
            Rule::Seconds(3600) => "every hour".to_owned(),
            Rule::Seconds(seconds) if seconds % 3600 == 0 => format!("every {} hours", seconds / 3600),
            Rule::Seconds(seconds) => format!("every {} minutes", seconds / 60),
            Rule::Daily(at) => format!("daily at {}", clock(*at)),
            Rule::Weekly(day, at) => format!("weekly on {} at {}", read::day_name(*day), clock(*at)),
            Rule::Monthly(day, at) => format!("monthly on {day} at {}", clock(*at)),
            Rule::Cron(cron) => format!("by `{}`", cron.pattern),
        }
    }

    /// The first moment of the wall clock's rules after this one.
    fn after(&self, moment: i64) -> i64 {
        let from = self.zoned(moment);
        let day = from.date();
        let on = |date: Date, at: Time| date.to_datetime(at).to_zoned(self.zone.clone()).ok();
        let later = |zoned: &Zoned| zoned.timestamp().as_second() > moment;
        let found = match &self.rule {
            Rule::Daily(at) => days_from(day, 1).filter_map(|date| on(date, *at)).find(later),
            Rule::Weekly(weekday, at) => {
                let wanted = days_from(day, 1).filter(|date| date.weekday() == *weekday);
                wanted.filter_map(|date| on(date, *at)).find(later)
            }
            Rule::Monthly(number, at) => {
                let months = (0..4).filter_map(|months| day.first_of_month().checked_add(months.months()).ok());
                let wanted =
                    months.filter_map(|month| month.with().day((*number).min(month.days_in_month())).build().ok());
                wanted.filter_map(|date| on(date, *at)).find(later)
            }
            Rule::Cron(cron) => cron.find_next_occurrence(&from, false).ok(),
            Rule::Days(_) | Rule::Seconds(_) => return self.step(moment),
        };
        // A line that never comes again (30 February is refused when it is read) rests for a century.
        found.map_or(moment.saturating_add(100 * 366 * 86_400), |zoned| zoned.timestamp().as_second())
    }

    /// One "every ..." further.
    fn step(&self, moment: i64) -> i64 {
        self.leap(moment, 1)
    }

    fn leap(&self, moment: i64, times: i64) -> i64 {
        match self.rule {
            Rule::Seconds(seconds) => moment.saturating_add(seconds.saturating_mul(times)),
            Rule::Days(days) => {
                let span = Span::new().try_days(i64::from(days).saturating_mul(times));
                let later = span.and_then(|span| self.zoned(moment).checked_add(span));
                later.map_or(moment.saturating_add(i64::from(days) * 86_400 * times), |at| at.timestamp().as_second())
            }
            _ => moment,
        }
    }

    fn put_off(&self, name: &str, moment: i64) -> i64 {
        moment.saturating_add(self.delay(name, moment))
    }

    /// Between 0 and the jitter, the same for the same name and moment.
    fn delay(&self, name: &str, moment: i64) -> i64 {
        if self.jitter == 0 {
            return 0;
        }
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        hash.write(name.as_bytes());
        hash.write(&moment.to_le_bytes());
        (hash.finish() % (self.jitter as u64 + 1)) as i64
    }

    fn zoned(&self, moment: i64) -> Zoned {
        let at = Timestamp::from_second(moment).unwrap_or(if moment < 0 { Timestamp::MIN } else { Timestamp::MAX });
        at.to_zoned(self.zone.clone())
    }

    /// Seconds between the two moments that stand closest.
    fn least_length(&self, text: &str) -> Result<i64, Fault> {
        Ok(match &self.rule {
            Rule::Seconds(seconds) => *seconds,
            Rule::Days(days) => i64::from(*days) * 86_400,
            Rule::Daily(_) => 86_400,
            Rule::Weekly(..) => 7 * 86_400,
            Rule::Monthly(..) => 28 * 86_400,
            Rule::Cron(cron) => {
                // In UTC: no wall clock jumps there. From a fixed moment: the answer does not depend on the day.
                let mut at =
                    Timestamp::from_second(1_767_225_600).map_err(|_| read::never(text))?.to_zoned(TimeZone::UTC);
                let mut least = SignedDuration::from_secs(400 * 86_400);
                for round in 0..LOOKED_AT {
                    let next = match cron.find_next_occurrence(&at, false) {
                        Ok(next) => next,
                        Err(_) if round > 0 => break,
                        Err(_) => return Err(read::never(text)),
                    };
                    if round > 0 {
                        least = least.min(at.duration_until(&next));
                    }
                    at = next;
                }
                least.as_secs()
            }
        })
    }
}

/// Days from one before this on, as the moment may be on either side of midnight after a jump. Enough of them for any rule.
fn days_from(day: Date, before: i32) -> impl Iterator<Item = Date> {
    (-before..16).filter_map(move |days| day.checked_add(days.days()).ok())
}

/// FNV-1a with a last stir: the same on every machine and in every version, which the hashes of the standard library are not.
struct Fnv(u64);

impl std::hash::Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        let stirred = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        stirred ^ (stirred >> 33)
    }
}

#[cfg(test)]
mod tests;
