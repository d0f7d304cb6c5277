//! Who are you? Coming in with a name and a password, and going out.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::layout::{Frame, done, show, show_as};
use crate::app::App;
use crate::door::{Form, Query, Visitor, inward, sign_in, sign_in_by_key, sign_out};
use crate::error::Problem;
use crate::words;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/login", get(form).post(enter)).route("/logout", post(leave))
}

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage<'a> {
    frame: &'a Frame,
    name: &'a str,
    next: &'a str,
    /// On a server without users: how to log in.
    no_users: Option<String>,
    problem: Option<&'a Problem>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    next: String,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Typed {
    name: String,
    password: String,
    /// On a server without users: its start URL, or the key in it.
    key: String,
    next: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Leaving {
    everywhere: Option<String>,
}

async fn form(State(app): State<Arc<App>>, frame: Frame, Query(asked): Query<Asked>) -> Result<Response, Problem> {
    if !frame.stranger {
        return Ok(Redirect::to(inward(&asked.next)).into_response());
    }
    let no_users = app.takes_key()?.then(|| words::no_key_hint(app.options.listen));
    Ok(show(&LoginPage { frame: &frame, name: "", next: inward(&asked.next), no_users, problem: None }))
}

async fn enter(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    frame: Frame,
    Form(typed): Form<Typed>,
) -> Result<Response, Problem> {
    let next = inward(&typed.next);
    let no_users = app.takes_key()?.then(|| words::no_key_hint(app.options.listen));
    let entered = match &no_users {
        Some(_) => sign_in_by_key(&app, &typed.key).await,
        None => sign_in(&app, &visitor, typed.name.trim(), &typed.password).await,
    };
    match entered {
        Ok(cookie) => Ok(with_cookie(Redirect::to(next).into_response(), cookie)),
        Err(problem) => {
            let page = LoginPage { frame: &frame, name: typed.name.trim(), next, no_users, problem: Some(&problem) };
            Ok(problem.with_wait(show_as(problem.status, &page)))
        }
    }
}

async fn leave(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Form(leaving): Form<Leaving>,
) -> Result<Response, Problem> {
    let everywhere = leaving.everywhere.is_some();
    let cookie = sign_out(&app, &visitor, everywhere).await?;
    let response = done("/login", if everywhere { "left-everywhere" } else { "logged-out" }, 0);
    Ok(with_cookie(response, cookie))
}

fn with_cookie(mut response: Response, cookie: HeaderValue) -> Response {
    response.headers_mut().append(header::SET_COOKIE, cookie);
    debug_assert_eq!(response.status(), StatusCode::SEE_OTHER);
    response
}
