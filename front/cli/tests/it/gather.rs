//! Databases behind forms, from outside: on real forms over real tables, whose truth is known.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use groma_forms::{Cell, Method, Options, Paging, Running, Site, SiteKind, Totals, Truth};
use serde_json::Value;

use crate::summarize::Serving;
use crate::{Desk, Done};

const NO_DELAY: [&str; 2] = ["-s", "delay=0"];

fn gather<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["gather", url, "--store", "d.groma", "-q"], &NO_DELAY[..], more].concat()
}

fn fine(done: Done) -> Done {
    assert_eq!(done.code, 0, "{} {}", done.out, done.err);
    done
}

/// Gathers a database, and reads the one object that comes of it.
fn whole(desk: &Desk, url: &str, more: &[&str]) -> Value {
    let done = fine(desk.run(&gather(url, &[&["-f", "json"], more].concat())));
    done.json().remove(0)
}

fn values(object: &Value, attribute: &str) -> BTreeSet<String> {
    let list =
        object["values"][attribute].as_array().unwrap_or_else(|| panic!("no {attribute} in {}", object["values"]));
    list.iter().map(|value| value.as_str().expect("a text").to_owned()).collect()
}

fn truth_of(truth: &[Truth], column: &str) -> BTreeSet<String> {
    let text = |row: &Truth| match row.value(column) {
        Some(Cell::Text(text)) => Some(text.clone()),
        _ => None,
    };
    truth.iter().filter_map(text).collect()
}

/// A smaller set of campsites than the whole, for debug builds.
fn campsites(rows: usize) -> Options {
    Options { rows: Some(rows), k: 50, page: 10, ..Options::new(SiteKind::Campsites) }
}

#[test]
fn a_cut_list_comes_out_whole_and_certified() {
    let site = Site::start(&campsites(1_200)).unwrap();
    let desk = Desk::new();
    let object = whole(&desk, &site.form(), &[]);
    let statement = &object["statement"];
    assert_eq!((&statement["certified"], &statement["end"]), (&true.into(), &"certified".into()), "{statement}");
    assert_eq!(statement["rows"], 1_200);
    assert_eq!(object["rows"].as_array().unwrap().len(), 1_200);
    assert_eq!(values(&object, "Name"), truth_of(&site.truth(), "name"));
    // 120 pages are the least. Trials of the controls come on top of the 1.6 times that questions may take.
    let pages = statement["pages"].as_u64().unwrap();
    assert!(pages <= 240 && statement["least_pages"] == 120, "{statement}");
    // To three trials of the hidden field the form itself comes back.
    assert!(statement["requests"].as_u64().unwrap() <= pages + 3 + 3);
    assert_eq!(
        site.total() - site.asked().get("/robots.txt").copied().unwrap_or(0),
        statement["requests"].as_u64().unwrap()
    );
}

#[test]
fn the_papers_method_finds_less_and_says_so() {
    let site = Site::start(&campsites(1_200)).unwrap();
    let desk = Desk::new();
    desk.write("names.txt", "DB.QueryElement: name\nDB.QueryElement.name: [A-Z]%\n");
    let object = whole(&desk, &site.form(), &["--how", "paper", "--describe", "names.txt"]);
    let statement = &object["statement"];
    assert_eq!((&statement["certified"], &statement["queries"]), (&false.into(), &26.into()), "{statement}");
    let rows = statement["rows"].as_u64().unwrap();
    assert!(rows > 100 && rows < 1_000, "{statement}");
}

#[test]
fn the_papers_site_gives_exactly_its_regions_places_and_hotels() {
    let site = Site::start(&Options::new(SiteKind::CityWorld)).unwrap();
    let desk = Desk::new();
    let object = whole(&desk, &site.form(), &[]);
    let truth = site.truth();
    for attribute in ["region", "ort", "name"] {
        assert_eq!(values(&object, attribute), truth_of(&truth, attribute), "{attribute}");
    }
    assert_eq!(object["statement"]["degree"], "described");
}

/// Nothing says which place belongs to which hotel: places and regions are found all the same, each database once.
#[test]
fn every_attribute_of_the_papers_site_is_searchable() {
    let site = Site::start(&Options::new(SiteKind::CityWorld)).unwrap();
    let desk = Desk::new();
    let hits = |question: &str| -> Vec<Value> {
        fine(desk.run(&["search", question, "--store", "d.groma", "-f", "json"])).json()
    };
    let first = |attribute: &str| truth_of(&site.truth(), attribute).into_iter().next().expect("a value");
    for _ in 0..2 {
        whole(&desk, &site.form(), &[]);
        for attribute in ["region", "ort", "name"] {
            let value = first(attribute);
            let found = hits(&format!("\"{value}\""));
            assert!(found.iter().any(|hit| hit["kind"] == "record"), "{attribute} {value}: {found:?}");
        }
    }
    // However often it was gathered, and by whichever way.
    let once = hits(&format!("\"{}\"", first("ort"))).len();
    whole(&desk, &site.form(), &["--how", "paper"]);
    assert_eq!(hits(&format!("\"{}\"", first("ort"))).len(), once);
}

#[test]
fn a_summarizer_costs_two_requests_and_one_when_nothing_is_new() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path.join("documents")).unwrap();
    let database = desk.path.join("hotels.db");
    let _maker =
        Site::build(&Options { database: Some(database.clone()), ..Options::new(SiteKind::CityWorld) }).unwrap();
    let tables = "Table: hotel\nAttribute: name\nAttribute: ort\nTable: region\nAttribute: region\n";
    desk.write("documents/hotel.dbcontent", &format!("URL: http://127.0.0.1/\nTitle: Hotels\n{tables}"));
    let source = format!("sqlite:{}", database.display());
    let words = ["summarize", "serve", "--config", "documents", "--database", &source, "--listen", "127.0.0.1:0"];
    let serving = Serving::start(&desk, &words);
    let summarizer = Some(format!("http://{}/", serving.at));
    let site = Site::start(&Options { summarizer, ..Options::new(SiteKind::CityWorld) }).unwrap();
    let document = format!("{}/hotel.dbcontent", site.base().trim_end_matches('/'));
    // It is another service of this machine: whoever wants it asked names it.
    let at = serving.at.to_string();
    let own = ["--own", at.as_str()];
    Desk::new().run(&gather(&document, &[])).is_mistake("private address");
    let first = whole(&desk, &document, &own);
    assert_eq!(first["statement"]["requests"], 2, "{}", first["statement"]);
    assert_eq!(values(&first, "name"), truth_of(&site.truth(), "name"));
    for _ in 0..2 {
        let again = whole(&desk, &document, &own);
        assert_eq!((&again["statement"]["requests"], &again["statement"]["unchanged"]), (&1.into(), &true.into()));
        assert_eq!(again["values"], first["values"]);
    }
    assert_eq!(site.asked().get("/hotel.dbcontent"), Some(&2), "the document is not asked for again");
}

#[test]
fn a_gathering_that_is_killed_goes_on() {
    let site = Site::start(&campsites(600)).unwrap();
    let desk = Desk::new();
    let form = site.form();
    let args = ["gather", &form, "--store", "d.groma", "-q", "-s", "delay=0.02"];
    for kill in 1..=3 {
        let mut child = desk.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let goal = site.total() + 12 * kill;
        let end = Instant::now() + Duration::from_secs(30);
        while site.total() < goal && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        // SIGKILL: nothing is said and nothing is written any more.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let object = whole(&desk, &form, &[]);
    assert_eq!((&object["statement"]["certified"], &object["statement"]["rows"]), (&true.into(), &600.into()));
    // Kept answers are not asked for again: each kill costs at most what was under way, and robots.txt.
    let kept = object["statement"]["requests"].as_u64().unwrap();
    assert!(site.total() <= kept + 3 * 10, "{} requests for {kept}", site.total());
    fine(desk.run(&["verify", "--store", "d.groma"]));
}

#[test]
fn a_budget_ends_it_and_a_larger_one_goes_on() {
    let site = Site::start(&campsites(400)).unwrap();
    let desk = Desk::new();
    let form = site.form();
    let done = desk.run(&gather(&form, &["--budget", "20", "-f", "json"]));
    assert_eq!(done.code, LIMIT, "{}", done.err);
    let object = done.json().remove(0);
    let statement = &object["statement"];
    assert_eq!((&statement["end"], &statement["certified"]), (&"budget".into(), &false.into()), "{statement}");
    assert!(statement["requests"].as_u64().unwrap() <= 20);
    let object = whole(&desk, &form, &["--budget", "2000"]);
    assert_eq!((&object["statement"]["rows"], &object["statement"]["certified"]), (&400.into(), &true.into()));
}

/// What an unticked box keeps back is found by ticking it, and said.
#[test]
fn a_box_that_keeps_records_back_is_ticked() {
    for k in [0, 50] {
        let site = Site::start(&Options { archived: true, k, ..campsites(200) }).unwrap();
        let desk = Desk::new();
        let object = whole(&desk, &site.form(), &[]);
        let statement = &object["statement"];
        assert_eq!(statement["rows"], 200, "the archived ones, too: {statement}");
        let notes = statement["notes"].as_array().unwrap();
        let named = |note: &Value| note.as_str().unwrap().contains("the check box Include archived brings 200 records");
        assert!(notes.iter().any(named), "{statement}");
    }
}

/// No question is longer than a URL may be.
#[test]
fn questions_that_are_too_long_are_not_asked() {
    let site = Site::start(&campsites(200)).unwrap();
    let desk = Desk::new();
    let most = site.form().len() + 12;
    let done = desk.run(&gather(&site.form(), &["-f", "json", "-s", &format!("limits.url_bytes={most}")]));
    assert!(!done.json().first().is_some_and(|object| object["statement"]["certified"] == true), "{}", done.out);
    // All that the server sees of a question is its path.
    let longest = site.asked().keys().map(|path| site.base().len() + path.len()).max();
    assert!(longest <= Some(most), "{longest:?} of {most}: {:?}", site.asked());
}

/// The exit code of what a limit ended.
const LIMIT: i32 = 4;

#[test]
fn a_plan_costs_a_few_requests_and_names_the_fields() {
    let site = Site::start(&campsites(1_200)).unwrap();
    let desk = Desk::new();
    let object = whole(&desk, &site.form(), &["--plan"]);
    let plan = &object["plan"];
    let names: Vec<&str> =
        plan["fields"].as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Postcode area") && names.contains(&"Latitude"), "{plan}");
    let (least, most) = (plan["pages"][0].as_u64().unwrap(), plan["pages"][1].as_u64().unwrap());
    assert!(least <= 160 && most >= 120, "{plan}");
    assert!(site.total() <= 5, "{}", site.total());
}

#[test]
fn a_form_that_posts_is_sent_only_with_consent_and_with_fresh_tokens() {
    let options =
        Options { method: Method::Post, tokens: true, rows: Some(60), k: 0, ..Options::new(SiteKind::Campsites) };
    let site = Site::start(&options).unwrap();
    let desk = Desk::new();
    let form = site.form();
    let done = desk.run(&gather(&form, &[]));
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("posts") && done.err.contains("hint"), "{}", done.err);
    assert_eq!(site.questions().len(), 0, "nothing was posted");
    let object = whole(&desk, &form, &["--post"]);
    assert_eq!(object["statement"]["rows"], 60, "{}", object["statement"]);
}

#[test]
fn a_site_that_stalls_and_refuses_is_borne() {
    let options = Options { busy: 10, resets: 5, ..campsites(300) };
    let site = Site::start(&options).unwrap();
    let desk = Desk::new();
    let object = whole(&desk, &site.form(), &["-s", "limits.retry_ms=5"]);
    assert_eq!(object["statement"]["rows"], 300, "{}", object["statement"]);
}

#[test]
fn every_way_of_turning_pages_comes_to_the_end() {
    for paging in [Paging::Link, Paging::Numbers, Paging::Form, Paging::Cursor, Paging::None] {
        let options = Options { paging, totals: Totals::Yes, k: 0, ..campsites(95) };
        let site = Site::start(&options).unwrap();
        let desk = Desk::new();
        let object = whole(&desk, &site.form(), &[]);
        assert_eq!(object["statement"]["rows"], 95, "{paging:?} {}", object["statement"]);
    }
}

/// Whatever the form does, a certificate is never wrong.
#[test]
fn no_random_form_gets_a_false_certificate() {
    let mut certified = 0;
    for seed in 1_000..1_040 {
        let mut options = Options::random(seed);
        options.rows = options.rows.map(|rows| rows.min(300));
        let site = Site::start(&options).unwrap();
        let desk = Desk::new();
        let done =
            desk.run(&gather(&site.form(), &["-f", "json", "--post", "--budget", "400", "-s", "limits.retry_ms=5"]));
        let Some(object) = done.json().into_iter().next() else { continue };
        if object["statement"]["certified"] == true {
            certified += 1;
            check_whole(&site, &object, seed);
        }
    }
    println!("{certified} of 40 certified");
}

/// All records that can be reached were seen, as far as what is shown can tell them apart.
fn check_whole(site: &Running, object: &Value, seed: u64) {
    let shown = site.shown();
    let reachable = site.truth().into_iter().filter(|row| row.reachable);
    let looks = |row: &Truth| shown.iter().map(|column| format!("{:?}", row.value(column))).collect::<Vec<_>>();
    let distinct: BTreeSet<Vec<String>> = reachable.map(|row| looks(&row)).collect();
    let rows = object["rows"].as_array().expect("rows").len();
    assert!(rows >= distinct.len(), "seed {seed}: certified {rows} of {}: {}", distinct.len(), object["statement"]);
}

#[test]
fn what_was_gathered_is_listed_exported_explained_and_forgotten() {
    let site = Site::start(&campsites(45)).unwrap();
    let desk = Desk::new();
    fine(desk.run(&gather(&site.form(), &[])));
    let list = desk.json(&["gather", "list", "--store", "d.groma", "-f", "json"]);
    assert_eq!((list.len(), &list[0]["rows"], &list[0]["title"]), (1, &45.into(), &"Camp sites".into()));
    let export = |form: &str| fine(desk.run(&["gather", "export", "--store", "d.groma", "-f", form])).out;
    assert_eq!(export("jsonl").lines().count(), 45);
    assert_eq!(export("csv").lines().count(), 46);
    let soif = export("soif");
    assert!(soif.starts_with("@DATABASE { http://") && soif.contains("Name{"), "{soif}");
    desk.write("all.soif", &soif);
    fine(desk.run(&["soif", "check", "all.soif"]));
    for _ in 0..2 {
        fine(desk.run(&["soif", "import", "all.soif", "--store", "other.groma"]));
    }
    let taken = desk.json(&["gather", "list", "--store", "other.groma", "-f", "json"]);
    assert_eq!((taken.len(), &taken[0]["end"], &taken[0]["title"]), (1, &"imported".into(), &"Camp sites".into()));
    let taken = desk.json(&["gather", "export", "--store", "other.groma", "-f", "json"]).remove(0);
    assert_eq!(values(&taken, "Name"), truth_of(&site.truth(), "name"));
    let explained = desk.json(&["gather", "explain", "--store", "d.groma", "-f", "json"]);
    assert!(explained.len() >= 3 && explained[0]["question"] == "the start page", "{explained:?}");
    fine(desk.run(&["gather", "forget", "1", "--store", "d.groma"]));
    assert_eq!(desk.json(&["gather", "list", "--store", "d.groma", "-f", "json"]), Vec::<Value>::new());
    assert_eq!(desk.run(&["gather", "forget", "1", "--store", "d.groma"]).code, 2);
}
