//! How pages are read and records known again, on whole gatherings: what is read in two ways, or not at all, is not certified.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};

use groma_model::Reason;
use groma_url::Url;

use super::tests::{Asked, listed, named};
use super::{Closing, Forms, Record, Settings};
use crate::{Answer, Ask, AskPlan, Asker};

const START: &str = "http://forms.test/";
const KINDS: &str = "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select><input type=submit></form>";
const CLOSED: &str = "<form><label><input type=radio name=kind value=0 checked>zero</label><label><input type=radio name=kind value=1>one</label>\
     <select name=color><option value=''>any<option value=0>red<option value=1>blue</select><input type=submit></form>";

/// What a site sends: a page, and where it comes from if it is not what was asked for.
struct Sent {
    body: String,
    address: Option<&'static str>,
}

impl From<String> for Sent {
    fn from(body: String) -> Sent {
        Sent { body, address: None }
    }
}

/// Asks until the end; each question that is asked for a second time under the same key gets its old answer.
fn gather(site: &dyn Fn(&Asked) -> Sent) -> (Closing, Vec<Record>, Vec<String>) {
    let mut forms = Forms::new(Settings::new(Url::parse(START).expect("a URL")));
    let mut plan = AskPlan::default();
    forms.begin(&mut plan);
    let (mut records, mut asked, mut waiting) = (Vec::new(), Vec::new(), VecDeque::new());
    let mut known = std::collections::HashMap::new();
    loop {
        waiting.extend(plan.asks.drain(..));
        let Some(Ask { key, request, .. }) = waiting.pop_front() else { break };
        assert!(asked.len() < 2_000, "no end of questions: {asked:?}");
        let sent: &Sent = known.entry(key.clone()).or_insert_with(|| {
            asked.push(request.url.to_string());
            site(&Asked::by(&request))
        });
        let answer = Answer {
            key: &key,
            reason: Reason::Fetched,
            status: 200,
            address: sent.address.unwrap_or(request.url.as_str()),
            media_type: "text/html",
            charset: Some("utf-8"),
            body: sent.body.as_bytes(),
            cut: false,
            unchanged: false,
        };
        forms.answer(&answer, &mut plan);
        records.extend(forms.news().records);
    }
    (forms.closing(), records, asked)
}

/// The names that came out.
fn names(records: &[Record]) -> BTreeSet<&str> {
    records.iter().filter_map(|record| record.values.iter().map(|(_, value)| value.as_str()).find(is_name)).collect()
}

fn is_name(value: &&str) -> bool {
    value.starts_with("Record")
}

fn of_kind(all: &[String], asked: &Asked) -> Vec<String> {
    let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind);
    all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect()
}

#[test]
fn a_record_is_known_again_wherever_it_stands_in_a_list() {
    let all = named(60);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return KINDS.to_owned().into();
        }
        let found = of_kind(&all, asked);
        let kind = asked.one("kind").map_or("any".to_owned(), |kind| kind.to_string());
        let row = |(nth, name): (usize, &String)| {
            let id = all.iter().position(|own| own == name).unwrap_or(0);
            format!(
                "{}@@<a href='/item/{id}?pos={}&amp;back=%2F%3Fkind%3D{kind}'>{name}</a>@@{} %",
                nth + 1,
                nth + 1,
                99 - nth
            )
        };
        // Table rows, with the place in front and a score behind.
        let rows: Vec<String> = found.iter().enumerate().map(row).collect();
        let page = listed(&rows, asked, 45, KINDS);
        let page = page.replace("<ul>", "<table>").replace("</ul>", "</table>");
        page.replace("<li>", "<tr><td>").replace("</li>", "</tr>").replace("@@", "<td>").into()
    };
    let (closing, records, _) = gather(&site);
    assert_eq!((names(&records).len(), records.len()), (60, 60), "{closing:?}");
    assert!(closing.certified, "{closing:?}");
}

#[test]
fn a_page_like_the_one_before_is_not_the_end_of_a_list() {
    // The list of the second kind begins with ten that have no name, and is shorter than the other one.
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return CLOSED.to_owned().into();
        }
        let kind = asked.one("kind").unwrap_or(0);
        let fits = |nth: &usize| asked.one("color").is_none_or(|color| nth % 2 == color);
        let name =
            |nth: usize| if kind == 1 && nth < 10 { "Untitled".to_owned() } else { format!("Record {kind} {nth}") };
        let most = if kind == 1 { 31 } else { 47 };
        let found: Vec<String> = (0..most).filter(fits).map(name).collect();
        let page = asked.one("page").unwrap_or(1).max(1);
        let rows: String = found.iter().skip((page - 1) * 5).take(5).map(|name| format!("<li>{name}</li>")).collect();
        let pairs: Vec<String> =
            ["kind", "color"].iter().filter_map(|name| Some(format!("{name}={}", asked.one(name)?))).collect();
        let next = format!("<a href='?{}&amp;page={}'>Next</a>", pairs.join("&amp;"), page + 1);
        let next = if page * 5 < found.len() { next } else { String::new() };
        format!("{CLOSED}<ul>{rows}</ul>{next}").into()
    };
    let (closing, records, _) = gather(&site);
    assert_eq!(names(&records).len(), 47 + 21, "{closing:?}");
    assert!(!closing.certified, "nobody can count records that look alike: {closing:?}");
}

#[test]
fn rows_that_the_rules_do_not_read_forbid_a_certificate_without_totals() {
    for (last, certified) in
        [("<tr><td>Record x<td>Binz<td>1</tr>", true), ("<tr><td colspan=3>Record x, see catalogue</tr>", false)]
    {
        let site = |asked: &Asked| {
            if asked.0.is_empty() {
                return CLOSED.to_owned().into();
            }
            let kind = asked.one("kind").unwrap_or(0);
            let fits = |nth: &usize| asked.one("color").is_none_or(|color| nth % 2 == color);
            let most = if kind == 0 { 17 } else { 33 };
            let rows: String = (0..most)
                .filter(fits)
                .map(|nth| format!("<tr><td>Record {kind} {nth}<td>Place {}<td>{nth}</tr>", nth % 7))
                .collect();
            let last = last.replace('x', &format!("{kind} {:?}", asked.one("color")));
            format!("{CLOSED}<table><tr><th>Name<th>Place<th>No.</tr>{rows}{last}</table>").into()
        };
        let (closing, _, _) = gather(&site);
        assert!(!closing.certified || certified, "{closing:?}");
        let is_named = closing.reasons.iter().any(|reason| reason.contains("could not be read"));
        assert_eq!(is_named, !certified, "{closing:?}");
    }
}

#[test]
fn a_site_that_remembers_the_last_question_is_asked_one_at_a_time() {
    let all = named(60);
    let last: RefCell<Option<usize>> = RefCell::new(None);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return KINDS.to_owned().into();
        }
        if asked.0.iter().any(|(name, _)| name == "kind") {
            *last.borrow_mut() = asked.one("kind");
        }
        let kind = *last.borrow();
        let mut pairs: Vec<(String, String)> = kind.iter().map(|kind| ("kind".to_owned(), kind.to_string())).collect();
        pairs.extend(asked.0.iter().filter(|(name, _)| name == "page").cloned());
        let question = Asked(pairs, true);
        let found = of_kind(&all, &question);
        let page = listed(&found, &question, 45, KINDS);
        // Ways to further pages say their number alone.
        page.replace("kind=0&amp;", "").replace("kind=1&amp;", "").into()
    };
    let (closing, records, _) = gather(&site);
    assert_eq!((names(&records).len(), records.len()), (60, 60), "{closing:?}");
    assert!(closing.certified, "{closing:?}");
}

#[test]
fn a_bad_page_in_the_middle_of_a_list_is_asked_for_once_more() {
    let all = named(60);
    let count = Cell::new(0);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return KINDS.to_owned().into();
        }
        if asked.one("page") == Some(2) {
            count.set(count.get() + 1);
            if count.get() % 2 == 1 {
                return "<h1>Error</h1><p>An internal error occurred. Please try again later.</p>".to_owned().into();
            }
        }
        listed(&of_kind(&all, asked), asked, 45, KINDS).into()
    };
    let (closing, records, _) = gather(&site);
    assert!(closing.certified && names(&records).len() == 60, "{} {closing:?}", records.len());
}

#[test]
fn a_single_hit_that_leads_to_its_own_page_is_that_record() {
    let form = "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select></form>";
    let all = named(46);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.to_owned().into();
        }
        let is_one = |nth: usize| if nth == 45 { 1 } else { 0 };
        let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| is_one(*nth) == kind);
        let found: Vec<(usize, &String)> = all.iter().enumerate().filter(fits).collect();
        if let [(_, name)] = found[..] {
            let body =
                format!("<title>{name}</title><h1>{name}</h1><p>Its whole story, with all that belongs to it.</p>");
            return Sent { body, address: Some("http://forms.test/item/45") };
        }
        let rows: Vec<String> =
            found.iter().map(|(nth, name)| format!("<a href='/item/{nth}'>{name}</a> of {nth}")).collect();
        listed(&rows, asked, 45, form).into()
    };
    let (closing, records, _) = gather(&site);
    assert_eq!((names(&records).len(), records.len()), (46, 46), "{closing:?}");
    assert!(closing.certified, "{closing:?}");
}

#[test]
fn a_trial_whose_first_page_shows_the_same_whatever_is_asked_is_read_further() {
    let form = KINDS.replace(
        "<input type=submit>",
        "<label><input type=checkbox name=old>Archive instead</label><input type=submit>",
    );
    let (all, old) = (named(60), (0..40).map(|nth| format!("Record old {nth}")).collect::<Vec<String>>());
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.clone().into();
        }
        let is_old = asked.0.iter().any(|(name, _)| name == "old");
        // Ten are shown first in any case.
        let chosen = if is_old { &old[..] } else { &all[10..] };
        let found: Vec<String> = all[..10].iter().chain(of_kind(chosen, asked).iter()).cloned().collect();
        listed(&found, asked, 1000, &form).into()
    };
    let (closing, records, _) = gather(&site);
    assert!(!closing.certified || names(&records).len() == 100, "{} {closing:?}", records.len());
}
