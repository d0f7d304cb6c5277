//! Who may do what: strangers, readers, admins, bearers of tokens.

use serde_json::json;

use crate::{House, new_home};
use groma_serve::people::{self, Role};

const PATHS: [&str; 9] = [
    "/api/v1/me",
    "/api/v1/sites",
    "/api/v1/sites/x",
    "/api/v1/tokens",
    "/api/v1/openapi.json",
    "/api/v1/search?q=x",
    "/api/v1/suggest?q=x",
    "/metrics",
    "/api/v1/nothing",
];

#[test]
fn strangers_see_nothing() {
    let (house, ..) = House::with_people(|_| {});
    for path in PATHS {
        let reply = house.get(path);
        assert_eq!(reply.status, 401, "{path}");
        assert!(reply.header("www-authenticate").starts_with("Bearer"), "{path}");
    }
    for path in ["/", "/sites/x/", "/jobs", "/settings", "/search", "/sites/x/feed.atom"] {
        let reply = house.get(path);
        assert_eq!(reply.status, 303, "{path}");
        assert!(reply.header("location").starts_with("/login?next="), "{path}");
    }
    assert_eq!(house.get("/healthz").status, 200);
    assert_eq!(house.get("/assets/groma.css").status, 200);
    assert_eq!(house.get("/login").status, 200);
}

#[test]
fn a_public_search_opens_the_search_and_nothing_else() {
    let (house, ..) = House::with_people(|options| options.public_search = true);
    assert_eq!(house.get("/search").status, 200);
    assert!(matches!(house.get("/api/v1/search?q=x").status, 200 | 409));
    assert_eq!(house.get("/api/v1/suggest?q=x").status, 200);
    for path in PATHS.iter().filter(|path| !path.contains("?q=")) {
        assert_eq!(house.get(path).status, 401, "{path}");
    }
    for path in
        ["//api/v1/sites", "/search/../api/v1/sites", "/assets/../api/v1/sites", "/search%2f..%2fsites", "/Search"]
    {
        let reply = house.get(path);
        assert!(!matches!(reply.status, 200), "{path}: {}", reply.text());
    }
    assert_eq!(house.ask("POST", "/search", &[], b"").header("location"), "/login?next=%2Fsearch");
    assert_eq!(house.ask("POST", "/api/v1/search?q=x", &[], b"").status, 401);
}

#[test]
fn readers_change_nothing() {
    let (house, admin, reader) = House::with_people(|_| {});
    let changes = [
        ("POST", "/api/v1/sites"),
        ("POST", "/api/v1/sites/x/jobs"),
        ("POST", "/api/v1/sites/x/jobs/1/cancel"),
        ("PUT", "/api/v1/sites/x/jobs/1/priority"),
        ("POST", "/api/v1/sites/x/schedules"),
        ("DELETE", "/api/v1/sites/x/schedules/1"),
        ("POST", "/api/v1/sites/x/exclusions"),
        ("POST", "/api/v1/sites/x/bounds"),
        ("POST", "/api/v1/sites/x/bounds/decisions"),
        ("DELETE", "/api/v1/sites/x/bounds/decisions/1"),
        ("POST", "/sites/x/bounds/find"),
        ("POST", "/sites/x/bounds/decide"),
        ("POST", "/api/v1/tokens"),
        ("DELETE", "/api/v1/tokens/999"),
        ("POST", "/settings/users"),
    ];
    for (method, path) in changes {
        let reply = house.with_token(&reader, method, path, Some(&json!({})));
        assert_eq!(reply.status, 403, "{method} {path}: {}", reply.text());
        let reply = house.with_token(&admin, method, path, Some(&json!({})));
        assert_ne!(reply.status, 403, "{method} {path}: {}", reply.text());
    }
    assert_eq!(house.with_token(&reader, "GET", "/api/v1/sites", None).status, 200);
    assert_eq!(house.with_token(&reader, "GET", "/api/v1/tokens", None).status, 403, "not even their names");
    assert_eq!(house.with_token(&admin, "GET", "/api/v1/tokens", None).json()["items"].as_array().unwrap().len(), 2);
}

#[test]
fn only_whole_tokens_are_tokens() {
    let (house, admin, _) = House::with_people(|_| {});
    let ask = |value: &str| house.ask("GET", "/api/v1/me", &[("Authorization", value)], b"");
    assert_eq!(ask(&format!("Bearer {admin}")).json()["role"], "admin");
    assert_eq!(ask(&format!("bearer {admin}")).status, 200);
    let upper = admin.to_uppercase();
    for bad in [&admin[1..], "", &upper, &format!("{admin}0"), &"0".repeat(64), "' OR 1=1 --"] {
        assert_eq!(ask(&format!("Bearer {bad}")).status, 401, "{bad}");
    }
    for bad in [admin.as_str(), "Basic YW5uOng=", "Bearer", &format!("Token {admin}")] {
        assert_eq!(ask(bad).status, 401, "{bad}");
    }
}

#[test]
fn tokens_are_made_shown_once_and_removed() {
    let (house, admin, _) = House::with_people(|_| {});
    let made = house.with_token(
        &admin,
        "POST",
        "/api/v1/tokens",
        Some(&json!({ "name": "new", "role": "reader", "days": 1 })),
    );
    assert_eq!(made.status, 201, "{}", made.text());
    let (id, secret) = (made.json()["id"].clone(), made.json()["token"].as_str().unwrap().to_owned());
    assert_eq!(house.with_token(&secret, "GET", "/api/v1/me", None).json()["role"], "reader");
    assert!(!house.with_token(&admin, "GET", "/api/v1/tokens", None).text().contains(&secret));
    let again = house.with_token(&admin, "POST", "/api/v1/tokens", Some(&json!({ "name": "new", "role": "admin" })));
    assert_eq!(again.status, 409);
    assert_eq!(house.with_token(&admin, "DELETE", &format!("/api/v1/tokens/{id}"), None).status, 204);
    assert_eq!(house.with_token(&secret, "GET", "/api/v1/me", None).status, 401, "at once");
    let file = std::fs::read(house.home.join("desk.db")).unwrap();
    assert!(!file.windows(64).any(|bytes| bytes == secret.as_bytes()), "the secret is kept nowhere");
}

#[test]
fn people_are_made_with_a_name_and_a_password() {
    let home = new_home();
    assert!(people::add(&home, "a b", Role::Admin, "correct horse battery").is_err());
    assert!(people::add(&home, "ann", Role::Admin, "short").is_err());
    people::add(&home, "ann", Role::Admin, "correct horse battery").unwrap();
    assert!(people::add(&home, "ann", Role::Admin, "correct horse battery").is_err());
    people::change(&home, "ann", Role::Reader, "another horse battery").unwrap();
    assert_eq!(people::all(&home).unwrap(), [("ann".to_owned(), Role::Reader)]);
    people::remove(&home, "ann").unwrap();
    assert!(people::remove(&home, "ann").is_err() && people::all(&home).unwrap().is_empty());
    let _ = std::fs::remove_dir_all(home);
}
