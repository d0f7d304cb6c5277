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
use groma_settings::table::{Door, SettingRow, table};
use groma_settings::value::Kind as Setting;
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
        for about_job in ["alone", "package", "priority"] {
            one["properties"][about_job] = schemas["NewJobs"]["properties"][about_job].clone();
        }
        let formats = format_names(*kind);
        if !formats.is_empty() {
            one["properties"]["format"] = json!({ "type": "string", "enum": formats, "default": formats[0] });
        }
        one["properties"]["kind"] = json!({ "type": "string", "enum": [kind.name()] });
        one["required"] = json!(["kind"]);
        one
    };
    json!({ "oneOf": JobKind::ALL.iter().map(of_kind).collect::<Vec<_>>() })
}

/// The settings that a task may bring along over the web, by their keys.
fn task_settings() -> Value {
    let of_row = |row: &SettingRow| {
        let mut one = match row.kind {
            Setting::Count => json!({ "type": "integer", "minimum": 0 }),
            Setting::MaybeCount => json!({ "type": ["integer", "null"], "minimum": 0 }),
            Setting::Weight => json!({ "type": "number", "minimum": 0 }),
            Setting::Seconds | Setting::Limit(_) => json!({ "type": ["number", "string"] }),
            Setting::Flag => json!({ "type": "boolean" }),
            Setting::Word(words) => json!({ "type": "string", "enum": words }),
            Setting::List { .. } | Setting::Secrets => json!({ "type": "array", "items": { "type": "string" } }),
            Setting::MaybeText | Setting::Login | Setting::Proxy | Setting::Hidden => {
                json!({ "type": ["string", "null"] })
            }
        };
        one["description"] = json!(row.help);
        (row.key.clone(), one)
    };
    let open = table().iter().filter(|row| row.door == Door::Any);
    let properties: Map<String, Value> = open.map(of_row).collect();
    json!({
        "description": "Settings that a task brings along; what is not said is as the survey and the server have it.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

fn description() -> Value {
    let mut whole: Value = serde_json::from_str(HANDLERS).unwrap_or_default();
    if let Some(schemas) = whole["components"]["schemas"].as_object_mut() {
        for schema in schemas.values_mut() {
            if let Some(settings) = schema.pointer_mut("/properties/settings") {
                *settings = json!({ "$ref": "#/components/schemas/TaskSettings" });
            }
        }
        schemas.insert("TaskSettings".to_owned(), task_settings());
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
            let settings = &schemas[task]["properties"]["settings"];
            assert_eq!(settings["$ref"], "#/components/schemas/TaskSettings", "{task}");
        }
        let settings = schemas["TaskSettings"]["properties"].as_object().unwrap();
        for (key, schema) in settings {
            assert!(schema["description"].as_str().is_some_and(|says| !says.is_empty()), "{key}");
            assert!(!key.starts_with("limits."), "limits are for whoever runs the program");
        }
        assert!(settings.contains_key("depth") && settings.contains_key("exclude"));
        assert!(!settings.contains_key("headers") && !settings.contains_key("robots"));
        let kinds = schemas["NewJobs"]["oneOf"].as_array().unwrap();
        let takes = |kind: &&Value| {
            kind["properties"]["format"]["enum"].as_array().is_some_and(|all| all.contains(&json!("sqlite")))
        };
        assert_eq!(kinds.iter().filter(takes).count(), 1, "only exports are SQLite files");
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
