//! What is typed in to try a field: extremes, neighbors of what it holds, and nothing at all.
//!
//! A field that holds something may hide records: it is left out, sent empty, and set to a neighboring value. Who takes a default
//! where nothing came shows the same records for the first two; the neighbor tells that from a field of which no notice is taken.
//! Dates in a text are written like those it holds, else in three ways; the first of January alone, so that their order does not matter.
//! Cost: O(1).

use groma_gather::form::{Field, Kind, OMITTED};

/// What is filled in to set a control.
pub(super) type Setting = Vec<(String, String)>;

/// A number beyond all that is counted, within 32 bits.
const FAR: &str = "1000000000";
/// Years before and after all that is dated.
const FIRST: &str = "1900";
const LAST: &str = "2100";
/// Dates as people write them.
const DATES: [&str; 3] = ["2000-01-01", "01.01.2000", "01/01/2000"];
/// Values that say yes or no, and the other one of each.
const SWITCHES: [(&str, &str); 10] = [
    ("0", "1"),
    ("1", "0"),
    ("true", "false"),
    ("false", "true"),
    ("yes", "no"),
    ("no", "yes"),
    ("on", "off"),
    ("off", "on"),
    ("y", "n"),
    ("n", "y"),
];
/// What a text is tried with that takes no notice of words: it may count days, kilometers or results, or take a date.
pub(super) const COUNTS: [&str; 2] = ["100000", "1900-01-01"];

/// What is filled in, with the fields of a setting as that has them.
pub(super) fn overlay(filled: Setting, setting: &Setting) -> Setting {
    let is_own = |name: &String| setting.iter().any(|(own, _)| own == name);
    filled.into_iter().filter(|(name, _)| !is_own(name)).chain(setting.iter().cloned()).collect()
}

/// Is one box of several ticked, and no other?
pub(super) fn is_alone(setting: &Setting) -> bool {
    matches!(&setting[..], [(_, value)] if value != OMITTED)
}

/// Does its value have a place in an order?
pub(super) fn is_ordered(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::Date | Kind::Month | Kind::Week | Kind::Time | Kind::DateTime)
}

/// The least value it takes.
pub(super) fn least(field: &Field) -> String {
    let any = match field.kind {
        Kind::Date => "1900-01-01",
        Kind::Month => "1900-01",
        Kind::Week => "1900-W01",
        Kind::Time => "00:00",
        Kind::DateTime => "1900-01-01T00:00",
        _ => "0",
    };
    field.min.clone().unwrap_or_else(|| any.to_owned())
}

/// The greatest value it takes.
pub(super) fn greatest(field: &Field) -> String {
    let any = match field.kind {
        Kind::Date => "2100-12-31",
        Kind::Month => "2100-12",
        Kind::Week => "2100-W52",
        Kind::Time => "23:59",
        Kind::DateTime => "2100-12-31T23:59",
        Kind::Range => "100",
        _ => FAR,
    };
    field.max.clone().unwrap_or_else(|| any.to_owned())
}

/// What a field that holds something is set to instead, and how many of these may stand for "no condition": a neighboring number or
/// date is a condition like the one before.
pub(super) fn others(field: &Field) -> (Vec<Setting>, usize) {
    let held = field.default.trim();
    let mut values = vec![OMITTED.to_owned()];
    if !held.is_empty() {
        values.push(String::new());
    }
    let near = neighbors(held);
    let (is_ranked, is_fixed) = (near.len() > 1, field.kind == Kind::Hidden || field.read_only);
    match field.kind {
        _ if !is_ranked => values.extend(near.iter().cloned()),
        // A number that nobody can change has no ends.
        _ if is_fixed => values.push(greatest(field)),
        _ => values.extend([least(field), greatest(field)]),
    }
    let lifts = values.len();
    if is_ranked {
        values.extend(near);
    }
    (values.into_iter().map(|value| vec![(field.name.clone(), value)]).collect(), lifts)
}

/// Values close to the one that a field holds.
pub(super) fn neighbors(held: &str) -> Vec<String> {
    let lower = held.to_lowercase();
    if held.is_empty() {
        return vec!["1".to_owned()];
    }
    if let Some((_, other)) = SWITCHES.iter().find(|(one, _)| *one == lower) {
        return vec![(*other).to_owned()];
    }
    if let Ok(number) = held.parse::<i64>() {
        return [number.saturating_add(1), number.saturating_sub(1)].map(|number| number.to_string()).to_vec();
    }
    match year_of(held) {
        Some((at, year)) => {
            let with = |year: u32| format!("{}{year:04}{}", &held[..at], &held[at + 4..]);
            vec![with(year.saturating_sub(1)), with(year + 1)]
        }
        None => vec!["all".to_owned()],
    }
}

/// Where the year of a date stands, if it is a date of three numbers or begins with a year and a month or a week.
fn year_of(text: &str) -> Option<(usize, u32)> {
    let is_date = text.len() <= 30 && text.is_ascii() && text.chars().filter(char::is_ascii_digit).count() >= 6;
    let mut at = 0;
    for group in text.split(|c: char| !c.is_ascii_digit()).filter(|_| is_date) {
        match group.parse::<u32>() {
            Ok(year @ 1000..=2999) if group.len() == 4 => return Some((at, year)),
            _ => at += group.len() + 1,
        }
    }
    None
}

/// Two ends as far apart as they go; whether that is a guess, since nobody says how dates are written there.
pub(super) fn ends(low: &Field, high: &Field, is_dated: bool) -> (Vec<Setting>, bool) {
    let at = |from: Option<String>, to: Option<String>| -> Setting {
        let from = from.map(|from| (low.name.clone(), from));
        from.into_iter().chain(to.map(|to| (high.name.clone(), to))).collect()
    };
    let is_guess = is_dated && !is_ordered(low.kind) && low.min.is_none();
    if !is_guess {
        let (from, to) = (least(low), greatest(high));
        let both = at(Some(from.clone()), Some(to.clone()));
        return (vec![both, at(Some(from), None), at(None, Some(to))], false);
    }
    let held = [&low.default, &high.default].into_iter().find(|text| year_of(text).is_some());
    let models: Vec<&str> = held.map_or_else(|| DATES.to_vec(), |held| vec![held.as_str()]);
    let mut settings: Vec<Setting> = Vec::new();
    if !low.default.is_empty() || !high.default.is_empty() {
        settings.push(at(Some(String::new()), Some(String::new())));
    }
    for model in models {
        settings.push(at(Some(dated(model, FIRST)), Some(dated(model, LAST))));
        // Nothing is left, if it is understood.
        settings.push(at(Some(dated(model, LAST)), None));
    }
    (settings, true)
}

/// The first of January of a year, written like another date.
fn dated(model: &str, year: &str) -> String {
    let Some((at, _)) = year_of(model) else { return year.to_owned() };
    let ones = |text: &str| -> String {
        let is_last = |nth: usize| !text[nth + 1..].starts_with(|next: char| next.is_ascii_digit());
        let one = |(nth, c): (usize, char)| match c.is_ascii_digit() {
            true if is_last(nth) => '1',
            true => '0',
            false => c,
        };
        text.char_indices().map(one).collect()
    };
    format!("{}{year}{}", ones(&model[..at]), ones(&model[at + 4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_has_neighbors() {
        assert_eq!(neighbors("2024"), ["2025", "2023"]);
        assert_eq!(neighbors("0"), ["1"]);
        assert_eq!(neighbors("active"), ["all"]);
        assert_eq!(neighbors("2024-05-06"), ["2023-05-06", "2025-05-06"]);
        assert_eq!(neighbors("31.12.1999"), ["31.12.1998", "31.12.2000"]);
        assert_eq!(neighbors(""), ["1"]);
    }

    #[test]
    fn dates_are_written_like_others() {
        assert_eq!(dated("31.12.2024", "1900"), "01.01.1900");
        assert_eq!(dated("2024-5-6", "2100"), "2100-1-1");
        assert_eq!(dated("12/31/2024", "2100"), "01/01/2100");
        assert_eq!(year_of("5 km"), None);
    }
}
