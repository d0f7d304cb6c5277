//! `groma bounds --truth FILE`: what each method finds, held against what is true.

use groma_model::wording::{counted, plain};
use groma_settings::{Fault, place};
use groma_tasks::bounds::{Request, Scores, SeedChoice, score};
use serde::Serialize;

use super::find::read;
use crate::Exit;
use crate::args::{self, BoundsFormat, FindArgs};
use crate::output::{Out, tell};
use crate::terminal::Terminal;

/// Sites that are listed one by one as text.
const LISTED: usize = 40;

/// A line for programs.
#[derive(Serialize)]
struct ScoreRow<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<&'a str>,
    method: &'a str,
    size: f64,
    truth: f64,
    precision: f64,
    recall: f64,
    f1: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sites: Option<u32>,
}

pub(super) fn run(args: &FindArgs) -> Result<Exit, Fault> {
    let request = Request::from_task(&args.task);
    let Some(file) = &args.truth else { return Ok(Exit::Fine) };
    if args.format == BoundsFormat::Surt {
        return Err(Fault::new("scores are no prefixes", "with --truth, -f is one of: text, json, csv, tsv"));
    }
    let folder = place::find(args.store.store.as_deref())?;
    let text = read(file)?;
    let choice = match args.seed_choice {
        args::SeedChoice::Home => SeedChoice::Home,
        args::SeedChoice::Random => SeedChoice::Random,
    };
    let mut terminal = Terminal::new(args.talk.quiet);
    let scores = score(&folder, &request, &text, choice, args.seeds_per_site, &mut terminal)?;
    drop(terminal);
    let Some(scores) = scores else { return Ok(Exit::Interrupted) };
    if !args.talk.quiet {
        scores.notes.iter().for_each(|note| tell(&format!("note: {note}")));
    }
    let mut out = Out::open(args.output.as_deref())?;
    match args.format {
        BoundsFormat::Text | BoundsFormat::Surt => print(&scores, &mut out)?,
        BoundsFormat::Json => rows(&scores).try_for_each(|row| out.json(&row))?,
        BoundsFormat::Csv => {
            out.csv(&COLUMNS)?;
            rows(&scores).try_for_each(|row| out.csv(&cells(&row)))?;
        }
        BoundsFormat::Tsv => {
            out.line(&COLUMNS.join("\t"))?;
            rows(&scores).try_for_each(|row| out.line(&cells(&row).join("\t")))?;
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

const COLUMNS: [&str; 8] = ["kind", "site", "method", "size", "truth", "precision", "recall", "f1"];

fn cells(row: &ScoreRow<'_>) -> [String; 8] {
    let site = row.site.unwrap_or_default().replace(['\t', '\n', '\r'], " ");
    let share = |share: f64| format!("{share:.4}");
    [
        row.kind.to_owned(),
        site,
        row.method.to_owned(),
        row.size.to_string(),
        row.truth.to_string(),
        share(row.precision),
        share(row.recall),
        share(row.f1),
    ]
}

/// Every site and method, then the means.
fn rows(scores: &Scores) -> impl Iterator<Item = ScoreRow<'_>> {
    let of_sites = scores.sites.iter().flat_map(|site| {
        scores.methods.iter().zip(&site.scores).map(|(method, score)| ScoreRow {
            kind: "score",
            site: Some(&site.name),
            method,
            size: score.size.into(),
            truth: score.truth.into(),
            precision: score.precision,
            recall: score.recall,
            f1: score.f1,
            sites: None,
        })
    });
    let mean_truth = |at: usize| {
        let sum: f64 = scores.sites.iter().map(|site| f64::from(site.scores[at].truth)).sum();
        sum / (scores.sites.len().max(1)) as f64
    };
    let means = scores.rows.iter().enumerate().map(move |(at, row)| ScoreRow {
        kind: "mean",
        site: None,
        method: &row.method,
        size: row.size,
        truth: mean_truth(at),
        precision: row.precision,
        recall: row.recall,
        f1: row.f1,
        sites: Some(row.sites),
    });
    of_sites.chain(means)
}

fn print(scores: &Scores, out: &mut Out) -> Result<(), Fault> {
    out.line(scores.table().trim_end())?;
    if scores.sites.len() < 2 {
        return Ok(());
    }
    out.line("")?;
    let head: Vec<String> = scores.methods.iter().map(|method| format!("{method:>9}")).collect();
    out.line(&out.paint.heading(&format!("{:>9} {}  {}", "pages", head.join(" "), "F1 by site")))?;
    for site in scores.sites.iter().take(LISTED) {
        let f1: Vec<String> = site.scores.iter().map(|score| format!("{:>9.3}", score.f1)).collect();
        let truth = site.scores.first().map_or(0, |score| score.truth);
        out.line(&format!("{truth:>9} {}  {}", f1.join(" "), plain(&site.name)))?;
    }
    if scores.sites.len() > LISTED {
        out.line(&more_sites((scores.sites.len() - LISTED) as u64))?;
    }
    Ok(())
}

fn more_sites(sites: u64) -> String {
    format!("and {}: -f csv", counted(sites, "more site", "more sites"))
}
