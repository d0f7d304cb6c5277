//! Which links came and went on pages that both surveys have.

use groma_model::{PageId, State};
use groma_store::{Snapshot, StoreError};

use super::sides::{NONE, Side};
use super::{Difference, DifferenceKind, Sides, Sink};
use crate::SurveyGraphError;

pub(super) fn compare(
    a: &mut dyn Snapshot,
    b: &mut dyn Snapshot,
    sides: &Sides,
    sink: &mut Sink<'_>,
) -> Result<(), SurveyGraphError> {
    let indexed = |side: &Side, number: u32| side.graph.standings.state(number) == Some(State::Fetched);
    for (number, &was) in (0u32..).zip(&sides.a_of_b) {
        if was == NONE || !indexed(&sides.b, number) || !indexed(&sides.a, was) {
            continue;
        }
        let before = targets(a, was)?;
        let now = targets(b, number)?;
        let page = sides.b.url(number);
        let old: Vec<u32> =
            before.iter().map(|target| sides.b_of_a.get(*target as usize).copied().unwrap_or(NONE)).collect();
        let mut sorted = old.clone();
        sorted.sort_unstable();
        for target in now.iter().filter(|target| sorted.binary_search(target).is_err()) {
            let added = Difference::new(DifferenceKind::LinkAdded, page);
            sink(&Difference { to: Some(sides.b.url(*target).to_owned()), ..added })?;
        }
        for (target, known) in before.iter().zip(&old) {
            if *known == NONE || now.binary_search(known).is_err() {
                let removed = Difference::new(DifferenceKind::LinkRemoved, page);
                sink(&Difference { to: Some(sides.a.url(*target).to_owned()), ..removed })?;
            }
        }
    }
    Ok(())
}

/// What a page links to, each URL once, in order.
fn targets(store: &mut dyn Snapshot, number: u32) -> Result<Vec<u32>, StoreError> {
    let mut targets: Vec<u32> = store.targets(PageId(number))?.into_iter().map(|target| target.0).collect();
    targets.sort_unstable();
    targets.dedup();
    Ok(targets)
}
