//! A server without users: whoever has its start key may do everything, and nobody else anything, from wherever they come.

use std::time::Duration;

use serde_json::json;

use crate::House;
use groma_serve::people::{self, Role};

const PATHS: [&str; 12] = [
    "/",
    "/search?q=x",
    "/settings",
    "/jobs",
    "/sites/x/",
    "/sites/x/feed.atom",
    "/metrics",
    "/api/v1/me",
    "/api/v1/sites",
    "/api/v1/tokens",
    "/api/v1/search?q=x",
    "/api/v1/openapi.json",
];

#[test]
fn who_only_reaches_it_may_do_nothing() {
    let house = House::open(|_| {});
    for path in PATHS {
        let mut reply = house.ask("GET", path, &[], b"");
        if path.starts_with("/api/") || path == "/metrics" {
            assert_eq!(reply.status, 401, "{path}: {}", reply.text());
            assert!(reply.header("www-authenticate").starts_with("Bearer"), "{path}");
        } else {
            // Pages lead to where the start URL can be given.
            assert_eq!(reply.status, 303, "{path}: {}", reply.text());
            let next: String = groma_url::form_urlencoded::escape(path);
            assert_eq!(reply.header("location"), format!("/login?next={next}"));
            reply = house.ask("GET", reply.header("location"), &[], b"");
            assert_eq!(reply.status, 200);
        }
        assert!(reply.text().contains("--print-url"), "{path}: {}", reply.text());
        assert!(reply.text().contains(&house.at.port().to_string()), "the hint names the real port");
        assert!(!reply.text().contains(&house.key().unwrap()), "{path}");
    }
    let form = ("Content-Type", "application/json");
    let new = json!({ "name": "x", "role": "admin", "never_expires": true }).to_string();
    assert_eq!(house.ask("POST", "/api/v1/tokens", &[form], new.as_bytes()).status, 401);
    assert_eq!(house.ask("POST", "/settings/users", &[], b"").status, 303, "to the login");
    // A browser that has been shown a page of ours is not let in by that.
    let login = house.ask("GET", "/login", &[], b"");
    assert_eq!(login.status, 200);
    let cookie = login.cookie();
    assert_eq!(house.ask("GET", "/api/v1/me", &[("Cookie", &cookie)], b"").status, 401);
    assert!(people::tokens(&house.home).unwrap().is_empty());
    for open in ["/healthz", "/assets/groma.css", "/favicon.ico"] {
        assert!(house.ask("GET", open, &[], b"").status < 300, "{open}");
    }
}

#[test]
fn the_start_url_lets_one_browser_in_once() {
    let house = House::open(|_| {});
    let key = house.key().unwrap();
    // HEAD and others look only.
    assert_eq!(house.ask("HEAD", &format!("/?key={key}"), &[], b"").status, 303);
    assert_eq!(house.key().as_deref(), Some(key.as_str()));
    let reply = house.ask("GET", &format!("/search?q=a%26b&key={key}&page=2"), &[], b"");
    assert_eq!((reply.status, reply.header("location")), (303, "/search?q=a%26b&page=2"), "led on, without the key");
    let set = reply.header("set-cookie");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    assert!(reply.header("cache-control").contains("no-store"));
    let cookie = reply.cookie();
    let me = house.ask("GET", "/api/v1/me", &[("Cookie", &cookie)], b"").json();
    assert_eq!((me["role"].as_str(), me["name"].as_str()), (Some("admin"), None));
    assert_eq!(house.ask("GET", "/settings", &[("Cookie", &cookie)], b"").status, 200);
    // Again: refused without the session, led on with it.
    let again = house.ask("GET", &format!("/?key={key}"), &[], b"");
    assert_eq!(again.status, 401);
    assert!(again.text().contains("used already") && again.header("set-cookie").is_empty(), "{}", again.text());
    let known = house.ask("GET", &format!("/?key={key}"), &[("Cookie", &cookie)], b"");
    assert_eq!((known.status, known.header("location")), (303, "/"));
    let next = house.key().unwrap();
    assert_ne!(next, key);
    assert_eq!(house.ask("GET", &format!("/?key={next}"), &[], b"").status, 303, "the next one is in the file");
}

#[test]
fn the_start_url_can_be_typed_in_and_leads_on_to_what_was_asked_for() {
    let house = House::open(|_| {});
    let deep = "/sites/x/findings?kind=invalid-link&q=a%26b";
    let form = house.ask("GET", house.ask("GET", deep, &[], b"").header("location"), &[], b"");
    let (cookie, page) = (form.cookie(), form.text());
    let csrf = page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let send = |key: &str| {
        let body = groma_url::form_urlencoded::Serializer::new(String::new())
            .append_pair("csrf", &csrf)
            .append_pair("next", deep)
            .append_pair("key", key)
            .finish();
        let headers = [("Cookie", cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
        house.ask("POST", "/login", &headers, body.as_bytes())
    };
    for wrong in ["", "nonsense", &"0".repeat(64)] {
        let reply = send(wrong);
        assert!(reply.status == 403 && reply.text().contains("used already"), "{wrong}: {}", reply.text());
    }
    let key = house.key().unwrap();
    let reply = send(&format!(" http://{}/?key={key} ", house.host()));
    assert_eq!((reply.status, reply.header("location")), (303, deep));
    let own = reply.cookie();
    assert_eq!(house.ask("GET", "/api/v1/me", &[("Cookie", &own)], b"").json()["role"], "admin");
    assert_eq!(send(&key).status, 403, "once");
    assert_eq!(send(&house.key().unwrap()).status, 303, "the next key alone is enough");
    let no_token = [("Content-Type", "application/x-www-form-urlencoded")];
    let body = format!("key={}", house.key().unwrap());
    assert_eq!(house.ask("POST", "/login", &no_token, body.as_bytes()).status, 403, "not from another site's form");
}

#[test]
fn nobody_is_led_elsewhere_with_a_key() {
    let house = House::open(|_| {});
    for path in ["//evil.example/", "/\\evil.example/", "//evil.example"] {
        let reply = house.ask("GET", &format!("{path}?key={}", house.key().unwrap()), &[], b"");
        assert!(matches!(reply.status, 303 | 400), "{path}: {}", reply.status);
        assert!(matches!(reply.header("location"), "/" | ""), "{path}: {}", reply.header("location"));
    }
}

#[test]
fn two_at_the_same_time_do_not_both_come_in_by_one_key() {
    let house = House::open(|_| {});
    let path = format!("/?key={}", house.key().unwrap());
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..12).map(|_| scope.spawn(|| house.ask("GET", &path, &[], b"").status)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 303).count(), 1, "{statuses:?}");
}

#[test]
fn the_key_is_a_bearer_token_too_and_only_its_owner_reads_it() {
    let house = House::open(|_| {});
    let key = house.key().unwrap();
    for _ in 0..2 {
        assert_eq!(house.with_token(&key, "GET", "/api/v1/me", None).json()["role"], "admin");
    }
    let new = json!({ "name": "x", "role": "reader" });
    let made = house.with_token(&key, "POST", "/api/v1/tokens", Some(&new));
    assert_eq!(made.status, 201, "{}", made.text());
    let token = made.json()["token"].as_str().unwrap().to_owned();
    assert_eq!(house.with_token(&token, "GET", "/metrics", None).status, 200);
    assert_eq!(house.with_token(&"0".repeat(64), "GET", "/api/v1/me", None).status, 401);
    let file = groma_serve::key_file(&house.home, house.at.port());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn with_the_first_user_key_and_sessions_of_nobody_end() {
    let house = House::open(|_| {});
    let browser = house.browser();
    let key = house.key().unwrap();
    people::add(&house.home, "ann", Role::Admin, "correct horse battery").unwrap();
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(house.with_token(&key, "GET", "/api/v1/me", None).status, 401);
    assert_eq!(house.ask("GET", "/api/v1/me", &[("Cookie", &browser.cookie)], b"").status, 401);
    let start = house.ask("GET", &format!("/jobs?key={key}"), &[], b"");
    assert_eq!((start.status, start.header("location")), (303, "/jobs"), "and from there to the login");
    assert!(start.header("set-cookie").is_empty());
    // The last user goes: nobody comes back in by an old session.
    people::remove(&house.home, "ann").unwrap();
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(house.ask("GET", "/api/v1/me", &[("Cookie", &browser.cookie)], b"").status, 401);
    assert_eq!(house.get("/api/v1/me").status, 200, "the key opens again");
}

#[test]
fn a_proxy_that_was_not_named_is_refused_with_a_hint() {
    let house = House::open(|_| {});
    let bearer = format!("Bearer {}", house.key().unwrap());
    for (name, value) in [
        ("X-Forwarded-For", "203.0.113.9"),
        ("X-Forwarded-Host", "survey.example.org"),
        ("X-Forwarded-Proto", "https"),
        ("Forwarded", "for=203.0.113.9"),
        ("X-Real-IP", "203.0.113.9"),
    ] {
        for path in ["/", "/api/v1/sites", "/healthz", "/login"] {
            let reply = house.ask("GET", path, &[("Authorization", &bearer), (name, value)], b"");
            assert_eq!(reply.status, 403, "{name} {path}");
            assert!(reply.text().contains("--trusted-proxy 127.0.0.1"), "{}", reply.text());
        }
    }
    let (house, admin, _) = House::with_people(|options| {
        options.public_url = Some("https://survey.example.org/".parse().unwrap());
    });
    let bearer = format!("Bearer {admin}");
    let headers = [("Authorization", bearer.as_str()), ("X-Forwarded-For", "203.0.113.9")];
    assert_eq!(house.ask("GET", "/api/v1/sites", &headers, b"").status, 200, "a proxy on this machine, as was said");
    let (house, admin, _) = House::with_people(|options| options.proxies = vec!["10.0.0.0/8".parse().unwrap()]);
    let bearer = format!("Bearer {admin}");
    let headers = [("Authorization", bearer.as_str()), ("X-Forwarded-For", "203.0.113.9")];
    assert_eq!(house.ask("GET", "/api/v1/sites", &headers, b"").status, 403, "another one was named");
    assert_eq!(house.with_token(&admin, "GET", "/api/v1/sites", None).status, 200);
}

#[test]
fn a_public_search_stays_public_without_users() {
    let house = House::open(|options| options.public_search = true);
    assert_eq!(house.ask("GET", "/search", &[], b"").status, 200);
    assert_eq!(house.ask("GET", "/api/v1/suggest?q=x", &[], b"").status, 200);
    assert_eq!(house.ask("GET", "/api/v1/sites", &[], b"").status, 401);
}

#[test]
fn tokens_expire_unless_it_is_said_that_they_do_not() {
    let (house, admin, _) = House::with_people(|_| {});
    let make = |body: serde_json::Value| house.with_token(&admin, "POST", "/api/v1/tokens", Some(&body));
    let days_of = |name: &str| {
        let rows = people::tokens(&house.home).unwrap();
        let ends = rows.into_iter().find(|row| row.name == name).unwrap().expires_at?;
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
        Some((ends - now + 43_200) / 86_400)
    };
    let usual = make(json!({ "name": "usual", "role": "reader" }));
    assert_eq!((usual.status, days_of("usual")), (201, Some(90)));
    assert!(usual.json()["expires_at"].is_string());
    assert_eq!((make(json!({ "name": "week", "role": "reader", "days": 7 })).status, days_of("week")), (201, Some(7)));
    let never = make(json!({ "name": "kept", "role": "reader", "never_expires": true }));
    assert_eq!((never.status, days_of("kept")), (201, None));
    assert!(never.json()["expires_at"].is_null());
    let both = json!({ "days": 5, "never_expires": true });
    for (bad, status) in [(json!({ "days": 0 }), 400), (json!({ "days": 3651 }), 400), (both, 422)] {
        let mut body = json!({ "name": "bad", "role": "reader" });
        body.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert_eq!(make(body).status, status);
    }
}
