//! `groma map --why URL`: why a page stands where it stands on the map, for people and programs.

use groma_model::PageId;
use groma_model::wording::{grouped, plain};
use groma_settings::Fault;
use groma_tasks::map::wording::CANDIDATES;
use groma_tasks::map::{Form, Grown, Why, why};

use crate::Exit;
use crate::args::MapArgs;
use crate::output::Out;

/// Candidates people see; programs get all.
const SHOWN: usize = 15;

pub(super) fn run(args: &MapArgs, grown: &Grown, page: PageId) -> Result<Exit, Fault> {
    let why = why(&grown.graph, &grown.tree, page.0);
    let mut out = Out::open(args.output.as_deref())?;
    match args.format {
        Form::Json => out.json(&why)?,
        Form::Text => print(&why, &mut out)?,
        _ => return Err(Fault::new("--why answers as text or JSON", "use -f text or -f json")),
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn print(why: &Why<'_>, out: &mut Out) -> Result<(), Fault> {
    out.line(&out.paint.heading(&plain(why.url)))?;
    out.line(&why.says)?;
    if let (Some(layer), Some(rank)) = (why.layer, why.rank) {
        out.line("")?;
        out.line(&format!("{:12}{layer}", "depth"))?;
        out.line(&format!("{:12}{rank:.6}", "rank"))?;
        for (at, url) in why.way.iter().enumerate() {
            out.line(&format!("{:12}{}{}", if at == 0 { "way" } else { "" }, "  ".repeat(at.min(20)), plain(url)))?;
        }
    }
    if !why.candidates.is_empty() {
        out.line("")?;
        out.line(&out.paint.heading(CANDIDATES))?;
        for (at, candidate) in why.candidates.iter().take(SHOWN).enumerate() {
            let mark = if at == 0 { "parent" } else { "" };
            out.line(&format!("{mark:8}{:>12.6}  {}", candidate.rank, plain(candidate.url)))?;
        }
        let more = why.candidates.len().saturating_sub(SHOWN);
        if more > 0 {
            out.line(&format!("{:8}and {} more: -f json", "", grouped(more as u64)))?;
        }
    }
    Ok(())
}
