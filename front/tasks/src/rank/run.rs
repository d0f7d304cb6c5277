//! Ranks the pages of a survey, here or on a graph engine, and lists them.

use std::io::{self, Write};

use groma_chart::text::Tone;
use groma_model::State;
use groma_model::escape::JsonInert;
use groma_model::wording::{self, grouped, plain};
use groma_settings::Fault;
use groma_store::Folder;
use groma_survey_graph::SurveyGraph;
use serde::Serialize;

use crate::graph_engine::wording::ENGINE_GOES_ON;
use crate::graph_engine::{self, Request};
use crate::map::wording::{not_converged, up_to_layer};
use crate::observer::{Observer, Step};
use crate::outcome::Outcome;
use crate::rank::task::Form;
use crate::task::Rank;

/// Cells of the longest bar.
const BAR: f64 = 20.0;

/// Ranks the pages; nothing if somebody said stop.
pub fn run(
    folder: &Folder,
    task: &Rank,
    engine: Option<&Request>,
    observer: &mut dyn Observer,
) -> Result<Option<SurveyGraph>, Fault> {
    observer.step(Step::Ranking);
    let mut store = folder.read()?;
    let graph = match engine {
        None => SurveyGraph::read(&mut store, &task.reading())?,
        Some(request) => {
            let watch = &mut |round: &_| observer.round(round);
            match graph_engine::rank(&mut store, &task.reading(), None, request, watch)? {
                Some(computed) => computed.survey_graph,
                None => {
                    observer.note(ENGINE_GOES_ON);
                    return Ok(None);
                }
            }
        }
    };
    if let Some(layer) = graph.horizon {
        observer.note(&up_to_layer(layer));
    }
    if !graph.ranks.converged() {
        observer.note(&not_converged(graph.ranks.rounds, graph.ranks.change));
    }
    Ok(Some(graph))
}

/// A line of the list.
#[derive(Serialize)]
struct RankRow<'a> {
    url: &'a str,
    rank: f64,
}

/// Writes the first pages by rank.
pub fn write(
    graph: &SurveyGraph,
    most: usize,
    form: Form,
    paint: &dyn Fn(Tone, &str) -> String,
    out: &mut dyn Write,
) -> io::Result<Outcome> {
    if form == Form::Csv {
        wording::write_row(&mut *out, &["url", "rank"])?;
    }
    let greatest = graph.by_rank().next().map_or(1.0, |node| graph.ranks.values[node as usize]);
    let mut pages = 0;
    for node in graph.by_rank().take(most) {
        let (url, rank) = (graph.standings.names.url(node), graph.ranks.values[node as usize]);
        match form {
            Form::Csv => wording::write_row(&mut *out, &[url, &rank.to_string()])?,
            Form::Json => writeln!(out, "{}", JsonInert(&serde_json::to_string(&RankRow { url, rank })?))?,
            Form::Text => {
                let bar = "#".repeat((rank / greatest * BAR).round().max(0.0) as usize);
                let reason = graph.standings.reason(node).filter(|reason| reason.state() != State::Fetched);
                let unread = reason.map(|reason| paint(Tone::Faint, &format!("  ({reason})"))).unwrap_or_default();
                writeln!(out, "{rank:>12.4}  {bar:<20}  {}{unread}", plain(url))?;
            }
        }
        pages += 1;
    }
    let left = graph.by_rank().count() - pages;
    if form == Form::Text && left > 0 {
        writeln!(out, "and {} more: groma rank -f csv", grouped(left as u64))?;
    }
    out.flush()?;
    Ok(Outcome::Ranked { pages: pages as u64 })
}
