//! What is handed in arrives, once.

use std::time::Duration;

use groma_fetch::{FetchConfig, Fetcher};
use groma_model::{Failure, Request, Validators};
use tokio::io::AsyncReadExt;

use crate::secure::secure_server;
use crate::server::{Server, Visit, page};
use crate::{answer, config, failure, fetcher, get, url};

fn post(address: impl AsRef<str>) -> Request {
    Request::post(url(address), "application/json", "{\"a\":\"\u{e1}\"}").with("X-Own", "yes")
}

/// The body behind a head that says how long it is.
async fn body(visit: &mut Visit, head: &str) -> Vec<u8> {
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    visit.stream.read_exact(&mut body).await.unwrap();
    body
}

#[tokio::test]
async fn a_post_has_its_body_type_and_fields_and_no_conditions() {
    let server = Server::start(|mut visit| async move {
        while let Some(head) = visit.request().await {
            let body = body(&mut visit, &head).await;
            visit.say(page(&String::from_utf8(body).unwrap())).await;
        }
    })
    .await;
    let fetcher = fetcher(config());
    let validators = Some(Validators { etag: Some("\"x\"".into()), last_modified: None });
    for _ in 0..2 {
        let request = Request { validators: validators.clone(), ..post(server.at("/form?a=1")) };
        assert_eq!(answer(fetcher.fetch(request).await).body, "{\"a\":\"\u{e1}\"}".as_bytes());
    }
    let empty = Request::post(url(server.at("/")), "text/plain", "");
    assert_eq!(answer(fetcher.fetch(empty).await).body, b"");
    assert_eq!(server.connections(), 1, "the connection is kept");
    let head = &server.requests()[0];
    assert!(head.starts_with("post /form?a=1 http/1.1\r\n"), "{head}");
    assert!(head.contains("content-type: application/json\r\n") && head.contains("x-own: yes\r\n"), "{head}");
    assert!(head.contains("user-agent: groma/") && !head.contains("if-none-match"), "{head}");
    assert!(server.requests()[2].contains("content-length: 0\r\n"));
}

#[tokio::test]
async fn fields_of_one_request_replace_ours_and_stay_with_it() {
    let server = Server::always(page("x")).await;
    let fetcher = fetcher(config());
    answer(fetcher.fetch(Request::get(url(server.at("/"))).with("Accept", "application/json")).await);
    answer(get(&fetcher, server.at("/")).await);
    let [one, two] = &server.requests()[..] else { panic!("two requests") };
    assert!(one.contains("accept: application/json\r\n") && !one.contains("text/html"), "{one}");
    assert!(one.starts_with("get ") && !one.contains("content-length"), "{one}");
    assert!(two.contains("accept: text/html"), "{two}");
}

#[tokio::test]
async fn nothing_can_be_smuggled_into_a_head() {
    let server = Server::always(page("x")).await;
    let fetcher = fetcher(config());
    let bad = [("X-A", "a\r\nX-B: b"), ("X A", "a"), ("Host", "other"), ("Content-Length", "3"), ("X", "a\0")];
    for (name, value) in bad {
        let failure = failure(fetcher.fetch(post(server.at("/")).with(name, value)).await);
        assert!(matches!(&failure, Failure::Unsupported(why) if !why.contains("X-B")), "{name}: {failure:?}");
    }
    let failure = failure(fetcher.fetch(Request::post(url(server.at("/")), "a\r\nb: c", "")).await);
    assert!(matches!(failure, Failure::Unsupported(_)), "{failure:?}");
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn what_the_server_may_have_seen_is_not_posted_again() {
    // Each connection serves one page and is closed at the second request, before a byte of an answer.
    let server = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say(page("x")).await;
        if let Some(head) = visit.request().await {
            body(&mut visit, &head).await;
        }
    })
    .await;
    let fetcher = fetcher(config());
    answer(get(&fetcher, server.at("/")).await);
    assert_eq!(failure(fetcher.fetch(post(server.at("/pay"))).await), Failure::Reset);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let posts = server.requests().iter().filter(|head| head.starts_with("post")).count();
    assert_eq!((posts, server.connections()), (1, 1));
}

#[tokio::test]
async fn a_kept_connection_that_was_closed_before_does_no_harm() {
    let server = Server::start(|mut visit| async move {
        let head = visit.request().await.unwrap();
        if head.starts_with("post") {
            body(&mut visit, &head).await;
        }
        visit.say(page("x")).await;
    })
    .await;
    let fetcher = fetcher(config());
    answer(get(&fetcher, server.at("/")).await);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(answer(fetcher.fetch(post(server.at("/"))).await).body, b"x");
    assert_eq!((server.requests().len(), server.connections()), (2, 2));
}

#[tokio::test]
async fn posts_go_over_tls_and_http_2() {
    for (offered, version) in [("h2", "HTTP/2"), ("http/1.1", "HTTP/1.1")] {
        let server = secure_server(&[offered]).await;
        let fetcher = fetcher(FetchConfig { insecure: true, ..config() });
        for _ in 0..2 {
            let response = answer(fetcher.fetch(post(server.at("/echo"))).await);
            let expected = "POST application/json yes {\"a\":\"\u{e1}\"}";
            assert_eq!((String::from_utf8(response.body).unwrap().as_str(), response.version), (expected, version));
        }
    }
}
