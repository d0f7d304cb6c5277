//! Who am I, to the server?

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};

use crate::app::App;
use crate::door::{Me, Visitor};

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/me", get(me))
}

/// Who is asking, and what they may do.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/me", tag = "access", responses((status = 200, body = Me))))]
pub(super) async fn me(visitor: Visitor) -> Json<Me> {
    Json(Me::from(&visitor))
}
