//! What shows that a login is lost, or that it worked? A status, a URL, an id of the page, a text on it.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::page::Form;
use groma_model::{Limits, Outcome, ParsedPage, Response};
use groma_page::charset;
use groma_page::inflate::{inflate, true_coding};
use groma_page::{Input, filter_for};
use groma_url::Url;

use super::Login;

/// Something to be seen in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The answer has this status.
    Status(u16),
    /// This URL, where it was asked for or where it redirects to; a path is one of the site.
    Address(String),
    /// An element of the page with this id (`#id`).
    Id(String),
    /// This text on the page, whatever the case of its letters.
    Text(String),
}

/// A sign that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a status (403), a URL or path (/login), an id (#user) or a text is expected")]
pub struct SignError;

impl FromStr for Sign {
    type Err = SignError;

    fn from_str(text: &str) -> Result<Sign, SignError> {
        let text = text.trim();
        match text {
            "" => Err(SignError),
            _ if text.len() == 3 && text.bytes().all(|b| b.is_ascii_digit()) => {
                text.parse().ok().filter(|status| (100..600).contains(status)).map(Sign::Status).ok_or(SignError)
            }
            _ if text.starts_with('/') || text.starts_with("http://") || text.starts_with("https://") => {
                Ok(Sign::Address(text.to_owned()))
            }
            _ => match text.strip_prefix('#') {
                Some(id) if !id.is_empty() && !id.contains(char::is_whitespace) => Ok(Sign::Id(id.to_owned())),
                _ => Ok(Sign::Text(folded(text))),
            },
        }
    }
}

/// The signs of one login.
pub(super) struct Signs {
    page: Url,
    lost: Vec<Sign>,
    fields: Vec<String>,
    limits: Limits,
    /// The form on a page means nothing: it is there for those who are logged in too.
    form_stays: AtomicBool,
}

impl Signs {
    pub(super) fn new(login: &Login, limits: &Limits) -> Signs {
        Signs {
            page: login.page.clone(),
            lost: login.lost.clone(),
            fields: login.fields.iter().map(|field| field.name.clone()).collect(),
            limits: limits.clone(),
            form_stays: AtomicBool::new(false),
        }
    }

    /// Does the answer for `url` look as if the login were lost?
    pub(super) fn lost(&self, url: &Url, outcome: &Outcome) -> bool {
        let Outcome::Answer(answer) = outcome else { return false };
        // The login page is what it is.
        if is_at(url, &self.page) {
            return false;
        }
        let to = answer.location().and_then(|place| url.join(place.trim()).ok());
        if answer.status == 401 || to.as_ref().is_some_and(|to| is_at(to, &self.page)) {
            return true;
        }
        let page = self.read(url, answer, false);
        let shown = |sign: &Sign| self.shows(sign, to.as_ref(), answer, page.as_ref());
        self.shows_form(page.as_ref()) || self.lost.iter().any(shown)
    }

    /// Does the answer for `url` show somebody who is logged in?
    pub(super) fn is_in(&self, login: &Login, url: &Url, outcome: &Outcome) -> bool {
        let Outcome::Answer(answer) = outcome else { return false };
        let page = self.read(url, answer, true);
        let form = has_form(page.as_ref(), &self.fields);
        match &login.done {
            Some(sign) => {
                let done = self.shows(sign, Some(url), answer, page.as_ref());
                if done && form {
                    self.form_stays.store(true, Ordering::Relaxed);
                }
                done
            }
            None => {
                let to = answer.location().and_then(|place| url.join(place.trim()).ok());
                answer.status < 400 && !form && !to.is_some_and(|to| is_at(&to, &self.page))
            }
        }
    }

    /// Reads an answer as a page, if it is one; where it is not wanted in any case, only if it could show anything.
    pub(super) fn read(&self, url: &Url, answer: &Response, wanted: bool) -> Option<ParsedPage> {
        // What is read in a process of its own is no page that somebody logs in on.
        let filter = filter_for(&answer.media_type()).filter(|filter| !filter.apart())?;
        let coding = true_coding(answer.header("content-encoding").unwrap_or_default(), &answer.body);
        let body = inflate(answer.body.clone(), coding, self.limits.page_bytes);
        let text_wanted = self.lost.iter().any(|sign| matches!(sign, Sign::Id(_) | Sign::Text(_)));
        // Reading costs as much as the crawl's own reading: only where there could be something to see.
        let worth = wanted || text_wanted || self.fields.iter().any(|name| holds(&body.bytes, name.as_bytes()));
        let charset = answer.header("content-type").and_then(charset::of_content_type);
        worth.then(|| {
            filter.read(&Input {
                bytes: &body.bytes,
                url,
                charset: charset.as_deref(),
                limits: &self.limits,
                parts: false,
            })
        })
    }

    fn shows_form(&self, page: Option<&ParsedPage>) -> bool {
        !self.form_stays.load(Ordering::Relaxed) && has_form(page, &self.fields)
    }

    fn shows(&self, sign: &Sign, at: Option<&Url>, answer: &Response, page: Option<&ParsedPage>) -> bool {
        match sign {
            Sign::Status(status) => answer.status == *status,
            Sign::Address(address) => {
                let wanted = self.page.join(address).ok();
                wanted.is_some_and(|wanted| at.is_some_and(|at| is_at(at, &wanted)))
            }
            Sign::Id(id) => page.is_some_and(|page| page.anchors.iter().any(|anchor| anchor == id)),
            Sign::Text(text) => page.is_some_and(|page| {
                let all: Vec<&str> = page.blocks.iter().map(|block| block.text.as_str()).collect();
                folded(&all.join(" ")).contains(text)
            }),
        }
    }
}

/// The form of a page that has all these fields, a password among those it has.
fn has_form(page: Option<&ParsedPage>, fields: &[String]) -> bool {
    page.is_some_and(|page| {
        let asks = |form: &&Form| form.fields.iter().any(|field| field.kind == "password");
        page.forms.iter().filter(asks).any(|form| has_fields(form, fields))
    })
}

/// Has a form all these fields?
pub(super) fn has_fields(form: &Form, fields: &[String]) -> bool {
    fields.iter().all(|name| form.fields.iter().any(|field| field.name == *name))
}

/// The same place, whatever the query?
fn is_at(url: &Url, place: &Url) -> bool {
    url.origin() == place.origin() && url.path().trim_end_matches('/') == place.path().trim_end_matches('/')
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_told_by_how_they_are_written() {
        let read = |text: &str| text.parse::<Sign>();
        assert_eq!(read("403"), Ok(Sign::Status(403)));
        assert_eq!(read("/login"), Ok(Sign::Address("/login".into())));
        assert_eq!(read("https://a.example/x"), Ok(Sign::Address("https://a.example/x".into())));
        assert_eq!(read("#user"), Ok(Sign::Id("user".into())));
        assert_eq!(read(" Please  Log in"), Ok(Sign::Text("please log in".into())));
        assert_eq!(read("# a"), Ok(Sign::Text("# a".into())));
        for bad in ["", "  ", "999", "099"] {
            assert_eq!(read(bad), Err(SignError), "{bad:?}");
        }
    }

    #[test]
    fn a_place_is_the_same_whatever_its_query() {
        let at = |one: &str, other: &str| is_at(&Url::parse(one).unwrap(), &Url::parse(other).unwrap());
        assert!(at("http://a.example/login?next=/x", "http://a.example/login/"));
        assert!(!at("https://a.example/login", "http://a.example/login"));
        assert!(!at("http://a.example/login2", "http://a.example/login"));
    }
}
