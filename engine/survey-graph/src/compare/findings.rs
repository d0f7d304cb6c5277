//! Which findings are new, and which were fixed.

use std::collections::HashSet;

use groma_check::{Finding, Options, check};
use groma_model::{Fp, State};
use groma_store::Snapshot;

use super::sides::Side;
use super::{Difference, DifferenceKind, Sides, Sink};
use crate::{StoreEvidence, SurveyGraphError};

pub(super) fn compare(
    a: &mut dyn Snapshot,
    b: &mut dyn Snapshot,
    sides: &Sides,
    sink: &mut Sink<'_>,
) -> Result<(), SurveyGraphError> {
    let before = keys(a, &sides.a)?;
    let mut now = HashSet::new();
    check(&mut StoreEvidence::new(b)?, &Options::default(), &mut |finding| {
        let key = key(finding, &sides.b);
        now.insert(key);
        if before.contains(&key) { Ok(()) } else { sink(&told(DifferenceKind::FindingNew, finding)) }
    })?;
    let unread = unread(sides);
    check(&mut StoreEvidence::new(a)?, &Options::default(), &mut |finding| {
        let fixed = !now.contains(&key(finding, &sides.a)) && !unread.contains(finding.from.as_str());
        if fixed { sink(&told(DifferenceKind::FindingFixed, finding)) } else { Ok(()) }
    })?;
    Ok(())
}

/// Pages of the older survey that the newer one did not look at: nobody can say that anything was fixed there.
fn unread(sides: &Sides) -> HashSet<&str> {
    let (before, now) = (&sides.a.graph.standings, &sides.b.graph.standings);
    let unread = (0..before.count()).filter(|&number| {
        let is = now.state(sides.b_of_a[number as usize]);
        before.state(number) == Some(State::Fetched) && matches!(is, None | Some(State::Skipped | State::Queued))
    });
    unread.map(|number| sides.a.url(number)).collect()
}

fn keys(store: &mut dyn Snapshot, side: &Side) -> Result<HashSet<Fp>, SurveyGraphError> {
    let mut keys = HashSet::new();
    check(&mut StoreEvidence::new(store)?, &Options::default(), &mut |finding| {
        keys.insert(key(finding, side));
        Ok(())
    })?;
    Ok(keys)
}

/// What makes two findings the same, whatever the hosts of the two surveys.
fn key(finding: &Finding, side: &Side) -> Fp {
    if side.origin.is_none() {
        return finding.key();
    }
    let to = finding.to.as_deref().map(|to| side.key(to).to_owned());
    Finding { from: side.key(&finding.from).to_owned(), to, ..finding.clone() }.key()
}

fn told(change: DifferenceKind, finding: &Finding) -> Difference {
    let difference = Difference::new(change, &finding.from);
    Difference { to: finding.to.clone(), detail: finding.kind.name().to_owned(), ..difference }
}
