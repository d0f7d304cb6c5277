//! What is counted, for Prometheus (`/metrics`): requests, searches, jobs, pages.

use std::time::Duration;

use axum::http::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use groma_store::jobs::{Filter, JobState};

use crate::app::App;
use crate::error::Problem;

/// A route and how it was answered.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfSite {
    site: String,
    state: &'static str,
}

/// Jobs of a site looked at; those beyond are the oldest.
const JOBS: usize = 10_000;

/// The counts of this process.
#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    requests: Family<Answered, Counter>,
    seconds: Family<Route, Histogram, fn() -> Histogram>,
    /// Questions to the index.
    pub(crate) searches: Counter,
    /// Of these, answered from memory.
    pub(crate) remembered: Counter,
    /// Logins refused.
    pub(crate) refused: Counter,
    /// Connections cut or turned away because others needed the room.
    pub(crate) crowded: Counter,
}

/// From half a millisecond to a little above ten seconds.
fn buckets() -> Histogram {
    Histogram::new(exponential_buckets(0.0005, 2.5, 11))
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics {
            requests: Family::default(),
            seconds: Family::new_with_constructor(buckets),
            searches: Counter::default(),
            remembered: Counter::default(),
            refused: Counter::default(),
            crowded: Counter::default(),
        }
    }
}

impl Metrics {
    /// Counts an answer. Routes are patterns, never URLs as they were asked for: their number is bounded.
    pub(crate) fn count(&self, route: &str, method: &Method, status: u16, took: Duration) {
        let method = match *method {
            Method::GET => "GET",
            Method::HEAD => "HEAD",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::PATCH => "PATCH",
            Method::DELETE => "DELETE",
            _ => "OTHER",
        };
        self.requests.get_or_create(&Answered { route: route.to_owned(), method, status }).inc();
        self.seconds.get_or_create(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
    }
}

/// The counts as Prometheus reads them, with those that are looked up at this moment.
pub(crate) fn text(app: &App) -> Result<String, Problem> {
    let counts = &app.metrics;
    let (addresses, jobs): (Family<OfSite, Gauge>, Family<OfSite, Gauge>) = Default::default();
    for site in app.sites.all() {
        let set = |family: &Family<OfSite, Gauge>, state: &'static str, number: u64| {
            let number = i64::try_from(number).unwrap_or(i64::MAX);
            family.get_or_create(&OfSite { site: site.name.clone(), state }).set(number);
        };
        if let Ok(standing) = site.standing() {
            set(&addresses, "fetched", standing.fetched);
            set(&addresses, "skipped", standing.skipped);
            set(&addresses, "excluded", standing.excluded);
            set(&addresses, "broken", standing.broken);
            set(&addresses, "queued", standing.queued);
            set(&addresses, "queued", standing.queued);
        }
        let rows = site.queue().and_then(|mut queue| queue.jobs(&Filter::default(), None, JOBS));
        for state in JobState::ALL {
            let number = rows.iter().flatten().filter(|job| job.state == *state).count();
            set(&jobs, state.name(), number as u64);
        }
    }
    let mut registry = Registry::with_prefix("groma");
    registry.register("http_requests", "Requests by route and status", counts.requests.clone());
    registry.register("http_request_seconds", "How long answers took", counts.seconds.clone());
    registry.register("searches", "Questions to the index", counts.searches.clone());
    registry.register("searches_remembered", "Questions answered from memory", counts.remembered.clone());
    registry.register("logins_refused", "Logins refused", counts.refused.clone());
    registry.register("connections_crowded", "Connections cut because others needed the room", counts.crowded.clone());
    registry.register("addresses", "URLs of each survey by state; queued ones are in one of the others too", addresses);
    registry.register("jobs", "Jobs by state", jobs);
    let mut text = String::new();
    encode(&mut text, &registry).map_err(|_| Problem::ours(crate::words::FELL, crate::words::FELL_HINT))?;
    Ok(text)
}
