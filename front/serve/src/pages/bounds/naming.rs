//! What is a logical site called, and how are its numbers said? In a few words.

use crate::pages::layout::short;
use crate::pages::shown::counted;

/// Letters of a URL.
pub(super) const ADDRESS: usize = 300;

/// What a site is called by, fit for a heading.
pub(super) fn called(start: &str) -> String {
    match start.strip_prefix("keyword:") {
        Some(word) => format!("the keyword “{}”", short(word, 80)),
        None => short(start, 160),
    }
}

/// A price, as people can compare it: three digits.
pub(super) fn price(epsilon: f64) -> String {
    match epsilon {
        _ if !epsilon.is_finite() || epsilon <= 0.0 => "nothing".to_owned(),
        _ => groma_tasks::bounds::plain_price(epsilon),
    }
}

/// A share of 100.
pub(super) fn percent(confidence: f32) -> u32 {
    (confidence.clamp(0.0, 1.0) * 100.0).round() as u32
}

pub(super) fn counted_pages(count: u32) -> String {
    counted(count.into(), "page", "pages")
}

/// A number that is written already, with its word.
pub(super) fn pages(count: &str) -> String {
    if count == "1" { "1 page".to_owned() } else { format!("{count} pages") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_said_with_three_digits() {
        let said: Vec<String> =
            [0.123_456, 0.001_234_5, 12.34, 123.4, 0.000_044, 1e12, 0.0, f64::NAN].map(price).into();
        assert_eq!(said, ["0.123", "0.00123", "12.3", "123", "0.000044", "1000000000000", "nothing", "nothing"]);
    }
}
