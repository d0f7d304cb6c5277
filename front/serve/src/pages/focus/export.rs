//! `/sites/{site}/focus/{id}/pages.{ending}`: the relevant pages of a focused crawl as a file.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use groma_desk::focus::{Form, export};
use groma_store::focuses::FocusId;

use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::focuses;
use crate::pages::spool::{Sent, Spool};
use crate::sites::Site;

/// Which pages.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    /// With anything in it, all pages and not the relevant ones alone.
    all: String,
}

/// A route for each form.
pub(super) fn routes(pages: Router<Arc<App>>) -> Router<Arc<App>> {
    Form::ALL.into_iter().fold(pages, |pages, form| {
        let handler = move |State(app): State<Arc<App>>,
                            Path((name, id)): Path<(String, u32)>,
                            Query(asked): Query<Asked>| async move {
            save(&app, &name, id, form, !asked.all.is_empty()).await
        };
        pages.route(&format!("/sites/{{site}}/focus/{{id}}/pages.{}", form.ending()), get(handler))
    })
}

async fn save(app: &Arc<App>, name: &str, id: u32, form: Form, all: bool) -> Result<Response, Problem> {
    let site = app.site(name)?;
    Ok(app.work(move |_| write(&site, id, form, all)).await?.into_response())
}

/// The pages in a file that is gone when it has been sent.
pub(crate) fn write(site: &Site, id: u32, form: Form, all: bool) -> Result<Sent, Problem> {
    focuses::one(site, id.into())?;
    let mut spool = Spool::begin()?;
    export(&site.folder, FocusId(id.into()), form, all, &mut spool)?;
    Ok(spool.finish(format!("{}-focus-{id}.{}", site.name, form.ending()), form.media_type())?)
}
