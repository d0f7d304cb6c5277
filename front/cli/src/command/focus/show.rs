//! The focused crawls of a survey, and their pages as a file.

use groma_model::moment::rfc3339;
use groma_model::wording::{counted, plain};
use groma_settings::{Fault, place};
use groma_store::focuses::{FocusId, FocusRow};
use groma_tasks::focus::wording::{NO_FOCUS_HINT, NO_SUCH_FOCUS_HINT, no_such_focus};
use groma_tasks::focus::{Closing, Form, export as write};
use serde_json::json;

use super::meant;
use crate::Exit;
use crate::args::{FocusExportArgs, OutputArgs, StoreArg};
use crate::output::{Format, Out, tell};
use crate::wording::NO_FOCUS;

pub(super) fn list(store: &StoreArg, output: &OutputArgs) -> Result<Exit, Fault> {
    let folder = place::find(store.store.as_deref())?;
    let rows = match folder.focuses_if_any()? {
        Some(mut focuses) => focuses.focuses()?,
        None => Vec::new(),
    };
    let mut out = Out::open(output.output.as_deref())?;
    if output.format == Format::Csv {
        out.csv(&["id", "topic", "strategy", "fetched", "relevant", "harvest", "end", "last"])?;
    }
    for row in &rows {
        let FocusRow { id, topic, strategy, steps, relevant, end, .. } = row;
        let (harvest, last) = (Closing::rate(*relevant, *steps), rfc3339(row.last));
        match output.format {
            Format::Json => out.json(&json!({
                "id": id.0, "topic": topic, "strategy": strategy, "fetched": steps, "relevant": relevant,
                "harvest": harvest, "end": end, "last": last,
            }))?,
            Format::Csv => {
                let numbers = [id.0.to_string(), steps.to_string(), relevant.to_string(), harvest.to_string()];
                let [id, steps, relevant, harvest] = &numbers;
                out.csv(&[id, topic, strategy, steps, relevant, harvest, end, &last])?;
            }
            Format::Text => {
                let end = if end.is_empty() { "not ended" } else { end };
                let found = format!("{relevant} of {steps} relevant, harvest {:.1} %", harvest * 100.0);
                let head = out.paint.heading(&format!("{:3}", id.0));
                out.line(&format!("{head}  {strategy:14} {found:40} {end:20} {}", plain(topic)))?;
            }
        }
    }
    if rows.is_empty() && output.format == Format::Text {
        tell(&format!("{}; {}", NO_FOCUS, NO_FOCUS_HINT));
    }
    out.finish()?;
    Ok(Exit::Fine)
}

pub(super) fn export(args: &FocusExportArgs) -> Result<Exit, Fault> {
    let form = Form::chosen(&args.format)?;
    let (folder, _, row) = meant(&args.which)?;
    let mut out = Out::open(args.output.as_deref())?;
    let (pages, without) = write(&folder, row.id, form, args.all, out.writer())?;
    out.finish()?;
    if let Some(file) = &args.output {
        tell(&exported(pages, without, &file.display().to_string()));
    } else if without > 0 {
        tell(&exported(pages, without, "-"));
    }
    Ok(Exit::Fine)
}

pub(super) fn forget(number: u64, store: &StoreArg) -> Result<Exit, Fault> {
    let folder = place::find(store.store.as_deref())?;
    let there = match folder.focuses_if_any()? {
        Some(mut focuses) => focuses.forget(FocusId(number))?,
        None => false,
    };
    if there { Ok(Exit::Fine) } else { Err(Fault::new(no_such_focus(number), NO_SUCH_FOCUS_HINT)) }
}

fn exported(pages: u64, without: u64, place: &str) -> String {
    let pages = counted(pages, "page", "pages");
    match without {
        0 => format!("{pages} in {place}"),
        _ => format!("{pages} in {place}, {without} of them left out: the survey has no bytes of them"),
    }
}
