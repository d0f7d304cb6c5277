//! `/sites/{site}/databases`: what stands behind the forms? Gatherings, one with its statement, and how it is asked and read.

mod describe;
mod found;
mod list;
mod naming;
mod one;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

pub(super) use self::naming::{DatabaseMention, marks, mentions};
use super::results::{list_routes, one_routes};
use crate::app::App;
use crate::results::databases::Databases;

pub(super) fn router() -> Router<Arc<App>> {
    list_routes::<Databases>()
        .merge(one_routes::<Databases>())
        .route("/sites/{site}/databases/{id}/describe", get(describe::page).post(describe::gather))
        .route("/sites/{site}/databases/{id}/vary", post(one::vary))
        .route("/sites/{site}/databases/{id}/try", post(describe::try_out))
        .route("/sites/{site}/databases/{id}/preview", post(describe::preview))
}
