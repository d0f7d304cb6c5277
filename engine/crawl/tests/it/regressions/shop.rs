//! A shop whose pages are linked in variants: `/p?id=..&sid=..`, where `sid` is a session that changes nothing.

use std::ops::Range;

use groma_model::{Outcome, Reason};

use crate::mock::{Ask, Survey, html, links};

/// So many products agree before a rule is strong.
const WITNESSES: u64 = 8;

/// The products that the home page links to: enough to learn from.
pub(super) const FAMILIAR: Range<u32> = 0..20;

/// A survey of a shop, which learns quickly.
pub(super) fn survey(web: impl Fn(&Ask<'_>) -> Outcome + Send + Sync + 'static) -> Survey {
    let mut survey = Survey::for_web(web);
    survey.limits.learn_equal = WITNESSES;
    survey
}

/// The URL of a variant.
pub(super) fn address(id: u32, sid: u32) -> String {
    format!("/p?id={id}&sid={sid}")
}

/// Links to these products, each in these variants.
pub(super) fn variants(ids: Range<u32>, sids: &[u32]) -> String {
    links(ids.flat_map(|id| sids.iter().map(move |sid| address(id, *sid))))
}

/// A home page that teaches what `sid` is worth, and leads to `/more` once that is learned.
pub(super) fn home() -> Outcome {
    html(&(variants(FAMILIAR, &[1, 2]) + &links(["/more"])))
}

/// The page of a product, whatever the session.
pub(super) fn product(id: u32) -> Outcome {
    html(&format!("product number {id}, described in words{id}"))
}

/// The products that are indexed under none of their URLs.
pub(super) fn lost(survey: &Survey, ids: Range<u32>) -> Vec<u32> {
    let indexed = survey.with_reason(Reason::Fetched);
    ids.filter(|id| !indexed.iter().any(|path| path.starts_with(&format!("/p?id={id}&")))).collect()
}

/// What is thought of the session parameter, over all patterns: 0 watching, 1 strong, 2 refuted.
pub(super) fn standing_of_sessions(survey: &Survey) -> Option<u8> {
    use groma_store::Snapshot;
    let learned = survey.read().learned().unwrap();
    learned.iter().filter(|row| row.param == "sid").map(|row| row.standing).max()
}
