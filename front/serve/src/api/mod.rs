//! The API: `/api/v1`, JSON, described by `/api/v1/openapi.json`. One file per thing that can be asked about.

mod bounds;
mod changes;
mod cursor;
mod databases;
mod decisions;
mod description;
pub(crate) mod exclusions;
mod findings;
mod focus;
mod forms;
#[cfg(test)]
mod handlers;
mod hel;
mod jobs;
mod map;
mod me;
mod notices;
mod page;
mod pages;
mod query;
mod rank;
mod results;
mod rules;
mod schedules;
mod search;
#[cfg(test)]
mod shapes;
mod sites;
mod state;
mod tokens;

use std::sync::Arc;

use axum::Router;

use crate::app::App;

pub(crate) use jobs::Job;
pub(crate) use search::find;

/// All routes of the API.
pub(crate) fn router() -> Router<Arc<App>> {
    let v1 = Router::new()
        .merge(bounds::router())
        .merge(changes::router())
        .merge(databases::router())
        .merge(decisions::router())
        .merge(description::router())
        .merge(exclusions::router())
        .merge(findings::router())
        .merge(focus::router())
        .merge(forms::router())
        .merge(hel::router())
        .merge(jobs::router())
        .merge(map::router())
        .merge(me::router())
        .merge(notices::router())
        .merge(page::router())
        .merge(pages::router())
        .merge(rank::router())
        .merge(rules::router())
        .merge(schedules::router())
        .merge(search::router())
        .merge(sites::router())
        .merge(tokens::router())
        .merge(crate::live::router());
    Router::new().nest("/api/v1", v1).merge(state::router())
}
