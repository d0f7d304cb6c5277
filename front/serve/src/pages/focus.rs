//! `/sites/{site}/focus`: where does a topic lead? Focused crawls side by side, one with its harvest, and why it went to a page.

mod compare;
mod list;
mod naming;
mod one;
mod why;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use super::results::{list_routes, one_routes};
use crate::app::App;
use crate::results::focus::FocusedCrawls;

pub(super) fn router() -> Router<Arc<App>> {
    list_routes::<FocusedCrawls>()
        .merge(one_routes::<FocusedCrawls>())
        .route("/sites/{site}/focus/{id}/page", get(why::page))
}
