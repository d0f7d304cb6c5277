//! `groma check`: what is wrong with the site, as a report and as a gate.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use groma_check::{Baseline, Finding, Gate, Kind, Options};
use groma_settings::{Fault, place};
use groma_store::OutputFile;
use groma_tasks::check::{self, Form, Judging};
use groma_tasks::crawl::Requester;

use crate::Exit;
use crate::args::CheckArgs;
use crate::output::{Out, tell};
use crate::terminal::Terminal;

/// Groups of a kind that are listed unless something is said.
const LISTED: usize = 10;

mod catalogue;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Fault> {
    if args.list {
        return catalogue::list(args);
    }
    let usual = if args.task.only.is_some() { "any" } else { "error" };
    let gate = Gate::parse(args.fail_on.as_deref().unwrap_or(usual));
    let gate = gate.map_err(|error| Fault::new(format!("--fail-on: {error}"), error.hint))?;
    let options = args.task.options(Options::default());
    if let (Some(only), Some(typed)) = (&args.task.only, &args.fail_on) {
        let looks = |kind: &Kind| gate.covers(&Finding::of_page(*kind, String::new()));
        let covered: Vec<&Kind> = Kind::ALL.iter().filter(|kind| looks(kind)).collect();
        if !covered.is_empty() && !covered.iter().any(|kind| options.kinds.has(**kind)) {
            return Err(Fault::new(
                gate_looks_elsewhere(typed, &only.to_string()),
                "leave out one of the two, or name the same kinds",
            ));
        }
    }
    let mut baseline = args.baseline.as_deref().map(read_baseline).transpose()?;
    let folder = place::find(args.store.store.as_deref())?;
    let mut out = Out::open(args.output.as_deref())?;
    let mut copy = args.write_baseline.as_deref().map(next_baseline).transpose()?;
    let judging = Judging {
        gate: &gate,
        baseline: baseline.as_mut(),
        only_new: args.only_new,
        copy: copy.as_mut().map(|copy| copy as &mut dyn Write),
        listed: LISTED,
        paint: out.paint.painter(),
    };
    let mut terminal = Terminal::new(false);
    // What is told at the end and for people is written when the progress line is gone: both may be on one screen.
    let mut told = Vec::new();
    let at_end = matches!(args.format, Form::Text | Form::Markdown);
    let to: &mut dyn Write = if at_end { &mut told } else { out.writer() };
    let (_, verdict) = check::run(&folder, &args.task, args.format, judging, Requester::default(), &mut terminal, to)?;
    drop(terminal);
    out.writer().write_all(&told)?;
    out.finish()?;
    if let Some(copy) = copy {
        copy.finish()?;
    }
    if verdict.passed() {
        return Ok(Exit::Fine);
    }
    if args.output.is_some() || args.format != Form::Text {
        tell(&format!("check {verdict}"));
    }
    Ok(Exit::Findings)
}

fn read_baseline(path: &Path) -> Result<Baseline, Fault> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Fault::of_input(&name, &error))?;
    Baseline::read(&mut BufReader::new(file)).map_err(|error| {
        Fault::new(
            format!("{name}: {error}"),
            "a baseline is the output of `groma check -f json` or of --write-baseline",
        )
    })
}

/// The next baseline: it replaces the last when it is whole.
fn next_baseline(path: &Path) -> Result<OutputFile, Fault> {
    OutputFile::create(path).map_err(|error| Fault::of_input(&path.display().to_string(), &error))
}

fn gate_looks_elsewhere(gate: &str, only: &str) -> String {
    format!("--fail-on {gate} looks at findings that --only {only} leaves out")
}
