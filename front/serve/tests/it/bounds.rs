//! Bounds over the web: a survey of two sites on one host, found, decided about, and taken back; by pages and by the API.

use groma_testweb::{Answer, Ask, Server};
use serde_json::{Value, json};

use crate::focus::{form, form_without_token};
use crate::{House, own_name};

/// Pages of each site.
const PAGES: u32 = 14;
/// In a title, and in the URL of a folder.
const SPELL: &str = "<script>alert(1)</script>\"'\u{202e}";

/// Two sites on one host, each linked densely within itself, joined by one link; one of them is hostile.
fn web() -> Server {
    Server::start(|ask: &Ask| {
        let path = ask.bare_path();
        let (site, page) = path.trim_start_matches('/').split_once('/').unwrap_or((path, ""));
        let number: u32 = page.trim_end_matches(".html").parse().unwrap_or(0);
        let links = |site: &str| -> String {
            let near = [1, 2, 3, 5, 8].map(|far| format!("<a href=\"/{site}/{}.html\">n</a> ", (number + far) % PAGES));
            near.concat() + &format!("<a href=\"/{site}/\">home</a>")
        };
        let text = SPELL.replace('<', "&lt;").replace('"', "&quot;");
        match site {
            "one" if number < PAGES => {
                let other = if page.is_empty() { "<a href=\"/two/\">the other site</a>" } else { "" };
                let odd =
                    if page.is_empty() { format!("<a href=\"/one/{text}/x.html\">odd</a>") } else { String::new() };
                Answer::html(format!(
                    "<title>Plumb lines {number}</title><p>plumb and rod</p>{}{other}{odd}",
                    links("one")
                ))
            }
            "two" if number < PAGES => {
                Answer::html(format!("<title>{text} {number}</title><p>plumb hostile</p>{}", links("two")))
            }
            _ => Answer::status(404),
        }
    })
}

fn surveyed(house: &House, web: &Server, token: Option<&str>) -> String {
    let new = json!({ "url": format!("{}/one/", web.base()), "settings": { "delay": "0", "sitemaps": "false" } });
    let reply = match token {
        Some(token) => house.with_token(token, "POST", "/api/v1/sites", Some(&new)),
        None => house.post("/api/v1/sites", &new),
    };
    assert_eq!(reply.status, 201, "{}", reply.text());
    let name = reply.json()["name"].as_str().unwrap().to_owned();
    house.until_idle(&name, token);
    name
}

fn begun() -> (House, Server, String) {
    let web = web();
    let own = own_name(&web);
    let house = House::open(|options| options.own = vec![own]);
    let name = surveyed(&house, &web, None);
    (house, web, name)
}

/// The same with the site of the first page found.
fn found() -> (House, Server, String) {
    let (house, web, name) = begun();
    let reply = house.post(&format!("/api/v1/sites/{name}/bounds"), &json!({}));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let job = reply.json()["job"].as_u64().unwrap();
    assert_eq!(reply.header("location"), format!("/api/v1/sites/{name}/jobs/{job}"));
    all_done(&house, &name);
    (house, web, name)
}

#[test]
fn pages_that_were_renamed_are_found_by_their_old_names() {
    let (house, _web, name) = begun();
    for (old, new) in [
        ("borders?start=a%26b&page=2", "bounds?start=a%26b&page=2"),
        ("borders.surt", "bounds.surt"),
        ("problems?kind=redirect", "findings?kind=redirect"),
        ("problems.junit.xml", "findings.junit.xml"),
    ] {
        let reply = house.get(&format!("/sites/{name}/{old}"));
        assert_eq!((reply.status, reply.header("location")), (308, format!("/sites/{name}/{new}").as_str()));
    }
    assert_eq!(house.get("/sites/nobody/problems").status, 404);
    assert_eq!(house.get(&format!("/sites/{name}/findings.csv")).status, 200);
}

fn all_done(house: &House, name: &str) {
    let jobs = house.until_idle(name, None);
    assert!(jobs.as_array().unwrap().iter().all(|job| job["state"] == "done"), "{jobs}");
}

fn pages(house: &House, name: &str, query: &str) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let reply = house.get(&format!("/api/v1/sites/{name}/bounds/pages?limit=7{query}{cursor}"));
        assert_eq!(reply.status, 200, "{}", reply.text());
        let part = reply.json();
        all.extend(part["items"].as_array().unwrap().iter().cloned());
        match part["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

#[test]
fn before_anything_was_looked_for_the_page_says_so_and_offers_it() {
    let (house, _web, name) = begun();
    let page = house.get(&format!("/sites/{name}/bounds"));
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("No bounds found yet") && text.contains("Find the site of the start page"), "{text}");
    assert!(text.contains("aria-current=\"page\" data-go=\"b\">Bounds"), "it stands in the navigation");
    for path in ["bounds", "bounds/pages", "bounds/surt"] {
        let reply = house.get(&format!("/api/v1/sites/{name}/{path}"));
        assert_eq!(reply.status, 409, "{path}: {}", reply.text());
    }
    assert_eq!(house.get(&format!("/api/v1/sites/{name}/bounds/decisions")).json()["items"], json!([]));
    for path in ["map", "search"] {
        assert!(!house.get(&format!("/sites/{name}/{path}")).text().contains("scope=site"), "{path} offers no scope");
        assert_eq!(house.get(&format!("/sites/{name}/{path}?scope=site&q=x")).status, 200);
    }
}

#[test]
fn a_site_is_found_and_told_by_page_and_api_alike() {
    let (house, web, name) = found();
    let header = house.get(&format!("/api/v1/sites/{name}/bounds")).json();
    assert_eq!(header["start"], format!("{}/one/", web.base()));
    let inside = header["counts"]["in"].as_u64().unwrap();
    let total = header["counts"]["pages"].as_u64().unwrap();
    assert!(inside >= u64::from(PAGES) && total >= 2 * u64::from(PAGES), "{header}");
    let family = header["family"].as_array().unwrap();
    let sizes: Vec<u64> = family.iter().map(|step| step["size"].as_u64().unwrap()).collect();
    assert!(sizes.len() > 2 && sizes.is_sorted(), "{sizes:?}");
    // Its pages one by one are as many as it says.
    let all = pages(&house, &name, "");
    assert_eq!(all.len() as u64, total);
    assert!(all.iter().all(|page| !page["reason"].as_str().unwrap().is_empty()), "{all:?}");
    assert_eq!(pages(&house, &name, "&verdict=in").len() as u64, inside);
    assert_eq!(house.get(&format!("/api/v1/sites/{name}/bounds/pages?verdict=maybe")).status, 400);
    let surt = house.get(&format!("/api/v1/sites/{name}/bounds/surt"));
    assert!(
        surt.header("content-type").starts_with("text/plain") && surt.text().contains("+http://("),
        "{}",
        surt.text()
    );
    let file = house.get(&format!("/sites/{name}/bounds.surt"));
    assert!(file.header("content-disposition").starts_with("attachment") && file.body == surt.body);
    // The page.
    let page = house.get(&format!("/sites/{name}/bounds")).text();
    assert!(page.contains(&format!("{inside} pages belong to it")), "{page}");
    for part in
        ["type=\"range\"", "class=\"chart family\"", "class=\"chart clusters\"", "id=\"cluster-1\"", "Accept", "Reject"]
    {
        assert!(page.contains(part), "{part} is missing");
    }
    // Every member of the family can be looked at, and steps that are none are the last.
    for step in ["0", "1", "999999"] {
        let reply = house.get(&format!("/sites/{name}/bounds?step={step}"));
        assert_eq!(reply.status, 200, "{step}");
        assert!(
            reply.text().contains("What would belong to it") || reply.text().contains("this one was taken"),
            "{step}"
        );
    }
    assert_eq!(house.get(&format!("/sites/{name}/bounds?step=many")).status, 400);
    assert_eq!(house.get(&format!("/sites/{name}/bounds?start=http%3A%2F%2Felsewhere.test%2F")).status, 200);
    assert_eq!(house.get(&format!("/sites/{name}/bounds/state")).status, 205, "no search is under way");
}

#[test]
fn what_was_read_is_hostile_and_stays_text() {
    let (house, web, name) = begun();
    let browser = house.browser();
    // The hostile site is the one that is found, and the one that is called so.
    let two = format!("{}/two/", web.base());
    let reply = form(&house, &browser, &format!("/sites/{name}/bounds/find"), &[("start", &two)]);
    assert_eq!(reply.status, 303, "{}", reply.text());
    all_done(&house, &name);
    let odd = form(
        &house,
        &browser,
        &format!("/sites/{name}/bounds/decide"),
        &[("kind", "accept"), ("subject", &format!("{}/{SPELL}/*", web.base()))],
    );
    assert_eq!(odd.status, 303, "{}", odd.text());
    all_done(&house, &name);
    for query in ["", "?step=0", "?step=30", "?all=1"] {
        let page = house.get(&format!("/sites/{name}/bounds{query}")).text();
        assert!(
            !page.contains("<script>alert") && !page.contains('\u{202e}') && !page.contains("javascript:"),
            "{page}"
        );
        assert!(page.contains("two"), "{page}");
    }
}

#[test]
fn decisions_are_put_down_change_the_site_and_are_taken_back() {
    let (house, web, name) = found();
    let browser = house.browser();
    let at = |what: &str| format!("/sites/{name}/bounds/{what}");
    let page = format!("{}/one/3.html", web.base());
    let verdict = |house: &House| {
        let all = pages(house, &name, "");
        all.iter().find(|one| one["url"] == page).map(|one| one["verdict"].as_str().unwrap().to_owned()).unwrap()
    };
    assert_eq!(verdict(&house), "in");
    // Without the token of the form nothing happens.
    let reject = [("kind", "reject"), ("subject", &page), ("single", "1")];
    assert_eq!(form_without_token(&house, &browser, &at("decide"), &reject).status, 403);
    assert_eq!(form_without_token(&house, &browser, &at("find"), &[]).status, 403);
    let with = |pairs: &[(&str, &str)]| form(&house, &browser, &at("decide"), pairs);
    let reply = with(&reject);
    assert_eq!(reply.status, 303, "{}", reply.text());
    assert!(reply.header("location").starts_with(&format!("/sites/{name}/bounds?start=")));
    all_done(&house, &name);
    assert_eq!(verdict(&house), "out");
    let text = house.get(&format!("/sites/{name}/bounds")).text();
    assert!(text.contains("Undo the last") && text.contains("does not") && text.contains("rejected by hand"), "{text}");
    // And back.
    let reply = form(&house, &browser, &at("undo"), &[]);
    assert_eq!(reply.status, 303, "{}", reply.text());
    all_done(&house, &name);
    assert_eq!(verdict(&house), "in");
    assert_eq!(form(&house, &browser, &at("undo"), &[]).status, 409, "nothing is left to take back");
    // By the API: the folder of the other site belongs to it.
    let folder = format!("{}/two/", web.base());
    let path = format!("/api/v1/sites/{name}/bounds/decisions");
    let reply = house.post(&path, &json!({ "kind": "accept", "subject": folder }));
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(
        (reply.json()["subject"].as_str().unwrap(), reply.json()["pages"].as_u64()),
        (&*format!("{folder}*"), Some(15))
    );
    all_done(&house, &name);
    let two = pages(&house, &name, "&verdict=in")
        .iter()
        .filter(|one| one["url"].as_str().unwrap().starts_with(&folder))
        .count();
    assert!(two as u32 >= PAGES, "{two}");
    let id = reply.json()["id"].as_u64().unwrap();
    let headers = [("Cookie", browser.cookie.as_str()), ("X-Csrf-Token", browser.csrf.as_str())];
    let gone = house.ask("DELETE", &format!("{path}/{id}"), &headers, b"");
    assert_eq!((gone.status, gone.json()["kind"].as_str()), (200, Some("undo")), "{}", gone.text());
    assert_eq!(house.ask("DELETE", &format!("{path}/{id}"), &headers, b"").status, 409, "it is taken back already");
    assert_eq!(house.ask("DELETE", &format!("{path}/999"), &headers, b"").status, 404);
    let log = house.get(&path).json();
    assert_eq!(log["items"].as_array().unwrap().len(), 4, "{log}");
    for bad in [&[("kind", "shrug"), ("subject", "x")][..], &[("kind", "accept"), ("subject", "")]] {
        assert!(matches!(with(bad).status, 400 | 422), "{bad:?}");
    }
}

#[test]
fn a_member_of_the_family_is_used_and_the_price_is_chosen_again() {
    let (house, _web, name) = found();
    let browser = house.browser();
    let header = house.get(&format!("/api/v1/sites/{name}/bounds")).json();
    let family = header["family"].as_array().unwrap();
    let (step, wanted) = family.iter().enumerate().find(|(_, step)| step["size"] != header["counts"]["in"]).unwrap();
    let page = house.get(&format!("/sites/{name}/bounds?step={step}")).text();
    let price = page.split("name=\"epsilon\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(price.parse::<f64>().unwrap(), wanted["epsilon"].as_f64().unwrap());
    let use_it =
        |epsilon: &str| form(&house, &browser, &format!("/sites/{name}/bounds/price"), &[("epsilon", epsilon)]);
    assert_eq!(use_it(price).status, 303);
    all_done(&house, &name);
    let now = house.get(&format!("/api/v1/sites/{name}/bounds")).json();
    assert_eq!((&now["epsilon"], &now["family"][0]["size"]), (&wanted["epsilon"], &wanted["size"]));
    assert!(house.get(&format!("/sites/{name}/bounds")).text().contains("Choose the price automatically"));
    assert_eq!(use_it("-1").status, 422);
    assert_eq!(use_it("").status, 303);
    all_done(&house, &name);
    assert_eq!(
        house.get(&format!("/api/v1/sites/{name}/bounds")).json()["family"].as_array().unwrap().len(),
        family.len()
    );
}

#[test]
fn what_cannot_be_looked_for_is_said_beside_the_form() {
    let (house, _web, name) = begun();
    let browser = house.browser();
    for (key, typed, says) in [
        ("start", "http://nowhere.test/<b>", "nowhere.test"),
        ("epsilon", "-1", "-1"),
        ("sigma", "wide", "wide"),
        ("method", "magic", "magic"),
    ] {
        let reply = form(&house, &browser, &format!("/sites/{name}/bounds/find"), &[(key, typed)]);
        assert_eq!(reply.status, 422, "{key}");
        assert!(reply.text().contains("role=\"alert\"") && reply.text().contains(says), "{key}: {}", reply.text());
        assert!(!reply.text().contains("<b>"));
    }
    let both = json!({ "start": "x", "keyword": "y" });
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/bounds"), &both).status, 422);
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/bounds"), &json!({ "color": "red" })).status, 400);
}

#[test]
fn readers_see_the_bounds_and_no_buttons() {
    let web = web();
    let own = own_name(&web);
    let (house, admin, reader) = House::with_people(|options| options.own = vec![own]);
    let name = surveyed(&house, &web, Some(&admin));
    let look = format!("/api/v1/sites/{name}/bounds");
    assert_eq!(house.with_token(&reader, "POST", &look, Some(&json!({}))).status, 403);
    assert_eq!(house.with_token(&admin, "POST", &look, Some(&json!({}))).status, 201);
    house.until_idle(&name, Some(&admin));
    let page = house.with_token(&reader, "GET", &format!("/sites/{name}/bounds"), None).text();
    assert!(page.contains("belong to it") && page.contains("class=\"chart clusters\""), "{page}");
    for form in ["bounds/decide", "bounds/undo", "bounds/find", "bounds/price", "Accept"] {
        assert!(!page.contains(form), "a reader is shown {form}");
    }
    assert!(house.with_token(&admin, "GET", &format!("/sites/{name}/bounds"), None).text().contains("bounds/decide"));
    for path in [format!("{look}/decisions"), format!("/sites/{name}/bounds/decide")] {
        let said = json!({ "kind": "accept", "subject": "/one/" });
        assert_eq!(house.with_token(&reader, "POST", &path, Some(&said)).status, 403, "{path}");
    }
    assert_eq!(house.with_token(&reader, "DELETE", &format!("{look}/decisions/1"), None).status, 403);
    assert_eq!(house.get(&format!("/sites/{name}/bounds")).status, 303, "strangers are shown where to log in");
    assert_eq!(house.get(&look).status, 401);
    // Who decided is remembered.
    let said = json!({ "kind": "reject", "subject": "/one/4.html" });
    let reply = house.with_token(&admin, "POST", &format!("{look}/decisions"), Some(&said));
    assert_eq!(reply.status, 201, "{}", reply.text());
    let log = house.with_token(&reader, "GET", &format!("{look}/decisions"), None).json();
    assert_eq!(log["items"][0]["who"], "machine", "{log}");
    house.until_idle(&name, Some(&admin));
}

#[test]
fn map_and_search_show_the_site_alone() {
    let (house, _web, name) = found();
    let whole = house.get(&format!("/sites/{name}/map?depth=6")).text();
    let alone = house.get(&format!("/sites/{name}/map?depth=6&scope=site")).text();
    assert!(whole.contains("Show this site only") && whole.contains("%2Ftwo%2F"), "{whole}");
    assert!(alone.contains("Show the whole survey") && !alone.contains("%2Ftwo%2F"), "{alone}");
    let whole = house.get(&format!("/sites/{name}/search?q=plumb")).text();
    let alone = house.get(&format!("/sites/{name}/search?q=plumb&scope=site")).text();
    assert!(
        whole.contains("Search this site only") && whole.contains(&format!("of {} pages", 2 * PAGES + 3)),
        "{whole}"
    );
    assert!(alone.contains("Search the whole survey") && alone.contains(&format!("of {} pages", PAGES + 2)), "{alone}");
    assert!(alone.contains("name=\"scope\" value=\"site\"") && alone.contains("page=2&#38;scope=site"), "{alone}");
}
