//! How is a login made? The page is fetched, its form filled in as a browser would, sent once, and the answer followed to where
//! it leads: always on the site of the login page, never elsewhere.
//!
//! Hidden fields (tokens against forgery, places to return to) go along as they stand; so does the first button that has a name. Boxes
//! and choices that were not named stay as they are: unticked. The error of a login says what was wrong, never what was sent.

use groma_model::page::Form;
use groma_model::{Method, Outcome, Request, Response};
use groma_url::Url;
use groma_url::form_urlencoded::Serializer;

use super::signs::has_fields;
use super::{Login, Session, Wire, bare};
use crate::ask::trusts;

/// Logs in. Gives the URL that it led to, or says why not.
pub(super) async fn log_in(session: &Session, wire: &impl Wire) -> Result<Url, String> {
    let login = &session.login;
    let (at, answer) = follow(session, wire, Request::get(login.page.clone())).await?;
    let page = session.signs.read(&at, &answer, true);
    let forms = page.map(|page| page.forms).unwrap_or_default();
    // Cookies of a file may have been enough.
    if forms.is_empty() && login.done.is_some() && session.signs.is_in(login, &at, &Outcome::Answer(answer)) {
        return Ok(at);
    }
    let form = choose(&forms, login)?;
    let request = filled(form, login, &at)?;
    let (landing, answer) = follow(session, wire, request).await?;
    let status = answer.status;
    if session.signs.is_in(login, &landing, &Outcome::Answer(answer)) {
        return Ok(landing);
    }
    let missing = if login.done.is_some() { "what `done` names is not there" } else { "the form is shown again" };
    let why = if status >= 400 { format!("status {status}") } else { missing.to_owned() };
    Err(format!("the login at {} was refused: {why}", bare(&login.page)))
}

/// The form that is meant.
fn choose<'f>(forms: &'f [Form], login: &Login) -> Result<&'f Form, String> {
    let names: Vec<String> = login.fields.iter().map(|field| field.name.clone()).collect();
    let page = bare(&login.page);
    let form = match login.form {
        Some(number) => forms
            .get(number.wrapping_sub(1))
            .ok_or_else(|| format!("{page} has no form {number}: it has {}", forms.len()))?,
        None => forms.iter().find(|form| has_fields(form, &names)).ok_or_else(|| {
            let known: Vec<&str> =
                forms.iter().flat_map(|form| &form.fields).map(|field| field.name.as_str()).collect();
            format!("no form of {page} has the fields {}; there are: {}", names.join(", "), listed(&known))
        })?,
    };
    if let Some(name) = names.iter().find(|name| !form.fields.iter().any(|field| field.name == **name)) {
        let known: Vec<&str> = form.fields.iter().map(|field| field.name.as_str()).collect();
        return Err(format!("the form of {page} has no field {name}; it has: {}", listed(&known)));
    }
    Ok(form)
}

/// A few names of fields, for people.
fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.iter().take(20).copied().collect::<Vec<_>>().join(", ") }
}

/// The request that the form makes once it is filled in. `from`: where it stands.
fn filled(form: &Form, login: &Login, from: &Url) -> Result<Request, String> {
    let action = from.join(&form.action).map_err(|_| format!("the form of {} leads nowhere", bare(&login.page)))?;
    if !trusts(&login.page, &action) {
        let host = action.host_str().unwrap_or_default();
        return Err(format!("the form of {} leads to another site, {host}, where nothing is sent", bare(&login.page)));
    }
    let mut pairs = Serializer::new(String::new());
    let mut pressed = false;
    for field in &form.fields {
        if let Some(own) = login.fields.iter().find(|own| own.name == field.name) {
            if own.in_sight && field.kind == "password" {
                return Err(format!("the field {} is a password, and its value stands in the settings", field.name));
            }
            pairs.append_pair(&field.name, &own.value.0);
            continue;
        }
        match field.kind.as_str() {
            "checkbox" | "radio" | "button" | "reset" | "image" | "file" => {}
            "submit" if pressed => {}
            "submit" => {
                pressed = true;
                pairs.append_pair(&field.name, &field.value);
            }
            _ => drop(pairs.append_pair(&field.name, &field.value)),
        }
    }
    let data = pairs.finish();
    let request = if form.method == "post" {
        Request::post(action, "application/x-www-form-urlencoded", data)
    } else {
        let mut asked = action;
        asked.set_query(Some(&data));
        Request::get(asked)
    };
    // Guards against forged requests look at these.
    Ok(request.with("Referer", bare(from)).with("Origin", from.origin().ascii_serialization()))
}

/// Asks, and follows redirects as long as they stay on the site.
async fn follow(session: &Session, wire: &impl Wire, first: Request) -> Result<(Url, Box<Response>), String> {
    let mut request = first;
    for _ in 0..=session.limits.redirects {
        let answer = session.ask(wire, &request).await?;
        let Some(to) = answer.location().and_then(|place| request.url.join(place.trim()).ok()) else {
            return Ok((request.url, answer));
        };
        if !trusts(&session.login.page, &to) {
            let host = to.host_str().unwrap_or_default();
            return Err(format!("the login at {} leads to another site, {host}", bare(&session.login.page)));
        }
        let repeats = matches!(answer.status, 307 | 308);
        request = if repeats { Request { url: to, ..request } } else { Request::get(to) };
        if request.method == Method::Get {
            request.headers.clear();
        }
    }
    Err(format!("the login at {} is redirected without end", bare(&session.login.page)))
}
