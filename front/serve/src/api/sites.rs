//! The sites: which there are, where each stands, and a new one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use groma_settings::Overrides;
use groma_settings::saved::Saved;
use groma_store::jobs::{Filter, JobState};
use groma_tasks::task::Crawl;
use serde::{Deserialize, Serialize};

use super::cursor::{self, List, ListQuery};
use super::jobs::Job;
use super::query::check_length;
#[cfg(test)]
use super::shapes::StandingShape;
use crate::app::App;
use crate::door::{Json as Taken, Path, Query};
use crate::error::Problem;
use crate::orders;
use crate::sites::Site;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites", get(sites).post(begin)).route("/sites/{site}", get(site))
}

/// A surveyed site.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct SiteRow {
    /// Its name, as it stands in URLs.
    name: String,
    /// Its start pages.
    start: Vec<String>,
    /// `empty`: nothing has been fetched yet; `running`: a crawl or update is under way; `idle`; `unreadable`: see `fault`.
    #[cfg_attr(test, schema(pattern = "^(empty|running|idle|unreadable)$"))]
    state: &'static str,
    /// Why the survey cannot be read, if it cannot: then nothing else is known of it.
    fault: Option<String>,
    /// Pages fetched and analysed.
    fetched: u64,
    /// URLs that lead nowhere.
    broken: u64,
    /// URLs that wait for their turn.
    in_queue: u64,
    /// When its last run ended.
    updated_at: Option<String>,
    /// Pages in the full-text index; nothing if there is no index.
    searchable: Option<u64>,
}

impl SiteRow {
    fn named(name: &str) -> SiteRow {
        SiteRow {
            name: name.to_owned(),
            start: Vec::new(),
            state: "empty",
            fault: None,
            fetched: 0,
            broken: 0,
            in_queue: 0,
            updated_at: None,
            searchable: None,
        }
    }

    /// In a list: a survey that cannot be read is told as such, and does not hide the others.
    fn listed(site: &Arc<Site>) -> SiteRow {
        SiteRow::read(site).unwrap_or_else(|problem| SiteRow {
            state: "unreadable",
            fault: Some(problem.detail),
            ..SiteRow::named(&site.name)
        })
    }

    fn read(site: &Arc<Site>) -> Result<SiteRow, Problem> {
        let mut row = SiteRow::named(&site.name);
        if !site.exists() {
            return Ok(row);
        }
        let standing = site.standing()?;
        row.start = Saved::load(&mut *site.read()?)?.unwrap_or_default().seeds;
        row.state = if site.folder.is_busy() { "running" } else { "idle" };
        (row.fetched, row.broken, row.in_queue) = (standing.fetched, standing.broken, standing.in_queue);
        row.updated_at = standing.runs.iter().rev().find_map(|run| run.ended.clone());
        row.searchable = site.index()?.map(|index| index.extent().map(|(pages, _)| pages)).transpose()?;
        Ok(row)
    }
}

/// A site, with where it stands.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct SiteWhole {
    /// The site as in the list.
    site: SiteRow,
    /// The balance of all URLs; nothing if nothing has been fetched yet.
    #[cfg_attr(test, schema(value_type = Option<StandingShape>))]
    standing: Option<serde_json::Value>,
    /// Jobs that run, wait or are paused.
    jobs: Vec<Job>,
}

/// The sites, by name.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites", tag = "sites", params(ListQuery),
    responses((status = 200, body = List<SiteRow>))))]
pub(super) async fn sites(
    State(app): State<Arc<App>>,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<SiteRow>>, Problem> {
    let part = cursor::part("sites", part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let all = app.sites.all();
        let from = usize::try_from(part.after).unwrap_or(usize::MAX).min(all.len());
        let rows = all[from..].iter().take(part.most);
        let items: Vec<SiteRow> = rows.map(SiteRow::listed).collect();
        let end = (from + part.most).min(all.len());
        let next = (end < all.len()).then(|| cursor::write("sites", end as u64));
        Ok(Json(List { items, next }))
    })
    .await
}

/// One site: its balance and its jobs.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/sites/{site}", tag = "sites", params(("site" = String, Path)),
    responses((status = 200, body = SiteWhole))))]
pub(super) async fn site(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<Json<SiteWhole>, Problem> {
    app.work(move |app| {
        let site = app.site(&name)?;
        let row = SiteRow::read(&site)?;
        let mut standing = None;
        if site.exists() {
            let mut value = serde_json::to_value(&*site.standing()?).unwrap_or_default();
            // Where it lies on the disk is nobody's business.
            if let Some(object) = value.as_object_mut() {
                ["store", "archive"].iter().for_each(|key| drop(object.remove(*key)));
            }
            // The rest may have been read a while ago.
            value["running"] = (row.state == "running").into();
            standing = Some(value);
        }
        let open = Filter { states: vec![JobState::Running, JobState::Waiting, JobState::Paused], ..Filter::default() };
        let jobs = site.queue()?.jobs(&open, None, 100)?.into_iter().map(Job::from_row).collect();
        Ok(Json(SiteWhole { site: row, standing, jobs }))
    })
    .await
}

/// A site to be surveyed.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewSite {
    /// URL of the start page.
    #[cfg_attr(test, schema(min_length = 1, max_length = 2000))]
    url: String,
    /// Settings: depth, limit, scope, include, exclude, delay, sitemaps, assets, bodies, learn, noise, extra_noise.
    #[serde(default)]
    #[cfg_attr(test, schema(value_type = Object))]
    settings: Overrides,
    /// The higher the sooner.
    #[serde(default)]
    #[cfg_attr(test, schema(minimum = -100, maximum = 100))]
    priority: i32,
}

/// A survey that was asked for.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct BegunSite {
    /// The name of the site.
    name: String,
    /// Its jobs: crawl, check and index, in this order.
    jobs: Vec<u64>,
}

/// Surveys a site: asks for a crawl, a check and the full-text index, one after the other.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/sites", tag = "sites", request_body = NewSite,
    responses((status = 201, body = BegunSite, headers(("Location" = String))))))]
pub(super) async fn begin(State(app): State<Arc<App>>, Taken(new): Taken<NewSite>) -> Result<Response, Problem> {
    check_length("url", Some(&new.url), 2000)?;
    app.work(move |app| {
        let crawl = Crawl { settings: new.settings, ..Crawl::default() };
        let begun = orders::begin(app, &new.url, crawl, new.priority)?;
        if begun.jobs.is_empty() {
            return Err(Problem::conflict(there_already(&begun.site.name), "ask for an update of it instead"));
        }
        let name = begun.site.name.clone();
        let place = HeaderValue::from_str(&format!("/api/v1/sites/{name}"));
        let body = Json(BegunSite { name, jobs: begun.jobs.iter().map(|id| id.0).collect() });
        let mut response = (StatusCode::CREATED, body).into_response();
        if let Ok(place) = place {
            response.headers_mut().insert(header::LOCATION, place);
        }
        Ok(response)
    })
    .await
}

fn there_already(name: &str) -> String {
    format!("{name} has been surveyed, or is about to be")
}
