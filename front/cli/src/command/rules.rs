//! `groma rules`: the URL rules, written and learned; `groma rules test`: what they make of a URL, step by step.

use std::path::Path;

use groma_model::wording::plain;
use groma_settings::meaning::Settings;
use groma_settings::{Book, Fault, place};
use groma_store::{Folder, Snapshot};
use groma_tasks::rules::{InForce, try_out};
use groma_tasks::standing::LearnedRule;
use serde_json::json;

use crate::Exit;
use crate::args::{OutputArgs, RulesArgs, RulesCommand, SetArgs};
use crate::output::{Format, Out};

pub(crate) fn run(args: &RulesArgs) -> Result<Exit, Fault> {
    match &args.what {
        None => list(args),
        Some(RulesCommand::Test { urls, store, output, set }) => {
            let store = store.store.as_deref().or(args.store.store.as_deref());
            // Flags are taken before `test` and behind it.
            let mut output = output.clone();
            if output.format == Format::Text {
                output.format = args.output.format;
            }
            output.output = output.output.or_else(|| args.output.output.clone());
            let mut both = args.set.clone();
            both.set.extend(set.set.iter().cloned());
            both.config = set.config.clone().or(both.config);
            test(urls, store, &output, &both)
        }
    }
}

/// The rules in force: those of groma.toml, else those of the survey.
fn in_force(folder: Option<&Folder>, set: &SetArgs) -> Result<InForce, Fault> {
    let mut survey = folder.map(Folder::read).transpose()?;
    let survey = survey.as_mut().map(|survey| survey as &mut dyn Snapshot);
    InForce::read(survey, &set.given()?, set.config.as_deref())
}

fn list(args: &RulesArgs) -> Result<Exit, Fault> {
    let folder = place::find_any(args.store.store.as_deref())?;
    let InForce { book, settings, learned: known, .. } = in_force(folder.as_ref(), &args.set)?;
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => {
            let written = book.rules.iter().map(|(rule, origin)| json!({"rule": rule, "origin": origin.to_string()}));
            let written: Vec<_> = written.collect();
            out.json(&json!({"written": written, "noise": settings.noise, "learned": known}))?;
        }
        Format::Csv => {
            out.csv(&["source", "pattern", "parameter", "standing", "evidence", "example"])?;
            for (rule, origin) in &book.rules {
                let text = serde_json::to_string(rule).unwrap_or_default();
                out.csv(&["written", &rule.to_string(), "", "applied", &origin.to_string(), &text])?;
            }
            for name in &settings.noise {
                out.csv(&["noise", "*", name, "applied", "", ""])?;
            }
            for rule in &known {
                let [pattern, parameter, standing, evidence, example] = rule.cells();
                out.csv(&["learned", &pattern, &parameter, &standing, &evidence, &example])?;
            }
        }
        Format::Text => print(&book, &settings, &known, &mut out)?,
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn print(book: &Book, settings: &Settings, known: &[LearnedRule], out: &mut Out) -> std::io::Result<()> {
    out.line(&out.paint.heading("written rules"))?;
    if book.rules.is_empty() {
        out.line("  none ([[rule]] tables in groma.toml)")?;
    }
    for (at, (rule, origin)) in book.rules.iter().enumerate() {
        let origin = out.paint.faint(&format!("# {origin}"));
        out.line(&format!("  {}. {}  {origin}", at + 1, serde_json::to_string(rule).unwrap_or_default()))?;
    }
    out.line("")?;
    out.line(&out.paint.heading("noise"))?;
    out.line(&format!("  {}", if settings.noise.is_empty() { "none".to_owned() } else { settings.noise.join(" ") }))?;
    out.line("")?;
    out.line(&out.paint.heading("learned rules"))?;
    if known.is_empty() {
        out.line("  none")?;
    }
    for rule in known {
        out.line(&format!("  {}", rule.says()))?;
        if !rule.example().is_empty() {
            out.line(&format!("      {}", out.paint.faint(&plain(rule.example()))))?;
        }
    }
    Ok(())
}

fn test(urls: &[String], store: Option<&Path>, output: &OutputArgs, set: &SetArgs) -> Result<Exit, Fault> {
    // The rules can be tried without a survey, and between several.
    let folder = if store.is_some() { place::find_any(store)? } else { place::find_any(None).unwrap_or_default() };
    let canonizer = in_force(folder.as_ref(), set)?.settings.canonizer();
    let mut out = Out::open(output.output.as_deref())?;
    if output.format == Format::Csv {
        out.csv(&["url", "step", "what", "url_after"])?;
    }
    for typed in urls {
        let tried = try_out(&canonizer, typed)?;
        let steps = &tried.steps;
        match output.format {
            Format::Json => out.json(&tried)?,
            Format::Csv => {
                for (at, step) in steps.iter().enumerate() {
                    out.csv(&[typed.as_str(), &(at + 1).to_string(), &step.what, &step.url_after])?;
                }
            }
            Format::Text => {
                out.line(&out.paint.heading(&plain(typed)))?;
                for (at, step) in steps.iter().enumerate() {
                    out.line(&format!("{:3}. {}", at + 1, plain(&step.what)))?;
                    out.line(&format!("     {}", plain(&step.url_after)))?;
                }
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}
