//! A site for members: a form to log in, sessions that end, links that end them.
//!
//! Truth: `/` is for everybody and links to `/members/0.html`, to `/login` and to `/open.html`. [`Members::pages`] pages
//! `/members/i.html` are for members, each linking to `2i + 1` and `2i + 2` and to both ways out: `/logout` and `/way/17`, whose link
//! says "Log out". `/members/closed.html`, linked from the first, answers 403 to everybody. Who is no member gets what
//! [`Members::refuses`] says: a redirect to `/login?next=...`, a status, or the form in place of the page.
//!
//! The form at `/login` (user [`Members::USER`], password [`Members::PASSWORD`]) holds a token that is good for one attempt of the
//! browser that fetched it (a cookie says which), a place to return to, and a box nobody has to tick; another form, a search,
//! stands before it. A session is good for [`Members::lasts`] requests of members' pages. The site counts what was done to it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::number_in;
use crate::prose::{Page, word, words};
use crate::{Answer, Ask, Web};

/// What those get who are not logged in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refuses {
    /// A redirect to the form.
    #[default]
    ByRedirect,
    /// An error with this status.
    ByStatus(u16),
    /// The form, with status 200.
    ByForm,
}

#[derive(Clone, Debug)]
pub struct Members {
    /// How many pages there are for members.
    pub pages: usize,
    /// How many requests a session lasts; nothing: for ever.
    pub lasts: Option<u64>,
    /// What visitors get who are not logged in.
    pub refuses: Refuses,
    /// Where the form leads, if not to the site itself.
    pub action: String,
    /// What it remembers; copies of a site share it.
    pub memory: Memory,
}

/// What a site remembers.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<State>>);

/// What was done to the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Logins that succeeded.
    pub logins: u64,
    /// Attempts that were refused.
    pub refused: u64,
    /// Sessions that were ended by a link.
    pub logouts: u64,
}

#[derive(Debug, Default)]
struct State {
    made: u64,
    /// Tokens by browser.
    tokens: HashMap<String, String>,
    /// Requests left by session.
    sessions: HashMap<String, Option<u64>>,
    done: Done,
}

impl Default for Members {
    fn default() -> Self {
        Members {
            pages: 20,
            lasts: None,
            refuses: Refuses::ByRedirect,
            action: "/login".into(),
            memory: Memory::default(),
        }
    }
}

impl Members {
    /// The only user.
    pub const USER: &'static str = "jana";
    /// Password of the only user.
    pub const PASSWORD: &'static str = "swordfish&7=%";

    /// What was done so far.
    pub fn done(&self) -> Done {
        self.state().done
    }

    /// Ends all sessions.
    pub fn forget_sessions(&self) {
        self.state().sessions.clear();
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.memory.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn form(&self, next: &str) -> Answer {
        let mut state = self.state();
        state.made += 1;
        let (browser, token) = (format!("b{}", state.made), format!("t{:x}", state.made.wrapping_mul(0x9e37_79b9)));
        state.tokens.insert(browser.clone(), token.clone());
        let body = format!(
            "<title>Log in</title><h1>Log in</h1><form action='/search'><input name='q'></form>\
             <form method='post' action='{}'><input type='hidden' name='csrf' value='{token}'>\
             <input type='hidden' name='next' value='{next}'><input name='user'><input type='password' name='pass'>\
             <input type='checkbox' name='remember' value='1'><button name='go' value='in'>Enter</button></form>",
            self.action
        );
        Answer::html(body).with_header("Set-Cookie", &format!("browser={browser}; Path=/; HttpOnly"))
    }

    fn enter(&self, ask: &Ask) -> Answer {
        let text = String::from_utf8_lossy(&ask.body).into_owned();
        let sent: HashMap<String, String> = text.split('&').filter_map(|p| p.split_once('=')).map(both).collect();
        let is = |name: &str, value: &str| sent.get(name).is_some_and(|sent| sent == value);
        let mut state = self.state();
        let token = cookie(ask, "browser").and_then(|browser| state.tokens.remove(browser));
        let fine = token.is_some_and(|token| is("csrf", &token))
            && is("user", Members::USER)
            && is("pass", Members::PASSWORD)
            && is("go", "in")
            && !sent.contains_key("remember");
        if !fine {
            state.done.refused += 1;
            drop(state);
            return self.form("");
        }
        state.made += 1;
        state.done.logins += 1;
        let session = format!("s{}", state.made);
        state.sessions.insert(session.clone(), self.lasts);
        let next = sent.get("next").filter(|next| next.starts_with('/')).map_or("/members/0.html", String::as_str);
        Answer::redirect(303, next).with_header("Set-Cookie", &format!("sid={session}; Path=/; HttpOnly"))
    }

    /// Is this one of us, once more?
    fn is_member(&self, ask: &Ask) -> bool {
        let mut state = self.state();
        let Some(left) = cookie(ask, "sid").and_then(|sid| state.sessions.get_mut(sid)) else { return false };
        match left {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }

    fn refused(&self, ask: &Ask) -> Answer {
        match self.refuses {
            Refuses::ByRedirect => Answer::redirect(302, &format!("/login?next={}", ask.bare_path())),
            Refuses::ByStatus(status) => Answer::status(status),
            Refuses::ByForm => self.form(ask.bare_path()),
        }
    }

    fn end(&self, ask: &Ask) -> Answer {
        let mut state = self.state();
        if cookie(ask, "sid").is_some_and(|sid| state.sessions.remove(sid).is_some()) {
            state.done.logouts += 1;
        }
        Answer::redirect(302, "/")
    }
}

impl Web for Members {
    fn answer(&self, ask: &Ask) -> Answer {
        let path = ask.bare_path();
        match path {
            "/" => {
                let links = ["/members/0.html", "/login", "/open.html"].map(str::to_owned);
                return Page::new("Club").says("Everybody may read this.").links(links).answer();
            }
            "/open.html" => return Page::new("Open").says(&words(1, 40)).answer(),
            "/login" if ask.method == "POST" => return self.enter(ask),
            "/login" => return self.form(ask.param("next").unwrap_or("")),
            "/logout" | "/way/17" => return self.end(ask),
            _ => {}
        }
        if path == "/members/closed.html" {
            return Answer::status(403);
        }
        let Some(i) = number_in(path, "/members/", ".html").filter(|i| *i < self.pages) else {
            return Answer::status(404);
        };
        if !self.is_member(ask) {
            return self.refused(ask);
        }
        let below: String = (2 * i + 1..=2 * i + 2)
            .filter(|page| *page < self.pages)
            .map(|page| format!("<a href='/members/{page}.html'>page {page}</a> "))
            .collect();
        let closed = if i == 0 { "<a href='/members/closed.html'>closed</a>" } else { "" };
        Answer::html(format!(
            "<title>Member page {i}</title><p id='inside'>{} {}</p><p>{below}{closed}</p>\
             <a href='/logout'>bye</a> <a href='/way/17'>Log out</a>",
            word(i as u64 + 512),
            words(i as u64, 40)
        ))
    }
}

fn cookie<'a>(ask: &'a Ask, name: &str) -> Option<&'a str> {
    let pairs = ask.header("cookie").unwrap_or_default().split(';');
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(n, _)| *n == name).map(|(_, value)| value)
}

/// A name and a value out of what a form sent.
fn both((name, value): (&str, &str)) -> (String, String) {
    (plain(name), plain(value))
}

fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits: Vec<u8> = rest.by_ref().take(2).collect();
                let digits = String::from_utf8_lossy(&digits).into_owned();
                bytes.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_cookie(answer: &Answer) -> String {
        answer.header("set-cookie").and_then(|c| c.split(';').next()).unwrap_or_default().to_owned()
    }

    fn log_in(site: &Members, password: &str) -> Answer {
        let form = site.answer(&Ask::get("/login?next=/members/3.html"));
        let body = String::from_utf8(form.body.clone()).unwrap();
        let token = body.split("name='csrf' value='").nth(1).and_then(|t| t.split('\'').next()).unwrap();
        let data = format!("csrf={token}&next=%2Fmembers%2F3.html&user=jana&pass={password}&go=in");
        site.answer(&Ask::post("/login", &data).with_header("cookie", &set_cookie(&form)))
    }

    #[test]
    fn members_enter_with_token_and_password_and_sessions_end() {
        let site = Members { lasts: Some(2), ..Members::default() };
        assert_eq!(site.answer(&Ask::get("/members/0.html")).status, 302);
        assert_eq!(log_in(&site, "wrong").status, 200);
        let entered = log_in(&site, "swordfish%267%3D%25");
        assert_eq!((entered.status, entered.header("location")), (303, Some("/members/3.html")));
        let session = set_cookie(&entered);
        let ask = |path: &str| site.answer(&Ask::get(path).with_header("cookie", &session)).status;
        assert_eq!([ask("/members/0.html"), ask("/members/1.html"), ask("/members/2.html")], [200, 200, 302]);
        assert_eq!(ask("/logout"), 302);
        assert_eq!(site.done(), Done { logins: 1, refused: 1, logouts: 1 });
    }
}
