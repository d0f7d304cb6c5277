//! `/sites/{site}/databases/{id}/records.{form}`: what a gathering found, as a file.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use groma_desk::gather::{Form, export};
use groma_store::gathers::GatherId;

use crate::app::App;
use crate::door::Path;
use crate::error::Problem;
use crate::gatherings;
use crate::pages::spool::{Sent, Spool};
use crate::sites::Site;

/// A route for each form.
pub(super) fn routes(pages: Router<Arc<App>>) -> Router<Arc<App>> {
    Form::ALL.into_iter().fold(pages, |pages, form| {
        let handler = move |State(app): State<Arc<App>>, Path((name, id)): Path<(String, u32)>| async move {
            save(&app, &name, id, form).await
        };
        pages.route(&format!("/sites/{{site}}/databases/{{id}}/records.{}", form.name()), get(handler))
    })
}

async fn save(app: &Arc<App>, name: &str, id: u32, form: Form) -> Result<Response, Problem> {
    let site = app.site(name)?;
    Ok(app.work(move |_| write(&site, id, form)).await?.into_response())
}

/// What was found in a file that is gone when it has been sent.
pub(crate) fn write(site: &Site, id: u32, form: Form) -> Result<Sent, Problem> {
    gatherings::one(site, id.into())?;
    let mut spool = Spool::begin()?;
    export(&site.folder, GatherId(id.into()), form, &mut spool)?;
    Ok(spool.finish(format!("{}-database-{id}.{}", site.name, form.name()), form.media_type())?)
}
