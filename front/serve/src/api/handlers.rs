//! What the handlers of the API say of themselves, read from their attributes and kept in `openapi.json`.
//!
//! After a change of the API: `GROMA_WRITE=1 cargo test -p groma-serve --lib handlers`.

use groma_tasks::task;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use super::{
    bounds, changes, databases, decisions, description, exclusions, findings, focus, forms, hel, jobs, map, me,
    notices, page, pages, rank, rules, schedules, search, sites, state, tokens,
};
use crate::error::Problem;
use crate::live;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Groma",
        description = "Surveys of web sites: crawl, ranks, map, checks, full text, jobs. Titles, anchors, snippets and \
            addresses come from the pages that were surveyed: whoever shows them escapes them.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(
        Problem,
        live::Moment,
        task::Crawl,
        task::Update,
        task::Rank,
        task::Map,
        task::Check,
        task::Index,
        task::Notify,
        task::Bounds,
        task::Focus,
        task::Gather
    )),
    paths(
        me::me,
        sites::sites,
        sites::begin,
        sites::site,
        pages::pages,
        page::page,
        changes::changes,
        findings::findings,
        rank::rank,
        bounds::bounds,
        bounds::described::find,
        bounds::pages,
        bounds::surt,
        decisions::decisions,
        decisions::decide,
        decisions::undo,
        focus::described::crawls,
        focus::described::begin,
        focus::described::crawl,
        focus::described::forget,
        focus::steps,
        focus::described::export,
        databases::described::databases,
        databases::described::begin,
        databases::described::database,
        databases::described::forget,
        databases::records,
        databases::values,
        databases::answers,
        databases::described::export,
        forms::forms,
        hel::try_out,
        map::map,
        rules::rules,
        rules::test,
        search::search,
        search::suggest,
        jobs::jobs,
        jobs::ask,
        jobs::job,
        jobs::log,
        jobs::curve,
        jobs::pause,
        jobs::resume,
        jobs::cancel,
        jobs::retry,
        jobs::priority,
        schedules::schedules,
        schedules::make,
        schedules::schedule,
        schedules::replace,
        schedules::remove,
        exclusions::look,
        exclusions::exclude,
        notices::notices,
        tokens::tokens,
        tokens::make,
        tokens::remove,
        live::events,
        description::openapi,
        state::healthz,
        state::counts,
    )
)]
struct Description;

/// A line for every path and every shape: what a change changes is then seen as such.
fn written(whole: &Value) -> String {
    let lines = |entries: &Value| -> String {
        let entry = |(name, says): (&String, &Value)| format!("\n{}: {says}", json!(name));
        entries.as_object().unwrap().iter().map(entry).collect::<Vec<_>>().join(",")
    };
    let (openapi, info) = (&whole["openapi"], &whole["info"]);
    let (paths, schemas) = (lines(&whole["paths"]), lines(&whole["components"]["schemas"]));
    format!(
        "{{\"openapi\": {openapi}, \"info\": {info},\n\"paths\": {{{paths}\n}},\n\"components\": {{\"schemas\": {{{schemas}\n}}}}}}\n"
    )
}

/// What is flattened into a task is written among its own fields: of an `allOf`, no part could say that there are no others.
fn flattened(mut whole: Value) -> Value {
    for schema in whole["components"]["schemas"].as_object_mut().unwrap().values_mut() {
        if let Some(mut merged) = schema.get("allOf").and_then(|_| merged(schema)) {
            merged.insert("additionalProperties".to_owned(), false.into());
            *schema = Value::Object(merged);
        }
    }
    whole
}

/// A schema with the fields of all its parts; nothing if a part is a schema of its own.
fn merged(schema: &Value) -> Option<Map<String, Value>> {
    let mut all = schema.as_object()?.clone();
    if all.contains_key("$ref") {
        return None;
    }
    // Each field has its own.
    all.remove("default");
    let Some(Value::Array(parts)) = all.remove("allOf") else { return Some(all) };
    for (name, says) in parts.iter().map(merged).collect::<Option<Vec<_>>>()?.into_iter().flatten() {
        match (all.get_mut(&name), says) {
            (Some(Value::Object(fields)), Value::Object(more)) => fields.extend(more),
            (_, says) if name != "description" => drop(all.insert(name, says)),
            _ => {}
        }
    }
    Some(all)
}

#[test]
fn what_is_kept_is_what_the_handlers_say() {
    let said = flattened(serde_json::to_value(Description::openapi()).unwrap());
    let written = written(&said);
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), said, "nothing was left out");
    if std::env::var_os("GROMA_WRITE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi.json"), written).unwrap();
    } else {
        assert!(
            written == include_str!("openapi.json"),
            "the API has changed: write it down as the head of this file says"
        );
    }
}
