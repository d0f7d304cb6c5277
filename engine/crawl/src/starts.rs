//! The start pages: entered when a crawl begins, found again by its other workers, and followed where they redirect.

use groma_url::Url;

use groma_model::{Depth, LinkKind, PageId, Reason};
use groma_store::StoreError;
use groma_strategy::Plan;

use crate::harvest::Place;
use crate::learning::Learning;
use crate::ledger::Discovery;
use crate::place::place;
use crate::reconsider::is_decided_by_settings;
use crate::settings::listed_key;
use crate::survey::OpenSurvey;

/// Enters the start pages that are not known yet and asks the strategy about them, piece by piece where there are many.
pub(crate) fn place_seeds(survey: &mut OpenSurvey<'_>, learning: &mut Learning) -> Result<(), StoreError> {
    let given = survey.starts.given.clone();
    place_starts(survey, learning, given)?;
    for piece in 0..survey.starts.listed {
        let starts = listed_starts(survey, piece)?;
        place_starts(survey, learning, starts)?;
        if survey.kernel.is_interrupted() {
            // The rest is entered when the crawl goes on.
            break;
        }
    }
    Ok(())
}

fn place_starts(survey: &mut OpenSurvey<'_>, learning: &mut Learning, starts: Vec<Url>) -> Result<(), StoreError> {
    let found = Discovery { via: None, kind: LinkKind::Anchor, depth: Depth(0) };
    let mut new = Vec::new();
    for url in starts {
        let canon = survey.canon(&url);
        survey.scope.add_seed(&canon.address.url);
        let (id, lead) = place(survey, learning, Place::Address(canon), found, false)?;
        survey.starts.seeds.insert(id);
        survey.starts.pages.push(id);
        if lead || was_kept_out(survey, id)? {
            new.push(id);
        }
        follow_seed(survey, id)?;
    }
    let mut plan = Plan::default();
    if survey.settings.remembers {
        new.into_iter().for_each(|page| plan.drop(page, Reason::NotWanted));
    } else {
        survey.strategy.begin(&new, &mut plan);
    }
    survey.obey(plan, Depth(0));
    survey.commit()
}

/// The start pages as they stand, for a worker that did not enter them: what belongs to the survey follows them.
pub(crate) fn find_seeds(survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
    let given = survey.starts.given.clone();
    find_starts(survey, given)?;
    for piece in 0..survey.starts.listed {
        let starts = listed_starts(survey, piece)?;
        find_starts(survey, starts)?;
    }
    Ok(())
}

fn find_starts(survey: &mut OpenSurvey<'_>, starts: Vec<Url>) -> Result<(), StoreError> {
    for url in starts {
        let canon = survey.canon(&url);
        survey.scope.add_seed(&canon.address.url);
        if let Some(found) = survey.ledger.find(canon.address.fp)? {
            survey.starts.seeds.insert(found.id);
            follow_seed(survey, found.id)?;
        }
    }
    Ok(())
}

/// A piece of the lists of start pages that the store holds.
fn listed_starts(survey: &mut OpenSurvey<'_>, piece: u32) -> Result<Vec<Url>, StoreError> {
    let text = survey.ledger.store.value(&listed_key(piece))?.unwrap_or_default();
    Ok(text.lines().filter_map(|line| Url::parse(line).ok()).collect())
}

/// A page that is known but was never asked for, and is now named as a start page.
fn was_kept_out(survey: &mut OpenSurvey<'_>, id: PageId) -> Result<bool, StoreError> {
    let row = survey.ledger.store.address(id)?;
    Ok(row.is_some_and(|row| {
        let kept_out = is_decided_by_settings(survey, row.reason) || row.reason == Reason::NoFollow;
        kept_out || (row.reason == Reason::Waiting && row.depth != Depth(0))
    }))
}

/// Where a start page was found to redirect earlier, the scope followed it then; it does so again.
fn follow_seed(survey: &mut OpenSurvey<'_>, id: PageId) -> Result<(), StoreError> {
    let mut at = id;
    for _ in 0..=survey.settings.limits.redirects {
        let Some(next) = survey.ledger.store.address(at)?.and_then(|row| row.alias_of) else { break };
        at = next;
        survey.starts.seeds.insert(at);
        let row = survey.ledger.store.address(at)?;
        if let Some(url) = row.and_then(|row| Url::parse(&row.url).ok()) {
            survey.scope.add_seed(&url);
        }
    }
    Ok(())
}
