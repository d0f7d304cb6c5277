//! How is the form asked, and what stands in the answers? The `DB.*` META tags.
//!
//! Names and keywords in any case; internal names of elements and names of attributes as they are written. Several tags add up
//! where there can be several; where there can be one, that which is first by the alphabet counts and the others are complaints.
//! The order of tags never matters: rules are joined with the common prefix when all is read.
//!
//! Whether a URL is on the same site is for the caller to say: nothing is asked for here. Cost: linear in the tags.

use std::collections::{BTreeMap, HashSet};

use groma_hel::syntax::End;
use groma_hel::{Prefix, Rule, Tree, join};
use groma_url::Url;

use crate::answer::json_path::{JsonPath, is_json_rule};
use crate::finite::{Refusal, VALUES, domain, list};

/// Tags that are looked at.
pub const TAGS: usize = 1000;

/// What the tags of a form's page say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// `DB.ConfigFile`: where the rest is.
    pub config_file: Option<String>,
    /// `DB.QueryScript`: what to ask instead of the form's action.
    pub query_script: Option<QueryScript>,
    /// `DB.QueryElement`, `DB.QueryElements`: internal names of the elements to vary.
    pub essential: Vec<String>,
    /// `DB.QueryElement.<El>`: what [`Metadata::domain`] reads, by the internal name.
    pub domains: BTreeMap<String, Vec<String>>,
    /// `DB.Result`: the common beginning of the rules, as it was written.
    pub prefix: Option<String>,
    /// `DB.Result.<Attr>`: by attribute, how its values are found; several add up.
    pub results: BTreeMap<String, Vec<Extraction>>,
    /// `DB.NavigationURL`, `DB.Navigation`.
    pub navigation: Option<Navigation>,
    /// What is odd, in sentences.
    pub complaints: Vec<String>,
    /// `DB.Result.<Attr>` as they were written, in order of attributes.
    raw: Vec<(String, String)>,
    /// What is odd in the tags themselves.
    told: Vec<String>,
}

/// A script and how it is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryScript {
    /// Its URL, as it was written.
    pub url: String,
    /// The method; the form's if none is said.
    pub method: Option<Method>,
}

/// How a form is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Fields are sent in the URL.
    Get,
    /// Fields are sent in the body.
    Post,
}

/// Where the values of an attribute come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Extraction {
    /// From the answers, by this rule, the prefix in it.
    Rule(Box<Rule>),
    /// From the JSON of the answers.
    Json(Box<JsonPath>),
    /// Fixed values, given in the tag.
    Values(Vec<String>),
}

/// How one gets to further pages of an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Navigation {
    /// Links that look like it.
    Auto,
    /// There are no further pages.
    No,
    /// URLs like this, with `*` for what changes.
    Url(String),
    /// A number in the query.
    Counted(Counted),
}

/// A number in the query of a page's URL, which is larger on the next page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted {
    /// The name of its parameter.
    pub name: String,
    /// What it is on the first page, where it may be left out.
    pub first: u64,
    /// So much more from page to page.
    pub step: u64,
}

impl Counted {
    /// Reads `NAME from FIRST by STEP`.
    fn parse(text: &str) -> Option<Counted> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [name, from, first, by, step] = words[..] else { return None };
        let is_counted = from.eq_ignore_ascii_case("from") && by.eq_ignore_ascii_case("by");
        let (first, step) = (first.parse().ok()?, step.parse().ok().filter(|step| *step > 0)?);
        is_counted.then(|| Counted { name: name.to_owned(), first, step })
    }

    /// The URL of the page after this one, on which so many records stand; nothing if these are the last of as many as there are in all.
    pub(crate) fn after(&self, page: &Url, records: u64, total: Option<u64>) -> Option<Url> {
        let pairs: Vec<(String, String)> = page.query_pairs().into_owned().collect();
        let here = pairs.iter().find(|(name, _)| *name == self.name).map(|(_, value)| value.trim());
        let here = here.filter(|value| !value.is_empty()).map_or(Some(self.first), |value| value.parse().ok())?;
        let place = here.checked_sub(self.first)?;
        // A number that grows by more than one counts records; one that counts pages says how many came before on the first only.
        let is_known = self.step > 1 || place == 0;
        if records == 0 || (is_known && total.is_some_and(|total| place + records >= total)) {
            return None;
        }
        // Where a list of lengths was set, a page has more records than the step that was seen.
        let next = here.checked_add(if self.step > 1 { self.step.max(records) } else { self.step })?;
        let mut url = page.clone();
        let others = pairs.iter().filter(|(name, _)| *name != self.name).map(|(name, value)| (name, value));
        url.query_pairs_mut().clear().extend_pairs(others).append_pair(&self.name, &next.to_string());
        Some(url)
    }
}

impl std::fmt::Display for Counted {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} from {} by {}", self.name, self.first, self.step)
    }
}

/// The tags of a page.
pub fn tags(tree: &Tree) -> Vec<(String, String)> {
    let Some(label) = tree.label_of("meta") else { return Vec::new() };
    let named = tree.nodes(label).iter().filter_map(|node| {
        let name = tree.attribute(*node, "name")?.trim();
        own_name(name)?;
        Some((name.to_owned(), tree.attribute(*node, "content").unwrap_or_default().to_owned()))
    });
    named.take(TAGS).collect()
}

/// The lines `Name: value` of a configuration file; `DB.` may be missing.
pub fn lines(text: &str) -> Vec<(String, String)> {
    let pairs = text.lines().filter(|line| !is_remark(line)).filter_map(|line| line.split_once(':'));
    let pairs = pairs.map(|(name, value)| (name.trim(), value.trim())).filter(|(name, _)| !name.is_empty());
    let full = |name: &str| if own_name(name).is_some() { name.to_owned() } else { format!("DB.{name}") };
    pairs.map(|(name, value)| (full(name), value.to_owned())).take(TAGS).collect()
}

/// Is a line of a configuration file there for people only?
pub(crate) fn is_remark(line: &str) -> bool {
    line.trim_start().starts_with('#') || line.trim().is_empty()
}

/// The name after `DB.`.
fn own_name(name: &str) -> Option<&str> {
    name.get(..3).filter(|start| start.eq_ignore_ascii_case("db."))?;
    Some(&name[3..])
}

impl Metadata {
    /// Reads tags, names and contents; those that are not `DB.*` are passed over.
    pub fn read<'a>(tags: impl IntoIterator<Item = (&'a str, &'a str)>) -> Metadata {
        let mut metadata = Metadata::default();
        for (name, content) in tags.into_iter().take(TAGS) {
            let Some(name) = own_name(name.trim()) else { continue };
            let (key, part) = name.split_once('.').map_or((name, None), |(key, part)| (key, Some(part.trim())));
            metadata.tag(&key.trim().to_ascii_lowercase(), part.filter(|part| !part.is_empty()), content.trim());
        }
        metadata.resolve();
        metadata
    }

    /// The values its tags give an element, if there are any; see [`finite::domain`](crate::finite::domain).
    pub fn domain(&self, element: &str, is_text: bool) -> Option<Result<Vec<String>, Refusal>> {
        let contents = self.domains.get(element)?;
        let mut all: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for content in contents {
            match domain(content, is_text) {
                Ok(values) => all.extend(values.into_iter().filter(|value| seen.insert(value.clone()))),
                Err(refusal) => return Some(Err(refusal)),
            }
            if all.len() as u64 > VALUES {
                return Some(Err(Refusal::TooMany));
            }
        }
        Some(Ok(all))
    }

    /// What a configuration file says, where the page itself says nothing. The prefix of either holds for the rules of both.
    pub fn or(mut self, file: Metadata) -> Metadata {
        self.query_script = self.query_script.or(file.query_script);
        self.navigation = self.navigation.or(file.navigation);
        self.prefix = self.prefix.or(file.prefix);
        if self.essential.is_empty() {
            self.essential = file.essential;
        }
        for (name, content) in file.domains {
            self.domains.entry(name).or_insert(content);
        }
        let own: HashSet<String> = self.raw.iter().map(|(attribute, _)| attribute.clone()).collect();
        self.raw.extend(file.raw.into_iter().filter(|(attribute, _)| !own.contains(attribute)));
        self.told.extend(file.told);
        self.resolve();
        self
    }

    fn tag(&mut self, key: &str, part: Option<&str>, content: &str) {
        if content.is_empty() {
            self.told.push(format!("DB.{key} is empty"));
            return;
        }
        match (key, part) {
            ("configfile", None) => once(&mut self.config_file, content.to_owned(), key, &mut self.told),
            ("queryscript", None) => {
                let script = query_script(content);
                once(&mut self.query_script, script, key, &mut self.told);
            }
            ("queryelement" | "queryelements", None) => {
                for name in list(content) {
                    if !self.essential.contains(&name) {
                        self.essential.push(name);
                    }
                }
            }
            ("queryelement" | "queryelements", Some(element)) => {
                self.domains.entry(element.to_owned()).or_default().push(content.to_owned());
            }
            ("result", None) => once(&mut self.prefix, content.to_owned(), key, &mut self.told),
            ("result", Some(attribute)) => self.raw.push((attribute.to_owned(), content.to_owned())),
            ("navigationurl" | "navigation", None) => {
                let navigation = match content.to_ascii_lowercase().as_str() {
                    "no" | "none" => Navigation::No,
                    "auto" => Navigation::Auto,
                    _ => {
                        Counted::parse(content).map_or_else(|| Navigation::Url(content.to_owned()), Navigation::Counted)
                    }
                };
                once(&mut self.navigation, navigation, key, &mut self.told);
            }
            _ => self
                .told
                .push(format!("there is no tag DB.{key}{}", part.map(|part| format!(".{part}")).unwrap_or_default())),
        }
    }

    /// Rules after the prefix, or values.
    fn resolve(&mut self) {
        self.raw.sort();
        self.results.clear();
        self.complaints = self.told.clone();
        let json = self.prefix.as_deref().filter(|prefix| is_json_rule(prefix));
        let prefix = match Prefix::parse(self.prefix.as_deref().filter(|_| json.is_none()).unwrap_or_default()) {
            Ok(prefix) => Some(prefix),
            Err(fault) => {
                self.complaints.push(format!("DB.Result, {fault}"));
                None
            }
        };
        for (attribute, content) in &self.raw {
            let path = match json {
                _ if is_json_rule(content) => Some(JsonPath::parse(content)),
                Some(json) if content.starts_with(['.', '[']) => Some(JsonPath::after(json, content)),
                _ => None,
            };
            if let Some(path) = path {
                match path {
                    Ok(path) => {
                        self.results.entry(attribute.clone()).or_default().push(Extraction::Json(Box::new(path)))
                    }
                    Err(fault) => self.complaints.push(format!("DB.Result.{attribute}, {fault}")),
                }
                continue;
            }
            let extraction = match Rule::parse(content) {
                Ok(rule) if is_meant_as_rule(&rule) => match &prefix {
                    Some(prefix) => join(prefix, &rule).map(|rule| Extraction::Rule(Box::new(rule))),
                    // Only what needs no prefix can be used without.
                    None if rule.path.is_absolute() => Ok(Extraction::Rule(Box::new(rule))),
                    None => continue,
                },
                Err(fault) if looks_like_rule(content) => Err(fault),
                _ => Ok(Extraction::Values(list(content))),
            };
            match extraction {
                Ok(extraction) => self.results.entry(attribute.clone()).or_default().push(extraction),
                Err(fault) => self.complaints.push(format!("DB.Result.{attribute}, {fault}")),
            }
        }
    }
}

/// Where there can be one and tags contradict each other, the least in the order of the alphabet counts: whichever came first.
fn once<T: Ord>(place: &mut Option<T>, value: T, key: &str, complaints: &mut Vec<String>) {
    if place.as_ref().is_some_and(|known| *known != value) {
        complaints.push(format!("DB.{key} is said in more than one way; the first by the alphabet counts"));
    }
    if place.as_ref().is_none_or(|known| value < *known) {
        *place = Some(value);
    }
}

/// `URL [, GET or POST]`; a comma may stand in the URL, too.
fn query_script(content: &str) -> QueryScript {
    if let Some((url, method)) = content.rsplit_once([',', ' ', '\t', '\n']) {
        let method = match method.trim() {
            method if method.eq_ignore_ascii_case("get") => Some(Method::Get),
            method if method.eq_ignore_ascii_case("post") => Some(Method::Post),
            _ => None,
        };
        if method.is_some() {
            return QueryScript { url: url.trim_end_matches([',', ' ', '\t', '\n']).to_owned(), method };
        }
    }
    QueryScript { url: content.to_owned(), method: None }
}

/// A single word is a rule only if it is more than a word, for values are words, too.
fn is_meant_as_rule(rule: &Rule) -> bool {
    let path = &rule.path;
    path.led || path.end != End::Node || path.steps.len() > 1 || path.steps.iter().any(|step| !step.index.is_empty())
}

/// Is a text that is no rule a mistake in one, not a list of values?
fn looks_like_rule(content: &str) -> bool {
    let lower = content.to_ascii_lowercase();
    let signs = ["->", ".txt", ".src", "getattr", "numberof", " where ", "html."];
    signs.iter().any(|sign| lower.contains(sign))
}

#[cfg(test)]
#[path = "meta_tests.rs"]
mod tests;
