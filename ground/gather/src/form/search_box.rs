//! A search box that scripts read: which request does it send, and what of it can be varied?
//!
//! ```text
//! search    the last request with a parameter whose value is the word that was typed; one that suggests words only for want of others
//! page      the parameter that is larger in the request of the next page, and by how much; else one that is called like it
//! choice    the one parameter that changes when another value is chosen, if it takes the value, or the text that people read
//! left out  what is new in each request: a time, a random number. A number that grows with each of three and more (`draw`) counts requests, not
//!           pages: it is sent as it was
//! ```
//!
//! What comes of it is a form ([`SearchBox::html`]) that sends the same requests, so that all that asks forms asks it, too. Cost: linear
//! in the requests. Not guaranteed: a word that is part of a path, or of a body, is not seen; a control that changes two parameters at
//! once stays as it is.

use std::fmt::Write as _;

use groma_url::Url;

use super::Choice;
use crate::meta::Counted;

/// The `id` of the form.
pub const ID: &str = "groma-search-box";

/// Its attribute that says how answers go on.
pub const NAVIGATION: &str = "data-groma-navigation";

/// Words in the path of a request for suggestions.
const SUGGESTS: [&str; 6] = ["suggest", "autocomplete", "complete", "typeahead", "vorschlag", "hint"];

/// Parameters that number pages, and those that say where a page begins; in lower case, without `_` and `-`.
const PAGES: [&str; 8] = ["page", "p", "pageno", "pagenumber", "pagenr", "pg", "currentpage", "seite"];
const BEGINNINGS: [&str; 6] = ["offset", "start", "skip", "from", "startindex", "first"];
/// Parameters that say how long a page is.
const LENGTHS: [&str; 9] =
    ["limit", "size", "pagesize", "perpage", "rows", "hitsperpage", "itemsperpage", "count", "pagelength"];

/// What was done with a search box, and what it asked for.
#[derive(Clone, Debug, Default)]
pub struct Operated {
    /// What people read beside the box.
    pub label: String,
    /// What was typed into it.
    pub word: String,
    /// What the page asked for then.
    pub asked: Vec<Url>,
    /// What it asked for when the next page was wanted.
    pub more: Vec<Url>,
    /// Its other controls, each tried alone.
    pub controls: Vec<OperatedControl>,
}

/// A list or a box beside the search box, and what was asked for when it was set otherwise.
#[derive(Clone, Debug, Default)]
pub struct OperatedControl {
    /// What people read beside it.
    pub label: String,
    /// Its values, and what people read of each; a box has one.
    pub values: Vec<(String, String)>,
    /// Which of them was chosen.
    pub tried: usize,
    /// It is a box to tick.
    pub is_box: bool,
    /// What the page asked for then.
    pub asked: Vec<Url>,
}

/// The request of a search box, as a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchBox {
    /// Where it asks.
    pub action: Url,
    label: String,
    /// The parameter of the word.
    word: String,
    /// What is sent in any case.
    fixed: Vec<(String, String)>,
    lists: Vec<ListOf>,
    boxes: Vec<(String, Choice)>,
    counted: Option<Counted>,
}

/// A list of values of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ListOf {
    name: String,
    label: String,
    values: Vec<Choice>,
}

impl SearchBox {
    /// Reads what it asked for; nothing if no request has the word.
    pub fn read(operated: &Operated) -> Option<SearchBox> {
        let searches: Vec<&Url> = operated.asked.iter().filter(|url| word_of(url, &operated.word).is_some()).collect();
        let suggests = |url: &&&Url| SUGGESTS.iter().any(|word| url.path().to_ascii_lowercase().contains(word));
        let search = *searches.iter().rfind(|url| !suggests(url)).or(searches.last())?;
        let word = word_of(search, &operated.word)?;
        let all: Vec<(String, String)> = search.query_pairs().into_owned().collect();
        let is_next = |url: &&Url| is_like(url, search, &word, &operated.word);
        let numbers = numbers_of_requests(operated, search);
        let counted = operated.more.iter().filter(is_next).find_map(|next| counted_by(&all, next, &numbers));
        let counted = counted.or_else(|| counted_by_name(&all));
        let is_counter = |name: &str| counted.as_ref().is_some_and(|counted| counted.name == name);
        let is_sent =
            |(name, value): &&(String, String)| *name != word && !is_counter(name) && !is_new_each_time(name, value);
        let mut form = SearchBox {
            action: search.clone(),
            label: operated.label.clone(),
            word: word.clone(),
            fixed: all.iter().filter(is_sent).cloned().collect(),
            lists: Vec::new(),
            boxes: Vec::new(),
            counted,
        };
        form.action.set_query(None);
        form.action.set_fragment(None);
        for control in &operated.controls {
            let mut others = control.asked.iter().filter(|url| is_like(url, search, &word, &operated.word));
            if let Some((name, value)) = others.find_map(|url| form.changed(&all, url, &numbers)) {
                form.add(control, &all, &name, &value);
            }
        }
        Some(form)
    }

    /// The one parameter that is different, and what it is.
    fn changed(&self, all: &[(String, String)], url: &Url, numbers: &[String]) -> Option<(String, String)> {
        let theirs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let is_counted = |name: &str| self.counted.as_ref().is_some_and(|counted| counted.name == name);
        let is_counter = |name: &str| is_counted(name) || numbers.iter().any(|number| number == name);
        let is_told = |(name, value): &&(String, String)| {
            *name != self.word && !is_counter(name) && !is_new_each_time(name, value)
        };
        let mut new = theirs.iter().filter(is_told).filter(|pair| !all.contains(pair));
        let (one, more) = (new.next()?.clone(), new.next());
        more.is_none().then_some(one)
    }

    fn add(&mut self, control: &OperatedControl, all: &[(String, String)], name: &str, value: &str) {
        let Some(tried) = control.values.get(control.tried) else { return };
        let by_text = tried.0 != value;
        // A script that sends something else than what it shows: nobody knows what it sends for the others.
        if (by_text && tried.1 != value && !control.is_box) || self.lists.iter().any(|list| list.name == name) {
            return;
        }
        let now = all.iter().find(|(own, _)| own == name).map(|(_, now)| now.as_str());
        let choice = |value: &str, text: &str, chosen| Choice {
            value: value.to_owned(),
            label: text.to_owned(),
            chosen,
            disabled: false,
            open: false,
            place: 0,
        };
        if control.is_box {
            let text = if control.label.is_empty() { &tried.1 } else { &control.label };
            return self.boxes.push((name.to_owned(), choice(value, text, now == Some(value))));
        }
        let sent = |(value, text): &(String, String)| if by_text { text.clone() } else { value.clone() };
        let values = control.values.iter().filter(|one| !sent(one).is_empty());
        let values = values.map(|one| choice(&sent(one), &one.1, now == Some(&sent(one)))).collect();
        self.fixed.retain(|(own, _)| own != name);
        self.lists.push(ListOf { name: name.to_owned(), label: control.label.clone(), values });
    }

    /// A form that sends the same requests. A list of which nothing is sent as long as nobody chooses becomes radio buttons, of which
    /// none is chosen.
    pub fn html(&self) -> String {
        let mut out =
            format!("\n<form id=\"{ID}\" role=\"search\" method=\"get\" action=\"{}\"", escaped(self.action.as_str()));
        if let Some(counted) = &self.counted {
            let _ = write!(out, " {NAVIGATION}=\"{}\"", escaped(&counted.to_string()));
        }
        let (label, name) = (escaped(&self.label), escaped(&self.word));
        let _ = write!(out, ">\n<p><label>{label} <input type=\"search\" name=\"{name}\"></label></p>\n");
        for (name, value) in &self.fixed {
            let _ = writeln!(out, "<input type=\"hidden\" name=\"{}\" value=\"{}\">", escaped(name), escaped(value));
        }
        for list in &self.lists {
            let _ = writeln!(out, "<fieldset><legend>{}</legend>", escaped(&list.label));
            list.values.iter().for_each(|choice| push_button(&mut out, "radio", &list.name, choice));
            out.push_str("</fieldset>\n");
        }
        self.boxes.iter().for_each(|(name, choice)| push_button(&mut out, "checkbox", name, choice));
        out + "<button>Search</button>\n</form>\n"
    }
}

fn push_button(out: &mut String, kind: &str, name: &str, choice: &Choice) {
    let (name, value, label) = (escaped(name), escaped(&choice.value), escaped(&choice.label));
    let checked = if choice.chosen { " checked" } else { "" };
    let _ = writeln!(
        out,
        "<p><label><input type=\"{kind}\" name=\"{name}\" value=\"{value}\"{checked}> {label}</label></p>"
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// The parameter that has the word.
fn word_of(url: &Url, word: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    pairs.find(|(_, value)| value.eq_ignore_ascii_case(word)).map(|(name, _)| name.into_owned())
}

/// Is it the same request, whatever else is different?
fn is_like(url: &Url, search: &Url, name: &str, word: &str) -> bool {
    let has_word = || url.query_pairs().any(|(own, value)| own == name && value.eq_ignore_ascii_case(word));
    url.origin() == search.origin() && url.path() == search.path() && has_word()
}

/// Parameters that number the requests: larger in each of three and more.
fn numbers_of_requests(operated: &Operated, search: &Url) -> Vec<String> {
    let all = operated.asked.iter().chain(&operated.more).chain(operated.controls.iter().flat_map(|one| &one.asked));
    let own: Vec<&Url> = all.filter(|url| url.origin() == search.origin() && url.path() == search.path()).collect();
    let values = |name: &str| -> Option<Vec<u64>> {
        let value = |url: &&Url| url.query_pairs().find(|(own, _)| own == name)?.1.parse().ok();
        own.iter().map(value).collect()
    };
    let grows = |name: &String| {
        values(name).is_some_and(|values| values.len() >= 3 && values.windows(2).all(|pair| pair[0] < pair[1]))
    };
    search.query_pairs().map(|(name, _)| name.into_owned()).filter(grows).collect()
}

/// The number that is larger in the request of the next page. `numbers`: what is larger in any.
fn counted_by(all: &[(String, String)], next: &Url, numbers: &[String]) -> Option<Counted> {
    next.query_pairs().find_map(|(name, value)| {
        let is_number = numbers.iter().any(|number| *number == name);
        let there: u64 = value.parse().ok().filter(|_| !is_number && !is_new_each_time(&name, &value))?;
        let (first, step) = match all.iter().find(|(own, _)| *own == name) {
            Some((_, here)) => {
                let here: u64 = here.parse().ok()?;
                (here, there.checked_sub(here)?)
            }
            // The second page is 1 or 2; what is larger is a place.
            None if (1..=2).contains(&there) => (there - 1, 1),
            None => (0, there),
        };
        (step > 0).then(|| Counted { name: name.into_owned(), first, step })
    })
}

/// The same by what parameters are called, where no next page was seen.
fn counted_by_name(all: &[(String, String)]) -> Option<Counted> {
    let folded = |name: &str| name.to_ascii_lowercase().replace(['_', '-'], "");
    let number = |names: &[&str]| {
        let named = all.iter().find(|(name, _)| names.contains(&folded(name).as_str()))?;
        Some((named.0.clone(), named.1.parse::<u64>().ok()?))
    };
    if let Some((name, first)) = number(&PAGES).filter(|(_, first)| *first <= 1) {
        return Some(Counted { name, first, step: 1 });
    }
    let (name, first) = number(&BEGINNINGS).filter(|(_, first)| *first <= 1)?;
    let (_, step) = number(&LENGTHS).filter(|(_, step)| *step > 0)?;
    Some(Counted { name, first, step })
}

/// Is it a time or a random number, so that no answer comes from a cache?
fn is_new_each_time(name: &str, value: &str) -> bool {
    let is_long = value.len() >= 10 && value.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_long && matches!(name, "_" | "t" | "ts" | "cb" | "rnd" | "rand" | "nocache" | "timestamp" | "time" | "v")
}

#[cfg(test)]
mod tests {
    use groma_hel::{Bounds, Tree};

    use super::*;
    use crate::form::{Kind, forms};

    fn urls(all: &[&str]) -> Vec<Url> {
        let base = Url::parse("http://site.test/").unwrap();
        all.iter().map(|one| base.join(one).unwrap()).collect()
    }

    fn control(values: &[(&str, &str)], tried: usize, is_box: bool, asked: &[&str]) -> OperatedControl {
        let values = values.iter().map(|(value, text)| ((*value).to_owned(), (*text).to_owned())).collect();
        OperatedControl { label: "Kind".to_owned(), values, tried, is_box, asked: urls(asked) }
    }

    fn operated() -> Operated {
        Operated {
            label: "Find \"it\"".to_owned(),
            word: "inn".to_owned(),
            asked: urls(&["/api/suggest?q=inn", "/api/find?q=inn&size=20&_=1700000000001", "/count?n=1"]),
            more: urls(&["/api/find?q=inn&size=20&offset=20&_=1700000000002"]),
            controls: vec![
                control(&[("", "all"), ("h", "hotel"), ("i", "inn")], 2, false, &["/api/find?q=inn&size=20&type=i"]),
                control(&[("1", "Open now")], 0, true, &["/api/find?q=inn&size=20&open=true"]),
                control(&[("a", "A"), ("b", "B")], 1, false, &["/api/find?q=inn&size=20&x=1&y=2"]),
            ],
        }
    }

    #[test]
    fn the_request_becomes_a_form_that_sends_it() {
        let found = SearchBox::read(&operated()).unwrap();
        assert_eq!(found.counted, Some(Counted { name: "offset".to_owned(), first: 0, step: 20 }));
        let page = Url::parse("http://site.test/page").unwrap();
        let tree = Tree::parse(&format!("<!DOCTYPE html><p>x</p>{}", found.html()), &Bounds::default());
        let forms = forms(&tree, &page, "utf-8");
        let form = forms.iter().find(|form| form.id.as_deref() == Some(ID)).unwrap();
        assert_eq!(form.action.as_ref().unwrap().as_str(), "http://site.test/api/find");
        assert_eq!(form.navigation.as_deref(), Some("offset from 0 by 20"));
        let shape: Vec<(&str, Kind, usize)> = form
            .fields
            .iter()
            .filter(|field| !field.name.is_empty())
            .map(|field| (field.name.as_str(), field.kind, field.values.len()))
            .collect();
        assert_eq!(
            shape,
            [("q", Kind::Search, 0), ("size", Kind::Hidden, 0), ("type", Kind::Radio, 2), ("open", Kind::CheckBox, 1)]
        );
        assert!(form.looks().search, "{:?}", form.looks());
        let sent = crate::form::data_set(form, &[("q", "mill")], None);
        assert_eq!(sent, [("q".to_owned(), "mill".to_owned()), ("size".to_owned(), "20".to_owned())]);
        assert_eq!(form.fields[0].label, "Find \"it\"");
    }

    #[test]
    fn pages_are_told_by_the_next_one_or_by_their_names() {
        let told = |first: &str, more: &[&str]| {
            let operated =
                Operated { word: "inn".to_owned(), asked: urls(&[first]), more: urls(more), ..Operated::default() };
            SearchBox::read(&operated).unwrap().counted.map(|counted| counted.to_string())
        };
        assert_eq!(told("/s?q=inn", &["/s?q=inn&page=2"]).as_deref(), Some("page from 1 by 1"));
        assert_eq!(told("/s?q=inn", &["/s?q=inn&page=1"]).as_deref(), Some("page from 0 by 1"));
        assert_eq!(told("/s?q=inn&von=1", &["/s?q=inn&von=11"]).as_deref(), Some("von from 1 by 10"));
        assert_eq!(told("/s?q=inn&start=0&rows=50", &[]).as_deref(), Some("start from 0 by 50"));
        assert_eq!(told("/s?q=inn&start=0", &["/other?q=inn&start=10"]), None);
    }

    #[test]
    fn a_number_of_the_request_is_no_page_and_no_choice() {
        let control = control(&[("10", "10"), ("25", "25")], 1, false, &["/t?draw=5&start=0&length=25&q=inn"]);
        let operated = Operated {
            word: "inn".to_owned(),
            asked: urls(&["/t?draw=2&start=0&length=10&q=inn"]),
            more: urls(&["/t?draw=3&start=10&length=10&q=inn"]),
            controls: vec![control],
            ..Operated::default()
        };
        let found = SearchBox::read(&operated).unwrap();
        assert_eq!(found.counted.as_ref().map(ToString::to_string).as_deref(), Some("start from 0 by 10"));
        assert_eq!(found.lists.iter().map(|list| list.name.as_str()).collect::<Vec<_>>(), ["length"]);
        assert!(found.fixed.contains(&("draw".to_owned(), "2".to_owned())), "{found:?}");
    }

    #[test]
    fn what_has_no_word_is_no_search() {
        for asked in [&[][..], &["/s?q=other"], &["/s/inn"], &["/s?q=inns"]] {
            let operated = Operated { word: "inn".to_owned(), asked: urls(asked), ..Operated::default() };
            assert_eq!(SearchBox::read(&operated), None);
        }
        let only = Operated { word: "Inn".to_owned(), asked: urls(&["/suggest?term=inn"]), ..Operated::default() };
        assert!(SearchBox::read(&only).is_some(), "for want of others");
    }
}
