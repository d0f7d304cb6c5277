//! Which fields are two ends of one thing? `preis_von` and `preis_bis`, `minPrice` and `maxPrice`, `date[from]` and `date[to]`.
//!
//! A name is cut into words (at marks, changes of case, digits). Two fields are a pair if their names are the same but for one word,
//! and those two words are a pair of the table below; or if their names run together with such a word (`pricemin`).
//! Where names say nothing (`p1`, `x`), the labels of two neighbors are read in the same way. Digits pair only what holds
//! numbers. Cost: linear in the fields, by a table of what is left of a name without its word.
//! Not guaranteed: that the server means it so, or that the ends are included; ask and see.

use std::collections::HashMap;

use serde::Serialize;

use super::{Field, Form, Kind};

/// Two ends of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Range {
    /// The field of the low end: its place among the form's fields.
    pub low: usize,
    /// The field of the high end.
    pub high: usize,
    /// Internal names of the two.
    pub names: (String, String),
    /// What it is a range of, for people.
    pub label: String,
    /// What kind of values it takes.
    pub kind: RangeKind,
    /// From value to value, if the form says so.
    pub step: Option<String>,
    /// The least value the form allows.
    pub min: Option<String>,
    /// The greatest value the form allows.
    pub max: Option<String>,
}

/// What a range is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RangeKind {
    Number,
    /// Amounts of money.
    Money,
    Date,
}

/// Low and high words. The flag says that they may stand in a name without a border.
const PAIRS: [(&str, &str, bool); 40] = [
    ("min", "max", true),
    ("minimum", "maximum", true),
    ("mini", "maxi", true),
    ("minimal", "maximal", true),
    ("mindestens", "höchstens", true),
    ("from", "to", true),
    ("from", "till", true),
    ("from", "until", true),
    ("from", "thru", true),
    ("von", "bis", true),
    ("ab", "bis", true),
    ("od", "do", true),
    ("low", "high", true),
    ("lo", "hi", false),
    ("lower", "upper", true),
    ("start", "end", true),
    ("begin", "end", true),
    ("since", "until", true),
    ("after", "before", true),
    ("above", "below", true),
    ("over", "under", false),
    ("least", "most", false),
    ("earliest", "latest", true),
    ("first", "last", false),
    ("gte", "lte", true),
    ("ge", "le", false),
    ("gt", "lt", false),
    ("de", "a", false),
    ("de", "à", false),
    ("desde", "hasta", true),
    ("dès", "jusque", false),
    ("da", "a", false),
    ("dal", "al", false),
    ("van", "tot", true),
    ("vanaf", "tot", true),
    ("fra", "til", true),
    ("från", "till", true),
    ("от", "до", true),
    ("a", "b", false),
    ("1", "2", false),
];

/// Words of prices, folded to lower case.
const MONEY: [&str; 15] = [
    "price", "preis", "prix", "precio", "prezzo", "prijs", "cena", "pris", "cost", "kosten", "amount", "betrag",
    "miete", "rent", "цена",
];

/// Words for days in names and labels.
const DATES: [&str; 11] =
    ["date", "datum", "day", "tag", "fecha", "data", "jour", "anreise", "checkin", "dato", "дата"];

/// Fields that are looked at.
const MOST: usize = 500;

/// A name or label as words: cut at marks, from small to large letters, and around digits.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last: Option<char> = None;
    for c in text.chars().take(200) {
        if !c.is_alphanumeric() {
            last = None;
            continue;
        }
        let joins =
            last.is_some_and(|last| last.is_numeric() == c.is_numeric() && !(last.is_lowercase() && c.is_uppercase()));
        match words.last_mut().filter(|_| joins) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
        last = Some(c);
    }
    words
}

impl Form {
    /// The pairs of fields that are two ends of one thing, in the order of their low ends.
    pub fn ranges(&self) -> Vec<Range> {
        let ends: Vec<(usize, &Field)> = self.fields.iter().enumerate().filter(|(_, field)| is_end(field)).collect();
        let ends = ends.get(..ends.len().min(MOST)).unwrap_or_default();
        let mut found: Vec<Range> = Vec::new();
        let mut taken = vec![false; self.fields.len()];
        pair(ends, |field| &field.name, false, &mut taken, &mut found);
        // By labels: neighbors only, for "from" and "to" are said of many things.
        for two in ends.windows(2) {
            pair(two, |field| &field.label, true, &mut taken, &mut found);
        }
        found.sort_by_key(|range| range.low);
        found
    }
}

fn is_end(field: &Field) -> bool {
    if field.disabled || field.name.is_empty() {
        return false;
    }
    match field.kind {
        Kind::Select => {
            let mut numbers = field.domain().take(200).peekable();
            numbers.peek().is_some() && numbers.all(|choice| choice.value.contains(|c: char| c.is_ascii_digit()))
        }
        kind => kind.is_typed() && !matches!(kind, Kind::TextArea | Kind::Color | Kind::Email | Kind::Url),
    }
}

fn is_numeric(field: &Field) -> bool {
    matches!(field.kind, Kind::Number | Kind::Range | Kind::Date | Kind::Month | Kind::DateTime | Kind::Select)
        || kind_of(field) != RangeKind::Number
}

fn pair<'f>(
    ends: &[(usize, &'f Field)],
    text: impl Fn(&'f Field) -> &'f str,
    neighbours: bool,
    taken: &mut [bool],
    found: &mut Vec<Range>,
) {
    for (nth, (low, high, loose)) in PAIRS.iter().enumerate() {
        let mut lows: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, field) in ends.iter().filter(|(at, _)| !taken[*at]) {
            for rest in rests(text(field), low, *loose) {
                lows.entry(rest).or_default().push(*at);
            }
        }
        if lows.is_empty() {
            continue;
        }
        for (at, field) in ends {
            if taken[*at] {
                continue;
            }
            let mut partner = None;
            // Of labels only the word counts: "Price from" and "to".
            let rests = rests(text(field), high, *loose);
            if neighbours && !rests.is_empty() {
                partner = lows.values().flatten().find(|low| **low != *at && !taken[**low] && **low < *at).copied();
            }
            for rest in rests {
                let same = lows.get(&rest).into_iter().flatten().find(|low| **low != *at && !taken[**low]);
                partner = partner.or(same.copied());
            }
            let Some(partner) = partner else { continue };
            let Some((_, other)) = ends.iter().find(|(place, _)| *place == partner) else { continue };
            let weak = nth + 2 >= PAIRS.len();
            if other.kind != field.kind || (weak && !(is_numeric(field) && is_numeric(other))) {
                continue;
            }
            (taken[*at], taken[partner]) = (true, true);
            found.push(range(partner, other, *at, field, low));
        }
    }
}

/// What is left of a text without a word, for each way it can stand there.
fn rests(text: &str, word: &str, loose: bool) -> Vec<String> {
    let words = words(text);
    let mut rests = Vec::new();
    for (nth, one) in words.iter().enumerate() {
        let mut rest = |left: &str| {
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            words[nth] = left;
            rests.push(words.join(" "));
        };
        if one == word {
            rest("");
        } else if loose && word.len() > 1 {
            // Two letters run together with others are too often just letters.
            let enough = |left: &str| left.len() >= if word.chars().count() > 2 { 1 } else { 3 };
            if let Some(left) = one.strip_suffix(word).filter(|left| enough(left)) {
                rest(left);
            } else if let Some(left) = one.strip_prefix(word).filter(|left| enough(left)) {
                rest(left);
            }
        }
    }
    rests
}

fn kind_of(field: &Field) -> RangeKind {
    if matches!(field.kind, Kind::Date | Kind::Month | Kind::Week | Kind::DateTime) {
        return RangeKind::Date;
    }
    let words: Vec<String> = words(&field.name).into_iter().chain(words(&field.label)).collect();
    let any = |list: &[&str]| words.iter().any(|word| list.iter().any(|known| word.contains(known)));
    if any(&MONEY) || field.label.contains(['€', '$', '£', '¥']) {
        RangeKind::Money
    } else if words.iter().any(|word| DATES.contains(&word.as_str())) && field.kind != Kind::Number {
        RangeKind::Date
    } else {
        RangeKind::Number
    }
}

fn range(low: usize, first: &Field, high: usize, second: &Field, word: &str) -> Range {
    let kind = match (kind_of(first), kind_of(second)) {
        (RangeKind::Number, other) => other,
        (one, _) => one,
    };
    let label = if first.label.is_empty() { &second.label } else { &first.label };
    // "Price from" is a range of prices.
    let words = label.split_whitespace().filter(|one| !one.to_lowercase().trim_matches(':').eq(word));
    let mut label = words.collect::<Vec<_>>().join(" ");
    if label.is_empty() {
        label = rests(&first.name, word, true).into_iter().next().unwrap_or_default().trim().to_owned();
    }
    let either = |get: fn(&Field) -> &Option<String>| get(first).clone().or_else(|| get(second).clone());
    Range {
        low,
        high,
        names: (first.name.clone(), second.name.clone()),
        label,
        kind,
        step: either(|field| &field.step),
        min: either(|field| &field.min),
        max: second.max.clone().or_else(|| first.max.clone()),
    }
}
