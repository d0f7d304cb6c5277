//! Reading a page as a browser built it, in place of the page as it came.

use std::panic::{AssertUnwindSafe, catch_unwind};

use groma_model::{Fp, Reason, Rendering};
use groma_page::{Filter, Html, Input, add_header_links};
use groma_store::FetchFacts;

use super::links::add_asked;
use crate::digest::{Lens, note_page, reading};
use crate::harvest::{Built, Got, Harvest};

/// A built page that breaks a reader stays what it was when it came.
pub(crate) fn built_safely(mut built: Built, lens: &Lens) -> Box<Harvest> {
    let read = catch_unwind(AssertUnwindSafe(|| read_built(&mut built, lens)));
    let mut harvest = built.harvest;
    if read.is_err() {
        harvest.facts.note = Rendering::Failed("the built page broke its reader".into()).to_string();
    }
    harvest
}

/// Reads a page as a browser built it, in place of the page as it came. What its header said still holds.
fn read_built(built: &mut Built, lens: &Lens) {
    let Some(studio) = &lens.studio else { return };
    let Built { harvest, order, seen } = built;
    let view = match seen {
        Ok(view) => view,
        Err(blind) => {
            harvest.finding = Some(studio.failed(&order.shown.url, blind));
            harvest.facts.note = Rendering::Failed(blind.to_string()).to_string();
            let was_built = |last: &FetchFacts| Rendering::read(&last.note).is_some_and(|then| then.is_done());
            if harvest.slot.before == Reason::Fetched && harvest.slot.last.as_deref().is_some_and(was_built) {
                // An empty shell says nothing about what was there when it was filled.
                harvest.got = Got::Unchanged;
            }
            return;
        }
    };
    let bytes = view.html.as_bytes();
    let (url, limits) = (&view.url, &lens.limits);
    let mut parsed = Html.read(&Input { bytes, url, charset: Some("utf-8"), limits, parts: lens.keep.parts });
    add_header_links(&mut parsed, &order.shown.headers, url, limits);
    add_asked(&mut parsed, &view.asked, limits);
    if let Got::Page(came) = &mut harvest.got {
        parsed.markup.header = std::mem::take(&mut came.parsed.markup.header);
    }
    harvest.cuts.extend(view.cuts.iter().chain(&parsed.cuts));
    harvest.cuts.sort_unstable();
    harvest.cuts.dedup();
    harvest.facts.cuts = harvest.cuts.join(",");
    harvest.facts.size = bytes.len() as u64;
    harvest.facts.body_fp = Some(Fp::hash_bytes(bytes));
    note_page(&parsed, &lens.agent, &mut harvest.facts);
    harvest.facts.note = studio.judge(&order.shown.url, order, &parsed, view.picture.as_deref()).to_string();
    harvest.built = true;
    harvest.got = Got::Page(Box::new(reading(parsed, bytes, lens)));
}
