//! Redirects of every kind, the wrong ones included.
//!
//! Truth, all linked from `/` ([`Redirects::links`]):
//! - `/chain/N/0` takes exactly N redirects to its page `/chain/N/N`, for N of [`Redirects::CHAINS`];
//! - `/code/C` answers each of 301, 302, 303, 307, 308 and leads to `/landed/C`; `/relative/x` leads to
//!   `../landed/relative` (a relative location); `/fragment` to `/landed/fragment#part`;
//! - `/loop/a` and `/loop/b` lead to each other, `/loop/self` to itself, `/loop/grow` to an ever longer URL;
//! - `/away` leads to [`Redirects::other`]; `/private/...` to addresses that a crawler of a public site must not touch
//!   ([`Redirects::PRIVATE`]); `/odd/none` has no location, `/odd/empty` an empty one, `/odd/bad` one that is no
//!   address, `/odd/file` and `/odd/mail` other schemes.

use super::number;
use crate::prose::Page;
use crate::{Answer, Ask, Web};

#[derive(Clone, Debug)]
pub struct Redirects {
    /// Where `/away` leads: the base URL of another server.
    pub other: String,
}

impl Default for Redirects {
    fn default() -> Self {
        Redirects { other: "http://elsewhere.invalid".into() }
    }
}

impl Redirects {
    /// The lengths of the chains: one, some, just allowed and one too long by the usual limit of twenty.
    pub const CHAINS: [usize; 5] = [1, 2, 5, 20, 21];

    /// Where the redirects of `/private/NAME` lead.
    pub const PRIVATE: [(&str, &str); 5] = [
        ("ten", "http://10.0.0.1/"),
        ("metadata", "http://169.254.169.254/latest/meta-data/"),
        ("six", "http://[fd00::1]/"),
        ("mapped", "http://[::ffff:192.168.0.1]/"),
        ("decimal", "http://2130706433:1/"),
    ];

    /// Every link of the home page.
    pub fn links(&self) -> Vec<String> {
        let chains = Redirects::CHAINS.map(|n| format!("/chain/{n}/0"));
        let codes = [301, 302, 303, 307, 308].map(|code| format!("/code/{code}"));
        let private = Redirects::PRIVATE.map(|(name, _)| format!("/private/{name}"));
        let others = ["/relative/x", "/fragment", "/loop/a", "/loop/b", "/loop/self", "/loop/grow", "/away"];
        let odd = ["/odd/none", "/odd/empty", "/odd/bad", "/odd/file", "/odd/mail"];
        let rest = others.into_iter().chain(odd).map(str::to_owned);
        chains.into_iter().chain(codes).chain(private).chain(rest).collect()
    }

    fn chain(path: &str) -> Option<Answer> {
        let (length, step) = path.split_once('/')?;
        let (length, step) = (number(length)?, number(step)?);
        if step < length {
            let status = if step.is_multiple_of(2) { 301 } else { 302 };
            return Some(Answer::redirect(status, &format!("/chain/{length}/{}", step + 1)));
        }
        let end = || Page::new(&format!("End of {length}")).says("Arrived.").link("/", "home").answer();
        (step == length).then(end)
    }

    fn page(&self, path: &str) -> Option<Answer> {
        if let Some(rest) = path.strip_prefix("/chain/") {
            return Redirects::chain(rest);
        }
        if let Some(code) = path.strip_prefix("/code/") {
            let code = code.parse().ok().filter(|code| matches!(code, 301 | 302 | 303 | 307 | 308))?;
            return Some(Answer::redirect(code, &format!("/landed/{code}")));
        }
        if let Some(name) = path.strip_prefix("/landed/") {
            return Some(Page::new(&format!("Landed {name}")).says("Here you are.").link("/", "home").answer());
        }
        if let Some(name) = path.strip_prefix("/private/") {
            let (_, to) = Redirects::PRIVATE.iter().find(|(n, _)| *n == name)?;
            return Some(Answer::redirect(302, to));
        }
        let to = match path {
            "/relative/x" => "../landed/relative",
            "/fragment" => "/landed/fragment#part",
            "/loop/a" => "/loop/b",
            "/loop/b" => "/loop/a",
            "/loop/self" => "/loop/self",
            "/away" => return Some(Answer::redirect(302, &format!("{}/", self.other))),
            "/odd/none" => return Some(Answer::status(302)),
            "/odd/empty" => "",
            "/odd/bad" => "http://[not-an-address/",
            "/odd/file" => "file:///etc/hostname",
            "/odd/mail" => "mailto:nobody@example.org",
            "/" => {
                return Some(Page::new("Redirects").says("Every link leads elsewhere.").links(self.links()).answer());
            }
            _ if path.starts_with("/loop/grow") => return Some(Answer::redirect(302, &format!("{path}x"))),
            _ => return None,
        };
        Some(Answer::redirect(302, to))
    }
}

impl Web for Redirects {
    fn answer(&self, ask: &Ask) -> Answer {
        self.page(&ask.path).unwrap_or_else(|| Answer::status(404))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::resolve;

    /// Follows redirects on the site; gives the hops taken and the last answer.
    fn follow(start: &str) -> (usize, String, Answer) {
        let (mut hops, mut path) = (0, start.to_owned());
        loop {
            let answer = Redirects::default().answer(&Ask::get(&path));
            match answer.header("location").and_then(|to| resolve(&path, to)) {
                Some(to) if hops < 50 => (hops, path) = (hops + 1, to),
                _ => return (hops, path, answer),
            }
        }
    }

    #[test]
    fn chains_are_as_long_as_they_say() {
        for n in Redirects::CHAINS {
            let (hops, path, answer) = follow(&format!("/chain/{n}/0"));
            assert_eq!((hops, path, answer.status), (n, format!("/chain/{n}/{n}"), 200));
        }
        assert_eq!(Redirects::default().answer(&Ask::get("/chain/3/4")).status, 404);
    }

    #[test]
    fn loops_do_not_end_and_others_land() {
        for path in ["/loop/a", "/loop/b", "/loop/self", "/loop/grow"] {
            assert_eq!(follow(path).0, 50, "{path}");
        }
        for path in ["/relative/x", "/fragment", "/code/301", "/code/308"] {
            assert_eq!((follow(path).0, follow(path).2.status), (1, 200), "{path}");
        }
    }

    #[test]
    fn every_link_is_a_redirect() {
        for path in Redirects::default().links() {
            let answer = Redirects::default().answer(&Ask::get(&path));
            assert!((300..400).contains(&answer.status), "{path}");
        }
    }
}
