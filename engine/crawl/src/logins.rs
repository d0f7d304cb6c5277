//! A crawl with a login: links that would end it are not followed, known by their URLs wherever URLs are judged
//! ([`OpenSurvey::judge`](OpenSurvey::judge)), and by their texts here; and pages that were withheld end the crawl as if it was interrupted.

use std::collections::HashSet;

use groma_model::url::Logout;
use groma_model::{PageId, Reason};
use groma_store::{Amend, StoreError};

use crate::harvest::Place;
use crate::learning::Learning;
use crate::ledger::Discovery;
use crate::place::{enter, place};
use crate::survey::OpenSurvey;

/// What the parts of a crawl know of its login. The login itself is the fetcher's affair.
#[derive(Default)]
pub(crate) struct Logins {
    /// Pages are withheld: there is no login to be had.
    pub(crate) withheld: bool,
    /// Pages whose links say that they end the login, found after the pages were known.
    farewells: HashSet<PageId>,
}

impl Logins {
    /// Was a page that was known found to end the login?
    pub(crate) fn ends_login(&self, page: PageId) -> bool {
        self.farewells.contains(&page)
    }

    /// Does a link say that it ends the login? Then it is never followed, whatever its URL.
    pub(crate) fn is_farewell(survey: &OpenSurvey<'_>, text: &str) -> bool {
        survey.settings.logout.is_some() && Logout::is_text(text)
    }

    /// The number of a URL that a link says to end the login; enters it if it is new. One that waits for its turn waits no
    /// longer; one that is being fetched at this moment cannot be called back.
    pub(crate) fn place_farewell(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        learning: &mut Learning,
        to: Place,
        found: Discovery,
    ) -> Result<PageId, StoreError> {
        let Place::Address(canon) = to else { return Ok(place(survey, learning, to, found, false)?.0) };
        let (url, fp, linked) = (canon.address.url, canon.address.fp, canon.linked);
        let Some(known) = survey.ledger.find(fp)? else {
            let reason = canon.verdict.and_then(|()| survey.scope.judge(&url)).err().unwrap_or(Reason::Logout);
            return enter(survey, &url, fp, reason, found, None, linked);
        };
        let id = known.id;
        if survey.starts.seeds.contains(&id) || !self.farewells.insert(id) {
            return Ok(id);
        }
        if let Some(fresh) = survey.ledger.fresh(id) {
            if matches!(fresh.reason, Reason::NotWanted | Reason::Waiting) {
                survey.progress.queued = survey.progress.queued.saturating_sub(u64::from(fresh.queue.is_some()));
                (fresh.reason, fresh.queue) = (Reason::Logout, None);
            }
        } else if survey.queue.has(id) {
            for slot in survey.queue.withdraw(&mut survey.kernel, &HashSet::from([id])) {
                survey.leaves_queue();
                survey.log_change(id, slot.before, Reason::Logout, false, None);
                survey.ledger.batch.amends.push(Amend::to(id, Reason::Logout));
            }
        }
        Ok(id)
    }
}
