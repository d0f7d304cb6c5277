//! What would be left out of a crawl that runs, and leaving it out.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::shown;
use crate::app::App;
use crate::door::{Form, Path, Query};
use crate::error::Problem;
use crate::exclusions;
use crate::pages::layout::{Frame, done, short, show};
use crate::pages::wording::grouped;
use crate::sites::Site;

/// The pattern as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    pub(super) exclude: String,
}

/// What a pattern would drop.
#[derive(Default)]
pub(super) struct Preview {
    pub(super) pattern: String,
    pub(super) dropped: Option<String>,
    pub(super) queued: String,
    pub(super) examples: Vec<String>,
    pub(super) problem: Option<Problem>,
}

#[derive(Template)]
#[template(path = "part/preview.html")]
struct PreviewPart<'a> {
    preview: &'a Preview,
}

impl Preview {
    /// Looks through the queue; nothing for no pattern.
    pub(super) fn read(site: &Site, asked: &Asked) -> Preview {
        let pattern = asked.exclude.trim();
        let mut preview = Preview { pattern: pattern.to_owned(), ..Preview::default() };
        if pattern.is_empty() || !site.exists() {
            return preview;
        }
        match exclusions::preview(site, &[pattern.to_owned()]) {
            Ok(found) => {
                preview.dropped = Some(grouped(found.dropped));
                preview.queued = grouped(found.queued);
                preview.examples = found.samples.iter().map(|address| short(address, 160)).collect();
            }
            Err(problem) => preview.problem = Some(problem),
        }
        preview
    }
}

/// The preview alone, while somebody types.
pub(super) async fn preview_part(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let preview = app.work(move |_| Ok(Preview::read(&site, &asked))).await?;
    Ok(show(&PreviewPart { preview: &preview }))
}

/// Leaves it out: the crawl pauses, its order is amended, and it goes on.
pub(super) async fn apply(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Form(asked): Form<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    match exclusions::apply(&app, &site, vec![asked.exclude.trim().to_owned()]).await {
        Ok(dropped) => Ok(done(&format!("/sites/{}/", site.name), "excluded", dropped)),
        Err(problem) => shown(&app, frame, &site, asked, Some(&problem)).await,
    }
}
