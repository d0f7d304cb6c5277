//! Tokens of programs, for admins.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use groma_model::moment::rfc3339;
use groma_store::accounts::{Role, Token, is_name};

use super::cursor::{self, List, ListQuery};
use crate::app::App;
use crate::door::{Json as Taken, Path, Query, Visitor, people};
use crate::error::Problem;
use crate::words;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/tokens", get(tokens).post(make)).route("/tokens/{token}", delete(remove))
}

/// A token, without its secret.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct TokenRow {
    /// Number of the token.
    id: u64,
    /// What people call it.
    name: String,
    /// `admin` or `reader`.
    role: &'static str,
    /// When it was made.
    #[cfg_attr(test, schema(format = DateTime))]
    made_at: String,
    /// When it was last used.
    #[cfg_attr(test, schema(format = DateTime))]
    last_used: Option<String>,
    /// When it expires; nothing: never.
    #[cfg_attr(test, schema(format = DateTime))]
    expires_at: Option<String>,
}

impl TokenRow {
    fn from_token(token: &Token) -> TokenRow {
        TokenRow {
            id: token.id,
            name: token.name.clone(),
            role: token.role.name(),
            made_at: rfc3339(token.made_at),
            last_used: Some(token.last_used).filter(|at| *at > 0).map(rfc3339),
            expires_at: token.expires_at.map(rfc3339),
        }
    }
}

fn for_admins(visitor: &Visitor) -> Result<(), Problem> {
    if visitor.may_change() { Ok(()) } else { Err(Problem::forbidden("this is for admins", words::ASK_ADMIN)) }
}

/// The tokens, oldest first. For admins.
#[cfg_attr(test, utoipa::path(get, path = "/api/v1/tokens", tag = "access", params(ListQuery),
    responses((status = 200, body = List<TokenRow>))))]
pub(super) async fn tokens(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(part): Query<ListQuery>,
) -> Result<Json<List<TokenRow>>, Problem> {
    for_admins(&visitor)?;
    let part = cursor::part("tokens", part.cursor.as_deref(), part.limit)?;
    app.work(move |app| {
        let all = app.accounts.desk().tokens()?;
        let after = all.iter().filter(|token| token.id > part.after);
        Ok(Json(List::cut(after.map(TokenRow::from_token).collect(), "tokens", part, |token| token.id)))
    })
    .await
}

/// A token to be made.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewToken {
    /// What people call it: letters, digits and `.`, `_`, `-`, `@`.
    #[cfg_attr(test, schema(min_length = 1, max_length = 64))]
    name: String,
    /// `admin` or `reader`.
    #[cfg_attr(test, schema(pattern = "^(admin|reader)$"))]
    role: String,
    /// Days after which it expires; nothing: 90.
    #[cfg_attr(test, schema(minimum = 1, maximum = 3650))]
    days: Option<u32>,
    /// It does not expire: it holds until it is removed.
    #[serde(default)]
    never_expires: bool,
}

/// A token that was made.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct MadeToken {
    /// Number of the token.
    id: u64,
    /// Its secret: shown now and never again.
    token: String,
    /// When it expires; nothing: never.
    #[cfg_attr(test, schema(format = DateTime))]
    expires_at: Option<String>,
}

/// Makes a token. For admins.
#[cfg_attr(test, utoipa::path(post, path = "/api/v1/tokens", tag = "access", request_body = NewToken,
    responses((status = 201, body = MadeToken))))]
pub(super) async fn make(State(app): State<Arc<App>>, Taken(new): Taken<NewToken>) -> Result<Response, Problem> {
    let role = Role::named(&new.role)
        .ok_or_else(|| Problem::bad(words::no_such("role"), words::one_of(&["admin", "reader"])))?;
    let range = 1..=people::MOST_TOKEN_DAYS;
    if new.days.is_some_and(|days| !range.contains(&days)) {
        return Err(Problem::bad("`days` is not between 1 and 3650", words::QUERY_HINT));
    }
    if new.days.is_some() && new.never_expires {
        return Err(Problem::refused("`days` and `never_expires` are given together", words::QUERY_HINT));
    }
    super::query::check_length("name", Some(&new.name), 64)?;
    if !is_name(&new.name) {
        return Err(Problem::refused(bad_name(&new.name), words::NAME_HINT));
    }
    app.work(move |app| {
        let days = (!new.never_expires).then(|| new.days.unwrap_or(people::TOKEN_DAYS));
        let (token, secret) = people::new_token(&new.name, role, days)
            .map_err(|error| Problem::refused(error.to_string(), error.hint()))?;
        let id = app.accounts.desk().add_token(&token)?;
        let id = id.ok_or_else(|| Problem::conflict(taken(&new.name), words::USER_TAKEN_HINT))?;
        Ok((StatusCode::CREATED, Json(MadeToken { id, token: secret, expires_at: token.expires_at.map(rfc3339) }))
            .into_response())
    })
    .await
}

/// Removes a token: it holds no longer. For admins.
#[cfg_attr(test, utoipa::path(delete, path = "/api/v1/tokens/{token}", tag = "access", params(("token" = u32, Path)),
    responses((status = 204))))]
pub(super) async fn remove(State(app): State<Arc<App>>, Path(id): Path<u32>) -> Result<StatusCode, Problem> {
    app.work(move |app| {
        let gone = app.accounts.desk().remove_token(id.into())?;
        if gone { Ok(StatusCode::NO_CONTENT) } else { Err(Problem::missing(words::no_such("token"))) }
    })
    .await
}

fn bad_name(name: &str) -> String {
    format!("{:?} cannot be a name", words::short(name))
}

fn taken(name: &str) -> String {
    format!("there is one called {:?} already", words::short(name))
}
