//! Pages and links that count go out as Parquet, in one pass over the survey each.

use groma_atlas::Counted;
use groma_columns::{Aim, ColumnsError, GraphPage, PARTS, Place, write_graph};
use groma_store::Snapshot;

use super::{Going, Progress, Request, Watch, Written};
use crate::Fault;

/// Links between two words on how far it is.
const STEP: u64 = 1 << 16;

/// Writes the graph; tells what was met on the way. Nothing if whoever watches said stop: then nothing is left there either.
pub(super) fn write(
    store: &mut dyn Snapshot,
    counted: &Counted,
    within: Option<&[bool]>,
    request: &Request,
    watch: &mut Watch<'_>,
) -> Result<Option<Written>, Fault> {
    let fault = |error: ColumnsError| Fault::new(error.to_string(), error.hint());
    let place = Aim::of(&request.graph()).and_then(|aim| Place::begin(&aim)).map_err(fault)?;
    let is_within = |node: u32| within.is_none_or(|within| within.get(node as usize).copied().unwrap_or(false));
    let mut passed = None;
    // What the store says is no word of the files: kept aside until they are closed.
    let mut unread = None;
    let mut pages = 0;
    let written = write_graph(place, PARTS, &mut |tables| {
        for node in (0..counted.standings.count()).filter(|&node| counted.stands(node)) {
            tables.page(&GraphPage {
                id: node,
                url: counted.standings.names.of(node),
                is_source: counted.is_source(node),
                is_member: counted.is_inside(node) && is_within(node),
            })?;
            pages += 1;
        }
        let (mut went, mut links) = (Ok(()), 0u64);
        // The store goes on to its end whatever we say; after a failure it is let pass.
        let read = counted.each_arc(store, &mut |source, target, navigation| {
            if went.is_err() {
                return;
            }
            went = tables.link(source, target, navigation);
            links += 1;
            let progress = Progress { step: "links", round: 0, change: links as f64 };
            if went.is_ok() && links.is_multiple_of(STEP) && watch(&progress) == Going::Stop {
                went = Err(ColumnsError::Stopped);
            }
        });
        match read {
            Ok(met) => passed = Some(met),
            Err(error) => {
                unread = Some(error);
                return Err(ColumnsError::Stopped);
            }
        }
        went
    });
    if let Some(error) = unread {
        return Err(error.into());
    }
    match written {
        Err(ColumnsError::Stopped) => Ok(None),
        Err(error) => Err(fault(error)),
        Ok(_) => Ok(passed.map(|passed| (passed, pages))),
    }
}
