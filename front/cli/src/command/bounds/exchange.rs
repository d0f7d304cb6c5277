//! Sites that were found, and their prefixes on the way to and from other programs.

use std::path::Path;

use groma_model::moment::rfc3339;
use groma_model::wording::{grouped, plain};
use groma_settings::{Fault, place};
use groma_tasks::bounds::wording::{NO_SITE_YET, surt_untold};
use groma_tasks::bounds::{self, Site};
use serde_json::json;

use super::decide::settle;
use super::find::read;
use crate::Exit;
use crate::args::{OutputArgs, SiteArg, StoreArg};
use crate::output::{Format, Out, tell};

/// Lists the sites that were found.
pub(super) fn sites(store: &StoreArg, output: &OutputArgs) -> Result<Exit, Fault> {
    let folder = place::find(store.store.as_deref())?;
    folder.read()?;
    let sites: Vec<Site> = bounds::kept(&folder)?;
    let mut out = Out::open(output.output.as_deref())?;
    match output.format {
        Format::Json => {
            for Site { header, stale, .. } in &sites {
                let mut row = serde_json::to_value(header).map_err(std::io::Error::from)?;
                row["stale"] = json!(stale);
                out.json(&row)?;
            }
        }
        Format::Csv => {
            out.csv(&["start", "found_at", "method", "epsilon", "in", "undecided", "stale"])?;
            for Site { header, stale, .. } in &sites {
                let counts = [header.counts.r#in, header.counts.undecided].map(|count| count.to_string());
                let (at, epsilon) = (rfc3339(header.at), header.epsilon.to_string());
                let stale = if *stale { "true" } else { "false" };
                out.csv(&[&header.start, &at, &header.method, &epsilon, &counts[0], &counts[1], stale])?;
            }
        }
        Format::Text if sites.is_empty() => out.line(NO_SITE_YET)?,
        Format::Text => {
            out.line(&out.paint.heading(&format!("{:>9} {:>9}  {:9} {}", "pages", "undecided", "method", "start")))?;
            for Site { header, stale, .. } in &sites {
                let counts = [header.counts.r#in, header.counts.undecided].map(|count| grouped(count.into()));
                let note = if *stale { "the survey has changed since" } else { "" };
                let line = format!("{:>9} {:>9}  {:9} {}", counts[0], counts[1], header.method, plain(&header.start));
                out.line(&format!("{line}  {}", out.paint.faint(note)))?;
            }
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

/// Writes the prefixes of a site as SURT.
pub(super) fn export(site: &SiteArg, output: Option<&Path>) -> Result<Exit, Fault> {
    let folder = place::find(site.store.store.as_deref())?;
    let start = bounds::site_meant(&folder, site.site.as_deref())?;
    let (text, untold) = bounds::export(&folder, &start)?;
    let mut out = Out::open(output)?;
    out.writer().write_all(text.as_bytes())?;
    out.finish()?;
    if !untold.is_empty() {
        tell(&format!("note: {}", surt_untold(&untold)));
    }
    Ok(Exit::Fine)
}

/// Takes a list of SURT prefixes as decisions.
pub(super) fn import(file: &Path, site: &SiteArg) -> Result<Exit, Fault> {
    let folder = place::find(site.store.store.as_deref())?;
    let text = read(file)?;
    let start = bounds::site_meant(&folder, site.site.as_deref())?;
    let (decisions, notes) = bounds::import(&folder, &start, &text, "")?;
    notes.iter().for_each(|note| tell(&format!("note: {note}")));
    settle(&folder, site, &decisions)
}
