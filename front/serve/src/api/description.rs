//! The API as OpenAPI 3.1: made of the handlers themselves, and of what is the same for all of them.
//!
//! What stands at the handlers is read by tests only (`handlers.rs`) and kept in `openapi.json`: as code it was half a megabyte of the binary.
//! What the door says (who may, what is too long, which problems can come) stands at no handler, so it is added here for all;
//! names that the house knows (states, reasons, kinds) are taken from their tables.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use groma_check::{Kind, Severity};
use groma_model::{Reason, State};
use groma_settings::table::{Door, table};
use groma_store::ChangeKind;
use groma_store::bounds::Side;
use groma_store::jobs::{JobKind, JobState};
use groma_tasks::task::Task;
use serde_json::{Map, Value, json};

use crate::app::App;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/openapi.json", get(openapi))
}

/// The problems that can come, beyond those of one handler: status, and who says so.
const PROBLEMS: [(&str, &str); 13] = [
    ("400", "The request cannot be read"),
    ("401", "Nobody has logged in, and no good token came along"),
    ("403", "The one who asks may not, or a browser was tricked into asking"),
    ("404", "There is no such thing"),
    ("405", "This cannot be done here"),
    ("408", "The body took too long to arrive"),
    ("409", "It cannot be done in the state in which things are"),
    ("413", "The body is too long"),
    ("414", "The URL is too long"),
    ("415", "The body is not JSON"),
    ("421", "The server does not answer for this host"),
    ("422", "It was understood, and cannot be taken as it is"),
    ("503", "The server has too much to do"),
];

/// What the handlers say of themselves.
const HANDLERS: &str = include_str!("openapi.json");

static TEXT: LazyLock<String> = LazyLock::new(|| description().to_string());

/// This description.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/openapi.json", tag = "server", responses((status = 200, body = Object))))]
pub(super) async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}

/// A job is a task of some kind, with its fields, and what is said about the job itself.
fn new_jobs(schemas: &Value) -> Value {
    let of_kind = |kind: &JobKind| {
        let mut letters = kind.name().chars();
        let name: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let mut one = schemas[format!("{name}Task")].clone();
        for about_job in ["alone", "package", "format", "priority"] {
            one["properties"][about_job] = schemas["NewJobs"]["properties"][about_job].clone();
        }
        let formats = format_names(*kind).join(", ");
        one["properties"]["format"]["description"] = json!(match formats.as_str() {
            "" => "It leaves no file.".to_owned(),
            formats => format!("In which form the result is kept: {formats}."),
        });
        one["properties"]["kind"] = json!({ "type": "string", "enum": [kind.name()] });
        one["required"] = json!(["kind"]);
        one
    };
    json!({ "oneOf": JobKind::ALL.iter().map(of_kind).collect::<Vec<_>>() })
}

/// The settings that a task may bring along over the web, each with what it does.
fn task_settings() -> String {
    let open = table().iter().filter(|row| row.door == Door::Any);
    let lines: Vec<String> = open.map(|row| format!("`{}`: {}", row.key, row.help)).collect();
    format!("Settings that it brings along, as in groma.toml:\n{}", lines.join(";\n"))
}

fn description() -> Value {
    let mut whole: Value = serde_json::from_str(HANDLERS).unwrap_or_default();
    let says = json!(task_settings());
    for schema in whole["components"]["schemas"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(settings) = schema.pointer_mut("/properties/settings") {
            settings["description"] = says.clone();
        }
    }
    whole["components"]["securitySchemes"] = json!({
        "token": { "type": "http", "scheme": "bearer", "description": "A token made in the settings, by `groma user token` or by POST /api/v1/tokens; on a server without users its start key, too" },
    });
    whole["security"] = json!([{ "token": [] }]);
    whole["components"]["schemas"]["NewJobs"] = new_jobs(&whole["components"]["schemas"]);
    if let Some(paths) = whole["paths"].as_object_mut() {
        for (path, item) in paths.iter_mut() {
            for (method, operation) in item.as_object_mut().into_iter().flatten() {
                operation["operationId"] = json!(operation_id(method, path));
                complete(path, operation);
            }
        }
    }
    whole
}

/// The name of an operation: its method and the words of its path, which no other has.
fn operation_id(method: &str, path: &str) -> String {
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

/// What an answer with this status says, where its handler says no more.
fn answer_says(status: &str) -> &'static str {
    match status {
        "200" => "What was asked for",
        "201" => "It was made",
        "202" => "It was taken, and will be done",
        "204" => "It is done; there is nothing more to say",
        "304" => "Nothing has changed",
        _ => "Another answer",
    }
}

fn complete(path: &str, operation: &mut Value) {
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        if response["description"].as_str().is_none_or(str::is_empty) {
            response["description"] = json!(answer_says(status));
        }
    }
    let problem = json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
    for (status, says) in PROBLEMS {
        if operation["responses"].get(status).is_none() {
            operation["responses"][status] = json!({ "description": says, "content": problem });
        }
    }
    // Said before anybody reads the request: without a body.
    operation["responses"]["431"] = json!({ "description": "The head of the request is too long" });
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default().to_owned();
        if let Some(names) = names(path, &name)
            && let Some(schema) = parameter["schema"].as_object_mut()
        {
            restrict(schema, &names);
        }
    }
}

/// One of these words.
fn restrict(schema: &mut Map<String, Value>, names: &[&str]) {
    schema.insert("type".into(), json!("string"));
    schema.insert("enum".into(), json!(names));
}

/// The words a parameter can be.
fn names(path: &str, parameter: &str) -> Option<Vec<&'static str>> {
    let last = path.rsplit('/').next().unwrap_or_default();
    Some(match (last, parameter) {
        ("pages", "verdict") => Side::ALL.iter().map(|side| side.name()).collect(),
        ("pages", "state") => State::ALL.iter().map(|state| state.name()).collect(),
        ("pages", "reason") => Reason::ALL.iter().map(|reason| reason.name()).collect(),
        ("changes", "kind") => ChangeKind::ALL.iter().map(|kind| kind.name()).collect(),
        ("findings", "kind") => Kind::ALL.iter().map(|kind| kind.name()).collect(),
        ("findings", "severity") => Severity::ALL.iter().map(|severity| severity.name()).collect(),
        ("jobs", "state") => JobState::ALL.iter().map(|state| state.name()).collect(),
        ("export", "format") if path.contains("/databases/") => format_names(JobKind::Gather),
        ("export", "format") => format_names(JobKind::Focus),
        ("jobs", "kind") => JobKind::ALL.iter().map(|kind| kind.name()).collect(),
        _ => return None,
    })
}

fn format_names(kind: JobKind) -> Vec<&'static str> {
    Task::formats(kind).iter().map(|format| format.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_tasks_are_described_one_by_one() {
        let whole = description();
        let schemas = &whole["components"]["schemas"];
        for task in ["CrawlTask", "UpdateTask", "FocusTask", "GatherTask"] {
            let says = schemas[task]["properties"]["settings"]["description"].as_str().unwrap();
            assert!(
                says.contains("`depth`: greatest link distance") && says.contains("`extra_noise`"),
                "{task}: {says}"
            );
            assert!(
                !says.contains("`headers`") && !says.contains("`robots`") && !says.contains("`limits."),
                "{task}: {says}"
            );
        }
        let kinds = schemas["NewJobs"]["oneOf"].as_array().unwrap();
        let says = |kind: &Value| kind["properties"]["format"]["description"].as_str().unwrap().to_owned();
        assert_eq!(
            kinds.iter().filter(|kind| says(kind).contains("sqlite")).count(),
            1,
            "only exports are SQLite files"
        );
    }

    #[test]
    fn it_is_openapi_3_1_and_every_operation_says_how_it_can_fail() {
        let whole = description();
        assert_eq!(whole["openapi"], "3.1.0");
        let paths = whole["paths"].as_object().unwrap();
        assert!(paths.len() > 25);
        let mut names = std::collections::BTreeSet::new();
        for (path, item) in paths {
            for (method, operation) in item.as_object().unwrap() {
                let name = operation["operationId"].as_str().unwrap().to_owned();
                assert!(names.insert(name.clone()), "{name} is the name of two operations");
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let says = response["description"].as_str();
                    assert!(says.is_some_and(|says| !says.is_empty()), "{method} {path} {status} says nothing");
                }
                let responses = operation["responses"].as_object().unwrap();
                assert!(responses.contains_key("403") && responses.len() > PROBLEMS.len(), "{method} {path}");
                assert!(operation["summary"].is_string(), "{method} {path} says what it does");
            }
        }
        let reason = &whole["paths"]["/api/v1/sites/{site}/pages"]["get"]["parameters"];
        let reason = reason.as_array().unwrap().iter().find(|parameter| parameter["name"] == "reason").unwrap();
        assert!(reason["schema"]["enum"].as_array().unwrap().len() > 10);
    }
}
