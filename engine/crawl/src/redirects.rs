//! Redirects: the target is a URL of its own, the redirecting one becomes another name of it.
//!
//! Every hop is a fetch with its own scope, robots.txt and guard. Aliases never run in circles: the page whose redirect would close
//! the circle is named as the loop, and one redirect too many in a row ends the chain.

use groma_url::Url;

use groma_model::url::Canon;
use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::batch::Content;
use groma_store::{AddressRow, FetchFacts, Settled, StoreError};
use groma_strategy::Lead;

use crate::harvest::Place;
use crate::kernel::Millis;
use crate::learning::Learning;
use crate::ledger::Discovery;
use crate::linked::allows;
use crate::place::place;
use crate::settle::{settle, settled};
use crate::slot::Slot;
use crate::survey::OpenSurvey;

/// Other spellings of one canonical URL that are tried before its redirects count as a circle.
const SPELLINGS: u32 = 5;

/// A slot to be used again after some time.
pub(crate) type Again = (Slot, Millis);

pub(crate) fn absorb_redirect(
    survey: &mut OpenSurvey<'_>,
    learning: &mut Learning,
    slot: Slot,
    facts: FetchFacts,
    raw: Url,
    canon: Canon,
) -> Result<Option<Again>, StoreError> {
    let (url, fp) = (canon.address.url.clone(), canon.address.fp);
    if fp == Fp::hash_bytes(slot.url.as_str().as_bytes()) {
        return Ok(another_spelling(survey, learning, slot, facts, raw));
    }
    let is_seed = survey.starts.seeds.contains(&slot.id);
    if is_seed && survey.scope.judge(&url).is_err() {
        survey.scope.add_seed(&url);
        survey.watch.notice(&format!("the start page moved to {url}: the survey follows"));
    }
    let found = Discovery { via: Some(slot.id), kind: LinkKind::Redirect, depth: slot.depth };
    let (target, mut lead) = place(survey, learning, Place::Address(canon), found, false)?;
    if survey.ledger.alias_of(target)? == Some(slot.id) && is_folded(survey, target)? {
        // A learned rule calls the target a variant of this very page.
        return Ok(another_spelling(survey, learning, slot, facts, raw));
    }
    if leads_back(survey, target, slot.id)? {
        settle(survey, learning, &slot, settled(&slot, Reason::RedirectLoop, facts, Content::Remove));
        return Ok(None);
    }
    if hops_to(survey, &slot)? >= survey.settings.limits.redirects {
        survey.limit_hit("redirects", 1);
        if lead {
            // Nobody asked for the target after all; a link may yet.
            survey.ledger.set_soft(fp, target, true);
        }
        settle(survey, learning, &slot, settled(&slot, Reason::RedirectChain, facts, Content::Remove));
        return Ok(None);
    }
    if is_seed {
        survey.starts.seeds.insert(target);
    }
    lead |= redirect_opens(survey, target, slot.depth)?;
    let visit = Settled { alias_of: Some(target), ..settled(&slot, Reason::Redirected, facts, Content::Remove) };
    settle(survey, learning, &slot, visit);
    let leads = if lead { vec![Lead { page: target, kind: LinkKind::Redirect, link: None }] } else { Vec::new() };
    survey.consult(&slot, Reason::Redirected, None, &leads);
    if lead {
        let host = host_of(survey, target)?;
        survey.queue.to_feed.push(host);
    }
    Ok(None)
}

/// The server sends us to another spelling of the same page (with a session id, say): ask for that one, within reason, and if
/// robots.txt allows it.
fn another_spelling(
    survey: &mut OpenSurvey<'_>,
    learning: &mut Learning,
    mut slot: Slot,
    facts: FetchFacts,
    mut raw: Url,
) -> Option<Again> {
    raw.set_fragment(None);
    if *slot.asks() != raw && slot.spellings < SPELLINGS {
        if !allows(survey, &raw) {
            settle(survey, learning, &slot, settled(&slot, Reason::Robots, facts, Content::Keep));
            return None;
        }
        slot.spellings += 1;
        slot.spelling = Some(raw);
        return Some((slot, 0));
    }
    settle(survey, learning, &slot, settled(&slot, Reason::RedirectLoop, facts, Content::Remove));
    None
}

fn is_folded(survey: &mut OpenSurvey<'_>, page: PageId) -> Result<bool, StoreError> {
    if let Some(fresh) = survey.ledger.fresh(page) {
        return Ok(fresh.reason == Reason::Folded);
    }
    Ok(survey.ledger.store.address(page)?.is_some_and(|row| row.reason == Reason::Folded))
}

/// A known target that was kept out for its distance alone comes in by a redirect from nearer.
fn redirect_opens(survey: &mut OpenSurvey<'_>, target: PageId, depth: Depth) -> Result<bool, StoreError> {
    let (reason, so_far) = if let Some(fresh) = survey.ledger.fresh(target) {
        (fresh.reason, fresh.depth)
    } else if survey.queue.has(target) {
        return Ok(false);
    } else {
        let Some(row) = survey.ledger.store.address(target)? else { return Ok(false) };
        (row.reason, row.depth)
    };
    let kept_out = matches!(reason, Reason::DepthLimit | Reason::Loose | Reason::NotWanted | Reason::NoFollow);
    let later = reason == Reason::Waiting && so_far > depth && !survey.settings.remembers;
    Ok(kept_out || later)
}

/// Do the aliases from `start` lead to `page`?
fn leads_back(survey: &mut OpenSurvey<'_>, start: PageId, page: PageId) -> Result<bool, StoreError> {
    let mut at = Some(start);
    for _ in 0..=2 * survey.settings.limits.redirects {
        let Some(here) = at else { return Ok(false) };
        if here == page {
            return Ok(true);
        }
        at = survey.ledger.alias_of(here)?;
    }
    Ok(true)
}

/// How many redirects in a row led to this page.
fn hops_to(survey: &mut OpenSurvey<'_>, slot: &Slot) -> Result<u64, StoreError> {
    let mut hops = 0;
    let mut row = survey.ledger.store.address(slot.id)?;
    while let Some(AddressRow { via: Some(via), via_kind: Some(LinkKind::Redirect), .. }) = row {
        hops += 1;
        if hops > survey.settings.limits.redirects {
            break;
        }
        row = survey.ledger.store.address(via)?;
    }
    Ok(hops)
}

fn host_of(survey: &mut OpenSurvey<'_>, page: PageId) -> Result<HostId, StoreError> {
    if let Some(fresh) = survey.ledger.fresh(page) {
        return Ok(fresh.host);
    }
    let row = survey.ledger.store.address(page)?;
    row.map(|r| r.host).ok_or_else(|| StoreError::Damaged(format!("page {} is not there", page.0)))
}
