//! Coming in with a name and a password, and being kept out.

use std::time::{Duration, Instant};

use crate::{Browser, House, Reply};

/// Fills in the form as a browser would.
fn log_in(house: &House, name: &str, password: &str) -> (Reply, Browser) {
    let form = house.get("/login");
    let cookie = form.cookie();
    let page = form.text();
    let csrf = page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    let body = format!("csrf={csrf}&name={name}&password={}", password.replace(' ', "+"));
    let headers = [("Cookie", cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let reply = house.ask("POST", "/login", &headers, body.as_bytes());
    let cookie = reply.cookie();
    (reply, Browser { cookie, csrf: String::new() })
}

fn me(house: &House, cookie: &str) -> Reply {
    house.ask("GET", "/api/v1/me", &[("Cookie", cookie)], b"")
}

#[test]
fn the_right_password_opens_a_new_session_and_logging_out_ends_it() {
    let (house, ..) = House::with_people(|_| {});
    let before = house.get("/login").cookie();
    let (reply, browser) = log_in(&house, "ann", "correct horse battery");
    assert_eq!(reply.status, 303, "{}", reply.text());
    let set = reply.header("set-cookie");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax") && set.contains("Max-Age="), "{set}");
    assert_ne!(browser.cookie, before, "the secret is a new one");
    let ann = me(&house, &browser.cookie).json();
    assert_eq!((ann["name"].as_str(), ann["role"].as_str()), (Some("ann"), Some("admin")));
    let csrf = ann["csrf"].as_str().unwrap();
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let headers = |csrf| [("Cookie", browser.cookie.as_str()), ("X-Csrf-Token", csrf), form];
    assert_eq!(house.ask("POST", "/logout", &headers("wrong"), b"").status, 403);
    assert_eq!(house.ask("POST", "/logout", &headers(csrf), b"").status, 303);
    assert_eq!(me(&house, &browser.cookie).status, 401, "at once");
}

#[test]
fn all_sessions_can_be_ended_and_another_password_ends_them_too() {
    let (house, ..) = House::with_people(|_| {});
    let (_, one) = log_in(&house, "bob", "purple monkey dishwasher");
    let (_, two) = log_in(&house, "bob", "purple monkey dishwasher");
    assert_eq!((me(&house, &one.cookie).status, me(&house, &two.cookie).status), (200, 200));
    let csrf = me(&house, &one.cookie).json()["csrf"].as_str().unwrap().to_owned();
    let body = format!("csrf={csrf}&everywhere=1");
    let headers = [("Cookie", one.cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    assert_eq!(house.ask("POST", "/logout", &headers, body.as_bytes()).status, 303);
    assert_eq!((me(&house, &one.cookie).status, me(&house, &two.cookie).status), (401, 401));
    let (_, three) = log_in(&house, "bob", "purple monkey dishwasher");
    groma_serve::people::change(&house.home, "bob", groma_serve::people::Role::Reader, "yellow monkey dishwasher")
        .unwrap();
    std::thread::sleep(Duration::from_millis(2_500));
    assert_eq!(me(&house, &three.cookie).status, 401);
    let file = std::fs::read(house.home.join("desk.db")).unwrap();
    let secret = three.cookie.split('=').nth(1).unwrap();
    assert!(!file.windows(64).any(|bytes| bytes == secret.as_bytes()), "the secret is kept nowhere");
}

#[test]
fn guessing_becomes_slow_and_memory_of_it_is_per_address_and_name() {
    let (house, ..) = House::with_people(|_| {});
    let mut refused = 0;
    for number in 0..8 {
        let (reply, _) = log_in(&house, "ann", &format!("wrong password {number}"));
        assert!(matches!(reply.status, 403 | 429), "{}", reply.status);
        refused += u32::from(reply.status == 429);
    }
    assert!(refused >= 2, "after five wrong ones there is a wait");
    let (reply, _) = log_in(&house, "ann", "correct horse battery");
    assert_eq!(reply.status, 429, "even the right one waits");
    let wait: u64 = reply.header("retry-after").parse().unwrap();
    assert!((1..=900).contains(&wait) && reply.text().contains(&format!("{wait} seconds")), "{wait}: {}", reply.text());
    assert!(reply.text().contains("seconds"), "{}", reply.text());
    let (other, _) = log_in(&house, "bob", "purple monkey dishwasher");
    assert_eq!(other.status, 429, "the client waits, whatever the name");
}

#[test]
fn tries_at_the_same_time_do_not_slip_through() {
    let (house, ..) = House::with_people(|_| {});
    let form = house.get("/login");
    let (cookie, page) = (form.cookie(), form.text());
    let csrf = page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..24)
            .map(|number| {
                let (house, cookie, csrf) = (&house, &cookie, &csrf);
                scope.spawn(move || {
                    let body = format!("csrf={csrf}&name=ann&password=wrong+password+{number}");
                    let headers = [("Cookie", cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
                    house.ask("POST", "/login", &headers, body.as_bytes()).status
                })
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let tried = statuses.iter().filter(|status| **status == 403).count();
    assert!(tried <= 6, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 403 | 429)), "{statuses:?}");
}

#[test]
fn a_name_that_does_not_exist_takes_as_long_and_says_the_same() {
    let (house, ..) = House::with_people(|_| {});
    let time = |name: &str| {
        let since = Instant::now();
        let (reply, _) = log_in(&house, name, "wrong password");
        assert_eq!(reply.status, 403);
        (since.elapsed(), reply.text().replace(name, "NAME"))
    };
    time("warm-up");
    let ((known, one), (unknown, other)) = (time("ann"), time("zoe"));
    let strip = |page: &str| page.split("csrf").next().unwrap_or_default().to_owned();
    assert_eq!(strip(&one), strip(&other));
    let ratio = known.as_secs_f64() / unknown.as_secs_f64();
    assert!((0.2..5.0).contains(&ratio), "{known:?} {unknown:?}");
}

#[test]
fn a_login_form_of_another_site_logs_nobody_in() {
    let (house, ..) = House::with_people(|_| {});
    let body = b"name=ann&password=correct+horse+battery";
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    assert_eq!(house.ask("POST", "/login", &form, body).status, 403);
    let foreign = [form[0], ("Origin", "http://evil.example")];
    assert_eq!(house.ask("POST", "/login", &foreign, body).status, 403);
}

#[test]
fn a_deep_link_keeps_its_query_over_a_login() {
    let (house, ..) = House::with_people(|_| {});
    let deep = "/sites/x/findings?kind=invalid-link&q=a%26b%20c&page=2";
    let sent = house.get(deep);
    assert_eq!(sent.status, 303);
    let place = sent.header("location").to_owned();
    let form = house.get(&place);
    assert_eq!(form.status, 200);
    let (cookie, page) = (form.cookie(), form.text());
    let field = |name: &str| {
        let start = format!("name=\"{name}\" value=\"");
        page.split(&start)
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap()
            .replace("&#38;", "&")
            .replace("&amp;", "&")
    };
    assert_eq!(field("next"), deep);
    let body = groma_url::form_urlencoded::Serializer::new(String::new())
        .append_pair("csrf", &field("csrf"))
        .append_pair("next", &field("next"))
        .append_pair("name", "ann")
        .append_pair("password", "correct horse battery")
        .finish();
    let headers = [("Cookie", cookie.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let on = house.ask("POST", "/login", &headers, body.as_bytes());
    assert_eq!((on.status, on.header("location")), (303, deep));
    // A wrong password does not lose it.
    let wrong = body.replace("battery", "staple");
    let again = house.ask("POST", "/login", &headers, wrong.as_bytes());
    assert!(again.text().contains("kind=invalid-link"), "{}", again.text());
}
