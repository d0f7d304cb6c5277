//! What may be asked of the server over the web: nothing that reaches further than its owner allowed.

use serde_json::json;

use crate::focus::form;
use crate::{House, surveyed};

#[test]
fn start_pages_inside_the_house_are_refused() {
    let house = House::open(|options| options.workers = 0);
    for url in [
        "http://127.0.0.1/",
        "http://localhost:8080/",
        "http://[::1]/",
        "http://0/",
        "http://2130706433/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://192.168.0.1/admin",
        "http://[::ffff:127.0.0.1]/",
        "http://[fd00::1]/",
        "http://router.local/",
        "intranet",
    ] {
        let reply = house.post("/api/v1/sites", &json!({ "url": url }));
        assert_eq!(reply.status, 403, "{url}: {}", reply.text());
        assert!(reply.json()["hint"].as_str().unwrap().contains("--own"), "{url}");
    }
    for url in ["file:///etc/passwd", "ftp://example.org/", "http://", "gopher://x.example/", "javascript:alert(1)"] {
        let reply = house.post("/api/v1/sites", &json!({ "url": url }));
        assert_eq!(reply.status, 422, "{url}: {}", reply.text());
    }
    let login = house.post("/api/v1/sites", &json!({ "url": "https://me:secret@example.org/" }));
    assert_eq!(login.status, 422, "{}", login.text());
    assert!(!login.text().contains("secret"));
    assert_eq!(house.get("/api/v1/sites").json()["items"], json!([]), "and nothing was begun");
}

#[test]
fn settings_that_open_doors_are_refused() {
    let house = House::open(|options| options.workers = 0);
    for (key, value) in [
        ("robots", "false"),
        ("proxy", "http://10.0.0.1:3128"),
        ("resolve", "example.org:443:127.0.0.1"),
        ("insecure", "true"),
        ("headers", "Authorization: Bearer x"),
        ("user", "a:b"),
        ("cookies", "true"),
        ("user_agent", "Mozilla"),
        ("per_host", "100"),
        ("concurrency", "4000"),
        ("limits.page_bytes", "99999999"),
        ("limits.total_ms", "1"),
        ("search.title", "9"),
        ("nofollow", "follow"),
    ] {
        let order = json!({ "url": "https://www.example.org/", "settings": { key: value } });
        let reply = house.post("/api/v1/sites", &order);
        assert_eq!(reply.status, 403, "{key}: {}", reply.text());
    }
    for (settings, status) in [
        (json!({ "delay": "0" }), 403),
        (json!({ "delay": "0.1" }), 403),
        (json!({ "no such": "x" }), 400),
        (json!({ "delay": "-1" }), 400),
        (json!({ "scope": "any" }), 422),
        (json!({ "scope": "world" }), 400),
        (json!({ "depth": "x" }), 400),
        (json!({ "exclude": "re:(" }), 422),
        (json!({ "exclude": "x".repeat(20_000) }), 422),
    ] {
        let reply = house.post("/api/v1/sites", &json!({ "url": "https://www.example.org/", "settings": settings }));
        assert_eq!(reply.status, status, "{settings}: {}", reply.text());
    }
    assert_eq!(house.get("/api/v1/sites").json()["items"], json!([]), "and nothing was begun");
    for body in [json!({}), json!({ "url": 1 }), json!({ "url": "https://a.example/", "owned": true }), json!([])] {
        assert_eq!(house.post("/api/v1/sites", &body).status, 400, "{body}");
    }
}

#[test]
fn what_is_begun_over_the_web_stays_guarded() {
    let house = House::open(|options| options.workers = 0);
    let order =
        json!({ "url": "https://www.example.org/", "settings": { "depth": "3", "scope": "any", "limit": "50" } });
    let begun = house.post("/api/v1/sites", &order);
    assert_eq!(begun.status, 201, "{}", begun.text());
    let jobs = house.get("/api/v1/sites/www.example.org/jobs").json()["items"].clone();
    let kinds: Vec<&str> = jobs.as_array().unwrap().iter().map(|job| job["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["index", "check", "crawl"]);
    assert_eq!(jobs[2]["guarded"], true, "{jobs}");
    assert_eq!(jobs[2]["task"]["settings"], json!({ "depth": "3", "scope": "any", "limit": "50" }), "{jobs}");
    assert_eq!(house.post("/api/v1/sites", &order).status, 409, "once");
    assert_eq!(house.get("/api/v1/sites/www.example.org").json()["site"]["state"], "empty");
}

#[test]
fn names_of_sites_are_names_and_not_paths() {
    let (house, _web, name) = surveyed();
    assert_eq!(house.get(&format!("/api/v1/sites/{name}")).status, 200);
    std::fs::create_dir_all(house.home.join("inner.groma")).unwrap();
    for bad in ["..", "%2e%2e", "..%2f..", "%2fetc%2fpasswd", ".", "%00", "inner", "a%2f..%2fb", "C:%5C", "%252e%252e"]
    {
        let reply = house.get(&format!("/api/v1/sites/{bad}/pages"));
        assert!(matches!(reply.status, 404 | 400), "{bad}: {} {}", reply.status, reply.text());
    }
    let upward = format!("/api/v1/sites/{name}/../../../etc/passwd");
    assert_eq!(house.get(&upward).status, 404);
}

#[test]
fn jobs_on_a_survey_that_is_there_bring_no_doors_either() {
    let (house, _web, name) = surveyed();
    let path = format!("/api/v1/sites/{name}/jobs");
    for (order, status) in [
        (json!({ "kind": "update", "settings": { "robots": "false" } }), 403),
        (json!({ "kind": "crawl", "settings": { "proxy": "http://x" } }), 403),
        (json!({ "kind": "dance" }), 400),
        (json!({ "kind": "crawl", "seeds": ["http://10.0.0.1/"] }), 422),
        (json!({ "kind": "crawl", "fresh": true }), 403),
        (json!({ "kind": "bound", "online": true }), 403),
        (json!({ "kind": "gather", "url": "http://10.0.0.1/" }), 403),
        (json!({ "kind": "crawl", "guarded": false }), 422),
        (json!({ "kind": "focus", "topic": "a", "strategy": "magic" }), 422),
        (json!({ "kind": 0 }), 400),
        (json!([]), 400),
        (json!({ "kind": "map", "format": "exe" }), 422),
        (json!({ "kind": "index", "priority": 1000 }), 400),
        (json!({ "kind": "map", "format": "json" }), 201),
    ] {
        let reply = house.post(&path, &order);
        assert_eq!(reply.status, status, "{order}: {}", reply.text());
        assert!(order["strategy"].is_null() || reply.text().contains("strategy: one of"), "{}", reply.text());
    }
    let jobs = house.until_idle(&name, None);
    assert_eq!(jobs[0]["kind"], "map");
    assert_eq!(jobs[0]["state"], "done", "{jobs}");
}

#[test]
fn forms_of_jobs_and_schedules_have_the_fields_of_their_tasks() {
    let (house, _web, name) = surveyed();
    let browser = house.browser();
    let jobs = format!("/sites/{name}/jobs");
    let page = house.get(&jobs).text();
    for field in
        ["map.depth", "map.scope", "check.only", "rank.damping", "update.keep", "index.rebuild", "bound.epsilon"]
    {
        assert!(page.contains(&format!("name=\"{field}\"")), "{field}: {page}");
    }
    assert!(!page.contains("bound.seeds") && !page.contains("bound.online"), "files and what only commands take");
    let task = |id: &str| house.get(&format!("/api/v1/sites/{name}/jobs/{id}")).json()["task"].clone();
    let map = [("kind", "map"), ("map.format", "json"), ("map.depth", "1"), ("map.gzip", "yes"), ("check.near", "")];
    let reply = form(&house, &browser, &jobs, &map);
    assert_eq!(reply.status, 303, "{}", reply.text());
    let id = reply.header("location").rsplit('/').next().unwrap().to_owned();
    assert_eq!(task(&id), json!({ "depth": 1, "gzip": true }));
    house.until_idle(&name, None);
    let drawn = house.get(&format!("{jobs}/{id}/result")).text();
    assert!(drawn.contains("\"folded\":") && !drawn.contains("Entry 2"), "what lies deeper is not drawn: {drawn}");
    // What is wrong is said beside what was typed.
    let wrong = form(&house, &browser, &jobs, &[("kind", "rank"), ("rank.damping", "2")]);
    assert!(wrong.status == 422 && wrong.text().contains("0.85 is usual"), "{}", wrong.text());
    assert!(wrong.text().contains("name=\"rank.damping\"") && wrong.text().contains("value=\"2\""));
    // A schedule takes the same fields.
    let schedule = [
        ("period", "every 7 days"),
        ("what", "update,check"),
        ("update.keep", "yes"),
        ("check.only", "redirect,orphan"),
    ];
    assert_eq!(form(&house, &browser, &format!("/sites/{name}/schedules"), &schedule).status, 303);
    let tasks = house.get(&format!("/api/v1/sites/{name}/schedules")).json()["items"][0]["tasks"].clone();
    assert_eq!(
        tasks,
        json!([{ "kind": "update", "keep": true }, { "kind": "check", "only": "redirect,orphan" }, { "kind": "index" }])
    );
}

#[test]
fn what_belongs_to_a_task_follows_it_unless_it_is_to_stay_alone() {
    let (house, _web, name) = surveyed();
    let browser = house.browser();
    let kinds = |answer: &serde_json::Value| -> Vec<String> {
        let kinds = answer.as_array().unwrap().iter();
        kinds.map(|kind| kind.as_str().unwrap_or_default().to_owned()).collect()
    };
    let queued = |order: serde_json::Value| {
        let reply = house.post(&format!("/api/v1/sites/{name}/jobs"), &order);
        assert_eq!(reply.status, 201, "{}", reply.text());
        let ids = reply.json()["jobs"].as_array().unwrap().clone();
        let kind =
            |id: &serde_json::Value| house.get(&format!("/api/v1/sites/{name}/jobs/{id}")).json()["kind"].clone();
        kinds(&ids.iter().map(kind).collect())
    };
    assert_eq!(queued(json!({ "kind": "update" })), ["update", "check", "index", "notify"]);
    assert_eq!(queued(json!({ "kind": "update", "package": true })), ["update", "check", "index", "notify"]);
    assert_eq!(queued(json!({ "kind": "update", "alone": true })), ["update"]);
    assert_eq!(queued(json!({ "kind": "update", "package": false })), ["update"]);
    assert_eq!(queued(json!({ "kind": "rank" })), ["rank"]);
    let path = format!("/api/v1/sites/{name}/schedules");
    let scheduled = |jobs: serde_json::Value, alone: bool| {
        let order = json!({ "name": "x", "period": "every 7 days", "jobs": jobs, "alone": alone });
        kinds(&house.post(&path, &order).json()["jobs"])
    };
    assert_eq!(scheduled(json!(["crawl"]), false), ["crawl", "check", "index"]);
    assert_eq!(scheduled(json!(["crawl"]), true), ["crawl"]);
    assert_eq!(scheduled(json!(["crawl", "map"]), false), ["crawl", "map", "index"], "of several the index alone");
    assert_eq!(scheduled(json!(["update", "index"]), false), ["update", "index"]);
    assert_eq!(scheduled(json!(["index", "update"]), false), ["index", "update", "index"]);
    let typed = [("period", "every 7 days"), ("what", "crawl"), ("alone", "yes")];
    assert_eq!(form(&house, &browser, &format!("/sites/{name}/schedules"), &typed).status, 303);
    let rows = house.get(&path).json()["items"].clone();
    assert_eq!(kinds(&rows.as_array().unwrap().last().unwrap()["jobs"]), ["crawl"]);
    house.until_idle(&name, None);
}
