//! A stored survey as the checks see it.

use std::io;

use groma_check::{Completeness, Evidence, LinkFacts, PageFacts, PageLinks, TextFacts};
use groma_model::{BlockKind, LinkKind, PageId, Reason, State};
use groma_store::codec::{Details, unpack_details, unpack_targets};
use groma_store::outside::is_candidate;
use groma_store::{AddressRow, PageRow, Snapshot, StoreError};

use crate::outside::OutsideAnswers;

/// Reads evidence from a store.
pub struct StoreEvidence<'a> {
    store: &'a mut dyn Snapshot,
    /// The layer up to which pages count, while some wait to be fetched.
    horizon: Option<u32>,
    /// What URLs outside answered.
    outside: OutsideAnswers,
}

impl<'a> StoreEvidence<'a> {
    /// The evidence of a survey; while pages wait to be fetched, up to its last finished layer.
    pub fn new(store: &'a mut dyn Snapshot) -> Result<StoreEvidence<'a>, StoreError> {
        let pending = store.balance()?.state(State::Queued) > 0;
        let last = store.value("finished_layer")?.and_then(|value| value.parse().ok()).unwrap_or(0);
        Ok(StoreEvidence { store, horizon: pending.then_some(last), outside: OutsideAnswers::default() })
    }

    /// The same with what URLs outside the survey answered.
    #[must_use]
    pub fn with_outside(self, outside: OutsideAnswers) -> StoreEvidence<'a> {
        StoreEvidence { outside, ..self }
    }

    /// The layer up to which pages count, while some wait to be fetched.
    pub fn horizon(&self) -> Option<u32> {
        self.horizon
    }
}

impl Evidence for StoreEvidence<'_> {
    fn pages(&mut self, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        let (horizon, outside) = (self.horizon, &self.outside);
        let pages = self.store.each_page(&mut |address, page| call(&within(horizon, facts(address, page, outside))));
        pages.map_err(io::Error::other)
    }

    fn links(&mut self, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        let read = read_pages(self.store, self.horizon).map_err(io::Error::other)?;
        let mut damaged = None;
        let content = self.store.each_content(&mut |id, packed| {
            if !read.get(id.0 as usize).copied().unwrap_or(false) {
                return;
            }
            match unpack(packed.targets, packed.details) {
                Some((targets, details)) => lend(id, &targets, &details, call),
                None => damaged = Some(id),
            }
        });
        content.map_err(io::Error::other)?;
        damaged.map_or(Ok(()), |id| Err(damage(id)))
    }

    fn url(&mut self, id: PageId) -> io::Result<String> {
        let row = self.store.address(id).map_err(io::Error::other)?;
        Ok(row.map(|row| row.url).unwrap_or_default())
    }

    fn page(&mut self, id: PageId, call: &mut dyn FnMut(&PageFacts<'_>)) -> io::Result<()> {
        let Some(address) = self.store.address(id).map_err(io::Error::other)? else { return Ok(()) };
        let page = self.store.page(id).map_err(io::Error::other)?;
        call(&within(self.horizon, facts(&address, page.as_ref(), &self.outside)));
        Ok(())
    }

    fn links_of(&mut self, id: PageId, call: &mut dyn FnMut(&PageLinks<'_>)) -> io::Result<()> {
        let targets = self.store.targets(id).map_err(io::Error::other)?;
        let Some(packed) = self.store.details(id).map_err(io::Error::other)? else { return Ok(()) };
        let details =
            if packed.is_empty() { bare(targets.len()) } else { unpack_details(&packed).ok_or(damage(id))? };
        lend(id, &targets, &details, call);
        Ok(())
    }

    fn completeness(&mut self) -> io::Result<Completeness> {
        let balance = self.store.balance().map_err(io::Error::other)?;
        let runs = self.store.runs().map_err(io::Error::other)?;
        let read = self.store.value("sitemaps_read").map_err(io::Error::other)?;
        Ok(Completeness {
            finished: balance.queued == 0 && runs.last().is_some_and(|run| run.ended.is_some()),
            limits: balance.limits.into_keys().collect(),
            sitemap_read: read.is_some_and(|when| !when.is_empty()),
        })
    }
}

/// A page beyond the last finished layer counts as not read yet.
fn within(horizon: Option<u32>, facts: PageFacts<'_>) -> PageFacts<'_> {
    let beyond = horizon.is_some_and(|last| facts.depth.known().is_none_or(|depth| depth > last));
    let reason = if beyond && facts.reason.state() == State::Fetched { Reason::Waiting } else { facts.reason };
    PageFacts { reason, ..facts }
}

/// By number: is it an indexed page that counts? What is kept of a page that shut its door since is not told.
fn read_pages(store: &mut dyn Snapshot, horizon: Option<u32>) -> Result<Vec<bool>, StoreError> {
    let mut read = Vec::new();
    store.each_standing(&mut |standing| {
        let near = horizon.is_none_or(|last| standing.depth.known().is_some_and(|depth| depth <= last));
        read.resize(standing.id.0 as usize, false);
        read.push(near && standing.reason.state() == State::Fetched);
    })?;
    Ok(read)
}

fn unpack(targets: &[u8], details: &[u8]) -> Option<(Vec<PageId>, Details)> {
    let targets = unpack_targets(targets)?;
    let details = if details.is_empty() { bare(targets.len()) } else { unpack_details(details)? };
    Some((targets, details))
}

/// What is known of the links of an imported page.
fn bare(count: usize) -> Details {
    let link = groma_store::codec::KeptLink {
        kind: LinkKind::Anchor,
        rel: groma_model::Rel::default(),
        block: BlockKind::Paragraph,
        text: String::new(),
        fragment: String::new(),
    };
    Details { links: vec![link; count], ..Details::default() }
}

fn lend(id: PageId, targets: &[PageId], details: &Details, call: &mut dyn FnMut(&PageLinks<'_>)) {
    let links: Vec<LinkFacts<'_>> = targets
        .iter()
        .zip(&details.links)
        .map(|(target, link)| LinkFacts {
            target: *target,
            kind: link.kind,
            rel: link.rel,
            block: link.block,
            text: &link.text,
            fragment: &link.fragment,
        })
        .collect();
    let heading = details.blocks.iter().find(|block| block.kind == BlockKind::Heading1);
    let heading = heading.map_or("", |block| block.text.as_str());
    call(&PageLinks {
        id,
        heading,
        links: &links,
        anchors: &details.anchors,
        blocks: &details.blocks,
        forms: &details.forms,
        metas: &details.metas,
        markup: details.markup.as_ref(),
        structured: details.structured.as_ref(),
    });
}

fn facts<'a>(address: &'a AddressRow, page: Option<&'a PageRow>, outside: &'a OutsideAnswers) -> PageFacts<'a> {
    let known = PageFacts {
        asked: if is_candidate(address) { outside.of_url(&address.url) } else { None },
        depth: address.depth,
        since: address.since,
        alias_of: address.alias_of,
        via: address.via,
        // Nothing is known of an imported page that could be checked, but for its links.
        in_scope: !matches!(address.reason, Reason::OutOfScope | Reason::PrivateAddress | Reason::Imported),
        from_sitemap: address.via_kind == Some(LinkKind::Sitemap),
        ..PageFacts::new(address.id, &address.url, address.reason)
    };
    let Some(page) = page else { return known };
    let fetched = &page.facts;
    PageFacts {
        status: fetched.status,
        media_type: &fetched.media_type,
        size: fetched.size,
        elapsed_ms: fetched.elapsed_ms,
        title: &fetched.title,
        text: TextFacts {
            fp: fetched.text_fp,
            near_fp: fetched.near_fp,
            words: fetched.words,
            language: &fetched.language,
        },
        noindex: fetched.noindex,
        canonical: fetched.canonical,
        cuts: &fetched.cuts,
        ..known
    }
}

fn damage(id: PageId) -> io::Error {
    io::Error::other(StoreError::Damaged(format!("the links of page {}", id.0)))
}
