//! Is a value what its property takes? Only what search engines name as wrong is: dates, durations, numbers, currencies, URLs.

/// What a property takes, if a value is not that. The value is not empty.
pub(super) fn objection(name: &str, value: &str) -> Option<&'static str> {
    let value = value.trim();
    let (fits, wanted) = match name {
        "datePublished" | "dateModified" | "dateCreated" | "datePosted" | "uploadDate" | "startDate" | "endDate"
        | "validThrough" | "validFrom" | "priceValidUntil" | "previousStartDate" => {
            (is_date(value), "a date of ISO 8601")
        }
        "duration" | "cookTime" | "prepTime" | "totalTime" | "performTime" => {
            (is_duration(value), "a duration of ISO 8601")
        }
        "price" | "lowPrice" | "highPrice" | "latitude" | "longitude" => (is_number(value), "a number"),
        "ratingValue" | "bestRating" | "worstRating" => (is_rating(value), "a number, a fraction or a percentage"),
        "ratingCount" | "reviewCount" | "position" | "answerCount" | "upvoteCount" | "offerCount" => {
            (value.bytes().all(|b| b.is_ascii_digit()), "a whole number")
        }
        "priceCurrency" | "currency" => {
            (value.len() == 3 && value.bytes().all(|b| b.is_ascii_uppercase()), "a currency of ISO 4217, such as EUR")
        }
        "image" | "logo" | "url" | "thumbnailUrl" | "contentUrl" | "embedUrl" | "sameAs" | "license"
        | "acquireLicensePage" => (is_url(value), "a URL"),
        "availability" => (is_term(value, &AVAILABILITIES), "an ItemAvailability of schema.org"),
        "itemCondition" => (is_term(value, &CONDITIONS), "an OfferItemCondition of schema.org"),
        "eventStatus" => (is_term(value, &STATUSES), "an EventStatusType of schema.org"),
        _ => return None,
    };
    (!fits).then_some(wanted)
}

const AVAILABILITIES: [&str; 12] = [
    "BackOrder",
    "Discontinued",
    "InStock",
    "InStoreOnly",
    "LimitedAvailability",
    "MadeToOrder",
    "OnlineOnly",
    "OutOfStock",
    "PreOrder",
    "PreSale",
    "Reserved",
    "SoldOut",
];
const CONDITIONS: [&str; 4] = ["DamagedCondition", "NewCondition", "RefurbishedCondition", "UsedCondition"];
const STATUSES: [&str; 5] =
    ["EventCancelled", "EventMovedOnline", "EventPostponed", "EventRescheduled", "EventScheduled"];

/// A term of schema.org, in full or by its name.
fn is_term(value: &str, terms: &[&str]) -> bool {
    let name = groma_model::structured::schema_term(value).unwrap_or(value);
    terms.iter().any(|term| term.eq_ignore_ascii_case(name))
}

/// Year, or year and month, or a day, with a time and a zone or without.
fn is_date(value: &str) -> bool {
    let (day, time) = value.split_at(value.find(['T', 't', ' ']).unwrap_or(value.len()));
    let parts: Vec<&str> = day.split('-').collect();
    let number = |text: &str, length: usize| {
        (text.len() == length && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<u32>().ok()).flatten()
    };
    let between = |text: &str, from: u32, to: u32| number(text, 2).is_some_and(|number| (from..=to).contains(&number));
    let is_day = match parts.as_slice() {
        [year] if year.len() == 8 => {
            number(year, 8).is_some_and(|day| (1..=12).contains(&(day / 100 % 100)) && (1..=31).contains(&(day % 100)))
        }
        [year] => number(year, 4).is_some() && time.is_empty(),
        [year, month] => number(year, 4).is_some() && between(month, 1, 12) && time.is_empty(),
        [year, month, day] => number(year, 4).is_some() && between(month, 1, 12) && between(day, 1, 31),
        _ => false,
    };
    is_day && (time.is_empty() || is_time(&time[1..]))
}

/// `12:30`, `12:30:05.5`, with `Z`, `+01:00`, `+0100` or `+01`.
fn is_time(value: &str) -> bool {
    let (clock, zone) = value.split_at(value.find(['Z', 'z', '+', '-']).unwrap_or(value.len()));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let clock = clock.trim();
    let is_clock = clock.len() >= 4 && clock.as_bytes()[0].is_ascii_digit() && clock.split(':').all(digits);
    let is_zone = match zone.as_bytes() {
        [] | [b'Z' | b'z'] => true,
        [b'+' | b'-', rest @ ..] => {
            (2..=5).contains(&rest.len()) && rest.iter().all(|b| b.is_ascii_digit() || *b == b':')
        }
        _ => false,
    };
    is_clock && is_zone
}

/// `P1DT2H30M`: a `P`, numbers with their units, the units of a clock after a `T`.
fn is_duration(value: &str) -> bool {
    let Some(rest) = value.strip_prefix('P').filter(|rest| !rest.is_empty() && !rest.ends_with('T')) else {
        return false;
    };
    let (days, clock) = rest.split_once('T').unwrap_or((rest, ""));
    let fits = |mut text: &str, units: &str| {
        while !text.is_empty() {
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
            let unit = text[end..].chars().next();
            if end == 0 || !unit.is_some_and(|unit| units.contains(unit)) {
                return false;
            }
            text = &text[end + 1..];
        }
        true
    };
    fits(days, "YMWD") && fits(clock, "HMS")
}

fn is_number(value: &str) -> bool {
    let plain = value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    plain && value.parse::<f64>().is_ok_and(f64::is_finite)
}

/// `4`, `4,5`, `60%`, `6 / 10`.
fn is_rating(value: &str) -> bool {
    let number = |text: &str| is_number(&text.trim().replacen(',', ".", 1));
    match value.split_once('/') {
        Some((part, whole)) => number(part) && number(whole),
        None => number(value.strip_suffix('%').unwrap_or(value)),
    }
}

/// A URL in full or in part: without spaces, and not words.
fn is_url(value: &str) -> bool {
    !value.contains(char::is_whitespace) && value.contains(['/', '.', ':', '#', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[rustfmt::skip]
    fn values_are_what_their_properties_take_or_not() {
        for (name, good, bad) in [
            ("datePublished", &["2026", "2026-11", "2026-11-19", "20261119", "2026-11-19T20:01:16Z", "2026-11-19 20:01", "2026-11-19T20:01:16.5+01:00", "2026-11-19T20:01+0100"][..],
                &["19.11.2026", "November 19, 2026", "2026-13-01", "2026-11-32", "2026-11-19T", "2026-11-19Tnoon", "26-11-19"][..]),
            ("duration", &["PT30M", "P1D", "P1Y2M3DT4H5M6.5S", "PT0S"], &["30 min", "P", "PT", "1H", "PTM", "P1H"]),
            ("price", &["12", "12.50", "0"], &["$12", "12,50", "12 EUR", "free"]),
            ("ratingValue", &["4", "4.5", "4,5", "60%", "6 / 10"], &["four", "4 stars", "%"]),
            ("ratingCount", &["12"], &["12 ratings", "1.5", "1,200"]),
            ("priceCurrency", &["EUR"], &["€", "eur", "Euro"]),
            ("url", &["https://a.test/", "/x", "x.png"], &["not a url", "words"]),
            ("availability", &["https://schema.org/InStock", "http://schema.org/outofstock", "PreOrder"], &["in stock", "https://schema.org/Instore"]),
            ("eventStatus", &["https://schema.org/EventScheduled"], &["scheduled"]),
            ("itemCondition", &["NewCondition"], &["new"]),
            ("name", &["anything at all"], &[]),
        ] {
            assert!(good.iter().all(|value| objection(name, value).is_none()), "{name}: {good:?}");
            for value in bad {
                assert!(objection(name, value).is_some(), "{name}: {value}");
            }
        }
    }
}
