//! Where does a site stand? The overview of its survey, and the crawl while it runs.

mod exclude;
mod live;
mod overview;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};

use super::layout::{Frame, Tab, show, show_as};
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use crate::sites::Site;
use exclude::{Asked, Preview};
use live::Live;
use overview::{Overview, Writer};

/// `/sites/{site}/` and what lives on it.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sites/{site}", get(to_site))
        .route("/sites/{site}/", get(site))
        .route("/sites/{site}/live", get(live_part))
        .route("/sites/{site}/exclusions", get(exclude::preview_part))
        .route("/sites/{site}/exclude", post(exclude::apply))
}

#[derive(Template)]
#[template(path = "site.html")]
struct SitePage<'a> {
    frame: &'a Frame,
    site: &'a str,
    overview: &'a Option<Overview>,
    live: &'a Option<Live>,
    preview: &'a Preview,
    problem: Option<&'a Problem>,
}

#[derive(Template)]
#[template(path = "part/live.html")]
struct LivePart<'a> {
    frame: &'a Frame,
    site: &'a str,
    live: &'a Live,
}

async fn to_site(Path(name): Path<String>, State(app): State<Arc<App>>) -> Result<Redirect, Problem> {
    Ok(Redirect::permanent(&format!("/sites/{}/", app.site(&name)?.name)))
}

async fn site(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    shown(&app, frame, &site, asked, None).await
}

/// The overview; with a pattern, what it would drop; after a mistake, what is wrong.
async fn shown(
    app: &Arc<App>,
    frame: Frame,
    site: &Arc<Site>,
    asked: Asked,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let mut frame = frame.on(site, Tab::Overview);
    let of = Arc::clone(site);
    let (overview, live, preview) = app
        .work(move |_| {
            let live = Live::read(&of)?;
            let overview = if of.exists() { Some(Overview::read(&of)?) } else { None };
            Ok((overview, live, Preview::read(&of, &asked)))
        })
        .await?;
    frame.refresh = live.as_ref().map(|_| 5);
    let page =
        SitePage { frame: &frame, site: &site.name, overview: &overview, live: &live, preview: &preview, problem };
    Ok(show_as(problem.map_or(StatusCode::OK, |problem| problem.status), &page))
}

/// The crawl alone, for a page that stays open; when it is over, the whole page is to be loaded anew.
async fn live_part(State(app): State<Arc<App>>, frame: Frame, Path(name): Path<String>) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let of = Arc::clone(&site);
    match app.work(move |_| Live::read(&of)).await? {
        Some(live) => Ok(show(&LivePart { frame: &frame, site: &site.name, live: &live })),
        None => Ok(StatusCode::RESET_CONTENT.into_response()),
    }
}
