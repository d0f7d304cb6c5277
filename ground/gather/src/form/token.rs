//! Which hidden values are made for one visit? Those that differ between two fetches of the same form.
//!
//! A token of an earlier visit is refused or spoils the answer, so it is replaced by that of a fresh page before a request
//! is sent, and left out of what says whether two requests are the same question ([`key`](super::key)).
//! Not guaranteed: a token that changes seldom (once an hour) looks like any hidden value in two fetches of one minute; its
//! name may give it away, and those names are counted as tokens, too.

use super::{Form, Kind};

/// Beginnings and parts of names that frameworks give their tokens; folded to lower case, without `_` and `-`.
const NAMES: [&str; 14] = [
    "csrf",
    "xsrf",
    "authenticitytoken",
    "requestverificationtoken",
    "viewstate",
    "eventvalidation",
    "formbuildid",
    "formtoken",
    "nonce",
    "sessionid",
    "phpsessid",
    "jsessionid",
    "sesskey",
    "onetime",
];

/// The names of hidden fields whose values are tokens: different in the two forms, in one of them only, or called like one.
pub fn tokens(first: &Form, second: &Form) -> Vec<String> {
    let values = |form: &Form, name: &str| -> Vec<String> {
        let hidden = form.fields.iter().filter(|field| field.kind == Kind::Hidden && field.name == name);
        hidden.map(|field| field.default.clone()).collect()
    };
    let mut names: Vec<String> = Vec::new();
    for field in first.fields.iter().chain(&second.fields) {
        if field.kind == Kind::Hidden && !field.name.is_empty() && !names.contains(&field.name) {
            names.push(field.name.clone());
        }
    }
    names.retain(|name| is_called_token(name) || values(first, name) != values(second, name));
    names
}

fn is_called_token(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    plain == "token" || NAMES.iter().any(|known| plain.contains(known))
}

/// A data set with the tokens of a fresh form in place of its own.
pub fn refreshed(set: &[(String, String)], fresh: &Form, tokens: &[String]) -> Vec<(String, String)> {
    let mut set = set.to_vec();
    for token in tokens {
        let hidden = fresh.fields.iter().filter(|field| field.kind == Kind::Hidden && field.name == *token);
        let mut values = hidden.map(|field| field.default.clone());
        let mut known = false;
        for (_, value) in set.iter_mut().filter(|(name, _)| name == token) {
            known = true;
            if let Some(fresh) = values.next() {
                *value = fresh;
            }
        }
        if !known && let Some(value) = values.next() {
            set.push((token.clone(), value));
        }
    }
    set
}
