//! Full text: which pages and records of databases speak of this?

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use groma_model::moment::rfc3339;
use groma_search::{FacetCount, Hit, Piece};
use groma_tasks::search::search_note;
use serde::{Deserialize, Serialize};

use super::cursor;
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::search::{DEEPEST, QUESTION, Question, answer};
use crate::words;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/search", get(search)).route("/suggest", get(suggest))
}

/// Answers a question for the search page.
pub(crate) async fn find(
    app: &Arc<App>,
    site: Option<String>,
    text: String,
    first: usize,
    most: usize,
    facets: bool,
    scoped: bool,
) -> Result<Option<Arc<crate::search::Answered>>, Problem> {
    answer(app, Question { text, site, first, most, facets, scoped }).await
}

#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Asked {
    /// Words, "phrases", -word, OR, site:, type:, lang:, in:, title:, url:, after:, before:, date:. Any text is an answerable
    /// question.
    #[cfg_attr(test, param(max_length = 1000))]
    q: String,
    /// Only this site.
    #[cfg_attr(test, param(min_length = 1, max_length = 200))]
    site: Option<String>,
    /// Whether hits are counted by type, language and site.
    facets: Option<bool>,
    /// `next` of the list before.
    #[cfg_attr(test, param(pattern = "^[0-9a-f]{24}$"))]
    cursor: Option<String>,
    /// Hits at most.
    #[cfg_attr(test, param(minimum = 1, maximum = 100))]
    limit: Option<u32>,
}

/// A piece of text, marked or not. Plain text, as crawled (untrusted): escape it before you show it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Marked {
    /// Text of the piece.
    text: String,
    /// It was asked for.
    hit: bool,
}

/// A page that answers, or a record of a database behind a form.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema), schema(as = Found))]
pub(super) struct SearchHit {
    /// Its URL; of a record, where it is shown by itself, else the answer that brought it, else its form.
    url: String,
    /// Page title, as crawled (untrusted text).
    title: String,
    /// How well it answers.
    score: f32,
    /// Where the words stand, in pieces.
    snippet: Vec<Marked>,
    /// `page` or `record`.
    kind: &'static str,
    /// Of a record: the page people use to ask its database.
    form: Option<String>,
    /// Of a record: the name of its database, as crawled (untrusted text).
    database: Option<String>,
    /// Media type; empty for records.
    r#type: String,
    /// Language; empty if unknown.
    language: String,
    /// Last changed, as far as is known.
    #[cfg_attr(test, schema(format = DateTime))]
    date: Option<String>,
    /// Scheme, name and port.
    host: String,
    /// The URL of the branch of the map it stands in; empty for the root and for loose pages.
    section: String,
}

/// How often one value occurs among all hits.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Facet {
    /// What to write behind `in:`, `type:`, `lang:` or `site:` to see only these.
    value: String,
    /// Name shown to people.
    label: String,
    /// How many hits have it.
    count: u64,
}

/// Counts over all hits, most first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Counted {
    /// By branch of the map.
    sections: Vec<Facet>,
    /// Hits by type.
    types: Vec<Facet>,
    /// Hits by language.
    languages: Vec<Facet>,
    /// Hits by site.
    sites: Vec<Facet>,
}

/// The answer to a search.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Answered {
    /// How many pages and records answer.
    total: u64,
    /// Those asked for, best first.
    items: Vec<SearchHit>,
    /// To be given as `cursor` for those after these; nothing if these are the last.
    next: Option<String>,
    /// Counts, if asked for.
    facets: Option<Counted>,
    /// A question that would find more.
    did_you_mean: Option<String>,
    /// What to know about how the question was understood.
    notes: Vec<String>,
    /// The survey has changed since the index was brought up to date; a job `index` does that.
    behind: bool,
}

fn marked(pieces: &[Piece]) -> Vec<Marked> {
    pieces.iter().map(|piece| Marked { text: piece.text.clone(), hit: piece.hit }).collect()
}

fn found(hit: &Hit) -> SearchHit {
    SearchHit {
        url: hit.url.clone(),
        title: hit.title.clone(),
        score: if hit.score.is_finite() { hit.score } else { 0.0 },
        snippet: marked(&hit.snippet),
        kind: hit.kind,
        form: (hit.kind == "record").then(|| hit.form.clone()),
        database: (hit.kind == "record").then(|| hit.database.clone()),
        r#type: hit.media_type.clone(),
        language: hit.language.clone(),
        date: Some(hit.date).filter(|date| *date > 0).map(rfc3339),
        host: hit.site.clone(),
        section: hit.section.clone(),
    }
}

fn facets(counts: &[FacetCount]) -> Vec<Facet> {
    let facet = |one: &FacetCount| Facet { value: one.value.clone(), label: one.label.clone(), count: one.count };
    counts.iter().map(facet).collect()
}

/// Searches all sites, or one.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/search", tag = "search", params(Asked),
    responses((status = 200, body = Answered))))]
pub(super) async fn search(State(app): State<Arc<App>>, Query(asked): Query<Asked>) -> Result<Json<Answered>, Problem> {
    check(&asked.q, QUESTION)?;
    super::query::check_length("site", asked.site.as_deref(), 200)?;
    let limit = asked.limit.unwrap_or(10);
    if !(1..=100).contains(&limit) {
        return Err(Problem::bad(words::BAD_LIMIT, words::QUERY_HINT));
    }
    let list = format!("search {:?} {:?}", asked.q, asked.site);
    let part = cursor::part(&list, asked.cursor.as_deref(), Some(limit))?;
    let first = usize::try_from(part.after).unwrap_or(usize::MAX).min(DEEPEST);
    let question = Question {
        text: asked.q,
        site: asked.site,
        first,
        most: part.most,
        facets: asked.facets.unwrap_or(false),
        scoped: false,
    };
    let Some(answered) = answer(&app, question).await? else {
        return Err(Problem::conflict(words::NO_INDEX, words::NO_INDEX_HINT));
    };
    let answer = &answered.answer;
    let end = first + answer.hits.len();
    let more = !answer.hits.is_empty() && (end as u64) < answer.total && end < DEEPEST;
    Ok(Json(Answered {
        total: answer.total,
        items: answer.hits.iter().map(found).collect(),
        next: more.then(|| cursor::write(&list, end as u64)),
        facets: answer.facets.as_ref().map(|counts| Counted {
            sections: facets(&counts.sections),
            types: facets(&counts.types),
            languages: facets(&counts.languages),
            sites: facets(&counts.sites),
        }),
        did_you_mean: answer.did_you_mean.clone(),
        notes: answer.notes.iter().map(search_note).collect(),
        behind: answered.behind,
    }))
}

/// What was typed so far.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(super) struct Typed {
    /// The beginning of a question.
    #[cfg_attr(test, param(max_length = 200))]
    q: String,
    /// Only this site.
    #[cfg_attr(test, param(min_length = 1, max_length = 200))]
    site: Option<String>,
}

/// Suggestions for what is being typed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Suggestions {
    /// Words and titles, best first, as crawled (untrusted text).
    items: Vec<String>,
    /// Always nothing: these are all.
    next: Option<String>,
}

/// Words and titles that go on from what was typed so far.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/suggest", tag = "search", params(Typed),
    responses((status = 200, body = Suggestions))))]
pub(super) async fn suggest(
    State(app): State<Arc<App>>,
    Query(typed): Query<Typed>,
) -> Result<Json<Suggestions>, Problem> {
    check(&typed.q, 200)?;
    super::query::check_length("site", typed.site.as_deref(), 200)?;
    let items = crate::search::suggest(&app, typed.q, typed.site, 8).await?;
    Ok(Json(Suggestions { items, next: None }))
}

fn check(text: &str, most: usize) -> Result<(), Problem> {
    if text.chars().count() > most {
        return Err(Problem::bad(words::too_long("q", most), words::QUERY_HINT));
    }
    Ok(())
}
