//! `groma gather URL`: the plan, the questions, the statement.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use serde_json::json;

use groma_crawl::{PageSeen, Progress};
use groma_desk::gather::{Closing, Form, Gathered, Planned, Request, Watch, export, gather};
use groma_desk::task::scalar::Whole;
use groma_desk::{Fault, address, place, words};
use groma_model::wording::plain;
use groma_store::Folder;
use groma_store::gathers::GatherId;

use crate::Exit;
use crate::args::AskArgs;
use crate::output::{Format, Out, tell};
use crate::survey::{noting, on_signals};
use crate::watch::bar;

/// A plan of fewer pages needs nobody's consent.
const SMALL: u64 = 100;
/// Values of an attribute that people are shown.
const SHOWN: usize = 5;

pub(super) fn run(args: &AskArgs) -> Result<Exit, Fault> {
    let form = match args.format.as_str() {
        "text" => None,
        name => Some(Form::named(name).ok_or_else(|| Fault::new(words::no_such_form(name), words::GATHER_FORMS))?),
    };
    let task = &args.task;
    if task.url().is_empty() {
        return Err(Fault::new(words::NO_DATABASE, words::NO_DATABASE_HINT));
    }
    let read = address::read(task.url())?;
    let folder = place::of_seed(args.store.store.as_deref(), &read.url)?;
    let mut request = Request::new(folder.clone(), task, read, args.by.requester(), &mut noting(args.talk.quiet))?;
    let task = request.task.clone();
    let interrupt = on_signals()?;
    let mut out = Out::open(args.output.as_deref())?;
    let go = |request: &Request| {
        let format = if form.is_some() { Format::Json } else { Format::Text };
        let bar = bar(format, &args.talk);
        bar.set_length(request.task.budget.map_or(0, Whole::get));
        let (verbose, quiet) = (args.talk.verbose, args.talk.quiet);
        let mut teller = Teller { bar, verbose, quiet, interrupt: Arc::clone(&interrupt), said: false, found: (0, 0) };
        let result = gather(request, &mut teller, Arc::clone(&interrupt));
        teller.bar.finish_and_clear();
        result
    };
    let asks = !task.plan && !args.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    if asks {
        request.task.plan = true;
        let first = go(&request)?;
        request.task.plan = false;
        if !consents(&first) {
            return Ok(Exit::Fine);
        }
    }
    let gathered = go(&request)?;
    let closing = &gathered.closing;
    match form {
        _ if gathered.fault.is_some() => {}
        Some(Form::Json) if task.plan => out.json(&json!({ "plan": gathered.planned, "statement": closing }))?,
        Some(Form::Json) => whole(&folder, closing, &mut out)?,
        Some(form) => drop(export(&folder, GatherId(closing.id), form, out.writer())?),
        None => print(&gathered, &folder, task.plan, &mut out)?,
    }
    out.finish()?;
    if let Some(why) = &gathered.fault {
        return Err(Fault::new(plain(why), words::NO_DATABASE_HINT));
    }
    if form.is_some() && !args.talk.quiet {
        tell(&plain(&closing.says));
    }
    Ok(match closing.end {
        "interrupted" => Exit::Interrupted,
        "budget" => Exit::Limit,
        _ if closing.rows == 0 && closing.values == 0 && !task.plan => Exit::Nothing,
        _ => Exit::Fine,
    })
}

/// Shows the plan and asks whether it will do.
fn consents(first: &Gathered) -> bool {
    let Some(planned) = &first.planned else { return true };
    let pages = planned.pages.or(planned.questions).map_or(u64::MAX, |(_, most)| most);
    if pages <= SMALL || first.fault.is_some() {
        return true;
    }
    for line in plan_lines(planned) {
        tell(&line);
    }
    tell("go? [y/N] ");
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn plan_lines(planned: &Planned) -> Vec<String> {
    let mut lines =
        vec![format!("form {} of the page, {} to {}", planned.form, planned.method, plain(&planned.action))];
    for field in &planned.fields {
        let values = field.values.map(|count| format!(", {count} values")).unwrap_or_default();
        lines.push(format!("  {}: {}{values}", plain(&field.name), field.kind));
    }
    if planned.tokens {
        lines.push("  the form holds tokens: it is fetched anew before each question".to_owned());
    }
    if let Some(total) = planned.total {
        lines.push(format!("the first answer speaks of {total} records"));
    }
    lines.push(words::planned(planned.questions, planned.pages, planned.seconds));
    lines
}

/// The whole as one object; where it has not come to its end, with the statement so far.
fn whole(folder: &Folder, closing: &Closing, out: &mut Out) -> Result<(), Fault> {
    let mut bytes = Vec::new();
    export(folder, GatherId(closing.id), Form::Json, &mut bytes)?;
    let mut object: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    object["statement"] = json!(closing);
    Ok(out.json(&object)?)
}

fn print(gathered: &Gathered, folder: &Folder, plan: bool, out: &mut Out) -> Result<(), Fault> {
    let closing = &gathered.closing;
    if plan && let Some(planned) = &gathered.planned {
        for line in plan_lines(planned) {
            out.line(&line)?;
        }
        return Ok(());
    }
    let mut gathers = folder.gathers()?;
    let id = GatherId(closing.id);
    let title = gathers.gather(id)?.map(|row| row.title).unwrap_or_default();
    let head = out.paint.heading(&plain(&title));
    out.line(&format!("{head}  {}", closing.degree.unwrap_or_default()))?;
    for (attribute, count) in gathers.attributes(id)? {
        let values = gathers.values(id, &attribute, 0, SHOWN)?;
        let more = if count as usize > values.len() { ", …" } else { "" };
        let name = out.paint.heading(&format!("{:16}", plain(&attribute)));
        out.line(&format!("{name} {count:6}  {}{more}", plain(&values.join(", "))))?;
    }
    out.line(&plain(&closing.says))?;
    if let (Some(queries), Some(pages)) = (closing.least_queries, closing.least_pages) {
        out.line(&format!("no method needs fewer than {queries} questions and {pages} pages"))?;
    }
    for reason in &closing.reasons {
        out.line(&format!("  not certified because {}", plain(reason)))?;
    }
    for note in &closing.notes {
        out.line(&out.paint.faint(&format!("  note: {}", plain(note))))?;
    }
    let store = folder.shown().display().to_string();
    out.line(&out.paint.faint(&format!("groma gather export --store {store} -f json|jsonl|csv|soif -o FILE")))?;
    Ok(())
}

/// A bar on stderr: requests, records.
struct Teller {
    bar: ProgressBar,
    verbose: bool,
    quiet: bool,
    interrupt: Arc<AtomicBool>,
    said: bool,
    found: (u64, u64),
}

impl groma_crawl::Watch for Teller {
    fn page(&mut self, page: &PageSeen<'_>) {
        if self.verbose {
            self.bar.suspend(|| tell(&format!("{} {}  {}", page.status, page.reason.says(), plain(page.title))));
        }
    }

    fn tick(&mut self, progress: &Progress) {
        if self.interrupt.load(Ordering::Relaxed) && !std::mem::replace(&mut self.said, true) && !self.quiet {
            self.bar.suspend(|| tell(words::FINISHING));
        }
        self.bar.set_position(progress.fetches);
        let (records, values) = self.found;
        self.bar.set_message(format!(
            "{} requests  {records} records  {values} values  {} to ask",
            progress.fetches, progress.queued
        ));
    }

    fn notice(&mut self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| tell(&plain(line)));
        }
    }
}

impl Watch for Teller {
    fn found(&mut self, records: u64, values: u64) {
        self.found = (records, values);
    }
}
