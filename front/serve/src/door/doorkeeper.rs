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
use super::{cookie, csrf, forwarded, headers, host, login, secret};
use crate::app::{App, now};
use crate::error::Problem;
use crate::server::seats::Seat;
use crate::words;

/// Bytes a request may bring along.
const BODY: usize = 256 * 1024;
/// How long it may take to bring them.
const BODY_TIME: Duration = Duration::from_secs(15);
/// Letters a URL may have.
const ADDRESS: usize = 8 * 1024;

/// Lets a request in, or not; and sees to what the answer tells the browser.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let target = request.uri().path_and_query().map_or_else(|| path.clone(), |whole| whole.as_str().to_owned());
    // A form that was sent cannot be sent again by following a link: its page can be opened.
    let target = if host::is_safe(request.method()) { target } else { path.clone() };
    let embedded = request.uri().query().is_some_and(|query| query.split('&').any(|pair| pair == "embed=1"));
    let framed = app.search_is_public() && path == "/search" && embedded;
    let mut response = match enter(&app, request).await {
        Ok(Entrance::Turned(response)) => response,
        Ok(Entrance::Open(request, new_cookie)) => {
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
        Err(problem) => refusal(&app, problem, &path, &target),
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

/// What became of a request at the door.
enum Entrance {
    /// It goes on to its handler; its answer may set this cookie.
    Open(Request, Option<HeaderValue>),
    /// It was answered here.
    Turned(Response),
}

/// Somebody who could log in is shown where, and led on to what they asked for.
fn refusal(app: &App, problem: Problem, path: &str, target: &str) -> Response {
    if problem.status != StatusCode::UNAUTHORIZED {
        return problem.into_response();
    }
    let has_users = app.accounts.has_users().unwrap_or(true);
    let is_page = !is_api(path) && path != "/metrics";
    if is_page && (has_users || problem.detail == words::LOG_IN) {
        if !has_users && app.takes_key().unwrap_or(false) {
            // The last user may have been removed a moment ago.
            let _ = app.start.url();
        }
        let next = groma_url::form_urlencoded::escape(target);
        let place = HeaderValue::from_str(&format!("/login?next={next}"));
        let place = place.unwrap_or_else(|_| HeaderValue::from_static("/login"));
        return (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response();
    }
    let problem = if has_users { problem } else { without_users(app, problem) };
    let mut response = problem.into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"groma\""));
    response
}

/// Where nobody can log in, the start URL is named. (Its key may be missing if the last user was removed a moment ago.)
fn without_users(app: &App, problem: Problem) -> Problem {
    if app.takes_key().unwrap_or(false) {
        let _ = app.start.url();
    }
    if problem.detail != words::LOG_IN {
        return problem;
    }
    Problem::new(
        problem.status,
        "this server has no users: it opens with its start URL or a token",
        words::no_key_hint(app.options.listen),
    )
}

fn is_api(path: &str) -> bool {
    path.starts_with("/api/") || path == "/healthz"
}

async fn enter(app: &Arc<App>, request: Request) -> Result<Entrance, Problem> {
    if request.uri().to_string().len() > ADDRESS {
        return Err(Problem::new(StatusCode::URI_TOO_LONG, "the URL is too long", "keep it below 8,000 letters"));
    }
    let peer = request.extensions().get::<Caller>().copied().unwrap_or_default();
    let from = forwarded::caller(&app.options, request.headers(), peer)?;
    let host = host::check(request.headers(), request.uri(), &app.options)?;
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let cookie = cookie::read(&parts.headers, &app.options);
    let mut visitor = who(app, &parts.headers, cookie.as_deref()).await?;
    visitor.from = from;
    let seat = parts.extensions.get::<Arc<Seat>>().cloned();
    if parts.method == Method::GET
        && !is_api(&path)
        && let Some((key, rest)) = parts.uri.query().and_then(start_key)
    {
        seat.iter().for_each(|seat| seat.work());
        return by_start_url(app, &visitor, &key, &format!("{path}{rest}")).await.map(Entrance::Turned);
    }
    // The login form needs a browser that can be recognised.
    let wants_cookie = cookie.is_none() && parts.method == Method::GET && path == "/login";
    let mut new_cookie = None;
    if wants_cookie {
        let value = secret::fresh()?;
        visitor.csrf = csrf::of_cookie(&value);
        new_cookie = Some(cookie::set(&app.options, &value, None));
    }
    may(app, &visitor, &parts.method, &path)?;
    let body = read_body(&parts.headers, body).await?;
    seat.iter().for_each(|seat| seat.work());
    if !host::is_safe(&parts.method) && !matches!(visitor.right, Right::Token(_)) {
        check_change(app, &parts.headers, &host, &visitor, &body)?;
    }
    parts.extensions.insert(visitor);
    Ok(Entrance::Open(Request::from_parts(parts, Body::from(body)), new_cookie))
}

/// The key in a query, and the query without it.
fn start_key(query: &str) -> Option<(String, String)> {
    let is_key = |pair: &&str| pair.strip_prefix("key=").is_some_and(secret::is_one);
    let key = query.split('&').find(is_key)?.strip_prefix("key=")?.to_owned();
    let rest: Vec<&str> = query.split('&').filter(|pair| !is_key(pair)).collect();
    Some((key, if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) }))
}

/// A browser that brings the start key gets a session, and is led on without the key.
async fn by_start_url(app: &Arc<App>, visitor: &Visitor, key: &str, place: &str) -> Result<Response, Problem> {
    let place = HeaderValue::from_str(super::inward(place)).unwrap_or_else(|_| HeaderValue::from_static("/"));
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response();
    // Who is in already needs no key, and where there are users the way leads to the login.
    if visitor.may_see() || !app.takes_key()? {
        return Ok(response);
    }
    let used = || Problem::new(StatusCode::UNAUTHORIZED, words::KEY_USED, words::no_key_hint(app.options.listen));
    let cookie = login::start_session(app, key).await?.ok_or_else(used)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

async fn who(app: &Arc<App>, headers: &HeaderMap, cookie: Option<&str>) -> Result<Visitor, Problem> {
    if let Some(sent) = headers.get(header::AUTHORIZATION) {
        let bad = || {
            Problem::new(
                StatusCode::UNAUTHORIZED,
                "the token is not known, was revoked or has expired",
                "make a new one in the settings or with `groma user token NAME`, and send it as `Authorization: Bearer TOKEN`",
            )
        };
        let text = sent.to_str().map_err(|_| bad())?;
        let (scheme, token) = text.split_once(' ').ok_or_else(bad)?;
        let token = token.trim();
        if !scheme.eq_ignore_ascii_case("bearer") || !secret::is_one(token) {
            return Err(bad());
        }
        if app.start.is(token) && app.takes_key()? {
            return Ok(Visitor { role: Some(Role::Admin), right: Right::Token(0), ..Visitor::default() });
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
        // The session of nobody by name holds as long as there is nobody by name.
        if let Some(entered) = entered
            && (!entered.session.user.is_empty() || app.takes_key()?)
        {
            return Ok(Visitor {
                name: Some(entered.session.user).filter(|name| !name.is_empty()),
                role: Some(entered.role),
                csrf: entered.session.csrf,
                right: Right::Session(entered.session.key),
                ..Visitor::default()
            });
        }
    }
    let csrf = cookie.map(csrf::of_cookie).unwrap_or_default();
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
        return Err(Problem::new(
            StatusCode::UNAUTHORIZED,
            words::LOG_IN,
            "log in at /login, or send a token as `Authorization: Bearer TOKEN`",
        ));
    }
    if !safe && !visitor.may_change() && !leaves_all_as_it_is(path) {
        return Err(Problem::forbidden("a reader sees everything and changes nothing", words::ASK_ADMIN));
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
        return Err(Problem::forbidden(
            "this was sent by a page of another site",
            "open the page here and send it again; programs use a token instead",
        ));
    }
    let sent = csrf::sent(headers, body);
    if visitor.csrf.is_empty() || !sent.is_some_and(|token| secret::same(&token, &visitor.csrf)) {
        return Err(Problem::forbidden(
            "the form is too old, or was not shown to this browser",
            "load the page again; programs send a bearer token, or the `csrf` of /api/v1/me as X-Csrf-Token",
        ));
    }
    Ok(())
}

async fn read_body(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Problem> {
    let long = || Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "what was sent is too long", words::LONG_BODY_HINT);
    let said = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if said.is_some_and(|length| length > BODY as u64) {
        return Err(long());
    }
    match tokio::time::timeout(BODY_TIME, to_bytes(body, BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes.to_vec()),
        Ok(Err(_)) => Err(long()),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "what was sent took too long to arrive",
            "send it within 15 seconds",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_taken_out_of_the_query_and_nothing_else() {
        let key = "0123456789abcdef".repeat(4);
        let taken = |query: String| start_key(&query);
        assert_eq!(taken(format!("key={key}")), Some((key.clone(), String::new())));
        assert_eq!(taken(format!("q=a%26b&key={key}&page=2")), Some((key.clone(), "?q=a%26b&page=2".into())));
        for other in ["", "q=x", "key=", "key=short", &format!("akey={key}"), &format!("key={key}0")] {
            assert_eq!(taken(other.to_owned()), None, "{other}");
        }
    }
}
