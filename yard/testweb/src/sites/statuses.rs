//! A page for every status.
//!
//! Truth: `/` is a page that links to `/status/C` for each C of [`Statuses::CODES`]; `/status/C` answers C for any C
//! from 200 to 999. 401 comes with `WWW-Authenticate`, 405 with `Allow`, 429 and 503 with `Retry-After` of
//! [`Statuses::retry_after`] seconds, 3xx without a location. Answers of 2xx and 4xx have a page as body.

use super::number_in;
use crate::prose::Page;
use crate::{Answer, Ask, Web};

#[derive(Clone, Copy, Debug, Default)]
pub struct Statuses {
    /// Seconds to wait that 429 and 503 ask for.
    pub retry_after: u32,
}

impl Statuses {
    /// The statuses the home page links to.
    pub const CODES: [u16; 25] = [
        200, 203, 204, 206, 300, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 418, 429, 451, 500, 501, 502,
        503, 504, 999,
    ];
}

impl Web for Statuses {
    fn answer(&self, ask: &Ask) -> Answer {
        if ask.path == "/" {
            let links = Statuses::CODES.iter().map(|code| format!("/status/{code}"));
            return Page::new("Statuses").says("One of each.").links(links).answer();
        }
        let code = number_in(&ask.path, "/status/", "").filter(|code| (200..=999).contains(code)).unwrap_or(404) as u16;
        let answer = Answer::status(code);
        match code {
            401 => answer.with_header("WWW-Authenticate", "Basic realm=\"test\""),
            405 => answer.with_header("Allow", "POST"),
            429 | 503 => answer.with_header("Retry-After", &self.retry_after.to_string()),
            _ => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn each_status_is_answered_as_itself() {
        let walk = naive(&Statuses::default(), 100);
        for code in Statuses::CODES {
            assert_eq!(walk.count(code), if code == 200 { 2 } else { 1 }, "{code}");
        }
        assert_eq!(Statuses::default().answer(&Ask::get("/status/199")).status, 404);
        assert_eq!(Statuses { retry_after: 9 }.answer(&Ask::get("/status/429")).header("retry-after"), Some("9"));
    }
}
