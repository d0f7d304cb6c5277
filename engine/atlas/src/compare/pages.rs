//! Which pages came, went, moved or changed their text.

use groma_model::state::Fault;
use groma_model::{Fp, State};
use groma_store::{Snapshot, StoreError};

use super::sides::NONE;
use super::{Difference, DifferenceKind, Sides, Sink};
use crate::AtlasError;

pub(super) fn compare(
    a: &mut dyn Snapshot,
    b: &mut dyn Snapshot,
    sides: &Sides,
    sink: &mut Sink<'_>,
) -> Result<(), AtlasError> {
    let (old, new) = (texts(a)?, texts(b)?);
    let (before, now) = (&sides.a.atlas.standings, &sides.b.atlas.standings);
    for number in 0..now.count() {
        let was = sides.a_of_b[number as usize];
        if now.state(number) == Some(State::Indexed) && (was == NONE || before.state(was) != Some(State::Indexed)) {
            let mut added = Difference::of(DifferenceKind::PageAdded, sides.b.url(number));
            added.detail = before.reason(was).map_or(String::new(), |reason| format!("was {reason}"));
            sink(&added)?;
        }
    }
    for number in 0..before.count() {
        if before.state(number) != Some(State::Indexed) {
            continue;
        }
        let is = sides.b_of_a[number as usize];
        let Some(reason) = now.reason(is) else {
            sink(&Difference::of(DifferenceKind::PageUnseen, sides.a.url(number)))?;
            continue;
        };
        let text = |texts: &[Option<Fp>], at: u32| texts.get(at as usize).copied().flatten();
        let kind = match (reason.state(), reason.fault()) {
            (State::Indexed, _) if text(&old, number) == text(&new, is) => continue,
            (State::Indexed, _) => DifferenceKind::PageChanged,
            (State::Alias, _) => DifferenceKind::PageMoved,
            (_, Some(Fault::Gone)) => DifferenceKind::PageGone,
            (_, Some(Fault::Unknown)) => DifferenceKind::PageUnknown,
            (_, Some(_)) => DifferenceKind::PageUnreachable,
            (_, None) => DifferenceKind::PageUnseen,
        };
        let mut difference = Difference::of(kind, sides.b.url(is));
        if kind == DifferenceKind::PageMoved {
            difference.to = Some(sides.b.url(now.page_of(is)).to_owned());
        }
        if kind != DifferenceKind::PageChanged {
            difference.detail = reason.name().to_owned();
        }
        sink(&difference)?;
    }
    Ok(())
}

/// The fingerprints of the texts, by number.
fn texts(store: &mut dyn Snapshot) -> Result<Vec<Option<Fp>>, StoreError> {
    let mut texts = Vec::new();
    store.each_page(&mut |address, page| {
        texts.resize(address.id.0 as usize, None);
        // What has no text (an image) is known by its body.
        texts.push(page.and_then(|page| page.facts.text_fp.or(page.facts.body_fp)));
    })?;
    Ok(texts)
}
