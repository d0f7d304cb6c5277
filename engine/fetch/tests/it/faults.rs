//! Servers that stall, lie and break off: each is a finding with its own name.

use std::time::{Duration, Instant};

use groma_model::Failure;
use groma_model::outcome::Cut;
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::server::Server;
use crate::{answer, config, failure, fetcher, get};

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    assert_eq!(failure(get(&fetcher(config()), format!("http://127.0.0.1:{port}/")).await), Failure::Refused);
}

#[tokio::test]
async fn closed_or_reset_before_an_answer() {
    for reset in [false, true] {
        let server = Server::start(move |mut visit| async move {
            if reset {
                // Closing with unread bytes makes the kernel send a reset.
                visit.stream.readable().await.unwrap();
            } else {
                visit.request().await;
            }
        })
        .await;
        assert_eq!(failure(get(&fetcher(config()), server.at("/")).await), Failure::Reset, "reset: {reset}");
        assert_eq!(server.connections(), 1, "a new connection that breaks is a finding, not to be tried again here");
    }
}

#[tokio::test]
async fn silence_before_the_answer() {
    let server = Server::start(|mut visit| async move {
        visit.request().await;
        sleep(Duration::from_secs(20)).await;
    })
    .await;
    let begun = Instant::now();
    assert_eq!(failure(get(&fetcher(config()), server.at("/")).await), Failure::TimeOut("idle"));
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn silence_in_the_middle_keeps_what_came() {
    let server = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").await;
        sleep(Duration::from_secs(20)).await;
    })
    .await;
    let response = answer(get(&fetcher(config()), server.at("/")).await);
    assert_eq!((&response.body[..], response.cut), (&b"half"[..], Some(Cut::Late)));
}

#[tokio::test]
async fn silence_after_the_header_is_no_page_but_an_error_page_needs_no_body() {
    for (status, page) in [(200, false), (404, true)] {
        let server = Server::start(move |mut visit| async move {
            visit.request().await;
            visit.say(format!("HTTP/1.1 {status} X\r\nContent-Length: 100\r\n\r\n")).await;
            sleep(Duration::from_secs(20)).await;
        })
        .await;
        let outcome = get(&fetcher(config()), server.at("/")).await;
        if page {
            let response = answer(outcome);
            assert_eq!((response.status, response.cut), (404, Some(Cut::Late)));
        } else {
            assert_eq!(failure(outcome), Failure::TimeOut("idle"));
        }
    }
}

#[tokio::test]
async fn a_slow_drip_ends_at_the_total_deadline() {
    let server = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say("HTTP/1.1 200 OK\r\n\r\n").await;
        for _ in 0..200 {
            visit.say("x").await;
            sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    let mut config = config();
    config.limits.total_ms = 700;
    let begun = Instant::now();
    let response = answer(get(&fetcher(config), server.at("/")).await);
    assert_eq!(response.cut, Some(Cut::Late));
    assert!(response.body.len() > 3, "{}", response.body.len());
    assert!((Duration::from_millis(600)..Duration::from_secs(9)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn headers_are_counted_and_measured() {
    let with = |count: usize, length: usize| {
        let fields: String = (0..count).map(|n| format!("x-{n}: {}\r\n", "v".repeat(length))).collect();
        format!("HTTP/1.1 200 OK\r\n{fields}\r\n")
    };
    let closing = |text: String| {
        Server::start(move |mut visit| {
            let text = text.clone();
            async move {
                visit.request().await;
                visit.say(text).await;
            }
        })
    };
    let fetcher = fetcher(config());
    let response = answer(get(&fetcher, closing(with(1000, 1)).await.at("/")).await);
    assert_eq!(response.headers.len(), 1000);
    for (count, length) in [(1001, 1), (900, 400)] {
        let outcome = get(&fetcher, closing(with(count, length)).await.at("/")).await;
        let Failure::BadAnswer(why) = failure(outcome) else { panic!("{count} of {length}") };
        assert!(why.contains("more than 1000 headers or 262144 bytes"), "{why}");
    }
}

#[tokio::test]
async fn what_is_not_http_is_a_bad_answer() {
    for nonsense in ["SSH-2.0-OpenSSH_9.2\r\n", "<html>hello</html>\r\n\r\n", "HTTP/1.1 banana\r\n\r\n"] {
        let server = Server::always(nonsense).await;
        let failure = failure(get(&fetcher(config()), server.at("/")).await);
        assert!(matches!(failure, Failure::BadAnswer(_)), "{nonsense}: {failure:?}");
    }
}

#[tokio::test]
async fn a_sloppy_header_is_put_up_with() {
    let server = Server::always(
        "HTTP/1.1 200 OK\r\nBad Name: x\r\nFolded: a\r\n b\r\nSpaced : c\r\nContent-Length: 2\r\n\r\nok",
    )
    .await;
    let response = answer(get(&fetcher(config()), server.at("/")).await);
    assert_eq!((&response.body[..], response.header("spaced")), (&b"ok"[..], Some("c")));
}

#[tokio::test]
async fn a_huge_body_is_cut_and_its_connection_closed() {
    let server = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n").await;
        let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
        for _ in 0..10_000 {
            visit.say(&chunk).await;
        }
    })
    .await;
    let mut config = config();
    config.limits.wire_bytes = 300_000;
    let fetcher = fetcher(config);
    for n in 1..=2 {
        let response = answer(get(&fetcher, server.at("/")).await);
        assert_eq!((response.body.len(), response.cut), (300_000, Some(Cut::TooLarge)));
        assert_eq!(server.connections(), n);
    }
}

#[tokio::test]
async fn error_pages_and_redirects_are_read_a_little() {
    for (status, kept) in [(404, 65_536), (302, 8192)] {
        let body = "x".repeat(200_000);
        let server = Server::always(format!(
            "HTTP/1.1 {status} X\r\nLocation: /y\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
        .await;
        let response = answer(get(&fetcher(config()), server.at("/")).await);
        assert_eq!((response.body.len(), response.cut), (kept, Some(Cut::HeaderOnly)), "{status}");
        assert_eq!(response.location().as_deref(), (status == 302).then_some("/y"));
    }
}

#[tokio::test]
async fn a_length_that_is_a_lie_is_found_out() {
    let short = Server::start(|mut visit| async move {
        visit.request().await;
        visit.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this").await;
    })
    .await;
    let response = answer(get(&fetcher(config()), short.at("/")).await);
    assert_eq!((&response.body[..], response.cut), (&b"only this"[..], Some(Cut::Broken)));

    // Too much: the rest must not be taken for the next answer.
    let long = Server::always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 666 Smuggled\r\n\r\n").await;
    let fetcher = fetcher(config());
    for _ in 0..3 {
        let response = answer(get(&fetcher, long.at("/")).await);
        assert_eq!((response.status, &response.body[..]), (200, &b"ok"[..]));
    }

    let twice = Server::always("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc").await;
    assert!(matches!(failure(get(&fetcher, twice.at("/")).await), Failure::BadAnswer(_)));
}

#[tokio::test]
async fn a_bad_chunk_is_a_bad_answer() {
    for body in ["zz\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n", "fffffffffffffffff\r\nhello\r\n"] {
        let says = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
        let server = Server::always(says).await;
        let Failure::BadAnswer(why) = failure(get(&fetcher(config()), server.at("/")).await) else {
            panic!("not the answer is to blame: {body:?}");
        };
        assert!(why.contains("chunk") && !why.contains("Error") && !why.contains('{'), "{why}");
    }
}

#[tokio::test]
async fn tls_to_a_plain_port_is_not_the_fault_of_a_certificate() {
    for says in ["HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "<html>no</html>"]
    {
        let server = Server::start(move |mut visit| async move {
            visit.say(says).await;
            sleep(Duration::from_secs(2)).await;
        })
        .await;
        let refused = failure(get(&fetcher(config()), server.at("/").replace("http://", "https://")).await);
        assert_eq!(refused, Failure::Tls("the server does not speak TLS at this port".into()), "{says}");
    }
}

#[tokio::test]
async fn interim_answers_without_end_are_given_up_and_a_few_are_passed_over() {
    let few = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(20);
    let server = Server::always(format!("{few}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")).await;
    let patient = fetcher(config());
    assert_eq!(answer(get(&patient, server.at("/")).await).body, b"ok");
    assert_eq!(answer(get(&patient, server.at("/")).await).body, b"ok");
    assert_eq!(groma_fetch::Fetcher::limits_hit(&patient), []);

    let flood = Server::start(|mut visit| async move {
        visit.request().await;
        let many = "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000);
        while visit.try_say(&many).await {}
    })
    .await;
    let begun = Instant::now();
    let Failure::BadAnswer(why) = failure(get(&patient, flood.at("/")).await) else { panic!("no bad answer") };
    assert!(why.contains("interim answers"), "{why}");
    assert!(begun.elapsed() < Duration::from_secs(15));
    assert_eq!(groma_fetch::Fetcher::limits_hit(&patient), [("interim_answers", 1)]);
    assert_eq!(groma_fetch::Fetcher::limits_hit(&patient), []);
}

#[tokio::test]
async fn a_location_in_raw_utf_8_is_read_as_utf_8() {
    let server =
        Server::always("HTTP/1.1 302 Found\r\nLocation: /caf\u{e9}?q=\u{65e5}\r\nContent-Length: 0\r\n\r\n").await;
    let response = answer(get(&fetcher(config()), server.at("/")).await);
    let to = crate::url(server.at("/")).join(&response.location().unwrap()).unwrap();
    assert_eq!((to.path(), to.query()), ("/caf%C3%A9", Some("q=%E6%97%A5")));
    let mut latin = b"HTTP/1.1 302 Found\r\nLocation: /caf".to_vec();
    latin.extend(b"\xe9\r\nContent-Length: 0\r\n\r\n");
    let server = Server::always(latin).await;
    let response = answer(get(&fetcher(config()), server.at("/")).await);
    assert_eq!(response.location().unwrap(), "/caf%E9");
}

#[tokio::test]
async fn cookies_of_one_request_are_bounded_and_what_is_left_out_is_counted() {
    let set: String = (0..100).map(|n| format!("Set-Cookie: c{n}={}; Path=/\r\n", "x".repeat(3000))).collect();
    let mut config = config();
    (config.cookies, config.limits.header_bytes) = (true, 1 << 20);
    let server = Server::always(format!("HTTP/1.1 200 OK\r\n{set}Content-Length: 2\r\n\r\nok")).await;
    let fetcher = fetcher(config);
    answer(get(&fetcher, server.at("/")).await);
    answer(get(&fetcher, server.at("/")).await);
    let head = server.requests().pop().unwrap();
    let cookie = head.lines().find_map(|line| line.strip_prefix("cookie: ")).unwrap();
    assert!(cookie.len() <= 8192 && cookie.starts_with("c0=xxx"), "{}", cookie.len());
    assert_eq!(groma_fetch::Fetcher::limits_hit(&fetcher), [("cookie_bytes", 1)]);
}
