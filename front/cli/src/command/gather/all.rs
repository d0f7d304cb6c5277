//! `groma gather --all`: every database of the survey that described itself or was allowed.

use std::sync::Arc;

use groma_settings::{Fault, place};
use groma_tasks::gather::wording::{ONLY_JSON_OF_ALL, ONLY_JSON_OF_ALL_HINT};
use groma_tasks::gather::{AllDatabases, Form};
use serde_json::json;

use super::ask::{Teller, form_of};
use crate::Exit;
use crate::args::AskArgs;
use crate::output::{Format, Out};
use crate::signals::on_signals;

pub(super) fn run(args: &AskArgs) -> Result<Exit, Fault> {
    let form = form_of(args)?;
    if form.is_some_and(|form| form != Form::Json) {
        return Err(Fault::new(ONLY_JSON_OF_ALL, ONLY_JSON_OF_ALL_HINT));
    }
    let task = &args.task;
    task.check()?;
    let folder = place::find(args.store.store.as_deref())?;
    let requester = args.by.requester();
    let all = AllDatabases::of_survey(&folder, task, &requester)?;
    let interrupt = on_signals()?;
    let mut out = Out::open(args.output.as_deref())?;
    let format = if form.is_some() { Format::Json } else { Format::Text };
    let mut teller = Teller::new(format, &args.talk, &interrupt, None);
    let done = all.gather(&folder, &requester, &mut teller, &Arc::clone(&interrupt));
    teller.close();
    match format {
        Format::Json => out.json(&json!(done))?,
        _ => {
            for line in done.lines() {
                out.line(&line)?;
            }
            out.line(&done.outcome().to_string())?;
        }
    }
    out.finish()?;
    Ok(match () {
        () if done.interrupted => Exit::Interrupted,
        () if !done.failed.is_empty() => Exit::Findings,
        () if done.gathered.iter().any(|one| one.statement.end == "budget") => Exit::Limit,
        () if done.gathered.is_empty() => Exit::Nothing,
        () => Exit::Fine,
    })
}
