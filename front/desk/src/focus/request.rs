//! What is asked: which topic, from where, by which strategy, how many pages. As words, so that a job, a form and a command line can all say it.

use std::collections::BTreeMap;

use groma_strategy::focus::Which;

use crate::{Fault, words};

/// Pages fetched if nobody says how many.
pub const PAGES: u32 = 1_000;
/// Pages fetched at most: a focused crawl that wants more is a crawl.
const MOST_PAGES: u32 = 10_000_000;
/// Bytes of a topic.
const TOPIC_BYTES: usize = 1 << 18;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// A few words.
    Words(String),
    /// What a text is about.
    Text {
        /// What the text is called.
        name: String,
        /// The text.
        text: String,
    },
    /// What these pages are about: addresses.
    Pages(Vec<String>),
}

impl About {
    /// What people call the topic.
    pub fn name(&self) -> String {
        match self {
            About::Words(words) => words.clone(),
            About::Text { name, .. } => name.clone(),
            About::Pages(pages) => words::like_pages(pages),
        }
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What is looked for.
    pub about: About,
    /// Where it starts, as somebody typed it; empty: where the survey did.
    pub seeds: Vec<String>,
    /// By which strategy.
    pub strategy: Which,
    /// Pages to fetch.
    pub pages: u32,
    /// Pages of any type may be relevant, not only articles.
    pub any_type: bool,
    /// R from which on a page is about the topic; nothing: by its words.
    pub threshold: Option<f64>,
    /// Pages asked for at a time; nothing: as usual.
    pub batch: Option<usize>,
}

/// The words that are understood.
const KEYS: [&str; 10] =
    ["topic", "text", "name", "like", "seeds", "strategy", "pages", "any-type", "threshold", "batch"];

impl Request {
    /// Reads what was asked: words by their keys. What is not said is as usual.
    pub fn of(said: &BTreeMap<String, String>) -> Result<Request, Fault> {
        if let Some(key) = said.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(Fault::new(words::no_such_focus_key(key), words::one_of(&KEYS)));
        }
        let get = |key: &str| said.get(key).map(|text| text.trim()).filter(|text| !text.is_empty());
        let lines = |key: &str| get(key).into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect();
        let about = match (get("topic"), get("text"), get("like")) {
            (Some(words), None, None) => About::Words(words.to_owned()),
            (None, Some(text), None) => {
                About::Text { name: get("name").unwrap_or(words::A_TEXT).to_owned(), text: text.to_owned() }
            }
            (None, None, Some(_)) => About::Pages(lines("like")),
            (None, None, None) => return Err(Fault::new(words::NO_TOPIC, words::NO_TOPIC_HINT)),
            _ => return Err(Fault::new(words::SEVERAL_TOPICS, words::NO_TOPIC_HINT)),
        };
        let size = get("topic").or(get("text")).map_or(0, str::len);
        if size > TOPIC_BYTES {
            return Err(Fault::new(words::TOPIC_TOO_LONG, words::topic_at_most(TOPIC_BYTES)));
        }
        let strategy = match get("strategy") {
            None => Which::default(),
            Some(name) => Which::of(name).ok_or_else(|| {
                Fault::new(words::no_such_strategy(name), words::one_of(&Which::ALL.map(Which::name)))
            })?,
        };
        let any_type = match get("any-type") {
            None | Some("no") => false,
            Some("yes") => true,
            Some(text) => return Err(bad("any-type", text, &words::one_of(&["yes", "no"]))),
        };
        let threshold = get("threshold").map(|text| {
            let read = text.parse::<f64>().ok().filter(|n| (0.0..=1.0).contains(n));
            read.ok_or_else(|| bad("threshold", text, words::SHARE_HINT))
        });
        let batch = get("batch").map(|text| whole("batch", text, 1_000).map(|batch| batch as usize));
        Ok(Request {
            about,
            seeds: lines("seeds"),
            strategy,
            pages: get("pages").map_or(Ok(PAGES), |text| whole("pages", text, MOST_PAGES))?,
            any_type,
            threshold: threshold.transpose()?,
            batch: batch.transpose()?,
        })
    }

    /// The same as words: [`Request::of`] reads them.
    pub fn words(&self) -> BTreeMap<String, String> {
        let mut said = BTreeMap::new();
        let mut say = |key: &str, text: String| said.insert(key.to_owned(), text);
        match &self.about {
            About::Words(words) => drop(say("topic", words.clone())),
            About::Text { name, text } => {
                say("text", text.clone());
                say("name", name.clone());
            }
            About::Pages(pages) => drop(say("like", pages.join("\n"))),
        }
        if !self.seeds.is_empty() {
            say("seeds", self.seeds.join("\n"));
        }
        say("strategy", self.strategy.name().to_owned());
        say("pages", self.pages.to_string());
        if self.any_type {
            say("any-type", "yes".to_owned());
        }
        if let Some(threshold) = self.threshold {
            say("threshold", threshold.to_string());
        }
        if let Some(batch) = self.batch {
            say("batch", batch.to_string());
        }
        said
    }

    /// All that makes it this crawl and no other: everything but how far it goes.
    pub(super) fn key(&self) -> String {
        let mut said = self.words();
        said.remove("pages");
        serde_json::to_string(&said).unwrap_or_default()
    }
}

fn bad(key: &str, text: &str, hint: &str) -> Fault {
    Fault::new(words::bad_focus_number(key, text), hint)
}

fn whole(key: &str, text: &str, most: u32) -> Result<u32, Fault> {
    let read = text.parse::<u32>().ok().filter(|number| (1..=most).contains(number));
    read.ok_or_else(|| bad(key, text, &words::number_up_to(most)))
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
            said(&[("topic", "machine translation")]),
            said(&[("text", "a long text"), ("name", "mine.txt"), ("strategy", "bfs"), ("pages", "50")]),
            said(&[("like", "http://a/ http://b/"), ("seeds", "http://c/\nhttp://d/"), ("any-type", "yes")]),
            said(&[("topic", "x"), ("threshold", "0.25"), ("batch", "1")]),
        ] {
            let request = Request::of(&words).unwrap();
            assert_eq!(Request::of(&request.words()).unwrap(), request, "{words:?}");
        }
        let longer = Request::of(&said(&[("topic", "x"), ("pages", "7")])).unwrap();
        let shorter = Request::of(&said(&[("topic", "x")])).unwrap();
        assert_eq!(longer.key(), shorter.key(), "how far it goes does not make it another crawl");
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_hint() {
        let with = |key: &str, text: &str| Request::of(&said(&[("topic", "x"), (key, text)]));
        for (key, text) in [
            ("pages", "0"),
            ("pages", "many"),
            ("strategy", "magic"),
            ("threshold", "2"),
            ("threshold", "nan"),
            ("batch", "0"),
            ("any-type", "perhaps"),
            ("text", "another topic"),
            ("colour", "red"),
        ] {
            let fault = with(key, text).unwrap_err();
            assert!(!fault.says.is_empty() && fault.hint.len() > 5, "{key}={text}: {fault:?}");
        }
        assert!(Request::of(&said(&[("topic", "  ")])).is_err());
        assert!(Request::of(&said(&[("topic", &"x ".repeat(TOPIC_BYTES))])).is_err());
    }
}
