//! `groma focus TOPIC --seed URL`: the crawl itself, with its harvest as it comes.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_crawl::{End, Progress};
use groma_model::wording::plain;
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_tasks::crawl::first_failure;
use groma_tasks::focus::wording::focus_ended;
use groma_tasks::focus::{Closing, Line, Watch, focus, requested};
use groma_tasks::task;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::Exit;
use crate::args::{GoArgs, TalkArgs};
use crate::command::crawl::{read_seeds, saved_with};
use crate::output::{Format, Out, tell};
use crate::signals::on_signals;
use crate::survey::noting;
use crate::watch::bar;
use crate::wording::FINISHING;

#[derive(Serialize)]
struct Last<'a> {
    focus: &'a Closing,
}

pub(super) fn run(args: &GoArgs) -> Result<Exit, Fault> {
    let task::Task::Focus(task) = task::Task::Focus(args.task.clone()).checked()? else { return Ok(Exit::Nothing) };
    let folder = match (&args.store.store, read_seeds(&task.seeds, true)?.0.first()) {
        (store, Some(first)) => place::of_seed(store.as_deref(), first)?,
        (store, None) => place::find(store.as_deref())?,
    };
    let mut say = noting(args.talk.quiet);
    let saved = saved_with(&folder)?;
    let (survey, task) = requested(&folder, &task, saved.as_ref(), args.by.requester(), &mut say)?;
    let opened = survey.open(&mut say)?;
    let interrupt = on_signals()?;
    let mut out = Out::streaming(args.output.output.as_deref())?;
    let mut teller = Teller::new(&mut out, args.output.format, &args.talk, task.pages(), Arc::clone(&interrupt));
    let result = focus(opened, &task, &mut teller, interrupt);
    teller.bar.finish_and_clear();
    let failed = teller.failed.take();
    let focused = result?;
    match failed {
        Some(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Interrupted),
        Some(error) => return Err(error.into()),
        None => {}
    }
    let closing = &focused.closing;
    match args.output.format {
        Format::Json => out.json(&Last { focus: closing })?,
        Format::Csv => {}
        Format::Text => print(closing, &folder, &mut out)?,
    }
    out.flush()?;
    if closing.read == 0 && focused.end != End::Interrupted {
        let fault = first_failure(&mut folder.read()?)?;
        tell(&format!("groma: {}", fault.says));
        tell(&format!("hint: {}", fault.hint));
    }
    Ok(match focused.end {
        End::Interrupted => Exit::Interrupted,
        _ if closing.read == 0 => Exit::Nothing,
        _ => Exit::Fine,
    })
}

fn print(closing: &Closing, folder: &Folder, out: &mut Out) -> io::Result<()> {
    let Closing { topic, strategy, fetched, relevant, harvest, says, .. } = closing;
    let head = out.paint.heading(&plain(topic));
    out.line(&format!("{head}  {strategy}"))?;
    out.line(&focus_ended(says, *fetched, *relevant, *harvest))?;
    if *relevant > 0 {
        let store = folder.shown().display().to_string();
        out.line("")?;
        out.line(&out.paint.faint(&format!("groma focus export --store {store} -f csv|json|warc -o FILE")))?;
        out.line(&out.paint.faint(&format!("groma focus explain URL --store {store}")))?;
    }
    Ok(())
}

/// Points of the curve that are drawn, and pages that each stands for at least.
const WIDTH: usize = 30;
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Tells what was found: rows on stdout, a bar with the curve of the harvest on stderr.
struct Teller<'o> {
    out: &'o mut Out,
    format: Format,
    verbose: bool,
    quiet: bool,
    budget: u32,
    bar: ProgressBar,
    interrupt: Arc<AtomicBool>,
    said_finishing: bool,
    failed: Option<io::Error>,
    /// Was each of the last pages relevant?
    last: VecDeque<bool>,
    fetched: u32,
    relevant: u32,
}

impl<'o> Teller<'o> {
    fn new(out: &'o mut Out, format: Format, talk: &TalkArgs, budget: u32, interrupt: Arc<AtomicBool>) -> Teller<'o> {
        let bar = bar(format, talk);
        bar.set_length(budget.into());
        let (verbose, quiet, said_finishing, failed) = (talk.verbose, talk.quiet, false, None);
        let (last, fetched, relevant) = (VecDeque::new(), 0, 0);
        let mut teller = Teller {
            out,
            format,
            verbose,
            quiet,
            budget,
            bar,
            interrupt,
            said_finishing,
            failed,
            last,
            fetched,
            relevant,
        };
        if format == Format::Csv {
            let head = teller.out.csv(&["n", "url", "type", "r", "content", "links", "weight", "parent", "relevant"]);
            teller.note(head);
        }
        teller
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
            self.interrupt.store(true, Ordering::Relaxed);
        }
    }

    fn row(&mut self, line: &Line) -> io::Result<()> {
        match self.format {
            Format::Json => self.out.json(line),
            Format::Csv => {
                let numbers = [line.r, line.content, line.links, line.weight].map(|number| number.to_string());
                let [r, content, links, weight] = &numbers;
                let parent = line.parent.as_deref().unwrap_or_default();
                let relevant = if line.relevant { "yes" } else { "no" };
                self.out.csv(&[
                    &line.n.to_string(),
                    &line.url,
                    &line.r#type,
                    r,
                    content,
                    links,
                    weight,
                    parent,
                    relevant,
                ])
            }
            Format::Text if self.verbose || line.relevant => {
                let mark = if line.relevant { self.out.paint.good("+") } else { " ".to_owned() };
                let text = format!("{mark} {:5} {:.3} {:8} {}", line.n, line.r, line.r#type, plain(&line.url));
                self.bar.suspend(|| self.out.line(&text).and_then(|()| self.out.flush()))
            }
            Format::Text => Ok(()),
        }
    }

    /// The harvest of the last stretches of pages, the latest on the right.
    fn curve(&self) -> String {
        let stretch = self.last.len().div_ceil(WIDTH).max(1);
        let all: Vec<bool> = self.last.iter().copied().collect();
        let height = |pages: &[bool]| {
            let share = pages.iter().filter(|relevant| **relevant).count() as f64 / pages.len() as f64;
            HEIGHTS[((share * 8.0) as usize).min(7)]
        };
        all.chunks(stretch).map(height).collect()
    }
}

impl groma_crawl::Watch for Teller<'_> {
    fn tick(&mut self, _progress: &Progress) {
        if self.failed.is_none() && self.format != Format::Text {
            let result = self.out.flush();
            self.note(result);
        }
        if self.interrupt.load(Ordering::Relaxed) && !self.said_finishing {
            self.said_finishing = true;
            if self.failed.is_none() && !self.quiet {
                self.bar.suspend(|| tell(FINISHING));
            }
        }
        let rate = Closing::rate(self.relevant, self.fetched) * 100.0;
        self.bar.set_position(self.fetched.min(self.budget).into());
        self.bar.set_message(format!(
            "{} of {} relevant  harvest {rate:.1} %  {}",
            self.relevant,
            self.fetched,
            self.curve()
        ));
    }

    fn notice(&mut self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| tell(&plain(line)));
        }
    }
}

impl Watch for Teller<'_> {
    fn step(&mut self, line: &Line, relevant: u32) {
        (self.fetched, self.relevant) = (line.n, relevant);
        if line.n == 1 {
            self.last.clear();
        }
        if self.last.len() == WIDTH * 200 {
            self.last.pop_front();
        }
        self.last.push_back(line.relevant);
        if self.failed.is_none() {
            let result = self.row(line);
            self.note(result);
        }
    }
}
