//! A rule tried on a page: pasted or kept, as nested lists, its mistakes marked, and bounded whatever is sent.

use groma_testweb::Server;
use serde_json::json;

use crate::House;
use crate::focus::form;
use crate::inns::{Inns, SPELL};
use crate::surveys::surveyed;

const PAGE: &str = "<table><tr><td>Inn<td>Bonn<tr><td>Mill<td>Ulm</table>";

#[test]
fn a_rule_is_tried_and_its_mistakes_are_marked() {
    let house = House::open(|_| {});
    let browser = house.browser();
    let page = house.get("/hel");
    assert!(page.status == 200 && page.text().contains("Try a rule") && !page.text().contains("id=\"result\""));
    let tried =
        form(&house, &browser, "/hel", &[("rule", "html.body.table.tr[*](#td[0].txt#td[1].txt)"), ("html", PAGE)]);
    assert_eq!(tried.status, 200, "{}", tried.text());
    let text = tried.text();
    assert!(text.contains("<li>Inn</li>") && text.matches("<ol role=\"list\">").count() == 3, "{text}");
    let wrong = form(&house, &browser, "/hel", &[("rule", "html.body[.txt"), ("html", PAGE)]);
    assert!(wrong.status == 422 && wrong.text().contains("<mark>.</mark>"), "{}", wrong.text());
    for (pairs, says) in [
        (&[("html", PAGE)][..], "no rule"),
        (&[("rule", "html")][..], "no page"),
        (&[("rule", "html"), ("html", PAGE), ("url", "http://a.test/")], "two pages"),
        (&[("rule", "html"), ("site", "nowhere"), ("url", "http://a.test/")], "nowhere"),
    ] {
        let reply = form(&house, &browser, "/hel", pairs);
        let text = reply.text();
        assert!(matches!(reply.status, 404 | 422) && text.contains("role=\"alert\"") && text.contains(says), "{text}");
    }
    // What is typed, and what comes out, stays text.
    let spell = form(&house, &browser, "/hel", &[("rule", "html.body.txt"), ("html", &SPELL.replace('<', "&lt;"))]);
    assert!(spell.status == 200 && spell.text().contains("&#60;script") && !spell.text().contains("<script>window"));
    let spell = form(&house, &browser, "/hel", &[("rule", SPELL), ("html", SPELL)]);
    assert!(!spell.text().contains("<script>window") && !spell.text().contains("<img src=x"), "{}", spell.text());
}

#[test]
fn programs_try_rules_too() {
    let web = Server::start(Inns::default());
    let (house, name) = surveyed(&web);
    let asked = web.total();
    let path = "/api/v1/hel";
    let rule = "html.body.table.tr[*].td[1].txt";
    let reply = house.post(path, &json!({ "rule": rule, "html": PAGE }));
    assert_eq!(reply.json(), json!({ "value": ["Bonn", "Ulm"], "values": ["Bonn", "Ulm"], "cut": null }));
    let url = format!("{}/search", web.base());
    let kept = json!({ "rule": "html.body->option[*].txt", "site": name, "url": url });
    assert_eq!(house.post(path, &kept).json()["values"].as_array().unwrap().len(), 9, "two times any, once");
    assert_eq!(web.total(), asked, "nothing is fetched");
    for (bad, status) in [
        (json!({ "rule": "html[", "html": PAGE }), 422),
        (json!({ "rule": "html" }), 422),
        (json!({ "rule": "html", "html": PAGE, "color": 1 }), 400),
        (json!({ "rule": "x".repeat(4_097), "html": PAGE }), 400),
        (json!({ "rule": "html", "site": name, "url": "http://nowhere.test/" }), 422),
        (json!({ "rule": "html", "site": "../..", "url": "http://nowhere.test/" }), 404),
    ] {
        let reply = house.post(path, &bad);
        assert_eq!(reply.status, status, "{bad:.80}: {}", reply.text());
    }
    // Work is bounded, whatever the rule and the page.
    let deep = "<b>".repeat(60_000);
    let since = std::time::Instant::now();
    let rule = "html->b[*]->b[*]->b[*]->b[*].txt";
    let reply = house.post(path, &json!({ "rule": rule, "html": deep }));
    assert!(matches!(reply.status, 200 | 422), "{}", reply.text());
    assert!(since.elapsed().as_secs() < 30, "{:?}", since.elapsed());
}
