//! What is asked: from where, by which method, with which numbers. As words, so that a job, a form and a command line can all say it.

use std::collections::BTreeMap;
use std::fmt;

use groma_atlas::{LinkSet, PageWeb};
use groma_bounds::likeness::Compared;
use groma_bounds::{Direction, Likeness, Settings, Sigma};
use groma_store::Snapshot;
use groma_store::borders::{Directions, LinksUsed, Manner};

use crate::{Fault, words};

/// Where a search begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// At the page the survey began at.
    #[default]
    Survey,
    /// At a page, as somebody typed it.
    Page(String),
    /// In the cluster with the most addresses that hold this.
    Keyword(String),
    /// At several pages.
    Pages {
        /// What the list is called.
        name: String,
        /// The pages, as somebody typed them.
        pages: Vec<String>,
    },
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Where it begins.
    pub start: Beginning,
    /// How it is looked for.
    pub settings: Settings,
    /// Clusters above this are clustered again; 0: none is.
    pub largest: u32,
    /// Links all weigh the same in the clustering, whatever the addresses say.
    pub unweighted: bool,
    /// What of linked pages is compared, beside their addresses.
    pub likeness: Compared,
    /// Which links count.
    pub links: LinkSet,
    /// By the prices that the crawl of this survey tried when it looked for the border.
    pub online: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            start: Beginning::Survey,
            settings: Settings::default(),
            largest: 0,
            unweighted: false,
            likeness: Compared::default(),
            links: LinkSet::Pages,
            online: false,
        }
    }
}

/// The words that are understood.
const KEYS: [&str; 14] = [
    "start",
    "keyword",
    "list",
    "pages",
    "method",
    "epsilon",
    "sigma",
    "likeness",
    "inflation",
    "selection",
    "largest",
    "direction",
    "links",
    "online",
];

impl Request {
    /// Reads what was asked: words by their keys. What is not said is as usual.
    pub fn of(said: &BTreeMap<String, String>) -> Result<Request, Fault> {
        if let Some(key) = said.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(Fault::new(words::no_such_bounds_key(key), words::one_of(&KEYS)));
        }
        let mut request = Request::default();
        let get = |key: &str| said.get(key).map(|text| text.trim()).filter(|text| !text.is_empty());
        let starts = [get("start"), get("keyword"), get("pages")];
        if starts.iter().flatten().count() > 1 {
            return Err(Fault::new(words::SEVERAL_STARTS, words::SEVERAL_STARTS_HINT));
        }
        if let Some(page) = get("start") {
            request.start = Beginning::Page(page.to_owned());
        } else if let Some(word) = get("keyword") {
            request.start = Beginning::Keyword(word.to_owned());
        } else if let Some(pages) = get("pages") {
            let pages: Vec<String> = pages.split_whitespace().map(str::to_owned).collect();
            request.start = Beginning::Pages { name: get("list").unwrap_or("pages").to_owned(), pages };
        }
        let settings = &mut request.settings;
        if let Some(text) = get("method") {
            settings.method = text.parse().map_err(|_| Fault::new(words::no_such_method(text), words::METHODS))?;
        }
        if let Some(text) = get("epsilon") {
            let most = 1e9;
            settings.epsilon = Some(number("epsilon", text, |n| n > 0.0 && n <= most, words::EPSILON_HINT)?);
        }
        match get("sigma") {
            None => {}
            Some("fitted") => settings.sigma = Sigma::Fitted,
            Some("none") => request.unweighted = true,
            Some(text) => {
                let sound = |n: f64| (0.05..=100.0).contains(&n);
                settings.sigma = Sigma::Given(number("sigma", text, sound, words::SIGMA_HINT)?);
            }
        }
        if let Some(text) = get("likeness") {
            let known = || Compared::ALL.map(Compared::name);
            request.likeness = Compared::named(text)
                .ok_or_else(|| Fault::new(words::no_such_likeness(text), words::one_of(&known())))?;
        }
        if let Some(text) = get("inflation") {
            let sound = |n: f64| (1.01..=30.0).contains(&n);
            settings.inflation = number("inflation", text, sound, words::INFLATION_HINT)?;
        }
        if let Some(text) = get("selection") {
            let sound = |n: f64| (2.0..=1e6).contains(&n) && n.fract() == 0.0;
            settings.selection = Some(number("selection", text, sound, words::SELECTION_HINT)? as usize);
        }
        if let Some(text) = get("largest") {
            let sound = |n: f64| (0.0..=4e9).contains(&n) && n.fract() == 0.0;
            request.largest = number("largest", text, sound, words::LARGEST_HINT)? as u32;
        }
        match get("direction") {
            None | Some("both") => {}
            Some("forward") => settings.direction = Direction::Forward,
            Some(text) => return Err(Fault::new(words::no_such_direction(text), words::one_of(&["both", "forward"]))),
        }
        match get("links") {
            None | Some("pages") => {}
            Some("all") => request.links = LinkSet::All,
            Some(text) => return Err(Fault::new(words::no_such_links(text), words::one_of(&["pages", "all"]))),
        }
        match get("online") {
            None | Some("no") => {}
            Some("yes") => request.online = true,
            Some(text) => {
                return Err(Fault::new(words::bad_bounds_number("online", text), words::one_of(&["yes", "no"])));
            }
        }
        Ok(request)
    }

    /// The same as words: [`Request::of`] reads them.
    pub fn words(&self) -> BTreeMap<String, String> {
        let mut said = BTreeMap::new();
        let mut say = |key: &str, text: String| said.insert(key.to_owned(), text);
        match &self.start {
            Beginning::Survey => {}
            Beginning::Page(page) => drop(say("start", page.clone())),
            Beginning::Keyword(word) => drop(say("keyword", word.clone())),
            Beginning::Pages { name, pages } => {
                say("list", name.clone());
                say("pages", pages.join("\n"));
            }
        }
        say("method", self.settings.method.name().to_owned());
        if let Some(epsilon) = self.settings.epsilon {
            say("epsilon", epsilon.to_string());
        }
        match self.settings.sigma {
            _ if self.unweighted => say("sigma", "none".to_owned()),
            Sigma::Given(sigma) => say("sigma", sigma.to_string()),
            Sigma::Fitted => say("sigma", "fitted".to_owned()),
        };
        say("likeness", self.likeness.name().to_owned());
        say("inflation", self.settings.inflation.to_string());
        if let Some(selection) = self.settings.selection {
            say("selection", selection.to_string());
        }
        if self.largest > 0 {
            say("largest", self.largest.to_string());
        }
        if self.settings.direction == Direction::Forward {
            say("direction", "forward".to_owned());
        }
        if self.links == LinkSet::All {
            say("links", "all".to_owned());
        }
        if self.online {
            say("online", "yes".to_owned());
        }
        said
    }

    /// How alike linked pages are, if that is to count and the survey has kept what it takes. Where all links weigh the same in clusters
    /// it does not count, and neither does it on line: that search has to weigh links before it has read the pages they lead to.
    pub(super) fn alike(&self, store: &mut dyn Snapshot, web: &PageWeb) -> Result<Option<Likeness>, Fault> {
        let compared = if self.unweighted || self.online { Compared::Nothing } else { self.likeness };
        Ok(web.likeness(store, compared)?)
    }

    /// How its clustering is made; `sigma` is the one that was used.
    pub(super) fn manner(&self, sigma: f64) -> Manner {
        Manner {
            inflation: self.settings.inflation,
            selection: self.settings.selection.unwrap_or(0) as u32,
            largest: self.largest,
            sigma: if self.unweighted { 0.0 } else { sigma },
            links: if self.links == LinkSet::All { LinksUsed::All } else { LinksUsed::Pages },
            directions: Directions::Both,
        }
    }
}

impl fmt::Display for Beginning {
    /// As a site is called by what it was found from; pages are expected as the survey writes them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Beginning::Survey => Ok(()),
            Beginning::Page(page) => f.write_str(page),
            Beginning::Keyword(word) => write!(f, "keyword:{word}"),
            Beginning::Pages { name, .. } => write!(f, "list:{name}"),
        }
    }
}

fn number(key: &str, text: &str, sound: impl Fn(f64) -> bool, hint: &str) -> Result<f64, Fault> {
    let read = text.parse::<f64>().ok().filter(|number| number.is_finite() && sound(*number));
    read.ok_or_else(|| Fault::new(words::bad_bounds_number(key, text), hint))
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
            said(&[]),
            said(&[("start", "http://a.test/"), ("method", "flow"), ("epsilon", "0.01"), ("sigma", "1.66")]),
            said(&[("keyword", "manual"), ("inflation", "2"), ("selection", "400"), ("largest", "500")]),
            said(&[("pages", "http://a/ http://b/"), ("list", "mine"), ("direction", "forward"), ("links", "all")]),
            said(&[("sigma", "fitted")]),
            said(&[("sigma", "none")]),
            said(&[("online", "yes")]),
            said(&[("likeness", "none")]),
        ] {
            let request = Request::of(&words).unwrap();
            assert_eq!(Request::of(&request.words()).unwrap(), request, "{words:?}");
        }
        let request = Request::of(&said(&[])).unwrap();
        assert_eq!(request, Request::default());
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_hint() {
        for (key, text) in [
            ("epsilon", "-1"),
            ("epsilon", "0"),
            ("epsilon", "nan"),
            ("epsilon", "inf"),
            ("epsilon", "small"),
            ("sigma", "0"),
            ("inflation", "1"),
            ("inflation", "-2"),
            ("selection", "1.5"),
            ("largest", "-1"),
            ("method", "magic"),
            ("likeness", "menus"),
            ("direction", "sideways"),
            ("links", "some"),
            ("colour", "red"),
        ] {
            let fault = Request::of(&said(&[(key, text)])).unwrap_err();
            assert!(!fault.says.is_empty() && fault.hint.len() > 10, "{key}={text}: {fault:?}");
        }
        assert!(Request::of(&said(&[("start", "a"), ("keyword", "b")])).is_err());
    }
}
