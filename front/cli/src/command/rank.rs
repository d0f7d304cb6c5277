//! `groma rank`: the pages of a survey by PageRank.

use serde::Serialize;

use groma_atlas::{Atlas, LinkSet, Reading};
use groma_graph::pagerank::Settings;
use groma_model::State;
use groma_model::wording::{grouped, plain};

use crate::Exit;
use crate::args::{RankArgs, RankingArgs, Which};
use crate::command::reckoning::{self, Reckoning};
use crate::output::{Format, Out, tell};
use groma_desk::Fault;
use groma_desk::{place, words};

/// Rows people see unless they ask for more.
const SHOWN: usize = 25;
/// Cells of the longest bar.
const BAR: f64 = 20.0;

#[derive(Serialize)]
struct Row<'a> {
    address: &'a str,
    rank: f64,
}

pub(crate) fn run(args: &RankArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let mut reading = reading(&args.ranking)?;
    if !(0.0..1.0).contains(&args.damping) {
        return Err(Fault::new(bad_damping(args.damping), "a number from 0 to below 1; 0.85 is usual"));
    }
    reading.ranking.damping = args.damping;
    let mut store = folder.read()?;
    let atlas = match reckoning::request(&args.engine, &folder)? {
        None => Atlas::read(&mut store, &reading)?,
        Some(request) => {
            let mut shown = Reckoning::new()?;
            let reckoned =
                groma_desk::reckoning::rank(&mut store, &reading, None, &request, &mut |step| shown.step(step));
            shown.end();
            let Some(reckoned) = reckoned? else {
                shown.stopped();
                return Ok(Exit::Interrupted);
            };
            reckoned.atlas
        }
    };
    say_horizon(&atlas);
    if !atlas.ranks.converged() {
        tell(&format!("note: {}", words::not_converged(atlas.ranks.rounds, atlas.ranks.change)));
    }
    let mut out = Out::open(args.output.output.as_deref())?;
    let most = args.top.unwrap_or(if args.output.format == Format::Text { SHOWN } else { usize::MAX });
    print(&atlas, most, args.output.format, &mut out)?;
    out.finish()?;
    Ok(Exit::Fine)
}

/// Writes the first pages by rank.
pub(crate) fn print(atlas: &Atlas, most: usize, format: Format, out: &mut Out) -> Result<(), Fault> {
    if format == Format::Csv {
        out.csv(&["address", "rank"])?;
    }
    let greatest = atlas.by_rank().next().map_or(1.0, |node| atlas.ranks.values[node as usize]);
    for node in atlas.by_rank().take(most) {
        let (address, rank) = (atlas.standings.names.of(node), atlas.ranks.values[node as usize]);
        match format {
            Format::Json => out.json(&Row { address, rank })?,
            Format::Csv => out.csv(&[address, &rank.to_string()])?,
            Format::Text => {
                let bar = "#".repeat((rank / greatest * BAR).round().max(0.0) as usize);
                let reason = atlas.standings.reason(node).filter(|reason| reason.state() != State::Indexed);
                let unread = reason.map(|reason| format!("  ({reason})")).unwrap_or_default();
                let line = format!("{rank:>12.4}  {bar:<20}  {}{}", plain(address), out.paint.faint(&unread));
                out.line(&line)?;
            }
        }
    }
    let left = atlas.by_rank().count().saturating_sub(most);
    if format == Format::Text && left > 0 {
        out.line(&format!("and {} more: groma rank -f csv", grouped(left as u64)))?;
    }
    Ok(())
}

/// How the links are to be read.
pub(crate) fn reading(args: &RankingArgs) -> Result<Reading, Fault> {
    if !(0.0..=1000.0).contains(&args.navigation) {
        return Err(Fault::new(
            bad_weight(args.navigation),
            "a number from 0 to 1000; 1 makes no difference between links",
        ));
    }
    let links = if args.links == Which::All { LinkSet::All } else { LinkSet::Pages };
    Ok(Reading { links, ranking: Settings { navigation: args.navigation, ..Settings::default() } })
}

/// While a crawl is under way, what is said holds up to a layer only.
pub(crate) fn say_horizon(atlas: &Atlas) {
    if let Some(layer) = atlas.horizon {
        tell(&format!("note: {}", words::up_to_layer(layer)));
    }
}

fn bad_damping(value: f64) -> String {
    format!("--damping {value}: not a damping factor")
}

fn bad_weight(value: f64) -> String {
    format!("--navigation {value}: not a weight")
}
