//! `groma diff A B`: what differs between two surveys, in pages, links, structure and findings.

use std::collections::BTreeMap;
use std::path::Path;

use groma_model::wording::{grouped, plain};
use groma_settings::Fault;
use groma_store::{Folder, Snapshot};
use groma_survey_graph::compare::{Difference, DifferenceKind, compare};
use groma_tasks::changes::incomplete_side;

use crate::Exit;
use crate::args::OutputArgs;
use crate::output::{Format, Out, tell};

/// Differences of a kind shown to people; programs get all.
const SHOWN: u64 = 15;

pub(super) fn run(a: &Path, b: &Path, output: &OutputArgs) -> Result<Exit, Fault> {
    compare_both(&mut Folder::new(a).read()?, &mut Folder::new(b).read()?, output)
}

/// Says what differs between two open surveys, the older one first.
pub(super) fn compare_both(
    older: &mut dyn Snapshot,
    newer: &mut dyn Snapshot,
    output: &OutputArgs,
) -> Result<Exit, Fault> {
    let mut out = Out::open(output.output.as_deref())?;
    let mut counts: BTreeMap<DifferenceKind, u64> = BTreeMap::new();
    if output.format == Format::Csv {
        out.csv(&["change", "url", "to", "before", "detail"])?;
    }
    let sides = compare(older, newer, &mut |difference| {
        let count = counts.entry(difference.change).or_default();
        *count += 1;
        match output.format {
            Format::Json => out.json(difference),
            Format::Csv => {
                let to = difference.to.as_deref().unwrap_or_default();
                let before = difference.before.as_deref().unwrap_or_default();
                out.csv(&[difference.change.name(), &difference.url, to, before, &difference.detail])
            }
            Format::Text if *count <= SHOWN => out.line(&line(difference)),
            Format::Text => Ok(()),
        }
    })?;
    if let (Some(a), Some(b)) = (&sides.a.origin, &sides.b.origin) {
        tell(&format!("note: {}", other_host(a, b)));
    }
    for (name, side) in [("older", &sides.a), ("newer", &sides.b)] {
        let unread = side.graph.unread();
        if unread > 0 || side.graph.horizon.is_some() {
            tell(&format!("note: {}", incomplete_side(name, unread)));
        }
    }
    if output.format == Format::Text {
        print_counts(&counts, &mut out)?;
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn line(difference: &Difference) -> String {
    let to = difference.to.as_deref().map(|to| format!(" -> {}", plain(to))).unwrap_or_default();
    let before = difference.before.as_deref().map(|url| before(&plain(url))).unwrap_or_default();
    let detail = &difference.detail;
    let detail = if detail.is_empty() { String::new() } else { format!("  ({})", plain(detail)) };
    format!("{:16} {}{to}{before}{detail}", difference.change.name(), plain(&difference.url))
}

fn print_counts(counts: &BTreeMap<DifferenceKind, u64>, out: &mut Out) -> Result<(), Fault> {
    if counts.is_empty() {
        return Ok(out.line("no difference")?);
    }
    out.line("")?;
    for kind in DifferenceKind::ALL {
        let count = counts.get(kind).copied().unwrap_or(0);
        let more = if count > SHOWN { shown_of(SHOWN) } else { String::new() };
        out.line(&format!("{:>9}  {}{}", grouped(count), kind.name(), out.paint.faint(&more)))?;
    }
    Ok(())
}

fn other_host(a: &str, b: &str) -> String {
    format!("the surveys are of different hosts: URLs are compared without {a} and {b}")
}

fn shown_of(shown: u64) -> String {
    format!("  (the first {shown} above; all with -f csv)")
}

fn before(url: &str) -> String {
    format!(", before: {url}")
}
