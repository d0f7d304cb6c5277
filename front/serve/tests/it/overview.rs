//! Do the numbers of the overview and of the pages agree, and is it said who is at work?

use std::time::Duration;

use groma_store::Folder;
use groma_testweb::{Answer, Ask, Server};
use serde_json::json;

use crate::surveys::surveyed;

/// Six pages, two that are gone (servers send a page along), and one that must not be fetched.
fn web() -> Server {
    Server::start(|ask: &Ask| match ask.bare_path() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /closed\n"),
        "/" => Answer::html(
            "<title>Home</title><p>Words of the home page.</p><a href=/p/1>1</a><a href=/p/2>2</a><a href=/gone/1>x</a>\
             <a href=/gone/2>y</a><a href=/closed>z</a>",
        ),
        path if path.starts_with("/p/") => {
            let n: u32 = path[3..].parse().unwrap_or(0);
            let next = if n < 4 { format!("<a href=/p/{}>next</a>", n + 2) } else { String::new() };
            Answer::html(format!("<title>Page {n}</title><p>Number {n} of the pages.</p><a href=/>home</a>{next}"))
        }
        _ => Answer { status: 404, ..Answer::html("<title>Not found</title><h1>There is no such page</h1>") },
    })
}

#[test]
fn pages_are_counted_alike_everywhere() {
    let web = web();
    let (house, name) = surveyed(&web);
    let state = house.get(&format!("/api/v1/sites/{name}")).json()["standing"].clone();
    let read = state["fetched"].as_u64().unwrap();
    assert!((4..8).contains(&read) && state["broken"].as_u64() == Some(2), "{state}");
    let overview = house.get(&format!("/sites/{name}/")).text();
    let types = overview.split("id=\"types\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
    assert!(types.contains("text/html"), "{types}");
    let counts: Vec<u64> = types.split(['<', '>']).filter_map(|text| text.trim().parse().ok()).collect();
    assert_eq!(counts.iter().max(), Some(&read), "bodies of 404s are counted: {types}");
    let about: String = groma_url::form_urlencoded::escape(&format!("{}/", web.base()));
    let page = house.get(&format!("/sites/{name}/page?url={about}")).text();
    assert!(page.contains(&format!("1 of {read} pages")), "{}", page.split("by rank").nth(1).unwrap_or(&page));
}

#[test]
fn who_is_at_work_is_named() {
    let web = web();
    let (house, name) = surveyed(&web);
    let here = format!("/sites/{name}/");
    let text = || house.get(&here).text();
    let running = || house.get(&format!("/api/v1/sites/{name}")).json()["standing"]["running"].clone();
    assert_eq!(running(), false);
    assert!(!text().contains("command line") && !text().contains("is running"));
    // Until the jobs of the first crawl are a moment ago.
    std::thread::sleep(Duration::from_secs(7));
    let folder = Folder::new(house.home.join(format!("{name}.groma")));
    let held = folder.open().unwrap();
    assert!(text().contains("on the command line"), "another program writes to it");
    assert_eq!(running(), true, "now, and not when the rest was last read");
    // A job of the queue, taken by a worker.
    let mut queue = folder.queue().unwrap();
    let new = json!({ "kind": "rank" });
    assert_eq!(house.post(&format!("/api/v1/sites/{name}/jobs"), &new).status, 201);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
    // The server's own worker may have been quicker, and may be done, too.
    let taken = queue.take("a worker", 60, &|_| false, now).unwrap();
    let said = text();
    match &taken {
        Some((_, job)) => assert!(said.contains(&format!("Job {} (rank)", job.id.0)), "{said}"),
        None => assert!(!said.contains("on the command line"), "{said}"),
    }
    drop(held);
    drop(taken);
}
