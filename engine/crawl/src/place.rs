//! From a link to a number: is the URL known, may it be fetched, is it a variant of another?

use groma_url::Url;

use groma_model::url::learn::without;
use groma_model::url::shape::quarter;
use groma_model::url::{Address, Canon};
use groma_model::{Fp, LinkKind, PageId, Reason};
use groma_store::StoreError;

use crate::harvest::Place;
use crate::learning::Learning;
use crate::ledger::Discovery;
use crate::linked::{linked_again, may_matter, note_linked};
use crate::survey::OpenSurvey;

/// The number of a URL; enters it if it is new. True: a strategy may want it.
pub(crate) fn place(
    survey: &mut OpenSurvey<'_>,
    learning: &mut Learning,
    place: Place,
    found: Discovery,
    nofollow: bool,
) -> Result<(PageId, bool), StoreError> {
    let canon = match place {
        Place::Address(canon) => canon,
        Place::Malformed(text, fp) => {
            if let Some(known) = survey.ledger.find(fp)? {
                return Ok((known.id, false));
            }
            let nowhere = survey.ledger.nowhere()?;
            survey.progress.discovered += 1;
            return Ok((survey.ledger.add(fp, text, nowhere, Reason::Malformed, found, None)?, false));
        }
    };
    let hindrance = hindrance(survey, found.kind, nofollow);
    if let Some(known) = survey.ledger.find(canon.address.fp)? {
        let matters = hindrance.is_none() && may_matter(survey, known, &canon);
        let verdict = || canon.verdict.is_ok() && survey.judge(&canon.address.url).is_ok();
        let lead = known.soft && hindrance.is_none();
        if !(matters || lead) || !verdict() {
            return Ok((known.id, false));
        }
        let opened = matters && linked_again(survey, known, &canon)?;
        if lead {
            survey.ledger.set_soft(canon.address.fp, known.id, false);
        }
        return Ok((known.id, lead || opened));
    }
    let Canon { address: Address { url, fp }, verdict, linked } = canon;
    if let Err(reason) = verdict.and_then(|()| survey.judge(&url)) {
        return Ok((enter(survey, &url, fp, reason, found, None, linked)?, false));
    }
    if let Some(reason) = hindrance {
        let id = enter(survey, &url, fp, reason, found, None, linked)?;
        survey.ledger.set_soft(fp, id, true);
        return Ok((id, false));
    }
    if survey.settings.learn
        && let Some((kind, param)) = learning.meaningless(&url)
        && let Some(key) = without(&url, &param)
    {
        match survey.ledger.stands_for(key)? {
            None => {
                let id = enter(survey, &url, fp, Reason::NotWanted, found, None, linked)?;
                survey.ledger.fold(key, Some(id));
                return Ok((id, true));
            }
            Some(page) if !learning.samples(&kind, &param, quarter(&url)) => {
                learning.note(&mut survey.ledger.batch, &kind, &param, "");
                return Ok((enter(survey, &url, fp, Reason::Folded, found, Some(page), linked)?, false));
            }
            Some(_) => {}
        }
    }
    Ok((enter(survey, &url, fp, Reason::NotWanted, found, None, linked)?, true))
}

/// Enters a new URL, linked by another URL than its own if there is one.
pub(crate) fn enter(
    survey: &mut OpenSurvey<'_>,
    url: &Url,
    fp: Fp,
    reason: Reason,
    found: Discovery,
    alias_of: Option<PageId>,
    linked: Option<Box<Url>>,
) -> Result<PageId, StoreError> {
    survey.progress.discovered += u64::from(alias_of.is_none());
    let host = survey.ledger.host(url)?;
    let id = survey.ledger.add(fp, url.to_string(), host, reason, found, alias_of)?;
    if let Some(linked) = linked {
        note_linked(survey, id, fp, &linked);
    }
    Ok(id)
}

/// Why a link of this kind is not followed, if it is not.
fn hindrance(survey: &OpenSurvey<'_>, kind: LinkKind, nofollow: bool) -> Option<Reason> {
    match kind {
        LinkKind::Form => Some(Reason::NotWanted),
        kind if !kind.leads_on() && !survey.settings.follow.assets => Some(Reason::Asset),
        _ if nofollow && !survey.settings.follow.nofollow => Some(Reason::NoFollow),
        _ => None,
    }
}
