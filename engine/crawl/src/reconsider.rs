//! URLs judged again, by settings that differ from those under which they were judged.

use std::collections::{HashMap, HashSet};

use groma_url::Url;

use groma_model::url::Canon;
use groma_model::{Depth, LinkKind, PageId, Reason};
use groma_store::{AddressRow, Amend, StoreError};
use groma_strategy::{Command, Plan};

use crate::harvest::Place;
use crate::learning::Learning;
use crate::ledger::Discovery;
use crate::place::place;
use crate::survey::OpenSurvey;

/// URLs read at a time.
const STEP: usize = 20_000;

/// The settings differ from those under which URLs were judged: judge again those that settings decide.
pub(crate) fn reconsider(survey: &mut OpenSurvey<'_>, learning: &mut Learning) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let rows = survey.ledger.store.addresses(after, STEP)?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = Some(last.id);
        let mut plan = Plan::default();
        let mut depths: HashMap<PageId, Depth> = rows.iter().map(|r| (r.id, r.depth)).collect();
        for row in &rows {
            let Ok(url) = Url::parse(&row.url) else { continue };
            let canon = survey.canon(&url);
            let rewritten = canon.verdict.is_ok() && canon.address.fp != row.fp;
            let verdict = canon.verdict.and_then(|()| survey.judge(&url));
            let seed = survey.starts.seeds.contains(&row.id);
            let open = row.reason == Reason::Waiting || is_decided_by_settings(survey, row.reason);
            match verdict {
                Ok(()) if rewritten && !seed && open => {
                    let page = rewrite(survey, learning, row, canon, &mut plan)?;
                    depths.entry(page).or_insert(row.depth);
                }
                Err(reason) if row.reason == Reason::Waiting && !seed => {
                    survey.leaves_queue();
                    survey.ledger.batch.amends.push(Amend::to(row.id, reason));
                }
                Ok(()) if open => {
                    survey.judge_again(row.id, row.depth, row.via_kind, &mut plan);
                }
                _ => {}
            }
        }
        let waiting: HashSet<PageId> = rows.iter().filter(|r| r.reason == Reason::Waiting).map(|r| r.id).collect();
        let newly = plan.commands.iter().filter(|c| matches!(c, Command::Want(id, _) if !waiting.contains(id)));
        survey.progress.queued += newly.count() as u64;
        survey.obey_uncounted(plan, |id| depths.get(&id).copied().unwrap_or(Depth::LOOSE));
        survey.commit()?;
    }
}

/// By rules written since, this URL that was never fetched has another canonical form: it becomes a name of that one.
fn rewrite(
    survey: &mut OpenSurvey<'_>,
    learning: &mut Learning,
    row: &AddressRow,
    canon: Canon,
    plan: &mut Plan,
) -> Result<PageId, StoreError> {
    let kind = row.via_kind.unwrap_or(LinkKind::Anchor);
    let found = Discovery { via: row.via, kind, depth: row.depth };
    // It was linked as it was linked: by that URL it is fetched, if the rules say that it is the same page.
    let linked = survey.ledger.linked(row.id)?.unwrap_or_default();
    let mut linked = linked.lines().filter_map(|url| Some(survey.canon(&Url::parse(url).ok()?)));
    let canon = linked.find(|as_linked| as_linked.address == canon.address).unwrap_or(canon);
    let (page, lead) = place(survey, learning, Place::Address(canon), found, false)?;
    if lead {
        survey.judge_again(page, row.depth, row.via_kind, plan);
    }
    survey.progress.queued = survey.progress.queued.saturating_sub(u64::from(row.queued));
    survey.ledger.batch.amends.push(Amend { alias_of: Some(page), ..Amend::to(row.id, Reason::Rewritten) });
    Ok(page)
}

pub(crate) fn is_decided_by_settings(survey: &OpenSurvey<'_>, reason: Reason) -> bool {
    use Reason::*;
    match reason {
        DepthLimit | PageLimit | OutOfScope | Excluded | NotIncluded | Loose | Trap => true,
        NotWanted => !survey.settings.remembers,
        Asset => survey.settings.follow.assets,
        NoFollow => survey.settings.follow.nofollow,
        // Asked again, by the name we go by now.
        Robots => true,
        Logout => survey.settings.logout.is_none(),
        _ => false,
    }
}
