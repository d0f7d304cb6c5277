//! Whole gatherings of databases that are a function of the question.

use std::collections::{BTreeSet, VecDeque};

use groma_model::{Reason, Request};
use url::Url;

use super::{Closing, Forms, Settings};
use crate::{Answer, Ask, AskPlan, Asker};

const START: &str = "http://forms.test/";

/// Asks until the end. `site` answers to what stands behind the `?`, page by page.
fn gather(site: &dyn Fn(&Asked) -> String) -> (Closing, BTreeSet<String>, Vec<String>) {
    let mut forms = Forms::new(Settings::new(Url::parse(START).expect("an address")));
    let mut plan = AskPlan::default();
    forms.begin(&mut plan);
    let (mut names, mut asked) = (BTreeSet::new(), Vec::new());
    let mut waiting = VecDeque::new();
    loop {
        waiting.extend(plan.asks.drain(..));
        let Some(Ask { key, request, .. }) = waiting.pop_front() else { break };
        assert!(asked.len() < 2_000, "no end of questions: {asked:?}");
        let body = site(&Asked::by(&request));
        asked.push(request.url.to_string());
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

struct Asked(Vec<(String, String)>);

impl Asked {
    fn by(request: &Request) -> Asked {
        Asked(request.url.query_pairs().into_owned().collect())
    }

    fn all(&self, name: &str) -> Vec<usize> {
        let own = self.0.iter().filter(|(other, value)| other == name && !value.is_empty());
        own.filter_map(|(_, value)| value.parse().ok()).collect()
    }

    fn one(&self, name: &str) -> Option<usize> {
        self.all(name).first().copied()
    }
}

/// Ten a page of at most `limit`, with numbers for pages as people know them.
fn listed(found: &[String], asked: &Asked, limit: usize, head: &str) -> String {
    let page = asked.one("page").unwrap_or(1).max(1);
    let shown = &found[..found.len().min(limit)];
    let rows: String = shown.iter().skip((page - 1) * 10).take(10).map(|name| format!("<li>{name}</li>")).collect();
    let link = |nth: usize| {
        let mut pairs: Vec<String> =
            asked.0.iter().filter(|(name, _)| name != "page").map(|(name, value)| format!("{name}={value}")).collect();
        pairs.push(format!("page={nth}"));
        if nth == page { format!(" {nth} ") } else { format!(" <a href=\"?{}\">{nth}</a> ", pairs.join("&amp;")) }
    };
    let pages: String = (1..=shown.len().div_ceil(10)).map(link).collect();
    format!("{head}<p>{} records found</p><ul>{rows}</ul><p>{pages}</p>", found.len())
}

fn named(count: usize) -> Vec<String> {
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
    // One by one it would be 31 questions.
    assert!(closing.questions <= 20, "{closing:?}");
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

/// A form with one more control beside its list; with the list as it stands everything comes out.
fn beside(control: &str) -> Closing {
    let form = format!(
        "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select>\
         <input type=submit value=Search>{control}</form>"
    );
    let all = named(40);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.clone();
        }
        let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
        let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, 30, &form)
    };
    let (closing, names, _) = gather(&site);
    assert_eq!(names.len(), 40, "{control} {closing:?}");
    closing
}

#[test]
fn a_control_that_was_not_varied_takes_the_certificate_away_and_is_named() {
    for (control, named) in [
        ("<label><input type=checkbox name=archived>Include archived</label>", "check box Include archived"),
        ("<label><input type=checkbox name=a value=1 checked>Only open</label>", "check box Only open"),
        ("<input type=radio name=old value=1 aria-label='With old ones'>", "radio buttons With old ones"),
        (
            "<label>State <select name=state><option value=''>Current<option value=all>All</select></label>",
            "list State",
        ),
        ("<label>Lang <select name=lang><option>en<option>de</select></label>", "list Lang"),
        ("<label>Year <input name=year value=2024></label>", "field Year"),
        ("<label>Town <input name=town required></label>", "field Town"),
        ("<label>Words <input type=search name=w></label>", "field Words"),
        ("<label>Look for <input name=q></label>", "field Look for"),
        ("<label>Price <input type=range name=p min=0 max=9></label>", "field Price"),
        ("<input type=submit name=scope value='Search archive'>", "button Search archive"),
        ("<button formaction=/archive>Archive</button>", "button"),
        ("<label>More <select multiple name=m><option>x<option>y</select></label>", "list More"),
    ] {
        let closing = beside(control);
        assert!(!closing.certified, "{control}: {closing:?}");
        let says = |reason: &&String| reason.contains(named) && reason.contains("not varied");
        assert_eq!(closing.reasons.iter().filter(says).count(), 1, "{control}: {:?}", closing.reasons);
    }
}

#[test]
fn what_is_no_condition_does_not_take_it_away() {
    for control in [
        "",
        "<input type=hidden name=token value=x>",
        "<input type=checkbox disabled name=archived>",
        "<input type=checkbox>",
        "<select name=sort><option>name<option>size</select>",
        "<select name=per_page><option>10<option>50</select>",
        "<label>Town <input name=town></label>",
        "<input name=year value=2024 readonly>",
        "<select name=only><option>one</select>",
        "<input type=submit value='Search, too'>",
        "<input type=reset value=Clear>",
        "<label>State <select name=state><option value=''>State<option value=1>x<option value=2>y</select></label>",
        "<label>State <select name=state><option value=''>indifférent<option value=1>x<option value=2>y</select></label>",
    ] {
        let closing = beside(control);
        assert!(closing.certified, "{control}: {closing:?}");
    }
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
