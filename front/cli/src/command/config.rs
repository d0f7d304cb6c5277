//! `groma config`: every setting with its value and origin.

use groma_model::url::Rule;
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, place, usable};
use groma_tasks::notify::Ways;
use serde::Serialize;

use crate::Exit;
use crate::args::ConfigArgs;
use crate::output::{Format, Out, tell};

#[derive(Serialize)]
struct Whole {
    settings: Vec<SettingRow>,
    rules: Vec<RuleRow>,
    personal: Vec<PersonalRow>,
}

/// A login or a header field, without its secrets.
#[derive(Serialize)]
struct PersonalRow {
    key: String,
    value: String,
    origin: String,
}

#[derive(Serialize)]
struct SettingRow {
    key: &'static str,
    value: serde_json::Value,
    default: bool,
    origin: String,
    variable: String,
    help: &'static str,
}

#[derive(Serialize)]
struct RuleRow {
    rule: Rule,
    origin: String,
}

pub(crate) fn run(args: &ConfigArgs) -> Result<Exit, Fault> {
    let saved = match &args.store {
        Some(store) => Saved::load(&mut place::find(Some(store))?.read()?)?,
        None => None,
    };
    let mut book = Book::gather(&args.settings.overrides.given(), args.settings.by.config.as_deref(), saved.as_ref())?;
    let settings = Settings::from_book(&mut book)?;
    usable::check(&settings, &book)?;
    for note in &book.notes {
        tell(&format!("note: {note}"));
    }
    // Only a note: the secrets may stand in the environment of whoever does the jobs.
    if let Err(fault) = Ways::from_book(&book, &|name| std::env::var(name).ok()) {
        tell(&format!("note: {}; {}", fault.says, fault.hint));
    }
    let shown = |entry: &groma_settings::Entry| entry.row.kind.masked(&entry.value);
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => {
            let settings = book.entries.iter().map(|entry| SettingRow {
                key: &entry.row.key,
                value: shown(entry).json(),
                default: entry.origin == groma_settings::Origin::Default,
                origin: entry.origin.to_string(),
                variable: entry.row.variable(),
                help: entry.row.help,
            });
            let rules =
                book.rules.iter().map(|(rule, origin)| RuleRow { rule: rule.clone(), origin: origin.to_string() });
            let (settings, rules) = (settings.collect(), rules.collect());
            out.json(&Whole { settings, rules, personal: personal(&book) })?;
        }
        Format::Csv => {
            out.csv(&["key", "value", "origin", "variable", "help"])?;
            for entry in &book.entries {
                let row = entry.row;
                out.csv(&[&row.key, &shown(entry).shown(), &entry.origin.to_string(), &row.variable(), row.help])?;
            }
            for (at, (rule, origin)) in book.rules.iter().enumerate() {
                let rule = serde_json::to_string(rule).unwrap_or_default();
                out.csv(&[&format!("rule.{}", at + 1), &rule, &origin.to_string(), "", "a URL rule"])?;
            }
            for row in personal(&book) {
                out.csv(&[&row.key, &row.value, &row.origin, "", "a login, or a header field for one host"])?;
            }
        }
        Format::Text => print(&book, &mut out)?,
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// The login and the header fields for single hosts: where their secrets come from, and whether they are there.
fn personal(book: &Book) -> Vec<PersonalRow> {
    let variables = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut rows = Vec::new();
    if let Some(login) = &book.personal.login {
        let origin = login.origin.to_string();
        let row = |(key, value)| PersonalRow { key, value, origin: origin.clone() };
        rows.extend(login.shown(&variables).into_iter().map(row));
    }
    for (at, header) in book.personal.headers.iter().enumerate() {
        let (key, value) = (format!("header.{}", at + 1), header.shown(&variables));
        rows.push(PersonalRow { key, value, origin: header.origin.to_string() });
    }
    rows
}

/// Columns; a value too long for its column pushes its own origin aside and no other.
fn print(book: &Book, out: &mut Out) -> std::io::Result<()> {
    for entry in &book.entries {
        let value = entry.row.kind.masked(&entry.value).shown();
        let origin = out.paint.faint(&format!("# {}", entry.origin));
        out.line(&format!("{:28} = {value:24} {origin}", entry.row.key))?;
    }
    for (at, (rule, origin)) in book.rules.iter().enumerate() {
        let origin = out.paint.faint(&format!("# {origin}"));
        let key = format!("rule.{}", at + 1);
        out.line(&format!("{key:28} = {} {origin}", serde_json::to_string(rule).unwrap_or_default()))?;
    }
    for row in personal(book) {
        out.line(&format!("{:28} = {:24} {}", row.key, row.value, out.paint.faint(&format!("# {}", row.origin))))?;
    }
    Ok(())
}
