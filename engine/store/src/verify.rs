//! The store's own check, for users (`groma verify`) and after every fault test.
//!
//! One pass over URLs and contents; memory: two bytes and four per URL.

use groma_model::{PageId, Reason, State};

use crate::{Packed, Snapshot, StoreError, codec};

/// Complaints listed; more are only counted.
const LISTED: usize = 50;
/// URLs read at a time.
const STEP: usize = 10_000;

/// What the check found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many URLs were read.
    pub addresses: u64,
    /// How many links were unpacked.
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

    /// Complains if something is damaged; any other error goes on.
    fn damage(&mut self, what: &str, error: StoreError) -> Result<(), StoreError> {
        if !error.is_damage() {
            return Err(error);
        }
        self.complain(format!("{what}: {error}"));
        Ok(())
    }
}

/// Checks links, states, aliases, queue and balance. What cannot be read is a complaint, not an error.
pub fn verify(store: &mut dyn Snapshot) -> Result<Report, StoreError> {
    let mut report = Report::default();
    match store.damage() {
        Ok(lines) => lines.into_iter().for_each(|line| report.complain(format!("file: {line}"))),
        Err(error) => report.damage("the file", error)?,
    }
    if let Err(error) = contents(store, &mut report) {
        report.damage("the survey cannot be read to its end", error)?;
    }
    Ok(report)
}

fn contents(store: &mut dyn Snapshot, report: &mut Report) -> Result<(), StoreError> {
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
                report.complain(format!("{}: state queued, but not in the queue", row.url));
            }
        }
    }
    let exists = |id: PageId| reasons.get(id.0 as usize).copied().flatten().is_some();
    for at in 0..alias.len() {
        if alias[at] != u32::MAX && !leads_to_a_page(&alias, at) {
            report.complain(format!("alias {at} leads in a circle or nowhere"));
        }
    }
    // Read in one go: a question for each page would be a message to a server for each page.
    let mut stored = vec![false; reasons.len()];
    let mut links = Vec::new();
    store.each_content(&mut |id, packed| {
        if let Some(known) = stored.get_mut(id.0 as usize) {
            *known = true;
        }
        check_content(id, packed, &exists, &mut links, report);
    })?;
    for (at, reason) in reasons.iter().enumerate().filter(|(at, _)| !stored[*at]) {
        let indexed = reason.is_some_and(|reason| reason.state() == State::Fetched && reason != Reason::Imported);
        if indexed && store.page(PageId(at as u32))?.is_none() {
            report.complain(format!("page {at} was fetched but nothing is stored of it"));
        }
    }
    store.each_linked(&mut |id, urls| {
        if !exists(id) || urls.is_empty() || !urls.lines().all(|url| url.starts_with("http")) {
            report.complain(format!("the URLs by which page {} was linked", id.0));
        }
    })?;
    let balance = store.balance()?;
    let counted: u64 = State::ALL.iter().filter(|s| **s != State::Alias).map(|s| balance.state(*s)).sum();
    if balance.discovered() != counted || counted + balance.state(State::Alias) != report.addresses {
        report.complain(format!("balance: {} discovered, {counted} in states", balance.discovered()));
    }
    read_the_rest(store, report)
}

/// Reads what nothing above has read: it must be readable. (Bodies are covered by the checksums of the pages they lie in.)
fn read_the_rest(store: &mut dyn Snapshot, report: &mut Report) -> Result<(), StoreError> {
    let rest: [(&str, Result<(), StoreError>); 5] = [
        ("hosts", store.hosts().map(drop)),
        ("learned rules", store.learned().map(drop)),
        ("findings", store.findings().map(drop)),
        ("runs", store.runs().map(drop)),
        ("cuts", store.cuts().map(drop)),
    ];
    for (what, read) in rest {
        read.or_else(|error| report.damage(what, error))?;
    }
    Ok(())
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

fn check_content(
    id: PageId,
    packed: Packed<'_>,
    exists: &dyn Fn(PageId) -> bool,
    links: &mut Vec<(u32, codec::Mark)>,
    report: &mut Report,
) {
    if codec::unpack_links(packed.targets, links).is_none() {
        return report.complain(format!("the links of page {}", id.0));
    }
    report.links += links.len() as u64;
    if let Some((lost, _)) = links.iter().find(|(target, _)| !exists(PageId(*target))) {
        report.complain(format!("page {} links to {lost}, which is not there", id.0));
    }
    // Of an imported page only the links are known.
    if packed.details.is_empty() {
        return;
    }
    match codec::unpack_details(packed.details) {
        None => report.complain(format!("the details of page {} are damaged", id.0)),
        Some(details) if details.links.len() != links.len() => {
            report.complain(format!("page {} has {} links and {} targets", id.0, details.links.len(), links.len()));
        }
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use groma_model::{Depth, Fp, HostId, LinkKind, ParsedPage};

    use super::*;
    use crate::batch::Content;
    use crate::{FetchFacts, NewAddress, Settled, SqliteStore, Store, WriteBatch};

    fn settled(id: u32, targets: Vec<u8>, details: Vec<u8>) -> Settled {
        let content = Content::Put { targets, details, body: None };
        let (id, facts) = (PageId(id), FetchFacts::default());
        Settled { id, reason: Reason::Fetched, alias_of: None, facts, content, changed: false }
    }

    #[test]
    fn what_is_wrong_with_contents_is_told() {
        let address = |id: u32| NewAddress {
            id: PageId(id),
            fp: Fp(u128::from(id)),
            host: HostId(1),
            url: format!("http://h/{id}"),
            reason: Reason::Fetched,
            depth: Depth(0),
            via: None,
            via_kind: LinkKind::Anchor,
            alias_of: None,
            queue: None,
            run: 0,
        };
        let links = |to: u32| codec::pack_targets(&[PageId(to)], [codec::Mark::plain(LinkKind::Anchor)]);
        let empty = codec::pack_details(&ParsedPage::default());
        let batch = WriteBatch {
            run: 1,
            addresses: (1..6).map(address).collect(),
            settled: vec![
                settled(1, links(9), Vec::new()),
                settled(2, links(1), empty),
                settled(3, links(1), b"no details".to_vec()),
                settled(4, vec![0xff; 3], Vec::new()),
            ],
            ..WriteBatch::default()
        };
        let mut store = SqliteStore::open(std::path::Path::new(":memory:")).unwrap();
        store.commit(&batch).unwrap();
        let report = verify(&mut store).unwrap();
        let told = [
            "page 1 links to 9, which is not there",
            "page 2 has 0 links and 1 targets",
            "the details of page 3 are damaged",
            "the links of page 4",
            "page 5 was fetched but nothing is stored of it",
        ];
        assert_eq!((report.complaints, report.links, report.wrong), (told.map(str::to_owned).to_vec(), 3, 5));
    }
}
