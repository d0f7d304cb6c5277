//! The keywords of a work, from the body alone.
//!
//! Five ways, the surer ones first: under a [heading](headed) or beside a field that says so; after a [word](run_in) that says so, in the same
//! line; in an [element](named) that is called so; as a [row](rows) that nothing announces. What calls itself "subjects" or "topics"
//! may be the site's own: it counts for less, and has to be [about](about) what title and abstract are about where it stands aside.
//! Cost: linear in blocks and elements.
//!
//! Not guaranteed: a list of the site's own subjects that stands where keywords stand is taken for them.

mod about;
mod headed;
pub(crate) mod labels;
mod named;
mod rows;
mod run_in;
mod words;

pub(crate) use about::About;

use super::sections::Sections;
use super::spot::Spot;
use super::view::View;

/// Below this, a list that was announced may be the site's own.
const UNSURE: u8 = 60;

/// `summary` are the blocks of the abstract, in order.
pub(crate) fn find_keywords(view: &View<'_>, sections: &Sections, about: &About<'_>, summary: &[u32]) -> Vec<Spot> {
    let mut best = headed::headed_keywords(view, sections, about);
    if best.is_empty() {
        best = run_in::run_in_keywords(view, sections, about);
    }
    if best.first().is_none_or(|spot| spot.confidence < UNSURE) {
        let words = named::named_keywords(view, sections);
        if !words.is_empty() {
            best = words;
        }
    }
    if best.is_empty() {
        best = rows::row_keywords(view, sections, about, summary);
    }
    best
}

fn better(words: &[Spot], best: &[Spot]) -> bool {
    let rank = |words: &[Spot]| words.first().map_or(0, |word| word.confidence);
    rank(words) > rank(best)
}

/// How sure we are of a list that calls itself subjects, topics or tags; nothing if it may be anything.
fn weak(words: &[Spot], about: &About<'_>, aside: bool) -> Option<u8> {
    let told = about.tells(words);
    let enough = if aside { told } else { told || words.len() >= 3 };
    enough.then_some(if told { 72 } else { 55 })
}
