//! Lists in parts: every row once, and no cursor but our own.

use serde_json::Value;

use crate::{House, surveyed};

fn whole(house: &House, path: &str) -> Vec<Value> {
    let (mut rows, mut next) = (Vec::new(), None::<String>);
    loop {
        let cursor = next.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let reply = house.get(&format!("{path}limit=2{cursor}"));
        assert_eq!(reply.status, 200, "{}", reply.text());
        let part = reply.json();
        let items = part["items"].as_array().unwrap().clone();
        assert!(items.len() <= 2);
        rows.extend(items);
        match part["next"].as_str() {
            Some(cursor) => next = Some(cursor.to_owned()),
            None => return rows,
        }
    }
}

#[test]
fn lists_in_parts_have_every_row_once() {
    let (house, _web, name) = surveyed();
    for list in ["pages?", "pages?state=fetched&", "rank?", "findings?", "changes?", "jobs?"] {
        let path = format!("/api/v1/sites/{name}/{list}");
        let parts = whole(&house, &path);
        let all = house.get(&format!("{path}limit=1000")).json();
        assert_eq!(all["items"].as_array().unwrap(), &parts, "{list}");
        assert!(parts.len() > 2, "{list}: {parts:?}");
        assert_eq!(all["next"], Value::Null, "{list}");
    }
}

#[test]
fn cursors_of_others_are_refused() {
    let (house, _web, name) = surveyed();
    let pages = format!("/api/v1/sites/{name}/pages");
    let good = house.get(&format!("{pages}?limit=2")).json()["next"].as_str().unwrap().to_owned();
    assert_eq!(house.get(&format!("{pages}?cursor={good}")).status, 200);
    let flipped: String = good.chars().map(|c| if c == '0' { '1' } else { c }).collect();
    for bad in
        [flipped.as_str(), "ffffffffffffffffffffffff", "1", "..%2f..%2fetc", "%00", "-1", "99999999999999999999999999"]
    {
        let reply = house.get(&format!("{pages}?cursor={bad}"));
        assert!(matches!(reply.status, 400 | 422), "{bad}: {}", reply.status);
        assert_eq!(reply.header("content-type"), "application/problem+json");
        assert!(reply.json()["hint"].as_str().unwrap().len() > 5);
    }
    let other = house.get(&format!("/api/v1/sites/{name}/rank?cursor={good}"));
    assert_eq!(other.status, 422, "of another list");
    assert_eq!(house.get(&format!("{pages}?state=fetched&cursor={good}")).status, 422, "of another filter");
}
