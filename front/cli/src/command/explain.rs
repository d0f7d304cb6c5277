//! `groma explain`: everything about one URL, and why. What is said to people is said to programs too.

mod links;

use groma_model::wording::plain;
use groma_model::{DataFault, DataItem};
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, place};
use groma_tasks::explain::{Explanation, Window, explain};

use crate::Exit;
use crate::args::ExplainArgs;
use crate::output::{Format, Out};

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let mut store = folder.read()?;
    let saved = Saved::load(&mut store)?.unwrap_or_default();
    let mut book = Book::gather(&args.set.given()?, args.set.config.as_deref(), Some(&saved))?;
    let settings = Settings::from_book(&mut book)?;
    let explanation = explain(&mut store, &settings, &saved, &args.url, Window::default())?.with_outside(&folder)?;
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => out.json(&explanation)?,
        Format::Csv => {
            out.csv(&["key", "value"])?;
            pairs(&explanation).iter().try_for_each(|(key, value)| out.csv(&[*key, value.as_str()]))?;
        }
        Format::Text => print(&explanation, &mut out)?,
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// What is said in a line each.
fn pairs(explanation: &Explanation) -> Vec<(&'static str, String)> {
    let mut pairs = vec![("URL", explanation.canonical.clone())];
    let how = if explanation.robots.allowed == Some(false) { "linked as" } else { "fetched as" };
    pairs.extend(explanation.fetched_as.iter().map(|url| (how, url.clone())));
    let state = match (explanation.state, explanation.reason) {
        (Some(state), Some(reason)) => format!("{state} ({reason}): {}", explanation.says),
        _ => explanation.says.clone(),
    };
    pairs.push(("state", state));
    pairs.push(("next step", explanation.hint.clone()));
    if let Some(since) = &explanation.since {
        pairs.push(("since", since.clone()));
    }
    if explanation.queued {
        pairs.push(("queue", "it waits for its turn".to_owned()));
    }
    pairs.push(("scope", explanation.scope.says.clone()));
    pairs.push(("robots.txt", explanation.robots.says.clone()));
    if explanation.known {
        let depth = explanation.depth.map_or("loose: no link leads to it".to_owned(), |depth| depth.to_string());
        pairs.push(("depth", depth));
    }
    if let Some(kind) = explanation.via_kind {
        pairs.push(("found by", format!("a link of kind {kind}")));
    }
    pairs.extend(explanation.learned.iter().map(|rule| ("learned", rule.says())));
    pairs
}

fn print(explanation: &Explanation, out: &mut Out) -> std::io::Result<()> {
    for (key, value) in pairs(explanation) {
        out.line(&format!("{} {}", out.paint.heading(&format!("{key:12}")), plain(&value)))?;
    }
    let steps = explanation.steps.iter().map(|step| format!("{}: {}", step.what, step.url_after));
    print_list(out, "rules", steps)?;
    print_list(out, "way here", explanation.chain.iter().cloned())?;
    print_list(out, "leads to", explanation.redirects.iter().cloned())?;
    if let Some(fetch) = &explanation.last_fetch {
        print_list(out, "last fetch", fetch.lines().into_iter())?;
    }
    if let Some(data) = &explanation.structured {
        print_list(out, "structured data", data.items.iter().map(DataItem::says))?;
        print_list(out, "faults of structured data", data.faults.iter().map(DataFault::says))?;
    }
    print_list(out, "databases", explanation.databases.iter().map(ToString::to_string))?;
    match &explanation.links {
        Some(links) => links::print(links, out),
        None => Ok(()),
    }
}

fn print_list(out: &mut Out, name: &str, lines: impl Iterator<Item = String>) -> std::io::Result<()> {
    for (at, line) in lines.enumerate() {
        if at == 0 {
            out.line(&out.paint.heading(name))?;
        }
        out.line(&format!("  {:2}. {}", at + 1, plain(&line)))?;
    }
    Ok(())
}
