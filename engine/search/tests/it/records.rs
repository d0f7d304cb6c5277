//! Records of databases behind forms: in the same list as pages, and up to date with their gatherings.

use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::Reason;
use groma_search::{Answer, Ask, Hit, Index, Weights};
use groma_store::Folder;
use groma_store::gathers::{AnswerRow, GatherId, Gathers, Harvest, NewGather, RecordRow};

use crate::{Site, page, shown, url};

const FORM: &str = "http://site.test/hotels/search";

fn gathers(site: &Site) -> Gathers {
    Folder::new(&site.folder).gathers().expect("gatherings")
}

fn begin(site: &Site, key: &str) -> GatherId {
    let new = NewGather { key: key.into(), address: url(&format!("/{key}")), asked: "{}".into(), at: 10 };
    gathers(site).begin(&new).expect("begun").id
}

fn record(pairs: &[(&str, &str)], link: &str, question: &str) -> RecordRow {
    let values = serde_json::to_string(pairs).expect("JSON");
    RecordRow { place: 0, values, link: link.into(), question: question.into() }
}

fn hotel(name: &str, place: &str) -> RecordRow {
    record(&[("id", "7"), ("name", name), ("ort", place)], "", &format!("ort = {place}"))
}

/// A harvest with the form above.
fn harvest(records: Vec<RecordRow>) -> Harvest {
    Harvest {
        form: Some(FORM.into()),
        title: Some("Hotels of the coast".into()),
        records,
        at: 11,
        ..Harvest::default()
    }
}

fn answer(key: &str, about: &str, address: &str) -> AnswerRow {
    AnswerRow {
        key: key.into(),
        about: about.into(),
        at: 5,
        reason: Reason::Fetched,
        status: 200,
        address: address.into(),
        media_type: "text/html".into(),
        charset: String::new(),
        etag: String::new(),
        last_modified: String::new(),
        cut: false,
        unchanged: false,
        requests: 1,
        body: Vec::new(),
    }
}

/// A survey with a form, and two hotels behind it.
fn coast() -> (Site, GatherId) {
    let mut site = Site::with_pages(&[
        page("/", "Home", "rostock by the sea").link("/hotels/search", "Hotels").link("/about", "About"),
        page("/hotels/search", "Find a hotel", "choose a place").language("de"),
        page("/about", "About", "nothing of that kind"),
    ]);
    let id = begin(&site, "hotels");
    let all = vec![hotel("Zur Sonne", "Rostock"), hotel("Am Markt", "Wismar")];
    assert!(gathers(&site).add(id, &harvest(all)).expect("added"));
    assert!(gathers(&site).end(id, "certified", "{}", 12).expect("ended"));
    site.follow();
    (site, id)
}

fn kinds(answer: &Answer) -> Vec<(&str, &str)> {
    answer.hits.iter().map(|hit| (hit.kind, hit.title.as_str())).collect()
}

fn only(answer: Answer) -> Hit {
    assert_eq!((answer.total, answer.hits.len()), (1, 1), "{:?}", answer.hits);
    answer.hits.into_iter().next().expect("a hit")
}

#[test]
fn records_stand_in_one_list_with_pages() {
    let (mut site, _) = coast();
    let both = site.ask("rostock");
    assert_eq!(both.total, 2);
    let mut found = kinds(&both);
    found.sort_unstable();
    assert_eq!(found, [("page", "Home"), ("record", "Zur Sonne")]);
    let hit = only(site.ask("sonne"));
    assert_eq!((hit.kind, hit.form.as_str(), hit.database.as_str()), ("record", FORM, "Hotels of the coast"));
    assert_eq!((hit.url.as_str(), hit.site.as_str()), (FORM, "http://site.test"));
    assert_eq!(shown(&hit.title_pieces), "Zur [Sonne]");
    assert_eq!(shown(&hit.snippet), "id: 7 · ort: Rostock");
    assert_eq!(hit.page.map(|page| page.0), Some(site.numbers[FORM]));
    assert_eq!(hit.section, FORM, "that of its form");
    assert_eq!(shown(&only(site.ask("wismar")).snippet), "id: 7 · ort: [Wismar]");
    assert_eq!(only(site.ask("title:sonne")).kind, "record");
    assert_eq!(site.ask("title:rostock").total, 0, "it is not what the record is called by");
    let json = serde_json::to_string(&hit).unwrap();
    assert!(json.contains("\"kind\":\"record\"") && json.contains("\"form\":\"http://site.test/hotels/search\""));
    assert!(!serde_json::to_string(&only(site.ask("sea"))).unwrap().contains("\"form\""));
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

#[test]
fn the_words_of_records_are_stemmed_like_those_of_their_form() {
    let (mut site, id) = coast();
    let more = record(&[("name", "Haus Meeresblick"), ("lage", "schöne Häuser am Wasser")], "", "all");
    assert!(gathers(&site).add(id, &harvest(vec![more])).unwrap());
    site.follow();
    assert_eq!(only(site.ask("schönes wasser")).title, "Haus Meeresblick");
}

#[test]
fn filters_and_facets_know_records() {
    let (mut site, _) = coast();
    let all = site.ask("type:record");
    assert_eq!((all.total, all.hits.len()), (2, 2));
    assert_eq!(site.ask("rostock -type:record").total, 1);
    assert_eq!(kinds(&site.ask("rostock type:html")), [("page", "Home")]);
    assert_eq!(site.ask("type:record site:site.test").total, 2);
    assert_eq!(site.ask("type:record site:other.test").total, 0);
    assert_eq!(site.ask("rostock in:http://site.test/hotels/search").total, 1, "the branch of the form");
    assert_eq!(site.ask("rostock in:/hotels/").total, 1, "the folder of the form");
    assert_eq!(site.ask("type:record in:/about").total, 0);
    assert_eq!(site.ask("type:record lang:de").total, 0, "a record has no language");
    assert_eq!(site.ask("type:record lang:unknown").total, 0);
    assert_eq!(site.ask("type:record date:2026").total, 0);
    let facets = site.ask("rostock").facets.unwrap();
    let counts = |list: &[groma_search::FacetCount]| -> Vec<(String, u64)> {
        list.iter().map(|facet| (facet.value.clone(), facet.count)).collect()
    };
    assert_eq!(counts(&facets.types), [("html".to_owned(), 1), ("record".to_owned(), 1)]);
    assert_eq!(counts(&facets.languages), [("en".to_owned(), 1)]);
    assert_eq!(counts(&facets.sites), [("http://site.test".to_owned(), 2)]);
    assert_eq!(counts(&facets.sections), [(FORM.to_owned(), 1)]);
    let form = site.numbers[FORM] as usize;
    let within = |numbers: &[usize]| (0..9).map(|n| numbers.contains(&n)).collect::<Vec<bool>>();
    let index = site.open();
    let mut inside = |numbers: &[usize]| {
        let weights = Weights::default();
        let within = Some(within(numbers).into());
        let ask = Ask { text: "rostock", first: 0, most: 9, facets: false, weights: &weights, within };
        index.search(&ask, &mut site.store).unwrap().total
    };
    assert_eq!((inside(&[form]), inside(&[]), inside(&[1, form])), (1, 0, 2), "a record is where its form is");
}

#[test]
fn a_form_outside_the_survey_has_a_site_of_its_own() {
    let mut site = Site::with_pages(&[page("/", "Home", "rostock")]);
    let id = begin(&site, "far");
    let far =
        Harvest { form: Some("https://far.test:8443/f?a=1".into()), ..harvest(vec![hotel("Zur Post", "Rostock")]) };
    assert!(gathers(&site).add(id, &far).unwrap());
    site.follow();
    assert_eq!(only(site.ask("rostock site:far.test")).title, "Zur Post");
    assert_eq!(kinds(&site.ask("rostock site:site.test")), [("page", "Home")]);
    let hit = only(site.ask("post"));
    assert_eq!((hit.page, hit.section.as_str(), hit.site.as_str()), (None, "", "https://far.test:8443"));
    let sites = site.ask("rostock").facets.unwrap().sites;
    assert!(sites.iter().any(|facet| facet.value == "https://far.test:8443" && facet.count == 1), "{sites:?}");
}

#[test]
fn a_record_leads_to_itself_or_to_its_answer_or_to_its_form() {
    let (mut site, id) = coast();
    let own = record(&[("name", "Eigene Seite")], "http://site.test/hotel/1", "q1");
    let bad = record(&[("name", "Falle")], "javascript:alert(1)", "q2");
    let post = record(&[("name", "Postamt")], "", "q3");
    let mut all = gathers(&site);
    all.begin(&NewGather { key: "hotels".into(), address: String::new(), asked: "{}".into(), at: 20 }).unwrap();
    assert!(all.add(id, &harvest(vec![own, bad, post, hotel("Zur Sonne", "Rostock")])).unwrap());
    for row in [
        answer("GET http://site.test/f?q=2", "q2", "http://site.test/f?q=2"),
        answer("POST http://site.test/f\nq=3", "q3", "http://site.test/f"),
        AnswerRow {
            reason: Reason::ServerError,
            ..answer("GET http://site.test/f?q=4", "ort = Rostock", "http://site.test/f")
        },
    ] {
        assert!(all.keep(id, &row).unwrap());
    }
    assert!(all.end(id, "certified", "{}", 22).unwrap());
    site.follow();
    let address = |site: &mut Site, text: &str| only(site.ask(text)).url;
    assert_eq!(address(&mut site, "eigene"), "http://site.test/hotel/1");
    assert_eq!(address(&mut site, "falle"), "http://site.test/f?q=2", "filled in, and no trap");
    assert_eq!(address(&mut site, "postamt"), FORM, "what was posted has no URL");
    assert_eq!(address(&mut site, "sonne"), FORM, "an answer that failed is none");
}

#[test]
fn a_database_known_by_its_values_is_one_document() {
    let mut site = Site::with_pages(&[page("/", "Home", "rostock")]);
    let id = begin(&site, "coop");
    let mut values: Vec<(String, String)> =
        (0..3_000).map(|n| ("name".to_owned(), format!("Hotel nummer{n}"))).collect();
    values.push(("ort".to_owned(), "Rostock".to_owned()));
    assert!(gathers(&site).add(id, &Harvest { values, ..harvest(Vec::new()) }).unwrap());
    assert!(gathers(&site).end(id, "certified", "{}", 12).unwrap());
    let followed = site.follow();
    assert_eq!((followed.written, followed.pages, followed.records, followed.left_out), (2, 1, 1, 0));
    let hit = only(site.ask("nummer2999"));
    assert_eq!((hit.kind, hit.title.as_str(), hit.url.as_str()), ("record", "Hotels of the coast", FORM));
    assert_eq!(shown(&hit.snippet), "name: Hotel [nummer2999]");
    assert_eq!(only(site.ask("coast")).kind, "record");
    assert_eq!(only(site.ask("nummer7 rostock")).title, "Hotels of the coast");
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
    // Then its rows become known.
    gathers(&site)
        .begin(&NewGather { key: "coop".into(), address: String::new(), asked: "{}".into(), at: 20 })
        .unwrap();
    assert!(gathers(&site).add(id, &harvest(vec![hotel("Zur Sonne", "Rostock")])).unwrap());
    assert!(gathers(&site).end(id, "certified", "{}", 22).unwrap());
    let next = site.follow();
    assert_eq!((next.written, next.removed, next.records), (1, 1, 1));
    assert_eq!(site.ask("nummer7").total, 0);
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

/// A rule gives the hotels, another one the places, and nothing says which belongs to which: both are found, and what the provider
/// says of the database, too.
#[test]
fn values_that_stand_in_no_record_are_found_and_what_is_said_of_the_database() {
    let (mut site, first) = coast();
    let mut all = gathers(&site);
    let about = r#"{"about":{"description":"Zimmer an der See","keywords":"Unterkunft, Pension"}}"#;
    let value = |attribute: &str, value: &str| (attribute.to_owned(), value.to_owned());
    let values = vec![value("name", "Zur Sonne"), value("ort", "Rostock"), value("region", "Zingst")];
    let begun = begin(&site, "described");
    assert!(all.add(begun, &Harvest { values, ..harvest(vec![hotel("Zur Sonne", "Rostock")]) }).unwrap());
    assert!(all.tell(begun, about).unwrap());
    assert!(all.end(begun, "certified", "{}", 12).unwrap());
    site.follow();
    let hit = only(site.ask("zingst"));
    assert_eq!((hit.kind, hit.title.as_str(), hit.url.as_str()), ("record", "Hotels of the coast", FORM));
    assert_eq!(shown(&hit.snippet), "region: [Zingst]");
    assert_eq!(shown(&only(site.ask("unterkunft")).snippet), "[Unterkunft], Pension");
    assert_eq!(only(site.ask("see zimmer")).kind, "record");
    assert_eq!(site.ask("rostock").total, 2, "the page and the record: what a record says is not said again");
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
    let before = site.follow();
    assert_eq!(site.follow(), before, "nothing is left to do");
    // Who gathers the same once more brings nothing new.
    let again = begin(&site, "described-again");
    let values = vec![value("Region", "Zingst "), value("ort", "Wismar")];
    assert!(all.add(again, &Harvest { values, ..harvest(vec![hotel("Zur Sonne", "Rostock")]) }).unwrap());
    assert!(all.tell(again, about).unwrap());
    assert!(all.end(again, "certified", "{}", 22).unwrap());
    site.follow();
    assert_eq!((only(site.ask("zingst")).title, only(site.ask("pension")).title), (hit.title.clone(), hit.title));
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
    // What an older one had stays with the others when that is forgotten.
    assert!(all.forget(first).unwrap() && all.forget(begun).unwrap());
    site.follow();
    assert_eq!((site.ask("zingst").total, site.ask("pension").total), (1, 1));
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

#[test]
fn what_there_is_no_room_for_is_said() {
    let mut site = Site::with_pages(&[page("/", "Home", "x")]);
    let id = begin(&site, "large");
    let long = "wort ".repeat(100_000);
    let values = (0..20).map(|n| ("name".to_owned(), format!("nummer{n} {long}"))).collect();
    assert!(gathers(&site).add(id, &Harvest { values, ..harvest(Vec::new()) }).unwrap());
    let followed = site.follow();
    assert_eq!((followed.records, followed.left_out), (1, 12));
    let answer = site.ask("nummer3");
    assert_eq!(answer.total, 1);
    assert!(answer.notes.contains(&groma_search::Note::LeftOut(12)), "{:?}", answer.notes);
    assert_eq!(site.ask("nummer19").total, 0);
    site.write(&[page("/more", "More", "y")]);
    assert_eq!(site.follow().left_out, 12, "also when only pages are new");
}

#[test]
fn the_index_follows_the_gatherings() {
    let (mut site, id) = coast();
    let index = site.open();
    assert_eq!((index.extent().unwrap(), index.records()), ((3, 3), 2));
    assert!(!index.is_behind(&mut site.store).unwrap());
    let again = site.follow();
    assert_eq!((again.written, again.removed, again.records, again.pages), (0, 0, 2, 3), "nothing new");
    // A new generation is not shown before its end.
    let mut all = gathers(&site);
    all.begin(&NewGather { key: "hotels".into(), address: String::new(), asked: "{}".into(), at: 20 }).unwrap();
    assert!(all.add(id, &harvest(vec![hotel("Zur Sonne", "Rostock")])).unwrap());
    assert!(!index.is_behind(&mut site.store).unwrap());
    assert_eq!(site.follow().written, 0);
    assert!(all.add(id, &harvest(vec![hotel("Alte Post", "Wismar"), hotel("Am Hafen", "Wismar")])).unwrap());
    assert!(all.end(id, "certified", "{}", 22).unwrap());
    assert!(index.is_behind(&mut site.store).unwrap());
    // Between the two, nothing is shown that is not what was found.
    assert_eq!(only_shown(&mut site, "markt"), Vec::<String>::new());
    assert!(site.complaints().is_empty(), "what came later is no disagreement: {:?}", site.complaints());
    let next = site.follow();
    assert_eq!((next.written, next.removed, next.records), (2, 0, 3), "one stayed as it was");
    assert_eq!((site.ask("markt").total, site.ask("wismar").total), (0, 2));
    let state = index.state();
    assert!(all.forget(id).unwrap());
    let last = site.follow();
    assert_eq!((last.written, last.removed, last.records, last.pages), (0, 3, 0, 3));
    assert_eq!(site.ask("wismar type:record").total, 0);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_ne!(index.state(), state);
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

fn only_shown(site: &mut Site, text: &str) -> Vec<String> {
    site.ask(text).hits.into_iter().map(|hit| hit.title).collect()
}

#[test]
fn records_that_are_still_coming_in_are_taken_up_as_far_as_they_are() {
    let mut site = Site::with_pages(&[page("/", "Home", "x")]);
    let id = begin(&site, "hotels");
    assert!(gathers(&site).add(id, &harvest(vec![hotel("Zur Sonne", "Rostock")])).unwrap());
    assert_eq!(site.follow().records, 1);
    assert!(gathers(&site).add(id, &Harvest { at: 30, ..harvest(vec![hotel("Am Markt", "Rostock")]) }).unwrap());
    let next = site.follow();
    assert_eq!((next.written, next.records), (1, 2));
    // It goes on: what it had found is found again.
    begin(&site, "hotels");
    assert_eq!(site.follow().records, 0);
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

#[test]
fn an_index_made_anew_has_the_records() {
    let (mut site, _) = coast();
    let anew = site.try_follow(true).unwrap();
    assert_eq!((anew.written, anew.pages, anew.records), (5, 3, 2));
    assert_eq!(only(site.ask("sonne")).kind, "record");
    std::fs::remove_file(site.folder.join("gather.db")).unwrap();
    assert_eq!(site.ask("sonne").hits, [], "nothing is shown that is not there");
    let gone = site.follow();
    assert_eq!((gone.removed, gone.records), (2, 0));
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

#[test]
fn a_form_that_is_found_later_takes_its_records_along() {
    let mut site = Site::with_pages(&[page("/", "Home", "rostock")]);
    let id = begin(&site, "hotels");
    assert!(gathers(&site).add(id, &harvest(vec![hotel("Zur Sonne", "Rostock")])).unwrap());
    site.follow();
    assert_eq!(only(site.ask("sonne")).page, None);
    site.write(&[
        page("/", "Home", "rostock").link("/hotels/search", "Hotels"),
        page("/hotels/search", "Find a hotel", "choose"),
    ]);
    site.follow();
    let hit = only(site.ask("sonne"));
    assert_eq!((hit.page.map(|page| page.0), hit.section.as_str()), (Some(site.numbers[FORM]), FORM));
    site.fail("/hotels/search", Reason::Gone, None);
    site.follow();
    assert_eq!(site.ask("choose").total, 0, "the page is gone");
    assert_eq!(only(site.ask("sonne")).kind, "record", "its records are not");
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

#[test]
fn disagreements_are_told() {
    let (mut site, _) = coast();
    let databases = std::fs::read_dir(site.folder.join("index")).unwrap().flatten();
    let file = databases.map(|entry| entry.path().join("databases")).find(|path| path.exists()).unwrap();
    let kept = std::fs::read(&file).unwrap();
    std::fs::write(&file, "damage").unwrap();
    assert!(site.complaints().iter().any(|line| line.contains("what it knows of the databases")));
    assert_eq!(site.follow().written, 0);
    assert_eq!(std::fs::read(&file).unwrap(), kept, "fixed");
    // Rows changed behind the back of the gatherings: the index says that it has followed, and holds something else.
    let db = site.folder.join("gather.db");
    // Pages have checksums, which this program does not write: it makes a file without.
    let run = |sql: &str| {
        let sqlite3 = |file: &str, words: &[&str]| {
            let mut command = std::process::Command::new("sqlite3");
            command.current_dir(&site.folder).arg(file).args(words).status().is_ok_and(|done| done.success())
        };
        let ours = "PRAGMA application_id = 0x47524741; PRAGMA user_version = 1";
        sqlite3("gather.db", &[".clone plain.db"])
            && sqlite3("plain.db", &[ours, sql])
            && std::fs::rename(site.folder.join("plain.db"), &db).is_ok()
    };
    if !run("UPDATE record SET said = '[[\"name\",\"Other\"]]' WHERE place = 1") {
        eprintln!("no sqlite3 here: not tested");
        return;
    }
    let said = site.complaints();
    assert_eq!(said, ["record 1 of http://site.test/hotels/search has another text in the index"]);
    assert_eq!(only_shown(&mut site, "wismar"), Vec::<String>::new());
}

#[test]
fn what_was_stopped_among_records_goes_on() {
    let mut site = Site::with_pages(&[page("/", "Home", "walnut")]);
    site.follow();
    let id = begin(&site, "many");
    let many: Vec<RecordRow> = (0..5_000).map(|n| hotel(&format!("Haus nummer{n}"), "walnut")).collect();
    assert!(gathers(&site).add(id, &harvest(many)).unwrap());
    let stop = AtomicBool::new(false);
    let halfway = &mut |step: groma_search::IndexProgress| {
        if step.done >= 2_000 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let mut reader = Folder::new(&site.folder).read().unwrap();
    let first = Index::follow(&site.folder, &mut reader, false, &stop, halfway).unwrap();
    assert!(first.interrupted && first.written > 0 && first.written < 5_000, "{first:?}");
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
    let second = site.follow();
    assert_eq!((second.written, second.records), (5_000 - first.written, 5_000));
    assert_eq!((site.ask("walnut").total, site.ask("nummer4999").total), (5_001, 1));
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
    // Stopped once more, and then the gathering is forgotten: nothing is left of it.
    let other = begin(&site, "other");
    let many: Vec<RecordRow> = (0..5_000).map(|n| hotel(&format!("Turm nummer{n}"), "walnut")).collect();
    assert!(gathers(&site).add(other, &harvest(many)).unwrap());
    stop.store(false, Ordering::Relaxed);
    assert!(Index::follow(&site.folder, &mut reader, false, &stop, halfway).unwrap().interrupted);
    assert!(gathers(&site).forget(other).unwrap());
    let last = site.follow();
    assert!(last.removed > 0 && last.records == 5_000, "{last:?}");
    assert_eq!(site.ask("turm").total, 0);
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}

/// Run by [`a_kill_among_records_leaves_an_index_that_goes_on`] in a process of its own.
#[test]
fn child_that_is_killed() {
    let Some(folder) = std::env::var_os("GROMA_SEARCH_RECORDS_FOLDER") else { return };
    let folder = std::path::PathBuf::from(folder);
    let mut reader = Folder::new(&folder).read().unwrap();
    let _ = Index::follow(&folder, &mut reader, false, &AtomicBool::new(false), &mut |_| {});
}

#[test]
fn a_kill_among_records_leaves_an_index_that_goes_on() {
    let mut site = Site::with_pages(&[page("/", "Home", "x")]);
    let id = begin(&site, "many");
    for round in 0..8u64 {
        let many = (0..3_000).map(|n| hotel(&format!("Haus nummer{n} round{round}"), "walnut")).collect();
        begin(&site, "many");
        assert!(gathers(&site).add(id, &harvest(many)).unwrap());
        assert!(gathers(&site).end(id, "certified", "{}", 12).unwrap());
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["records::child_that_is_killed", "--exact"])
            .env("GROMA_SEARCH_RECORDS_FOLDER", &site.folder)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20 + round * 60));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(site.complaints().is_empty(), "round {round}: {:?}", site.complaints());
        site.follow();
        assert_eq!((site.ask("walnut").total, site.ask(&format!("round{round}")).total), (3_000, 3_000));
        assert!(site.complaints().is_empty(), "round {round}: {:?}", site.complaints());
    }
}

#[test]
fn records_of_any_kind_do_no_harm() {
    let mut site = Site::with_pages(&[page("/", "Home", "x")]);
    let id = begin(&site, "odd");
    let raw =
        |values: &str| RecordRow { place: 0, values: values.into(), link: "\u{0}".into(), question: "\u{202e}".into() };
    let long = "wort".repeat(100_000);
    let all = vec![
        raw(""),
        raw("null"),
        raw("[[\"a\"]]"),
        raw("{\"a\":[[[["),
        raw(&"[".repeat(100_000)),
        record(&[("\u{e000}\u{1e}", "\u{e003}\u{1e}marker\u{0}")], "", ""),
        record(&[("name", &long), ("x", "marker")], "", ""),
        record(&vec![("n", "marker"); 20_000], "", ""),
        record(&[("name", "<script>marker</script>")], "", ""),
    ];
    assert!(gathers(&site).add(id, &harvest(all)).unwrap());
    assert_eq!(site.follow().records, 9);
    let answer = site.ask("marker");
    assert_eq!(answer.total, 3, "one is cut before its second value");
    for hit in &answer.hits {
        let length: usize = hit.snippet.iter().map(|piece| piece.text.chars().count()).sum();
        assert!(length < 600, "{}: {length}", hit.title);
        assert!(hit.snippet.iter().all(|piece| !piece.text.chars().any(char::is_control)), "{}", hit.title);
    }
    assert_eq!(site.ask("type:record").hits.len(), 9);
    assert!(site.complaints().is_empty());
}

#[test]
fn a_file_of_gatherings_that_cannot_be_read_leaves_the_pages_answering() {
    let (mut site, _) = coast();
    for name in ["gather.db", "gather.db-wal", "gather.db-shm"] {
        let _ = std::fs::remove_file(site.folder.join(name));
    }
    std::fs::write(site.folder.join("gather.db"), "this is no database at all, only a text that is longer").unwrap();
    assert_eq!(kinds(&site.ask("rostock")), [("page", "Home")]);
    assert!(site.try_follow(false).is_err(), "and it is said when it should be followed");
    assert_eq!(kinds(&site.ask("rostock")), [("page", "Home")]);
}

/// Several gatherings of one form bring out the same record: it is listed once, and stays when the older one is forgotten.
#[test]
fn a_record_of_two_gatherings_of_one_form_is_listed_once() {
    let (mut site, first) = coast();
    let second = begin(&site, "hotels-again");
    let same = record(&[("Name", "Zur Sonne"), ("ort", "Rostock"), ("id", "7")], "", "everything");
    let other = record(&[("name", "Rostock"), ("ort", "Zur Sonne"), ("id", "7")], "", "everything");
    assert!(gathers(&site).add(second, &harvest(vec![same, hotel("Am Hafen", "Wismar"), other])).unwrap());
    assert!(gathers(&site).end(second, "certified", "{}", 22).unwrap());
    site.follow();
    assert_eq!(site.ask("sonne").total, 2, "one hotel of that name, and one in a place of that name");
    assert_eq!(only(site.ask("title:sonne")).title, "Zur Sonne");
    assert_eq!(site.ask("wismar").total, 2, "what only one of them has is there, too");
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
    let before = site.follow();
    assert_eq!(site.follow(), before, "nothing is left to do");
    assert!(gathers(&site).forget(first).unwrap());
    site.follow();
    assert_eq!(only(site.ask("title:sonne")).title, "Zur Sonne", "the other gathering still has it");
    assert!(site.complaints().is_empty(), "{:?}", site.complaints());
}
