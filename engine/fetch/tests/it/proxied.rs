//! Through a proxy: plain pages in absolute form, secure ones through a tunnel.

use groma_fetch::{FetchConfig, Fetcher, Lane, OwnHosts, ProxyChoice};
use groma_model::Failure;
use tokio::io::copy_bidirectional;
use tokio::net::TcpStream;

use crate::secure::secure_server;
use crate::server::{Server, page};
use crate::{answer, config, failure, fetcher, get, url};

fn through(proxy: &Server) -> FetchConfig {
    let proxy = ProxyChoice::Url(format!("http://user:p%40ss@127.0.0.1:{}", proxy.port));
    FetchConfig { proxy, insecure: true, own_hosts: OwnHosts::from_names(["own.test"]).unwrap(), ..config() }
}

#[tokio::test]
async fn a_plain_page_is_asked_for_in_absolute_form_and_the_connection_is_shared() {
    let proxy = Server::always(page("by proxy")).await;
    let fetcher = fetcher(through(&proxy));
    for address in ["http://one.test/a?b", "http://two.test:81/c"] {
        let response = answer(get(&fetcher, address).await);
        assert_eq!((&response.body[..], response.remote), (&b"by proxy"[..], None));
    }
    let [one, two] = &proxy.requests()[..] else { panic!("two requests") };
    assert!(one.starts_with("get http://one.test/a?b http/1.1\r\n"), "{one}");
    assert!(one.contains("host: one.test\r\n") && one.contains("proxy-authorization: basic dxnlcjpwqhnz\r\n"), "{one}");
    assert!(two.starts_with("get http://two.test:81/c http/1.1\r\n"), "{two}");
    assert_eq!(proxy.connections(), 1);
    assert_eq!(fetcher.lane(&url("http://one.test/")).await, Lane::Host("one.test".into()));
}

#[tokio::test]
async fn a_secure_page_comes_through_a_tunnel() {
    let port = secure_server(&["h2", "http/1.1"]).await.port;
    let proxy = Server::start(move |mut visit| async move {
        visit.request().await;
        visit.say("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n").await;
        let mut server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let _ = copy_bidirectional(&mut visit.stream, &mut server).await;
    })
    .await;
    let response = answer(get(&fetcher(through(&proxy)), "https://far.test/x").await);
    assert_eq!((&response.body[..], response.version), (&b"secure /x"[..], "HTTP/2"));
    let head = &proxy.requests()[0];
    assert!(head.starts_with("connect far.test:443 http/1.1\r\n"), "{head}");
    assert!(head.contains("proxy-authorization: basic dxnlcjpwqhnz\r\n"), "{head}");
}

#[tokio::test]
async fn a_proxy_that_does_not_do_its_part_is_named() {
    for (says, expected) in
        [("HTTP/1.1 407 No\r\n\r\n", "login"), ("HTTP/1.1 502 X\r\n\r\n", "502"), ("what?\r\n\r\n", "sense")]
    {
        let proxy = Server::always(says).await;
        let Failure::Proxy(why) = failure(get(&fetcher(through(&proxy)), "https://far.test/").await) else {
            panic!("{says}")
        };
        assert!(why.contains(expected), "{why}");
    }
}

#[tokio::test]
async fn the_guard_stands_before_the_proxy_too() {
    let proxy = Server::always(page("inside")).await;
    let fetcher = fetcher(through(&proxy));
    for address in ["http://127.0.0.1/", "http://10.0.0.1/", "https://[fe80::1]/"] {
        assert!(matches!(failure(get(&fetcher, address).await), Failure::PrivateAddress(_)), "{address}");
    }
    assert_eq!(proxy.connections(), 0);
}
