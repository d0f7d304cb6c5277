//! Whole gatherings of databases that are a function of the question.

use std::collections::{BTreeSet, HashMap, VecDeque};

use groma_model::{Reason, Request};
use groma_url::Url;

use super::{Closing, Forms, Settings};
use crate::{Answer, Ask, AskPlan, Asker};

#[path = "control_tests.rs"]
mod controls;
#[path = "paper_tests.rs"]
mod paper;

const START: &str = "http://forms.test/";

/// Asks until the end. `site` answers to what stands behind the `?`, page by page.
fn gather(site: &dyn Fn(&Asked) -> String) -> (Closing, BTreeSet<String>, Vec<String>) {
    gather_with(site, None)
}

/// The same as whoever runs it does it: what was asked for by a key is not asked for again.
fn gather_keyed(site: &dyn Fn(&Asked) -> String) -> (Closing, BTreeSet<String>, Vec<String>) {
    gather_by(site, None, true)
}

/// The same, with a budget.
fn gather_with(site: &dyn Fn(&Asked) -> String, budget: Option<u64>) -> (Closing, BTreeSet<String>, Vec<String>) {
    gather_by(site, budget, false)
}

fn gather_by(
    site: &dyn Fn(&Asked) -> String,
    budget: Option<u64>,
    keyed: bool,
) -> (Closing, BTreeSet<String>, Vec<String>) {
    let mut kept: HashMap<String, String> = HashMap::new();
    let start = Url::parse(START).expect("a URL");
    let mut forms = Forms::new(Settings { budget, ..Settings::new(start) });
    let mut plan = AskPlan::default();
    forms.begin(&mut plan);
    let (mut names, mut asked) = (BTreeSet::new(), Vec::new());
    let mut waiting = VecDeque::new();
    loop {
        waiting.extend(plan.asks.drain(..));
        let Some(Ask { key, request, .. }) = waiting.pop_front() else { break };
        assert!(asked.len() < 2_000, "no end of questions: {asked:?}");
        let known = kept.get(&key).filter(|_| keyed).cloned();
        if known.is_none() {
            asked.push(request.url.to_string());
        }
        let body = known.unwrap_or_else(|| site(&Asked::by(&request)));
        kept.insert(key.clone(), body.clone());
        let answer = Answer {
            key: &key,
            reason: Reason::Fetched,
            status: 200,
            address: request.url.as_str(),
            media_type: "text/html",
            charset: Some("utf-8"),
            body: body.as_bytes(),
            cut: false,
            unchanged: false,
        };
        forms.answer(&answer, &mut plan);
        let records = forms.news().records;
        names.extend(records.into_iter().filter_map(|record| record.values.into_iter().next()).map(|(_, value)| value));
    }
    (forms.closing(), names, asked)
}

/// What is asked for, and whether it is a question at all.
pub(super) struct Asked(pub(super) Vec<(String, String)>, pub(super) bool);

impl Asked {
    pub(super) fn by(request: &Request) -> Asked {
        Asked(request.url.query_pairs().into_owned().collect(), request.url.query().is_some())
    }

    fn all(&self, name: &str) -> Vec<usize> {
        let own = self.0.iter().filter(|(other, value)| other == name && !value.is_empty());
        own.filter_map(|(_, value)| value.parse().ok()).collect()
    }

    pub(super) fn one(&self, name: &str) -> Option<usize> {
        self.all(name).first().copied()
    }
}

/// Ten a page of at most `limit`, with numbers for pages as people know them.
pub(super) fn listed(found: &[String], asked: &Asked, limit: usize, head: &str) -> String {
    let page = asked.one("page").unwrap_or(1).max(1);
    let shown = &found[..found.len().min(limit)];
    let rows: String = shown.iter().skip((page - 1) * 10).take(10).map(|name| format!("<li>{name}</li>")).collect();
    let link = |nth: usize| {
        let mut pairs: Vec<String> = asked
            .0
            .iter()
            .filter(|(name, _)| name != "page")
            .map(|(name, value)| format!("{name}={}", value.replace('#', "%23")))
            .collect();
        pairs.push(format!("page={nth}"));
        if nth == page { format!(" {nth} ") } else { format!(" <a href=\"?{}\">{nth}</a> ", pairs.join("&amp;")) }
    };
    let pages: String = (1..=shown.len().div_ceil(10)).map(link).collect();
    format!("{head}<p>{} records found</p><ul>{rows}</ul><p>{pages}</p>", found.len())
}

pub(super) fn named(count: usize) -> Vec<String> {
    (0..count).map(|nth| format!("Record {}{nth}", char::from(b'A' + (nth % 26) as u8))).collect()
}

#[test]
fn what_stands_on_the_page_of_the_form_too_is_no_record() {
    let form = "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select>\
                <input type=submit></form>";
    let help: String = (0..6).map(|nth| format!("<tr><td>word{nth}</td><td>finds this {nth}</td></tr>")).collect();
    let head = format!("{form}<table><tr><th>You type</th><th>You get</th></tr>{help}</table>");
    let all = named(40);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return head.clone();
        }
        let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
        let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, 30, &head)
    };
    let (closing, names, _) = gather(&site);
    assert_eq!(names, all.iter().cloned().collect(), "{closing:?}");
    assert!(closing.certified, "{closing:?}");
}

/// Boxes of 30 kinds; a record has one or two next to each other.
fn boxes(all: bool) -> (Closing, BTreeSet<String>, Vec<String>) {
    let ticks: String =
        (0..30).map(|nth| format!("<label><input type=checkbox name=k value={nth}>kind {nth}</label>")).collect();
    let form =
        format!("<form><fieldset><legend>Kinds</legend>{ticks}</fieldset><input type=submit value=Search></form>");
    let records = named(120);
    let site = |asked: &Asked| {
        let wanted = asked.all("k");
        let has = |nth: usize, kind: usize| nth % 30 == kind || (nth + 1) % 30 == kind;
        let fits = |nth: usize| match all {
            true => wanted.iter().all(|kind| has(nth, *kind)),
            false => wanted.is_empty() || wanted.iter().any(|kind| has(nth, *kind)),
        };
        let found: Vec<String> =
            records.iter().enumerate().filter(|(nth, _)| fits(*nth)).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, 30, &form)
    };
    gather(&site)
}

#[test]
fn several_boxes_are_ticked_at_once_where_the_form_joins_them_by_or() {
    let (closing, names, asked) = boxes(false);
    assert!(closing.certified && names.len() == 120, "{closing:?}");
    assert!(closing.notes.iter().any(|note| note.contains("(OR)")), "{:?}", closing.notes);
    // One by one it would be 31 questions, and with what is tried before and after 37.
    assert!(closing.questions <= 24, "{closing:?}");
    assert!(asked.iter().any(|url| url.matches("k=").count() > 2), "{asked:?}");
    let (closing, names, _) = boxes(true);
    assert!(closing.certified && names.len() == 120, "{closing:?}");
    assert!(closing.notes.iter().any(|note| note.contains("(AND)")), "{:?}", closing.notes);
}

#[test]
fn the_first_page_is_not_asked_for_again_by_its_number() {
    let form = "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select></form>";
    let all = named(25);
    let site = |asked: &Asked| if asked.0.is_empty() { form.to_owned() } else { listed(&all, asked, 100, form) };
    let (closing, names, asked) = gather(&site);
    assert_eq!(names.len(), 25, "{closing:?}");
    assert!(!asked.iter().any(|url| url.contains("page=1")), "{asked:?}");
    assert!(asked.iter().any(|url| url.contains("page=3")), "{asked:?}");
}

/// A form with one more control beside its list; `shows`: which of 60 records the control as it is asked lets through.
fn beside(control: &str, counts: bool, shows: &dyn Fn(&Asked, usize) -> bool) -> (Closing, usize, usize) {
    let form = format!(
        "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select>\
         <input type=submit value=Search>{control}</form>"
    );
    let all = named(60);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.clone();
        }
        let fits =
            |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind) && shows(asked, *nth);
        let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
        let page = listed(&found, asked, 45, &form);
        if counts { page } else { page.replace("records found", "") }
    };
    let (closing, names, asked) = gather(&site);
    (closing, names.len(), asked.len())
}

fn has(asked: &Asked, name: &str, value: &str) -> bool {
    asked.0.iter().any(|(own, is)| own == name && is == value)
}

/// What a control as it is asked lets through of 60 records.
type Shows = fn(&Asked, usize) -> bool;

#[test]
fn a_control_that_brings_other_records_is_set_to_bring_them() {
    let cases: [(&str, Shows); 11] = [
        ("<label><input type=checkbox name=archived>Include archived</label>", |asked, nth| {
            nth % 3 > 0 || has(asked, "archived", "on")
        }),
        ("<label><input type=checkbox name=a value=1 checked>Only open</label>", |asked, nth| {
            nth % 3 > 0 || !has(asked, "a", "1")
        }),
        ("<label><input type=checkbox name=archived>Archived instead</label>", |asked, nth| {
            (nth % 3 == 0) == has(asked, "archived", "on")
        }),
        ("<input type=radio name=old value=1 aria-label='With old ones'>", |asked, nth| {
            nth % 3 > 0 || has(asked, "old", "1")
        }),
        (
            "<label>State <select name=state><option value=''>Current<option value=all>All</select></label>",
            |asked, nth| nth % 3 > 0 || has(asked, "state", "all"),
        ),
        (
            "<label>State <select name=state><option value=''>Current<option value=old>Old<option value=new>New</select></label>",
            |asked, nth| match () {
                () if has(asked, "state", "old") => nth % 3 == 0,
                () if has(asked, "state", "new") => nth % 3 == 1,
                () => nth % 3 == 2,
            },
        ),
        ("<label>Lang <select name=lang><option>en<option>de</select></label>", |asked, nth| {
            (nth % 3 == 0) == has(asked, "lang", "de")
        }),
        ("<label>Year <input name=year value=2024></label>", |asked, nth| nth % 3 > 0 || has(asked, "year", "")),
        ("<label>Price <input type=range name=p min=0 max=9></label>", |asked, nth| {
            nth % 10 <= asked.one("p").unwrap_or(0)
        }),
        (
            "<label><input type=checkbox name=x value=a>a</label><label><input type=checkbox name=y value=b>b</label>",
            |asked, nth| match nth % 4 {
                0 => has(asked, "x", "a"),
                1 => has(asked, "y", "b"),
                2 => has(asked, "x", "a") && has(asked, "y", "b"),
                _ => true,
            },
        ),
        (
            "<select name=sort><option>name<option>size</select><label><input type=checkbox name=archived>x</label>",
            |asked, nth| nth % 3 > 0 || has(asked, "archived", "on"),
        ),
    ];
    for (control, shows) in cases {
        let (closing, found, _) = beside(control, true, &shows);
        assert!(closing.certified && found == 60, "{control}: {found} {closing:?}");
        let (closing, found, _) = beside(control, false, &shows);
        assert!(!closing.certified || found == 60, "{control}: {found} {closing:?}");
    }
}

#[test]
fn what_cannot_be_tried_takes_the_certificate_away_and_is_named() {
    for (control, named) in [
        ("<label>Town <input name=town required></label>", "field Town"),
        ("<label>Shade <input type=color name=c></label>", "field Shade"),
        ("<input type=submit name=scope value='Search archive'>", "button Search archive"),
        ("<button formaction=/archive>Archive</button>", "button"),
    ] {
        let (closing, found, _) = beside(control, true, &|_, _| true);
        assert!(!closing.certified && found == 60, "{control}: {closing:?}");
        let says = |reason: &&String| reason.contains(named) && reason.contains("not varied");
        assert_eq!(closing.reasons.iter().filter(says).count(), 1, "{control}: {:?}", closing.reasons);
    }
}

#[test]
fn what_brings_no_other_records_does_not_take_it_away() {
    for control in [
        "",
        "<input type=hidden name=token value=x>",
        "<input type=checkbox disabled name=archived>",
        "<input type=checkbox>",
        "<label><input type=checkbox name=archived>Include archived</label>",
        "<select name=sort><option>name<option>size</select>",
        "<select name=by><option>name<option>size</select>",
        "<select name=per_page><option>10<option>50</select>",
        "<label>Town <input name=town></label>",
        "<label>Words <input type=search name=w></label>",
        "<input name=year value=2024 readonly>",
        "<select name=only><option>one</select>",
        "<input type=submit value='Search, too'>",
        "<input type=reset value=Clear>",
        "<label>State <select name=state><option value=''>State<option value=1>x<option value=2>y</select></label>",
        "<label>More <select multiple name=m><option>x<option>y</select></label>",
    ] {
        let (closing, found, asked) = beside(control, true, &|_, _| true);
        assert!(closing.certified && found == 60, "{control}: {closing:?}");
        // With a token each question takes a form more.
        // What it holds is tried with its neighbors.
        let more = if control.contains("token") { 8 } else { 2 * usize::from(control.contains("readonly")) };
        // What takes no notice of words may count days, or take a date: that is tried, with a second page.
        let most = 18 + if control.contains("name=town") || control.contains("name=w") { 4 } else { more };
        assert!(asked <= most, "{control}: {asked} requests");
    }
    // A control that narrows.
    for control in ["<label>Town <input name=town></label>", "<label>X <input type=checkbox name=town value=7></label>"]
    {
        let narrows = |asked: &Asked, nth: usize| {
            !asked.0.iter().any(|(name, value)| name == "town" && !value.is_empty()) || nth.is_multiple_of(7)
        };
        let (closing, found, _) = beside(control, true, &narrows);
        assert!(closing.certified && found == 60, "{control}: {closing:?}");
    }
}

/// A list that is never cut, with an exact total: it is all, and is not asked for twice.
#[test]
fn an_open_list_with_its_total_is_certified_without_being_split() {
    for count in [37, 41, 43] {
        let form =
            "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select></form>";
        let all = named(count);
        let site = |asked: &Asked| {
            if asked.0.is_empty() {
                return form.to_owned();
            }
            let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
            let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
            listed(&found, asked, 100_000, form)
        };
        let (closing, names, asked) = gather(&site);
        assert!(closing.certified && names.len() == count, "{closing:?}");
        assert!(asked.len() <= count.div_ceil(10) + 5, "{count}: {asked:?}");
        // The same, cut at 30 by a form that calls 30 its total.
        let site = |asked: &Asked| {
            if asked.0.is_empty() {
                return form.to_owned();
            }
            let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
            let found: Vec<String> =
                all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).take(30).collect();
            listed(&found, asked, 30, form)
        };
        let (closing, names, _) = gather(&site);
        assert!(!closing.certified || names.len() == count, "{} {closing:?}", names.len());
    }
}

/// "about" and "at least" are bounds: they neither cut an answer nor prove it.
#[test]
fn inexact_totals_do_not_cut_answers() {
    for says in ["about", "at least"] {
        let form =
            "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select></form>";
        let all = named(43);
        let site = |asked: &Asked| {
            if asked.0.is_empty() {
                return form.to_owned();
            }
            let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
            let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
            listed(&found, asked, 1000, form)
                .replace("<p>43 ", &format!("<p>{says} 43 "))
                .replace("<p>2", &format!("<p>{says} 2"))
        };
        let (closing, names, asked) = gather(&site);
        assert_eq!(names.len(), 43, "{closing:?}");
        assert!(asked.len() <= 20, "{says}: {asked:?}");
    }
}

/// What changes while it is read is told.
#[test]
fn a_database_that_changes_is_not_certified() {
    let form = "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select></form>";
    let asked_for = std::cell::Cell::new(0);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.to_owned();
        }
        asked_for.set(asked_for.get() + 1);
        let all = named(if asked_for.get() > 7 { 44 } else { 43 });
        let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
        let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, 1000, form)
    };
    let (closing, _, _) = gather(&site);
    assert!(!closing.certified && closing.reasons.iter().any(|why| why.contains("changed")), "{closing:?}");
}

#[test]
fn boxes_that_were_never_ticked_may_add_records() {
    let form = "<form><fieldset><legend>Include</legend><label><input type=checkbox name=with value=old>old</label>\
                <label><input type=checkbox name=with value=drafts>drafts</label></fieldset><input type=submit></form>";
    let all = named(20);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.to_owned();
        }
        let most = if asked.0.iter().any(|(name, _)| name == "with") { 20 } else { 10 };
        listed(&all[..most], asked, 100, form)
    };
    let (closing, names, _) = gather(&site);
    assert!(!closing.certified || names.len() == 20, "{closing:?}");
}

/// Names of two words, of 60 first and 47 second ones.
fn two_words(count: usize) -> Vec<String> {
    let word = |nth: usize| {
        let part = |nth: usize| ["ka", "ro", "mi", "tu", "se", "lo", "ba", "ne", "di", "fu"][nth % 10];
        format!("{}{}{}", part(nth), part(nth / 10 + 3), part(nth * 7 + 1))
    };
    let capital = |word: String| word[..1].to_uppercase() + &word[1..];
    (0..count).map(|nth| format!("{} {} {nth}", capital(word(nth % 60)), capital(word(100 + nth % 47)))).collect()
}

/// A form with a text field that searches like this; empty, it lets everything through, or nothing.
fn searched(count: usize, empty: bool, beside: &str, fits: &dyn Fn(&str, &str) -> bool) -> (Closing, usize, usize) {
    let form = format!("<form><label>Name <input type=search name=q></label>{beside}<input type=submit></form>");
    let all = two_words(count);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.clone();
        }
        let word = asked.0.iter().find(|(name, _)| name == "q").map_or("", |(_, value)| value.as_str());
        let is_found = |(nth, name): &(usize, &String)| {
            let shown = if word.is_empty() { empty } else { fits(name, word) };
            shown && asked.one("kind").is_none_or(|kind| nth % 2 == kind)
        };
        let found: Vec<String> = all.iter().enumerate().filter(is_found).map(|(_, name)| name.clone()).collect();
        if found.is_empty() { format!("{form}<p>No records found.</p>") } else { listed(&found, asked, 40, &form) }
    };
    let (closing, names, asked) = gather(&site);
    (closing, names.len(), asked.len())
}

fn is_word(name: &str, word: &str) -> bool {
    name.to_lowercase().split(' ').any(|own| own == word.to_lowercase())
}

fn is_part(name: &str, word: &str) -> bool {
    name.to_lowercase().contains(&word.to_lowercase())
}

fn is_beginning(name: &str, word: &str) -> bool {
    name.to_lowercase().starts_with(&word.to_lowercase())
}

fn is_exact_beginning(name: &str, word: &str) -> bool {
    name.starts_with(word)
}

/// How a text field searches: what is found of a text for a word.
type Fits = fn(&str, &str) -> bool;

#[test]
fn texts_are_searched_by_the_words_of_the_records_found() {
    let list = "<select name=kind><option value=''>any<option value=0>zero<option value=1>one</select>";
    let ways: [(&str, Fits, bool); 5] = [
        ("words", is_word, true),
        ("parts", is_part, true),
        ("parts", is_part, false),
        ("beginnings", is_beginning, true),
        ("exact beginnings", is_exact_beginning, true),
    ];
    for (way, fits, empty) in ways {
        for beside in ["", list] {
            let (closing, found, asked) = searched(300, empty, beside, &fits);
            assert!(!closing.certified || found == 300, "{way}: {found} {closing:?}");
            assert!(found >= 270, "{way} {beside}: {found} in {asked} {closing:?}");
            assert!(asked <= 300, "{way} {beside}: {asked}");
        }
    }
}

/// A form with a token for one question, which a new form ends.
#[test]
fn a_token_is_used_before_the_next_form_is_asked_for() {
    let all = named(43);
    let (given, used) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
    let site = |asked: &Asked| {
        let token = asked.0.iter().find(|(name, _)| name == "ticket").and_then(|(_, value)| value.parse().ok());
        let Some(token): Option<usize> = token else {
            given.set(given.get() + 1);
            return format!(
                "<form><input type=hidden name=ticket value={}><select name=kind><option value=''>any<option value=0>zero\
                 <option value=1>one</select><input type=submit></form>",
                given.get()
            );
        };
        // Once for the first page; further pages go with the question.
        if token != given.get() || (asked.one("page").is_none() && used.replace(token) == token) {
            return "<h1>Error</h1><p>Your session has expired.</p>".to_owned();
        }
        let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
        let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, 30, "")
    };
    let (closing, names, _) = gather(&site);
    assert!(closing.certified && names.len() == 43, "{} {closing:?}", names.len());
}
