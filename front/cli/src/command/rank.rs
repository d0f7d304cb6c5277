//! `groma rank`: the pages of a survey by PageRank.

use groma_model::State;
use groma_model::wording::{grouped, plain};
use groma_settings::{Fault, place};
use groma_survey_graph::SurveyGraph;
use groma_tasks::map::wording::{not_converged, up_to_layer};
use serde::Serialize;

use crate::Exit;
use crate::args::RankArgs;
use crate::command::graph_engine::{self, EngineProgress};
use crate::output::{Format, Out, tell};

/// Rows people see unless they ask for more.
const SHOWN: usize = 25;
/// Cells of the longest bar.
const BAR: f64 = 20.0;

#[derive(Serialize)]
struct RankRow<'a> {
    url: &'a str,
    rank: f64,
}

pub(crate) fn run(args: &RankArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let reading = args.task.reading();
    let mut store = folder.read()?;
    let graph = match graph_engine::request(&args.engine, &folder)? {
        None => SurveyGraph::read(&mut store, &reading)?,
        Some(request) => {
            let mut shown = EngineProgress::new()?;
            let computed =
                groma_tasks::graph_engine::rank(&mut store, &reading, None, &request, &mut |step| shown.step(step));
            shown.end();
            let Some(computed) = computed? else {
                shown.stopped();
                return Ok(Exit::Interrupted);
            };
            computed.survey_graph
        }
    };
    say_horizon(&graph);
    if !graph.ranks.converged() {
        tell(&format!("note: {}", not_converged(graph.ranks.rounds, graph.ranks.change)));
    }
    let mut out = Out::open(args.output.output.as_deref())?;
    let usual = if args.output.format == Format::Text { SHOWN } else { usize::MAX };
    let most = args.task.top.map_or(usual, |top| usize::try_from(top.get()).unwrap_or(usize::MAX));
    print(&graph, most, args.output.format, &mut out)?;
    out.finish()?;
    Ok(Exit::Fine)
}

/// Writes the first pages by rank.
pub(crate) fn print(graph: &SurveyGraph, most: usize, format: Format, out: &mut Out) -> Result<(), Fault> {
    if format == Format::Csv {
        out.csv(&["url", "rank"])?;
    }
    let greatest = graph.by_rank().next().map_or(1.0, |node| graph.ranks.values[node as usize]);
    for node in graph.by_rank().take(most) {
        let (address, rank) = (graph.standings.names.url(node), graph.ranks.values[node as usize]);
        match format {
            Format::Json => out.json(&RankRow { url: address, rank })?,
            Format::Csv => out.csv(&[address, &rank.to_string()])?,
            Format::Text => {
                let bar = "#".repeat((rank / greatest * BAR).round().max(0.0) as usize);
                let reason = graph.standings.reason(node).filter(|reason| reason.state() != State::Fetched);
                let unread = reason.map(|reason| format!("  ({reason})")).unwrap_or_default();
                let line = format!("{rank:>12.4}  {bar:<20}  {}{}", plain(address), out.paint.faint(&unread));
                out.line(&line)?;
            }
        }
    }
    let left = graph.by_rank().count().saturating_sub(most);
    if format == Format::Text && left > 0 {
        out.line(&format!("and {} more: groma rank -f csv", grouped(left as u64)))?;
    }
    Ok(())
}

/// While a crawl is under way, what is said holds up to a layer only.
pub(crate) fn say_horizon(graph: &SurveyGraph) {
    if let Some(layer) = graph.horizon {
        tell(&format!("note: {}", up_to_layer(layer)));
    }
}
