//! Databases over the web: found in a survey, planned, gathered to a certificate, looked at, described anew, exported and forgotten; by
//! pages and by the API.

use std::sync::atomic::Ordering;

use groma_testweb::{Answer, Ask, Server, Web};
use serde_json::{Value, json};

use crate::focus::form;
use crate::inns::{INNS, Inns, SPELL, database_pages, gathered, with_database};
use crate::surveys::surveyed;
use crate::{House, own_name};

#[test]
fn before_any_gathering_the_forms_of_the_survey_are_offered() {
    let web = Server::start(Inns::default());
    let (house, name) = surveyed(&web);
    let reply = house.get(&format!("/sites/{name}/databases"));
    let page = reply.text();
    assert_eq!(reply.status, 200, "{page}");
    assert!(page.contains("No database was gathered yet") && page.contains("Gather it"), "{page}");
    assert!(page.contains("aria-current=\"page\" data-go=\"d\">Databases"), "it stands in the navigation");
    // The search with its labels and values, the document, and nothing else.
    assert!(page.contains("Kind of house <span class=\"muted\">2 values") && page.contains("6 values"), "{page}");
    assert!(page.contains("Inns of the land") && page.contains("1 table, 2 attributes"), "{page}");
    assert!(!page.contains("/in<") && page.matches("Plan form").count() == 1, "a login is no search: {page}");
    assert_eq!(house.get(&format!("/sites/{name}/databases/state")).status, 205);
    assert_eq!(house.get(&format!("/api/v1/sites/{name}/databases")).json(), json!({ "items": [], "next": null }));
    let leads = house.get(&format!("/api/v1/sites/{name}/forms")).json();
    let search = &leads["forms"][0];
    assert_eq!((&search["form"], &search["fields"][1]["values"]), (&json!(1), &json!(2)), "{leads}");
    assert_eq!((leads["forms"].as_array().unwrap().len(), &leads["documents"][0]["tables"]), (1, &json!(1)), "{leads}");
    for path in ["1", "1/state", "1/describe", "1/records.csv", "4294967295"] {
        assert_eq!(house.get(&format!("/sites/{name}/databases/{path}")).status, 404, "{path}");
    }
    for path in ["1", "1/records", "1/values?attribute=x", "1/answers", "1/export"] {
        assert_eq!(house.get(&format!("/api/v1/sites/{name}/databases/{path}")).status, 404, "{path}");
    }
    assert_eq!(house.get(&format!("/sites/{name}/databases/one")).status, 400);
}

/// All rows of a list, part by part.
fn all(house: &House, path: &str) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), String::new());
    let joint = if path.contains('?') { '&' } else { '?' };
    loop {
        let part = house.get(&format!("{path}{joint}limit=7{cursor}")).json();
        rows.extend(part["items"].as_array().unwrap_or_else(|| panic!("{path}: {part}")).iter().cloned());
        match part["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return rows,
        }
    }
}

#[test]
fn a_database_comes_out_whole_and_says_so() {
    let (house, web, name, id) = with_database(&Inns::default());
    let path = format!("/api/v1/sites/{name}/databases/{id}");
    let one = house.get(&path).json();
    assert_eq!((&one["end"], &one["statement"]["certified"]), (&json!("certified"), &json!(true)), "{one}");
    assert_eq!(one["records"], INNS, "{one}");
    let curve = one["curve"].as_array().unwrap();
    assert!(!curve.is_empty() && curve.last().unwrap()["records"] == INNS, "{one}");
    assert!(one["description"].as_str().unwrap().contains("DB.Result."), "{one}");
    assert!(one["plan"]["fields"].as_array().unwrap().len() >= 2, "{one}");
    // Records, values and answers part by part are all of them.
    let records = all(&house, &format!("{path}/records"));
    assert_eq!(records.len(), INNS);
    assert!(records.iter().zip(1..).all(|(record, n)| record["n"] == n), "{records:?}");
    let texts = json!(records).to_string();
    assert!(texts.contains("Inn 59") && texts.contains("window.harmed=1"), "{texts:.500}");
    let attributes = one["attributes"].as_array().unwrap();
    let places = attributes.iter().find(|one| one["values"] == 6).unwrap_or_else(|| panic!("{one}"));
    let attribute = groma_url::form_urlencoded::escape(places["name"].as_str().unwrap());
    let values = all(&house, &format!("{path}/values?attribute={attribute}"));
    assert!(values.len() == 6 && json!(values).to_string().contains("Fulda"), "{values:?}");
    assert_eq!(all(&house, &format!("{path}/values?attribute=nothing")).len(), 0);
    let answers = all(&house, &format!("{path}/answers"));
    assert!(answers.len() > 7 && answers.iter().all(|one| one["status"] == 200), "{answers:?}");
    // Files.
    for (format, has) in [("json", "\"statement\":{"), ("jsonl", "Inn 3"), ("csv", "@link"), ("soif", "@DATABASE {")] {
        let reply = house.get(&format!("{path}/export?format={format}"));
        assert!(reply.status == 200 && reply.text().contains(has), "{format}: {}", reply.text());
        let file = house.get(&format!("/sites/{name}/databases/{id}/records.{format}"));
        assert!(file.header("content-disposition").starts_with("attachment"), "{format}");
        assert_eq!(file.body, reply.body, "{format}");
    }
    assert_eq!(house.get(&format!("{path}/export?format=xml")).status, 400);
    // The page.
    let page = house.get(&format!("/sites/{name}/databases/{id}")).text();
    for part in [
        "Certified complete: 60 records",
        "no method needs fewer than",
        "class=\"chart harvest\"",
        "Gather again",
        "records.soif",
    ] {
        assert!(page.contains(part), "{part} is missing: {page}");
    }
    assert!(page.contains(&format!("href=\"{}/inn/0\"", web.base())), "a record leads to its own page: {page}");
    let last = house.get(&format!("/sites/{name}/databases/{id}?page=3&answers=2&attribute={attribute}")).text();
    assert!(last.contains("51 to 60 of 60") && last.contains("Celle"), "{last}");
    // Its form's page tells of it, and so does the list.
    let about = groma_url::form_urlencoded::escape(&format!("{}/search", web.base()));
    let detail = house.get(&format!("/sites/{name}/page?url={about}")).text();
    assert!(detail.contains("The database behind it") && detail.contains("Certified complete"), "{detail}");
    let map = house.get(&format!("/sites/{name}/map")).text();
    assert!(map.contains(">60 records</a>"), "it is marked on the map: {map}");
    let list = house.get(&format!("/sites/{name}/databases")).text();
    assert!(list.contains("certified complete") && list.contains(&format!("gathering {id}")), "{list}");
    // The cooperative way gives values.
    let other = gathered(&house, &name, &json!({ "address": format!("{}/inns.txt", web.base()) }));
    let page = house.get(&format!("/sites/{name}/databases/{other}")).text();
    assert!(page.contains("by the word of its keeper") && page.contains("Inns of the land"), "{page}");
}

#[test]
fn a_plan_is_shown_and_a_budget_is_enlarged() {
    let web = Server::start(Inns::default());
    let (house, name) = surveyed(&web);
    let browser = house.browser();
    let address = format!("{}/search", web.base());
    let pairs = [("address", address.as_str()), ("form", "1"), ("plan", "yes")];
    let reply = form(&house, &browser, &format!("/sites/{name}/databases"), &pairs);
    assert_eq!(reply.status, 303, "{}", reply.text());
    house.until_idle(&name, None);
    let page = house.get(&format!("/sites/{name}/databases/1")).text();
    assert!(page.contains("Planned, not gathered") && page.contains("Plan: ") && page.contains("Place"), "{page}");
    let jobs = house.get(&format!("/api/v1/sites/{name}/jobs?kind=gather")).json();
    assert!(jobs["items"][0]["outcome"].as_str().unwrap().starts_with("planned, not gathered"), "{jobs}");
    let job = house.get(&format!("/sites/{name}/jobs/{}", jobs["items"][0]["id"])).text();
    assert!(job.contains("<dt>plan</dt>") && job.contains("<dt>url</dt>"), "{job}");
    // The same, not planned only, with too small a budget: it goes on where the plan stopped.
    let pairs = [("address", address.as_str()), ("form", "1"), ("budget", "4")];
    assert_eq!(form(&house, &browser, &format!("/sites/{name}/databases"), &pairs).status, 303);
    house.until_idle(&name, None);
    let page = house.get(&format!("/sites/{name}/databases/1")).text();
    assert!(page.contains("budget spent") && page.contains(">Go on<"), "{page}");
    let more = format!("/sites/{name}/databases/1/more");
    let reply = form(&house, &browser, &more, &[("budget", "2")]);
    assert!(reply.status == 422 && reply.text().contains("requests already"), "{}", reply.text());
    let reply = form(&house, &browser, &more, &[("budget", "500")]);
    assert_eq!(reply.status, 303, "{}", reply.text());
    house.until_idle(&name, None);
    let one = house.get(&format!("/api/v1/sites/{name}/databases/1")).json();
    assert_eq!((&one["end"], &one["records"]), (&json!("certified"), &json!(INNS)), "{one}");
    assert_eq!(form(&house, &browser, &format!("/sites/{name}/databases/1/forget"), &[]).status, 303);
    assert_eq!(house.get(&format!("/sites/{name}/databases/1")).status, 404);
}

/// The inns, by a form that can put them in order.
struct InOrder(Inns);

impl Web for InOrder {
    fn answer(&self, ask: &Ask) -> Answer {
        if ask.bare_path() != "/search" {
            return self.0.answer(ask);
        }
        Answer::html(
            "<!doctype html><title>Search for inns</title><form action=/find>
             <label for=place>Place</label> <select id=place name=place><option value=''>any<option>Bonn<option>Celle
             <option>Dessau<option>Erfurt<option>Fulda<option>Gera</select>
             <label for=order>In order of</label> <select id=order name=order><option>Name<option>Town</select>
             <button>Search</button></form>",
        )
    }
}

#[test]
fn what_was_left_as_it_was_can_be_ticked_and_is_varied() {
    let web = Server::start(InOrder(Inns::default()));
    let (house, name) = surveyed(&web);
    let id = gathered(&house, &name, &json!({ "address": format!("{}/search", web.base()) }));
    let here = format!("/sites/{name}/databases/{id}");
    let page = house.get(&here).text();
    let boxes = "<input type=\"checkbox\" name=\"vary\" value=\"";
    assert!(page.contains(&format!("{boxes}order\"")) && page.contains("In order of"), "{page}");
    assert!(!page.contains(&format!("{boxes}place\"")), "what was varied is not offered: {page}");
    let asked = |value: &str| web.asked().keys().filter(|path| path.contains(&format!("order={value}"))).count();
    let before = asked("Town");
    let browser = house.browser();
    let vary = format!("{here}/vary");
    for (ticked, says) in [(&[][..], "nothing is ticked"), (&[("vary", "nobody")][..], "nothing of that name")] {
        let reply = form(&house, &browser, &vary, ticked);
        assert!(reply.status == 422 && reply.text().contains(says), "{ticked:?}: {} {}", reply.status, reply.text());
    }
    assert_eq!(form(&house, &browser, &vary, &[("vary", "order")]).status, 303);
    house.until_idle(&name, None);
    let list = house.get(&format!("/api/v1/sites/{name}/databases")).json();
    let items = list["items"].as_array().unwrap();
    let other = items.iter().find(|one| one["id"] != id).unwrap_or_else(|| panic!("one of its own: {list}"));
    assert_eq!(other["task"]["vary"], json!(["order"]), "{list}");
    assert!(asked("Town") >= before + 3, "{} and {before} of {:?}", asked("Town"), web.asked());
    let page = house.get(&format!("/sites/{name}/databases/{}", other["id"])).text();
    assert!(!page.contains(boxes), "nothing is left: {page}");
}

#[test]
fn a_description_is_mended_tried_and_gathered_with() {
    let (house, web, name, id) = with_database(&Inns::default());
    let asked = web.total();
    let browser = house.browser();
    let here = format!("/sites/{name}/databases/{id}");
    let page = house.get(&format!("{here}/describe")).text();
    assert!(page.contains("DB.Result.") && page.contains("5 records"), "{page}");
    let lines =
        "DB.Form: 0\nDB.QueryElements: place, kind\nDB.Result: html.body.table.\nDB.Result.house: tr[1:*].td[0].txt\n";
    for (text, has, not) in [
        (lines, "12 combinations", "role=\"alert\""),
        ("DB.Result.house: html.body->table[.txt", "role=\"alert\"", "12 combinations"),
        ("DB.QueryElement: nothing", "no field nothing", "role=\"alert\""),
    ] {
        let tried = form(&house, &browser, &format!("{here}/try"), &[("description", text)]);
        let part = form(&house, &browser, &format!("{here}/preview"), &[("description", text), ("answer", "0")]);
        assert_eq!((tried.status, part.status), (200, 200), "{}", tried.text());
        assert!(tried.text().contains(has) && !tried.text().contains(not), "{text}: {}", tried.text());
        assert!(!part.text().contains("<html") && part.text().contains(has), "{text}: {}", part.text());
    }
    let spell = form(
        &house,
        &browser,
        &format!("{here}/try"),
        &[("description", &format!("DB.Result.{SPELL}: a, {SPELL}\nDB.{SPELL}: x\n{SPELL}"))],
    );
    assert!(spell.status == 200 && !spell.text().contains("<script>window") && !spell.text().contains("<img src=x"));
    let long = form(&house, &browser, &format!("{here}/try"), &[("description", &"x".repeat(60_001))]);
    assert_eq!(long.status, 422, "{}", long.text());
    assert_eq!(web.total(), asked, "trying fetches nothing");
    let reply = form(&house, &browser, &format!("{here}/describe"), &[("description", lines)]);
    assert_eq!(reply.status, 303, "{}", reply.text());
    house.until_idle(&name, None);
    let list = house.get(&format!("/api/v1/sites/{name}/databases")).json();
    let other =
        list["items"].as_array().unwrap().iter().find(|one| one["id"] != id).unwrap_or_else(|| panic!("{list}"));
    assert_eq!(other["task"]["description"], lines.trim(), "{list}");
    let found = house.get(&format!("/api/v1/sites/{name}/databases/{}", other["id"])).json();
    assert!(
        found["attributes"][0]["name"] == "house" && found["attributes"][0]["values"].as_u64() > Some(50),
        "{found}"
    );
}

#[test]
fn what_was_gathered_is_hostile_and_stays_text() {
    let (house, web, name, id) = with_database(&Inns::default());
    let mut seen = String::new();
    for (page, path) in database_pages(&name, id, &web) {
        let reply = house.get(&path);
        let text = reply.text();
        assert_eq!(reply.status, if page == "hel-fault" { 422 } else { 200 }, "{path}: {text}");
        assert!(!text.contains("<script>window") && !text.contains("<img src=x"), "{path}: {text}");
        assert!(!text.contains('\u{202e}'), "{path}");
        seen += &text;
    }
    assert!(seen.contains("&#60;script&#62;window.harmed"), "it was shown, as text");
}

#[test]
fn nonsense_is_refused_with_a_hint_beside_the_form() {
    let web = Server::start(Inns::default());
    let (house, name) = surveyed(&web);
    let browser = house.browser();
    let own = format!("{}/search", web.base());
    for (pairs, says) in [
        (&[][..], "no database"),
        (&[("address", &*own), ("budget", "0")][..], "budget"),
        (&[("address", &own), ("budget", "-5")], "budget"),
        (&[("address", &own), ("how", "magic<b>")], "magic"),
        (&[("address", &own), ("post", "perhaps")], "post"),
        (&[("address", &own), ("plan", "1")], "plan"),
        (&[("address", "ftp://nowhere.test/")], "nowhere.test"),
        (&[("address", "http://10.0.0.1/")], "private network"),
        (&[("address", "http://127.0.0.1:1/")], "private network"),
        (&[("address", "http://[::1]/")], "private network"),
        (&[("address", "http://169.254.169.254/latest/")], "private network"),
        (&[("address", "/etc/passwd")], ""),
        (&[("address", "file:///etc/passwd")], ""),
        (&[("address", "http://user:secret@example.org/")], "password"),
    ] {
        let reply = form(&house, &browser, &format!("/sites/{name}/databases"), pairs);
        let text = reply.text();
        assert!(matches!(reply.status, 403 | 422), "{pairs:?}: {} {text}", reply.status);
        assert!(text.contains("role=\"alert\"") && text.contains(says) && !text.contains("<b>"), "{pairs:?}: {text}");
    }
    let jobs = house.get(&format!("/api/v1/sites/{name}/jobs?kind=gather")).json();
    assert_eq!(jobs["items"], json!([]), "nothing was asked for");
    let path = format!("/api/v1/sites/{name}/databases");
    for (bad, status) in [
        (json!({}), 422),
        (json!({ "address": own, "color": "red" }), 400),
        (json!({ "address": format!("http://a.test/{}", "x".repeat(2_001)) }), 400),
        (json!({ "address": own, "description": "x".repeat((1 << 18) + 1) }), 413),
        (json!({ "address": own, "settings": { "proxy": "http://evil/" } }), 403),
        (json!({ "address": own, "settings": { "robots": "false" } }), 403),
        (json!({ "address": "https://example.org/", "settings": { "delay": "0" } }), 403),
    ] {
        let reply = house.post(&path, &bad);
        assert_eq!(reply.status, status, "{bad:.100}: {}", reply.text());
    }
    let job = house.post(&format!("/api/v1/sites/{name}/jobs"), &json!({ "kind": "gather" }));
    assert_eq!(job.status, 422, "a job without a database: {}", job.text());
    // Without the token of the form nothing happens.
    let headers = [("Cookie", browser.cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let body = format!("address={own}");
    assert_eq!(house.ask("POST", &format!("/sites/{name}/databases"), &headers, body.as_bytes()).status, 403);
    // What has no form comes to nothing, and says so.
    let reply = house.post(&path, &json!({ "address": web.base() }));
    assert_eq!(reply.status, 201, "{}", reply.text());
    house.until_idle(&name, None);
    let list = house.get(&format!("/sites/{name}/databases")).text();
    assert!(list.contains("The last gathering failed") && list.contains("came to nothing"), "{list}");
    let one = house.get(&format!("/sites/{name}/databases/1")).text();
    assert!(one.contains("It came to nothing") && one.contains("there is no form on this page"), "{one}");
    // What others own is guarded.
    let reply = house.post(&path, &json!({ "address": "https://example.org/", "settings": { "delay": "1" } }));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let job = house.get(&format!("/api/v1/sites/{name}/jobs/{}", reply.json()["job"])).json();
    assert_eq!(job["guarded"], true, "{job}");
}

#[test]
fn a_gathering_at_work_is_watched_and_not_forgotten() {
    let inns = Inns::default();
    let web = Server::start(inns.clone());
    let (house, name) = surveyed(&web);
    inns.pace.store(700, Ordering::Relaxed);
    let reply =
        house.post(&format!("/api/v1/sites/{name}/databases"), &json!({ "address": format!("{}/search", web.base()) }));
    let job = reply.json()["job"].clone();
    let since = std::time::Instant::now();
    while house.get(&format!("/api/v1/sites/{name}/databases/1")).status != 200 {
        assert!(since.elapsed().as_secs() < 60, "it does not begin");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    for path in ["databases", "databases/1"] {
        let page = house.get(&format!("/sites/{name}/{path}")).text();
        assert!(page.contains("data-live=") && page.contains("Load the page again"), "{page}");
        assert!(page.contains("http-equiv=\"refresh\""), "without scripts it is loaded again");
        assert_eq!(house.get(&format!("/sites/{name}/{path}/state")).status, 200);
    }
    let headers = house.browser();
    let headers = [("Cookie", headers.cookie.as_str()), ("X-Csrf-Token", &headers.csrf)];
    let path = format!("/api/v1/sites/{name}/databases/1");
    assert_eq!(house.ask("DELETE", &path, &headers, b"").status, 409);
    let cancel = house.ask("POST", &format!("/api/v1/sites/{name}/jobs/{job}/cancel"), &headers, b"");
    assert!(cancel.status < 300, "{}", cancel.text());
    inns.pace.store(0, Ordering::Relaxed);
    house.until_idle(&name, None);
    assert_eq!(house.ask("DELETE", &path, &headers, b"").status, 204);
    assert_eq!(house.ask("DELETE", &path, &headers, b"").status, 404);
}

#[test]
fn readers_see_databases_and_no_buttons() {
    let web = Server::start(Inns::default());
    let own = own_name(&web);
    let (house, admin, reader) = House::with_people(|options| options.own = vec![own]);
    let new = json!({ "url": web.base(), "settings": { "delay": "0", "sitemaps": "false" } });
    let name =
        house.with_token(&admin, "POST", "/api/v1/sites", Some(&new)).json()["name"].as_str().unwrap().to_owned();
    house.until_idle(&name, Some(&admin));
    let path = format!("/api/v1/sites/{name}/databases");
    let new = json!({ "address": format!("{}/search", web.base()), "settings": { "delay": "0" } });
    assert_eq!(house.with_token(&reader, "POST", &path, Some(&new)).status, 403);
    assert_eq!(house.with_token(&admin, "POST", &path, Some(&new)).status, 201);
    house.until_idle(&name, Some(&admin));
    for (page, forms) in [
        (format!("/sites/{name}/databases"), &["Gather it", "Plan form"][..]),
        (format!("/sites/{name}/databases/1"), &["/more\"", "/forget\""][..]),
        (format!("/sites/{name}/databases/1/describe"), &["Gather with"][..]),
    ] {
        let text = house.with_token(&reader, "GET", &page, None).text();
        assert!(text.contains("Search for inns"), "{text}");
        for form in forms {
            assert!(!text.contains(form), "a reader is shown {form}");
        }
        assert_eq!(house.get(&page).status, 303, "strangers are shown where to log in");
    }
    assert_eq!(house.with_token(&reader, "GET", &format!("{path}/1/export"), None).status, 200);
    assert_eq!(house.with_token(&reader, "DELETE", &format!("{path}/1"), None).status, 403);
    for what in ["more", "forget", "describe"] {
        let said = house.with_token(&reader, "POST", &format!("/sites/{name}/databases/1/{what}"), Some(&json!({})));
        assert_eq!(said.status, 403, "{what}");
    }
    // What changes nothing may be tried by readers, and by nobody else.
    let trial = json!({ "rule": "html.body.p.txt", "html": "<p>Inn" });
    assert_eq!(house.with_token(&reader, "POST", "/api/v1/hel", Some(&trial)).json()["value"], "Inn");
    let bearer = format!("Bearer {reader}");
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    for path in ["try", "preview"] {
        let path = format!("/sites/{name}/databases/1/{path}");
        assert_eq!(house.ask("POST", &path, &headers, b"description=DB.Form:+0").status, 200, "{path}");
        assert_eq!(house.ask("POST", &path, &[headers[1]], b"description=x").status, 303, "{path}");
    }
    assert_eq!(house.get(&path).status, 401);
    assert_eq!(house.with_token(&admin, "DELETE", &format!("{path}/1"), None).status, 204);
}
