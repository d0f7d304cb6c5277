//! From a harvest to a batch: what a visit changes in the survey.

use groma_url::Url;

use groma_model::{Depth, LinkKind, PageId, Reason, Rel};
use groma_store::batch::Content;
use groma_store::{FetchFacts, Settled, StoreError, codec};
use groma_strategy::{Lead, Visit};

use crate::harvest::{Got, Harvest, Place, Reading};
use crate::learning::Learning;
use crate::ledger::Discovery;
use crate::linked::{has_aged, note_spelling};
use crate::logins::Logins;
use crate::place::place;
use crate::redirects::{Again, absorb_redirect};
use crate::settle::{fate_of_content, note_bare_change, note_change, says_nothing_new, settle, settled};
use crate::slot::Slot;
use crate::survey::OpenSurvey;
use crate::traps::{Traps, cut_asset_chain};

/// The parts that judge what a visit found.
pub(crate) struct Intake {
    pub(crate) learning: Learning,
    pub(crate) traps: Traps,
    pub(crate) logins: Logins,
}

impl Intake {
    /// Takes in a harvest. Gives the slot back if the page is to be asked for again.
    pub(crate) fn absorb(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        harvest: Harvest,
    ) -> Result<Option<Again>, StoreError> {
        let Harvest { mut slot, facts, got, rest, .. } = harvest;
        if matches!(got, Got::Page(_) | Got::Bare | Got::Unchanged) {
            note_spelling(survey, &slot)?;
        }
        match got {
            Got::Fault { passing: true, .. } if !survey.kernel.manners.is_last_try(slot.tries) => {
                let wait = rest.unwrap_or(survey.kernel.manners.retry_wait(slot.tries));
                slot.tries += 1;
                return Ok(Some((slot, wait)));
            }
            Got::Fault { reason, .. } if has_aged(survey, &slot, reason) => {
                slot.spelling = None;
                slot.spellings += 1;
                return Ok(Some((slot, 0)));
            }
            Got::Fault { reason, .. } if says_nothing_new(slot.before, reason) => {
                survey.leaves_queue();
                survey.leave_as_it_is(slot.id, slot.before)?;
            }
            Got::Fault { reason, .. } => {
                let visit = settled(&slot, reason, facts, fate_of_content(reason));
                settle(survey, &mut self.learning, &slot, visit);
            }
            Got::Bare => {
                let changed = note_bare_change(survey, &slot, &facts);
                let visit = settled(&slot, Reason::Fetched, facts, Content::Remove);
                settle(survey, &mut self.learning, &slot, Settled { changed, ..visit });
            }
            Got::Unchanged => {
                let last = slot.last.take().map_or_else(FetchFacts::default, |last| *last);
                let facts = FetchFacts { fetched_at: facts.fetched_at, elapsed_ms: facts.elapsed_ms, ..last };
                let visit = settled(&slot, Reason::Fetched, facts, Content::Keep);
                settle(survey, &mut self.learning, &slot, visit);
            }
            // Seen to before.
            Got::Withheld | Got::Scarce(_) => {}
            Got::Redirect(to) => return absorb_redirect(survey, &mut self.learning, slot, facts, to.0, to.1),
            Got::Page(reading) => self.absorb_page(survey, &slot, facts, *reading)?,
        }
        Ok(None)
    }

    fn absorb_page(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        slot: &Slot,
        mut facts: FetchFacts,
        reading: Reading,
    ) -> Result<(), StoreError> {
        if survey.settings.learn
            && let Some(text) = facts.text_fp
            && let Some(same_as) = self.learning.witness(survey, slot, text)?
        {
            // A sample of a learned rule, or a variant that was under way when the rule became strong: it held.
            let visit = settled(slot, Reason::Folded, facts, Content::Remove);
            settle(survey, &mut self.learning, slot, Settled { alias_of: Some(same_as), ..visit });
            return Ok(());
        }
        let Reading { parsed, places, details, body } = reading;
        let nofollow = facts.nofollow;
        let mut targets = Vec::with_capacity(places.len());
        let mut leads = Vec::new();
        let known_before = survey.ledger.batch.addresses.len();
        for (index, (to, link)) in places.into_iter().zip(&parsed.links).enumerate() {
            let found = Discovery { via: Some(slot.id), kind: link.kind, depth: slot.depth.next() };
            let (target, lead) = if Logins::is_farewell(survey, &link.text) {
                (self.logins.place_farewell(survey, &mut self.learning, to, found)?, false)
            } else {
                place(survey, &mut self.learning, to, found, nofollow || link.rel.has(Rel::NOFOLLOW))?
            };
            targets.push(target);
            if link.kind == LinkKind::Canonical && facts.canonical.is_none() {
                facts.canonical = Some(target);
            }
            if lead {
                leads.push(Lead { page: target, kind: link.kind, link: Some(index) });
            }
        }
        leads.retain(|lead| !self.logins.ends_login(lead.page));
        cut_asset_chain(survey, slot, &mut leads)?;
        // A style sheet has no words: that it adds none says nothing.
        if facts.media_type != "text/css" {
            self.traps.sift(survey, slot, &parsed, known_before, &mut leads);
        }
        survey.consult(slot, Reason::Fetched, Some(&parsed), &leads);
        let changed = note_change(survey, slot, &facts, &parsed, &targets)?;
        let targets = codec::pack_targets(&targets, parsed.links.iter().map(codec::Mark::from_link));
        let content = Content::Put { targets, details, body };
        let visit = Settled { changed, ..settled(slot, Reason::Fetched, facts, content) };
        settle(survey, &mut self.learning, slot, visit);
        Ok(())
    }

    /// URLs that a sitemap names: pages, or the pictures and films on them.
    pub(crate) fn absorb_sitemap(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        kind: LinkKind,
        urls: Vec<Url>,
    ) -> Result<(), StoreError> {
        let found = Discovery { via: None, kind, depth: Depth::LOOSE };
        let mut leads = Vec::new();
        for url in urls.into_iter().filter(|u| matches!(u.scheme(), "http" | "https")) {
            let canon = survey.canon(&url);
            let (page, lead) = place(survey, &mut self.learning, Place::Address(canon), found, false)?;
            if lead {
                leads.push(Lead { page, kind, link: None });
            }
        }
        let visit = Visit { leads: &leads, ..Visit::without_content(PageId(0), Reason::Fetched) };
        survey.consult_about(&visit, Depth::LOOSE);
        Ok(())
    }
}
