//! What came of a visit: the new state of the page, the fate of its text, and a line in the change log.

use groma_model::state::Fault;
use groma_model::{PageId, ParsedPage, Reason};
use groma_store::batch::Content;
use groma_store::{ChangeKind, FetchFacts, Queued, Settled, StoreError, codec};

use crate::epoch::epoch;
use crate::learning::Learning;
use crate::progress::PageSeen;
use crate::slot::Slot;
use crate::survey::OpenSurvey;

/// An address of a host that nothing may be fetched from.
pub(crate) fn settle_unasked(
    survey: &mut OpenSurvey<'_>,
    row: &Queued,
    reason: Reason,
    why: &str,
) -> Result<(), StoreError> {
    if says_nothing_new(row.reason, reason) {
        return survey.leave_as_it_is(row.id, row.reason);
    }
    // What is known of its text stays known: nobody said anything about the page.
    let last = survey.ledger.store.page(row.id)?.map(|page| page.facts).unwrap_or_default();
    let had_text = last.text_fp.is_some();
    let note = if why.is_empty() { last.note.clone() } else { why.to_owned() };
    let facts = FetchFacts { fetched_at: epoch(), status: 0, note, ..last };
    let settled = Settled { id: row.id, reason, alias_of: None, facts, content: Content::Keep, changed: false };
    survey.log_change(row.id, row.reason, reason, had_text, None);
    survey.ledger.batch.settled.push(settled);
    Ok(())
}

/// Writes down what came of a visit, and tells whoever watches.
pub(crate) fn settle(survey: &mut OpenSurvey<'_>, learning: &mut Learning, slot: &Slot, visit: Settled) {
    let Settled { id, reason, alias_of, mut facts, content, changed } = visit;
    survey.leaves_queue();
    let was_indexed = slot.before == Reason::Fetched;
    if was_indexed && reason != Reason::Fetched {
        survey.note_moved_links();
    }
    match (was_indexed, reason == Reason::Fetched) {
        (false, true) => survey.progress.fetched += 1,
        (true, false) => survey.progress.fetched = survey.progress.fetched.saturating_sub(1),
        _ => {}
    }
    let had_text = slot.last.as_ref().is_some_and(|last| last.text_fp.is_some());
    if let Some(last) = slot.last.as_deref().filter(|_| reason != Reason::Fetched) {
        let (status, fetched_at, note) = (facts.status, facts.fetched_at, facts.note);
        facts = match content {
            // The text stays, so what is known of the text stays.
            Content::Keep => FetchFacts { status, fetched_at, note, ..last.clone() },
            // The text goes, but a report may still want to know what it was.
            _ => FetchFacts { status, fetched_at, note, text_fp: last.text_fp, ..FetchFacts::default() },
        };
    }
    if survey.settings.learn && said_no(reason) {
        learning.may_have_fallen(slot);
    }
    survey.watch.page(&PageSeen {
        url: slot.url.as_str(),
        reason,
        status: facts.status,
        depth: slot.depth,
        size: facts.size,
        media_type: &facts.media_type,
        title: &facts.title,
    });
    if reason != Reason::Fetched || !was_indexed {
        survey.log_change(slot.id, slot.before, reason, had_text, alias_of);
    }
    survey.ledger.batch.settled.push(Settled { id, reason, alias_of, facts, content, changed });
}

/// What came of a visit to a page that is no other name and has not changed.
pub(crate) fn settled(slot: &Slot, reason: Reason, facts: FetchFacts, content: Content) -> Settled {
    Settled { id: slot.id, reason, alias_of: None, facts, content, changed: false }
}

/// Has the page changed since last time, and how much? Logs it.
pub(crate) fn note_change(
    survey: &mut OpenSurvey<'_>,
    slot: &Slot,
    facts: &FetchFacts,
    parsed: &ParsedPage,
    targets: &[PageId],
) -> Result<bool, StoreError> {
    let Some(last) = slot.last.as_ref().filter(|_| slot.before == Reason::Fetched) else { return Ok(true) };
    let same_text = last.text_fp == facts.text_fp;
    let same_links = survey.ledger.store.targets(slot.id)? == targets;
    if !same_links {
        survey.note_moved_links();
    }
    if same_text && same_links {
        return Ok(false);
    }
    let old = survey.ledger.store.details(slot.id)?.and_then(|packed| codec::unpack_details(&packed));
    let old: Vec<&str> = old.iter().flat_map(|d| d.blocks.iter().map(|b| b.text.as_str())).collect();
    let new: Vec<&str> = parsed.blocks.iter().map(|b| b.text.as_str()).collect();
    let amount = if same_text { 0 } else { crate::difference::per_cent(&old, &new).max(1) };
    survey.log(slot.id, ChangeKind::Changed, amount, None);
    Ok(!same_text)
}

/// Has something that is not read changed since last time, or become such a thing? Logs it.
pub(crate) fn note_bare_change(survey: &mut OpenSurvey<'_>, slot: &Slot, facts: &FetchFacts) -> bool {
    let Some(last) = slot.last.as_ref().filter(|_| slot.before == Reason::Fetched) else { return true };
    let changed = last.size != facts.size || last.etag != facts.etag || last.media_type != facts.media_type;
    if changed {
        let amount = if last.text_fp.is_some() { 100 } else { 0 };
        survey.log(slot.id, ChangeKind::Changed, amount, None);
    }
    changed
}

/// Was a page with this reason asked for in vain, for good? Then variants that were folded into it need another.
fn said_no(reason: Reason) -> bool {
    reason.fault() == Some(Fault::Gone)
        || matches!(reason, Reason::ClientError | Reason::ServerError | Reason::RedirectLoop | Reason::BadRedirect)
}

/// A page that is gone loses its text; one that merely could not be had keeps it.
pub(crate) fn fate_of_content(reason: Reason) -> Content {
    match reason {
        Reason::NotFound | Reason::Gone => Content::Remove,
        _ => Content::Keep,
    }
}

/// A server that could not be reached says nothing about what it once said: a redirect stays a redirect, a missing page stays
/// missing, a closed one closed. (Of a page that was there we do say that it is unreachable.)
pub(crate) fn says_nothing_new(before: Reason, now: Reason) -> bool {
    use Reason::*;
    let silent = matches!(now, DnsFailure | Refused | Reset | Tls | TimeOut | ServerError | RobotsUnreachable);
    silent && matches!(before, Redirected | NotFound | Gone | ClientError | Unauthorized | Forbidden | Robots)
}
