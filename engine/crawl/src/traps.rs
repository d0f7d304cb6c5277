//! Traps at work: what a page tells the watch, and which of its leads are kept out.

use std::collections::HashMap;

use groma_url::Url;

use groma_model::url::shape::{quarter, quarter_text, shape, shape_text, text_shape};
use groma_model::url::trap::{Page, Suspicion, TrapWatch};
use groma_model::{Limits, LinkKind, PageId, ParsedPage, Reason};
use groma_store::{AddressRow, Finding, Snapshot, StoreError};
use groma_strategy::Lead;

use crate::epoch::epoch;
use crate::slot::Slot;
use crate::survey::OpenSurvey;

/// Which patterns of URLs are suspected to have no end.
pub(crate) struct Traps {
    watch: TrapWatch,
}

impl Traps {
    /// Begins with what was suspected before. A limit that was raised since then gives the pattern another chance.
    pub(crate) fn load(store: &mut dyn Snapshot, limits: &Limits) -> Result<Traps, StoreError> {
        let mut watch = TrapWatch::new(limits);
        for finding in store.findings()?.into_iter().filter(|finding| finding.kind == "trap") {
            let kinds = [Suspicion::Dry, Suspicion::Chain, Suspicion::Stale, Suspicion::Many];
            let told = kinds.into_iter().find(|suspicion| finding.detail.starts_with(suspicion.says()));
            if let Some(suspicion) = told.filter(|s| finding.detail.contains(&limit_words(*s, limits))) {
                watch.remember(text_shape(&finding.subject), suspicion);
            }
        }
        Ok(Traps { watch })
    }

    /// Is a URL clear of every trap suspected so far?
    pub(crate) fn admit(&self, url: &Url, run: u16) -> bool {
        self.watch.admits(shape(url), run) && self.watch.admits(quarter(url), 0)
    }

    /// Keeps leads out that belong to a trap.
    pub(crate) fn sift(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        slot: &Slot,
        parsed: &ParsedPage,
        known_before: usize,
        leads: &mut Vec<Lead>,
    ) {
        let here = shape(&slot.url);
        let mut new: HashMap<PageId, Url> = HashMap::new();
        let mut leads_elsewhere = false;
        let mut leads_below_only = true;
        let mut any = false;
        for address in &survey.ledger.batch.addresses[known_before..] {
            let may_lead = address.reason == Reason::NotWanted;
            let counts = may_lead || matches!(address.reason, Reason::Asset | Reason::OutOfScope);
            any |= counts;
            // What is no lead is looked at only as long as it can tell something.
            let undecided = !leads_elsewhere || leads_below_only;
            if counts
                && (may_lead || undecided)
                && let Ok(url) = Url::parse(&address.url)
            {
                if undecided {
                    let there = shape(&url);
                    leads_elsewhere |= there != here && self.watch.admits(there, 1);
                    leads_below_only &= is_below(&url, &slot.url);
                }
                if may_lead {
                    new.insert(address.id, url);
                }
            }
        }
        let depth = slot.depth.known().unwrap_or(0);
        leads_below_only &= any;
        let page = Page { url: &slot.url, depth, leads_elsewhere, leads_below_only, text_fp: parsed.text_fp };
        let seen = self.watch.see(&page, parsed.blocks.iter().map(|b| b.text.as_str()));
        if let Some(suspicion) = seen.suspicion {
            let pages = self.watch.seen(here, suspicion);
            suspect(survey, shape_text(&slot.url), &slot.url, suspicion, pages);
        }
        if let Some(suspicion) = self.watch.count(quarter(&slot.url)) {
            let pages = self.watch.seen(quarter(&slot.url), suspicion);
            suspect(survey, quarter_text(&slot.url), &slot.url, suspicion, pages);
        }
        let inherited = seen.step.map_or(0, |step| slot.run.saturating_add(step));
        let mut chain = None;
        leads.retain(|lead| {
            let Some(url) = new.get(&lead.page) else { return true };
            let there = shape(url);
            let run = if there == here { inherited.max(1) } else { inherited };
            let admitted = self.admit(url, run);
            if !admitted && u64::from(run) >= survey.settings.limits.trap_run && self.watch.tell_chain(quarter(url)) {
                chain = Some(url.clone());
            }
            if let Some(address) = survey.ledger.fresh(lead.page) {
                address.run = run;
                if !admitted {
                    address.reason = Reason::Trap;
                }
            }
            admitted
        });
        if let Some(url) = chain {
            let pages = chain_length(survey, slot);
            suspect(survey, quarter_text(&url), &url, Suspicion::Chain, pages);
        }
    }
}

/// Keeps out what a file that is no page (a style sheet, say) names further, where a long chain of such files leads to it: one can
/// go on without end, and no words tell.
pub(crate) fn cut_asset_chain(
    survey: &mut OpenSurvey<'_>,
    slot: &Slot,
    leads: &mut Vec<Lead>,
) -> Result<(), StoreError> {
    let most = survey.settings.limits.trap_assets;
    if leads.iter().all(|lead| lead.kind.leads_on()) || assets_before(survey, slot, most)? < most {
        return Ok(());
    }
    let before = leads.len();
    let ledger = &mut survey.ledger;
    leads.retain(|lead| {
        // What is known already makes no chain longer.
        let Some(address) = ledger.fresh(lead.page).filter(|_| !lead.kind.leads_on()) else { return true };
        address.reason = Reason::Trap;
        false
    });
    if leads.len() < before {
        let limit = format!("trap_assets = {most}");
        let subject = shape_text(&slot.url);
        let detail = format!("a chain of {most} files, each named by the one before ({limit}), seen at {}", slot.url);
        survey
            .watch
            .notice(&format!("trap suspected at {subject}: a chain of {most} files, each named by the one before"));
        survey.ledger.batch.findings.push(Finding { kind: "trap".into(), subject, detail, since: epoch() });
        survey.limit_hit("trap_assets", 1);
    }
    Ok(())
}

/// How many files in a row, this one included, were found on the one before as something that is no page; counted up to `most`.
fn assets_before(survey: &mut OpenSurvey<'_>, slot: &Slot, most: u64) -> Result<u64, StoreError> {
    let (mut files, mut hops) = (0, 0);
    let mut row = survey.ledger.store.address(slot.id)?;
    while let Some(AddressRow { via: Some(via), via_kind: Some(kind), .. }) = row {
        match kind {
            LinkKind::Redirect => hops += 1,
            kind if kind.leads_on() => break,
            _ => files += 1,
        }
        if files >= most || hops > survey.settings.limits.redirects.saturating_mul(most) {
            break;
        }
        row = survey.ledger.store.address(via)?;
    }
    Ok(files)
}

/// How many pages, each found on the one before, make up the chain that ends here. Echoes weigh more than one page in its run, so
/// the run is no count.
fn chain_length(survey: &mut OpenSurvey<'_>, last: &Slot) -> u32 {
    let (mut pages, mut via, mut run) = (1, last.via, last.run);
    while let Some(id) = via.filter(|_| run > 0 && u64::from(pages) <= survey.settings.limits.trap_run) {
        let Ok(Some(row)) = survey.ledger.store.address(id) else { break };
        pages += 1;
        (via, run) = (row.via, row.run);
    }
    pages
}

fn suspect(survey: &mut OpenSurvey<'_>, subject: String, seen_at: &Url, suspicion: Suspicion, pages: u32) {
    let (says, limit) = (suspicion.says(), limit_words(suspicion, &survey.settings.limits));
    let counted = suspicion.counted(pages);
    survey.watch.notice(&format!("trap suspected at {subject}: {says}: {counted}"));
    let detail = format!("{says}: {counted} ({limit}), seen at {seen_at}");
    survey.ledger.batch.findings.push(Finding { kind: "trap".into(), subject, detail, since: epoch() });
    survey.limit_hit(suspicion.limit(), 1);
}

/// Which limit a suspicion reached, and what it was then.
fn limit_words(suspicion: Suspicion, limits: &Limits) -> String {
    format!("{} = {}", suspicion.limit(), limits.get(suspicion.limit()).unwrap_or(0))
}

/// Does a URL lie below the folder of another?
fn is_below(url: &Url, folder: &Url) -> bool {
    let end = folder.path().rfind('/').map_or(0, |at| at + 1);
    let folder_path = &folder.path()[..end];
    // The root folder holds everything, and a page with a query is a matter for learned rules.
    end > 1 && folder.query().is_none() && url.host() == folder.host() && url.path().starts_with(folder_path)
}
