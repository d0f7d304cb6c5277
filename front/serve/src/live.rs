//! What happens at this moment, as server-sent events: the jobs of a site about once a second, for pages and programs alike.
//!
//! They are read from the rows of the queue, so that jobs done by other processes show too. Streams are few, end by themselves
//! after a while (browsers connect again), and one that nobody reads is cut with its connection.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::mpsc;

use groma_store::jobs::{Filter, JobState};

use crate::api::Job;
use crate::app::App;
use crate::door::Path;
use crate::error::Problem;

/// Time between two events.
const STEP: Duration = Duration::from_secs(1);
/// A stream ends after so many steps.
const STEPS: u32 = 15 * 60;
/// Something is sent at least this often.
const HEARTBEAT: Duration = Duration::from_secs(15);

pub(crate) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/events", get(events))
}

/// What an event of kind `jobs` says.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Moment {
    /// When, in seconds since 1970.
    at: i64,
    /// Jobs that run, wait or are paused, and those that ended last.
    jobs: Vec<Job>,
}

/// The events of one stream, as they come.
struct Events(mpsc::Receiver<Event>);

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// The jobs of a site as server-sent events of kind `jobs`, sent when they change; comments in between keep the line open.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}/events", tag = "jobs", params(("site" = String, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String))))]
pub(crate) async fn events(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let slot = Arc::clone(&app.streams).try_acquire_owned().map_err(|_| Problem::busy())?;
    let (send, receive) = mpsc::channel(4);
    tokio::spawn(async move {
        let _slot = slot;
        let mut last = String::new();
        for _ in 0..STEPS {
            let site = Arc::clone(&site);
            let read = app.work(move |_| moment(&site)).await;
            // A busy moment passes; the next one is a second away.
            if let Ok(moment) = read
                && let Ok(jobs) = serde_json::to_string(&moment.jobs)
                && jobs != last
            {
                let Ok(event) = Event::default().event("jobs").json_data(&moment) else { break };
                last = jobs;
                if send.send(event).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(STEP) => {}
                () = send.closed() => return,
                () = app.stopping() => return,
            }
        }
    });
    let stream = Sse::new(Events(receive)).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("still here"));
    Ok(stream.into_response())
}

fn moment(site: &crate::sites::Site) -> Result<Moment, Problem> {
    let mut queue = site.queue()?;
    let open = Filter { states: vec![JobState::Running, JobState::Waiting, JobState::Paused], ..Filter::default() };
    let mut rows = queue.jobs(&open, None, 50)?;
    rows.extend(queue.jobs(&Filter::default(), None, 10)?.into_iter().filter(|row| row.state.is_over()));
    Ok(Moment { at: crate::app::now(), jobs: rows.into_iter().map(Job::from_row).collect() })
}
