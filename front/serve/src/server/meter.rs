//! What a worker without a web interface tells those who watch over machines: `/metrics` and `/healthz`, and nothing else.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use groma_desk::worker::{Reading, reading};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::error::ServeError;

/// Serves the meter of this process in a thread of its own, until the flag is set. Gives the address.
pub fn serve_meter(listen: SocketAddr, stop: Arc<AtomicBool>) -> Result<SocketAddr, ServeError> {
    let refuse = |error: std::io::Error| ServeError::Listen { at: listen, source: error };
    let listener = TcpListener::bind(listen).map_err(refuse)?;
    listener.set_nonblocking(true).map_err(refuse)?;
    let address = listener.local_addr().map_err(refuse)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let serve = move || {
        runtime.block_on(async move {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            let plain = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            let router = Router::new()
                .route("/metrics", get(move || async move { ([(CONTENT_TYPE, plain)], text(&reading())) }))
                .route("/healthz", get(|| async { "ok\n" }));
            let end = async move {
                while !stop.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            };
            let _ = axum::serve(listener, router).with_graceful_shutdown(end).await;
        });
    };
    std::thread::Builder::new().name("meter".into()).spawn(serve).map_err(ServeError::Start)?;
    Ok(address)
}

fn text(reading: &Reading) -> String {
    let mut registry = Registry::with_prefix("groma_worker");
    let mut gauge = |name: &str, help: &str, value: u64| {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        registry.register(name, help, gauge);
    };
    gauge("jobs_running", "Jobs under way", reading.jobs_running);
    gauge("hands", "Crawls of others that a hand is lent with", reading.hands);
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
}
