//! `groma export parquet`: the survey as tables for other programs, in a folder or on an object store.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use groma_model::PageId;
use groma_model::wording::{counted, grouped, size};
use groma_parquet::{Aim, ExportProgress, Exported, Options, Place, TableError, export};
use groma_settings::{Fault, place};
use groma_survey_graph::{Reading, SurveyGraph};
use groma_tasks::map::wording::up_to_layer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::Exit;
use crate::args::ExportParquetArgs;
use crate::output::{Format, Out, tell};
use crate::signals::on_signals;

pub(crate) fn run(args: &ExportParquetArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let mut store = folder.read()?;
    let aim = Aim::parse(&args.to)?;
    // Before anything is computed: whoever gave a wrong name should not have to wait for it.
    let place = Place::begin(&aim)?;
    let mut out = Out::open(args.output.output.as_deref())?;
    let stop = on_signals()?;
    let begun = Instant::now();
    let graph = if args.with_rank { Some(SurveyGraph::read(&mut store, &Reading::default())?) } else { None };
    if let Some(layer) = graph.as_ref().and_then(|graph| graph.horizon).filter(|_| !args.quiet) {
        tell(&format!("note: {}", up_to_layer(layer)));
    }
    let ranks = graph.as_ref().map(ranks);
    drop(graph);
    let rank = |page: PageId| ranks.as_ref()?.get(page.0 as usize).copied().filter(|rank| rank.is_finite());
    let (texts, bodies) = (args.with_text, args.with_bodies);
    let options = Options { parts: args.parts, texts, bodies, rank: Some(&rank), ..Options::default() };
    let bar = bar(args.quiet);
    let mut step = |step: ExportProgress| {
        bar.set_length(step.of);
        bar.set_position(step.done);
        bar.set_message(format!("{} links", grouped(step.links)));
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let exported = export(&mut store, place, &options, &mut step);
    bar.finish_and_clear();
    let exported = match exported {
        Err(error @ TableError::Stopped) => {
            tell(&format!("note: {error}"));
            return Ok(Exit::Interrupted);
        }
        other => other?,
    };
    print(&exported, begun.elapsed().as_secs_f64(), &aim, args.output.format, &mut out)?;
    out.finish()?;
    Ok(Exit::Fine)
}

/// The ranks by the numbers of pages; those that are none are no numbers.
fn ranks(graph: &SurveyGraph) -> Vec<f64> {
    let mut ranks = vec![f64::NAN; graph.ranks.values.len()];
    for node in graph.by_rank() {
        ranks[node as usize] = graph.ranks.values[node as usize];
    }
    ranks
}

fn print(exported: &Exported, seconds: f64, to: &Aim, format: Format, out: &mut Out) -> Result<(), Fault> {
    let tables = &exported.manifest.tables;
    match format {
        Format::Json => {
            let mut told = json!({
                "to": to.to_string(), "seconds": seconds, "bytes": exported.bytes(), "files": exported.files(),
                "parts": exported.manifest.parts, "format": exported.manifest.format,
            });
            for table in tables {
                told[&table.name] = json!({ "rows": table.rows, "bytes": table.bytes, "files": table.files.len() });
            }
            out.json(&told)?;
        }
        Format::Csv => {
            out.csv(&["table", "rows", "bytes", "files"])?;
            for table in tables {
                let numbers = [table.rows, table.bytes, table.files.len() as u64].map(|number| number.to_string());
                out.csv(&[&table.name, &numbers[0], &numbers[1], &numbers[2]])?;
            }
        }
        Format::Text => {
            for table in tables {
                out.line(&exported_table(&table.name, table.rows, table.bytes, table.files.len() as u64))?;
            }
            out.line(&exported_tables(exported.bytes(), seconds, &to.to_string()))?;
        }
    }
    Ok(())
}

/// A bar where somebody looks.
fn bar(quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    if !quiet {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
    }
    bar
}

/// A line for each table of an export.
fn exported_table(name: &str, rows: u64, bytes: u64, files: u64) -> String {
    let (rows, files) = (counted(rows, "row", "rows"), counted(files, "file", "files"));
    format!("{name:<6} {rows:>22} {:>10} in {files}", size(bytes))
}

fn exported_tables(bytes: u64, seconds: f64, to: &str) -> String {
    format!("{} in {seconds:.1} s to {to}", size(bytes))
}
