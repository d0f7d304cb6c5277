//! `groma check --list`: the checks there are.

use groma_check::{Family, Kind, Options, Profile};
use groma_settings::Fault;
use groma_tasks::check::Form;
use serde_json::json;

use crate::Exit;
use crate::args::CheckArgs;
use crate::output::Out;

/// So few are told with all that is known of them.
const IN_FULL: usize = 3;

/// Lists those that `--only` and `--skip` leave, as text or JSON Lines.
pub(super) fn list(args: &CheckArgs) -> Result<Exit, Fault> {
    let kinds: Vec<Kind> = args.task.options(Options::default()).kinds.iter().collect();
    let mut out = Out::open(args.output.as_deref())?;
    match args.format {
        Form::Json => kinds.iter().try_for_each(|kind| out.line(&as_json(*kind).to_string()))?,
        Form::Text if kinds.len() <= IN_FULL => kinds.iter().try_for_each(|kind| in_full(*kind, &mut out))?,
        Form::Text => by_family(&kinds, &mut out)?,
        _ => {
            return Err(Fault::new(
                "the list of checks is text or JSON Lines".to_owned(),
                "groma check --list -f json",
            ));
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn as_json(kind: Kind) -> serde_json::Value {
    let definition = kind.definition();
    let profiles: Vec<&str> = profiles(kind).collect();
    json!({
        "name": definition.name,
        "severity": definition.severity.name(),
        "family": definition.family.headline(),
        "profiles": profiles,
        "headline": definition.headline,
        "help": definition.help,
        "next": definition.next_step,
        "example": { "fault": definition.example.fault, "fine": definition.example.fine },
    })
}

fn profiles(kind: Kind) -> impl Iterator<Item = &'static str> {
    Profile::ALL
        .iter()
        .filter(move |profile| **profile != Profile::All && profile.has(kind))
        .map(|profile| profile.name())
}

fn by_family(kinds: &[Kind], out: &mut Out) -> std::io::Result<()> {
    let paint = out.paint;
    for family in Family::ALL {
        let members: Vec<Kind> = kinds.iter().copied().filter(|kind| kind.definition().family == family).collect();
        if members.is_empty() {
            continue;
        }
        out.line(&paint.heading(family.headline()))?;
        for kind in members {
            out.line(&format!("  {:24} {:8} {}", kind.name(), kind.severity().name(), paint.faint(kind.says())))?;
        }
    }
    out.line("")?;
    let names: Vec<String> =
        Profile::ALL.iter().map(|profile| format!("{} ({})", profile.name(), profile.kinds().iter().count())).collect();
    out.line(&format!("Profiles: {}", names.join(", ")))?;
    out.line("Everything about one: groma check --list --only NAME. Thresholds: groma config | grep ^check")
}

fn in_full(kind: Kind, out: &mut Out) -> std::io::Result<()> {
    let paint = out.paint;
    let definition = kind.definition();
    out.line(&paint.heading(&format!("{} ({})", definition.name, definition.severity.name())))?;
    out.line(&format!("  {}", definition.headline))?;
    out.line(&format!("  {}", definition.help))?;
    out.line(&format!("  next: {}", definition.next_step))?;
    let profiles: Vec<&str> = profiles(kind).collect();
    if !profiles.is_empty() {
        out.line(&format!("  profiles: {}", profiles.join(", ")))?;
    }
    for (title, example) in [("  has it:", definition.example.fault), ("  has not:", definition.example.fine)] {
        if !example.is_empty() {
            out.line(title)?;
            example.lines().try_for_each(|line| out.line(&paint.faint(&format!("    {line}"))))?;
        }
    }
    Ok(())
}
