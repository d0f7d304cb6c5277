//! Texts and numbers as XPath turns one into the other, and the functions that are about texts alone.

/// `3`, `3.5`, `NaN`, `Infinity`.
pub(super) fn text_of_number(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else if number == 0.0 {
        "0".to_owned()
    } else {
        number.to_string()
    }
}

/// A number as XPath writes it: digits, a point, a minus; anything else is no number.
pub(super) fn number_of_text(text: &str) -> f64 {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_plain && digits.bytes().any(|byte| byte.is_ascii_digit()) {
        text.parse().unwrap_or(f64::NAN)
    } else {
        f64::NAN
    }
}

/// To the nearest whole number, halves upwards.
pub(super) fn round(number: f64) -> f64 {
    if number.is_finite() { (number + 0.5).floor() } else { number }
}

/// The letters from a place (from 1), as many as are asked for.
pub(super) fn substring(text: &str, from: f64, length: Option<f64>) -> String {
    let first = round(from);
    let end = length.map_or(f64::INFINITY, |length| first + round(length));
    let place = |nth: usize| nth as f64 + 1.0;
    let letters = text.chars().enumerate().filter(|(nth, _)| place(*nth) >= first && place(*nth) < end);
    letters.map(|(_, letter)| letter).collect()
}

/// Each letter of `from` becomes that of `to` at the same place, or goes.
pub(super) fn translate(text: &str, from: &str, to: &str) -> String {
    let to: Vec<char> = to.chars().collect();
    let change = |letter: char| match from.chars().position(|one| one == letter) {
        Some(place) => to.get(place).copied(),
        None => Some(letter),
    };
    text.chars().filter_map(change).collect()
}
