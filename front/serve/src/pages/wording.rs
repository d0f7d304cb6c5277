//! How are moments and numbers said on a page?

use std::borrow::Borrow;
use std::time::Duration;

use crate::app::now;

/// `12,345`. Templates lend their numbers, code gives them.
pub(crate) fn grouped(number: impl Borrow<u64>) -> String {
    groma_model::wording::grouped(*number.borrow())
}

/// A moment for a page: what people read, and what machines do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// `5 minutes ago`, `in 3 hours`, `2026-01-31 12:30`.
    pub(crate) says: String,
    /// RFC 3339.
    pub(crate) exact: String,
}

impl Moment {
    /// Seen from now; nothing for 0, which means never.
    pub(crate) fn at(at: i64) -> Option<Moment> {
        (at > 0).then(|| Moment::seen_from(at, now()))
    }

    fn seen_from(at: i64, now: i64) -> Moment {
        let exact = groma_model::moment::rfc3339(at);
        let away = now.abs_diff(at);
        let (n, one) = match away {
            0..60 => (away, "second"),
            60..3_600 => (away / 60, "minute"),
            3_600..86_400 => (away / 3_600, "hour"),
            86_400..1_209_600 => (away / 86_400, "day"),
            _ => (0, ""),
        };
        let many = if n == 1 { "" } else { "s" };
        let says = match (one, at <= now) {
            ("", _) => exact.get(..16).unwrap_or(&exact).replace('T', " "),
            ("second", true) if n < 5 => "just now".to_owned(),
            (_, true) => format!("{n} {one}{many} ago"),
            (_, false) => format!("in {n} {one}{many}"),
        };
        Moment { says, exact }
    }
}

/// How long something took, in words.
pub(crate) fn took(seconds: i64) -> String {
    if seconds < 1 { "under 1 s".to_owned() } else { groma_model::moment::spoken(Duration::from_secs(seconds as u64)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_said_as_people_say_them() {
        let now = 1_700_000_000;
        let says = |at: i64| Moment::seen_from(at, now).says;
        assert_eq!(says(now - 2), "just now");
        assert_eq!(says(now - 60), "1 minute ago");
        assert_eq!(says(now + 7_300), "in 2 hours");
        assert_eq!(says(now - 3 * 86_400), "3 days ago");
        assert_eq!(says(now - 100 * 86_400), "2023-08-06 22:13");
        assert_eq!(Moment::at(0), None);
    }
}
