//! From the queue in the store to slots in the lanes, host by host: a host is asked for its robots.txt first, and only a few
//! slots of it are in memory at any time.

use crossbeam_channel::Sender;
use groma_url::Url;

use groma_model::{Fp, HostId, Reason};
use groma_store::{Amend, Queued, StoreError};

use crate::absorb::Intake;
use crate::event::Event;
use crate::kernel::Standing;
use crate::linked::{choose, prefer};
use crate::queue::LOADED_PER_HOST;
use crate::settle::settle_unasked;
use crate::slot::Slot;
use crate::survey::OpenSurvey;

/// Loads slots for the hosts that want more, and sends for the robots.txt of those not asked yet.
pub(crate) fn refill(survey: &mut OpenSurvey<'_>, intake: &Intake, events: &Sender<Event>) -> Result<(), StoreError> {
    for id in survey.kernel.hosts.due(survey.kernel.now()) {
        survey.kernel.ask_server(id, events);
    }
    while !survey.queue.is_full() {
        let Some(id) = survey.kernel.hosts.hungry() else { break };
        let Some(host) = survey.kernel.hosts.get(id) else { continue };
        match host.standing {
            Standing::Fresh if survey.kernel.asking >= survey.kernel.manners.concurrency => {
                survey.kernel.hosts.feed(id);
                break;
            }
            Standing::Fresh => survey.kernel.ask_server(id, events),
            Standing::Asked | Standing::Later(_) => {}
            Standing::Open { .. } => load(survey, intake, id)?,
            Standing::Closed(reason, ref why) => {
                let why = why.clone();
                close(survey, id, reason, &why)?;
            }
        }
    }
    Ok(())
}

/// Loads the next slots of an open host.
fn load(survey: &mut OpenSurvey<'_>, intake: &Intake, id: HostId) -> Result<(), StoreError> {
    let Some(host) = survey.kernel.hosts.get(id) else { return Ok(()) };
    let most = LOADED_PER_HOST + host.loaded;
    let rows = survey.ledger.store.queued(survey.queue.round, id, most)?;
    host.more = rows.len() == most;
    for row in rows {
        if !survey.queue.has(row.id) {
            admit(survey, intake, id, &row)?;
        }
    }
    survey.commit()?;
    // Robots.txt or a trap may have kept out all of them: then there is no slot whose return would ask for more.
    if survey.kernel.hosts.get(id).is_some_and(|host| host.more && host.loaded < LOADED_PER_HOST / 2) {
        survey.kernel.hosts.feed(id);
    }
    Ok(())
}

/// Puts a URL into the lane of its server, unless robots.txt or a trap keeps it out.
fn admit(survey: &mut OpenSurvey<'_>, intake: &Intake, id: HostId, row: &Queued) -> Result<(), StoreError> {
    let new_pages = survey.progress.fetched + survey.queue.new_pages();
    let limit_reached = survey.settings.max_pages.is_some_and(|most| new_pages >= most);
    let Some(host) = survey.kernel.hosts.get(id) else { return Ok(()) };
    let Standing::Open { robots, lane } = &host.standing else { return Ok(()) };
    let (lane, url) = (*lane, Url::parse(&row.url));
    let form = url.as_ref().ok().and_then(|url| choose(robots, &survey.lens.canonizer, row, url));
    let is_new = row.reason == Reason::Waiting;
    let refused = match &url {
        Err(_) => Some(Reason::Malformed),
        Ok(_) if form.is_none() => Some(Reason::Robots),
        Ok(url) if survey.settings.logout.as_ref().is_some_and(|l| l.is_address(url)) => Some(Reason::Logout),
        Ok(_) if intake.logins.ends_login(row.id) => Some(Reason::Logout),
        Ok(url) if is_new && !intake.traps.admit(url, row.run) => Some(Reason::Trap),
        Ok(_) if is_new && survey.settings.updating && limit_reached => Some(Reason::PageLimit),
        Ok(_) => None,
    };
    if let Some(reason) = refused {
        survey.leaves_queue();
        survey.log_change(row.id, row.reason, reason, false, None);
        survey.ledger.batch.amends.push(Amend::to(row.id, reason));
        if reason == Reason::Robots {
            survey.ledger.set_doubtful(Fp::hash_bytes(row.url.as_bytes()), true);
        }
        return Ok(());
    }
    let (Ok(url), Some((place, form))) = (url, form) else { return Ok(()) };
    host.loaded += 1;
    survey.queue.load(row.id, row.reason);
    let last = match row.reason {
        Reason::Waiting => None,
        _ => survey.ledger.store.page(row.id)?.map(|page| Box::new(page.facts)),
    };
    prefer(survey, row, place);
    let spelling = Some(form).filter(|form| *form != url);
    let slot = Slot {
        id: row.id,
        host: id,
        url,
        depth: row.depth,
        via: row.via,
        run: row.run,
        before: row.reason,
        last,
        tries: 0,
        spelling,
        spellings: 0,
    };
    survey.kernel.frontier.offer(lane, slot);
    Ok(())
}

/// Settles everything queued of a host that nothing may be fetched from.
fn close(survey: &mut OpenSurvey<'_>, id: HostId, reason: Reason, why: &str) -> Result<(), StoreError> {
    loop {
        let rows = survey.ledger.store.queued(survey.queue.round, id, 1_000)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            survey.leaves_queue();
            settle_unasked(survey, &row, reason, why)?;
        }
        survey.commit()?;
    }
}
