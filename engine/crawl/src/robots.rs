//! What is heard of a host of a crawl: which server it is, then what its robots.txt says.

use crossbeam_channel::Sender;

use groma_fetch::{Lane, RobotsAnswer};
use groma_model::{Failure, HostId};
use groma_page::robots::Access;
use groma_store::StoreError;

use crate::event::Event;
use crate::kernel::{Standing, lane_name};
use crate::survey::OpenSurvey;
use crate::workers::Workers;

/// The server of a host is known: if no other worker is busy with it, its robots.txt is asked for.
pub(crate) fn server_known(
    survey: &mut OpenSurvey<'_>,
    workers: &mut Workers,
    events: &Sender<Event>,
    id: HostId,
    lane: Lane,
) -> Result<(), StoreError> {
    if !workers.takes_server(survey, id, &lane_name(&lane))? {
        survey.kernel.asking -= 1;
        return Ok(());
    }
    let rest = workers.first_rest(survey, id);
    survey.kernel.ask_robots(id, lane, rest, events);
    Ok(())
}

/// A host has been asked for its robots.txt. Returns what the system has no more of for us, if that is why there is no answer.
pub(crate) fn host_answered(
    survey: &mut OpenSurvey<'_>,
    workers: &mut Workers,
    id: HostId,
    lane: &Lane,
    answer: &RobotsAnswer,
) -> Result<Option<&'static str>, StoreError> {
    survey.kernel.asking -= 1;
    let is_known = survey.kernel.hosts.get(id).is_some();
    // It may have been asked before other workers came.
    if !is_known || (!workers.has_server(survey, id) && !workers.takes_server(survey, id, &lane_name(lane))?) {
        return Ok(None);
    }
    if let Some(Failure::Scarce(what)) = answer.failure {
        // Nothing has been heard of the host: it is as it was.
        if let Some(host) = survey.kernel.hosts.get(id) {
            host.standing = Standing::Fresh;
        }
        survey.kernel.hosts.heard_from(id);
        return Ok(Some(what));
    }
    let row = survey.kernel.robots_answered(id, lane, answer);
    survey.ledger.batch.robots.extend(row);
    note_answer(survey, workers, id, answer);
    survey.kernel.hosts.heard_from(id);
    Ok(None)
}

/// Counts what was cut, lets a server rest that somebody else had, and tells of a host that stays closed for now.
fn note_answer(survey: &mut OpenSurvey<'_>, workers: &mut Workers, id: HostId, answer: &RobotsAnswer) {
    let Some(host) = survey.kernel.hosts.get(id) else { return };
    match &host.standing {
        Standing::Open { lane, robots } => {
            let (lane, delay_cut) = (*lane, robots.crawl_delay_was_cut());
            if answer.cut {
                survey.limit_hit("robots_bytes", 1);
            }
            if delay_cut {
                survey.limit_hit("crawl_delay_s", 1);
            }
            workers.rest_lane(survey, id, lane);
        }
        Standing::Closed(_, why) if answer.access == Access::Later => {
            survey.watch.notice(&format!("{}: {why}; its pages stay unknown until the next update", host.origin));
            if answer.retry_after.is_some_and(|wait| wait.as_secs() > survey.settings.limits.retry_after_s) {
                survey.limit_hit("retry_after_s", 1);
            }
        }
        _ => {}
    }
}
