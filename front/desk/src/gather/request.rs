//! What is asked: which database, how it is described, how far it may go. As words, so that a job, a form and a command line can
//! all say it.

use std::collections::BTreeMap;

use groma_strategy::forms::How;

use crate::{Fault, words};

/// Bytes of a description.
pub(super) const DESCRIPTION_BYTES: usize = 1 << 18;
/// Requests at most: whoever wants more should ask the keeper of the database for a copy.
const MOST_REQUESTS: u64 = 1_000_000;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The page of the form, or the document that leads to the database.
    pub address: String,
    /// What the user knows about it: lines `DB.Name: value`.
    pub description: String,
    /// Which form of the page: its number from 1, id or name; empty: the one that looks most like a search.
    pub form: String,
    /// How it is asked.
    pub how: How,
    /// A form that posts may be sent though its page does not describe it.
    pub post: bool,
    /// Most requests; nothing: as many as it takes.
    pub budget: Option<u64>,
    /// Plan only: ask no more than it takes to say what it would cost.
    pub plan: bool,
}

/// The words that are understood.
const KEYS: [&str; 7] = ["address", "description", "form", "how", "post", "budget", "plan"];

impl Request {
    /// Reads what was asked: words by their keys. What is not said is as usual.
    pub fn of(said: &BTreeMap<String, String>) -> Result<Request, Fault> {
        if let Some(key) = said.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(Fault::new(words::no_such_gather_key(key), words::one_of(&KEYS)));
        }
        let get = |key: &str| said.get(key).map(|text| text.trim()).filter(|text| !text.is_empty());
        let flag = |key: &str| match get(key) {
            None | Some("no") => Ok(false),
            Some("yes") => Ok(true),
            Some(text) => Err(Fault::new(words::bad_gather_word(key, text), words::one_of(&["yes", "no"]))),
        };
        let description = get("description").unwrap_or_default();
        if description.len() > DESCRIPTION_BYTES {
            return Err(Fault::new(words::DESCRIPTION_TOO_LONG, words::topic_at_most(DESCRIPTION_BYTES)));
        }
        let how = match get("how") {
            None => How::default(),
            Some(name) => How::of(name).ok_or_else(|| {
                Fault::new(words::bad_gather_word("how", name), words::one_of(&How::ALL.map(How::name)))
            })?,
        };
        let budget = get("budget").map(|text| {
            let read = text.parse::<u64>().ok().filter(|number| (1..=MOST_REQUESTS).contains(number));
            read.ok_or_else(|| {
                Fault::new(words::bad_gather_word("budget", text), words::number_up_to(MOST_REQUESTS as u32))
            })
        });
        let address = get("address").ok_or_else(|| Fault::new(words::NO_DATABASE, words::NO_DATABASE_HINT))?;
        Ok(Request {
            address: address.to_owned(),
            description: description.to_owned(),
            form: get("form").unwrap_or_default().to_owned(),
            how,
            post: flag("post")?,
            budget: budget.transpose()?,
            plan: flag("plan")?,
        })
    }

    /// The same as words: [`Request::of`] reads them.
    pub fn words(&self) -> BTreeMap<String, String> {
        let mut said = BTreeMap::from([("address".to_owned(), self.address.clone())]);
        let mut say = |key: &str, text: &str| {
            if !text.is_empty() {
                said.insert(key.to_owned(), text.to_owned());
            }
        };
        say("description", &self.description);
        say("form", &self.form);
        say("how", self.how.name());
        say("post", if self.post { "yes" } else { "" });
        say("budget", &self.budget.map(|most| most.to_string()).unwrap_or_default());
        say("plan", if self.plan { "yes" } else { "" });
        said
    }

    /// All that makes it this gathering and no other: everything but how far it goes.
    pub(super) fn key(&self) -> String {
        let mut said = self.words();
        said.remove("budget");
        said.remove("plan");
        serde_json::to_string(&said).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn what_is_said_comes_back_as_it_was_meant() {
        for words in [
            said(&[("address", "http://a/")]),
            said(&[("address", "http://a/"), ("description", "DB.QueryElement: x"), ("form", "2"), ("post", "yes")]),
            said(&[("address", "http://a/"), ("how", "paper"), ("budget", "7"), ("plan", "yes")]),
        ] {
            let request = Request::of(&words).unwrap();
            assert_eq!(Request::of(&request.words()).unwrap(), request, "{words:?}");
        }
        let all = Request::of(&said(&[("address", "http://a/")])).unwrap();
        let some = Request::of(&said(&[("address", "http://a/"), ("budget", "7")])).unwrap();
        assert_eq!(all.key(), some.key(), "how far it goes does not make it another gathering");
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_hint() {
        for (key, text) in [
            ("budget", "0"),
            ("budget", "many"),
            ("how", "magic"),
            ("post", "perhaps"),
            ("colour", "red"),
            ("plan", "1"),
        ] {
            let fault = Request::of(&said(&[("address", "http://a/"), (key, text)])).unwrap_err();
            assert!(!fault.says.is_empty() && fault.hint.len() > 5, "{key}={text}: {fault:?}");
        }
        assert!(Request::of(&said(&[("address", " ")])).is_err());
    }
}
