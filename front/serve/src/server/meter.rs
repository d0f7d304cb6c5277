//! What a worker without a web interface tells those who watch over machines: `/metrics` and `/healthz`, and nothing else.

use std::future::ready;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Request, Response, StatusCode};
use groma_tasks::worker::{Reading, reading};
use hyper::body::Incoming;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::plain::accept;
use crate::error::ServeError;

/// Connections at a time: a few watch.
const CONNECTIONS: usize = 64;
const PLAIN: &str = "text/plain; charset=utf-8";

/// Serves the meter of this process in a thread of its own, until the flag is set. Gives the URL.
pub fn serve_meter(listen: SocketAddr, stop: Arc<AtomicBool>) -> Result<SocketAddr, ServeError> {
    let refuse = |error: std::io::Error| ServeError::Listen { at: listen, source: error };
    let listener = TcpListener::bind(listen).map_err(refuse)?;
    listener.set_nonblocking(true).map_err(refuse)?;
    let address = listener.local_addr().map_err(refuse)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let answer = |request: Request<Incoming>| ready(Ok(respond(request.uri().path())));
    // An error here is that of the listener: nobody is told anything any more.
    let serve = move || drop(runtime.block_on(accept(listener, &stop, CONNECTIONS, answer)));
    std::thread::Builder::new().name("meter".into()).spawn(serve).map_err(ServeError::Start)?;
    Ok(address)
}

fn respond(path: &str) -> Response<Body> {
    let (status, kind, body) = match path {
        "/metrics" => (StatusCode::OK, "application/openmetrics-text; version=1.0.0; charset=utf-8", text(&reading())),
        "/healthz" => (StatusCode::OK, PLAIN, "ok\n".to_owned()),
        _ => (StatusCode::NOT_FOUND, PLAIN, "not found\n".to_owned()),
    };
    let mut answer = Response::new(Body::from(body));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

fn text(reading: &Reading) -> String {
    let mut registry = Registry::with_prefix("groma_worker");
    let mut gauge = |name: &str, help: &str, value: u64| {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        registry.register(name, help, gauge);
    };
    gauge("jobs_running", "Jobs under way", reading.jobs_running);
    gauge("hands", "Crawls led by other processes that this one helps with", reading.hands);
    let mut counter = |name: &str, help: &str, value: u64| {
        let counter = Counter::<u64, AtomicU64>::default();
        counter.inc_by(value);
        registry.register(name, help, counter);
    };
    counter("jobs_ended", "Jobs that came to an end", reading.jobs_ended);
    counter("jobs_failed", "Jobs that failed", reading.jobs_failed);
    counter("fetches", "Pages asked for", reading.fetches);
    counter("bytes", "Bytes received", reading.bytes);
    let mut text = String::new();
    // Writing into memory does not fail.
    let _ = encode(&mut text, &registry);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meter_is_told_in_the_words_of_prometheus() {
        let told = text(&Reading { fetches: 7, hands: 2, ..Reading::default() });
        for line in ["groma_worker_fetches_total 7", "groma_worker_hands 2", "groma_worker_jobs_running 0", "# EOF"] {
            assert!(told.lines().any(|said| said == line), "{line}: {told}");
        }
    }

    #[test]
    fn who_never_asks_keeps_nobody_from_asking() {
        use std::io::{Read as _, Write as _};
        use std::net::TcpStream;
        use std::time::Duration;

        let stop = Arc::new(AtomicBool::new(false));
        let address = serve_meter("127.0.0.1:0".parse().expect("an address"), Arc::clone(&stop)).expect("listens");
        let connect = || TcpStream::connect(address).expect("connects");
        let _idle: Vec<TcpStream> = (0..4 * CONNECTIONS).map(|_| connect()).collect();
        for (path, wanted) in [("/healthz", "200"), ("/metrics", "200"), ("/else", "404")] {
            let mut asking = connect();
            asking.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
            write!(asking, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("asks");
            let mut said = String::new();
            asking.read_to_string(&mut said).expect("an answer");
            assert!(said.starts_with(&format!("HTTP/1.1 {wanted}")), "{path}: {said}");
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}
