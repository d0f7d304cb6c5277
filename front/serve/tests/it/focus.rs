//! Focused crawls over the web: a small library, followed by topic, compared, explained, exported and forgotten; by pages and by the API.

use groma_testweb::{Answer, Ask, Manner, Server};
use serde_json::{Value, json};
use std::time::Duration;

use crate::{Browser, House, Reply, own_name};

/// Papers of the library; the even ones are about plumb lines.
const PAPERS: u32 = 16;
/// In a title, and in a topic.
const SPELL: &str = "<script>alert(1)</script>\"'\u{202e}<img src=x onerror=alert(2)>";

/// A library: lists of papers, half of them about the topic; one title is hostile. It can be slow.
fn library(pause: u64) -> Server {
    Server::start(move |ask: &Ask| {
        let path = ask.bare_path();
        let spell = SPELL.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let answer = match path.trim_start_matches('/').split_once('/') {
            None if path == "/" => Answer::html(
                "<title>Library</title><h1>Library</h1><ul><li><a href=/list/0>Plumb lines</a><li><a href=/list/1>Ovens</a></ul>",
            ),
            Some(("list", half)) => {
                let half: u32 = half.parse().unwrap_or(0) % 2;
                let name = ["plumb lines", "bread ovens"][half as usize];
                let entry = |n: u32| format!("<li><a href=/paper/{}>On {name}, part {n}</a></li>", n * 2 + half);
                let entries: String = (0..PAPERS / 2).map(entry).collect();
                Answer::html(format!(
                    "<title>Papers on {name}</title><h1>Papers on {name}</h1><ul>{entries}</ul><p><a href=/>home</a></p>"
                ))
            }
            Some(("paper", number)) => {
                let number: u32 = number.parse().unwrap_or(0);
                let (name, text) = if number.is_multiple_of(2) {
                    (
                        "plumb lines",
                        "A plumb line points to the centre of the earth. We hang plumb lines from the arms of a groma and compare plumb lines of wool and of flax.",
                    )
                } else {
                    (
                        "bread ovens",
                        "Bread is baked in ovens of clay. We heat an oven with wood and compare loaves of barley and of wheat.",
                    )
                };
                let odd = if number == 4 { &*spell } else { "" };
                Answer::html(format!(
                    "<html lang=en><head><title>On {name}, part {number} {odd}</title><meta name=citation_title content=\"On {name}, part {number} {odd}\">\
                     <meta name=citation_author content=\"Vitruvius, Marcus\"><meta name=citation_keywords content=\"{name}; antiquity\"></head>\
                     <body><nav><a href=/>Home</a></nav><main><article><h1>On {name}, part {number} {odd}</h1><p class=authors>Marcus Vitruvius</p>\
                     <h2>Abstract</h2><p class=abstract>{text}</p><h2>Keywords</h2><p>{name}, antiquity</p></article></main>\
                     <p><a href=/paper/{}>next</a></p></body></html>",
                    (number + 2) % PAPERS
                ))
            }
            _ => Answer::status(404),
        };
        if pause == 0 { answer } else { answer.with_manner(Manner::Delay(Duration::from_millis(pause))) }
    })
}

fn surveyed(house: &House, web: &Server, token: Option<&str>) -> String {
    let settings = json!({ "delay": "0", "sitemaps": "false", "limit": "1" });
    let new = json!({ "url": web.base(), "settings": settings });
    let reply = match token {
        Some(token) => house.with_token(token, "POST", "/api/v1/sites", Some(&new)),
        None => house.post("/api/v1/sites", &new),
    };
    assert_eq!(reply.status, 201, "{}", reply.text());
    let name = reply.json()["name"].as_str().unwrap().to_owned();
    house.until_idle(&name, token);
    name
}

fn begun(pause: u64) -> (House, Server, String) {
    let web = library(pause);
    let own = own_name(&web);
    let house = House::open(|options| options.own = vec![own]);
    let name = surveyed(&house, &web, None);
    (house, web, name)
}

/// Sends a form of a page, with the token that the page gave it.
pub(crate) fn form(house: &House, browser: &Browser, path: &str, pairs: &[(&str, &str)]) -> Reply {
    let with_token: Vec<(&str, &str)> =
        [("csrf", browser.csrf.as_str())].into_iter().chain(pairs.iter().copied()).collect();
    form_without_token(house, browser, path, &with_token)
}

/// Sends a form as a page of somebody else would.
pub(crate) fn form_without_token(house: &House, browser: &Browser, path: &str, pairs: &[(&str, &str)]) -> Reply {
    let mut body = groma_url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        body.append_pair(name, value);
    }
    let headers = [("Cookie", browser.cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    house.ask("POST", path, &headers, body.finish().as_bytes())
}

/// Follows a topic to the end of the library.
fn followed(house: &House, name: &str, new: &Value) -> u64 {
    let before = house.get(&format!("/api/v1/sites/{name}/focus")).json()["items"].as_array().unwrap().len();
    let reply = house.post(&format!("/api/v1/sites/{name}/focus"), new);
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.header("location"), format!("/api/v1/sites/{name}/jobs/{}", reply.json()["job"]));
    let jobs = house.until_idle(name, None);
    assert!(jobs.as_array().unwrap().iter().all(|job| job["state"] == "done"), "{jobs}");
    let all = house.get(&format!("/api/v1/sites/{name}/focus")).json();
    assert_eq!(all["items"].as_array().unwrap().len(), before + 1, "{all}");
    all["items"][before]["id"].as_u64().unwrap()
}

#[test]
fn before_any_topic_the_page_says_so_and_offers_it() {
    let (house, web, name) = begun(0);
    let page = house.get(&format!("/sites/{name}/focus"));
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("No topic was followed yet") && text.contains("Follow it"), "{text}");
    assert!(text.contains("aria-current=\"page\" data-go=\"f\">Focus"), "it stands in the navigation");
    assert!(text.contains(&web.base()), "its start page is named");
    assert_eq!(house.get(&format!("/sites/{name}/focus/state")).status, 205);
    assert_eq!(house.get(&format!("/api/v1/sites/{name}/focus")).json(), json!({ "items": [], "next": null }));
    for path in ["1", "1/state", "1/page?url=x", "1/pages.csv", "4294967295"] {
        assert_eq!(house.get(&format!("/sites/{name}/focus/{path}")).status, 404, "{path}");
    }
    for path in ["1", "1/steps", "1/export"] {
        assert_eq!(house.get(&format!("/api/v1/sites/{name}/focus/{path}")).status, 404, "{path}");
    }
    assert_eq!(house.get(&format!("/sites/{name}/focus/one")).status, 400);
}

#[test]
fn topics_are_followed_compared_and_explained() {
    let (house, web, name) = begun(0);
    let arms = followed(&house, &name, &json!({ "topic": "plumb lines", "any_type": true }));
    let bfs = followed(&house, &name, &json!({ "topic": "plumb lines", "any_type": true, "strategy": "bfs" }));
    let other = followed(&house, &name, &json!({ "topic": "bread ovens", "any_type": true, "pages": 5 }));
    let one = house.get(&format!("/api/v1/sites/{name}/focus/{arms}?points=5")).json();
    assert_eq!((one["strategy"].as_str(), one["topic"].as_str()), (Some("arms"), Some("plumb lines")), "{one}");
    let (fetched, relevant) = (one["fetched"].as_u64().unwrap(), one["relevant"].as_u64().unwrap());
    assert!(fetched >= 19 && relevant >= u64::from(PAPERS / 2), "{one}");
    let curve = one["curve"].as_array().unwrap();
    assert!(curve.len() <= 5 && curve.last() == Some(&json!({ "fetched": fetched, "relevant": relevant })), "{one}");
    // Steps page by page are all of them, and the relevant ones alone are as many as it says.
    let steps = |query: &str| -> Vec<Value> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let part = house.get(&format!("/api/v1/sites/{name}/focus/{arms}/steps?limit=4{query}{cursor}")).json();
            all.extend(part["items"].as_array().unwrap().iter().cloned());
            match part["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return all,
            }
        }
    };
    let all = steps("");
    assert_eq!(all.len() as u64, fetched);
    assert!(all.iter().zip(1..).all(|(step, n)| step["n"] == n), "{all:?}");
    let good = steps("&relevant=true");
    assert!(good.len() as u64 == relevant && good.iter().all(|step| step["relevant"] == true), "{good:?}");
    // Those of the topic of the last are compared; others if they are chosen.
    let page = house.get(&format!("/sites/{name}/focus")).text();
    assert!(page.contains("bread ovens") && page.contains("plumb lines"), "{page}");
    assert_eq!(page.matches("<path class=\"h").count(), 2, "one line and its legend");
    let page = house.get(&format!("/sites/{name}/focus?c{arms}=1&c{bfs}=1&c77=1")).text();
    assert!(page.contains("Harvests side by side") && page.contains("The same as a table"), "{page}");
    assert_eq!(page.matches("<path class=\"h").count(), 4, "{page}");
    assert!(page.contains(&format!("name=\"c{arms}\" value=\"1\"")) && page.contains(" checked>"), "{page}");
    // One crawl.
    let page = house.get(&format!("/sites/{name}/focus/{arms}")).text();
    for part in
        ["Relevant pages, the best first", "class=\"chart harvest\"", "class=\"cosines\"", "pages.warc.gz", "Go on"]
    {
        assert!(page.contains(part), "{part} is missing: {page}");
    }
    let page = house.get(&format!("/sites/{name}/focus/{other}?list=all&page=1")).text();
    assert!(page.contains("All pages, in the order fetched") && page.contains("a start page"), "{page}");
    assert_eq!(house.get(&format!("/sites/{name}/focus/{arms}?page=999999")).status, 200);
    assert_eq!(house.get(&format!("/sites/{name}/focus/{arms}?page=many")).status, 400);
    assert_eq!(house.get(&format!("/sites/{name}/focus/{arms}/state")).status, 205, "no job is under way");
    // Why a page.
    let address = groma_url::form_urlencoded::escape(&format!("{}/paper/2", web.base()));
    let why = house.get(&format!("/sites/{name}/focus/{arms}/page?url={address}"));
    let text = why.text();
    for part in
        ["Why it was fetched", "The way from a start page", "Papers on plumb lines", "Cosines by part", "Links by part"]
    {
        assert!(text.contains(part), "{part} is missing: {text}");
    }
    let elsewhere = house.get(&format!("/sites/{name}/focus/{other}/page?url=http%3A%2F%2Felsewhere.test%2F"));
    assert_eq!(elsewhere.status, 404);
    // The page itself tells its parts, and shows them on the copy.
    let page = house.get(&format!("/sites/{name}/page?url={address}")).text();
    assert!(page.contains("id=\"makeup-head\"") && page.contains("parts=1"), "{page}");
}

#[test]
fn the_relevant_pages_are_taken_along_in_every_form() {
    let (house, web, name) = begun(0);
    let id = followed(&house, &name, &json!({ "topic": "plumb lines", "any_type": true }));
    let relevant = house.get(&format!("/api/v1/sites/{name}/focus/{id}")).json()["relevant"].as_u64().unwrap() as usize;
    let csv = house.get(&format!("/sites/{name}/focus/{id}/pages.csv"));
    assert!(csv.header("content-disposition").contains(&format!("focus-{id}.csv")));
    assert_eq!(csv.text().lines().count(), relevant + 1, "{}", csv.text());
    assert!(csv.text().contains(&format!("{}/paper/2", web.base())));
    let all = house.get(&format!("/sites/{name}/focus/{id}/pages.csv?all=1"));
    assert!(all.text().lines().count() > relevant + 1);
    let lines = house.get(&format!("/sites/{name}/focus/{id}/pages.jsonl")).text();
    assert_eq!(lines.lines().count(), relevant);
    assert!(lines.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["relevant"] == true));
    let warc = house.get(&format!("/sites/{name}/focus/{id}/pages.warc.gz"));
    assert_eq!((warc.header("content-type"), &warc.body[..2]), ("application/warc", &[0x1f, 0x8b][..]));
    for (format, kind) in [("csv", "text/csv"), ("json", "application/jsonl"), ("warc", "application/warc")] {
        let reply = house.get(&format!("/api/v1/sites/{name}/focus/{id}/export?format={format}"));
        assert!(reply.status == 200 && reply.header("content-type").starts_with(kind), "{format}");
    }
    assert_eq!(house.get(&format!("/api/v1/sites/{name}/focus/{id}/export?format=pdf")).status, 400);
}

#[test]
fn a_crawl_goes_on_and_is_forgotten() {
    let (house, _web, name) = begun(0);
    let browser = house.browser();
    let id = followed(&house, &name, &json!({ "topic": "plumb lines", "any_type": true, "pages": 4 }));
    let at = |what: &str| format!("/sites/{name}/focus/{id}/{what}");
    assert_eq!(form(&house, &browser, &at("more"), &[("pages", "many")]).status, 422);
    let few = form(&house, &browser, &at("more"), &[("pages", "4")]);
    assert!(few.status == 422 && few.text().contains("role=\"alert\""), "{}", few.text());
    let more = form(&house, &browser, &at("more"), &[("pages", "9")]);
    assert_eq!((more.status, more.header("location")), (303, &*format!("/sites/{name}/focus/{id}")), "{}", more.text());
    house.until_idle(&name, None);
    let all = house.get(&format!("/api/v1/sites/{name}/focus")).json();
    assert_eq!((all["items"].as_array().unwrap().len(), &all["items"][0]["fetched"]), (1, &json!(9)), "{all}");
    assert_eq!(form(&house, &browser, "/sites/nothing/focus/1/forget", &[]).status, 404);
    let gone = form(&house, &browser, &at("forget"), &[]);
    assert_eq!(gone.status, 303, "{}", gone.text());
    assert_eq!(house.get(&format!("/sites/{name}/focus/{id}")).status, 404);
    assert_eq!(form(&house, &browser, &at("forget"), &[]).status, 404);
}

#[test]
fn one_that_is_at_work_is_followed_and_not_forgotten() {
    let (house, _web, name) = begun(400);
    let reply =
        house.post(&format!("/api/v1/sites/{name}/focus"), &json!({ "topic": "plumb lines", "any_type": true }));
    let job = reply.json()["job"].as_u64().unwrap();
    let since = std::time::Instant::now();
    let id = loop {
        let all = house.get(&format!("/api/v1/sites/{name}/focus")).json();
        if let Some(id) = all["items"][0]["id"].as_u64().filter(|_| all["items"][0]["fetched"].as_u64() > Some(0)) {
            break id;
        }
        assert!(since.elapsed() < Duration::from_secs(60), "{all}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let state = house.get(&format!("/sites/{name}/focus/state"));
    assert!(state.status == 200 && state.text().contains(&format!("job {job}")), "{}", state.text());
    let state = house.get(&format!("/sites/{name}/focus/{id}/state"));
    assert!(state.status == 200 && state.text().contains("pages fetched"), "{} {}", state.status, state.text());
    let page = house.get(&format!("/sites/{name}/focus")).text();
    assert!(page.contains("at work") && page.contains("data-live"), "{page}");
    assert!(page.contains("http-equiv=\"refresh\""), "without scripts it is loaded again");
    let headers = house.browser();
    let headers = [("Cookie", headers.cookie.as_str()), ("X-Csrf-Token", &headers.csrf)];
    let path = format!("/api/v1/sites/{name}/focus/{id}");
    assert_eq!(house.ask("DELETE", &path, &headers, b"").status, 409);
    let cancel = house.ask("POST", &format!("/api/v1/sites/{name}/jobs/{job}/cancel"), &headers, b"");
    assert!(cancel.status < 300, "{}", cancel.text());
    house.until_idle(&name, None);
    assert_eq!(house.ask("DELETE", &path, &headers, b"").status, 204);
    assert_eq!(house.ask("DELETE", &path, &headers, b"").status, 404);
}

#[test]
fn what_was_read_or_typed_is_hostile_and_stays_text() {
    let (house, web, name) = begun(0);
    let topic = format!("plumb lines {SPELL}");
    let id = followed(&house, &name, &json!({ "topic": topic, "any_type": true }));
    let text = followed(&house, &name, &json!({ "text": "plumb lines and rods", "name": SPELL, "strategy": "bfs" }));
    let address = groma_url::form_urlencoded::escape(&format!("{}/paper/4", web.base()));
    for path in [
        "focus".to_owned(),
        format!("focus?c{id}=1&c{text}=1&c<script>=<script>alert(1)</script>").replace('<', "%3C").replace('>', "%3E"),
        format!("focus/{id}"),
        format!("focus/{id}?list=all"),
        format!("focus/{text}"),
        format!("focus/{id}/page?url={address}"),
        format!("page?url={address}"),
    ] {
        let reply = house.get(&format!("/sites/{name}/{path}"));
        let page = reply.text();
        assert_eq!(reply.status, 200, "{path}: {page}");
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{path}: {page}");
        assert!(
            !page.contains('\u{202e}') && page.contains("plumb lines") || path.contains(&text.to_string()),
            "{path}"
        );
    }
    // Its copy with outlines does nothing either.
    let copy = house.get(&format!("/sites/{name}/copy?url={address}&parts=1"));
    assert!(copy.status == 200 && copy.header("content-security-policy").starts_with("sandbox; default-src 'none'"));
}

#[test]
fn nonsense_is_refused_with_a_hint_beside_the_form() {
    let (house, web, name) = begun(0);
    let browser = house.browser();
    let own = web.base();
    for (pairs, says) in [
        (&[][..], "no topic"),
        (&[("topic", "a"), ("text", "b")][..], "several topics"),
        (&[("topic", "a"), ("pages", "0")], "pages"),
        (&[("topic", "a"), ("pages", "-5")], "pages"),
        (&[("topic", "a"), ("strategy", "magic<b>")], "magic"),
        (&[("topic", "a"), ("threshold", "7")], "threshold"),
        (&[("topic", "a"), ("any-type", "perhaps")], "any-type"),
        (&[("topic", "a"), ("seeds", "ftp://nowhere.test/")], "nowhere.test"),
        (&[("topic", "a"), ("seeds", "http://10.0.0.1/")], "private network"),
        (&[("like", "http://127.0.0.1:1/")], "private network"),
        (&[("like", "/etc/passwd")], ""),
        (&[("like", "http://user:secret@example.org/")], "password"),
        (&[("like", "https://example.org/")], "by one crawl"),
        (&[("topic", "a"), ("seeds", &*format!("{own} https://example.org/"))], "by one crawl"),
    ] {
        let reply = form(&house, &browser, &format!("/sites/{name}/focus"), pairs);
        let text = reply.text();
        assert!(matches!(reply.status, 403 | 422), "{pairs:?}: {} {text}", reply.status);
        assert!(text.contains("role=\"alert\"") && text.contains(says) && !text.contains("<b>"), "{pairs:?}: {text}");
        for (_, typed) in pairs.iter().filter(|pair| pair.0 == "seeds" || pair.0 == "topic") {
            assert!(text.contains(typed), "what was typed stays: {pairs:?}");
        }
    }
    let jobs = house.get(&format!("/api/v1/sites/{name}/jobs?kind=focus")).json();
    assert_eq!(jobs["items"], json!([]), "nothing was asked for");
    let path = format!("/api/v1/sites/{name}/focus");
    for (bad, status) in [
        (json!({}), 422),
        (json!({ "topic": "a", "color": "red" }), 400),
        (json!({ "topic": "x".repeat(2_001) }), 400),
        (json!({ "topic": "a", "seeds": vec!["http://example.org/"; 51] }), 422),
        (json!({ "topic": "a", "settings": { "proxy": "http://evil/" } }), 403),
        (json!({ "topic": "a", "seeds": ["https://example.org/"], "settings": { "delay": "0" } }), 403),
    ] {
        let reply = house.post(&path, &bad);
        assert_eq!(reply.status, status, "{bad:.100}: {}", reply.text());
    }
    let job = house.post(&format!("/api/v1/sites/{name}/jobs"), &json!({ "kind": "focus" }));
    assert_eq!(job.status, 422, "a job without a topic: {}", job.text());
    // Without the token of the form nothing happens.
    let headers = [("Cookie", browser.cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    assert_eq!(house.ask("POST", &format!("/sites/{name}/focus"), &headers, b"topic=a").status, 403);
}

#[test]
fn addresses_of_others_are_guarded() {
    let (house, _web, name) = begun(0);
    let new = json!({ "topic": "a", "seeds": ["https://example.org/"], "settings": { "delay": "1" } });
    let reply = house.post(&format!("/api/v1/sites/{name}/focus"), &new);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let job = house.get(&format!("/api/v1/sites/{name}/jobs/{}", reply.json()["job"])).json();
    assert_eq!(job["guarded"], true, "{job}");
    let reply = house.post(&format!("/api/v1/sites/{name}/focus"), &json!({ "topic": "a" }));
    let job = house.get(&format!("/api/v1/sites/{name}/jobs/{}", reply.json()["job"])).json();
    assert_eq!(job["guarded"], false, "{job}");
}

#[test]
fn readers_see_the_crawls_and_no_buttons() {
    let web = library(0);
    let own = own_name(&web);
    let (house, admin, reader) = House::with_people(|options| options.own = vec![own]);
    let name = surveyed(&house, &web, Some(&admin));
    let path = format!("/api/v1/sites/{name}/focus");
    let new = json!({ "topic": "plumb lines", "any_type": true });
    assert_eq!(house.with_token(&reader, "POST", &path, Some(&new)).status, 403);
    assert_eq!(house.with_token(&admin, "POST", &path, Some(&new)).status, 201);
    house.until_idle(&name, Some(&admin));
    let id = house.with_token(&reader, "GET", &path, None).json()["items"][0]["id"].as_u64().unwrap();
    for (page, forms) in [
        (format!("/sites/{name}/focus"), &["Follow it", "method=\"post\" action=\"/sites"][..]),
        (format!("/sites/{name}/focus/{id}"), &["/more\"", "/forget\""][..]),
    ] {
        let text = house.with_token(&reader, "GET", &page, None).text();
        assert!(text.contains("plumb lines"), "{text}");
        for form in forms {
            assert!(!text.contains(form), "a reader is shown {form}");
        }
        assert_eq!(house.get(&page).status, 303, "strangers are shown where to log in");
    }
    assert_eq!(house.with_token(&reader, "GET", &format!("{path}/{id}/export"), None).status, 200);
    assert_eq!(house.with_token(&reader, "DELETE", &format!("{path}/{id}"), None).status, 403);
    for what in ["more", "forget"] {
        let said = house.with_token(&reader, "POST", &format!("/sites/{name}/focus/{id}/{what}"), Some(&json!({})));
        assert_eq!(said.status, 403, "{what}");
    }
    assert_eq!(house.get(&path).status, 401);
    assert_eq!(house.with_token(&admin, "DELETE", &format!("{path}/{id}"), None).status, 204);
}
