//! What a browser could be tricked into: forms on other people's pages, frames, hostile texts.

use serde_json::json;

use crate::House;

const NEW: &str = r#"{"kind":"index"}"#;

#[test]
fn a_change_needs_the_token_of_the_browser() {
    let house = House::open(|_| {});
    let (one, other) = (house.browser(), house.browser());
    let path = "/api/v1/tokens";
    let body = json!({ "name": "x", "role": "reader" }).to_string();
    let send = |headers: &[(&str, &str)]| {
        let mut all = vec![("Content-Type", "application/json")];
        all.extend_from_slice(headers);
        house.ask("POST", path, &all, body.as_bytes()).status
    };
    assert_eq!(send(&[]), 401, "no cookie, no token");
    assert_eq!(send(&[("Cookie", &one.cookie)]), 403, "no token");
    assert_eq!(send(&[("Cookie", &one.cookie), ("X-Csrf-Token", "")]), 403);
    assert_eq!(send(&[("Cookie", &one.cookie), ("X-Csrf-Token", &other.csrf)]), 403, "the token of another browser");
    assert_eq!(send(&[("X-Csrf-Token", &one.csrf)]), 401, "no cookie");
    let planted = format!("{}; {}", other.cookie, one.cookie);
    assert_eq!(send(&[("Cookie", &planted), ("X-Csrf-Token", &one.csrf)]), 401, "somebody planted a second cookie");
    assert_eq!(send(&[("Cookie", &one.cookie), ("X-Csrf-Token", &one.csrf)]), 201);
}

#[test]
fn a_change_from_a_page_of_another_site_is_refused_even_with_the_token() {
    let house = House::open(|_| {});
    let browser = house.browser();
    let port = house.at.port();
    let (own, next_door) = (format!("http://127.0.0.1:{port}"), format!("http://127.0.0.1:{}", port ^ 1));
    let send = |extra: (&str, &str)| {
        let headers = [
            ("Cookie", browser.cookie.as_str()),
            ("X-Csrf-Token", &browser.csrf),
            ("Content-Type", "application/json"),
            extra,
        ];
        house.ask("DELETE", "/api/v1/tokens/99", &headers, b"").status
    };
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &next_door, "http://localhost", ""] {
        assert_eq!(send(("Origin", origin)), 403, "{origin}");
    }
    for site in ["cross-site", "same-site", "?"] {
        assert_eq!(send(("Sec-Fetch-Site", site)), 403, "{site}");
    }
    assert_eq!(send(("Origin", &own)), 404);
    assert_eq!(send(("Sec-Fetch-Site", "same-origin")), 404);
}

#[test]
fn a_form_of_another_kind_does_not_get_around_the_token() {
    let house = House::open(|_| {});
    let browser = house.browser();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        let headers = [("Cookie", browser.cookie.as_str()), ("Content-Type", kind)];
        for path in ["/api/v1/sites/x/jobs", "/logout", "/settings"] {
            assert_eq!(house.ask("POST", path, &headers, NEW.as_bytes()).status, 403, "{kind} {path}");
        }
    }
    for method in ["PUT", "DELETE", "PATCH", "POST", "BREW"] {
        let reply = house.ask(method, "/api/v1/sites", &[("Cookie", &browser.cookie)], b"");
        assert_eq!(reply.status, 403, "{method}");
    }
}

#[test]
fn every_answer_tells_the_browser_to_be_careful() {
    let house = House::open(|_| {});
    for path in
        ["/", "/search", "/api/v1/sites", "/api/v1/nothing", "/nothing", "/healthz", "/assets/groma.css", "/metrics"]
    {
        let reply = house.get(path);
        let policy = reply.header("content-security-policy");
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("x-frame-options"), "DENY", "{path}");
        assert_eq!(reply.header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin", "{path}");
        assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin", "{path}");
        assert!(reply.header("permissions-policy").contains("camera=()"), "{path}");
        assert!(!reply.header("cache-control").is_empty(), "{path}");
        assert!(!reply.headers.contains_key("access-control-allow-origin"), "{path}");
    }
    assert!(house.get("/api/v1/sites").header("cache-control").contains("no-store"));
}

#[test]
fn only_the_public_search_may_stand_in_a_frame() {
    let (house, ..) = House::with_people(|options| options.public_search = true);
    let policy = |path: &str| house.get(path).header("content-security-policy").to_owned();
    assert!(policy("/search?q=x&embed=1").contains("frame-ancestors *"));
    for path in ["/search?q=x", "/login?embed=1", "/search/../login?embed=1", "/api/v1/search?q=x"] {
        assert!(policy(path).contains("frame-ancestors 'none'"), "{path}");
    }
    let (closed, ..) = House::with_people(|_| {});
    assert!(closed.get("/search?embed=1").header("content-security-policy").contains("frame-ancestors 'none'"));
}

#[test]
fn headers_cannot_be_smuggled_in_through_what_is_asked() {
    let (house, ..) = House::with_people(|_| {});
    for path in ["/x%0d%0aSet-Cookie:%20a=b", "/%0d%0a%0d%0a<script>", "/sites/%00", "/\u{e9}"] {
        let reply = house.get(path);
        assert!(matches!(reply.status, 303 | 400 | 404), "{path}: {}", reply.status);
        assert!(!reply.headers.get("set-cookie").is_some_and(|all| all.iter().any(|one| one.starts_with("a="))));
        assert!(!reply.text().contains("<script>"));
    }
}
