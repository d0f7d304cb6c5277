//! Where does a value stand? A selector in one of five languages, read before any page is.

use std::fmt;

use groma_hel::Rule;

use crate::css::CssRule;
use crate::json::JsonRule;
use crate::page::Page;
use crate::pattern::PatternRule;
use crate::work::{OutOfWork, Work};
use crate::xpath::XPathRule;

/// Bytes of a selector.
pub const SELECTOR_BYTES: usize = 4096;

/// The languages selectors are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Css,
    XPath,
    Regex,
    Json,
    Hel,
}

impl Language {
    pub const ALL: [Language; 5] = [Language::Css, Language::XPath, Language::Regex, Language::Json, Language::Hel];

    /// As it is written before a selector, and as a key of groma.toml.
    pub fn name(self) -> &'static str {
        match self {
            Language::Css => "css",
            Language::XPath => "xpath",
            Language::Regex => "regex",
            Language::Json => "json",
            Language::Hel => "hel",
        }
    }
}

/// A selector that is none, with the place where it goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    /// The selector as it was written.
    pub text: String,
    /// The byte where it goes wrong.
    pub at: usize,
    /// What is wrong there.
    pub what: String,
}

impl SelectorError {
    pub(crate) fn new(text: &str, at: usize, what: impl Into<String>) -> SelectorError {
        SelectorError { text: text.to_owned(), at: at.min(text.len()), what: what.into() }
    }
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seen: String = self.text.get(self.at..).unwrap_or_default().chars().take(20).collect();
        match (self.at, seen.is_empty()) {
            (0, _) => f.write_str(&self.what),
            (_, true) => write!(f, "{} at its end", self.what),
            (_, false) => write!(f, "{} at `{seen}`", self.what),
        }
    }
}

impl std::error::Error for SelectorError {}

#[derive(Clone, Debug)]
enum Compiled {
    Css(CssRule),
    XPath(XPathRule),
    Regex(PatternRule),
    Json(JsonRule),
    Hel(Rule),
}

/// A selector that was read.
#[derive(Clone, Debug)]
pub struct Selector {
    language: Language,
    text: String,
    compiled: Compiled,
}

impl PartialEq for Selector {
    fn eq(&self, other: &Selector) -> bool {
        (self.language, &self.text) == (other.language, &other.text)
    }
}

impl Selector {
    /// Reads a selector as it was written.
    pub fn parse(language: Language, text: &str) -> Result<Selector, SelectorError> {
        let text = text.trim();
        if text.len() > SELECTOR_BYTES {
            return Err(SelectorError::new(
                text,
                SELECTOR_BYTES,
                format!("a selector has at most {SELECTOR_BYTES} bytes"),
            ));
        }
        if text.is_empty() {
            return Err(SelectorError::new(text, 0, "the selector is empty"));
        }
        let compiled = match language {
            Language::Css => Compiled::Css(CssRule::parse(text)?),
            Language::XPath => Compiled::XPath(XPathRule::parse(text)?),
            Language::Regex => Compiled::Regex(PatternRule::parse(text)?),
            Language::Json => Compiled::Json(JsonRule::parse(text)?),
            Language::Hel => {
                let rule = Rule::parse(text).map_err(|fault| SelectorError::new(text, fault.at, fault.to_string()))?;
                Compiled::Hel(rule)
            }
        };
        Ok(Selector { language, text: text.to_owned(), compiled })
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it gives on a page, in the order of the page.
    pub(crate) fn values(&self, page: &Page<'_>, work: &mut Work) -> Result<Vec<String>, OutOfWork> {
        match &self.compiled {
            Compiled::Css(rule) => rule.values(page, work),
            Compiled::XPath(rule) => rule.values(page, work),
            Compiled::Regex(rule) => rule.values(page.source(), work),
            Compiled::Json(rule) => rule.values(page.json(), work),
            Compiled::Hel(rule) => {
                let tree = if rule.names_parts() { page.parted() } else { page.tree() };
                let value = rule.extract(tree, page.bounds()).map_err(|_| OutOfWork)?;
                let all = value.values();
                if all.len() > work.values() {
                    work.note_values();
                }
                Ok(all.into_iter().take(work.values()).map(|text| work.cut_value(text)).collect())
            }
        }
    }
}
