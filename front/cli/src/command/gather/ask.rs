//! `groma gather URL`: the plan, the questions, the statement.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_crawl::{PageSeen, Progress};
use groma_model::wording::plain;
use groma_settings::{Fault, address, place};
use groma_store::Folder;
use groma_store::gathers::GatherId;
use groma_tasks::gather::{Closing, Form, Gathered, Planned, Request, Watch, export, gather};
use groma_tasks::task::scalar::Whole;
use indicatif::ProgressBar;
use serde_json::json;

use crate::Exit;
use crate::args::{AskArgs, TalkArgs};
use crate::output::{Format, Out, tell};
use crate::signals::on_signals;
use crate::survey::noting;
use crate::watch::bar;
use crate::wording::FINISHING;

/// A plan of fewer pages needs nobody's consent.
const SMALL: u64 = 100;
/// Values of an attribute that people are shown.
const SHOWN: usize = 5;

/// In which form the outcome is wanted; nothing: as text.
pub(super) fn form_of(args: &AskArgs) -> Result<Option<Form>, Fault> {
    match args.format.as_str() {
        "text" => Ok(None),
        name => Form::chosen(name).map(Some),
    }
}

pub(super) fn run(args: &AskArgs) -> Result<Exit, Fault> {
    let form = form_of(args)?;
    let task = &args.task;
    task.check()?;
    let read = address::read(task.url())?;
    let folder = place::of_seed(args.store.store.as_deref(), &read.url)?;
    let mut request = Request::new(folder.clone(), task, read, args.by.requester(), &mut noting(args.talk.quiet))?;
    let task = request.task.clone();
    let interrupt = on_signals()?;
    let mut out = Out::open(args.output.as_deref())?;
    let go = |request: &Request| {
        let format = if form.is_some() { Format::Json } else { Format::Text };
        let mut teller = Teller::new(format, &args.talk, &interrupt, request.task.budget.map(Whole::get));
        let result = gather(request, &mut teller, Arc::clone(&interrupt));
        teller.close();
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
        return Err(Fault::new(plain(why), gathered.hint));
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
    lines.push(groma_tasks::gather::wording::planned(planned.questions, planned.pages, planned.seconds));
    lines.push(format!("{} (--budget says otherwise)", groma_tasks::gather::wording::stops_after(planned.budget)));
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
pub(super) struct Teller {
    bar: ProgressBar,
    verbose: bool,
    quiet: bool,
    interrupt: Arc<AtomicBool>,
    said: bool,
    found: (u64, u64),
}

impl Teller {
    /// `most` requests at most, if there is such a limit.
    pub(super) fn new(format: Format, talk: &TalkArgs, interrupt: &Arc<AtomicBool>, most: Option<u64>) -> Teller {
        let bar = bar(format, talk);
        bar.set_length(most.unwrap_or(0));
        let interrupt = Arc::clone(interrupt);
        Teller { bar, verbose: talk.verbose, quiet: talk.quiet, interrupt, said: false, found: (0, 0) }
    }

    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}

impl groma_crawl::Watch for Teller {
    fn page(&mut self, page: &PageSeen<'_>) {
        if self.verbose {
            self.bar.suspend(|| tell(&format!("{} {}  {}", page.status, page.reason.says(), plain(page.title))));
        }
    }

    fn tick(&mut self, progress: &Progress) {
        if self.interrupt.load(Ordering::Relaxed) && !std::mem::replace(&mut self.said, true) && !self.quiet {
            self.bar.suspend(|| tell(FINISHING));
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
