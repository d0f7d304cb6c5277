//! `/sites/{site}/bounds`: where does the logical site end? What was found, and what people decide about it.

mod act;
mod family;
mod found;
mod graph;
mod layout;
mod list;
mod naming;
mod places;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::results::list_routes;
use crate::app::App;
use crate::results::bounds::BoundsResults;

pub(super) fn router() -> Router<Arc<App>> {
    list_routes::<BoundsResults>()
        .route("/sites/{site}/bounds/decide", post(act::decide))
        .route("/sites/{site}/bounds/price", post(act::price))
        .route("/sites/{site}/bounds/undo", post(act::undo))
        .route("/sites/{site}/bounds.surt", get(act::surt))
}
