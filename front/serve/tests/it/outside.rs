//! Links to other sites: what was not looked at is said, can be asked for, and is told.

use std::time::{Duration, Instant};

use groma_testweb::{Answer, Ask, Server};
use groma_url::form_urlencoded;

use crate::House;
use crate::surveys::surveyed;

/// The hidden fields of the form that has this button.
fn hidden(page: &str, button: &str) -> Vec<(String, String)> {
    let form = page.split("<form").find(|form| form.contains(button)).unwrap();
    let value = |field: &str, name: &str| {
        let rest = field.split(&format!("{name}=\"")).nth(1)?;
        rest.split('"').next().map(str::to_owned)
    };
    let fields = form.split("<input").filter(|field| field.contains("type=\"hidden\""));
    fields.filter_map(|field| Some((value(field, "name")?, value(field, "value")?))).collect()
}

fn findings(house: &House, name: &str) -> String {
    house.get(&format!("/sites/{name}/findings")).text()
}

#[test]
fn links_to_other_sites_are_asked_from_the_page_of_findings() {
    let web = Server::start(|ask: &Ask| match ask.bare_path() {
        "/" => {
            Answer::html("<title>Home</title><p><a href=http://never.invalid/x>elsewhere</a> <img src=/x.png alt=x>")
        }
        _ => Answer::status(404),
    });
    let (house, name) = surveyed(&web);
    let page = findings(&house, &name);
    assert!(
        page.contains("2 linked URLs were not looked at: 1 outside the survey, 1 image, style or script."),
        "{page}"
    );
    assert!(!page.contains("Every link leads somewhere"));
    let browser = house.browser();
    let cookie = [("Cookie", browser.cookie.as_str())];
    let own = house.ask("GET", &format!("/sites/{name}/findings"), &cookie, b"").text();
    let fields = hidden(&own, "Ask the links to other sites");
    assert!(fields.contains(&("check.outside".to_owned(), "yes".to_owned())), "{fields:?}");
    let body: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let origin = format!("http://{}", house.host());
    let headers = [cookie[0], ("Origin", &origin), ("Content-Type", "application/x-www-form-urlencoded")];
    let sent = house.ask("POST", &format!("/sites/{name}/jobs"), &headers, body.as_bytes());
    assert_eq!(sent.status, 303, "{}", sent.text());
    house.until_idle(&name, None);
    // Findings are made anew every few seconds at most.
    let since = Instant::now();
    while findings(&house, &name).contains("not looked at") && since.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(200));
    }
    let page = findings(&house, &name);
    assert!(page.contains("outside-broken") && page.contains("never.invalid"), "{page}");
    assert!(page.contains("invalid-link") && page.contains("/x.png"), "{page}");
    assert!(!page.contains("not looked at"), "{page}");
}
