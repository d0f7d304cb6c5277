//! Who may ask a drawn site, and when does it answer with something that is no answer?

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use groma_testweb::prose::{hash, mix};
use groma_testweb::{Answer, Ask};

use crate::data_set::Pairs;
use crate::drawn::habits::{Habits, Nuisance, Tokens};

/// The hidden element of the token.
pub(crate) const TOKEN: &str = "authenticity_token";

const COOKIE: &str = "sessionid";

/// Of a thousand questions, so many are answered with something else where a site has that habit.
const NUISANCES: u64 = 30;

#[derive(Default)]
struct State {
    issued: u64,
    /// The token of each session.
    sessions: HashMap<String, String>,
    /// Which question a token of a form was used for.
    used: HashMap<String, u64>,
    questions: u64,
    was_nuisance: bool,
}

/// The door of a site.
pub(crate) struct Door {
    seed: u64,
    tokens: Tokens,
    nuisance: Option<Nuisance>,
    state: Mutex<State>,
}

impl Door {
    pub(crate) fn new(seed: u64, habits: &Habits) -> Door {
        Door {
            seed: mix(seed, hash("door")),
            tokens: habits.tokens,
            nuisance: habits.nuisance,
            state: Mutex::default(),
        }
    }

    fn state<T>(&self, with: impl FnOnce(&mut State) -> T) -> T {
        with(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn issue(&self, state: &mut State) -> String {
        state.issued += 1;
        format!("{:016x}", mix(self.seed, state.issued))
    }

    /// A token for a form that is fetched, and the session if it begins here.
    pub(crate) fn admit(&self, ask: &Ask) -> (Option<String>, Option<String>) {
        match self.tokens {
            Tokens::None => (None, None),
            Tokens::Form => (Some(self.state(|state| self.issue(state))), None),
            Tokens::Session => self.state(|state| {
                let known = session(ask).filter(|session| state.sessions.contains_key(session));
                let begun = known.is_none();
                let session = known.unwrap_or_else(|| self.issue(state));
                let token = self.issue(state);
                state.sessions.insert(session.clone(), token.clone());
                (Some(token), begun.then_some(session))
            }),
        }
    }

    /// The answer with the cookie of a session.
    pub(crate) fn with_session(answer: Answer, session: Option<&str>) -> Answer {
        match session {
            Some(session) => answer.with_header("Set-Cookie", &format!("{COOKIE}={session}; Path=/; HttpOnly")),
            None => answer,
        }
    }

    /// Whether a question comes with what it needs.
    pub(crate) fn is_open(&self, ask: &Ask, pairs: &Pairs, question: &Pairs) -> bool {
        let token = pairs.iter().rev().find(|(name, _)| name == TOKEN).map(|(_, token)| token.clone());
        match self.tokens {
            Tokens::None => true,
            Tokens::Form => {
                let Some(token) = token else { return false };
                let question = hash(&format!("{question:?}"));
                self.state(|state| {
                    let ours = (1..=state.issued).any(|nth| format!("{:016x}", mix(self.seed, nth)) == token);
                    ours && *state.used.entry(token).or_insert(question) == question
                })
            }
            Tokens::Session => {
                let session = session(ask);
                self.state(|state| {
                    session
                        .and_then(|session| state.sessions.get(&session).cloned())
                        .is_some_and(|own| Some(own) == token)
                })
            }
        }
    }

    /// What comes instead of the answer to a question, now and then; never twice in a row.
    pub(crate) fn nuisance(&self) -> Option<Nuisance> {
        let nuisance = self.nuisance?;
        let now = self.state(|state| {
            state.questions += 1;
            let struck = mix(self.seed, state.questions << 32) % 1000 < NUISANCES;
            state.was_nuisance = struck && !state.was_nuisance;
            state.was_nuisance
        });
        now.then_some(nuisance)
    }
}

/// The session that a request belongs to.
fn session(ask: &Ask) -> Option<String> {
    let cookies = ask.headers.iter().filter(|(name, _)| name == "cookie").flat_map(|(_, value)| value.split(';'));
    let mut ours = cookies.filter_map(|pair| pair.trim().split_once('=')).filter(|(name, _)| *name == COOKIE);
    ours.next().map(|(_, value)| value.to_owned())
}
