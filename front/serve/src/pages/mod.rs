//! What do people see? One file per page, all in one frame ([`layout`]); each gives its own routes.
//!
//! Pages are made on the server and whole without scripts. Text that was crawled is hostile: templates escape everything, and
//! URLs become links only through [`layout::outward`].

mod bounds;
mod changes;
mod copy;
mod databases;
mod findings;
mod flash;
mod focus;
mod hel;
mod home;
mod jobs;
pub(crate) mod layout;
mod login;
mod map;
mod moved;
mod notices;
mod page;
mod pager;
mod picture;
mod results;
mod rules;
mod schedules;
mod scope;
mod screenshot;
mod search;
mod settings;
mod shown;
mod site;
pub(crate) mod wording;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::response::Response;

use crate::app::App;
use crate::error::Problem;

/// Routes of all pages.
pub(crate) fn router() -> Router<Arc<App>> {
    Router::new()
        .merge(crate::assets::router())
        .merge(home::router())
        .merge(jobs::router())
        .merge(login::router())
        .merge(notices::router())
        .merge(schedules::router())
        .merge(search::router())
        .merge(settings::router())
        .merge(bounds::router())
        .merge(changes::router())
        .merge(focus::router())
        .merge(databases::router())
        .merge(hel::router())
        .merge(copy::router())
        .merge(map::router())
        .merge(moved::router())
        .merge(page::router())
        .merge(findings::router())
        .merge(rules::router())
        .merge(screenshot::router())
        .merge(site::router())
        .layer(axum::middleware::from_fn(layout::forget_flash))
}

/// What went wrong, as a page, where nobody knows yet who asks.
pub(crate) fn problem_page(problem: &Problem) -> Response {
    let stranger = problem.status == axum::http::StatusCode::UNAUTHORIZED;
    layout::problem_page(&layout::Frame { stranger, ..layout::Frame::default() }, problem)
}
