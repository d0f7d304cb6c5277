//! Decisions about a site: taken, taken back, listed. The site is found again at once, so that what they change can be seen.

use groma_model::moment::rfc3339;
use groma_model::wording::{counted, grouped, plain};
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_store::bounds::DecisionKind;
use groma_tasks::bounds::{self, Decision};

use crate::Exit;
use crate::args::{OutputArgs, SiteArg};
use crate::output::{Format, Out, tell};
use crate::terminal::Terminal;

pub(super) fn run(kind: DecisionKind, subject: &str, page: bool, site: &SiteArg) -> Result<Exit, Fault> {
    let folder = place::find(site.store.store.as_deref())?;
    let start = bounds::site_meant(&folder, site.site.as_deref())?;
    let decision = bounds::decide(&folder, &start, kind, subject, page, &who())?;
    settle(&folder, site, &[decision])
}

pub(super) fn undo(number: Option<u64>, site: &SiteArg) -> Result<Exit, Fault> {
    let folder = place::find(site.store.store.as_deref())?;
    // A number says which site it is about.
    let start = match (number, &site.site) {
        (Some(_), None) => String::new(),
        _ => bounds::site_meant(&folder, site.site.as_deref())?,
    };
    let decision = bounds::undo(&folder, &start, number, &who())?;
    settle(&folder, site, &[decision])
}

/// Says what was decided, finds the site again, and says what became of it.
pub(super) fn settle(folder: &Folder, site: &SiteArg, decisions: &[Decision]) -> Result<Exit, Fault> {
    let mut out = Out::open(None)?;
    for decision in decisions {
        out.line(&decided(decision.id, decision.kind, &plain(&decision.subject), decision.pages))?;
    }
    let Some(start) = decisions.first().map(|decision| decision.site.clone()) else { return Ok(Exit::Fine) };
    match bounds::last(folder, Some(&start))? {
        None => out.line(&not_found_yet(&plain(&start)))?,
        Some(before) => match bounds::run(folder, &before.request, None, &mut Terminal::new(site.quiet)) {
            Ok(None) => return Ok(Exit::Interrupted),
            Ok(Some(found)) => {
                let (then, now) = (before.header.counts.r#in, found.header.counts.r#in);
                let undecided = found.header.counts.undecided;
                out.line(&became(&plain(&start), then.into(), now.into(), undecided.into()))?;
                found.header.warnings.iter().for_each(|warning| tell(&format!("note: {warning}")));
            }
            // It is put down all the same, and holds when the site can be found again.
            Err(fault) => tell(&format!("note: {}: {}", fault.says, fault.hint)),
        },
    }
    out.finish()?;
    Ok(Exit::Fine)
}

pub(super) fn list(site: &SiteArg, output: &OutputArgs) -> Result<Exit, Fault> {
    let folder = place::find(site.store.store.as_deref())?;
    let start = site.site.as_deref().map(|typed| bounds::site_meant(&folder, Some(typed))).transpose()?;
    // Whoever looks where there is no survey should hear of it.
    folder.read()?;
    let log = bounds::decisions(&folder, start.as_deref())?;
    let mut out = Out::open(output.output.as_deref())?;
    match output.format {
        Format::Json => log.iter().try_for_each(|row| out.json(row))?,
        Format::Csv => {
            out.csv(&["id", "site", "kind", "subject", "undoes", "at", "who", "holds"])?;
            for row in &log {
                let undoes = row.undoes.map_or_else(String::new, |of| of.to_string());
                let cells =
                    [&row.id.to_string(), &row.site, row.kind, &row.subject, &undoes, &rfc3339(row.at), &row.who];
                let cells = cells.into_iter().chain([if row.holds { "true" } else { "false" }]);
                out.csv(&cells.collect::<Vec<&str>>())?;
            }
        }
        Format::Text if log.is_empty() => out.line("nothing has been decided")?,
        Format::Text => {
            for row in &log {
                let what = match row.undoes {
                    Some(of) => format!("undo {of}"),
                    None => row.kind.to_owned(),
                };
                let line = format!("{:>5}  {}  {what:8}  {}", row.id, rfc3339(row.at), plain(&row.subject));
                let about = out.paint.faint(&format!("({})", plain(&row.site)));
                let line = if row.holds { line } else { out.paint.faint(&format!("{line}  {}", "(no longer)")) };
                out.line(&format!("{line}  {about}"))?;
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// Who decides: the name this account goes by, if it has one.
fn who() -> String {
    ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default()
}

fn decided(id: u64, kind: &str, subject: &str, pages: u64) -> String {
    match kind {
        "accept" | "reject" => {
            format!("{id}: {kind}ed {subject} ({} of the survey)", counted(pages, "page", "pages"))
        }
        "merge" => format!("{id}: the site of {subject} is a part of it"),
        _ => format!("{id}: taken back: {subject}"),
    }
}

fn became(start: &str, then: u64, now: u64, undecided: u64) -> String {
    format!(
        "the site of {start} has {} now (before: {}), {} undecided",
        counted(now, "page", "pages"),
        grouped(then),
        grouped(undecided)
    )
}

fn not_found_yet(start: &str) -> String {
    format!("it counts when the site is found: groma bounds {start}")
}
