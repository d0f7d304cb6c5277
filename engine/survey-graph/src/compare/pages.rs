//! Which pages came, went, moved or changed their text.

use groma_model::state::Fault;
use groma_model::{Fp, State};
use groma_store::{Snapshot, StoreError};

use super::sides::NONE;
use super::{Difference, DifferenceKind, Sides, Sink};
use crate::SurveyGraphError;

pub(super) fn compare(
    a: &mut dyn Snapshot,
    b: &mut dyn Snapshot,
    sides: &Sides,
    sink: &mut Sink<'_>,
) -> Result<(), SurveyGraphError> {
    let (old, new) = (texts(a)?, texts(b)?);
    let (before, now) = (&sides.a.graph.standings, &sides.b.graph.standings);
    for number in 0..now.count() {
        let was = sides.a_of_b[number as usize];
        if now.state(number) == Some(State::Fetched) && (was == NONE || before.state(was) != Some(State::Fetched)) {
            let mut added = Difference::new(DifferenceKind::PageAdded, sides.b.url(number));
            added.detail = before.reason(was).map_or(String::new(), |reason| format!("was {reason}"));
            sink(&added)?;
        }
    }
    for number in 0..before.count() {
        if before.state(number) != Some(State::Fetched) {
            continue;
        }
        let is = sides.b_of_a[number as usize];
        let Some(reason) = now.reason(is) else {
            sink(&Difference::new(DifferenceKind::PageUnseen, sides.a.url(number)))?;
            continue;
        };
        let text = |texts: &[Option<Fp>], at: u32| texts.get(at as usize).copied().flatten();
        let kind = match (reason.state(), reason.fault()) {
            (State::Fetched, _) if text(&old, number) == text(&new, is) => continue,
            (State::Fetched, _) => DifferenceKind::PageChanged,
            (State::Alias, _) => DifferenceKind::PageMoved,
            (_, Some(Fault::Gone)) => DifferenceKind::PageGone,
            (_, Some(Fault::Unknown)) => DifferenceKind::PageUnknown,
            (_, Some(_)) => DifferenceKind::PageUnreachable,
            (_, None) => DifferenceKind::PageUnseen,
        };
        let mut difference = Difference::new(kind, sides.b.url(is));
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
