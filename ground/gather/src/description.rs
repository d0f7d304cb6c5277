//! How is this database asked, and what stands in its answers? The description: tags of a page, a file, or a proposal.
//!
//! It is a list of `DB.*` names and contents ([`Metadata`] says what they mean), whoever wrote them: the page's provider, a
//! person in an editor, or Groma itself after a look at the form and an answer. It is written as `Name: value` lines (as tags where a
//! name has a colon) and read back from them. One name is ours: `DB.Form`, the number (from 0), `id` or `name` of the form that is meant.
//!
//! [`Description::resolve`] ties it to the forms of a page: which form, which elements vary over which values, where it is sent. The
//! number of requests, the product of the domains, is known before one is made ([`Asking::requests`]), and
//! [`Asking::questions`] makes them one by one.

use std::fmt;

use groma_hel::{Bounds, Tree};
use groma_model::Request;
use groma_url::Url;

use crate::answer;
use crate::form::{self, Field, Form};
use crate::meta::{self, Extraction, Metadata, Method, Navigation};

/// Names and contents, and what they mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Description {
    tags: Vec<(String, String)>,
    form: Option<String>,
    metadata: Metadata,
}

/// A description tied to a form.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Which form of the page: its place in the list it was chosen from.
    pub form: usize,
    /// What is asked instead of the form's action.
    pub script: Option<Url>,
    /// How it is sent.
    pub method: Method,
    /// What varies, and over what.
    pub elements: Vec<Element>,
    /// What is odd, in sentences.
    pub complaints: Vec<String>,
}

/// An element that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Internal name.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// The values it takes; none if nobody says which.
    pub values: Vec<String>,
}

/// Normal form of a tag's name, for the question which of two descriptions says something.
fn key(name: &str) -> String {
    let mut parts = name.trim().splitn(3, '.');
    let (first, second, third) = (parts.next(), parts.next(), parts.next());
    let second = second.unwrap_or_default().trim().to_ascii_lowercase();
    let second = match second.as_str() {
        "queryelements" => "queryelement",
        "navigationurl" => "navigation",
        other => other,
    };
    let third = third.map(|part| format!(".{}", part.trim())).unwrap_or_default();
    format!("{}.{second}{third}", first.unwrap_or_default().to_ascii_lowercase())
}

impl Description {
    /// From tags: names with `DB.`, and contents.
    pub fn from_tags(tags: impl IntoIterator<Item = (String, String)>) -> Description {
        // A line cannot hold a line break, and rules and lists mean the same with a blank.
        let one_line = |text: String| groma_hel::clean(&text);
        let tags = tags.into_iter().take(meta::TAGS).map(|(name, content)| (one_line(name), one_line(content)));
        let tags: Vec<(String, String)> = tags.filter(|(_, content)| !content.is_empty()).collect();
        let form = tags.iter().find(|(name, _)| key(name) == "db.form").map(|(_, content)| content.clone());
        let others = tags.iter().filter(|(name, _)| key(name) != "db.form");
        let metadata = Metadata::read(others.map(|(name, content)| (name.as_str(), content.as_str())));
        Description { tags, form, metadata }
    }

    /// What the tags of a page say; nothing if it has none.
    pub fn of_page(tree: &Tree) -> Option<Description> {
        let tags = meta::tags(tree);
        (!tags.is_empty()).then(|| Description::from_tags(tags))
    }

    /// From a file: a page with tags, or `Name: value` lines.
    pub fn parse(text: &str) -> Description {
        if text.trim_start().starts_with('<') {
            let tree = Tree::parse(text, &Bounds::default());
            return Description::of_page(&tree).unwrap_or_default();
        }
        Description::from_tags(meta::lines(text))
    }

    /// What is wrong with a description that somebody wrote, as far as that can be said without its form: the line, from 1, where it
    /// is in one, and in words what. What a page says wrong is passed over and named; who writes one should know at once.
    pub fn check(text: &str) -> Result<(), (Option<usize>, String)> {
        let first = |tags: &[(String, String)]| {
            let tags = tags.iter().filter(|(name, _)| key(name) != "db.form");
            fault_of(&Metadata::read(tags.map(|(name, content)| (name.as_str(), content.as_str()))))
        };
        if text.trim_start().starts_with('<') {
            let tags = meta::tags(&Tree::parse(text, &Bounds::default()));
            if tags.is_empty() {
                return Err((None, "it has no META tag whose name begins with DB.".to_owned()));
            }
            return first(&tags).map_or(Ok(()), |what| Err((None, what)));
        }
        for (nth, line) in text.lines().enumerate().filter(|(_, line)| !meta::is_remark(line)) {
            let tag = meta::lines(line);
            let what = if tag.is_empty() { Some("there is no `:` in it".to_owned()) } else { first(&tag) };
            if let Some(what) = what {
                return Err((Some(nth + 1), what));
            }
        }
        first(&meta::lines(text)).map_or(Ok(()), |what| Err((None, what)))
    }

    /// A proposal, from a form and one of its answers; `other` is the answer to another question, best one without results. What
    /// varies is the field with the most values to choose from.
    pub fn propose(form: &Form, answer: &Tree, other: Option<&Tree>) -> Description {
        let mut tags = vec![("DB.Form".to_owned(), form.nth.to_string())];
        let choosable = form.fields.iter().filter(|field| field.kind.is_chosen() && !field.disabled);
        let largest = choosable.max_by_key(|field| (field.domain().count(), std::cmp::Reverse(field.place)));
        if let Some(field) = largest.filter(|field| field.domain().nth(1).is_some()) {
            tags.push(("DB.QueryElement".to_owned(), quoted(&field.name)));
        }
        let rules = answer::propose(answer, other).unwrap_or_default();
        tags.extend(rules.into_iter().map(|(attribute, rule)| (format!("DB.Result.{attribute}"), rule)));
        tags.push(("DB.Navigation".to_owned(), "AUTO".to_owned()));
        Description::from_tags(tags)
    }

    /// What another one says where this one says nothing.
    pub fn or(&self, other: &Description) -> Description {
        let own: std::collections::HashSet<String> = self.tags.iter().map(|(name, _)| key(name)).collect();
        let more = other.tags.iter().filter(|(name, _)| !own.contains(&key(name)));
        Description::from_tags(self.tags.iter().chain(more).cloned())
    }

    /// The tags, as they are.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// What the tags mean.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// How one gets to further pages.
    pub fn navigation(&self) -> &Navigation {
        self.metadata.navigation.as_ref().unwrap_or(&Navigation::Auto)
    }

    /// Does it say how records or values are found?
    pub fn has_rules(&self) -> bool {
        self.metadata.results.values().flatten().any(|extraction| !matches!(extraction, Extraction::Values(_)))
    }

    /// Does a rule speak of the JSON of answers?
    pub(crate) fn names_json(&self) -> bool {
        self.metadata.results.values().flatten().any(|extraction| matches!(extraction, Extraction::Json(_)))
    }

    /// A rule that walks a list of records in the JSON of answers.
    pub(crate) fn json_rule(&self) -> Option<&answer::json_path::JsonPath> {
        self.metadata.results.values().flatten().find_map(|extraction| match extraction {
            Extraction::Json(path) if path.list().is_some() => Some(&**path),
            _ => None,
        })
    }

    /// Does a rule speak of what lines and headings set apart?
    pub(crate) fn names_parts(&self) -> bool {
        let names = |extraction: &Extraction| matches!(extraction, Extraction::Rule(rule) if rule.names_parts());
        self.metadata.results.values().flatten().any(names)
    }

    /// Ties the description to a form of a page. `is_own` says whether a URL is on the same site; nothing else is asked.
    /// Nothing if there is no form that it can mean.
    pub fn resolve(&self, forms: &[Form], is_own: &dyn Fn(&Url) -> bool) -> Option<Asking> {
        let metadata = &self.metadata;
        let mut complaints = metadata.complaints.clone();
        let place = self.which(forms, &mut complaints)?;
        let form = forms.get(place)?;
        let mut asking = Asking { form: place, script: None, method: form.method, elements: Vec::new(), complaints };
        if let Some(script) = &metadata.query_script {
            match form.page.join(&script.url) {
                Ok(url) if matches!(url.scheme(), "http" | "https") && is_own(&url) => {
                    asking.script = Some(url);
                    asking.method = script.method.unwrap_or(form.method);
                }
                Ok(url) => asking.complaints.push(format!("DB.QueryScript leads to another site: {url}")),
                Err(error) => asking.complaints.push(format!("DB.QueryScript is no URL: {error}")),
            }
        }
        if let Some(action) = form.action.as_ref().filter(|action| asking.script.is_none() && !is_own(action)) {
            asking.complaints.push(format!("the form is sent to another site: {action}"));
        }
        for name in &metadata.essential {
            let Some(field) = field(form, name) else {
                asking.complaints.push(format!("the form has no field {name}"));
                continue;
            };
            if field.kind.is_secret() {
                asking.complaints.push(format!("{name} is a secret or a file, which is never sent"));
                continue;
            }
            let values = match self.metadata.domain(name, field.kind.is_typed()) {
                Some(Ok(values)) => values.iter().map(|value| meant(field, value)).collect(),
                Some(Err(refusal)) => {
                    asking.complaints.push(format!("DB.QueryElement.{name}: {refusal}"));
                    Vec::new()
                }
                // Suggestions are not all there is.
                None if field.kind.is_typed() => {
                    asking
                        .complaints
                        .push(format!("DB.QueryElement.{name} is missing: a text field has no values of its own"));
                    Vec::new()
                }
                None => field.domain().map(|choice| choice.value.clone()).collect(),
            };
            let values = distinct(values);
            asking.elements.push(Element { name: field.name.clone(), label: field.title().to_owned(), values });
        }
        if let Some(bound) = form.cut {
            asking.complaints.push(format!("the form is too large and was cut ({bound})"));
        }
        Some(asking)
    }

    /// The named form; else the one that has most of the elements; else the one that looks most like a search.
    fn which(&self, forms: &[Form], complaints: &mut Vec<String>) -> Option<usize> {
        if let Some(name) = &self.form {
            let is = |form: &&Form| {
                form.id.as_ref() == Some(name) || form.name.as_ref() == Some(name) || form.nth.to_string() == *name
            };
            match forms.iter().position(|form| is(&form)) {
                Some(found) => return Some(found),
                None => complaints.push(format!("there is no form {name}")),
            }
        }
        let has = |form: &Form| self.metadata.essential.iter().filter(|name| field(form, name).is_some()).count();
        let rank = |place: &usize| {
            forms.get(*place).map(|form| {
                let looks = form.looks();
                (has(form), looks.search, looks.score, std::cmp::Reverse(*place))
            })
        };
        (0..forms.len()).max_by_key(rank)
    }
}

/// The first thing that is wrong with what was read.
fn fault_of(metadata: &Metadata) -> Option<String> {
    let refused = |element: &String| {
        // Whether it is typed or chosen is for the form to say: wrong is what is wrong for both.
        let of = |is_text| metadata.domain(element, is_text).and_then(Result::err);
        let (typed, chosen) = (of(true)?, of(false)?);
        Some(format!("DB.QueryElement.{element}: {}", if typed == chosen { typed } else { chosen }))
    };
    metadata.complaints.first().cloned().or_else(|| metadata.domains.keys().find_map(refused))
}

/// A field by its internal name; else in any case; else by what people call it.
fn field<'f>(form: &'f Form, name: &str) -> Option<&'f Field> {
    let variable = || form.fields.iter().filter(|field| !field.name.is_empty());
    form.field(name)
        .or_else(|| variable().find(|field| field.name.eq_ignore_ascii_case(name)))
        .or_else(|| variable().find(|field| field.label.eq_ignore_ascii_case(name)))
}

/// The value that is sent for one that may be meant as people read it.
fn meant(field: &Field, value: &str) -> String {
    let is_value = field.values.iter().any(|choice| choice.value == value);
    let shown = || field.values.iter().find(|choice| choice.label == value).map(|choice| choice.value.clone());
    if is_value || !field.kind.is_chosen() { value.to_owned() } else { shown().unwrap_or_else(|| value.to_owned()) }
}

fn distinct(values: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    values.into_iter().filter(|value| seen.insert(value.clone())).collect()
}

/// A name that a list takes for one.
fn quoted(name: &str) -> String {
    match name.contains(',') || name.contains(['\'', '"']) {
        true if !name.contains('\'') => format!("'{name}'"),
        true => format!("\"{name}\""),
        false => name.to_owned(),
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name with a colon (`DB.QueryElement.form:ort`) cannot stand before one: then all is written as tags.
        let is_plain = self.tags.iter().all(|(name, _)| !name.contains(':'));
        let safe = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;");
        for (name, content) in &self.tags {
            match is_plain {
                true => writeln!(f, "{name}: {content}")?,
                false => writeln!(f, "<meta name=\"{}\" content=\"{}\">", safe(name), safe(content))?,
            }
        }
        Ok(())
    }
}

impl Asking {
    /// How many requests the elements ask for: the product of their domains; at least 1, the form as it is.
    pub fn requests(&self) -> u64 {
        self.elements.iter().map(|element| element.values.len().max(1) as u64).fold(1, u64::saturating_mul)
    }

    /// What is filled in, question by question, the last element fastest; at most so many.
    pub fn questions(&self, most: u64) -> impl Iterator<Item = Vec<(&str, &str)>> {
        let elements: Vec<&Element> = self.elements.iter().filter(|element| !element.values.is_empty()).collect();
        (0..self.requests().min(most)).map(move |number| {
            let mut rest = number;
            let mut filled: Vec<(&str, &str)> = Vec::with_capacity(elements.len());
            for element in elements.iter().rev() {
                let count = element.values.len() as u64;
                filled.push((&element.name, &element.values[(rest % count) as usize]));
                rest /= count;
            }
            filled.reverse();
            filled
        })
    }

    /// The request for one question, by the form (perhaps a fresh one, with fresh tokens) and its first button.
    pub fn request(&self, form: &Form, filled: &[(&str, &str)]) -> Option<Request> {
        let button = form.default_button();
        let set = form::data_set(form, filled, button);
        match &self.script {
            Some(script) => Some(form::sent(script.clone(), self.method, form.enctype, form.charset, &set)),
            None => form::request(form, &set, button),
        }
    }
}

#[cfg(test)]
#[path = "description_tests.rs"]
mod tests;
