//! Nobody is led into the user's house who was not asked in.

use groma_fetch::{FetchConfig, FetchError, Fetcher, HttpFetcher, Lane, OwnHosts};
use groma_model::Failure;

use crate::server::{Server, page};
use crate::{answer, config, failure, fetcher, get, url};

fn nobody_named() -> FetchConfig {
    FetchConfig { own_hosts: OwnHosts::from_names(["www.example.org"]).unwrap(), ..config() }
}

#[tokio::test]
async fn loopback_is_refused_unless_it_was_named() {
    let server = Server::always(page("inside")).await;
    let stranger = fetcher(nobody_named());
    let at = |host: &str| format!("http://{host}:{}/", server.port);
    let refused = |ip: &str| Failure::PrivateAddress(ip.parse().unwrap());
    assert_eq!(failure(get(&stranger, at("127.0.0.1")).await), refused("127.0.0.1"));
    assert_eq!(failure(get(&stranger, at("127.0.0.2")).await), refused("127.0.0.2"));
    assert_eq!(failure(get(&stranger, at("2130706433")).await), refused("127.0.0.1"));
    assert_eq!(failure(get(&stranger, at("[::1]")).await), refused("::1"));
    assert_eq!(failure(get(&stranger, at("[::ffff:127.0.0.1]")).await), refused("::ffff:127.0.0.1"));
    assert_eq!(failure(get(&stranger, "http://169.254.169.254/latest/meta-data/").await), refused("169.254.169.254"));
    assert!(matches!(failure(get(&stranger, at("localhost")).await), Failure::PrivateAddress(_)));
    assert_eq!(server.connections(), 0);

    let owner = fetcher(config());
    assert_eq!(answer(get(&owner, at("127.0.0.1")).await).body, b"inside");
    assert_eq!(failure(get(&owner, at("127.0.0.2")).await), refused("127.0.0.2"));
    let by_name = fetcher(FetchConfig { own_hosts: OwnHosts::from_names(["LOCALHOST"]).unwrap(), ..config() });
    assert_eq!(answer(get(&by_name, at("localhost")).await).body, b"inside");
}

#[tokio::test]
async fn a_named_port_opens_no_other_port_of_its_host() {
    let (named, other) = (Server::always(page("named")).await, Server::always(page("other")).await);
    let start = url(format!("http://127.0.0.1:{}/", named.port));
    let loopback = Failure::PrivateAddress("127.0.0.1".parse().unwrap());
    let fetcher = fetcher(FetchConfig { own_hosts: OwnHosts::of_urls([&start]), ..config() });
    assert_eq!(answer(get(&fetcher, &start).await).body, b"named");
    for port in [other.port, 22, 80, 443, 5432] {
        for host in ["127.0.0.1", "2130706433", "0x7f.1"] {
            assert_eq!(failure(get(&fetcher, format!("http://{host}:{port}/")).await), loopback, "{host}:{port}");
        }
        for host in ["localhost", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.2", "0.0.0.0"] {
            let refused = failure(get(&fetcher, format!("http://{host}:{port}/")).await);
            assert!(matches!(refused, Failure::PrivateAddress(_)), "{host}:{port} {refused:?}");
        }
    }
    // Another name of the same port is another name: nobody named it.
    let alike = failure(get(&fetcher, format!("http://localhost:{}/", named.port)).await);
    assert!(matches!(alike, Failure::PrivateAddress(_)), "{alike:?}");
    assert_eq!(other.connections(), 0);
    let both =
        OwnHosts::from_names([format!("127.0.0.1:{}", named.port), format!("127.0.0.1:{}", other.port)]).unwrap();
    let fetcher = crate::fetcher(FetchConfig { own_hosts: both, ..config() });
    assert_eq!(answer(get(&fetcher, format!("http://127.0.0.1:{}/", other.port)).await).body, b"other");
}

#[tokio::test]
async fn a_resolve_override_names_its_host() {
    let server = Server::always(page("inside")).await;
    let resolve = vec![format!("shop.test:{}:127.0.0.1", server.port).parse().unwrap()];
    let fetcher = fetcher(FetchConfig { resolve, ..nobody_named() });
    assert_eq!(answer(get(&fetcher, format!("http://Shop.test.:{}/", server.port)).await).body, b"inside");
    assert!(server.requests()[0].contains(&format!("host: shop.test.:{}\r\n", server.port)));
    let lane = fetcher.lane(&url(format!("http://shop.test:{}/", server.port))).await;
    assert_eq!(lane, Lane::Ip("127.0.0.1".parse().unwrap()));
}

#[tokio::test]
async fn the_second_address_is_tried_when_the_first_is_dead() {
    let server = Server::always(page("x")).await;
    let resolve = ["127.0.0.9", "127.0.0.1"].map(|ip| format!("two.test:{}:{ip}", server.port).parse().unwrap());
    let fetcher = fetcher(FetchConfig { resolve: resolve.into(), ..nobody_named() });
    let response = answer(get(&fetcher, format!("http://two.test:{}/", server.port)).await);
    assert_eq!(response.remote, Some("127.0.0.1".parse().unwrap()));
}

#[tokio::test]
async fn a_name_that_resolves_to_nothing_is_a_lane_of_its_own() {
    let fetcher = fetcher(nobody_named());
    assert_eq!(fetcher.lane(&url("http://a..b/")).await, Lane::Host("a..b".into()));
    assert_eq!(failure(get(&fetcher, "http://a..b/").await), Failure::NoSuchHost);
    assert_eq!(fetcher.lane(&url("http://127.0.0.1/")).await, Lane::Host("127.0.0.1".into()));
}

#[tokio::test]
async fn only_the_web_is_fetched() {
    let fetcher = fetcher(config());
    for address in ["ftp://127.0.0.1/", "file:///etc/passwd", "data:,x", "mailto:me@example.org"] {
        assert!(matches!(failure(get(&fetcher, address).await), Failure::Unsupported(_)), "{address}");
    }
}

#[test]
fn what_the_user_got_wrong_comes_with_a_hint() {
    let error = OwnHosts::from_names(["http://x/"]).err().unwrap();
    assert_eq!(error, FetchError::HostName("http://x/".into()));
    assert!(error.hint().contains("bare host"));
    let error = HttpFetcher::new(FetchConfig { user_agent: "a\nb".into(), ..config() }).err().unwrap();
    assert!(matches!(error, FetchError::UserAgent(_)));
}
