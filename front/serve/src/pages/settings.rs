//! How is the server set? Users, tokens, who may search, and every setting with its origin.

mod people;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use groma_settings::{Book, Origin};
use groma_store::accounts::Role;

use super::layout::{Frame, short, show_as};
use super::wording::Moment;
use crate::app::App;
use crate::error::Problem;

/// `/settings` and its forms.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/settings", get(settings))
        .route("/settings/users", post(people::add_user))
        .route("/settings/users/change", post(people::change_user))
        .route("/settings/users/remove", post(people::remove_user))
        .route("/settings/tokens", post(people::add_token))
        .route("/settings/tokens/remove", post(people::remove_token))
        .route("/settings/search", post(people::open_search))
}

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage<'a> {
    frame: &'a Frame,
    whole: &'a Whole,
    /// A token that was just made: its name and its secret.
    token: Option<(&'a str, &'a str)>,
    problem: Option<&'a Problem>,
}

/// All there is to show.
struct Whole {
    users: Vec<Person>,
    tokens: Vec<Key>,
    entries: Vec<Entry>,
    config_problem: Option<String>,
    /// The command line lets everybody search.
    may_open: bool,
    /// And nobody has closed it since.
    open: bool,
    sites: Vec<String>,
    base: String,
    home: String,
    own: String,
    workers: usize,
    alone: bool,
}

struct Person {
    name: String,
    role: &'static str,
    since: Option<Moment>,
    me: bool,
}

struct Key {
    id: u64,
    name: String,
    role: &'static str,
    made: Option<Moment>,
    used: Option<Moment>,
    ends: Option<Moment>,
    expired: bool,
}

struct Entry {
    key: &'static str,
    value: String,
    origin: String,
    usual: bool,
    help: &'static str,
}

async fn settings(State(app): State<Arc<App>>, frame: Frame) -> Result<Response, Problem> {
    shown(&app, &frame, None, None).await
}

/// The page; after a mistake with what is wrong, and once with the secret of a new token.
async fn shown(
    app: &Arc<App>,
    frame: &Frame,
    token: Option<(&str, &str)>,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let me = frame.user.clone();
    let admin = frame.admin;
    let whole = app.work(move |app| read(app, me.as_deref(), admin)).await?;
    let page = SettingsPage { frame, whole: &whole, token, problem };
    Ok(show_as(problem.map_or(StatusCode::OK, |problem| problem.status), &page))
}

fn read(app: &App, me: Option<&str>, admin: bool) -> Result<Whole, Problem> {
    let (mut users, mut tokens) = (Vec::new(), Vec::new());
    if admin {
        let mut desk = app.accounts.desk();
        users = desk.users()?;
        tokens = desk.tokens()?;
    }
    let (entries, config_problem) = match Book::gather(&[], app.options.config.as_deref(), None) {
        Ok(book) => (entries(&book), None),
        Err(fault) => (Vec::new(), Some(format!("{} ({})", fault.says, fault.hint))),
    };
    let base = match &app.options.public_url {
        Some(url) => url.to_string(),
        None => format!("http://{}/", app.options.listen),
    };
    Ok(Whole {
        users: users
            .into_iter()
            .map(|user| Person {
                me: me == Some(user.name.as_str()),
                role: user.role.name(),
                since: Moment::at(user.made_at),
                name: user.name,
            })
            .collect(),
        tokens: tokens
            .into_iter()
            .map(|token| Key {
                id: token.id,
                role: token.role.name(),
                made: Moment::at(token.made_at),
                used: Moment::at(token.last_used),
                ends: token.expires_at.and_then(Moment::at),
                expired: token.expires_at.is_some_and(|ends| ends <= crate::app::now()),
                name: token.name,
            })
            .collect(),
        entries,
        config_problem,
        may_open: app.options.public_search,
        open: app.search_is_public(),
        sites: app.sites.all().iter().map(|site| site.name.clone()).collect(),
        base,
        home: app.options.home.display().to_string(),
        own: app.options.own.join(", "),
        workers: app.options.workers,
        alone: app.options.is_private(),
    })
}

/// Secrets are masked, as on the command line.
fn entries(book: &Book) -> Vec<Entry> {
    let entry = |entry: &groma_settings::Entry| Entry {
        key: &entry.row.key,
        value: short(&entry.row.kind.masked(&entry.value).shown(), 300),
        origin: entry.origin.to_string(),
        usual: entry.origin == Origin::Default,
        help: entry.row.help,
    };
    book.entries.iter().map(entry).collect()
}

/// A role as a form names it.
fn role(word: &str) -> Result<Role, Problem> {
    Role::named(word).ok_or_else(|| Problem::bad("there is no such role", "roles are reader and admin"))
}
