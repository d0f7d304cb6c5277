//! The room against servers on loopback that are slow, broken, or simply correct.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking, in its helpers too")]

mod doors;
mod exchange;
mod faults;
mod guarded;
mod posting;
mod proxied;
mod secure;
mod server;

use groma_fetch::{FetchConfig, Fetcher, HttpFetcher, OwnHosts, ProxyChoice};
use groma_model::{Failure, Outcome, Request, Response};
use groma_url::Url;

/// 127.0.0.1 is named, no proxy, and impatient.
fn config() -> FetchConfig {
    let mut config = FetchConfig {
        own_hosts: OwnHosts::from_names(["127.0.0.1"]).unwrap(),
        proxy: ProxyChoice::None,
        ..FetchConfig::default()
    };
    config.limits.connect_ms = 2000;
    config.limits.idle_ms = 400;
    config.limits.total_ms = 5000;
    config.limits.retry_ms = 5;
    config
}

fn fetcher(config: FetchConfig) -> HttpFetcher {
    HttpFetcher::new(config).unwrap()
}

fn url(text: impl AsRef<str>) -> Url {
    text.as_ref().parse().unwrap()
}

async fn get(fetcher: &HttpFetcher, address: impl AsRef<str>) -> Outcome {
    fetcher.fetch(Request::get(url(address))).await
}

#[track_caller]
fn answer(outcome: Outcome) -> Response {
    match outcome {
        Outcome::Answer(response) => *response,
        Outcome::Failed(failure) => panic!("no answer: {failure:?}"),
    }
}

#[track_caller]
fn failure(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Answer(response) => panic!("an answer: {response:?}"),
    }
}
