//! Which pages and records speak of this? The search page: for all sites, for one, and small enough for a frame on another site.

mod narrow;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use groma_model::moment::day;
use groma_search::{Answer, Hit, Piece};
use groma_tasks::search::{answers, search_note};
use serde::Deserialize;

use super::layout::{Frame, Tab, outward, query, short, show};
use super::scope::SiteScope;
use super::shown::about;
use crate::app::App;
use crate::door::{Path, Query};
use crate::error::Problem;
use narrow::{Group, groups};

/// Hits on a page.
const MOST: usize = 10;
/// The last page that can be asked for.
const PAGES: usize = 100;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/search", get(everywhere)).route("/sites/{site}/search", get(of_site))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    q: String,
    site: String,
    page: usize,
    embed: String,
    /// `site`: only the logical site that was found last in the survey.
    scope: String,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage<'a> {
    frame: &'a Frame,
    found: &'a SearchAnswer,
}

#[derive(Template)]
#[template(path = "search_embed.html")]
struct EmbeddedPage<'a> {
    found: &'a SearchAnswer,
}

/// Question and answer, as pages show them.
struct SearchAnswer {
    q: String,
    /// The question, fit for a heading.
    says: String,
    /// The only site that was searched.
    site: String,
    action: String,
    suggest: String,
    asked: bool,
    total: u64,
    part: AnswerPart,
    hits: Vec<HitRow>,
    groups: Vec<Group>,
    better: Option<(String, String)>,
    notes: Vec<String>,
    /// There is no index to ask.
    no_index: bool,
    /// The survey has changed since the index was brought up to date. Visitors cannot do anything about it, and are not told.
    behind: bool,
    scope: SiteScope,
}

/// Which of all hits are shown, and the way to the others.
#[derive(Default)]
struct AnswerPart {
    says: String,
    earlier: Option<String>,
    later: Option<String>,
}

struct HitRow {
    out: Option<String>,
    about: String,
    title: Vec<Piece>,
    snippet: Vec<Piece>,
    address: String,
    facts: String,
    /// Of a record: what its database is called, the form, and what is known of the form's page. Empty for pages.
    database: String,
    form: Option<String>,
}

async fn everywhere(
    State(app): State<Arc<App>>,
    mut frame: Frame,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    frame.may_search = false;
    let found = find(&app, &asked, "/search", &frame).await?;
    if asked.embed == "1" {
        Ok(show(&EmbeddedPage { found: &found }))
    } else {
        Ok(show(&SearchPage { frame: &frame, found: &found }))
    }
}

async fn of_site(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&name)?;
    let mut frame = frame.on(&site, Tab::Search);
    frame.may_search = false;
    let asked = Asked { site: name, embed: String::new(), ..asked };
    let found = find(&app, &asked, &format!("/sites/{}/search", site.name), &frame).await?;
    Ok(show(&SearchPage { frame: &frame, found: &found }))
}

async fn find(app: &Arc<App>, asked: &Asked, action: &str, frame: &Frame) -> Result<SearchAnswer, Problem> {
    let page = asked.page.clamp(1, PAGES);
    let first = (page - 1) * MOST;
    let own = action != "/search";
    let mut found = SearchAnswer {
        q: asked.q.clone(),
        says: short(&asked.q, 120),
        site: asked.site.clone(),
        action: action.to_owned(),
        suggest: format!("/api/v1/suggest{}", query(&[("site", &asked.site)])),
        asked: !asked.q.trim().is_empty(),
        total: 0,
        part: AnswerPart::default(),
        hits: Vec::new(),
        groups: Vec::new(),
        better: None,
        notes: Vec::new(),
        no_index: false,
        behind: false,
        scope: SiteScope::default(),
    };
    if own {
        let start = site_start(app, &asked.site).await?;
        let alone = asked.scope == "site" && !start.is_empty();
        let scope = if alone { "" } else { "site" };
        let other = format!("{action}{}", query(&[("q", &asked.q), ("scope", scope)]));
        found.scope = SiteScope { start, alone, other };
    }
    if !found.asked {
        return Ok(found);
    }
    let site = Some(asked.site.clone()).filter(|site| !site.is_empty());
    let Some(answered) = crate::api::find(app, site, asked.q.clone(), first, MOST, true, found.scope.alone).await?
    else {
        found.no_index = true;
        return Ok(found);
    };
    let kept_site = if own { "" } else { asked.site.as_str() };
    let scope = if found.scope.alone { "site" } else { "" };
    let link = |q: &str, page: usize| {
        let number = if page > 1 { page.to_string() } else { String::new() };
        format!(
            "{action}{}",
            query(&[("q", q), ("site", kept_site), ("page", &number), ("embed", &asked.embed), ("scope", scope)])
        )
    };
    let Answer { total, mixed, hits, facets, did_you_mean, notes } = &answered.answer;
    found.behind = answered.behind && !frame.stranger;
    found.total = *total;
    let last = first + hits.len();
    found.part.says = match (*total, hits.is_empty()) {
        (0, _) => String::new(),
        (_, true) => format!("{} found, none on this page", answers(*total, *mixed)),
        _ => format!("{}–{} of {}", first + 1, last, answers(*total, *mixed)),
    };
    found.hits = hits.iter().map(|hit| row(hit, &asked.site, frame)).collect();
    found.groups = facets.as_ref().map(|facets| groups(facets, &asked.q, &|q| link(q, 1))).unwrap_or_default();
    found.better = did_you_mean.as_ref().map(|better| (short(better, 200), link(better, 1)));
    found.notes = notes.iter().map(search_note).collect();
    found.part.earlier = (page > 1).then(|| link(&asked.q, page - 1));
    found.part.later = ((last as u64) < *total && page < PAGES && !hits.is_empty()).then(|| link(&asked.q, page + 1));
    Ok(found)
}

/// What the logical site of a survey was found from; empty if none was looked for.
async fn site_start(app: &Arc<App>, name: &str) -> Result<String, Problem> {
    let site = app.site(name)?;
    let starts = app.work(move |_| if site.exists() { site.starts() } else { Ok(Vec::new()) }).await?;
    Ok(starts.first().map(|start| short(start, 120)).unwrap_or_default())
}

fn row(hit: &Hit, site: &str, frame: &Frame) -> HitRow {
    let mut facts = Vec::new();
    if hit.date > 0 {
        facts.push(day(hit.date));
    }
    if !hit.language.is_empty() {
        facts.push(short(&hit.language, 12));
    }
    if !hit.media_type.is_empty() && hit.media_type != "text/html" {
        facts.push(short(&hit.media_type, 40));
    }
    let is_record = hit.kind == "record";
    // What is known of a record is known of the page with its form, if that is in the survey.
    let known = if is_record { &hit.form } else { &hit.url };
    let may_look = !site.is_empty() && !frame.stranger && hit.page.is_some();
    let name = if hit.database.trim().is_empty() { &hit.form } else { &hit.database };
    HitRow {
        database: if is_record { short(name, 120) } else { String::new() },
        form: outward(&hit.form).filter(|_| is_record).map(str::to_owned),
        out: outward(&hit.url).map(str::to_owned),
        about: if may_look { about(site, known) } else { String::new() },
        title: pieces(&hit.title_pieces, &hit.title, &hit.url),
        snippet: pieces(&hit.snippet, "", ""),
        address: short(&hit.url, 120),
        facts: facts.join(" · "),
    }
}

/// Pieces cleaned of what plays tricks; where there are none, what stands for them.
fn pieces(given: &[Piece], text: &str, address: &str) -> Vec<Piece> {
    let clean = |text: &str| -> String { text.chars().filter(|c| !crate::words::is_trick(*c)).collect() };
    let pieces: Vec<Piece> = given.iter().map(|piece| Piece { text: clean(&piece.text), hit: piece.hit }).collect();
    if pieces.iter().any(|piece| !piece.text.trim().is_empty()) {
        return pieces;
    }
    let text = if text.trim().is_empty() { address } else { text };
    vec![Piece { text: short(text, 200), hit: false }]
}
