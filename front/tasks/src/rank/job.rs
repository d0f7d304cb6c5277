//! `rank`: the ranks of all pages, as a file.

use std::io::Write;

use groma_model::wording::{self, counted, plain};
use groma_settings::Fault;
use groma_store::Folder;
use groma_survey_graph::SurveyGraph;
use serde::Serialize;
use serde_json::json;

use crate::jobs::bench::Bench;
use crate::jobs::outcome::Outcome;
use crate::jobs::result::{ResultFiles, name};
use crate::map::wording::{not_converged, up_to_layer};
use crate::rank::task::Form;
use crate::task::Rank;

pub(crate) fn rank(folder: &Folder, task: &Rank, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let form = Form::chosen(format)?;
    bench.progress(&json!({ "phase": "ranking" }));
    let graph = SurveyGraph::read(&mut folder.read()?, &task.reading())?;
    if let Some(layer) = graph.horizon {
        bench.log(&up_to_layer(layer));
    }
    if !graph.ranks.converged() {
        bench.log(&not_converged(graph.ranks.rounds, graph.ranks.change));
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    let written = {
        let mut out = files.open(&name(bench.row.id, form.format().ending))?;
        let most = task.top.map_or(usize::MAX, |top| usize::try_from(top.get()).unwrap_or(usize::MAX));
        write(&graph, most, form, &mut *out)
    };
    let pages = match written {
        Err(_) if bench.is_stopped() => return Ok(Outcome::Stopped),
        other => other?,
    };
    files.finish(bench)?;
    Ok(Outcome::Done(ranked(pages)))
}

/// A line of the list: the URL first, as `groma rank` writes it.
#[derive(Serialize)]
struct RankRow<'a> {
    url: &'a str,
    rank: f64,
}

fn write(graph: &SurveyGraph, most: usize, form: Form, out: &mut dyn Write) -> std::io::Result<u64> {
    if form == Form::Csv {
        wording::write_row(&mut *out, &["url", "rank"])?;
    }
    let mut pages = 0;
    for node in graph.by_rank().take(most) {
        let (address, rank) = (graph.standings.names.url(node), graph.ranks.values[node as usize]);
        match form {
            Form::Csv => wording::write_row(&mut *out, &[address, &rank.to_string()])?,
            Form::Json => writeln!(out, "{}", serde_json::to_string(&RankRow { url: address, rank })?)?,
            Form::Text => writeln!(out, "{rank:>12.4}  {}", plain(address))?,
        }
        pages += 1;
    }
    out.flush()?;
    Ok(pages)
}

fn ranked(pages: u64) -> String {
    format!("{} ranked", counted(pages, "page", "pages"))
}
