//! From a form to the space that is covered, and from a question back to what is filled in.
//!
//! | field | axis |
//! |---|---|
//! | list, radio buttons | choice among its values |
//! | boxes of one name, lists of several | several of its values, one at a time until it is known how they are joined |
//! | two ends of one thing | range, in steps of the last digit that anybody wrote |
//! | text whose values are letters before one and the same wildcard (`[A-Z]%`) | prefix |
//! | other text with values that somebody gave it | choice |
//! | other text | words, as they come (`text`); or prefix, if it takes the beginning of a text |
//!
//! A list that cannot be left open is *exhaustive*: a record that answers to none of its values cannot be reached by this form
//! at all. Elsewhere there may be records that no value reaches; there only totals prove that nothing is missing.

use groma_gather::answer::Record;
use groma_gather::cover::{Axis, Part, Question, Space, Value};
use groma_gather::form::{Field, Form, Kind, Range, RangeKind};

use super::typed;

/// A text field that takes the beginning of a text: the attribute that shows it, letters, and what stands behind the beginning.
#[derive(Clone, Debug)]
pub(super) struct Beginning {
    pub(super) attribute: String,
    pub(super) letters: Vec<char>,
    pub(super) wildcard: String,
}

/// What an axis fills in.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fill {
    /// A value of a field.
    Value {
        /// Internal name of the field.
        name: String,
        /// Values, as they are sent.
        values: Vec<String>,
        /// What people read for them, in the same order.
        labels: Vec<String>,
        /// What is sent to leave it open; nothing: it is not filled in.
        open: Option<String>,
    },
    /// Both ends of a range.
    Ends {
        /// Internal names of the two fields.
        names: (String, String),
        /// What is sent where an end is open: of a slide, its end.
        open: (String, String),
        /// How numbers are written.
        scale: Scale,
    },
    /// A beginning, before a wildcard.
    Beginning {
        /// Internal name of the field.
        name: String,
        /// What the target puts for "anything".
        wildcard: String,
    },
}

impl Fill {
    /// The internal names of the fields it fills in.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Fill::Value { name, .. } | Fill::Beginning { name, .. } => vec![name],
            Fill::Ends { names, .. } => vec![&names.0, &names.1],
        }
    }
}

/// How the numbers of an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Whole steps of so many digits behind the point.
    Decimal(u32),
    /// The same for what is measured, where there may always be one digit more. A number counts for the step above it, and a lower
    /// bound is written just above the step below it: so the parts of a range leave no gap between them.
    Measured(u32),
    /// Days since 1970, as `year-month-day`.
    Day,
}

/// Digits behind the point that are taken at most.
const DIGITS: u32 = 7;
/// From so many digits on a number is taken to be measured, not counted.
const MEASURED: u32 = 3;
/// Digits by which a bound is finer than a step.
const FINER: u32 = 4;

/// What became of the form as it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Base {
    /// It was not asked yet, or brought nothing.
    #[default]
    Unknown,
    /// It brought records.
    Answered,
    /// There was no answer: it says that something has to be filled in, or shows the form again.
    Refused,
    /// It brought what one of the values brings, though none is chosen.
    Chosen,
}

/// The axes of a form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Axes {
    pub(super) space: Space,
    pub(super) fills: Vec<Fill>,
    /// What each is called for people, and the names by which a record may show it.
    pub(super) names: Vec<Vec<String>>,
}

impl Axes {
    /// A field with values of its own: those of the form, or those the description gives it. `answers`: the form was answered as it stands,
    /// so that a list in which nothing is chosen may be left alone; or it was refused.
    pub(super) fn choice(&mut self, field: &Field, given: Option<Vec<String>>, essential: bool, base: Base) {
        let (answers, refused) = (base == Base::Answered, base == Base::Refused);
        let own: Vec<(String, String)> = field.domain().map(|one| (one.value.clone(), one.label.clone())).collect();
        let all = given.as_ref().is_none_or(|given| own.iter().all(|(sent, _)| given.contains(sent)));
        let (values, labels): (Vec<String>, Vec<String>) = match given {
            Some(values) => values
                .into_iter()
                .map(|value| {
                    let known = own.iter().find(|(sent, label)| *sent == value || *label == value);
                    known.cloned().unwrap_or_else(|| (value.clone(), value))
                })
                .unzip(),
            None => own.into_iter().unzip(),
        };
        if values.is_empty() {
            return;
        }
        let open = field.values.iter().find(|one| one.open && !one.disabled).map(|one| one.value.clone());
        let unticked = matches!(field.kind, Kind::CheckBox | Kind::MultiSelect | Kind::Radio)
            && !field.required
            && !field.values.iter().any(|one| one.chosen);
        let unchosen = field.kind == Kind::Select && !field.required && answers;
        let unchosen = unchosen && !field.values.iter().any(|one| one.chosen && !one.disabled);
        // Where the form as it stands is refused, nobody knows which lists choose: those that do are found by asking them, not all at once.
        let is_set = field.values.iter().any(|one| one.chosen && !one.disabled);
        let unknown = field.kind == Kind::Select && refused && is_set && !essential;
        let can_be_open = open.is_some() || unticked || unchosen || unknown || field.kind.is_typed();
        let can_be_open = can_be_open && base != Base::Chosen;
        // Whoever must choose can reach no record that answers to no choice: asking all values is asking all there is.
        // Where several may be chosen, none of them is wider than one that is called "all".
        let is_several = matches!(field.kind, Kind::CheckBox | Kind::MultiSelect);
        let open = open.filter(|_| !(is_several && unticked));
        let exhaustive = !can_be_open && all && matches!(field.kind, Kind::Select | Kind::Radio);
        let any = can_be_open && !essential;
        self.space.fields.push(match field.kind {
            Kind::CheckBox | Kind::MultiSelect => Axis::Several { values: values.clone(), any },
            _ => Axis::Choice { values: values.clone(), any, exhaustive },
        });
        self.fills.push(Fill::Value { name: field.name.clone(), values, labels, open });
        self.names.push(vec![field.label.clone(), field.name.clone()]);
    }

    /// A list that is set to its widest value: its other values are parts of that.
    pub(super) fn below(&mut self, field: &Field, widest: &str) {
        let others = field.values.iter().filter(|one| !one.disabled && one.value != widest);
        let (values, labels): (Vec<String>, Vec<String>) =
            others.map(|one| (one.value.clone(), one.label.clone())).unzip();
        if values.len() < 2 {
            return;
        }
        self.space.fields.push(Axis::Choice { values: values.clone(), any: true, exhaustive: false });
        self.fills.push(Fill::Value { name: field.name.clone(), values, labels, open: Some(widest.to_owned()) });
        self.names.push(vec![field.label.clone(), field.name.clone()]);
    }

    /// A text field with the values the description gives it.
    pub(super) fn text(&mut self, field: &Field, values: Vec<String>) {
        let Some((letters, wildcard)) = beginnings(&values) else {
            return self.choice(field, Some(values), true, Base::Unknown);
        };
        self.space.fields.push(Axis::Prefix { letters, any: !field.required });
        self.fills.push(Fill::Beginning { name: field.name.clone(), wildcard });
        self.names.push(vec![field.label.clone(), field.name.clone()]);
    }

    /// A text field about which nothing is known: words come while we ask.
    pub(super) fn words(&mut self, field: &Field) {
        self.space.fields.push(Axis::Words { values: Vec::new(), any: !field.required });
        self.fills.push(Fill::Value {
            name: field.name.clone(),
            values: Vec::new(),
            labels: Vec::new(),
            open: Some(String::new()),
        });
        self.names.push(vec![field.label.clone(), field.name.clone()]);
    }

    /// A text field that takes the beginning of what this attribute shows.
    pub(super) fn beginning(&mut self, field: &Field, beginning: &Beginning) {
        let Beginning { attribute, letters, wildcard } = beginning.clone();
        self.space.fields.push(Axis::Prefix { letters, any: !field.required });
        self.fills.push(Fill::Beginning { name: field.name.clone(), wildcard });
        self.names.push(vec![field.label.clone(), field.name.clone(), attribute]);
    }

    /// One of the words of such a field.
    pub(super) fn word(&self, axis: usize, nth: usize) -> Option<String> {
        match self.fills.get(axis) {
            Some(Fill::Value { values, .. }) => values.get(nth).cloned(),
            _ => None,
        }
    }

    /// More words for such a field.
    pub(super) fn add_words(&mut self, axis: usize, words: &[String]) {
        if let Some(Fill::Value { values, labels, .. }) = self.fills.get_mut(axis) {
            values.extend(words.iter().cloned());
            labels.extend(words.iter().cloned());
        }
    }

    /// What an axis is called for people.
    pub(super) fn name(&self, axis: usize) -> String {
        let names = self.names.get(axis).into_iter().flatten().find(|name| !name.is_empty());
        names.cloned().unwrap_or_else(|| (axis + 1).to_string())
    }

    /// The names by which a record may show what a range is of.
    pub(super) fn names_of(range: &Range) -> Vec<String> {
        vec![range.label.clone(), stem(&range.names.0, &range.names.1)]
    }

    /// Two ends of one thing; false if nobody knows how its values are written. `seen`: values of it that answers showed.
    pub(super) fn range(&mut self, range: &Range, form: &Form, seen: &[String]) -> bool {
        let ends = [form.fields.get(range.low), form.fields.get(range.high)];
        let [Some(low), Some(high)] = ends else { return false };
        if !low.kind.is_typed() || !high.kind.is_typed() {
            return false;
        }
        let dated = matches!(low.kind, Kind::Date);
        if !dated && (range.kind == RangeKind::Date || low.kind == Kind::Time) {
            return false;
        }
        let scale = match digits(range, seen) {
            _ if dated => Scale::Day,
            few @ 0..MEASURED => Scale::Decimal(few),
            many => Scale::Measured(many),
        };
        let bound = |text: &Option<String>| text.as_deref().and_then(|text| scale.read(text));
        let (least, most) = (bound(&range.min), bound(&range.max));
        let open = !low.required && !high.required;
        self.space.fields.push(Axis::Range { low: least, high: most, open, every: false });
        let slide = |field: &Field, end: String| if field.kind == Kind::Range { end } else { String::new() };
        let ends = (slide(low, typed::least(low)), slide(high, typed::greatest(high)));
        self.fills.push(Fill::Ends { names: range.names.clone(), open: ends, scale });
        self.names.push(Axes::names_of(range));
        true
    }

    /// What is filled in for a question.
    pub(super) fn filled(&self, question: &Question) -> Vec<(String, String)> {
        let mut filled = Vec::new();
        for (fill, part) in self.fills.iter().zip(&question.parts) {
            match (fill, part) {
                (Fill::Value { name, values, .. }, Part::Is(nth) | Part::Word(nth)) => {
                    filled.push((name.clone(), values.get(*nth).cloned().unwrap_or_default()));
                }
                (Fill::Value { name, values, .. }, Part::Of(chosen)) => {
                    filled.extend(
                        chosen.iter().filter_map(|nth| values.get(*nth)).map(|value| (name.clone(), value.clone())),
                    );
                }
                (Fill::Value { name, open, .. }, _) => filled.extend(open.clone().map(|open| (name.clone(), open))),
                (Fill::Ends { names, open: ends, scale }, part) => {
                    let (low, high) = match part {
                        Part::Between(low, high) => (*low, *high),
                        _ => (None, None),
                    };
                    filled.push((names.0.clone(), low.map_or_else(|| ends.0.clone(), |steps| scale.write_low(steps))));
                    filled.push((names.1.clone(), high.map_or_else(|| ends.1.clone(), |steps| scale.write(steps))));
                }
                (Fill::Beginning { name, wildcard }, Part::Begins(text)) => {
                    filled.push((name.clone(), format!("{text}{wildcard}")));
                }
                (Fill::Beginning { name, .. }, _) => filled.push((name.clone(), String::new())),
            }
        }
        filled
    }

    /// Names of fields whose values a question says.
    pub(super) fn said(&self, question: &Question) -> Vec<&str> {
        let mut said = Vec::new();
        for (fill, part) in self.fills.iter().zip(&question.parts) {
            match (fill, part) {
                (_, Part::Open) => {}
                (Fill::Ends { names, .. }, Part::Between(low, high)) => {
                    said.extend(low.map(|_| names.0.as_str()));
                    said.extend(high.map(|_| names.1.as_str()));
                }
                (fill, _) => said.extend(fill.names()),
            }
        }
        said
    }

    /// A question in words.
    pub(super) fn says(&self, question: &Question) -> String {
        let mut said = Vec::new();
        for ((fill, part), names) in self.fills.iter().zip(&question.parts).zip(&self.names) {
            let name = names.iter().find(|name| !name.is_empty()).map_or("", String::as_str);
            match (fill, part) {
                (Fill::Value { labels, .. }, Part::Is(nth) | Part::Word(nth)) => {
                    said.push(format!("{name} = {}", labels.get(*nth).map_or("", String::as_str)));
                }
                (Fill::Value { labels, .. }, Part::Of(chosen)) => {
                    let labels: Vec<&str> =
                        chosen.iter().filter_map(|nth| labels.get(*nth)).map(String::as_str).collect();
                    said.push(format!("{name} = {}", labels.join(" + ")));
                }
                (Fill::Ends { scale, .. }, Part::Between(low, high)) if low.is_some() || high.is_some() => {
                    let write = |bound: &Option<i64>| bound.map_or_else(|| "…".to_owned(), |steps| scale.write(steps));
                    said.push(format!("{name} {} to {}", write(low), write(high)));
                }
                (Fill::Beginning { wildcard, .. }, Part::Begins(text)) => {
                    said.push(format!("{name} = {text}{wildcard}"))
                }
                _ => {}
            }
        }
        if said.is_empty() { "everything".to_owned() } else { said.join(", ") }
    }

    /// Which attribute shows the text whose beginning was asked for, where none is called like the field: one that begins so in each record
    /// of an answer. `filled`: what was asked.
    pub(super) fn learn_beginnings(&mut self, filled: &[(String, String)], records: &[Record]) {
        for (fill, names) in self.fills.iter().zip(&mut self.names) {
            let Fill::Beginning { name, wildcard } = fill else { continue };
            let asked = filled.iter().find(|(own, _)| own == name).and_then(|(_, value)| value.strip_suffix(wildcard));
            let Some(asked) = asked.filter(|asked| !asked.is_empty()).map(str::to_lowercase) else { continue };
            let [first, _, ..] = records else { continue };
            let begins = |record: &Record, attribute: &str| {
                let value = record.values.iter().find(|(own, _)| own == attribute);
                value.is_some_and(|(_, value)| value.to_lowercase().starts_with(&asked))
            };
            let is_own = |attribute: &str| names.iter().any(|name| is_called(attribute, name));
            if first.values.iter().any(|(attribute, _)| is_own(attribute)) {
                continue;
            }
            let mut attributes = first.values.iter().map(|(attribute, _)| attribute);
            let found = attributes.find(|attribute| records.iter().all(|record| begins(record, attribute)));
            names.extend(found.cloned());
        }
    }

    /// What a record shows for each axis, by attributes that are called like it.
    ///
    /// A record without such an attribute has no value there, if `attributes`, those of its whole page, have one.
    pub(super) fn shown(&self, record: &[(String, String)], attributes: &[&str]) -> Vec<Option<Value>> {
        let value = |(fill, names): (&Fill, &Vec<String>)| {
            let is_own = |attribute: &str| names.iter().any(|name| is_called(attribute, name));
            let mut values = record.iter().filter(|(attribute, _)| is_own(attribute)).map(|(_, value)| value);
            let Some(value) = values.next() else {
                return attributes.iter().any(|attribute| is_own(attribute)).then_some(Value::Lacking);
            };
            // Which of several was asked for does not matter.
            if values.next().is_some() {
                return None;
            }
            match fill {
                Fill::Value { values, labels, .. } => {
                    let same = |one: &String| one.trim().eq_ignore_ascii_case(value.trim());
                    labels.iter().position(same).or_else(|| values.iter().position(same)).map(Value::Is)
                }
                Fill::Ends { scale, .. } => scale.read(value).map(Value::Number),
                Fill::Beginning { .. } => Some(Value::Text(value.clone())),
            }
        };
        self.fills.iter().zip(&self.names).map(value).collect()
    }
}

/// Letters before one and the same wildcard.
fn beginnings(values: &[String]) -> Option<(Vec<char>, String)> {
    let (mut letters, mut wildcard) = (Vec::new(), None);
    for value in values {
        let mut chars = value.chars();
        letters.push(chars.next()?);
        let rest = chars.as_str();
        if !matches!(rest, "%" | "*" | "") || wildcard.is_some_and(|known| known != rest) {
            return None;
        }
        wildcard = Some(rest);
    }
    wildcard.map(|wildcard| (letters, wildcard.to_owned()))
}

impl Scale {
    /// A number in steps.
    fn read(self, text: &str) -> Option<i64> {
        match self {
            Scale::Decimal(digits) => decimal(text, digits).map(|(steps, _)| steps),
            Scale::Measured(digits) => decimal(text, digits).map(|(steps, more)| steps + i64::from(more)),
            Scale::Day => day(text),
        }
    }

    /// A lower bound as it is written.
    fn write_low(self, steps: i64) -> String {
        let finer = |digits: u32| {
            let below = steps.checked_sub(1)?.checked_mul(10_i64.pow(FINER))?.checked_add(1)?;
            Some(written(below, digits + FINER))
        };
        match self {
            Scale::Measured(digits) => finer(digits).unwrap_or_else(|| self.write(steps)),
            _ => self.write(steps),
        }
    }

    /// Steps as they are written.
    fn write(self, steps: i64) -> String {
        match self {
            Scale::Decimal(digits) | Scale::Measured(digits) => written(steps, digits),
            Scale::Day => date(steps),
        }
    }
}

/// Steps of so many digits behind the point.
fn written(steps: i64, digits: u32) -> String {
    if digits == 0 {
        return steps.to_string();
    }
    let unit = 10_u64.pow(digits);
    let (whole, part) = (steps.unsigned_abs() / unit, steps.unsigned_abs() % unit);
    let sign = if steps < 0 { "-" } else { "" };
    format!("{sign}{whole}.{part:0width$}", width = digits as usize)
}

/// A decimal number, with a point or a comma, perhaps with a unit behind it or a sign of money; whether it is more than its steps.
fn decimal(text: &str, digits: u32) -> Option<(i64, bool)> {
    let text = text.trim().trim_start_matches(['€', '$', '£', '¥']).trim_start();
    let (sign, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '\'')).unwrap_or(text.len());
    let number = &text[..end];
    let point = number.rfind(['.', ',']);
    let (whole, part) = point.map_or((number, ""), |at| (&number[..at], &number[at + 1..]));
    // 1.234 of 1,234.5: what stands before a last group of three with others before it is no fraction.
    let grouped = part.len() == 3 && digits == 0;
    let (whole, part) = if grouped { (number, "") } else { (whole, part) };
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    if whole.is_empty() || whole.len() > 11 || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.min(DIGITS) as usize;
    let more = sign > 0 && part.chars().skip(digits).any(|digit| digit != '0');
    let part: String = part.chars().chain(std::iter::repeat('0')).take(digits).collect();
    format!("{whole}{part}").parse::<i64>().ok().map(|steps| (sign * steps, more))
}

/// Digits behind the point that anybody wrote.
fn digits(range: &Range, seen: &[String]) -> u32 {
    let written = |text: &str| {
        let number = text.trim().trim_end_matches(|c: char| !c.is_ascii_digit());
        number.rsplit_once(['.', ',']).map_or(0, |(_, part)| part.len() as u32)
    };
    let said = [&range.step, &range.min, &range.max].into_iter().flatten().map(|text| written(text));
    let money = if range.kind == RangeKind::Money { 2 } else { 0 };
    said.chain(seen.iter().map(|text| written(text))).max().unwrap_or(0).max(money).min(DIGITS)
}

/// Days since 1970 of `year-month-day`, and back (Howard Hinnant's calendar arithmetic).
fn day(text: &str) -> Option<i64> {
    let mut parts = text.trim().splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(0..=9999).contains(&year) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

fn date(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days - era * 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// What two names have in common: of `lat_from` and `lat_to`, `lat`.
fn stem(low: &str, high: &str) -> String {
    let plain = |text: String| text.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let same = low.chars().zip(high.chars()).take_while(|(a, b)| a == b).count();
    let front = plain(low.chars().take(same).collect());
    let same = low.chars().rev().zip(high.chars().rev()).take_while(|(a, b)| a == b).count();
    let back = plain(low.chars().skip(low.chars().count() - same).collect());
    if back.chars().count() > front.chars().count() { back } else { front }
}

/// Is an attribute called like a field? Only letters and digits count.
pub(super) fn is_called(attribute: &str, name: &str) -> bool {
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (attribute, name) = (plain(attribute), plain(name));
    !name.is_empty() && attribute == name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_days_come_back_as_they_were_written() {
        for (text, digits, steps) in [
            ("12.345", 3, 12_345),
            ("-0.5", 2, -50),
            ("1,5 km", 1, 15),
            ("€ 7", 2, 700),
            ("1.234", 0, 1_234),
            ("1,234.56", 2, 123_456),
        ] {
            assert_eq!(decimal(text, digits), Some((steps, false)), "{text}");
        }
        assert_eq!(decimal("n/a", 0), None);
        for steps in [-123_456_789, -5, 0, 7, 99, 123_456_789] {
            for digits in [0, 1, 2, 7] {
                assert_eq!(decimal(&Scale::Decimal(digits).write(steps), digits), Some((steps, false)));
            }
        }
        for days in [-719_000, -1, 0, 59, 60, 11_016, 20_000, 2_932_000] {
            assert_eq!(day(&date(days)), Some(days), "{}", date(days));
        }
        assert_eq!((date(0), day("2000-02-29"), day("x")), ("1970-01-01".to_owned(), Some(11_016), None));
    }

    #[test]
    fn the_parts_of_what_is_measured_leave_no_gap() {
        let scale = Scale::Measured(3);
        for text in ["1.2345", "1.234", "1.2340001", "0.0005", "-0.0005", "-1.2345", "-1.234", "7"] {
            let value: f64 = text.parse().unwrap();
            let steps = scale.read(text).unwrap();
            let bounds = |low: i64, high: i64| -> (f64, f64) {
                (scale.write_low(low).parse().unwrap(), scale.write(high).parse().unwrap())
            };
            let (low, high) = bounds(steps, steps);
            assert!(low <= value && value <= high, "{text}: {low} {high}");
            let (_, below) = bounds(steps - 9, steps - 1);
            let (above, _) = bounds(steps + 1, steps + 9);
            assert!(value > below && value < above, "{text}: {below} {above}");
        }
    }

    #[test]
    fn names_of_ends_have_something_in_common() {
        for (low, high, both) in [
            ("lat_from", "lat_to", "lat"),
            ("minPrice", "maxPrice", "Price"),
            ("von", "bis", ""),
            ("preis[von]", "preis[bis]", "preis"),
        ] {
            assert_eq!(stem(low, high), both, "{low} {high}");
        }
        assert!(is_called("Preis (€)", "preis") && !is_called("preise", "preis") && !is_called("", ""));
    }

    #[test]
    fn letters_before_one_wildcard_are_beginnings() {
        let values = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(beginnings(&values(&["A%", "B%"])), Some((vec!['A', 'B'], "%".to_owned())));
        assert_eq!(beginnings(&values(&["A%", "B*"])), None);
        assert_eq!(beginnings(&values(&["Ab%"])), None);
        assert_eq!(beginnings(&[]), None);
    }
}
