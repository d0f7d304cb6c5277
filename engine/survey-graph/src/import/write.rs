//! From a graph to a survey: every node a URL, its successors its links.

use std::collections::HashMap;

use groma_graph::Csr;
use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use groma_store::batch::Content;
use groma_store::codec::{Mark, pack_targets};
use groma_store::{FetchFacts, NewAddress, NewHost, Settled, Store, StoreError, WriteBatch};
use groma_url::Url;

use super::{Nodes, RUN};

/// Nodes written at once.
const STEP: u32 = 20_000;
/// The host of nodes that are no URLs.
const NO_HOST: &str = "imported";

/// Writes a graph into an empty store, `now` being the time in seconds since 1970. Node `n` becomes page `n + 1`. Calls back
/// with the nodes written so far.
pub fn write(
    store: &mut dyn Store,
    graph: &Csr,
    nodes: &Nodes,
    now: i64,
    progress: &mut dyn FnMut(u32),
) -> Result<(), StoreError> {
    let mut hosts: HashMap<String, HostId> = HashMap::new();
    let begins = WriteBatch { now, run: 1, run_begins: Some(RUN.to_owned()), ..WriteBatch::default() };
    store.commit(&begins)?;
    let mut from = 0;
    while from < graph.node_count() {
        let to = from.saturating_add(STEP).min(graph.node_count());
        let mut batch = WriteBatch { now, run: 1, ..WriteBatch::default() };
        for node in from..to {
            let url = nodes.name(node);
            let origin = Url::parse(&url).ok().filter(Url::has_host);
            let origin = origin.map_or_else(|| NO_HOST.to_owned(), |url| url.origin().ascii_serialization());
            let next = HostId(hosts.len() as u32 + 1);
            let host = *hosts.entry(origin.clone()).or_insert(next);
            if host == next {
                batch.hosts.push(NewHost { id: host, origin });
            }
            batch.addresses.push(address(node, url, host));
            batch.settled.push(links(node, graph.successors(node)));
        }
        store.commit(&batch)?;
        from = to;
        progress(from);
    }
    store.commit(&WriteBatch { now, run: 1, run_ends: Some("finished".to_owned()), ..WriteBatch::default() })
}

fn address(node: u32, url: String, host: HostId) -> NewAddress {
    NewAddress {
        id: PageId(node + 1),
        fp: Fp::hash_bytes(url.as_bytes()),
        host,
        url,
        reason: Reason::Imported,
        depth: Depth::LOOSE,
        via: None,
        via_kind: LinkKind::Anchor,
        alias_of: None,
        queue: None,
        run: 0,
    }
}

fn links(node: u32, successors: &[u32]) -> Settled {
    let targets: Vec<PageId> = successors.iter().map(|to| PageId(to + 1)).collect();
    let marks = std::iter::repeat_n(Mark::plain(LinkKind::Anchor), targets.len());
    let targets = pack_targets(&targets, marks);
    Settled {
        id: PageId(node + 1),
        reason: Reason::Imported,
        alias_of: None,
        facts: FetchFacts::default(),
        content: Content::Put { targets, details: Vec::new(), body: None },
        changed: false,
    }
}
