//! `groma verify`: is everything of a survey what was written, and does it agree? Exit code 1 if there are errors, or if something was lost.

use groma_model::wording::{counted, plain};
use groma_settings::{Fault, place};
use groma_tasks::verify::{self, Repair, Verified};
use serde_json::json;

use crate::Exit;
use crate::args::VerifyArgs;
use crate::output::{Format, Out, tell};
use crate::signals::on_signals;

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let done = match args.repair {
        true => verify::repair(&folder, on_signals()?.as_ref())?,
        false => Repair { after: verify::look(&folder)?, ..Repair::default() },
    };
    let Repair { restored, lost, queued, after: Verified { report, notes } } = &done;
    for note in notes {
        tell(&format!("note: {}", plain(note)));
    }
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => {
            let mut answer = json!({
                "urls": report.addresses,
                "links": report.links,
                "wrong": report.wrong,
                "errors": report.complaints,
            });
            if args.repair {
                answer["restored"] = json!(restored);
                answer["lost"] = json!(lost);
                answer["queued"] = json!(queued);
            }
            out.json(&answer)?;
        }
        Format::Csv => {
            out.csv(&["error"])?;
            for error in report.complaints.iter().chain(lost) {
                out.csv(&[error])?;
            }
        }
        Format::Text => text(&done, &mut out)?,
    }
    out.finish()?;
    if args.repair && *queued > 0 {
        tell(&format!("hint: {}", "`groma crawl` fetches what is queued"));
    } else if !args.repair && report.wrong > 0 {
        tell(&format!("hint: {}", "`groma verify --repair` restores what it can and names what is lost"));
    }
    Ok(if report.wrong == 0 && lost.is_empty() { Exit::Fine } else { Exit::Findings })
}

fn text(done: &Repair, out: &mut Out) -> Result<(), Fault> {
    let lists = [("restored:", &done.restored), (LOST, &done.lost)];
    for (heading, lines) in lists.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        out.line(heading)?;
        for line in lines {
            out.line(&format!("  {}", plain(line)))?;
        }
    }
    let report = &done.after.report;
    if report.wrong == 0 {
        out.line(&verified(report.addresses, report.links))?;
        return Ok(());
    }
    out.line(&found_wrong(report.wrong, report.addresses, report.links))?;
    for error in &report.complaints {
        out.line(&format!("  {}", plain(error)))?;
    }
    Ok(())
}

fn verified(addresses: u64, links: u64) -> String {
    format!("{} and {} checked: all well", counted(addresses, "URL", "URLs"), counted(links, "link", "links"))
}

fn found_wrong(wrong: u64, addresses: u64, links: u64) -> String {
    format!(
        "{} in {} and {}",
        counted(wrong, "error", "errors"),
        counted(addresses, "URL", "URLs"),
        counted(links, "link", "links")
    )
}

const LOST: &str = "lost:";
