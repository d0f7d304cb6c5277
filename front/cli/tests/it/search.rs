//! `groma search` and `groma index`: what is found, in which form, and what happens to an index that does not fit.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_store::Folder;
use groma_store::gathers::{Harvest, NewGather, RecordRow};
use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::crawl::FAST;
use crate::{Desk, exists, is_on_server};

/// A small harbour: a page in German, a text file, a page that changes with the season.
pub(crate) fn harbour(season: &Arc<AtomicU64>) -> Server {
    let season = Arc::clone(season);
    Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html(
            "<html lang=en><title>Harbour</title><h1>The old harbour</h1><p>Everything about the harbour and its keeper, \
             whoever comes by land or by water.<p><a href=/tides.html>tide tables</a> <a href=/boats.html>boats</a> \
             <a href=/hafen.html>deutsch</a> <a href=/log.txt>log</a>",
        ),
        "/tides.html" if season.load(Ordering::Relaxed) == 0 => Answer::html(
            "<html lang=en><title>Tides</title><h1>High water</h1><p>The lighthouse keeper writes down the tides of every \
             single day, and the moon does the rest of the work for him.",
        ),
        "/tides.html" => Answer::html(
            "<html lang=en><title>Tides</title><h1>High water</h1><p>Nobody writes anything down any more: a walrus sleeps \
             where the old man used to stand with his pencil.",
        ),
        "/boats.html" => Answer::html(
            "<html lang=en><title>Boats &lt;and&gt; ships</title><h1>Boats</h1><p>Rowing boats lie beside the lighthouse; \
             the keeper of the boats wants to be paid in advance.",
        ),
        "/hafen.html" => Answer::html(
            "<html lang=de><title>Der Hafen</title><h1>Der Hafen</h1><p>Der Leuchtturm steht seit vielen Jahren neben den \
             Booten, und die Fischer kommen jeden Morgen zurück.",
        ),
        "/log.txt" => Answer::text("A log of the harbour: nothing happened on that day, and nothing on the next."),
        _ => Answer::status(404),
    })
}

/// A harbour that was surveyed as `s.groma`.
pub(crate) fn surveyed() -> (Desk, Server, Arc<AtomicU64>) {
    let season = Arc::new(AtomicU64::new(0));
    let (desk, server) = (Desk::new(), harbour(&season));
    let done = desk.run(&[&["crawl", &server.base(), "--store", "s.groma"], &FAST[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    (desk, server, season)
}

fn paths(rows: &[Value], server: &Server) -> Vec<String> {
    rows.iter()
        .map(|row| row["url"].as_str().expect("as the test was set up").replacen(&server.base(), "", 1))
        .collect()
}

#[test]
fn pages_are_found_in_every_form_and_the_index_comes_by_itself() {
    let (desk, server, _) = surveyed();
    assert!(!exists(&desk.path.join("s.groma"), "index"));
    let text = desk.run(&["search", "rowing", "lighthouse"]);
    assert_eq!(text.code, 0, "{}", text.err);
    let lines: Vec<&str> = text.out.lines().collect();
    assert_eq!(lines[0].trim(), "1. Boats <and> ships");
    assert_eq!(lines[1].trim(), format!("{}/boats.html", server.base()));
    assert!(lines[2].contains("Rowing boats lie beside the lighthouse"), "{}", text.out);
    assert_eq!(lines.last().unwrap(), &"1 to 1 of 1 page");
    assert!(exists(&desk.path.join("s.groma"), "index"));

    let row = desk.json(&["search", "rowing", "-f", "json"]).remove(0);
    assert_eq!((&row["title"], &row["kind"]), (&"Boats <and> ships".into(), &"page".into()));
    assert!(row["score"].as_f64().unwrap() > 0.0 && row["snippet"].as_str().unwrap().contains("Rowing"), "{row}");
    let csv = desk.run(&["search", "rowing", "-f", "csv"]).out;
    assert!(csv.starts_with("url,title,score,snippet,kind,"), "{csv}");
    assert_eq!(csv.lines().count(), 2);
    desk.run(&["search", "rowing", "-f", "json", "-o", "found.json"]);
    assert!(std::fs::read_to_string(desk.path.join("found.json")).unwrap().contains("/boats.html"));
}

#[test]
fn filters_narrow_and_hits_are_paged() {
    let (desk, server, _) = surveyed();
    let found = |question: &str| paths(&desk.json(&["search", "-f", "json", "--", question]), &server);
    let sorted = |question: &str| {
        let mut paths = found(question);
        paths.sort();
        paths
    };
    assert_eq!(sorted("keeper"), ["/", "/boats.html", "/tides.html"]);
    assert_eq!(found("\"lighthouse keeper\""), ["/tides.html"]);
    assert_eq!(sorted("keeper -lighthouse"), ["/"]);
    assert_eq!(found("title:tides"), ["/tides.html"]);
    assert_eq!(found("harbour type:text"), ["/log.txt"]);
    assert_eq!(found("lang:de"), ["/hafen.html"]);
    assert_eq!(found("leuchttürme"), ["/hafen.html"], "German words are taken by their stems");
    assert_eq!(sorted("keeper site:127.0.0.1").len(), 3);
    assert!(found("keeper site:elsewhere.example").is_empty());
    assert!(found("keeper before:2001").is_empty());
    let all = found("keeper");
    let page = |skip: &str| paths(&desk.json(&["search", "keeper", "-f", "json", "-n", "1", "--skip", skip]), &server);
    assert_eq!([page("0"), page("1"), page("2"), page("3")].concat(), all);
    let facets = desk.json(&["search", "keeper", "-f", "json", "--facets", "-n", "0"]).pop().unwrap();
    assert_eq!((&facets["total"], &facets["facets"]["languages"][0]["count"]), (&3.into(), &3.into()));
    assert!(desk.run(&["search", "keeper", "--facets"]).out.contains("by language"));
}

#[test]
fn a_misspelt_word_is_pointed_out_beside_the_output() {
    let (desk, _server, _) = surveyed();
    let done = desk.run(&["search", "lighthuose"]);
    assert_eq!((done.code, done.out.trim()), (0, "No results for \"lighthuose\""), "{}", done.err);
    assert!(done.err.contains("note: did you mean: lighthouse\n"), "{}", done.err);
    assert!(desk.json(&["search", "lighthuose", "-f", "json"]).is_empty());
    let some = desk.run(&["search", "rowing", "walrus"]);
    assert!(some.err.contains("no page has all the words") && some.out.contains("Boats"), "{} {}", some.out, some.err);
}

#[test]
fn the_index_follows_the_survey() {
    let (desk, server, season) = surveyed();
    let first = desk.json(&["index", "-q", "-f", "json"]).remove(0);
    assert_eq!((&first["written"], &first["removed"], &first["pages"]), (&5.into(), &0.into(), &5.into()));
    assert_eq!(desk.json(&["index", "-q", "-f", "json"]).remove(0)["written"], 0, "nothing is new");
    assert!(desk.run(&["search", "walrus"]).out.contains("No results for"));

    season.store(1, Ordering::Relaxed);
    assert_eq!(desk.run(&["update", "--store", "s.groma"]).code, 0);
    assert!(desk.json(&["search", "walrus", "-f", "json", "--as-is"]).is_empty(), "as it was");
    assert_eq!(paths(&desk.json(&["search", "walrus", "-f", "json"]), &server), ["/tides.html"]);
    assert!(desk.json(&["search", "moon", "-f", "json"]).is_empty(), "the old text is gone");
    let anew = desk.run(&["index", "--rebuild", "-q"]);
    assert_eq!((anew.code, anew.out.trim()), (0, "5 pages in the index: 5 written, 0 removed"), "{}", anew.err);
    assert_eq!(desk.run(&["verify"]).code, 0);
}

#[test]
fn several_surveys_answer_together() {
    let (desk, server, season) = surveyed();
    let other = harbour(&season);
    assert_eq!(desk.run(&[&["crawl", &other.base(), "--store", "t.groma"], &FAST[..]].concat()).code, 0);
    let both = desk.json(&["search", "rowing", "-f", "json"]);
    assert_eq!(both.len(), 2);
    let one = desk.json(&["search", "rowing", "-f", "json", "--store", "t.groma"]);
    assert_eq!(paths(&one, &other), ["/boats.html"]);
    let named = desk.json(&["search", "rowing", "-f", "json", "--store", "s.groma", "--store", "t.groma"]);
    assert_eq!(named.len(), 2);
    assert!(named.iter().any(|row| row["url"].as_str().unwrap().starts_with(&server.base())));
}

#[test]
fn whatever_is_asked_there_is_an_answer_and_mistakes_are_told() {
    if is_on_server() {
        return;
    }
    let (desk, _server, _) = surveyed();
    for question in ["\"", "-", "((", "site:", "title:\"", "a OR", "*", "🦭", "lang:xx in:nowhere", "after:never x"] {
        let done = desk.run(&["search", "--", question]);
        assert_eq!(done.code, 0, "{question}: {}", done.err);
    }
    assert!(desk.run(&["search", "in:nowhere harbour"]).err.contains("there is no section `nowhere`"));
    assert!(desk.run(&["search", "after:someday harbour"]).err.contains("is no date"));
    let empty = Desk::new();
    empty.run(&["search", "x"]).is_mistake("there is no survey");
    empty.run(&["search", "x", "--store", "absent.groma"]).is_mistake("absent.groma");
    empty.run(&["index"]).is_mistake("there is no survey");
    empty.run(&["search"]).is_mistake("WORDS");
    desk.run(&["search", "x", "-s", "search.nonsense=1"]).is_mistake("search.nonsense");
}

#[test]
fn records_of_databases_are_found_beside_pages() {
    let (desk, server, _) = surveyed();
    let form = format!("{}/boats.html", server.base());
    assert!(desk.json(&["search", "schooner", "-f", "json"]).is_empty());
    let mut gathers = Folder::new(desk.path.join("s.groma")).gathers().unwrap();
    let new = NewGather { key: "k".into(), address: form.clone(), asked: "{}".into(), at: 1 };
    let id = gathers.begin(&new).unwrap().id;
    let values = r#"[["number","17"],["name","Schooner \u001b[31mAlba"],["berth","lighthouse quay"]]"#;
    let link = format!("{}/boat?17", server.base());
    let record = RecordRow { place: 0, values: values.into(), link: link.clone(), question: "all".into() };
    let found =
        Harvest { form: Some(form.clone()), title: Some("Boats".into()), records: vec![record], ..Harvest::default() };
    assert!(gathers.add(id, &found).unwrap());
    assert!(gathers.end(id, "certified", "{}", 2).unwrap());

    assert!(desk.json(&["search", "schooner", "-f", "json", "--as-is"]).is_empty(), "as it was");
    let row = desk.json(&["search", "schooner", "-f", "json"]).remove(0);
    assert_eq!((&row["kind"], &row["form"], &row["database"]), (&"record".into(), &form.into(), &"Boats".into()));
    assert_eq!((&row["url"], &row["snippet"]), (&link.into(), &"number: 17 · berth: lighthouse quay".into()));
    let both = desk.json(&["search", "lighthouse", "-f", "json"]);
    let of = |kind: &str| both.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!((of("page"), of("record")), (2, 1));
    let only = desk.json(&["search", "lighthouse", "type:record", "-f", "json"]);
    assert_eq!(only.len(), 1);
    let text = desk.run(&["search", "schooner"]).out;
    assert!(text.contains("a record of Boats, behind ") && text.contains("1 to 1 of 1 page or record"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let csv = desk.run(&["search", "schooner", "-f", "csv"]).out;
    assert!(csv.lines().next().unwrap().ends_with(",form,database") && csv.contains(",Boats"), "{csv}");
    let again = desk.json(&["index", "-q", "-f", "json"]).remove(0);
    assert_eq!((&again["written"], &again["records"], &again["left_out"]), (&0.into(), &1.into(), &0.into()));
    assert_eq!(desk.run(&["verify"]).code, 0);
    assert!(gathers.forget(id).unwrap());
    assert!(desk.json(&["search", "schooner", "-f", "json"]).is_empty(), "it is forgotten");
    assert_eq!(desk.run(&["verify"]).code, 0);
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("as the test was set up").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn an_index_that_disagrees_is_reported_and_can_be_made_anew() {
    let (desk, _server, season) = surveyed();
    let complaints = || -> Vec<String> {
        let done = desk.run(&["verify", "-f", "json", "--store", "s.groma"]);
        let list = done.json().remove(0)["errors"].clone();
        let list: Vec<String> = list.as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect();
        assert_eq!(done.code, i32::from(!list.is_empty()), "{}", done.out);
        list
    };
    assert_eq!(desk.run(&["index", "-q", "--store", "s.groma"]).code, 0);
    assert!(complaints().is_empty());

    // A bit is turned over in the largest file of the index.
    let index = desk.path.join("s.groma/index");
    let largest = files(&index).into_iter().max_by_key(|path| path.metadata().unwrap().len()).unwrap();
    let mut bytes = std::fs::read(&largest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&largest, bytes).unwrap();
    assert!(!complaints().is_empty(), "{}", largest.display());
    assert_eq!(desk.run(&["index", "--rebuild", "-q", "--store", "s.groma"]).code, 0);
    assert!(complaints().is_empty());

    // The index of another survey.
    let other = harbour(&season);
    assert_eq!(desk.run(&[&["crawl", &other.base(), "--store", "t.groma"], &FAST[..]].concat()).code, 0);
    assert_eq!(desk.run(&["index", "-q", "--store", "t.groma"]).code, 0);
    std::fs::remove_dir_all(&index).unwrap();
    std::fs::rename(desk.path.join("t.groma/index"), &index).unwrap();
    let said = complaints();
    assert!(said.iter().any(|line| line.contains("another survey")), "{said:?}");
    let found = desk.json(&["search", "rowing", "-f", "json", "--store", "s.groma"]);
    assert_eq!(found.len(), 1, "whatever lay there, the survey is what is searched");
}
