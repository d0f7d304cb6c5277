//! Traps at work: what a page tells the watch, and which of its leads are kept out.

use std::collections::HashMap;

use url::Url;

use groma_fetch::Fetcher;
use groma_model::url::shape::{quarter, quarter_text, shape, shape_text};
use groma_model::url::trap::{Page, Suspicion, TrapWatch};
use groma_model::{Limits, PageId, ParsedPage, Reason};
use groma_store::Finding;
use groma_strategy::Lead;

use crate::engine::Engine;
use crate::ledger::epoch;
use crate::ticket::Ticket;

impl<F: Fetcher> Engine<'_, F> {
    /// Keeps leads out that belong to a trap.
    pub(crate) fn watch_for_traps(
        &mut self,
        ticket: &Ticket,
        parsed: &ParsedPage,
        known_before: usize,
        leads: &mut Vec<Lead>,
    ) {
        let here = shape(&ticket.url);
        let mut new: HashMap<PageId, Url> = HashMap::new();
        let mut leads_elsewhere = false;
        let mut leads_below_only = true;
        let mut any = false;
        for address in &self.ledger.batch.addresses[known_before..] {
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
                    leads_elsewhere |= there != here && self.traps.admits(there, 1);
                    leads_below_only &= is_below(&url, &ticket.url);
                }
                if may_lead {
                    new.insert(address.id, url);
                }
            }
        }
        let depth = ticket.depth.known().unwrap_or(0);
        leads_below_only &= any;
        let page = Page { url: &ticket.url, depth, leads_elsewhere, leads_below_only, text_fp: parsed.text_fp };
        let seen = self.traps.see(&page, parsed.blocks.iter().map(|b| b.text.as_str()));
        if let Some(suspicion) = seen.suspicion {
            self.suspect(shape_text(&ticket.url), &ticket.url, suspicion);
        }
        if let Some(suspicion) = self.traps.count(quarter(&ticket.url)) {
            self.suspect(quarter_text(&ticket.url), &ticket.url, suspicion);
        }
        let inherited = seen.step.map_or(0, |step| ticket.run.saturating_add(step));
        let mut chain = None;
        leads.retain(|lead| {
            let Some(url) = new.get(&lead.page) else { return true };
            let there = shape(url);
            let run = if there == here { inherited.max(1) } else { inherited };
            let admitted = is_free(&self.traps, url, run);
            if !admitted && u64::from(run) >= self.settings.limits.trap_run && self.traps.tell_chain(quarter(url)) {
                chain = Some(url.clone());
            }
            if let Some(address) = self.ledger.fresh(lead.page) {
                address.run = run;
                if !admitted {
                    address.reason = Reason::Trap;
                }
            }
            admitted
        });
        if let Some(url) = chain {
            self.suspect(quarter_text(&url), &url, Suspicion::Chain);
        }
    }

    fn suspect(&mut self, subject: String, seen_at: &Url, suspicion: Suspicion) {
        let (says, limit) = (suspicion.says(), limit_words(suspicion, &self.settings.limits));
        self.watch.notice(&format!("trap suspected at {subject}: {says}"));
        let detail = format!("{says} ({limit}), seen at {seen_at}");
        self.ledger.batch.findings.push(Finding { kind: "trap".into(), subject, detail, since: epoch() });
        *self.ledger.batch.counts.limits.entry(suspicion.limit()).or_default() += 1;
    }
}

/// Which limit a suspicion reached, and what it was then.
pub(crate) fn limit_words(suspicion: Suspicion, limits: &Limits) -> String {
    format!("{} = {}", suspicion.limit(), limits.get(suspicion.limit()).unwrap_or(0))
}

/// Does an address lie below the folder of another?
fn is_below(url: &Url, folder: &Url) -> bool {
    let end = folder.path().rfind('/').map_or(0, |at| at + 1);
    let folder_path = &folder.path()[..end];
    // The root folder holds everything, and a page with a query is a matter for learned rules.
    end > 1 && folder.query().is_none() && url.host() == folder.host() && url.path().starts_with(folder_path)
}

/// Is an address clear of every trap suspected so far?
pub(crate) fn is_free(traps: &TrapWatch, url: &Url, run: u16) -> bool {
    traps.admits(shape(url), run) && traps.admits(quarter(url), 0)
}
