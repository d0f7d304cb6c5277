//! What the API says of a small site whose truth is known.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use groma_store::Folder;
use groma_store::gathers::{Harvest, NewGather, RecordRow};
use serde_json::{Value, json};

use crate::{HOSTILE, House, surveyed};

fn urls(list: &Value) -> Vec<String> {
    let path = |row: &Value| row["url"].as_str().unwrap().splitn(4, '/').nth(3).unwrap().to_owned();
    list["items"].as_array().unwrap().iter().map(path).collect()
}

#[test]
fn a_site_can_be_read_from_all_sides() {
    let (house, web, name) = surveyed();
    let base = format!("/api/v1/sites/{name}");
    let get = |path: &str| {
        let reply = house.get(&format!("{base}{path}"));
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert_eq!(reply.header("content-type"), "application/json");
        reply.json()
    };
    let site = get("");
    assert_eq!((&site["site"]["fetched"], &site["site"]["state"]), (&json!(11), &json!("idle")), "{site}");
    assert_eq!(site["standing"]["broken_parts"]["gone"], 3);
    assert_eq!(site["standing"]["store"], Value::Null, "no paths of the disk");
    assert_eq!(site["site"]["start"][0].as_str().unwrap().trim_end_matches('/'), web.base().trim_end_matches('/'));

    assert_eq!(get("/pages?state=broken").pointer("/items/0/reason").unwrap(), "not-found");
    assert_eq!(get("/pages?type=text/html&state=fetched")["items"].as_array().unwrap().len(), 11);
    let lists = format!("/pages?prefix={}/list/", web.base().trim_end_matches('/'));
    assert_eq!(urls(&get(&lists)).len(), 6);
    assert_eq!(get("/pages?type=image/")["items"], json!([]));

    let page = get("/page?url=/b");
    assert_eq!((&page["known"], &page["state"], &page["depth"]), (&json!(true), &json!("fetched"), &json!(1)));
    assert_eq!(page["links"]["pages_in"], 1);
    assert_eq!(page["links"]["out"][0]["text"], "a");
    assert_eq!(get("/page?url=/never-seen")["known"], false);

    let findings = get("/findings?kind=invalid-link");
    assert_eq!((findings["total"].as_u64(), findings["cut"].as_bool()), (Some(3), Some(false)));
    assert!(findings["items"][0]["to"].as_str().unwrap().ends_with("/dead"));
    assert_eq!(get("/findings?severity=error")["items"].as_array().unwrap().len(), 3);
    assert_eq!(get("/findings?new=false")["items"], json!([]), "with one run all are new");

    let rank = get("/rank?limit=3");
    assert_eq!(rank["items"].as_array().unwrap().len(), 3);
    assert!(rank["items"][0]["rank"].as_f64() >= rank["items"][1]["rank"].as_f64());

    let map = get("/map?depth=1");
    assert_eq!((&map["pages"], &map["layers"]), (&json!(11), &json!(7)), "{map}");
    let top = &map["places"][0];
    assert_eq!((&top["parent"], &top["pages"], &top["left_out"]), (&Value::Null, &json!(11), &json!(0)));
    assert_eq!(map["places"].as_array().unwrap().len(), 1 + top["children"].as_u64().unwrap() as usize);
    let branch = get("/map?root=/list/3&depth=1");
    assert_eq!(branch["places"].as_array().unwrap().len(), 2);
    assert_eq!(branch["places"][1]["left_out"], 1);
    assert_eq!(get("/map?limit=3")["places"].as_array().unwrap().len(), 3, "cut, and said so");

    let changes = get("/changes?kind=added&run=1");
    assert!(changes["items"].as_array().unwrap().len() >= 11);
    assert_eq!(get("/changes?run=99")["items"], json!([]));
    let tried = get(&format!("/rules/test?url={}/a?utm_source=x", web.base().trim_end_matches('/')));
    assert!(tried["canonical"].as_str().unwrap().ends_with("/a"), "{tried}");
    assert!(get("/rules")["noise"].as_array().unwrap().len() > 3);
    assert_eq!(get("/notices")["items"], json!([]));
    let seen = get("/exclusions?pattern=*/list/*");
    assert_eq!((&seen["queued"], &seen["dropped"], &seen["read"]), (&json!(0), &json!(0), &json!(6)));
    assert!(get("/jobs/1/curve")["items"].is_array());

    for missing in ["/nothing", "/jobs/99", "/jobs/99/log", "/schedules/9", "/map?root=/never-seen"] {
        let reply = house.get(&format!("{base}{missing}"));
        assert_eq!(reply.status, 404, "{missing}");
        assert_eq!(reply.header("content-type"), "application/problem+json", "{missing}");
        let problem = reply.json();
        assert!(problem["detail"].is_string() && problem["hint"].is_string() && problem["status"] == 404, "{problem}");
    }
    for bad in
        ["/pages?state=x", "/pages?limit=0", "/pages?limit=x", "/pages?color=red", "/jobs/x", "/page", "/page?url="]
    {
        assert_eq!(house.get(&format!("{base}{bad}")).status, 400, "{bad}");
    }
}

#[test]
fn hostile_titles_come_as_text() {
    let (house, _web, name) = surveyed();
    let reply = house.get(&format!("/api/v1/sites/{name}/pages?limit=1000"));
    let rows = reply.json();
    let title = rows["items"].as_array().unwrap().iter().find(|row| row["url"].as_str().unwrap().ends_with("/hostile"));
    assert_eq!(title.unwrap()["title"], HOSTILE);
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
}

#[test]
fn records_of_databases_are_found() {
    let (house, web, name) = surveyed();
    let form = format!("{}/a", web.base().trim_end_matches('/'));
    let folder = std::fs::read_dir(&house.home).unwrap().flatten().map(|entry| entry.path());
    let folder = folder.map(Folder::new).find(Folder::exists).unwrap();
    let mut gathers = folder.gathers().unwrap();
    let new = NewGather { key: "k".into(), address: form.clone(), asked: "{}".into(), at: 1 };
    let id = gathers.begin(&new).unwrap().id;
    let record = |name: &str, link: &str| RecordRow {
        place: 0,
        values: serde_json::to_string(&[("name", name), ("kind", "dioptra")]).unwrap(),
        link: link.into(),
        question: "all".into(),
    };
    let records = vec![record(HOSTILE, "javascript:alert(1)"), record("Dioptra of Heron", "http://a.test/heron")];
    let title = Some(format!("Tools {HOSTILE}"));
    assert!(gathers.add(id, &Harvest { form: Some(form.clone()), title, records, ..Harvest::default() }).unwrap());
    assert!(gathers.end(id, "certified", "{}", 2).unwrap());
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/jobs"), &json!({ "kind": "index" })).status, 201);
    let jobs = house.until_idle(&name, None);
    assert!(jobs.to_string().contains("2 records"), "{jobs}");
    std::thread::sleep(Duration::from_millis(300));
    let found = house.get("/api/v1/search?q=dioptra&facets=true").json();
    assert_eq!(found["total"], 2, "{found}");
    let items = found["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["kind"] == "record" && item["form"] == form.as_str()), "{found}");
    let addresses: Vec<&str> = items.iter().filter_map(|item| item["url"].as_str()).collect();
    assert!(addresses.contains(&form.as_str()) && addresses.contains(&"http://a.test/heron"), "{found}");
    assert_eq!(found["facets"]["types"][0]["value"], "record");
    let page = house.get("/api/v1/search?q=surveyors").json();
    assert!(page["items"][0]["form"].is_null() && page["items"][0]["kind"] == "page", "{page}");
    for path in [format!("/sites/{name}/search?q=dioptra"), "/search?q=dioptra&embed=1".to_owned()] {
        let shown = house.get(&path).text();
        assert!(shown.contains("Record of <a href=\"") && shown.contains("Tools "), "{shown}");
        assert!(shown.contains("1–2 of 2 pages and records"), "{shown}");
        assert!(!shown.contains("<img src=x") && !shown.contains("javascript:"), "{shown}");
    }
    let map = house.get(&format!("/sites/{name}/map?find=heron")).text();
    assert!(map.contains("Instruments"), "a record is found where its form stands: {map}");
}

#[test]
fn words_are_found() {
    let (house, _web, name) = surveyed();
    let found = house.get("/api/v1/search?q=surveyors&facets=true");
    assert_eq!(found.status, 200, "{}", found.text());
    let found = found.json();
    assert!(found["items"][0]["url"].as_str().unwrap().ends_with('/'), "{found}");
    assert!(found["items"][0]["snippet"].as_array().unwrap().iter().any(|piece| piece["hit"] == true), "{found}");
    assert!(found["facets"]["types"].is_array());
    let again = house.get("/api/v1/search?q=surveyors&facets=true").json();
    assert_eq!(again, found, "remembered");
    let of_site = house.get(&format!("/api/v1/search?q=entry&limit=2&site={name}")).json();
    assert_eq!((of_site["total"].as_u64(), of_site["items"].as_array().unwrap().len()), (Some(6), 2));
    let next = of_site["next"].as_str().unwrap();
    let rest = house.get(&format!("/api/v1/search?q=entry&limit=2&site={name}&cursor={next}")).json();
    assert_ne!(rest["items"][0]["url"], of_site["items"][0]["url"]);
    assert_eq!(house.get("/api/v1/search?q=entry&site=nowhere").status, 404);
    assert_eq!(house.get("/api/v1/search").status, 400);
    for odd in ["", "%22", "-", "%00", "((((", "a%20OR", "%F0%9F%A6%80", "site:", "in:%22x"] {
        assert_eq!(house.get(&format!("/api/v1/search?q={odd}")).status, 200, "{odd}");
    }
    assert!(house.get("/api/v1/suggest?q=instr").json()["items"].is_array());
}

#[test]
fn schedules_are_made_changed_and_removed() {
    let (house, _web, name) = surveyed();
    let path = format!("/api/v1/sites/{name}/schedules");
    let browser = house.browser();
    let new = json!({ "name": "weekly", "period": "every 7 days", "zone": "Europe/Prague", "keep": true });
    let made = house.post_as(&browser, &path, &new);
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["id"].as_u64().unwrap();
    assert_eq!(made.json()["jobs"], json!(["update", "check", "index", "notify"]));
    assert!(made.json()["says"].as_str().unwrap().starts_with("every 7 days"), "{}", made.text());
    let change = |method: &str, body: &Value| {
        let headers = [
            ("Cookie", browser.cookie.as_str()),
            ("X-Csrf-Token", &browser.csrf),
            ("Content-Type", "application/json"),
        ];
        house.ask(method, &format!("{path}/{id}"), &headers, body.to_string().as_bytes())
    };
    let daily =
        json!({ "name": "daily", "period": "daily at 03:00", "jobs": ["update"], "alone": true, "enabled": false });
    assert_eq!(change("PUT", &daily).status, 200);
    let now = house.get(&format!("{path}/{id}")).json();
    assert_eq!((&now["name"], &now["enabled"], &now["jobs"]), (&json!("daily"), &json!(false), &json!(["update"])));
    for bad in [
        json!({ "name": "x", "period": "whenever" }),
        json!({ "name": "x", "period": "every 1 minutes" }),
        json!({ "name": "x", "period": "every 7 days", "zone": "Mars/Olympus" }),
        json!({ "name": "x", "period": "every 7 days", "jobs": ["dance"] }),
    ] {
        let reply = house.post_as(&browser, &path, &bad);
        assert_eq!(reply.status, 422, "{bad}: {}", reply.text());
        assert!(!reply.json()["hint"].as_str().unwrap().is_empty());
    }
    assert_eq!(change("DELETE", &json!({})).status, 204);
    assert_eq!(change("DELETE", &json!({})).status, 404);
}

#[test]
fn jobs_can_be_paused_resumed_cancelled_and_tried_again() {
    let house = House::open(|options| options.workers = 0);
    let begun = house.post("/api/v1/sites", &json!({ "url": "https://www.example.org/" })).json();
    let crawl = begun["jobs"][0].as_u64().unwrap();
    let browser = house.browser();
    let wish =
        |what: &str| house.post_as(&browser, &format!("/api/v1/sites/www.example.org/jobs/{crawl}/{what}"), &json!({}));
    assert_eq!(wish("pause").json()["state"], "paused");
    assert_eq!(wish("pause").status, 409);
    assert_eq!(wish("resume").json()["state"], "waiting");
    assert_eq!(wish("retry").status, 409);
    assert_eq!(wish("cancel").json()["state"], "cancelled");
    assert_eq!(wish("retry").json()["state"], "waiting");
    let headers =
        [("Cookie", browser.cookie.as_str()), ("X-Csrf-Token", &browser.csrf), ("Content-Type", "application/json")];
    let path = format!("/api/v1/sites/www.example.org/jobs/{crawl}/priority");
    assert_eq!(house.ask("PUT", &path, &headers, br#"{"priority":7}"#).json()["priority"], 7);
    assert_eq!(house.ask("PUT", &path, &headers, br#"{"priority":700}"#).status, 400);
    let drop =
        house.post_as(&browser, "/api/v1/sites/www.example.org/exclusions", &json!({ "pattern": "*/calendar/*" }));
    assert_eq!(drop.status, 200, "{}", drop.text());
    let job = house.get(&format!("/api/v1/sites/www.example.org/jobs/{crawl}")).json();
    assert_eq!(job["task"]["exclude"], json!(["*/calendar/*"]), "the job that waits has it");
}

#[test]
fn events_tell_of_jobs_as_they_go() {
    let (house, _web, name) = surveyed();
    let mut stream = TcpStream::connect(house.at).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let cookie = house.browser().cookie;
    write!(stream, "GET /api/v1/sites/{name}/events HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n").unwrap();
    let mut seen = String::new();
    let mut part = [0; 4096];
    let mut read = |seen: &mut String, until: &str| {
        while !seen.contains(until) {
            let count = stream.read(&mut part).expect("an event in time");
            assert!(count > 0, "{seen}");
            seen.push_str(&String::from_utf8_lossy(&part[..count]));
        }
    };
    read(&mut seen, "event: jobs");
    assert!(seen.contains("text/event-stream"), "{seen}");
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/jobs"), &json!({ "kind": "rank" })).status, 201);
    read(&mut seen, "\"kind\":\"rank\"");
}

#[test]
fn it_is_well_and_counts() {
    let (house, _web, name) = surveyed();
    assert_eq!(house.get("/healthz").json(), json!({ "status": "ok", "sites": 1 }));
    let text = house.get("/metrics").text();
    for line in [
        format!("groma_addresses{{site=\"{name}\",state=\"fetched\"}} 11"),
        format!("groma_jobs{{site=\"{name}\",state=\"done\"}} 3"),
        "route=\"/api/v1/sites\",method=\"POST\",status=\"201\"} 1".into(),
        "groma_http_request_seconds_bucket".into(),
        "groma_searches_total".into(),
        "# EOF".into(),
    ] {
        assert!(text.contains(&line), "{line} in {text}");
    }
    assert!(!text.contains("/dead"), "routes are patterns");
}

#[test]
fn a_server_that_stops_gives_its_jobs_back() {
    use groma_testweb::{Answer, Ask, Server};
    let web = Server::start(|ask: &Ask| {
        let number: u32 = ask.path.trim_start_matches('/').parse().unwrap_or(0);
        Answer::html(format!("<title>{number}</title><a href=/{}>next</a>", number + 1))
    });
    let own = crate::own_name(&web);
    let home = crate::new_home();
    let house = House::open_in(home.clone(), |options| options.own = vec![own.clone()]);
    let new = json!({ "url": web.base(), "settings": { "delay": "0.05", "sitemaps": "false", "limit": "2000" } });
    let begun = house.post("/api/v1/sites", &new);
    assert_eq!(begun.status, 201, "{}", begun.text());
    let name = begun.json()["name"].as_str().unwrap().to_owned();
    let running = |house: &House| house.get(&format!("/api/v1/sites/{name}/jobs/1")).json()["state"] == "running";
    for _ in 0..200 {
        if running(&house) && web.count("/3") > 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(running(&house));
    // Stopped as Ctrl-C would, without the folder being removed.
    house.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut house = house;
    house.thread.take().unwrap().join().unwrap().unwrap();
    let folder = groma_store::Folder::new(home.join(format!("{name}.groma")));
    let job = { folder.queue().unwrap().job(groma_store::jobs::JobId(1)).unwrap().unwrap() };
    assert_eq!(job.state.name(), "waiting", "{job:?}");
    assert!(!folder.is_busy());
    std::mem::forget(house);
    let _ = std::fs::remove_dir_all(home);
}

#[test]
fn a_survey_that_cannot_be_read_is_listed_with_its_fault() {
    let (house, _web, name) = surveyed();
    let broken = house.home.join("broken.groma");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("survey.db"), "this is no survey at all\n".repeat(200)).unwrap();
    // The folders are looked for again after a second.
    std::thread::sleep(Duration::from_millis(1_200));
    let list = house.get("/api/v1/sites").json();
    let row = |wanted: &str| {
        let rows = list["items"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == wanted).unwrap_or_else(|| panic!("{wanted} is not in {list}")).clone()
    };
    assert_eq!((&row("broken")["state"], &row("broken")["fetched"]), (&json!("unreadable"), &json!(0)));
    let fault = row("broken")["fault"].as_str().unwrap().to_owned();
    assert!(!fault.is_empty() && !fault.contains(house.home.to_str().unwrap()), "{fault}");
    assert_eq!((&row(&name)["state"], &row(&name)["fault"]), (&json!("idle"), &Value::Null));
}

#[test]
fn a_search_says_when_its_index_is_older_than_the_survey() {
    let (house, web, name) = surveyed();
    let behind = || house.get("/api/v1/search?q=groma").json()["behind"].clone();
    let page = || house.get(&format!("/sites/{name}/search?q=surveyors")).text();
    let says = "The survey has changed since the search index was made";
    assert_eq!(behind(), false);
    assert!(!page().contains(says));
    // Somebody crawls on the same machine, and does not index.
    let folder = Folder::new(house.home.join(format!("{name}.groma")));
    let typed = format!("crawl {}/ask -s delay=0 --alone", web.base());
    groma_tasks::task::read_package(&[typed]).unwrap().queue(&folder, 0).unwrap();
    house.until_idle(&name, None);
    assert_eq!(house.get("/api/v1/search?q=stones").json()["behind"], true);
    let later = house.get(&format!("/sites/{name}/search?q=stones")).text();
    assert!(later.contains(says) && later.contains("Update the index"), "{later}");
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/jobs"), &json!({ "kind": "index" })).status, 201);
    house.until_idle(&name, None);
    assert_eq!(behind(), false);
    assert!(!page().contains(says));
}
