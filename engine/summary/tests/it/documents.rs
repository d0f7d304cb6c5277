//! Ids that try to become paths, and files that do not belong there.

use groma_summary::Asked;

use crate::base::{Base, DatabaseKind, header, is_empty, objects, octets};

fn with_hotels() -> Base {
    let base = Base::new(DatabaseKind::Sqlite).unwrap();
    base.run(&["CREATE TABLE hotel (name TEXT)", "INSERT INTO hotel VALUES ('Sonne')"]);
    base.document("hotels", "Table: hotel\nAttribute: name");
    base
}

#[test]
fn no_id_becomes_a_path() {
    let base = with_hotels();
    let secret = base.folder.join("secret.txt");
    std::fs::write(&secret, "URL: http://x/\nTable: hotel\nAttribute: name\n").unwrap();
    let desk = base.open();
    let absolute = secret.display().to_string();
    let ids = [
        "../secret",
        "../secret.txt",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "%2e%2e/secret",
        "..%252fsecret",
        "..\\secret",
        "..%5csecret",
        &absolute,
        "%2fetc%2fpasswd",
        "/etc/passwd",
        "hotels.txt",
        "hotels%00",
        "hotels%00.txt",
        "./hotels",
        "hotels/",
        "hotels/.",
        "documents/hotels",
        "Hotels",
        "HOTELS",
        "hotels ",
        " hotels",
        "hotels%0a",
        "hotels;x",
        "%ff%fe",
        "%c0%ae%c0%ae%c0%afsecret",
        ".",
        "..",
        "*",
        "hotels*",
        "file:///etc/passwd",
        "http://127.0.0.1/",
        "' OR 1=1 --",
        "\u{202e}sletoh",
    ];
    for id in ids {
        for (path, query) in [(format!("/{id}"), None), ("/".to_owned(), Some(format!("id={id}")))] {
            let asked = Asked { method: "GET", path: &path, query: query.as_deref(), if_none_match: None };
            let answer = desk.ask(&asked);
            assert_eq!(answer.status, 404, "{asked:?}");
            let text = String::from_utf8(octets(answer)).unwrap();
            assert_eq!(text, "there is no such summary\n", "nothing is repeated, nothing is told");
        }
    }
    assert_eq!(desk.get(&format!("/{}", "a".repeat(100_000))).status, 404);
    assert_eq!(desk.get("/hotels").status, 200);
    assert_eq!(desk.get("/%68otels").status, 200, "an encoded letter is the letter");
    assert_eq!(desk.readings(), 1);
}

#[cfg(unix)]
#[test]
fn files_that_lead_out_or_are_none_are_not_listed() {
    let base = with_hotels();
    let documents = base.documents();
    let outside = base.folder.join("outside.txt");
    std::fs::write(&outside, "URL: http://x/\nTable: hotel\nAttribute: name\n").unwrap();
    std::os::unix::fs::symlink(&outside, documents.join("out.txt")).unwrap();
    std::os::unix::fs::symlink(&base.folder, documents.join("up")).unwrap();
    std::os::unix::fs::symlink("nowhere", documents.join("dangling.txt")).unwrap();
    std::os::unix::fs::symlink("loop.txt", documents.join("loop.txt")).unwrap();
    std::os::unix::fs::symlink("hotels.txt", documents.join("inside.txt")).unwrap();
    std::fs::create_dir(documents.join("folder.txt")).unwrap();
    std::fs::write(documents.join(".hidden.txt"), "URL: http://x/\n").unwrap();
    std::fs::write(documents.join("two words.txt"), "URL: http://x/\n").unwrap();
    std::fs::write(documents.join("twice.a"), "URL: http://x/\n").unwrap();
    std::fs::write(documents.join("twice.b"), "URL: http://x/\n").unwrap();
    // A pipe that nobody writes to: reading it would wait for ever.
    let pipe = std::process::Command::new("mkfifo").arg(documents.join("pipe.txt")).status();
    let desk = base.open();
    for id in ["out", "up", "dangling", "loop", "folder", ".hidden", "hidden", "two%20words", "twice", "pipe"] {
        assert_eq!(desk.get(&format!("/{id}")).status, 404, "{id}");
    }
    assert_eq!(desk.get("/inside").status, 200);
    let told = desk.told.lock().unwrap().join("\n");
    for name in ["out.txt", "up", "dangling.txt", "folder.txt", "two words.txt", "twice.b"] {
        assert!(told.contains(name), "{name}: {told}");
    }
    assert!(pipe.is_err() || told.contains("pipe.txt"));
    assert_eq!(octets(desk.get("/")), b"hotels\tThe hotels\ninside\tThe hotels\n");
}

#[test]
fn requests_are_answered_by_the_book() {
    let base = with_hotels();
    base.document("all", "Table: hotel\nAttribute: name");
    base.document("broken", "Table: nowhere\nAttribute: name");
    let desk = base.open();
    let ask = |method, path| desk.ask(&Asked { method, path, ..Asked::default() });
    assert_eq!(octets(desk.get("/healthz")), b"ok\n");
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""] {
        let answer = ask(method, "/hotels");
        assert_eq!((answer.status, header(&answer, "allow")), (405, Some("GET, HEAD")));
    }
    let (head, get) = (ask("HEAD", "/hotels"), ask("GET", "/hotels"));
    assert_eq!(head.headers, get.headers);
    let length = header(&get, "content-length").unwrap().to_owned();
    assert_eq!(octets(get).len().to_string(), length);
    assert!(octets(head).is_empty());
    // A collection: everything that can be had.
    let answer = desk.get("/all");
    let length: usize = header(&answer, "content-length").unwrap().parse().unwrap();
    let etag = header(&answer, "etag").unwrap().to_owned();
    let body = octets(answer);
    assert_eq!(body.len(), length);
    assert_eq!(objects(desk.get("/all")).len(), 2);
    let again = desk.ask(&Asked { method: "GET", path: "/all", if_none_match: Some(&etag), ..Asked::default() });
    assert_eq!(again.status, 304);
    let by_query = desk.ask(&Asked { method: "GET", path: "/", query: Some("id=all"), ..Asked::default() });
    assert_eq!(objects(by_query)[0].url, b"http://www.example.org/all");
    // A document of somebody's mistake: those outside are told nothing about the database.
    let answer = desk.get("/broken");
    assert_eq!(answer.status, 500);
    assert_eq!(octets(answer), b"the summary cannot be made now\n");
    assert!(desk.told.lock().unwrap().iter().any(|line| line.contains("nowhere")));
}

#[test]
fn documents_come_and_go_while_it_runs_and_hostile_ones_harm_nobody() {
    let base = with_hotels();
    let desk = base.open();
    assert_eq!(desk.get("/late").status, 404);
    base.document("late", "Table: hotel\nAttribute: name");
    assert_eq!(desk.get("/late").status, 200);
    std::fs::remove_file(base.documents().join("late.txt")).unwrap();
    assert_eq!(desk.get("/late").status, 404);
    for (nth, text) in
        [&b""[..], b"\0\0\0", b"URL: a\nb", b"URL:\nTable: hotel\nAttribute: name", &[0xff; 300_000]].iter().enumerate()
    {
        std::fs::write(base.documents().join(format!("odd{nth}.txt")), text).unwrap();
        assert_eq!(desk.get(&format!("/odd{nth}")).status, 500);
    }
    // White space within an address is kept on its line: no attribute can be slipped in.
    std::fs::write(
        base.documents().join("x.txt"),
        "URL: http://x/ {\u{b}\u{2028}}\nTitle: a{3}:\tb\nTable: hotel\nAttribute: name",
    )
    .unwrap();
    let object = desk.object("x");
    assert_eq!(object.text("Title").as_deref(), Some("a{3}:\tb"));
    assert_eq!(object.url, "http://x/ {\u{b}\u{2028}}".as_bytes());
}

#[test]
fn as_a_cgi_program() {
    let base = with_hotels();
    let desk = base.open();
    let run = |variables: &[(&str, &str)]| {
        let mut out = Vec::new();
        let variable =
            |name: &str| variables.iter().find(|(its, _)| *its == name).map(|(_, value)| (*value).to_owned());
        groma_summary::cgi::answer(&desk.summarizer, variable, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let answer = run(&[("REQUEST_METHOD", "GET"), ("QUERY_STRING", "id=hotels")]);
    assert!(
        answer.starts_with("Status: 200\r\n") && answer.contains("\r\ncontent-type: application/x-soif\r\n"),
        "{answer}"
    );
    assert!(
        answer.contains("\r\n\r\n@DATABASE { http://www.example.org/hotels\n") && answer.ends_with("}\n"),
        "{answer}"
    );
    let etag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = run(&[("REQUEST_METHOD", "GET"), ("PATH_INFO", "/hotels"), ("HTTP_IF_NONE_MATCH", etag)]);
    assert!(again.starts_with("Status: 304\r\n") && again.ends_with("\r\n\r\n"), "{again}");
    assert!(run(&[("QUERY_STRING", "id=../secret")]).starts_with("Status: 404\r\n"));
    assert!(run(&[("REQUEST_METHOD", "POST"), ("QUERY_STRING", "id=hotels")]).starts_with("Status: 405\r\n"));
}

#[test]
fn what_it_keeps_goes_with_it_and_is_for_nobody_else() {
    let base = with_hotels();
    let cache = base.folder.join("cache");
    let mut options = base.options();
    options.cache = Some(cache.clone());
    let desk = crate::base::Desk::open(options.clone()).unwrap();
    assert_eq!(desk.get("/hotels").status, 200);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&cache).unwrap().permissions().mode() & 0o077, 0);
    }
    drop(desk);
    assert!(!is_empty(&cache));
    // Another process takes it up; a note that was tampered with is none.
    let desk = crate::base::Desk::open(options.clone()).unwrap();
    assert_eq!(desk.get("/hotels").status, 200);
    assert_eq!(desk.readings(), 0);
    let note = cache.join("hotels.json");
    let text = std::fs::read_to_string(&note).unwrap();
    let digest = text.split("\"digest\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    std::fs::write(&note, text.replace(&digest, &format!("../../{}", &digest[6..]))).unwrap();
    let desk = crate::base::Desk::open(options).unwrap();
    assert_eq!(desk.get("/hotels").status, 200);
    assert_eq!(desk.readings(), 1);
}
