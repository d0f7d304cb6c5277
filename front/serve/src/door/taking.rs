//! What a request brings along, read strictly: what is misspelled is refused with a sentence, not passed over.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use groma_tasks::task::read_fields;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Problem;
use crate::words;

/// The query of a URL. A type that denies unknown fields refuses misspelled ones.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Problem> {
        let read = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        let read = read.map_err(|error| Problem::bad(words::bad_query(&error.body_text()), words::QUERY_HINT))?;
        Ok(Query(read.0))
    }
}

/// The parts of a path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, Problem> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Path(value)),
            Err(error) => Err(Problem::bad(words::bad_path(&error.body_text()), words::QUERY_HINT)),
        }
    }
}

/// A body of JSON.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, Problem> {
        match axum::Json::<Value>::from_request(request, state).await {
            Ok(axum::Json(Value::Object(fields))) => match read_fields(&fields) {
                Ok(value) => Ok(Json(value)),
                Err(error) => Err(Problem::bad(words::bad_body(&error), words::BODY_HINT)),
            },
            // A list would be taken for the fields of an object, in their order.
            Ok(axum::Json(_)) => Err(Problem::bad("what was sent is no JSON object", words::BODY_HINT)),
            Err(error) => {
                let status = error.status();
                // A body that is JSON, but not the one asked for, is a mistake like any other.
                let status = if status == StatusCode::UNPROCESSABLE_ENTITY { StatusCode::BAD_REQUEST } else { status };
                Err(Problem::new(status, words::bad_body(&error.body_text()), words::BODY_HINT))
            }
        }
    }
}

/// A form. What is not asked for in it (the token, which the door has looked at) is passed over.
#[derive(Debug)]
pub(crate) struct Form<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Form<T>, Problem> {
        let is_form = request.headers().get(header::CONTENT_TYPE).is_some();
        match axum::Form::<T>::from_request(request, state).await {
            Ok(axum::Form(value)) => Ok(Form(value)),
            Err(error) if is_form => Err(Problem::bad(words::bad_body(&error.body_text()), words::FORM_HINT)),
            Err(error) => Err(Problem::new(error.status(), words::bad_body(&error.body_text()), words::FORM_HINT)),
        }
    }
}
