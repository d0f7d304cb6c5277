//! Who may come in? Users and tokens, added, changed and removed; and whether anybody may search.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use groma_store::accounts::Role;

use super::{role, shown};
use crate::app::App;
use crate::door::{Form, people};
use crate::error::Problem;
use crate::pages::layout::{Frame, done};
use crate::pages::words;

impl From<people::PeopleError> for Problem {
    fn from(error: people::PeopleError) -> Problem {
        let status = match &error {
            people::PeopleError::Taken(_) => StatusCode::CONFLICT,
            people::PeopleError::Missing(_) => StatusCode::NOT_FOUND,
            people::PeopleError::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        };
        Problem::new(status, error.to_string(), error.hint())
    }
}

/// A user as a form brings it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Typed {
    name: String,
    role: String,
    password: String,
    again: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TypedToken {
    name: String,
    role: String,
    days: String,
    /// Ticked: it does not expire.
    never: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct AccountForm {
    id: u64,
    name: String,
    open: String,
}

/// The page again, with what is wrong; or on to the page that says it is done.
async fn ended(app: &Arc<App>, frame: &Frame, ended: Result<&'static str, Problem>) -> Result<Response, Problem> {
    match ended {
        Ok(code) => Ok(done("/settings", code, 0)),
        Err(problem) => shown(app, frame, None, Some(&problem)).await,
    }
}

pub(super) async fn add_user(
    State(app): State<Arc<App>>,
    frame: Frame,
    Form(typed): Form<Typed>,
) -> Result<Response, Problem> {
    let added = app.work(move |app| {
        if typed.password != typed.again {
            return Err(Problem::bad(words::PASSWORDS_DIFFER, words::PASSWORDS_HINT));
        }
        let user = people::made(typed.name.trim(), role(&typed.role)?, &typed.password)?;
        let mut desk = app.accounts.desk();
        // The first user takes over from nobody: without an admin nobody could change anything any more.
        if user.role != Role::Admin && desk.users()?.is_empty() {
            return Err(Problem::bad(
                "the first user must be an admin",
                "otherwise nobody could change anything; add readers after that",
            ));
        }
        people::add_to(&mut desk, &user)?;
        Ok("user-added")
    });
    let added = added.await;
    ended(&app, &frame, added).await
}

pub(super) async fn change_user(
    State(app): State<Arc<App>>,
    frame: Frame,
    Form(typed): Form<Typed>,
) -> Result<Response, Problem> {
    let me = frame.user.as_deref() == Some(typed.name.as_str());
    let changed = app
        .work(move |app| {
            if typed.password != typed.again {
                return Err(Problem::bad(words::PASSWORDS_DIFFER, words::PASSWORDS_HINT));
            }
            let user = people::made(&typed.name, role(&typed.role)?, &typed.password)?;
            let mut desk = app.accounts.desk();
            if user.role != Role::Admin {
                last_admin(&desk.users()?, &user.name)?;
            }
            if desk.replace_user(&user)? { Ok(()) } else { Err(people::PeopleError::Missing(user.name).into()) }
        })
        .await;
    ended(&app, &frame, changed.map(|()| if me { "password-changed" } else { "user-changed" })).await
}

pub(super) async fn remove_user(
    State(app): State<Arc<App>>,
    frame: Frame,
    Form(which): Form<AccountForm>,
) -> Result<Response, Problem> {
    let removed = app.work(move |app| {
        let mut desk = app.accounts.desk();
        last_admin(&desk.users()?, &which.name)?;
        if desk.remove_user(&which.name)? {
            Ok("user-gone")
        } else {
            Err(people::PeopleError::Missing(which.name).into())
        }
    });
    let removed = removed.await;
    ended(&app, &frame, removed).await
}

/// Somebody must be able to change things.
fn last_admin(users: &[groma_store::accounts::User], leaving: &str) -> Result<(), Problem> {
    let stays = users.iter().any(|user| user.role == Role::Admin && user.name != leaving);
    let was_one = users.iter().any(|user| user.role == Role::Admin && user.name == leaving);
    if stays || !was_one {
        Ok(())
    } else {
        Err(Problem::conflict("this is the last admin", "make somebody else an admin first"))
    }
}

/// Makes a token and shows its secret, this once: there is no other page that could.
pub(super) async fn add_token(
    State(app): State<Arc<App>>,
    frame: Frame,
    Form(typed): Form<TypedToken>,
) -> Result<Response, Problem> {
    let name = typed.name.trim().to_owned();
    let made = app
        .work(move |app| {
            let days = people::token_days(if typed.never.is_empty() { &typed.days } else { "never" })?;
            let (token, secret) = people::new_token(typed.name.trim(), role(&typed.role)?, days)?;
            match app.accounts.desk().add_token(&token)? {
                Some(_) => Ok(secret),
                None => Err(Problem::new(
                    StatusCode::CONFLICT,
                    "there is a token of this name already",
                    "choose another name, or revoke the one there is",
                )),
            }
        })
        .await;
    match made {
        Ok(secret) => shown(&app, &frame, Some((&name, &secret)), None).await,
        Err(problem) => shown(&app, &frame, None, Some(&problem)).await,
    }
}

pub(super) async fn remove_token(
    State(app): State<Arc<App>>,
    frame: Frame,
    Form(which): Form<AccountForm>,
) -> Result<Response, Problem> {
    let removed = app.work(move |app| {
        let gone = app.accounts.desk().remove_token(which.id)?;
        if gone { Ok("token-gone") } else { Err(Problem::missing("there is no such token")) }
    });
    let removed = removed.await;
    ended(&app, &frame, removed).await
}

/// Whether anybody may search: only ever narrower than the command line says.
pub(super) async fn open_search(
    State(app): State<Arc<App>>,
    frame: Frame,
    Form(which): Form<AccountForm>,
) -> Result<Response, Problem> {
    let open = which.open == "1";
    let set = app.work(move |app| {
        if open && !app.options.public_search {
            return Err(Problem::forbidden(words::SEARCH_CLOSED, "start it with `groma serve --public-search`"));
        }
        app.close_search(!open)?;
        Ok(if open { "search-open" } else { "search-closed" })
    });
    let set = set.await;
    ended(&app, &frame, set).await
}
