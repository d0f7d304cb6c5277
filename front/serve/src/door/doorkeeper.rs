//! The way through the door, step by step, for every request.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use groma_store::accounts::Role;

use super::visitor::{Caller, Right, Visitor};
use super::{cookie, csrf, headers, host, secret};
use crate::app::{App, now};
use crate::error::Problem;
use crate::words;

/// Bytes a request may bring along.
const BODY: usize = 256 * 1024;
/// How long it may take to bring them.
const BODY_TIME: Duration = Duration::from_secs(15);
/// Letters an address may have.
const ADDRESS: usize = 8 * 1024;

/// Lets a request in, or not; and sees to what the answer tells the browser.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let embedded = request.uri().query().is_some_and(|query| query.split('&').any(|pair| pair == "embed=1"));
    let framed = app.search_is_public() && path == "/search" && embedded;
    let mut response = match enter(&app, request).await {
        Ok((request, new_cookie)) => {
            let mut response = next.run(request).await;
            // Unless the handler has just given or taken it; other cookies have nothing to do with it.
            let name = format!("{}=", cookie::name(&app.options));
            let all = response.headers().get_all(header::SET_COOKIE);
            let has_one = all.iter().any(|set| set.as_bytes().starts_with(name.as_bytes()));
            if let Some(value) = new_cookie
                && !has_one
            {
                response.headers_mut().append(header::SET_COOKIE, value);
            }
            response
        }
        Err(problem) => refusal(&app, problem, &path),
    };
    if !is_api(&path)
        && let Some(problem) = response.extensions().get::<Problem>().cloned()
    {
        response = as_page(response.headers(), &problem);
    }
    headers::add(response.headers_mut(), framed, cookie::is_secure(&app.options));
    response
}

/// What the problem says, as a page; the headers of the answer stay.
fn as_page(headers: &HeaderMap, problem: &Problem) -> Response {
    let mut page = crate::pages::problem_page(problem);
    *page.status_mut() = problem.status;
    for (name, value) in headers {
        if !matches!(*name, header::CONTENT_TYPE | header::CONTENT_LENGTH) {
            page.headers_mut().append(name, value.clone());
        }
    }
    page
}

/// Somebody who could log in is shown where.
fn refusal(app: &App, problem: Problem, path: &str) -> Response {
    if problem.status != StatusCode::UNAUTHORIZED {
        return problem.into_response();
    }
    if !is_api(path) && path != "/metrics" && app.accounts.has_users().unwrap_or(true) {
        let next = url::form_urlencoded::escape(path);
        let place = HeaderValue::from_str(&format!("/login?next={next}"));
        let place = place.unwrap_or_else(|_| HeaderValue::from_static("/login"));
        return (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response();
    }
    let mut response = problem.into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"groma\""));
    response
}

fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || path == "/healthz"
}

async fn enter(app: &Arc<App>, request: Request) -> Result<(Request, Option<HeaderValue>), Problem> {
    if request.uri().to_string().len() > ADDRESS {
        return Err(Problem::new(StatusCode::URI_TOO_LONG, words::LONG_ADDRESS, words::LONG_ADDRESS_HINT));
    }
    let host = host::check(request.headers(), request.uri(), &app.options)?;
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let from = caller(app, &parts.headers, parts.extensions.get::<Caller>().copied().unwrap_or_default());
    let cookie = cookie::read(&parts.headers, &app.options);
    let mut visitor = who(app, &parts.headers, cookie.as_deref()).await?;
    visitor.from = from;
    // The login form, and the forms of a machine without users, need a browser that can be recognised.
    let wants_cookie = cookie.is_none()
        && parts.method == Method::GET
        && (visitor.right == Right::OpenDoor || path == "/login")
        && !path.starts_with("/assets/");
    let mut new_cookie = None;
    if wants_cookie {
        let value = secret::fresh()?;
        visitor.csrf = csrf::of_cookie(&value);
        new_cookie = Some(cookie::set(&app.options, &value, None));
    }
    may(app, &visitor, &parts.method, &path)?;
    let body = read_body(&parts.headers, body).await?;
    if !host::is_safe(&parts.method) && !matches!(visitor.right, Right::Token(_)) {
        check_change(app, &parts.headers, &host, &visitor, &body)?;
    }
    parts.extensions.insert(visitor);
    Ok((Request::from_parts(parts, Body::from(body)), new_cookie))
}

async fn who(app: &Arc<App>, headers: &HeaderMap, cookie: Option<&str>) -> Result<Visitor, Problem> {
    if let Some(sent) = headers.get(header::AUTHORIZATION) {
        let bad = || Problem::new(StatusCode::UNAUTHORIZED, words::BAD_TOKEN, words::BAD_TOKEN_HINT);
        let text = sent.to_str().map_err(|_| bad())?;
        let (scheme, token) = text.split_once(' ').ok_or_else(bad)?;
        let token = token.trim();
        if !scheme.eq_ignore_ascii_case("bearer") || !secret::is_one(token) {
            return Err(bad());
        }
        let token = token.to_owned();
        let found = app.work(move |app| Ok(app.accounts.token(&token, now())?)).await?.ok_or_else(bad)?;
        return Ok(Visitor {
            name: Some(found.name),
            role: Some(found.role),
            right: Right::Token(found.id),
            ..Visitor::default()
        });
    }
    if let Some(value) = cookie {
        let asked = value.to_owned();
        let entered = match app.accounts.remembered(value) {
            Some(entered) => entered,
            None => app.work(move |app| Ok(app.accounts.enter(&asked, now())?)).await?,
        };
        if let Some(entered) = entered {
            return Ok(Visitor {
                name: Some(entered.session.user),
                role: Some(entered.role),
                csrf: entered.session.csrf,
                right: Right::Session(entered.session.key),
                ..Visitor::default()
            });
        }
    }
    let csrf = cookie.map(csrf::of_cookie).unwrap_or_default();
    if app.is_open()? {
        return Ok(Visitor { role: Some(Role::Admin), csrf, right: Right::OpenDoor, ..Visitor::default() });
    }
    Ok(Visitor { csrf, ..Visitor::default() })
}

/// What is not named here is for those who came in, and changes are for admins: a handler cannot forget it.
fn may(app: &App, visitor: &Visitor, method: &Method, path: &str) -> Result<(), Problem> {
    let safe = host::is_safe(method);
    let for_all = match path {
        "/healthz" | "/favicon.ico" | "/robots.txt" => safe,
        "/login" => true,
        "/search" | "/api/v1/search" | "/api/v1/suggest" => safe && app.search_is_public(),
        _ => safe && path.starts_with("/assets/"),
    };
    if for_all {
        return Ok(());
    }
    if !visitor.may_see() {
        return Err(Problem::new(StatusCode::UNAUTHORIZED, words::LOG_IN, words::LOG_IN_HINT));
    }
    if !safe && !visitor.may_change() && !leaves_all_as_it_is(path) {
        return Err(Problem::forbidden(words::READERS_CHANGE_NOTHING, words::ASK_ADMIN));
    }
    Ok(())
}

/// What is sent here is tried out or ends a session; it changes nothing that others see.
fn leaves_all_as_it_is(path: &str) -> bool {
    let is_trial = || {
        let mut parts = path.strip_prefix("/sites/")?.split('/');
        let (_, page, _, act) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        (page == "databases" && matches!(act, "try" | "preview") && parts.next().is_none()).then_some(())
    };
    matches!(path, "/logout" | "/hel" | "/api/v1/hel") || is_trial().is_some()
}

fn check_change(
    app: &App,
    headers: &HeaderMap,
    host: &Authority,
    visitor: &Visitor,
    body: &[u8],
) -> Result<(), Problem> {
    if !host::is_from_here(headers, host, &app.options) {
        return Err(Problem::forbidden(words::FOREIGN_ORIGIN, words::FOREIGN_ORIGIN_HINT));
    }
    let sent = csrf::sent(headers, body);
    if visitor.csrf.is_empty() || !sent.is_some_and(|token| secret::same(&token, &visitor.csrf)) {
        return Err(Problem::forbidden(words::NO_CSRF, words::NO_CSRF_HINT));
    }
    Ok(())
}

async fn read_body(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Problem> {
    let long = || Problem::new(StatusCode::PAYLOAD_TOO_LARGE, words::LONG_BODY, words::LONG_BODY_HINT);
    let said = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if said.is_some_and(|length| length > BODY as u64) {
        return Err(long());
    }
    match tokio::time::timeout(BODY_TIME, to_bytes(body, BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes.to_vec()),
        Ok(Err(_)) => Err(long()),
        Err(_) => Err(Problem::new(StatusCode::REQUEST_TIMEOUT, words::SLOW_BODY, words::SLOW_BODY_HINT)),
    }
}

/// Behind a server of our own on this machine, it says who asks: the last address it was told.
fn caller(app: &App, headers: &HeaderMap, peer: Caller) -> Caller {
    if app.options.public_url.is_none() || !peer.0.to_canonical().is_loopback() {
        return peer;
    }
    let last = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    let last = last.and_then(|text| text.rsplit(',').next()).and_then(|text| text.trim().parse().ok());
    last.map_or(peer, Caller)
}
