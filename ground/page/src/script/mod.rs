//! Pages that scripts build: which came as an empty shell ([`shell`]), what building them brings, and for which patterns of
//! URLs it is worth it ([`habit`]).

pub mod habit;
pub mod shell;

use std::collections::HashSet;

use groma_model::{LinkKind, ParsedPage, Target};

/// What a page has more once it is built: links a reader can follow, and words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// Links to where none led before.
    pub links: u32,
    /// Words more than before; 0 if there are fewer.
    pub words: u32,
    /// Words before it was rendered.
    pub before: u32,
}

impl Gain {
    /// What the rendered page has beyond the page as fetched.
    pub fn between(came: &Holds, built: &ParsedPage) -> Gain {
        let new: HashSet<&str> = followed(built).filter(|target| !came.links.contains(*target)).collect();
        let links = u32::try_from(new.len()).unwrap_or(u32::MAX);
        Gain { links, words: built.words.saturating_sub(came.words), before: came.words }
    }

    /// Is that worth the trouble? A new link is; of words a tenth more, and at least five.
    pub fn is_worth_it(self) -> bool {
        self.links > 0 || self.words >= (self.before / 10).max(5)
    }
}

/// What a page held as it came, as far as it is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    links: HashSet<String>,
    words: u32,
}

impl Holds {
    /// Notes links and words of a page as fetched.
    pub fn from_page(came: &ParsedPage) -> Holds {
        Holds { links: followed(came).map(str::to_owned).collect(), words: came.words }
    }
}

fn followed(page: &ParsedPage) -> impl Iterator<Item = &str> {
    page.links.iter().filter(|link| link.kind == LinkKind::Anchor).filter_map(|link| match &link.target {
        Target::Web(url) => Some(url.as_str().split('#').next().unwrap_or_default()),
        Target::Malformed(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Html, Input};

    fn page(html: &str) -> ParsedPage {
        let url = groma_url::Url::parse("http://a.example/").unwrap();
        let limits = groma_model::Limits::default();
        Html.read(&Input { bytes: html.as_bytes(), url: &url, charset: None, limits: &limits, parts: false })
    }

    fn gain(came: &str, built: &str) -> Gain {
        Gain::between(&Holds::from_page(&page(came)), &page(built))
    }

    #[test]
    fn new_links_and_many_words_are_a_gain() {
        let same = gain("<a href=/x>one</a> two", "<a href=/x#y>one</a> two");
        assert_eq!(same, Gain { links: 0, words: 0, before: 2 });
        assert!(!same.is_worth_it());
        assert!(gain("", "<a href=/x></a>").is_worth_it());
        assert!(gain("", "one two three four five").is_worth_it());
        assert!(!gain("", "one two three").is_worth_it());
        let long = "word ".repeat(1000);
        assert!(!gain(&long, &format!("{long} and a few words more")).is_worth_it());
        assert!(!gain("<img src=/a>", "<img src=/b>").is_worth_it());
        assert_eq!(gain("one two", "one").words, 0);
    }
}
