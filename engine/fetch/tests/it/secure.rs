//! TLS, and HTTP/2 where the server offers it.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use groma_fetch::{Exchange, FetchConfig, Fetcher, HttpFetcher, Recorder, Trouble};
use groma_model::{Failure, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use crate::server::Server;
use crate::{answer, config, failure, fetcher, get, url};

/// A secure server on loopback.
pub(crate) struct Secure {
    pub(crate) port: u16,
    pem: String,
    connections: Arc<AtomicUsize>,
}

/// Answers "secure PATH"; `/echo` says what it was asked; `/many` has 1,001 header fields, `/large` 300 KB of them; `/slow` takes a moment.
pub(crate) async fn secure_server(protocols: &[&str]) -> Secure {
    short_lived(protocols, Duration::from_secs(60)).await
}

/// The same, but every connection is dropped after a while.
async fn short_lived(protocols: &[&str], life: Duration) -> Secure {
    let (acceptor, pem) = acceptor(protocols);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = connections.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, counted) = (acceptor.clone(), counted.clone());
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                counted.fetch_add(1, Ordering::SeqCst);
                let two = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                let io = TokioIo::new(stream);
                if two {
                    let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                    let _ = timeout(life, server.serve_connection(io, service_fn(serve))).await;
                } else {
                    let server = hyper::server::conn::http1::Builder::new();
                    let _ = timeout(life, server.serve_connection(io, service_fn(serve))).await;
                }
            });
        }
    });
    Secure { port, pem, connections }
}

/// Makes connections secure with a certificate of its own, which is given too.
fn acceptor(protocols: &[&str]) -> (TlsAcceptor, String) {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".into(), "far.test".into()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let mut tls = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    tls.alpn_protocols = protocols.iter().map(|p| p.as_bytes().to_vec()).collect();
    (TlsAcceptor::from(Arc::new(tls)), made.cert.pem())
}

async fn serve(request: http::Request<Incoming>) -> Result<http::Response<Full<Bytes>>, hyper::Error> {
    let path = request.uri().path().to_owned();
    if path == "/echo" {
        let field = |name: &str| request.headers()[name].to_str().unwrap().to_owned();
        let head = format!("{} {} {} ", request.method(), field("content-type"), field("x-own"));
        let body = request.into_body().collect().await?.to_bytes();
        return Ok(http::Response::new(Full::from([head.as_bytes(), &body[..]].concat())));
    }
    if path == "/slow" {
        sleep(Duration::from_millis(50)).await;
    }
    let mut response = http::Response::new(Full::from(format!("secure {path}")));
    if path == "/many" {
        for n in 0..1001 {
            response.headers_mut().insert(http::HeaderName::try_from(format!("x{n}")).unwrap(), n.into());
        }
    }
    if path == "/large" {
        let value = http::HeaderValue::try_from("v".repeat(30_000)).unwrap();
        for _ in 0..10 {
            response.headers_mut().append("x", value.clone());
        }
    }
    Ok(response)
}

impl Secure {
    pub(crate) fn at(&self, path: &str) -> String {
        format!("https://127.0.0.1:{}{path}", self.port)
    }
}

fn trusting() -> FetchConfig {
    FetchConfig { insecure: true, ..config() }
}

#[tokio::test]
async fn http_2_is_spoken_where_it_is_offered() {
    for (offered, version) in
        [(&["h2", "http/1.1"][..], "HTTP/2"), (&["http/1.1"][..], "HTTP/1.1"), (&[][..], "HTTP/1.1")]
    {
        let server = secure_server(offered).await;
        let fetcher = fetcher(trusting());
        for _ in 0..3 {
            let response = answer(get(&fetcher, server.at("/x")).await);
            assert_eq!((&response.body[..], response.version), (&b"secure /x"[..], version));
            assert_eq!(response.remote, Some("127.0.0.1".parse().unwrap()));
        }
        assert_eq!(server.connections.load(Ordering::SeqCst), 1, "{version}");
    }
}

/// Keeps of every exchange its heads, and who says that a field is secret.
#[derive(Default)]
struct Listener(Mutex<Vec<(String, String, bool)>>);

impl Recorder for Listener {
    fn record(&self, exchange: &Exchange) {
        let text = |head: &[u8]| String::from_utf8(head.to_vec()).unwrap();
        let heard = (text(&exchange.sent), text(&exchange.head), exchange.is_secret(b"X-Own"));
        self.0.lock().unwrap().push(heard);
    }

    fn settle(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

#[tokio::test]
async fn what_http_2_says_without_words_is_recorded_as_http_1_1_would_say_it() {
    for (offered, version) in [("h2", "HTTP/2"), ("http/1.1", "HTTP/1.1")] {
        let server = secure_server(&[offered]).await;
        let listener = Arc::new(Listener::default());
        let own = FetchConfig { headers: vec![("x-own".into(), "s3cret".into())], ..trusting() };
        let fetcher = HttpFetcher::new(own).unwrap().recorded_by(listener.clone());
        assert_eq!(answer(get(&fetcher, server.at("/a?b=c")).await).version, version);
        let heard = listener.0.lock().unwrap().clone();
        let [(sent, head, secret)] = heard.as_slice() else { panic!("{heard:?}") };
        assert!(sent.starts_with("GET /a?b=c HTTP/1.1\r\n") && sent.ends_with("\r\n\r\n"), "{sent:?}");
        assert_eq!(sent.matches(&format!("host: 127.0.0.1:{}\r\n", server.port)).count(), 1, "{sent:?}");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head:?}");
        assert!(head.contains("content-length: 9\r\n"), "{head:?}");
        assert!(*secret, "a field of the user's own");
    }
}

#[tokio::test]
async fn fetches_at_once_share_one_http_2_connection_from_the_first_on() {
    let server = secure_server(&["h2"]).await;
    let fetcher = Arc::new(fetcher(trusting()));
    let tasks: Vec<_> = (0..12)
        .map(|_| {
            let (fetcher, address) = (fetcher.clone(), url(server.at("/slow")));
            tokio::spawn(async move { fetcher.fetch(Request::get(address)).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(answer(task.await.unwrap()).body, b"secure /slow");
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_connection_that_ended_is_replaced() {
    for offered in ["h2", "http/1.1"] {
        let server = short_lived(&[offered], Duration::from_millis(60)).await;
        let fetcher = fetcher(trusting());
        for n in 1..=3 {
            assert_eq!(answer(get(&fetcher, server.at("/x")).await).body, b"secure /x");
            assert_eq!(server.connections.load(Ordering::SeqCst), n);
            sleep(Duration::from_millis(150)).await;
        }
    }
}

#[tokio::test]
async fn headers_are_counted_and_measured_in_http_2_too() {
    let server = secure_server(&["h2"]).await;
    let fetcher = fetcher(trusting());
    let many = failure(get(&fetcher, server.at("/many")).await);
    assert_eq!(many, Failure::BadAnswer("more than 1000 headers".into()));
    let large = failure(get(&fetcher, server.at("/large")).await);
    assert!(matches!(large, Failure::BadAnswer(_)), "{large:?}");
    assert_eq!(answer(get(&fetcher, server.at("/x")).await).body, b"secure /x");
}

#[tokio::test]
async fn a_certificate_from_nobody_we_know_is_refused() {
    let server = secure_server(&["h2"]).await;
    let failure = failure(get(&fetcher(config()), server.at("/")).await);
    assert!(matches!(&failure, Failure::Tls(why) if why.contains("certificate")), "{failure:?}");
}

#[tokio::test]
async fn a_plain_server_has_no_secure_pages() {
    let server = Server::start(|mut visit| async move {
        visit.say("HTTP/1.1 400 Bad Request\r\n\r\n").await;
        visit.request().await;
    })
    .await;
    let failure = failure(get(&fetcher(trusting()), format!("https://127.0.0.1:{}/", server.port)).await);
    assert!(matches!(failure, Failure::Tls(_)), "{failure:?}");
}

#[tokio::test]
async fn a_server_that_never_shakes_hands_runs_out_of_time() {
    let server = Server::start(|mut visit| async move { drop(visit.request().await) }).await;
    let mut config = trusting();
    config.limits.connect_ms = 200;
    let failure = failure(get(&fetcher(config), format!("https://127.0.0.1:{}/", server.port)).await);
    assert_eq!(failure, Failure::TimeOut("connect"));
}

/// The environment of a process cannot be changed safely once it has threads, so a second one looks.
#[tokio::test]
async fn a_root_named_by_ssl_cert_file_is_trusted() {
    const PORT: &str = "GROMA_TEST_SECURE_PORT";
    if let Ok(port) = std::env::var(PORT) {
        let response = answer(get(&fetcher(config()), format!("https://127.0.0.1:{port}/trusted")).await);
        assert_eq!(response.body, b"secure /trusted");
        return;
    }
    let server = secure_server(&["h2"]).await;
    let file = std::env::temp_dir().join(format!("groma-root-{}.pem", std::process::id()));
    std::fs::write(&file, &server.pem).unwrap();
    let name = "secure::a_root_named_by_ssl_cert_file_is_trusted";
    let mut second = Command::new(std::env::current_exe().unwrap());
    second.args([name, "--exact"]).env(PORT, server.port.to_string()).env("SSL_CERT_FILE", &file);
    let output = tokio::task::spawn_blocking(move || second.output().unwrap()).await.unwrap();
    std::fs::remove_file(&file).unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[tokio::test]
async fn interim_answers_without_end_are_given_up_in_http_2_too() {
    let (acceptor, _) = acceptor(&["h2"]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let stream = acceptor.accept(listener.accept().await.unwrap().0).await.unwrap();
        let mut connection = h2::server::handshake(stream).await.unwrap();
        let (_, mut respond) = connection.accept().await.unwrap().unwrap();
        tokio::spawn(async move { while connection.accept().await.is_some() {} });
        // Never the same for whoever compresses.
        let mut value = http::HeaderValue::try_from("v".repeat(8000)).unwrap();
        value.set_sensitive(true);
        for n in 0..100_000 {
            let hint = http::Response::builder().status(103).header("x", value.clone()).body(()).unwrap();
            if respond.send_informational(hint).is_err() {
                break;
            }
            if n % 4 == 0 {
                sleep(Duration::from_millis(1)).await;
            }
        }
    });
    let mut config = trusting();
    (config.limits.idle_ms, config.limits.total_ms) = (60_000, 60_000);
    let fetcher = fetcher(config);
    let refused = failure(get(&fetcher, format!("https://127.0.0.1:{port}/")).await);
    let Failure::BadAnswer(why) = refused else { panic!("{refused:?}") };
    assert!(why.contains("interim answers"), "{why}");
    assert_eq!(fetcher.limits_hit(), [("interim_answers", 1)]);
}
