//! The store's own check, for users (`groma verify`) and after every fault test.
//!
//! One pass over addresses and contents; memory: one byte and four per address.

use groma_model::{PageId, Reason, State};

use crate::{Snapshot, StoreError, codec};

/// Complaints listed; more are only counted.
const LISTED: usize = 50;
/// Addresses read at a time.
const STEP: usize = 10_000;

/// What the check found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Addresses looked at.
    pub addresses: u64,
    /// Links looked at.
    pub links: u64,
    /// What is wrong, the first of them in words.
    pub complaints: Vec<String>,
    /// How many complaints there are in all.
    pub wrong: u64,
}

impl Report {
    fn complain(&mut self, text: String) {
        self.wrong += 1;
        if self.complaints.len() < LISTED {
            self.complaints.push(text);
        }
    }
}

/// Checks links, states, aliases, queue and balance.
pub fn verify(store: &mut dyn Snapshot) -> Result<Report, StoreError> {
    let mut report = Report::default();
    for line in store.damage()? {
        report.complain(format!("file: {line}"));
    }
    // alias_of by number; u32::MAX where there is none, or where it is to be asked about again and may have changed its mind.
    // The second list holds the reasons.
    let mut alias: Vec<u32> = Vec::new();
    let mut reasons: Vec<Option<Reason>> = Vec::new();
    let mut after = None;
    loop {
        let rows = store.addresses(after, STEP)?;
        let Some(last) = rows.last() else { break };
        after = Some(last.id);
        let size = last.id.0 as usize + 1;
        alias.resize(size, u32::MAX);
        reasons.resize(size, None);
        for row in &rows {
            report.addresses += 1;
            let at = row.id.0 as usize;
            reasons[at] = Some(row.reason);
            alias[at] = row.alias_of.filter(|_| !row.queued).map_or(u32::MAX, |p| p.0);
            if (row.state() == State::Alias) != row.alias_of.is_some() {
                report.complain(format!("{}: {} with alias {:?}", row.url, row.state(), row.alias_of));
            }
            if row.reason == Reason::Waiting && !row.queued {
                report.complain(format!("{}: pending but not queued", row.url));
            }
        }
    }
    let exists = |id: PageId| reasons.get(id.0 as usize).copied().flatten().is_some();
    for at in 0..alias.len() {
        if alias[at] != u32::MAX && !leads_to_a_page(&alias, at) {
            report.complain(format!("alias {at} leads in a circle or nowhere"));
        }
    }
    for (at, reason) in reasons.iter().enumerate() {
        let Some(reason) = *reason else { continue };
        check_page(store, PageId(at as u32), reason, &exists, &mut report)?;
    }
    let balance = store.balance()?;
    let counted: u64 = State::ALL.iter().filter(|s| **s != State::Alias).map(|s| balance.state(*s)).sum();
    if balance.discovered() != counted || counted + balance.state(State::Alias) != report.addresses {
        report.complain(format!("balance: {} discovered, {counted} in states", balance.discovered()));
    }
    Ok(report)
}

fn leads_to_a_page(alias: &[u32], start: usize) -> bool {
    let mut at = start;
    for _ in 0..=64 {
        match alias.get(at) {
            None => return false,
            Some(&u32::MAX) => return true,
            Some(&next) => at = next as usize,
        }
    }
    false
}

fn check_page(
    store: &mut dyn Snapshot,
    id: PageId,
    reason: Reason,
    exists: &dyn Fn(PageId) -> bool,
    report: &mut Report,
) -> Result<(), StoreError> {
    let targets = match store.targets(id) {
        Err(StoreError::Damaged(what)) => {
            report.complain(what);
            return Ok(());
        }
        other => other?,
    };
    report.links += targets.len() as u64;
    if let Some(lost) = targets.iter().find(|t| !exists(**t)) {
        report.complain(format!("page {} links to {}, which is not there", id.0, lost.0));
    }
    let Some(packed) = store.details(id)? else {
        if reason.state() == State::Indexed && reason != Reason::Imported && store.page(id)?.is_none() {
            report.complain(format!("page {} is indexed but nothing is stored of it", id.0));
        }
        return Ok(());
    };
    // Of an imported page only the links are known.
    if packed.is_empty() {
        return Ok(());
    }
    match codec::unpack_details(&packed) {
        None => report.complain(format!("the details of page {} are damaged", id.0)),
        Some(details) if details.links.len() != targets.len() => {
            report.complain(format!("page {} has {} links and {} targets", id.0, details.links.len(), targets.len()));
        }
        Some(_) => {}
    }
    Ok(())
}
