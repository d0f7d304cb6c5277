//! A batch by other numbers: what several processes met at once has the number of whoever wrote first.
//!
//! Cost: linear in the batch; packed links are taken apart only if something was renamed.

use std::collections::HashMap;

use groma_model::{HostId, PageId, Reason};

use crate::batch::{Amend, Content, WriteBatch};
use crate::codec::{Mark, pack_targets, unpack_links};
use crate::workers::Renamed;

impl WriteBatch {
    /// The same batch by the numbers of others. New URLs and hosts that others had entered are gone from it; one that was to be
    /// fetched, and that others had only registered, is queued.
    pub fn renamed(&self, renamed: &Renamed) -> WriteBatch {
        let mut batch = self.clone();
        if renamed.pages.is_empty() && renamed.hosts.is_empty() {
            return batch;
        }
        let Renamed { pages, hosts } = renamed;
        let page = |id: PageId| pages.get(&id).map_or(id, |found| found.id);
        batch.hosts.retain(|host| !hosts.contains_key(&host.id));
        let mut wanted = Vec::new();
        batch.addresses.retain_mut(|address| {
            address.host = on(hosts, address.host);
            address.via = address.via.map(page);
            address.alias_of = address.alias_of.map(page);
            let Some(found) = pages.get(&address.id) else { return true };
            if found.soft && address.queue.is_some() {
                let depth = Some(address.depth);
                wanted.push(Amend { queue: address.queue, depth, ..Amend::to(found.id, Reason::Waiting) });
            }
            false
        });
        // What others had entered keeps the URLs they know.
        batch.linked.retain(|(id, _)| !pages.contains_key(id));
        for settled in &mut batch.settled {
            settled.id = page(settled.id);
            settled.alias_of = settled.alias_of.map(page);
            settled.facts.canonical = settled.facts.canonical.map(page);
            if let Content::Put { targets, .. } = &mut settled.content {
                rename_targets(targets, pages);
            }
        }
        for amend in &mut batch.amends {
            amend.id = page(amend.id);
            amend.alias_of = amend.alias_of.map(page);
        }
        batch.amends.splice(0..0, wanted);
        batch.evidence.variants.iter_mut().for_each(|(_, first, _)| *first = page(*first));
        batch.evidence.folds.iter_mut().for_each(|(_, stands)| *stands = stands.map(page));
        batch.robots.iter_mut().for_each(|row| row.host = on(hosts, row.host));
        for change in &mut batch.changes {
            change.page = page(change.page);
            change.to = change.to.map(page);
        }
        batch
    }
}

fn on(hosts: &HashMap<HostId, HostId>, id: HostId) -> HostId {
    hosts.get(&id).copied().unwrap_or(id)
}

fn rename_targets(packed: &mut Vec<u8>, pages: &HashMap<PageId, crate::KnownAddress>) {
    let mut links = Vec::new();
    if unpack_links(packed, &mut links).is_none() || !links.iter().any(|(to, _)| pages.contains_key(&PageId(*to))) {
        return;
    }
    let to: Vec<PageId> =
        links.iter().map(|(to, _)| pages.get(&PageId(*to)).map_or(PageId(*to), |found| found.id)).collect();
    *packed = pack_targets(&to, links.iter().map(|(_, mark): &(u32, Mark)| *mark));
}

#[cfg(test)]
mod tests {
    use groma_model::{Depth, Fp, LinkKind};

    use super::*;
    use crate::batch::{NewAddress, NewHost, ParameterEvidence, Settled};
    use crate::rows::FetchFacts;
    use crate::{KnownAddress, codec};

    fn address(id: u32, host: u32, queue: Option<(u32, u32)>) -> NewAddress {
        NewAddress {
            id: PageId(id),
            fp: Fp(u128::from(id)),
            host: HostId(host),
            url: format!("http://h/{id}"),
            reason: if queue.is_some() { Reason::Waiting } else { Reason::NoFollow },
            depth: Depth(1),
            via: Some(PageId(1)),
            via_kind: LinkKind::Anchor,
            alias_of: None,
            queue,
            run: 0,
        }
    }

    #[test]
    fn what_others_had_entered_is_called_as_they_call_it() {
        let marks = [Mark::plain(LinkKind::Anchor), Mark::plain(LinkKind::Image), Mark::plain(LinkKind::Anchor)];
        let targets = codec::pack_targets(&[PageId(1), PageId(101), PageId(100)], marks);
        let settled = Settled {
            id: PageId(1),
            reason: Reason::Fetched,
            alias_of: None,
            facts: FetchFacts { canonical: Some(PageId(100)), ..FetchFacts::default() },
            content: Content::Put { targets, details: Vec::new(), body: None },
            changed: false,
        };
        let batch = WriteBatch {
            hosts: vec![
                NewHost { id: HostId(7), origin: "http://a".into() },
                NewHost { id: HostId(8), origin: "http://b".into() },
            ],
            addresses: vec![address(100, 7, Some((1, 0))), address(101, 8, Some((1, 0))), address(102, 7, None)],
            settled: vec![settled],
            evidence: ParameterEvidence {
                folds: vec![(Fp(1), Some(PageId(101))), (Fp(2), None)],
                ..ParameterEvidence::default()
            },
            linked: vec![(PageId(100), "http://h/?b&a".into()), (PageId(102), "http://h/?d&c".into())],
            ..WriteBatch::default()
        };
        let renamed = Renamed {
            pages: [
                (PageId(100), KnownAddress { id: PageId(40), soft: true, doubtful: false }),
                (PageId(101), KnownAddress { id: PageId(41), soft: false, doubtful: false }),
            ]
            .into(),
            hosts: [(HostId(7), HostId(3))].into(),
        };
        let after = batch.renamed(&renamed);
        assert_eq!(after.hosts.iter().map(|h| h.id.0).collect::<Vec<_>>(), [8]);
        assert_eq!(after.addresses.iter().map(|a| (a.id.0, a.host.0)).collect::<Vec<_>>(), [(102, 3)]);
        let wanted = Amend { queue: Some((1, 0)), depth: Some(Depth(1)), ..Amend::to(PageId(40), Reason::Waiting) };
        assert_eq!(after.amends, [wanted], "only what others had merely registered is queued anew");
        assert_eq!(after.settled[0].facts.canonical, Some(PageId(40)));
        let Content::Put { targets, .. } = &after.settled[0].content else { panic!() };
        let mut links = Vec::new();
        codec::unpack_links(targets, &mut links).unwrap();
        assert_eq!(links, [(1, marks[0]), (41, marks[1]), (40, marks[2])]);
        assert_eq!(after.evidence.folds, [(Fp(1), Some(PageId(41))), (Fp(2), None)]);
        assert_eq!(after.linked, [(PageId(102), "http://h/?d&c".to_owned())]);
        assert_eq!(batch.renamed(&Renamed::default()), batch);
    }
}
