//! When may we come back? `Retry-After`: a number of seconds, or a date (RFC 9110, 10.2.3).

use std::time::{Duration, SystemTime};

use groma_model::Response;

/// How long the server asks us to wait; nothing if it does not say, or nothing that can be understood. A date that has
/// passed means now.
pub fn retry_after(response: &Response, now: SystemTime) -> Option<Duration> {
    let value = response.header("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        // Digits beyond a number mean "never", which is what the largest number means too.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(value: &str) -> Option<Duration> {
        let response = Response {
            status: 503,
            headers: vec![("retry-after".into(), value.into())],
            body: Vec::new(),
            cut: None,
            remote: None,
            version: "HTTP/1.1",
            elapsed: Duration::ZERO,
        };
        retry_after(&response, SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        assert_eq!(asked(" 120 "), Some(Duration::from_secs(120)));
        assert_eq!(asked("Sun, 06 Nov 1994 08:50:37 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(asked("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(asked("99999999999999999999999"), Some(Duration::from_secs(u64::MAX)));
        for nonsense in ["", "-5", "soon", "1.5"] {
            assert_eq!(asked(nonsense), None, "{nonsense}");
        }
    }
}
