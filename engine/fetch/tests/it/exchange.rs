//! What is asked and what is understood when nothing is wrong.

use std::time::Duration;

use groma_fetch::{Fetcher, HttpFetcher};
use groma_model::outcome::Cut;
use groma_model::{Request, Validators};

use crate::server::{Server, page};
use crate::{answer, config, fetcher, get, url};

#[tokio::test]
async fn a_page_comes_back_with_all_that_was_said_about_it() {
    let server = Server::always(
        "HTTP/1.1 203 Fine\r\nContent-Type: text/html; charset=latin1\r\nX-Name: caf\u{e9}\r\nSet-Cookie: a=1\r\n\
         Set-Cookie: b=2\r\nContent-Length: 5\r\n\r\nhello",
    )
    .await;
    let response = answer(get(&fetcher(config()), server.at("/x?y=1#z")).await);
    assert_eq!((response.status, &response.body[..], response.cut), (203, &b"hello"[..], None));
    assert_eq!(response.media_type(), "text/html");
    // Two bytes of UTF-8 are two characters of Latin-1.
    assert_eq!(response.header("x-name"), Some("caf\u{c3}\u{a9}"));
    assert_eq!(response.header_all("set-cookie").collect::<Vec<_>>(), ["a=1", "b=2"]);
    assert_eq!(response.remote, Some("127.0.0.1".parse().unwrap()));
    assert_eq!(response.version, "HTTP/1.1");
    let head = &server.requests()[0];
    assert!(head.starts_with("get /x?y=1 http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("host: 127.0.0.1:{}\r\n", server.port)), "{head}");
    assert!(head.contains("user-agent: groma/"), "{head}");
    assert!(head.contains("accept-encoding: gzip, deflate, br, zstd\r\n"), "{head}");
    assert!(!head.contains("cookie"), "{head}");
}

#[tokio::test]
async fn a_compressed_body_stays_compressed() {
    let server =
        Server::always(&b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08"[..])
            .await;
    assert_eq!(answer(get(&fetcher(config()), server.at("/")).await).body, [0x1f, 0x8b, 8]);
}

#[tokio::test]
async fn connections_are_kept_and_used_again() {
    let server = Server::always(page("x")).await;
    let fetcher = fetcher(config());
    for _ in 0..20 {
        assert_eq!(answer(get(&fetcher, server.at("/")).await).body, b"x");
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_kept_connection_that_the_server_closed_is_replaced_unseen() {
    // Each connection serves one page and is closed at the second request, before a byte of an answer.
    let server = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say(page("x")).await;
        visit.request().await;
    })
    .await;
    let fetcher = fetcher(config());
    for _ in 0..4 {
        assert_eq!(answer(get(&fetcher, server.at("/")).await).body, b"x");
    }
    assert_eq!(server.connections(), 4);
}

#[tokio::test]
async fn a_connection_closed_while_it_was_kept_is_not_even_tried() {
    let server = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say(page("x")).await;
    })
    .await;
    let fetcher = fetcher(config());
    for _ in 0..3 {
        assert_eq!(answer(get(&fetcher, server.at("/")).await).body, b"x");
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn chunks_and_answers_that_end_with_the_connection_are_read() {
    let chunked = Server::always(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n",
    )
    .await;
    assert_eq!(answer(get(&fetcher(config()), chunked.at("/")).await).body, b"abcde");
    let closing = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say("HTTP/1.0 200 OK\r\n\r\nto the end").await;
    })
    .await;
    let response = answer(get(&fetcher(config()), closing.at("/")).await);
    assert_eq!((&response.body[..], response.cut, response.version), (&b"to the end"[..], None, "HTTP/1.0"));
}

#[tokio::test]
async fn validators_are_sent() {
    let server = Server::always("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n").await;
    let fetcher = fetcher(config());
    let validators =
        Validators { etag: Some("\"a\"".into()), last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".into()) };
    let request = Request { validators: Some(validators), ..Request::get(url(server.at("/"))) };
    let response = answer(fetcher.fetch(request).await);
    assert_eq!((response.status, response.body.len(), response.cut), (304, 0, None));
    let head = &server.requests()[0];
    assert!(head.starts_with("get / http/1.1\r\n"), "{head}");
    assert!(head.contains("if-none-match: \"a\"\r\n"), "{head}");
    assert!(head.contains("if-modified-since: sun, 06 nov 1994 08:49:37 gmt\r\n"), "{head}");
}

#[tokio::test]
async fn types_that_nobody_reads_are_left_but_a_short_one_does_not_cost_the_connection() {
    let thing = |kind: &str, length: usize| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
        [head.into_bytes(), vec![7; length]].concat()
    };
    // Of pictures the first bytes are read.
    for (kind, length, read, cut, connections) in [
        ("application/zip", 5000, 0, Some(Cut::HeaderOnly), 1),
        ("application/zip", 100_000, 0, Some(Cut::HeaderOnly), 3),
        ("image/png", 5000, 5000, None, 1),
        ("image/png", 500_000, 64 * 1024, Some(Cut::HeaderOnly), 3),
    ] {
        let server = Server::always(thing(kind, length)).await;
        let fetcher = fetcher(config());
        for _ in 0..3 {
            let response = answer(get(&fetcher, server.at("/a")).await);
            assert_eq!((response.body.len(), response.cut), (read, cut), "{kind} {length}");
        }
        assert_eq!(server.connections(), connections, "{kind} {length}");
        // Asked for as a whole, it is read.
        let whole = answer(fetcher.fetch_whole(Request::get(url(server.at("/a"))), 1 << 20).await);
        assert_eq!((whole.body.len(), whole.cut), (length, None));
    }
}

#[tokio::test]
async fn logins_and_headers_go_to_the_start_pages_server_only() {
    let server = Server::always(page("x")).await;
    let mut config = config();
    config.headers = vec![("X-Token".into(), "t".into()), ("User-Agent".into(), "me".into())];
    config.basic_auth = Some(("user".into(), "pass".into()));
    config.login_at = vec![url(server.at("/start"))];
    config.resolve = vec![format!("other.test:{}:127.0.0.1", server.port).parse().unwrap()];
    let fetcher = fetcher(config);
    answer(get(&fetcher, server.at("/")).await);
    answer(get(&fetcher, format!("http://other.test:{}/", server.port)).await);
    let [own, other] = &server.requests()[..] else { panic!("two requests") };
    assert!(own.contains("authorization: basic dxnlcjpwyxnz\r\n"), "{own}");
    assert!(own.contains("x-token: t\r\n") && own.contains("user-agent: me\r\n"), "{own}");
    assert!(!other.contains("authorization") && !other.contains("x-token"), "{other}");
    assert!(other.contains("user-agent: groma/"), "{other}");
}

#[tokio::test]
async fn cookies_are_kept_only_when_asked_for() {
    let answer_with_cookie = "HTTP/1.1 200 OK\r\nSet-Cookie: s=1; Path=/\r\nContent-Length: 0\r\n\r\n";
    for keep in [false, true] {
        let server = Server::always(answer_with_cookie).await;
        let mut config = config();
        config.cookies = keep;
        config.headers = vec![("Cookie".into(), "own=0".into())];
        config.login_at = vec![url(server.at("/"))];
        let fetcher = fetcher(config);
        answer(get(&fetcher, server.at("/")).await);
        answer(get(&fetcher, server.at("/next")).await);
        let expected = if keep { "cookie: own=0; s=1\r\n" } else { "cookie: own=0\r\n" };
        assert!(server.requests()[1].contains(expected), "{:?}", server.requests());
    }
}

#[tokio::test]
async fn many_fetches_at_once_share_few_connections() {
    let server = Server::always(page("x")).await;
    let fetcher: std::sync::Arc<HttpFetcher> = fetcher(config()).into();
    for _ in 0..5 {
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let (fetcher, address) = (fetcher.clone(), url(server.at("/")));
                tokio::spawn(async move { fetcher.fetch(Request::get(address)).await })
            })
            .collect();
        for task in tasks {
            assert_eq!(answer(task.await.unwrap()).body, b"x");
        }
    }
    assert!(server.connections() <= 8, "{}", server.connections());
}
