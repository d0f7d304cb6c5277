//! Who may ask? Tokens, sessions, pace; and the log of what was asked.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use groma_testweb::prose::{hash, mix};
use groma_testweb::{Answer, Ask};

use crate::data_set::Pairs;
use crate::options::Options;

/// The hidden element of the token.
pub(crate) const TOKEN: &str = "csrf_token";

/// The cookie of the session.
const COOKIE: &str = "sid";

/// A question that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The method of the request.
    pub method: String,
    /// Names and values that asked for something, in the order of the form.
    pub question: Vec<(String, String)>,
    /// Which page of the list, from 1.
    pub page: usize,
    /// How many rows there are for the question, whatever the page said.
    pub total: usize,
    /// How many rows the page showed.
    pub shown: usize,
}

#[derive(Default)]
struct State {
    issued: u64,
    /// Which question a token was used for.
    used: HashMap<u64, u64>,
    log: Vec<Asked>,
    was_busy: bool,
}

/// The gate of a site.
pub(crate) struct Gate {
    seed: u64,
    tokens: bool,
    session: bool,
    busy: u64,
    state: Mutex<State>,
}

impl Gate {
    pub(crate) fn new(options: &Options) -> Gate {
        Gate {
            seed: mix(options.seed, hash("gate")),
            tokens: options.tokens,
            session: options.session,
            busy: u64::from(options.busy),
            state: Mutex::default(),
        }
    }

    fn state<T>(&self, with: impl FnOnce(&mut State) -> T) -> T {
        with(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// An answer that says "later", now and then; never twice in a row, and never for robots.txt.
    pub(crate) fn later(&self, ask: &Ask) -> Option<Answer> {
        if self.busy == 0 || ask.path == "/robots.txt" {
            return None;
        }
        let struck = mix(self.seed, ask.serial) % 100 < self.busy;
        let now = self.state(|state| {
            state.was_busy = struck && !state.was_busy;
            state.was_busy
        });
        now.then(|| Answer::status(429).with_header("Retry-After", "1"))
    }

    /// What a page with a form carries: a fresh token for its hidden element, if there are tokens.
    pub(crate) fn token(&self) -> Option<String> {
        self.tokens.then(|| self.issue())
    }

    /// The same answer with the cookie of a session, if there are sessions.
    pub(crate) fn with_cookie(&self, answer: Answer) -> Answer {
        if !self.session {
            return answer;
        }
        answer.with_header("Set-Cookie", &format!("{COOKIE}={}; Path=/; HttpOnly", self.issue()))
    }

    fn issue(&self) -> String {
        let number = self.state(|state| {
            state.issued += 1;
            state.issued
        });
        self.spelt(number)
    }

    fn spelt(&self, number: u64) -> String {
        format!("{number:x}-{:016x}", mix(self.seed, number ^ (1 << 63)))
    }

    fn number(&self, token: &str) -> Option<u64> {
        let number = u64::from_str_radix(token.split('-').next()?, 16).ok()?;
        let known = self.state(|state| (1..=state.issued).contains(&number));
        (known && self.spelt(number) == token).then_some(number)
    }

    /// Whether a question may be asked: with a token that was used for no other question, and within a session.
    pub(crate) fn admits(&self, ask: &Ask, pairs: &Pairs, question: &Pairs) -> bool {
        if self.session {
            let cookies = ask.headers.iter().filter(|(name, _)| name == "cookie").flat_map(|(_, v)| v.split(';'));
            let mut ours = cookies.filter_map(|pair| pair.trim().split_once('=')).filter(|(name, _)| *name == COOKIE);
            if !ours.any(|(_, value)| self.number(value).is_some()) {
                return false;
            }
        }
        if !self.tokens {
            return true;
        }
        let token = pairs.iter().rev().find(|(name, _)| name == TOKEN);
        let Some(number) = token.and_then(|(_, token)| self.number(token)) else { return false };
        let question = hash(&format!("{question:?}"));
        self.state(|state| *state.used.entry(number).or_insert(question) == question)
    }

    /// Notes a question that was answered.
    pub(crate) fn note(&self, asked: Asked) {
        self.state(|state| state.log.push(asked));
    }

    /// All that were answered.
    pub(crate) fn log(&self) -> Vec<Asked> {
        self.state(|state| state.log.clone())
    }
}
