//! Where does a value stand? A selector in one of five languages, read before any page is.

use groma_hel::Rule;

use crate::css::CssRule;
use crate::error::SelectorError;
use crate::json::JsonRule;
use crate::page::Page;
use crate::pattern::PatternRule;
use crate::work::{OutOfWork, Work};
use crate::xpath::XPathRule;

/// What a selector may be long; it is read by descending, and shown in messages.
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
