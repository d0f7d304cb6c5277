//! Which findings are new, and which were fixed.

use std::collections::HashSet;

use groma_check::{Finding, Options, check};
use groma_model::Fp;
use groma_store::Snapshot;

use super::sides::Side;
use super::{Difference, DifferenceKind, Sides, Sink};
use crate::{AtlasError, StoreEvidence};

pub(super) fn compare(
    a: &mut dyn Snapshot,
    b: &mut dyn Snapshot,
    sides: &Sides,
    sink: &mut Sink<'_>,
) -> Result<(), AtlasError> {
    let before = keys(a, &sides.a)?;
    let mut now = HashSet::new();
    check(&mut StoreEvidence::new(b)?, &Options::default(), &mut |finding| {
        let key = key(finding, &sides.b);
        now.insert(key);
        if before.contains(&key) {
            Ok(())
        } else {
            sink(&told(DifferenceKind::FindingNew, finding, &sides.b, &sides.b))
        }
    })?;
    check(&mut StoreEvidence::new(a)?, &Options::default(), &mut |finding| {
        let fixed = !now.contains(&key(finding, &sides.a));
        if fixed { sink(&told(DifferenceKind::FindingFixed, finding, &sides.b, &sides.a)) } else { Ok(()) }
    })?;
    Ok(())
}

fn keys(store: &mut dyn Snapshot, side: &Side) -> Result<HashSet<Fp>, AtlasError> {
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

fn told(change: DifferenceKind, finding: &Finding, on: &Side, of: &Side) -> Difference {
    let mut difference = Difference::of(change, &on.moved_from(of, &finding.from));
    difference.to = finding.to.as_deref().map(|to| on.moved_from(of, to).into_owned());
    difference.detail = finding.kind.name().to_owned();
    difference
}
