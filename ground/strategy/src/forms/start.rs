//! The page of the form, and what is known about it before the first question.

use std::borrow::Cow;

use groma_url::Url;

use groma_gather::Description;
use groma_gather::answer::{self, PageShape};
use groma_gather::description::Asking;
use groma_gather::form::{self, Form, Kind, search_box};
use groma_gather::meta::{self, Method};
use groma_hel::{Bounds, Tree};
use groma_model::Reason;
use groma_page::charset;

use super::choose::is_named;
use super::closing::{Degree, Obstacle, Refused};
use super::controls::short;
use super::settings::Settings;
use crate::Answer;

/// Controls times values of a form, at most: what planning holds grows with it (100 controls of 100 values: 123 MB).
const CHOICES: usize = 1_000_000;

/// Words of a page that are kept to try in a text field.
const WORDS: usize = 300;

/// A page with forms and all that describes them.
#[derive(Debug)]
pub(super) struct FormPage {
    page: Url,
    /// The page itself: what stands on it and on an answer is no record.
    tree: Tree,
    forms: Vec<Form>,
    title: String,
    /// Words of the page, for a text field about which nothing is known.
    pub(super) words: Vec<String>,
    pub(super) description: Description,
    /// The provider describes the form.
    described: bool,
    /// Somebody describes it: the provider or the user.
    wished: bool,
    /// A browser built it.
    is_built: bool,
    asking: Option<Asking>,
}

/// An answer as text, and its charset; one that is JSON as a page with this JSON in it.
pub(super) fn text_of<'a>(answer: &'a Answer<'_>) -> (Cow<'a, str>, &'static str) {
    let (text, encoding) = charset::decode(answer.body, answer.charset);
    let page = match answer::as_page(&text) {
        Cow::Owned(page) => Some(page),
        Cow::Borrowed(_) => None,
    };
    (page.map_or(text, Cow::Owned), encoding.name())
}

impl FormPage {
    /// What stands on a page, as it came or as a browser built it; in words why nothing can be asked there.
    pub(super) fn on(answer: &Answer<'_>, settings: &Settings, is_built: bool) -> Result<FormPage, Refused> {
        let (text, charset) = text_of(answer);
        let tree = Tree::parse(&text, &Bounds::default());
        let page = Url::parse(answer.address).map_err(|error| format!("{}: {error}", answer.address))?;
        let forms = form::forms(&tree, &page, charset);
        let provider = Description::of_page(&tree);
        let mut own = settings.described.clone();
        let is_search_box = |form: &&Form| is_built && form.id.as_deref() == Some(search_box::ID);
        if let Some(name) = form_name(&settings.form, &forms)? {
            own.push(("DB.Form".to_owned(), name));
        } else if let Some(form) = forms.iter().rfind(is_search_box) {
            own.push(("DB.Form".to_owned(), form.nth.to_string()));
        }
        let user = Description::from_tags(own);
        let described = provider.is_some();
        let description = user.or(&provider.unwrap_or_default());
        let title = title_of(&tree);
        let words = words_of(&tree);
        let wished = described || !settings.described.is_empty();
        Ok(FormPage { page, tree, forms, title, words, description, described, wished, is_built, asking: None })
    }

    /// Where the rest of the description is.
    pub(super) fn config(&self, place: &Url) -> Option<Result<Url, String>> {
        let named = self.description.metadata().config_file.as_deref()?;
        Some(place.join(named).map_err(|_| format!("DB.ConfigFile is no URL: {named}")))
    }

    /// Takes in the rest of the description.
    pub(super) fn describe(&mut self, answer: &Answer<'_>) -> Result<(), String> {
        if answer.reason != Reason::Fetched {
            return Err(format!("DB.ConfigFile is unreachable: {}", answer.reason.says()));
        }
        let (text, _) = text_of(answer);
        self.description = self.description.or(&Description::parse(&text));
        (self.described, self.wished) = (true, true);
        Ok(())
    }

    /// Ties the description to a form; in words why that may not or cannot be asked.
    pub(super) fn ready(mut self, settings: &Settings, is_own: &dyn Fn(&Url) -> bool) -> Result<FormPage, Refused> {
        let no_form = || Refused::by(Obstacle::NoForm, "there is no form on this page");
        let asking = self.description.resolve(&self.forms, is_own).ok_or_else(no_form)?;
        let form = self.forms.get(asking.form).ok_or_else(no_form)?;
        let controls = form.fields.iter().filter(|field| !field.values.is_empty());
        let (controls, values) =
            controls.fold((0, 0), |(controls, values), field| (controls + 1, values + field.values.len()));
        if form.cut.is_some() || controls * values > CHOICES {
            return Err("the form is larger than any person could fill in".into());
        }
        let target = asking.script.as_ref().or(form.action.as_ref()).ok_or("the form leads nowhere")?;
        if !is_own(target) {
            return Err(Refused::by(Obstacle::OtherSite, format!("the form is sent to another site: {target}")));
        }
        let chosen = self.wished || !settings.form.is_empty();
        if !chosen && !form.looks().search {
            return Err(Refused::by(Obstacle::NoSearch, "no form on this page looks like a search"));
        }
        if form.fields.iter().any(|field| field.kind.is_secret()) && !self.wished {
            return Err(Refused::by(Obstacle::Secret, "the form asks for a secret or a file, which is never sent"));
        }
        if asking.method == Method::Post && !self.described && !settings.post {
            let why = "the form posts, and its page does not say that it may be asked by programs";
            return Err(Refused::by(Obstacle::Posts, why));
        }
        if let Some(name) = settings.vary.iter().find(|name| !form.fields.iter().any(|field| is_named(field, &[name])))
        {
            return Err(Refused::by(
                Obstacle::NoControl,
                format!("the form has no control {name}; {}", controls_of(form)),
            ));
        }
        if let Some(navigation) = form.navigation.clone() {
            let seen = Description::from_tags([("DB.Navigation".to_owned(), navigation)]);
            self.description = self.description.or(&seen);
        }
        self.asking = Some(asking);
        Ok(self)
    }

    /// The form that is asked.
    pub(super) fn form(&self) -> Option<&Form> {
        self.forms.get(self.asking.as_ref()?.form)
    }

    pub(super) fn asking(&self) -> Option<&Asking> {
        self.asking.as_ref()
    }

    /// Rules for the records of an answer that nobody described. An answer that shows no more than the page of the form has none,
    /// unless it must be a list: then the page of the form is one, too.
    pub(super) fn propose(&self, answer: &Tree, is_list: bool) -> Option<Vec<(String, String)>> {
        let same = || {
            let texts =
                |tree: &Tree| tree.nodes(tree.label_of_text()).iter().map(|node| tree.text(*node).to_owned()).collect();
            let (one, other): (Vec<String>, Vec<String>) = (texts(answer), texts(&self.tree));
            one == other
        };
        answer::propose(answer, Some(&self.tree))
            .or_else(|| if is_list || !same() { answer::propose(answer, None) } else { None })
    }

    /// The page of the form, to be told from answers.
    pub(super) fn shape(&self) -> PageShape {
        PageShape::from_tree(&self.tree, &[])
    }

    /// Does it take a browser to see the form?
    pub(super) fn is_built(&self) -> bool {
        self.is_built
    }

    pub(super) fn page(&self) -> &Url {
        &self.page
    }

    pub(super) fn title(&self) -> String {
        self.title.clone()
    }

    pub(super) fn degree(&self) -> Degree {
        if self.described { Degree::Described } else { Degree::Unaided }
    }

    pub(super) fn complaints(&self) -> Vec<String> {
        self.asking.as_ref().map(|asking| asking.complaints.clone()).unwrap_or_default()
    }

    /// Does the form hold hidden values, which may be tokens? What a search box sent was seen several times.
    pub(super) fn has_hidden(&self) -> bool {
        let is_hidden = |field: &form::Field| field.kind == Kind::Hidden && !field.name.is_empty();
        let is_own = |form: &&Form| !(self.is_built && form.id.as_deref() == Some(search_box::ID));
        self.form().filter(is_own).is_some_and(|form| form.fields.iter().any(is_hidden))
    }

    /// The tokens of the form, by the second look at it.
    pub(super) fn tokens(&self, again: &Answer<'_>) -> Vec<String> {
        match (self.form(), self.fresh(again)) {
            (Some(first), Some(second)) => form::tokens(first, &second),
            _ => Vec::new(),
        }
    }

    /// The same form on a fresh page.
    pub(super) fn fresh(&self, again: &Answer<'_>) -> Option<Form> {
        if again.reason != Reason::Fetched {
            return None;
        }
        let (text, charset) = text_of(again);
        let tree = Tree::parse(&text, &Bounds::default());
        let page = Url::parse(again.address).ok()?;
        let mut forms = form::forms(&tree, &page, charset);
        let nth = self.form()?.nth;
        let place = forms.iter().position(|form| form.nth == nth)?;
        Some(forms.swap_remove(place))
    }
}

/// What can be varied, by the names that are to be said.
fn controls_of(form: &Form) -> String {
    const NAMED: usize = 12;
    let mut names: Vec<String> =
        form.fields.iter().filter(|field| field.is_variable()).map(|field| short(&field.name)).collect();
    names.dedup();
    let more = if names.len() > NAMED { ", ..." } else { "" };
    names.truncate(NAMED);
    if names.is_empty() { "it has none".to_owned() } else { format!("it has {}{more}", names.join(", ")) }
}

/// The form the user named, as a description names it.
fn form_name(named: &str, forms: &[Form]) -> Result<Option<String>, Refused> {
    if named.is_empty() {
        return Ok(None);
    }
    let is = |form: &&Form| form.id.as_deref() == Some(named) || form.name.as_deref() == Some(named);
    if let Some(form) = forms.iter().find(is) {
        return Ok(Some(form.nth.to_string()));
    }
    // People count from 1.
    let number = named.parse::<usize>().ok().and_then(|number| forms.get(number.checked_sub(1)?));
    let refused =
        || Refused::by(Obstacle::NoForm, format!("there is no form {named} on this page, which has {}", forms.len()));
    number.map(|form| Some(form.nth.to_string())).ok_or_else(refused)
}

pub(super) fn title_of(tree: &Tree) -> String {
    let title = tree.label_of("title").and_then(|label| tree.nodes(label).first().copied());
    let text = title.map(|node| (node + 1..tree.end(node)).map(|inner| tree.text(inner)).collect::<String>());
    groma_hel::clean(&text.unwrap_or_default())
}

/// Words of a page, those that stand there most often first.
fn words_of(tree: &Tree) -> Vec<String> {
    let mut counts: std::collections::HashMap<String, u32> = std::collections::HashMap::new();
    for node in tree.nodes(tree.label_of_text()) {
        for word in tree.text(*node).split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3) {
            if counts.len() < 20_000 {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
        }
    }
    let mut words: Vec<(String, u32)> = counts.into_iter().collect();
    words.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    words.into_iter().take(WORDS).map(|(word, _)| word).collect()
}

/// Tags out of a user's file.
pub fn described(text: &str) -> Vec<(String, String)> {
    if text.trim_start().starts_with('<') {
        return meta::tags(&Tree::parse(text, &Bounds::default()));
    }
    meta::lines(text)
}
