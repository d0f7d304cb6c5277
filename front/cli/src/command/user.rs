//! `groma user`: who may use the web interface, and tokens for programs.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use groma_model::moment::rfc3339;
use groma_model::wording::{counted, plain};
use groma_serve::people::{self, PeopleError, Role, TokenInfo};
use groma_settings::Fault;
use serde_json::json;

use crate::Exit;
use crate::args::{UserArgs, UserCommand};
use crate::output::{Format, Out, tell};

/// Longer than this no password is.
const LONGEST: u64 = 4096;

pub(crate) fn run(args: &UserArgs) -> Result<Exit, Fault> {
    let home = args.home.home.as_path();
    let role = |reader: bool| if reader { Role::Reader } else { Role::Admin };
    match &args.what {
        None => list(home, args)?,
        Some(UserCommand::Add { name, reader }) => {
            let password = password()?;
            let changed = people::all(home).map_err(|error| told(&error))?.iter().any(|(known, _)| known == name);
            let made = if changed { people::change } else { people::add };
            made(home, name, role(*reader), &password).map_err(|error| told(&error))?;
        }
        Some(UserCommand::Remove { name }) => people::remove(home, name).map_err(|error| told(&error))?,
        Some(UserCommand::Token { name, reader, expires }) => {
            let days = people::token_days(expires).map_err(|error| told(&error))?;
            let secret = people::make_token(home, name, role(*reader), days).map_err(|error| told(&error))?;
            let mut out = Out::open(None)?;
            out.line(&secret)?;
            out.finish()?;
            tell(&format!(
                "note: {}; it {}",
                "this is shown once; send it as `Authorization: Bearer TOKEN`",
                token_expires(days)
            ));
        }
        Some(UserCommand::Revoke { name }) => people::revoke(home, name).map_err(|error| told(&error))?,
    }
    Ok(Exit::Fine)
}

fn told(error: &PeopleError) -> Fault {
    Fault::new(error.to_string(), error.hint())
}

/// From the environment, or the first line of stdin: a command line can be read by others.
fn password() -> Result<String, Fault> {
    if let Ok(password) = std::env::var("GROMA_PASSWORD")
        && !password.is_empty()
    {
        return Ok(password);
    }
    if std::io::stdin().is_terminal() {
        tell("type the password and press Enter (it is shown while you type; or pipe it in)");
    }
    let mut line = String::new();
    let mut stdin = std::io::Read::take(std::io::stdin().lock(), LONGEST);
    stdin.read_line(&mut line).map_err(|error| Fault::of_input("stdin", &error))?;
    let password = line.trim_end_matches(['\r', '\n']).to_owned();
    if password.is_empty() {
        Err(Fault::new("the password is empty", "write it to stdin, or set GROMA_PASSWORD"))
    } else {
        Ok(password)
    }
}

fn list(home: &Path, args: &UserArgs) -> Result<(), Fault> {
    let mut out = Out::open(args.output.output.as_deref())?;
    let users = people::all(home).map_err(|error| told(&error))?;
    let tokens = people::tokens(home).map_err(|error| told(&error))?;
    let users = users.iter().map(|(name, role)| ("user", name, role, String::new()));
    let expires = |token: &TokenInfo| token.expires_at.map_or_else(|| "never".to_owned(), rfc3339);
    let tokens = tokens.iter().map(|token| ("token", &token.name, &token.role, expires(token)));
    let rows: Vec<_> = users.chain(tokens).collect();
    match args.output.format {
        Format::Json => {
            for (kind, name, role, expires) in rows {
                let mut row = json!({ "kind": kind, "name": name, "role": role.name() });
                if kind == "token" {
                    row["expires"] = json!(expires);
                }
                out.json(&row)?;
            }
        }
        Format::Csv => {
            out.csv(&["kind", "name", "role", "expires"])?;
            for (kind, name, role, expires) in &rows {
                out.csv(&[kind, name.as_str(), role.name(), expires.as_str()])?;
            }
        }
        Format::Text => {
            if rows.iter().all(|(kind, ..)| *kind != "user") {
                out.line("no users: `groma serve` prints a URL that opens it, and answers on this machine only")?;
            }
            for (kind, name, role, expires) in rows {
                let line = format!("{kind:6} {:24} {:6} ", plain(name), role.name());
                let when = if kind == "token" { format!("expires {expires}") } else { String::new() };
                out.line(format!("{line}{when}").trim_end())?;
            }
        }
    }
    Ok(out.finish()?)
}

/// Of a token: when it expires.
fn token_expires(days: Option<u32>) -> String {
    match days {
        Some(days) => format!("expires after {}", counted(days.into(), "day", "days")),
        None => "never expires: revoke it when it is not needed any more".to_owned(),
    }
}
