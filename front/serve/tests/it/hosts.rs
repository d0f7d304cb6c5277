//! Whose name is called: a page of a stranger may point a name of its own at this machine.

use std::net::SocketAddr;

use crate::{House, new_home};
use groma_serve::{Options, ServeError, serve};

#[test]
fn names_that_are_not_ours_are_refused() {
    let house = House::open(|_| {});
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.1.1", "localhost@evil.example"] {
        for path in ["/", "/api/v1/sites", "/healthz", "/assets/groma.css", "/metrics"] {
            let reply = house.ask("GET", path, &[("Host", host)], b"");
            assert!(matches!(reply.status, 421 | 400), "{host} {path}: {}", reply.status);
            assert!(!reply.text().contains("\"items\""), "{}", reply.text());
        }
    }
    let port = house.at.port();
    let bearer = format!("Bearer {}", house.key().unwrap());
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), "localhost".into(), format!("[::1]:{port}")]
    {
        let headers = [("Host", host.as_str()), ("Authorization", &bearer)];
        assert_eq!(house.ask("GET", "/api/v1/sites", &headers, b"").status, 200, "{host}");
    }
    let twice = house.ask("GET", "/api/v1/me", &[("Host", "localhost"), ("Host", "evil.example")], b"");
    assert!(matches!(twice.status, 400 | 421), "{}", twice.status);
    let absolute = house.ask("GET", "http://evil.example/api/v1/me", &[("Host", "localhost")], b"");
    assert!(matches!(absolute.status, 400 | 421), "{}", absolute.status);
}

#[test]
fn the_name_people_use_is_ours_if_it_was_said() {
    let (house, token, _) = House::with_people(|options| {
        options.public_url = Some("https://survey.example.org/".parse().unwrap());
    });
    let bearer = format!("Bearer {token}");
    let ask = |host: &str| house.ask("GET", "/api/v1/sites", &[("Host", host), ("Authorization", &bearer)], b"");
    assert_eq!(ask("survey.example.org").status, 200);
    assert_eq!(ask("other.example.org").status, 421);
    let login = house.ask("GET", "/login", &[("Host", "survey.example.org")], b"");
    let cookie = login.header("set-cookie");
    assert!(cookie.starts_with("__Host-groma=") && cookie.contains("; Secure"), "{cookie}");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"), "{cookie}");
    assert!(login.header("strict-transport-security").contains("max-age"));
}

#[test]
fn without_a_password_nobody_else_can_be_let_in() {
    for change in [
        (|options: &mut Options| options.listen = SocketAddr::from(([0, 0, 0, 0], 0))) as fn(&mut Options),
        |options| options.listen = "[::]:0".parse().unwrap(),
        |options| options.public_url = Some("https://survey.example.org/".parse().unwrap()),
        |options| options.proxies = vec!["127.0.0.1".parse().unwrap()],
    ] {
        let mut options = Options::on_loopback(new_home());
        options.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        change(&mut options);
        let home = options.home.clone();
        let error = serve(options, Default::default(), |up| panic!("listens on {}", up.at)).unwrap_err();
        assert!(matches!(error, ServeError::NoPassword { .. }), "{error}");
        assert!(error.hint().contains("groma user add"), "{}", error.hint());
        assert!(!error.hint().contains("8090"), "{}", error.hint());
        let _ = std::fs::remove_dir_all(home);
    }
}

#[test]
fn the_door_closes_as_soon_as_there_is_a_user() {
    let house = House::open(|_| {});
    assert_eq!(house.get("/api/v1/sites").status, 200);
    groma_serve::people::add(&house.home, "ann", groma_serve::people::Role::Admin, "correct horse battery").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    assert_eq!(house.get("/api/v1/sites").status, 401);
    let page = house.get("/");
    assert_eq!((page.status, page.header("location")), (303, "/login?next=%2F"));
}
